"""The hand tasks of a job, in the order of the way, and what is refused (``world.targets``): before a walk."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from ....base.errors import DataError
from ....base.once import once_for_each
from ....base.spatial import Array
from ....job import Job
from ....world.targets import TAKING, Target
from ....world.things import Thing
from .extent import extent
from .hauling import Hauling, PullPlanner, PushPlanner
from .levels import levels_of
from .limits import PLACES, ROOM, STRENGTH, Reacher
from .standing import PickUpRequest, PlaceFinder, ReachRequest, SetDownRequest
from .tasks import HandTask, Move, PickUp, PullTask, Taking


@once_for_each
def hand_tasks_of(job: Job) -> tuple[HandTask, ...]:
    """Return what a walk does with its hands, in the order of the way. Raises DataError for what it cannot do.

    A job is planned once: looking at all postures takes a while, and it is asked for wherever the walk is to stand.
    """
    return tuple(_Planner(job).tasks()) if job.world.targets else ()


class _Planner:
    """Plans the hand tasks of one job."""

    def __init__(self, job: Job) -> None:
        self.job, self._reacher = job, Reacher(job.character)
        if not self._reacher.arms:
            raise DataError(
                f"{job.character.name!r} has no arms to reach {job.world.targets[0].name!r} with: map them in the "
                "Character panel, or take the targets away."
            )
        levels = levels_of(job, self._reacher.size)
        self.standing = PlaceFinder(job, self._reacher, levels)
        self._pushing = PushPlanner(job, self._reacher, levels)
        self._pulling = PullPlanner(job, self._reacher, levels)

    def tasks(self) -> Iterator[HandTask]:
        """Give the tasks in the order of the way. Raises DataError."""
        path, start = self.job.path, self.job.start
        near = [(path.nearest(self._where(own)[:2], start), i, own) for i, own in enumerate(self.job.world.targets)]
        hands: _Hands = _Empty(self)
        last = -math.inf  # m along the path, of the task before: none
        for _, _, target in sorted(near, key=lambda own: own[:2]):
            hands.check(target)
            self._check_height(target)
            task = self._in_order(target, hands.task(target), last)
            self._check_width(task)
            last = task.arc
            yield task
            hands = self._hands_after(task, hands)
        yield from hands.left_over()

    def _hands_after(self, task: HandTask, hands: _Hands) -> _Hands:
        """Return what hands hold after a task. hands: what they held before it."""
        if isinstance(task, Move):
            return _Moving(self, task, self._pulling if isinstance(task, PullTask) else self._pushing)
        if isinstance(task, PickUp):
            return _Carrying(self, task)
        return _Empty(self) if task.lets_go else hands

    def thing(self, target: Target) -> Thing:
        """Return the prop that a target takes."""
        return next(thing for thing in self.job.world.loose if thing.name == target.thing)

    def _where(self, target: Target) -> Array:
        """Return the place (3,), m, of a target: the middle of a thing."""
        return extent(self.thing(target), 0.0).middle if target.act in TAKING else np.array(target.place)

    def taken(self, target: Target) -> HandTask:
        """Return what empty hands do for a target. Raises DataError where they cannot."""
        if target.act == "reach":
            return self.standing.task(ReachRequest(target, self._where(target), self._reacher))
        thing = self.thing(target)
        prop = self.job.world.loose.index(thing)
        if target.act != "pick_up":
            hauling: Hauling = self._pushing if target.act == "push" else self._pulling
            return hauling.taking(target, thing, prop)
        request = PickUpRequest(target, self._where(target), self._reacher, thing, prop)
        self._check_weight(request)
        return self.standing.task(request)

    def set_down(self, target: Target, taken: PickUp) -> HandTask:
        """Return where hands set down what they have picked up. Raises DataError where they cannot."""
        thing, faced = self.job.world.loose[taken.prop], self.standing.heading(taken.arc)
        place = np.array(target.place)
        return self.standing.task(SetDownRequest(target, place, self._reacher, thing, taken.prop, taken, faced))

    def _check_height(self, target: Target) -> None:
        x, y, z = self._where(target).tolist()
        ground = self.job.floor.height(x, y)
        if z < ground - ROOM.below * self._reacher.size:
            raise DataError(f"{target.name!r} is {ground - z:.2f} m below the ground: move it up.")

    def _check_weight(self, request: PickUpRequest) -> None:
        thing, both = request.thing, len(request.sides(0.0, 0.0)) > 1
        most = (STRENGTH.both_hands if both else STRENGTH.one_hand) * self._reacher.strength
        if thing.mass > most * (1.0 + STRENGTH.rounded):
            how = "with both hands" if both else "with one hand"
            raise DataError(
                f"{thing.name!r} weighs {thing.mass:.3g} kg; this body carries {most:.1f} {how}: make it lighter in "
                "its Rigid Body settings."
            )

    def _check_width(self, task: HandTask) -> None:
        if not isinstance(task, PickUp) or len(task.sides) < 2:
            return
        a, b = (np.array(point) for point in task.points)
        origins = self.job.character.standing()[0]
        left, right = (origins[arm.upper] for arm in self._reacher.arms.values())
        apart = float(np.linalg.norm(a - b))
        most = float(np.linalg.norm(left - right)) + STRENGTH.most_spread * self._reacher.size
        if apart > most:
            raise DataError(
                f"{task.thing!r} is {apart:.2f} m wide where hands hold it; this body's arms hold {most:.2f} "
                "at most: turn it, or make it smaller."
            )

    def _in_order(self, target: Target, task: HandTask, last: float) -> HandTask:
        """Return a task that is where the last one was if it is near. Raises DataError where it is too near."""
        size, name = self._reacher.size, target.name
        if abs(task.arc - last) < PLACES.once * size:
            return replace(task, arc=last)
        if task.arc - self.job.start < PLACES.before * size and target.act != "pull":
            raise DataError(
                f"{name!r} is too near to the walk's start: let the path begin {PLACES.before * size:.1f} m or more "
                "before where it is reached."
            )
        if task.arc - last < PLACES.apart * size:
            raise DataError(
                f"{name!r} is too near to the target before it: let {PLACES.apart * size:.1f} m of path or more be "
                "between where both are reached."
            )
        return task


class _Hands(ABC):
    """What hands hold at a place of the way."""

    def __init__(self, planner: _Planner) -> None:
        self._planner = planner

    @abstractmethod
    def check(self, target: Target) -> None:
        """Raise DataError for a target that they can do nothing for."""

    @abstractmethod
    def task(self, target: Target) -> HandTask:
        """Return what they do for a target. Raises DataError where they cannot."""

    def left_over(self) -> Iterator[HandTask]:
        """Give what they have to do at the path's end."""
        return iter(())


