"""Where a body stands for what its hands reach, pick up and set down, and why it cannot."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ....base.errors import DataError
from ....base.patience import costly
from ....base.spatial import Array, quaternion_matrix, yawed
from ....character.model import Character
from ....job import Job
from ....world.path import Path
from ....world.targets import Target
from ....world.things import Thing, Triple
from ...kind import HANDS_AHEAD
from ...shared.arms import arms_of
from ...shared.legs import legs_of
from .extent import extent, held_at, over_ground, triple
from .levels import Level
from .limits import PLACES, ROOM, STRENGTH, Reacher
from .posture import Bending, stooping
from .tasks import HandTask, PickUp, Reach, SetDown


@dataclass(frozen=True)
class SearchRound:
    """One round of looking for a place to stand. grid: m of path between places. looks: how many are tried at most."""

    grid: float
    looks: int


ROUNDS = SearchRound(0.05, 14), SearchRound(PLACES.grid, 35)
"""First with an eye for time, then for each place; those from which it takes things best come first."""


@dataclass(frozen=True)
class Effort:
    """How hard a place is."""

    ahead: float = 0.4
    """Of the body's bow in full, for each m that the target is nearer or farther than hands take it best."""
    low: float = 0.25
    """m, for legs of 0.9 m: what is lower stands on the ground before the feet."""


EFFORT = Effort()


@dataclass(frozen=True)
class StandingPlace:
    """A body that stands at a place of the path, m, facing along it, heading rad.

    at (3,): world, m, on the ground. turn (3, 3): from its heading frame to the world.
    """

    arc: float
    heading: float
    at: Array
    turn: Array


@dataclass(frozen=True)
class Wanted:
    """What hands are to do from a place. goals: where each goes (3,), in the heading frame, m. load: kg.

    near: m ahead of the body where what they go to begins. bottom: m above the ground where it does.
    """

    task: HandTask
    goals: Sequence[Array]
    near: float
    bottom: float
    load: float


@dataclass(frozen=True)
class RatedTask:
    """A task that can be done, and how hard it is."""

    task: HandTask
    effort: float


class HandRequest(ABC):
    """What is asked of the hands for one target. place (3,): of it, world, m."""

    def __init__(self, target: Target, place: Array, reacher: Reacher) -> None:
        self.target, self.place, self.reacher = target, place, reacher

    @abstractmethod
    def sides(self, aside: float, heading: float) -> tuple[int, ...]:
        """Return which hands it takes; () where the body has not those. aside: m to the left. heading: rad."""

    @abstractmethod
    def wanted(self, stand: StandingPlace) -> Wanted:
        """Return what hands are to do from where it stands."""

    def refusal(self, path: Path) -> str:
        """Return why it is refused wherever the body stands; "" for most."""
        return ""


class ReachRequest(HandRequest):
    """Hands are to touch a place."""

    def sides(self, aside: float, heading: float) -> tuple[int, ...]:
        """Return which hands it takes: the nearer one, where the target does not say."""
        return self.reacher.sides(self.target.hands, aside, both=False)

    def wanted(self, stand: StandingPlace) -> Wanted:
        """Return what hands are to do from where it stands."""
        goal = (np.array(self.target.place) - stand.at) @ stand.turn
        sides = self.sides(float(goal[1]), 0.0)
        task = Reach(stand.arc, sides, self.target.name, self.target.place)
        return Wanted(task, [goal for _ in sides], float(goal[0]), float(goal[2]), 0.0)


class ThingRequest(HandRequest):
    """Hands are to do something with a thing. prop: which of the props it is."""

    def __init__(self, target: Target, place: Array, reacher: Reacher, thing: Thing, prop: int) -> None:
        super().__init__(target, place, reacher)
        self.thing, self.prop = thing, prop

    def sides(self, aside: float, heading: float) -> tuple[int, ...]:
        """Return which hands it takes: both, where the thing is broad or heavy."""
        broad = 2.0 * float(extent(self.thing, heading).half[1]) > STRENGTH.wide * self.reacher.size
        both = broad or self.thing.mass > STRENGTH.heavy * self.reacher.strength
        return self.reacher.sides(self.target.hands, aside, both)


