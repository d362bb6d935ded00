"""Where a walk stands for what its hands do, and what they cannot (``world.targets``): before a walk."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ....base.errors import DataError
from ....base.spatial import Array, quaternion_matrix, yawed
from ....character.model import Character
from ....character.reference import GRAVITY, REFERENCE_MASS
from ....job import Job
from ....world.blocked import hull, world_corners
from ....world.targets import TAKING, Target
from ....world.things import Thing, Triple
from ....world.treads import Treads, treads_of
from ...kind import HANDS_AHEAD
from ...shared.arms import STRETCHED, Arm, arms_of
from ...shared.legs import legs_of
from .moving import ELBOWS, GOES_ON, LEANS, TOWING_ELBOW, Pushed, turned
from .posture import Bending

HEAVIEST = {1: 5.0, 2: 25.0}
"""kg that a body of the reference mass carries with so many hands."""
FARTHEST = 0.62  # m ahead of the hips that it reaches, for legs of 0.9 m
FEET = 0.08  # m between toes and what stands on the ground before them, likewise
TRUNK = 0.14  # m before the hips' middle that the trunk takes
STEP = 0.3  # m along the path within which it stands once
BEFORE = 1.0  # m of path before the first of them: it must have walked to stand
APART = 0.8  # m of path between two of them
WIDE, HEAVY = 0.16, 4.0  # m and kg from which it takes both hands
MOST_SPREAD = 0.35  # m that hands are farther apart than the shoulders at most
PALM = 0.03  # m from the middle of a hand to what it holds
LOWEST = 0.11  # m above the ground that palms stay: fingers reach farther down
EDGES, LEVEL = 0.6, 0.02  # m from edges of the ground that it stands at least, m that its level is even to
OFF = 0.04  # m that it may stand otherwise than planned, ahead and aside
ROUND = 0.25  # m beside the path that what is set down is at least
OFF_END = 0.3  # m of path at most beyond where what is pushed is left
STRAIGHT = 5.0  # degrees that a path may bend by while something is pushed
HARDEST = 0.26  # of the body's weight: what moving a thing over the ground may take
FARTHEST_BACK = 0.397  # of the leg's length, by how high hips are of shoulders: how far back a body counts as it pulls
LEANT = 0.484  # of how high shoulders are above hips: likewise, for it is the trunk that leans
BESIDE, EVEN = 0.1, 0.2  # m beside the middle of what is pushed, and slant of its face, at most
TIPS = 0.65  # of what would tip it over about its far edge: what hands push with where friction alone resists
RIM = 0.06  # m between hands and the rims of what is pushed, for legs of 0.9 m
HANDS_BELOW, LOWEST_HANDS, STANDING_OFF = 0.5, 0.68, 0.82  # of the stretched arm: hands below shoulders, reach
LOWEST_PULLING, NEARER = 0.62, 0.1  # likewise, a hand that pulls; m that it may stand nearer than its arm reaches
_PLAN = "hand_tasks"  # of a job's plans
_GRID = 0.02  # m of path between looks
_ROUNDED = 1e-6  # share of a mass that Blender rounds off
_LOOKS = ((0.05, 14), (_GRID, 35))  # likewise, and how many: first with an eye for time, then for each place
_SPAN = 0.3  # m of path over which its direction is taken
_HIGH = 0.35  # of a thing's height above its middle where two hands hold it


@dataclass(frozen=True)
class HandTask:
    """What hands do at one place. arc: where along the path it stands, m. sides: of its hands, 0 left, 1 right.

    thing: which of the props, -1 for none. goals: where the hands go, each (3,), m: world for "reach", in the prop's
    frame for what takes a prop, for "set_down" from the target's place, ahead, to the left and up. load: kg that
    they hold. deep: half of that along the heading, m. under: how far it reaches below the hands, m. pushed: how it is
    pushed or pulled, where it is.
    """

    target: Target
    arc: float
    sides: tuple[int, ...]
    thing: int
    goals: tuple[Triple, ...]
    load: float
    deep: float = 0.0
    under: float = 0.0
    pushed: Pushed | None = None


@dataclass(frozen=True)
class _Extent:
    """A thing as it is seen along a heading, about its middle: half its sizes ahead, aside and up, m."""

    middle: Array
    half: Array


def hand_tasks_of(job: Job) -> tuple[HandTask, ...]:
    """Return what a walk does with its hands, in the order of the way. Raises DataError for what it cannot do.

    A job keeps what is found: looking at all postures takes a while, and it is asked for wherever the walk is to stand.
    """
    if not job.world.targets:
        return ()
    if _PLAN not in job.plans:
        job.plans[_PLAN] = tuple(_Planner(job).tasks())
    found: tuple[HandTask, ...] = job.plans[_PLAN]
    return found


def told(tasks: Iterable[HandTask]) -> Iterator[str]:
    """Give what the walk does with its hands, in words."""
    for task in tasks:
        target, arc = task.target, task.arc
        how = "with both hands" if len(task.sides) > 1 else "with one hand"
        if target.act == "reach":
            yield f"Reaches {target.name!r} {how}, {arc:.1f} m along the path."
        elif target.act == "push":
            yield f"Pushes {target.thing!r} over the ground, from {arc:.1f} m along the path."
        elif target.act == "pull":
            yield f"Pulls {target.thing!r} over the ground, from {arc:.1f} m along the path."
        elif task.pushed is not None:
            if not target.name:
                yield "Leaves what it pulls where the path ends."
            elif task.pushed.pulled:
                yield f"Leaves what it pulls at {target.name!r}, {arc:.1f} m along the path."
            else:
                yield f"Leaves what it pushes at {target.name!r}, {arc:.1f} m along the path."
        elif target.act == "pick_up":
            yield f"Picks up {target.thing!r} {how}, {arc:.1f} m along the path."
        else:
            yield f"Sets down what it carries at {target.name!r}, {arc:.1f} m along the path."


class _Planner:
    """Plans the tasks of one job."""

    def __init__(self, job: Job) -> None:
        self._job, self._path = job, job.path
        self._size = job.character.size
        self._strength = job.character.mass / REFERENCE_MASS
        self._arms = arms_of(job.character)
        if not any(self._arms):
            raise DataError(
                f"{job.character.name!r} has no arms to reach {job.world.targets[0].name!r} with: map them in the "
                "Character panel, or take the targets away."
            )
        self._stands = _Levels(job, self._size)
        self._bending = Bending(job.character)
        self._toes = max(leg.ball + leg.toe_length for leg in legs_of(job.character))
        self._loose = job.world.loose
        self._moving = _Moving(job, self._arms)

    def tasks(self) -> Iterator[HandTask]:
        """Give the tasks in the order of the way. Raises DataError."""
        near = [(self._path.nearest(self._where(target)[:2], self._job.start), i, target)
                for i, target in enumerate(self._job.world.targets)]  # fmt: skip
        held: tuple[Thing, HandTask] | None = None
        last: float | None = None
        for _, _, target in sorted(near, key=lambda own: own[:2]):
            self._check_order(target, held)
            if target.act == "pick_up":
                self._check_weight(target, self._thing(target))
            task = self._in_order(self._planned(target, held), last)
            self._check_width(task)
            last = task.arc
            yield task
            if target.act in TAKING:
                held = self._loose[task.thing], task
            elif target.act == "set_down":
                held = None
        if held is not None and held[1].pushed is not None and held[1].pushed.pulled:
            yield self._moving.left_at_end(held[1])

    def _where(self, target: Target) -> Array:
        """Return the place (3,), m, of a target: the middle of a thing."""
        if target.act in TAKING:
            return _extent(self._thing(target), 0.0).middle
        return np.array(target.place)

    def _thing(self, target: Target) -> Thing:
        return next(thing for thing in self._loose if thing.name == target.thing)

    def _check_order(self, target: Target, held: tuple[Thing, HandTask] | None) -> None:
        if target.act == "set_down" and held is None:
            raise DataError(f"There is nothing to set down at {target.name!r}: make a prop before it a target, too.")
        if target.act != "set_down" and held is not None:
            raise DataError(
                f"The hands still hold {held[0].name!r} at {target.name!r}: add a target before it where that is set "
                "down."
            )
        x, y, z = self._where(target).tolist()
        ground = self._job.floor.height(x, y)
        if z < ground - 0.01 * self._size:
            raise DataError(f"{target.name!r} is {ground - z:.2f} m below the ground: move it up.")

    def _check_weight(self, target: Target, thing: Thing) -> None:
        hands = max(len(self._hands(target, thing, 0.0, 0.0)), 1)
        most = HEAVIEST[hands] * self._strength
        if thing.mass > most * (1.0 + _ROUNDED):
            how = "with both hands" if hands > 1 else "with one hand"
            raise DataError(
                f"{thing.name!r} weighs {thing.mass:.3g} kg; this body carries {most:.1f} {how}: make it lighter in "
                "its Rigid Body settings."
            )

    def _check_width(self, task: HandTask) -> None:
        if task.target.act != "pick_up" or len(task.sides) < 2:
            return
        a, b = (np.array(goal) for goal in task.goals)
        apart = float(np.linalg.norm(a - b))
        most = _shoulders(self._job.character, [arm for arm in self._arms if arm]) + MOST_SPREAD * self._size
        if apart > most:
            raise DataError(
                f"{task.target.thing!r} is {apart:.2f} m wide where hands hold it; this body's arms hold {most:.2f} "
                "at most: turn it, or make it smaller."
            )

    def _planned(self, target: Target, held: tuple[Thing, HandTask] | None) -> HandTask:
        """Return what is done for a target. Raises DataError where it cannot be."""
        if target.act in ("push", "pull"):
            self._stands.check_even(target)
            taking = self._moving.pushing if target.act == "push" else self._moving.pulling
            return taking(target, self._thing(target), self._loose.index(self._thing(target)))
        if held is not None and held[1].pushed is not None:
            return self._moving.leaving(target, *held)
        return self._task(target, held)

    def _task(self, target: Target, held: tuple[Thing, HandTask] | None) -> HandTask:
        """Return where it stands for a target, and what its hands do. Raises DataError where it cannot."""
        thing = self._thing(target) if target.act == "pick_up" else held[0] if held else None
        place, desired = self._where(target), HANDS_AHEAD * self._size
        best: tuple[float, HandTask] | None = None
        least = math.inf
        for grid, looks in _LOOKS:
            arcs = np.arange(self._job.start, self._path.length + 1e-9, grid * self._size)
            arcs = self._stands.before(target, place, arcs)
            best, missing = self._best(target, thing, held, arcs, looks)
            least = min(least, missing)
            if best is not None:
                break
        if target.act == "set_down" and float(self._path.distance(place[None, :])[0]) < ROUND * self._size:
            raise DataError(
                f"What is set down at {target.name!r} would be walked over: let the path end, or turn away, "
                f"{desired:.1f} m before it."
            )
        if best is None:
            raise DataError(self._out_of_reach(target, thing, place, least))
        return best[1]

    def _best(
        self, target: Target, thing: Thing | None, held: tuple[Thing, HandTask] | None, arcs: Array, looks: int
    ) -> tuple[tuple[float, HandTask] | None, float]:
        """Return the task that is least hard, from places of the path, m, and how hard; and m that are missing.

        looks: how many of these places are tried, those first from which it takes things best.
        """
        place, desired = self._where(target), HANDS_AHEAD * self._size
        headings = self._path.heading(arcs, _SPAN * self._size)
        offset = place[:2] - self._path.position(arcs)
        ahead = offset[:, 0] * np.cos(headings) + offset[:, 1] * np.sin(headings)
        aside = -offset[:, 0] * np.sin(headings) + offset[:, 1] * np.cos(headings)
        best: tuple[float, HandTask] | None = None
        least = math.inf
        for i in np.argsort(np.abs(ahead - desired) + np.abs(aside), kind="stable")[:looks].tolist():
            found, cost, missing = self._standing(target, thing, held, float(arcs[i]), float(headings[i]))
            least = min(least, missing)
            cost += (0.4 * abs(float(ahead[i]) - desired) + abs(float(aside[i]))) / self._size
            if found is not None and (best is None or cost < best[0]):
                best = cost, found
        return best, least

    def _standing(
        self, target: Target, thing: Thing | None, held: tuple[Thing, HandTask] | None, arc: float, heading: float
    ) -> tuple[HandTask | None, float, float]:
        """Return a task with its feet at a place of the path, how hard that is, and m that is missing."""
        size, ground = self._size, self._stands.height(arc)
        x, y = self._path.point(arc)
        turn = yawed(heading)
        at = np.array((x, y, ground))
        if target.act == "reach" or thing is None:
            goal = (np.array(target.place) - at) @ turn
            sides = self._hands(target, None, float(goal[1]), 0.0)
            goals, load, deep, under = [goal for _ in sides], 0.0, 0.0, 0.0
            near, bottom = float(goal[0]), float(goal[2])
            kept = tuple(target.place for _ in sides)
        elif target.act == "pick_up":
            seen = _extent(thing, heading)
            middle = (seen.middle - at) @ turn
            sides = self._hands(target, thing, float(middle[1]), heading)
            points = _held_at(seen, sides, size)
            points = [_over_ground(own, float(middle[2]), size) for own in points]
            goals, load, deep = [middle + own for own in points], thing.mass, float(seen.half[0])
            near, bottom = float(middle[0]) - deep, float(middle[2] - seen.half[2])
            under = float(np.mean([goal[2] for goal in goals])) - bottom
            own = quaternion_matrix(np.array(thing.rotation))
            kept = tuple(_triple((seen.middle + turn @ point - np.array(thing.place)) @ own) for point in points)
        else:
            assert held is not None
            before = held[1]
            carried = _extent(thing, float(self._path.heading(before.arc, _SPAN * size)))
            sides, load, up = before.sides, thing.mass, (0.0, 0.0, float(carried.half[2]))
            points = [point + up for point in _held_at(carried, sides, size)]
            points = [_over_ground(own, float(target.place[2]) - ground, size) for own in points]
            lowest = (np.array(target.place) - at) @ turn
            goals, kept = [lowest + point for point in points], tuple(_triple(point) for point in points)
            deep, under = float(carried.half[0]), before.under
            near, bottom = float(lowest[0]) - deep, float(lowest[2])
        clear = TRUNK * size if bottom > 0.25 * size else self._toes + FEET * size
        if near < clear - 1e-9 or not sides:
            return None, math.inf, math.inf
        arms = [arm for side in sides if (arm := self._arms[side]) is not None]
        shift = np.array((self._bending.middle, 0.0, 0.0))
        # It may stand a little farther off.
        far = [goal - shift + (OFF * size, 0.0, 0.0) for goal in goals]
        bent = self._bending.reaching(arms, far, load)
        if bent.missing > 0.0:
            return None, math.inf, bent.missing
        index = self._loose.index(thing) if thing is not None and target.act != "reach" else -1
        return HandTask(target, arc, sides, index, kept, load, deep, under), bent.share, 0.0

    def _hands(self, target: Target, thing: Thing | None, aside: float, heading: float) -> tuple[int, ...]:
        """Return which hands it takes, of those that there are."""
        own = [side for side, arm in enumerate(self._arms) if arm is not None]
        if target.hands in ("left", "right"):
            side = 0 if target.hands == "left" else 1
            return (side,) if side in own else ()
        wide = thing is not None and (
            2.0 * float(_extent(thing, heading).half[1]) > WIDE * self._size or thing.mass > HEAVY * self._strength
        )
        if target.hands == "both" or wide:
            return tuple(own) if len(own) > 1 else ()
        nearer = 0 if aside > 0.0 else 1
        return (nearer if nearer in own else own[0],)

    def _in_order(self, task: HandTask, last: float | None) -> HandTask:
        """Return a task that is where the last one was if it is near. Raises DataError where it is too near."""
        size, name = self._size, task.target.name
        if last is not None and abs(task.arc - last) < STEP * size:
            return replace(task, arc=last)
        if task.arc - self._job.start < BEFORE * size and task.target.act != "pull":
            raise DataError(
                f"{name!r} is too near to the walk's start: let the path begin {BEFORE * size:.1f} m or more before "
                "where it is reached."
            )
        if last is not None and task.arc - last < APART * size:
            raise DataError(
                f"{name!r} is too near to the target before it: let {APART * size:.1f} m of path or more be between "
                "where both are reached."
            )
        return task

    def _out_of_reach(self, target: Target, thing: Thing | None, place: Array, missing: float) -> str:
        """Return why a target cannot be reached, and what to do."""
        size, name = self._size, target.name
        height = float(place[2]) - self._job.floor.height(float(place[0]), float(place[1]))
        if not self._hands(target, thing, 0.0, 0.0):
            return f"{name!r} takes an arm that this body does not have: choose other hands, or make it smaller."
        away = float(self._path.distance(place[None, :])[0])
        if away > FARTHEST * size:
            return (
                f"{name!r} is out of reach, {away:.2f} m from the path: lead the path up to it, about "
                f"{HANDS_AHEAD * size:.1f} m short of it."
            )
        if math.isfinite(missing):
            return (
                f"{name!r}, {height:.2f} m above the ground, is out of reach by {missing + OFF * size:.2f} m, however "
                "this body bends: move it, or lead the path closer to it."
            )
        return (
            f"There is no room to stand before {name!r}: let the path end about {HANDS_AHEAD * size:.1f} m short of "
            "it, or pass beside it."
        )


class _Levels:
    """The level ground of a job: where a body may stand for what its hands do. One level, or treads with edges."""

    def __init__(self, job: Job, size: float) -> None:
        """size: of the body, 1 for legs of REFERENCE_LEG. Raises DataError for ground that is neither."""
        self._job, self._room, self._within = job, EDGES * size, LEVEL * size
        self._treads: Treads | None = None
        if job.world.ground is not None:
            self._treads = treads_of(job.world.ground, job.path, job.start, size)
            if self._treads is None:
                raise DataError(
                    f"{job.world.targets[0].name!r} cannot be reached on this ground of the scene, only on level "
                    "ground and beside stairs: make it level along the path, or take the ground's collection, or the "
                    "target, away."
                )

    def height(self, arc: float) -> float:
        """Return the height, m, that a body stands on at a place of the path, m."""
        return self._job.ground if self._treads is None else self._treads.at(arc).height

    def check_even(self, target: Target) -> None:
        """Raise DataError where ground has edges on the way, for what is moved over it."""
        if self._treads is None or not self._treads.edges:
            return
        if target.act == "pull":
            raise DataError(
                f"{target.thing!r} cannot be pulled over the edges of the ground: let the path end before them, or "
                "pick it up."
            )
        raise DataError(
            f"{target.thing!r} cannot be pushed over the edges of the ground: let the path end before them, or "
            "pick it up."
        )

    def before(self, target: Target, place: Array, arcs: Array) -> Array:
        """Return those of places of the path, m, where a body stands on the level of a target (3,), m.

        Raises DataError where there is none near it.
        """
        if self._treads is None:
            return arcs
        x, y, _ = place.tolist()
        level = self._job.floor.height(x, y)
        edges = np.array(self._treads.edges)
        own = np.array([self._treads.at(arc).height for arc in arcs.tolist()])
        clear = np.ones(len(arcs), dtype=bool)
        if len(edges):
            clear = np.abs(arcs[:, None] - edges).min(axis=1) > self._room
        away = np.hypot(*(self._job.path.position(arcs) - (x, y)).T)
        near = (away < FARTHEST * self._room / EDGES) & (arcs < arcs[int(np.argmin(away))])
        stands = clear & (np.abs(own - level) < self._within)
        if near.any() and not (near & stands).any():
            raise DataError(
                f"{target.name!r} is on stairs, or too near to an edge of the ground: the walk must stand on its "
                f"level, {self._room:.1f} m or more from each edge. Move it away from the edge."
            )
        return np.asarray(arcs[stands] if stands.any() else arcs)


class _Moving:
    """Plans what is pushed or pulled over the ground."""

    def __init__(self, job: Job, arms: Sequence[Arm | None]) -> None:
        self._job, self._path = job, job.path
        self._size = job.character.size
        self._by_side, self._arms = arms, [arm for arm in arms if arm is not None]
        self._posture = Bending(job.character, LEANS, 0.0)
        bent = self._posture.bent(1.0, (), (), 0.0)
        if bent is None:
            raise DataError(f"{job.character.name!r} cannot lean as far as pushing takes: take the target away.")
        self._bent = bent

    def pushing(self, target: Target, thing: Thing, index: int) -> HandTask:
        """Return where it takes hold of a thing to push it, and how. Raises DataError where it cannot."""
        size, name = self._size, thing.name
        if len(self._arms) < 2:
            raise DataError(f"{name!r} takes two arms to be pushed; this body does not have them.")
        self._check(thing)
        takes, weight = self._takes(thing), self._job.character.mass * GRAVITY
        if takes > HARDEST * weight:
            raise DataError(
                f"{name!r} takes {takes:.0f} N to be pushed over the ground; this body pushes what takes "
                f"{HARDEST * weight:.0f} N: make it lighter, or its friction less, in its Rigid Body settings."
            )
        arcs = self._arcs()
        headings = self._path.heading(arcs, _SPAN * size)
        seen = _extent(thing, 0.0)
        offset = seen.middle[:2] - self._path.position(arcs)
        ahead = offset[:, 0] * np.cos(headings) + offset[:, 1] * np.sin(headings)
        aside = -offset[:, 0] * np.sin(headings) + offset[:, 1] * np.cos(headings)
        best: tuple[float, float, HandTask] | None = None
        for i in np.flatnonzero((ahead > 0.0) & (ahead < size + 1.5 * float(seen.half[:2].max()))).tolist():
            found = self._held(target, thing, index, float(arcs[i]), float(headings[i]))
            if found is not None and (best is None or found[0] < best[0]):
                best = found[0], float(aside[i]), found[1]
        if best is None and (ahead > 0.0).any():
            raise DataError(
                f"No side of {name!r} faces the walk that is to push it: turn it, or the path, square to it."
            )
        if best is None or best[0] > 0.05 * size:
            raise DataError(
                f"The path does not lead up to {name!r} to push it: let it begin {2.0 * size:.1f} m or more "
                "before it and go on through it."
            )
        self._check_straight(target, best[2].arc)
        if abs(best[1]) > BESIDE * size:
            raise DataError(
                f"The path passes the middle of {name!r} {abs(best[1]):.2f} m beside it: lead it through its middle, "
                "or hands would turn it."
            )
        return best[2]

    def _check_straight(self, target: Target, begins: float) -> None:
        """Raise DataError where the path bends while something is moved. begins: where that is, m along it."""
        arcs = self._arcs()
        end = next((own.place for own in self._job.world.targets if own.act == "set_down"), None)
        last = self._path.length if end is None else self._path.nearest(end[:2], begins, self._path.length)
        later = arcs[(arcs >= begins) & (arcs <= last)]
        turns = np.unwrap(self._path.heading(later, _SPAN * self._size))
        bends = math.degrees(float(np.ptp(turns))) if len(turns) else 0.0
        if bends <= STRAIGHT:
            return
        if target.act == "pull":
            raise DataError(
                f"The path bends by {bends:.0f} degrees where {target.thing!r} is pulled, which goes straight ahead: "
                f"make it straight there, to {STRAIGHT:.0f} degrees, or let it end, or leave it, before the bend."
            )
        raise DataError(
            f"The path bends by {bends:.0f} degrees where {target.thing!r} is pushed, which goes straight ahead: make "
            f"it straight there, to {STRAIGHT:.0f} degrees, or let it end, or set it down, before the bend."
        )

    def pulling(self, target: Target, thing: Thing, index: int) -> HandTask:
        """Return how it takes hold of a thing behind it to pull it, where the walk begins. Raises DataError."""
        size, name, arc = self._size, thing.name, self._job.start
        side = {"left": 0, "both": -1}.get(target.hands, 1)
        if side < 0:
            raise DataError(f"{name!r} is pulled with one hand, behind the body: choose Left Hand or Right Hand.")
        arm = self._by_side[side]
        if arm is None:
            raise DataError(f"{name!r} takes an arm that this body does not have: choose other hands.")
        self._check(thing)
        heading = float(self._path.heading(np.array([arc]), _SPAN * size)[0])
        x, y = self._path.point(arc)
        at, turn = np.array((x, y, self._job.floor.height(x, y))), yawed(heading)
        seen = _extent(thing, heading)
        middle = (seen.middle - at) @ turn
        shoulder, reach = self._pulling_shoulder(side), STRETCHED * arm.length
        height = self._pulled_at(target, thing, seen, float(shoulder[2]), reach)
        character, takes = self._job.character, self._takes(thing)
        leg, shoulders = character.leg_length, float(character.standing()[0][arm.upper, 2])
        back = min(FARTHEST_BACK * leg * leg / shoulders, LEANT * (shoulders - character.stand_height))
        most = back * character.mass * GRAVITY / height
        if takes > most:
            raise DataError(
                f"{name!r} takes {takes:.0f} N to be pulled over the ground; this body pulls what takes "
                f"{most:.0f} N: make it lighter, or its friction less, in its Rigid Body settings."
            )
        outline = hull(((world_corners(thing) - at) @ turn)[:, :2])
        faces = [-_face(outline * (-1.0, 1.0), float(middle[1]) + own) for own in (PALM * size, -PALM * size, 0.0)]
        if max(faces) - min(faces) > EVEN * 2.0 * PALM * size:
            raise DataError(
                f"No side of {name!r} faces the walk that is to pull it: turn it, or the path, square to it."
            )
        aside = float(shoulder[1])  # the hand is behind the body's middle
        far = math.sqrt(max((TOWING_ELBOW * reach) ** 2 - (float(shoulder[2]) - height) ** 2 - aside**2, 0.0))
        place = far + PALM * size - float(shoulder[0])  # from the hips back to the face
        if not -0.5 * OFF * size <= place + faces[2] <= NEARER * size or abs(float(middle[1])) > BESIDE * size:
            raise DataError(
                f"{name!r} cannot be reached to pull it: let its face be {place - NEARER * size:.2f} to {place:.2f} m "
                "behind where the walk begins, and its middle in line with the path, which leads away from it."
            )
        self._check_straight(target, arc)
        point = at + turn @ (faces[2] + PALM * size, middle[1], height)
        kept = _triple((point - np.array(thing.place)) @ quaternion_matrix(np.array(thing.rotation)))
        friction, inertia = self._friction(thing), _inertia(thing, seen)
        pushed = Pushed(thing.mass, friction, inertia, (np.array(kept),), -far)
        return HandTask(target, arc, (side,), index, (kept,), 0.0, float(seen.half[0]), pushed=pushed)

    def _pulling_shoulder(self, side: int) -> Array:
        """Return where the shoulder of a hand that pulls is as it stands (3,), m, from below the hips."""
        character, arm = self._job.character, self._by_side[side]
        posture = Bending(character, LEANS, 0.0, turned(character, side))
        bent = posture.bent(1.0, (), (), 0.0)
        if bent is None or arm is None:
            raise DataError(f"{character.name!r} cannot lean as far as pulling takes: take the target away.")
        return np.asarray(bent.origins[arm.upper] + (posture.middle, 0.0, 0.0))

    def _pulled_at(self, target: Target, thing: Thing, seen: _Extent, high: float, reach: float) -> float:
        """Return the height, m, at which a hand pulls a thing. high: of its shoulder, m. reach: of its arm, m."""
        size = self._size
        top = float(seen.middle[2] + seen.half[2]) - self._job.floor.height(*seen.middle[:2].tolist())
        height = min(high - HANDS_BELOW * reach, top - RIM * size)
        least = high - LOWEST_PULLING * reach
        if height < least - 1e-9 or float(seen.half[1]) < RIM * size:
            raise DataError(
                f"{thing.name!r} is too low or too narrow to be pulled; it takes one of {least + RIM * size:.2f} m "
                f"height, {2.0 * RIM * size:.2f} m breadth: make it larger, or pick it up."
            )
        self._check_tips(target, thing, seen, height)
        return height

    def _check_tips(self, target: Target, thing: Thing, seen: _Extent, height: float) -> None:
        """Raise DataError for what would tip over where hands move it, at a height, m."""
        friction = self._friction(thing)
        if height <= TIPS * float(seen.half[0]) / max(friction, 1e-6):
            return
        deep = 2.0 * height * friction / TIPS
        if target.act == "pull":
            raise DataError(
                f"{thing.name!r} would tip over where a hand pulls it, {height:.2f} m above the ground: make its "
                f"friction less in its Rigid Body settings, or it {deep:.2f} m deep."
            )
        raise DataError(
            f"{thing.name!r} would tip over where hands push it, {height:.2f} m above the ground: make its "
            f"friction less in its Rigid Body settings, or it {deep:.2f} m deep."
        )

    def _friction(self, thing: Thing) -> float:
        return thing.friction * self._job.world.friction

    def _takes(self, thing: Thing) -> float:
        """Return what friction takes from who moves a thing, N."""
        return thing.mass * thing.friction * self._job.world.friction * GRAVITY

    def leaving(self, target: Target, thing: Thing, before: HandTask) -> HandTask:
        """Return where it leaves what it has moved. Raises DataError where it does not come there."""
        assert before.pushed is not None
        arcs = self._arcs()
        arcs = arcs[arcs > before.arc]
        headings = self._path.heading(arcs, _SPAN * self._size)
        offset = np.array(target.place[:2]) - self._path.position(arcs)
        ahead = offset[:, 0] * np.cos(headings) + offset[:, 1] * np.sin(headings)
        if before.pushed.pulled:
            x = float(self._pulling_shoulder(before.sides[0])[0])
            away = x + before.pushed.ahead + (GOES_ON[1] - PALM) * self._size - before.deep
        else:
            x = float(np.mean([self._bent.origins[arm.upper, 0] for arm in self._arms])) + self._posture.middle
            away = x + before.pushed.ahead + (PALM + GOES_ON[0]) * self._size + before.deep
        off = np.hypot(ahead - away, -offset[:, 0] * np.sin(headings) + offset[:, 1] * np.cos(headings))
        i = int(np.argmin(off)) if len(off) else 0
        if not len(off) or off[i] > ROUND * self._size:
            if before.pushed.pulled:
                raise DataError(
                    f"{thing.name!r} is not pulled as far as {target.name!r}: lead the path {-away:.1f} m or more "
                    "beyond it, or move it onto the way."
                )
            raise DataError(
                f"{thing.name!r} does not come to {target.name!r}: lead the path up to it, its end "
                f"{away:.1f} m short of it, or move it onto the way."
            )
        if not before.pushed.pulled and self._path.length - float(arcs[i]) > OFF_END * self._size:
            raise DataError(
                f"{thing.name!r} would be walked into where it is left, at {target.name!r}: let the path end "
                f"{away:.1f} m short of it."
            )
        return HandTask(target, float(arcs[i]), before.sides, before.thing, (), 0.0, before.deep, pushed=before.pushed)

    def left_at_end(self, before: HandTask) -> HandTask:
        """Return that it leaves what it pulls where the path ends: no body stands on with what it leans against."""
        end = Target("", "set_down")
        return HandTask(end, self._path.length, before.sides, before.thing, (), 0.0, before.deep, pushed=before.pushed)

    def _arcs(self) -> Array:
        return np.arange(self._job.start, self._path.length + 1e-9, _GRID * self._size)

    def _check(self, thing: Thing) -> None:
        """Raise DataError for a thing that does not stand on the ground."""
        job, size = self._job, self._size
        low = _extent(thing, 0.0)
        ground = job.floor.height(*low.middle[:2].tolist())
        if float(low.middle[2] - low.half[2]) - ground > 0.03 * size:
            raise DataError(f"{thing.name!r} does not stand on the ground: set it down on it, or pick it up.")

    def _held(
        self, target: Target, thing: Thing, index: int, arc: float, heading: float
    ) -> tuple[float, HandTask] | None:  # fmt: skip
        """Return how it takes hold from a place of the path, and how far off that place is, m; None where it cannot."""
        size, turn = self._size, yawed(heading)
        x, y = self._path.point(arc)
        at = np.array((x, y, self._job.floor.height(x, y)))
        seen = _extent(thing, heading)
        middle = (seen.middle - at) @ turn
        shoulders = [self._bent.origins[arm.upper] + (self._posture.middle, 0.0, 0.0) for arm in self._arms]
        reach = STRETCHED * min(arm.length for arm in self._arms)
        high = float(np.mean([place[2] for place in shoulders]))
        top = float(middle[2] + seen.half[2])
        friction = self._friction(thing)
        tips = TIPS * float(seen.half[0]) / max(friction, 1e-6)
        height = min(high - HANDS_BELOW * reach, top - RIM * size, max(tips, high - LOWEST_HANDS * reach))
        drop = high - height
        wide = min(abs(float(shoulders[0][1])), float(seen.half[1]) - RIM * size)
        if drop > LOWEST_HANDS * reach + 1e-9 or wide < 0.5 * RIM * size:
            raise DataError(
                f"{thing.name!r} is too low or too narrow to be pushed; it takes one of "
                f"{high - LOWEST_HANDS * reach + RIM * size:.2f} m height, {3.0 * RIM * size:.2f} m breadth: make it "
                "larger, or pick it up."
            )
        self._check_tips(target, thing, seen, height)
        corners = (world_corners(thing) - at) @ turn
        outline = hull(corners[:, :2])
        faces = [_face(outline, float(middle[1]) + sign * wide) for sign in (1.0, -1.0, 0.0)]
        if max(faces) - min(faces) > EVEN * 2.0 * wide:
            return None
        points = [np.array((face - PALM * size, middle[1] + sign * wide, height))
                  for face, sign in zip(faces, (1.0, -1.0), strict=False)]  # fmt: skip
        first, pushing = (math.sqrt(max((share * reach) ** 2 - drop**2, 0.0)) for share in (STANDING_OFF, ELBOWS))
        place = float(np.mean([point[0] - shoulder[0] for point, shoulder in zip(points, shoulders, strict=True)]))
        own = quaternion_matrix(np.array(thing.rotation))
        kept = tuple(_triple((at + turn @ point - np.array(thing.place)) @ own) for point in points)
        pushed = Pushed(thing.mass, friction, _inertia(thing, seen), tuple(np.array(k) for k in kept), pushing)
        return abs(place - first), HandTask(target, arc, (0, 1), index, kept, 0.0, float(seen.half[0]), pushed=pushed)


def _inertia(thing: Thing, seen: _Extent) -> float:
    """Return the inertia of a thing about the vertical, kg m2."""
    return thing.mass * float((2.0 * seen.half[0]) ** 2 + (2.0 * seen.half[1]) ** 2) / 12.0


def _face(outline: Array, aside: float) -> float:
    """Return how far ahead an outline (K, 2) seen from above begins at a place beside the middle, m."""
    following = np.roll(outline, -1, axis=0)
    found = []
    for (x, y), (u, v) in zip(outline.tolist(), following.tolist(), strict=True):
        if min(y, v) <= aside <= max(y, v) and abs(v - y) > 1e-9:
            found.append(x + (aside - y) / (v - y) * (u - x))
    return min(found, default=math.inf)


def _shoulders(character: Character, arms: Sequence[Arm]) -> float:
    origins = character.standing()[0]
    left, right = (origins[arm.upper] for arm in arms)
    return float(np.linalg.norm(left - right))


def _held_at(seen: _Extent, sides: Sequence[int], size: float) -> list[Array]:
    """Return where hands hold a thing, from its middle, m ahead, to the left and up.

    Two at its sides, above its middle; one what is small from above.
    """
    if len(sides) > 1:
        return [np.array((0.0, (1.0 - 2.0 * side) * seen.half[1], _HIGH * seen.half[2])) for side in sides]
    return [np.array((0.0, 0.0, float(seen.half[2]) + PALM * size))]


def _over_ground(point: Array, height: float, size: float) -> Array:
    """Return a point for a palm over something at a height, m, high enough above the ground."""
    return np.array((point[0], point[1], max(point[2], LOWEST * size - height)))


def _extent(thing: Thing, heading: float) -> _Extent:
    corners, radius = world_corners(thing) @ yawed(heading), thing.solid.radius
    low, high = corners.min(axis=0) - radius, corners.max(axis=0) + radius
    return _Extent(yawed(heading) @ (0.5 * (low + high)), 0.5 * (high - low))


def _triple(values: Sequence[float] | Array) -> tuple[float, float, float]:
    x, y, z = (float(value) for value in values)
    return x, y, z