class _Empty(_Hands):
    """Hands that hold nothing."""

    def check(self, target: Target) -> None:
        """Raise DataError for what is to be set down."""
        if target.act == "set_down":
            raise DataError(f"There is nothing to set down at {target.name!r}: make a prop before it a target, too.")

    def task(self, target: Target) -> HandTask:
        """Return what they reach for or take."""
        return self._planner.taken(target)


class _Full(_Hands):
    """Hands that hold something. taken: how they have taken it."""

    def __init__(self, planner: _Planner, taken: Taking) -> None:
        super().__init__(planner)
        self._held = planner.job.world.loose[taken.prop]

    def check(self, target: Target) -> None:
        """Raise DataError for whatever is not to set it down."""
        if target.act != "set_down":
            name = self._held.name
            raise DataError(
                f"The hands still hold {name!r} at {target.name!r}: add a target before it where that is set down."
            )


class _Carrying(_Full):
    """Hands that carry something."""

    def __init__(self, planner: _Planner, taken: PickUp) -> None:
        super().__init__(planner, taken)
        self._taken = taken

    def task(self, target: Target) -> HandTask:
        """Return where they set it down."""
        return self._planner.set_down(target, self._taken)


class _Moving(_Full):
    """Hands that move something over the ground."""

    def __init__(self, planner: _Planner, taken: Move, hauling: Hauling) -> None:
        super().__init__(planner, taken)
        self._taken, self._hauling = taken, hauling

    def task(self, target: Target) -> HandTask:
        """Return where they leave it."""
        return self._hauling.leaving(target, self._taken)

    def left_over(self) -> Iterator[HandTask]:
        """Give that they leave it at the path's end, if they must."""
        return self._hauling.left_at_end(self._taken)