class PickUpRequest(ThingRequest):
    """Hands are to pick a thing up."""

    def wanted(self, stand: StandingPlace) -> Wanted:
        """Return what hands are to do from where it stands."""
        thing, size, turn = self.thing, self.reacher.size, stand.turn
        seen = extent(thing, stand.heading)
        middle = (seen.middle - stand.at) @ turn
        sides = self.sides(float(middle[1]), stand.heading)
        points = [over_ground(own, float(middle[2]), size) for own in held_at(seen, sides, size)]
        goals, deep = [middle + own for own in points], float(seen.half[0])
        bottom = float(middle[2] - seen.half[2])
        under = float(np.mean([goal[2] for goal in goals])) - bottom
        own = quaternion_matrix(np.array(thing.rotation))
        kept = tuple(triple((seen.middle + turn @ point - np.array(thing.place)) @ own) for point in points)
        task = PickUp(stand.arc, sides, self.target.name, thing.name, self.prop, kept, deep, thing.mass, under)
        return Wanted(task, goals, float(middle[0]) - deep, bottom, thing.mass)


class SetDownRequest(ThingRequest):
    """Hands are to set a thing down as they have picked it up."""

    def __init__(
        self, target: Target, place: Array, reacher: Reacher, thing: Thing, prop: int, taken: PickUp, faced: float
    ) -> None:  # fmt: skip
        """taken: how they have. place (3,): m. faced: the body's heading there, rad."""
        super().__init__(target, place, reacher, thing, prop)
        self._taken, self._carried = taken, extent(thing, faced)

    def wanted(self, stand: StandingPlace) -> Wanted:
        """Return what hands are to do from where it stands."""
        size, carried, sides, place = self.reacher.size, self._carried, self._taken.sides, self.target.place
        up = (0.0, 0.0, float(carried.half[2]))
        points = [point + up for point in held_at(carried, sides, size)]
        points = [over_ground(own, float(place[2]) - float(stand.at[2]), size) for own in points]
        lowest = (np.array(place) - stand.at) @ stand.turn
        goals, kept = [lowest + point for point in points], tuple(triple(point) for point in points)
        task = SetDown(stand.arc, sides, self.target.name, place, kept, self.thing.mass)
        near = float(lowest[0]) - float(carried.half[0])
        return Wanted(task, goals, near, float(lowest[2]), self.thing.mass)

    def refusal(self, path: Path) -> str:
        """Return why a place on the way is refused."""
        size, name = self.reacher.size, self.target.name
        if float(path.distance(self.place[None, :])[0]) >= ROOM.beside * size:
            return ""
        desired = HANDS_AHEAD * size
        return (
            f"What is set down at {name!r} would be walked over: let the path end, or turn away, {desired:.1f} m "
            "before it."
        )


@lru_cache(maxsize=4)
def _bending(character: Character) -> Bending:
    return Bending(character, stooping(character))


@lru_cache(maxsize=4096)
def bowed(character: Character, sides: tuple[int, ...], goals: tuple[Triple, ...], load: float) -> tuple[float, float]:
    """Return how far a character bows, 0..1, with whose hands on goals, m, from mid-feet, and what is lacking, m.

    load: kg. As the scene changes, most targets stay where they are. Raises UnfinishedError.
    """
    arms = arms_of(character)
    with costly():
        found = _bending(character).reaching(
            [arm for side in sides if (arm := arms[side])], [np.array(goal) for goal in goals], load
        )
    return found.share, found.missing


class PlaceFinder:
    """Finds where a body stands for a request."""

    def __init__(self, job: Job, reacher: Reacher, levels: Level) -> None:
        self._job, self._path, self._reacher, self._levels = job, job.path, reacher, levels
        self._middle = _bending(job.character).middle
        self._toes = max(leg.tip for leg in legs_of(job.character))

    def task(self, request: HandRequest) -> HandTask:
        """Return what hands do for a request, from where it is least hard. Raises DataError where they cannot."""
        found: list[RatedTask] = []
        missing: list[float] = []
        for search in ROUNDS:
            arcs = np.arange(self._job.start, self._path.length + 1e-9, search.grid * self._reacher.size)
            arcs = self._levels.before(request.target.name, request.place, arcs)
            found = list(self._found(request, arcs, search.looks, missing))
            if found:
                break
        why = request.refusal(self._path)
        if not why and not found:
            why = self._out_of_reach(request, min(missing, default=math.inf))
        if why:
            raise DataError(why)
        return min(found, key=lambda own: own.effort).task

    def heading(self, arc: float) -> float:
        """Return the heading, rad, of a body that stands at a place of the path, m."""
        return float(self._path.heading(arc, PLACES.span * self._reacher.size))

    def _found(self, request: HandRequest, arcs: Array, looks: int, missing: list[float]) -> Iterator[RatedTask]:
        """Give what can be done from places of the path (K,), m, each with less effort than those before.

        looks: how many are tried, those first from which it takes things best. missing: where m go that arms do not
        reach from the others.
        """
        size = self._reacher.size
        desired = HANDS_AHEAD * size
        headings = self._path.heading(arcs, PLACES.span * size)
        offset = request.place[:2] - self._path.position(arcs)
        ahead = offset[:, 0] * np.cos(headings) + offset[:, 1] * np.sin(headings)
        aside = -offset[:, 0] * np.sin(headings) + offset[:, 1] * np.cos(headings)
        least = math.inf
        for i in np.argsort(np.abs(ahead - desired) + np.abs(aside), kind="stable")[:looks].tolist():
            off = (EFFORT.ahead * abs(float(ahead[i]) - desired) + abs(float(aside[i]))) / size
            if off >= least:  # however little it bows there
                continue
            wanted = request.wanted(self._stand(float(arcs[i]), float(headings[i])))
            if not self._has_room(wanted):
                continue
            share, lacking = bowed(self._job.character, wanted.task.sides, self._goals(wanted), wanted.load)
            if lacking > 0.0:
                missing.append(lacking)
                continue
            if share + off < least:
                least = share + off
                yield RatedTask(wanted.task, least)

    def _stand(self, arc: float, heading: float) -> StandingPlace:
        x, y = self._path.point(arc)
        return StandingPlace(arc, heading, np.array((x, y, self._levels.height(arc))), yawed(heading))

    def _has_room(self, wanted: Wanted) -> bool:
        """Return whether trunk or toes are clear of what hands go to, and there are hands for it."""
        size = self._reacher.size
        low = wanted.bottom <= EFFORT.low * size
        clear = self._toes + ROOM.feet * size if low else ROOM.trunk * size
        return wanted.near >= clear - 1e-9 and bool(wanted.task.sides)

    def _goals(self, wanted: Wanted) -> tuple[Triple, ...]:
        """Return where hands are to reach from mid-feet (3,), m: it may stand a little farther off."""
        shift = np.array((self._middle, 0.0, 0.0))
        return tuple(triple(goal - shift + (ROOM.off * self._reacher.size, 0.0, 0.0)) for goal in wanted.goals)

    def _out_of_reach(self, request: HandRequest, missing: float) -> str:
        """Return why a target cannot be reached, and what to do. missing: m at the least, infinite for no room."""
        size, name, place = self._reacher.size, request.target.name, request.place
        height = float(place[2]) - self._job.floor.height(float(place[0]), float(place[1]))
        if not request.sides(0.0, 0.0):
            return f"{name!r} takes an arm that this body does not have: choose other hands, or make it smaller."
        away = float(self._path.distance(place[None, :])[0])
        if away > ROOM.farthest * size:
            return (
                f"{name!r} is out of reach, {away:.2f} m from the path: lead the path up to it, about "
                f"{HANDS_AHEAD * size:.1f} m short of it."
            )
        if math.isfinite(missing):
            return (
                f"{name!r}, {height:.2f} m above the ground, is out of reach by {missing + ROOM.off * size:.2f} m, "
                "however this body bends: move it, or lead the path closer to it."
            )
        return (
            f"There is no room to stand before {name!r}: let the path end about {HANDS_AHEAD * size:.1f} m short of "
            "it, or pass beside it."
        )
