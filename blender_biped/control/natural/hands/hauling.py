"""Where hands take hold of what they push or pull over the ground, where they leave it, and why they cannot."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from ....base.errors import DataError
from ....base.spatial import Array, quaternion_matrix, yawed
from ....character.reference import GRAVITY
from ....job import Job
from ....world.targets import Target
from ....world.things import Thing, Triple
from ...shared.arms import STRETCHED
from .extent import Extent, extent, face, inertia, outline, triple
from .levels import Level
from .limits import PLACES, ROOM, STRENGTH, Reacher
from .posture import Bending, leaning, towing
from .pressing import Pushed
from .tasks import HandTask, Leave, LeaveAtEnd, Move, PullTask, PushTask

WHOLE = 1.0
"""Share that a body is bowed by that moves something."""


@dataclass(frozen=True)
class HaulingWay:
    """How a way must be on which something is moved: lengths for legs of 0.9 m."""

    straight: float = 5.0
    """Degrees that the path may bend by."""
    beside: float = 0.1
    """m beside the middle of what is moved that the path leads at most."""
    even: float = 0.2
    """m/m: the slant of the face that hands are on, at most."""
    off: float = 0.05
    """m that the place to take hold from is off at most."""
    within: float = 1.5
    """Times its half size that a thing is ahead at most, beyond a metre, to be looked at."""
    round: float = 0.25
    """m that a thing may be left off its target."""
    off_end: float = 0.3
    """m of path at most beyond where what is pushed is left."""
    goes_on_pushed: float = 0.08
    """m that what is pushed goes on as the body stops and comes upright."""
    goes_on_pulled: float = 0.06
    """m that what is pulled goes on then."""
    nearer: float = 0.1
    """m that a hand that pulls may be nearer than its arm reaches."""
    farther: float = 0.5
    """Of what a body may stand otherwise than planned: how much farther it may be."""


@dataclass(frozen=True)
class Grasp:
    """How hands are held as they move something: shares of the stretched arm."""

    below: float = 0.5
    """Of it that hands are below the shoulders."""
    lowest: float = 0.68
    """Likewise, at most."""
    lowest_pulling: float = 0.62
    """Likewise, of a hand that pulls."""
    standing_off: float = 0.82
    """From the shoulders where hands take hold."""
    pushing: float = 0.74
    """From the shoulders where hands push."""
    towing: float = 0.97
    """From the shoulder where a hand pulls."""


WAY, GRASP = HaulingWay(), Grasp()


@dataclass(frozen=True)
class Seen:
    """A thing from a place of the path, m, where a body faces along it, heading rad.

    at (3,): that place, world, m. turn (3, 3): from the heading frame to the world. middle (3,): of the thing, from
    there in the heading frame, m. extent: of the thing.
    """

    thing: Thing
    arc: float
    at: Array
    turn: Array
    middle: Array
    extent: Extent

    @property
    def top(self) -> float:
        """Its upper side, m above that place."""
        return float(self.middle[2] + self.extent.half[2])

    def kept(self, point: Array) -> Triple:
        """Return a place in the heading frame (3,), m, in the thing's frame."""
        away = self.at + self.turn @ point - np.array(self.thing.place)
        return triple(away @ quaternion_matrix(np.array(self.thing.rotation)))


@contextmanager
def told_together(faults: Sequence[str]) -> Iterator[None]:
    """Raise DataError for faults that are known, together with the one that is found while the context lasts."""
    try:
        yield
    except DataError as error:
        raise DataError(" ".join((*faults, str(error)))) from None
    if faults:
        raise DataError(" ".join(faults))


class Hauling(ABC):
    """Plans what is moved over the ground in one way."""

    def __init__(self, job: Job, reacher: Reacher, levels: Level) -> None:
        self._job, self._path, self._reacher, self._levels = job, job.path, reacher, levels
        self._size = reacher.size

    @abstractmethod
    def taking(self, target: Target, thing: Thing, prop: int) -> HandTask:
        """Return where hands take hold of a thing, and how. prop: which it is. Raises DataError where they cannot."""

    @abstractmethod
    def leaving(self, target: Target, before: Move) -> HandTask:
        """Return where hands leave what they have moved. Raises DataError where it does not come there."""

    def left_at_end(self, before: Move) -> Iterator[HandTask]:
        """Give that they leave it where the path ends, if nothing else says where."""
        return iter(())

    def _seen(self, thing: Thing, arc: float, heading: float) -> Seen:
        x, y = self._path.point(arc)
        at, turn = np.array((x, y, self._job.floor.height(x, y))), yawed(heading)
        seen = extent(thing, heading)
        return Seen(thing, arc, at, turn, (seen.middle - at) @ turn, seen)

    def _friction(self, thing: Thing) -> float:
        return thing.friction * self._job.world.friction

    def _takes(self, thing: Thing) -> float:
        """Return what friction takes from who moves a thing, N."""
        return thing.mass * thing.friction * self._job.world.friction * GRAVITY

    def _most(self, thing: Thing, force: float) -> int:
        """Return how many whole kg take a force, N, at a thing's friction."""
        return math.floor(force / (self._friction(thing) * GRAVITY))

    def _pushed(self, seen: Seen, points: tuple[Triple, ...], ahead: float) -> Pushed:
        """Return how a thing is moved. points: of the hands in its frame. ahead: of the shoulders, m."""
        thing = seen.thing
        held = tuple(np.array(point) for point in points)
        return Pushed(thing.mass, self._friction(thing), inertia(thing, seen.extent), held, ahead)

    def _arcs(self) -> Array:
        """Return the places of the path (K,) that are looked at, m."""
        return np.arange(self._job.start, self._path.length + 1e-9, PLACES.grid * self._size)

    def _offsets(self, place: Array, arcs: Array) -> tuple[Array, Array]:
        """Return how far ahead (K,) and to the left (K,) a place (2,) is from places of the path (K,), m."""
        headings = self._path.heading(arcs, PLACES.span * self._size)
        offset = place - self._path.position(arcs)
        ahead = offset[:, 0] * np.cos(headings) + offset[:, 1] * np.sin(headings)
        return ahead, -offset[:, 0] * np.sin(headings) + offset[:, 1] * np.cos(headings)

    def _tips(self, seen: Seen) -> float:
        """Return the height, m, above which a thing would tip over where hands move it."""
        return STRENGTH.tips * float(seen.extent.half[0]) / max(self._friction(seen.thing), 1e-6)

    def _deep(self, seen: Seen, height: float) -> float:
        """Return how deep, m, a thing must be not to tip over where hands move it, at a height, m."""
        return 2.0 * height * self._friction(seen.thing) / STRENGTH.tips

    def _bends(self, begins: float) -> float:
        """Return by how many degrees the path bends from a place, m along it, to where something is left."""
        arcs = self._arcs()
        last = self._path.length
        for own in self._job.world.targets:
            if own.act == "set_down":
                last = self._path.nearest(own.place[:2], begins, self._path.length)
                break
        later = arcs[(arcs >= begins) & (arcs <= last)]
        turns = np.unwrap(self._path.heading(later, PLACES.span * self._size))
        return math.degrees(float(np.ptp(turns))) if len(turns) else 0.0

    def _check_stands(self, thing: Thing) -> None:
        """Raise DataError for a thing that does not stand on the ground."""
        low = extent(thing, 0.0)
        ground = self._job.floor.height(*low.middle[:2].tolist())
        if float(low.middle[2] - low.half[2]) - ground > ROOM.ground * self._size:
            raise DataError(f"{thing.name!r} does not stand on the ground: set it down on it, or pick it up.")

    def _left_nearest(self, target: Target, before: Move, away: float) -> tuple[float, float]:
        """Return the place of the path, m, from which what is moved lies at its target, and how far off it is then, m.

        away: m that it is ahead of the body then. The place is not before where it was taken.
        """
        arcs = self._arcs()
        arcs = arcs[arcs > before.arc]
        if not len(arcs):
            return before.arc, math.inf
        ahead, aside = self._offsets(np.array(target.place[:2]), arcs)
        off = np.hypot(ahead - away, aside)
        i = int(np.argmin(off))
        return float(arcs[i]), float(off[i])


class PushPlanner(Hauling):
    """Plans what both hands push before the body."""

    def __init__(self, job: Job, reacher: Reacher, levels: Level) -> None:
        """Raises DataError for a body that cannot lean so far."""
        super().__init__(job, reacher, levels)
        posture = Bending(job.character, leaning(job.character))
        bent = posture.bent(WHOLE)
        if not bent.stands:
            raise DataError(f"{job.character.name!r} cannot lean as far as pushing takes: take the target away.")
        self._shoulders = [bent.origins[arm.upper] for arm in reacher.arms.values()]  # from mid-feet
        self._middle = posture.middle

    def taking(self, target: Target, thing: Thing, prop: int) -> HandTask:
        """Return where both hands take hold of a thing before the body. Raises DataError where they cannot."""
        size, name = self._size, thing.name
        self._check(target, thing)
        faults = self._too_heavy(thing)
        arcs = self._arcs()
        headings = self._path.heading(arcs, PLACES.span * size)
        seen = extent(thing, 0.0)
        ahead, aside = self._offsets(seen.middle[:2], arcs)
        near = (ahead > 0.0) & (ahead < size + WAY.within * float(seen.half[:2].max()))
        with told_together(faults):
            tried = [
                (off, float(aside[i]), task)
                for i in np.flatnonzero(near).tolist()
                for off, task in self._held(target, self._seen(thing, float(arcs[i]), float(headings[i])), prop)
            ]
        if not tried and (ahead > 0.0).any():
            raise DataError(
                f"No side of {name!r} faces the walk that is to push it: turn it, or the path, square to it."
            )
        tried.sort(key=lambda own: own[0])
        if not tried or tried[0][0] > WAY.off * size:
            raise DataError(
                f"The path does not lead up to {name!r} to push it: let it begin {2.0 * size:.1f} m or more "
                "before it and go on through it."
            )
        _, best, task = tried[0]
        self._check_straight(thing.name, task.arc)
        if abs(best) > WAY.beside * size:
            raise DataError(
                f"The path passes the middle of {name!r} {abs(best):.2f} m beside it: lead it through its middle, "
                "or hands would turn it."
            )
        return task

    def _check(self, target: Target, thing: Thing) -> None:
        """Raise DataError for what cannot be pushed wherever it stands."""
        name = thing.name
        if not self._levels.even:
            raise DataError(
                f"{target.thing!r} cannot be pushed over the edges of the ground: let the path end before them, or "
                "pick it up."
            )
        if len(self._reacher.arms) < 2:
            raise DataError(f"{name!r} takes two arms to be pushed; this body does not have them.")
        self._check_stands(thing)

    def _too_heavy(self, thing: Thing) -> list[str]:
        """Return that a thing takes more than a body can push; nothing where it does not."""
        most = STRENGTH.hardest * self._job.character.mass * GRAVITY
        if self._takes(thing) <= most:
            return []
        return [
            f"{thing.name!r} weighs {thing.mass:.3g} kg; at a friction of {self._friction(thing):.2g} this body pushes "
            f"{self._most(thing, most)} kg at most: make it lighter, or its friction less, in its Rigid Body "
            "settings."
        ]

    def _check_straight(self, thing: str, begins: float) -> None:
        bends = self._bends(begins)
        if bends > WAY.straight:
            raise DataError(
                f"The path bends by {bends:.0f} degrees where {thing!r} is pushed, which goes straight ahead: make "
                f"it straight there, to {WAY.straight:.0f} degrees, or let it end, or set it down, before the bend."
            )

    def _held(self, target: Target, seen: Seen, prop: int) -> Iterator[tuple[float, PushTask]]:
        """Give how far off the best place, m, a body is that sees a thing so, and how it takes hold from there.

        Nothing where no side faces it. Raises DataError for a thing that is too low, too narrow, or would tip over.
        """
        size, half = self._size, seen.extent.half
        shift = np.array((self._middle, 0.0, 0.0))
        shoulders = [place + shift for place in self._shoulders]
        reach = STRETCHED * min(arm.length for arm in self._reacher.arms.values())
        high = float(np.mean([place[2] for place in shoulders]))
        over = max(self._tips(seen), high - GRASP.lowest * reach)
        height = min(high - GRASP.below * reach, seen.top - ROOM.rim * size, over)
        drop = high - height
        wide = min(abs(float(shoulders[0][1])), float(half[1]) - ROOM.rim * size)
        if drop > GRASP.lowest * reach + 1e-9 or wide < 0.5 * ROOM.rim * size:
            raise DataError(
                f"{seen.thing.name!r} is too low or too narrow to be pushed; it takes one of "
                f"{high - GRASP.lowest * reach + ROOM.rim * size:.2f} m height, {3.0 * ROOM.rim * size:.2f} m breadth: "
                "make it larger, or pick it up."
            )
        if height > self._tips(seen):
            name, deep = seen.thing.name, self._deep(seen, height)
            raise DataError(
                f"{name!r} would tip over where hands push it, {height:.2f} m above the ground: make its "
                f"friction less in its Rigid Body settings, or it {deep:.2f} m deep."
            )
        around = outline(seen.thing, seen.at, seen.turn)
        faces = [face(around, float(seen.middle[1]) + sign * wide) for sign in (1.0, -1.0, 0.0)]
        if max(faces) - min(faces) > WAY.even * 2.0 * wide:
            return
        points = [np.array((own - ROOM.palm * size, seen.middle[1] + sign * wide, height))
                  for own, sign in zip(faces, (1.0, -1.0), strict=False)]  # fmt: skip
        first, pushing = (
            math.sqrt(max((share * reach) ** 2 - drop**2, 0.0)) for share in (GRASP.standing_off, GRASP.pushing)
        )
        place = float(np.mean([point[0] - shoulder[0] for point, shoulder in zip(points, shoulders, strict=True)]))
        kept = tuple(seen.kept(point) for point in points)
        pushed = self._pushed(seen, kept, pushing)
        yield (
            abs(place - first),
            PushTask(seen.arc, (0, 1), target.name, seen.thing.name, prop, kept, float(half[0]), pushed),
        )

    def leaving(self, target: Target, before: Move) -> HandTask:
        """Return where hands leave what they have pushed. Raises DataError where it does not come there."""
        size, thing = self._size, self._job.world.loose[before.prop]
        x = float(np.mean([place[0] for place in self._shoulders])) + self._middle
        away = x + before.pushed.ahead + (ROOM.palm + WAY.goes_on_pushed) * size + before.deep
        arc, off = self._left_nearest(target, before, away)
        if off > WAY.round * size:
            raise DataError(
                f"{thing.name!r} does not come to {target.name!r}: lead the path up to it, its end "
                f"{away:.1f} m short of it, or move it onto the way."
            )
        if self._path.length - arc > WAY.off_end * size:
            raise DataError(
                f"{thing.name!r} would be walked into where it is left, at {target.name!r}: let the path end "
                f"{away:.1f} m short of it."
            )
        return Leave(arc, before.sides, target.name, pulled=False)


class PullPlanner(Hauling):
    """Plans what one hand pulls behind the body."""

    def taking(self, target: Target, thing: Thing, prop: int) -> HandTask:
        """Return how a hand takes hold of a thing behind the body, where the walk begins. Raises DataError."""
        side = self._side(target, thing)
        self._check_stands(thing)
        arc = self._job.start
        heading = float(self._path.heading(np.array([arc]), PLACES.span * self._size)[0])
        seen = self._seen(thing, arc, heading)
        shoulder, reach = self._shoulder(side), STRETCHED * self._reacher.arms[side].length
        height = self._height(seen, float(shoulder[2]), reach)
        faults = [*self._tipping(seen, height), *self._too_heavy(thing, side, height)]
        if faults:
            raise DataError(" ".join(faults))
        behind = self._behind(seen)
        far = math.sqrt(
            max((GRASP.towing * reach) ** 2 - (float(shoulder[2]) - height) ** 2 - float(shoulder[1]) ** 2, 0.0)
        )  # the hand is behind the body's middle
        self._check_reached(seen, far + ROOM.palm * self._size - float(shoulder[0]), behind)
        self._check_straight(thing.name, arc)
        kept = (seen.kept(np.array((behind + ROOM.palm * self._size, seen.middle[1], height))),)
        pushed = self._pushed(seen, kept, -far)
        return PullTask(arc, (side,), target.name, thing.name, prop, kept, float(seen.extent.half[0]), pushed)

    def _side(self, target: Target, thing: Thing) -> int:
        """Return the side of the hand that pulls. Raises DataError where the body has not the one that shall."""
        name = thing.name
        if not self._levels.even:
            raise DataError(
                f"{target.thing!r} cannot be pulled over the edges of the ground: let the path end before them, or "
                "pick it up."
            )
        if target.hands == "both":
            raise DataError(f"{name!r} is pulled with one hand, behind the body: choose Left Hand or Right Hand.")
        side = 0 if target.hands == "left" else 1
        if side not in self._reacher.arms:
            raise DataError(f"{name!r} takes an arm that this body does not have: choose other hands.")
        return side

    def _shoulder(self, side: int) -> Array:
        """Return where the shoulder of a hand that pulls is as it stands (3,), m, from below the hips."""
        character = self._job.character
        posture = Bending(character, towing(character, side))
        bent = posture.bent(WHOLE)
        if not bent.stands:
            raise DataError(f"{character.name!r} cannot lean as far as pulling takes: take the target away.")
        return np.asarray(bent.origins[self._reacher.arms[side].upper] + (posture.middle, 0.0, 0.0))

    def _height(self, seen: Seen, high: float, reach: float) -> float:
        """Return the height, m, at which a hand pulls a thing. high: of its shoulder, m. reach: of its arm, m.

        Raises DataError for a thing that is too low or too narrow.
        """
        size, name, own = self._size, seen.thing.name, seen.extent
        top = float(own.middle[2] + own.half[2]) - self._job.floor.height(*own.middle[:2].tolist())
        height = min(high - GRASP.below * reach, top - ROOM.rim * size)
        least = high - GRASP.lowest_pulling * reach
        if height < least - 1e-9 or float(own.half[1]) < ROOM.rim * size:
            raise DataError(
                f"{name!r} is too low or too narrow to be pulled; it takes one of {least + ROOM.rim * size:.2f} m "
                f"height, {2.0 * ROOM.rim * size:.2f} m breadth: make it larger, or pick it up."
            )
        return height

    def _tipping(self, seen: Seen, height: float) -> list[str]:
        """Return that a thing would tip over where a hand pulls it, at a height, m; nothing where it would not."""
        if height <= self._tips(seen):
            return []
        name, deep = seen.thing.name, self._deep(seen, height)
        return [
            f"{name!r} would tip over where a hand pulls it, {height:.2f} m above the ground: make its "
            f"friction less in its Rigid Body settings, or it {deep:.2f} m deep."
        ]

    def _too_heavy(self, thing: Thing, side: int, height: float) -> list[str]:
        """Return that a thing takes more than a body can pull at a height, m; nothing where it does not."""
        character = self._job.character
        leg, upper = character.leg_length, self._reacher.arms[side].upper
        shoulders = float(character.standing()[0][upper, 2])
        back = min(
            STRENGTH.farthest_back * leg * leg / shoulders, STRENGTH.leant * (shoulders - character.stand_height)
        )
        most = back * character.mass * GRAVITY / height
        if self._takes(thing) <= most:
            return []
        return [
            f"{thing.name!r} weighs {thing.mass:.3g} kg; at a friction of {self._friction(thing):.2g} this body pulls "
            f"{self._most(thing, most)} kg at most: make it lighter, or its friction less, in its Rigid Body "
            "settings."
        ]

    def _behind(self, seen: Seen) -> float:
        """Return how far ahead of the hips the face of a thing is, m: below 0. Raises DataError where it is slanted."""
        size, name = self._size, seen.thing.name
        around = outline(seen.thing, seen.at, seen.turn) * (-1.0, 1.0)
        palm = ROOM.palm * size
        left, right, middle = (-face(around, float(seen.middle[1]) + own) for own in (palm, -palm, 0.0))
        if max(left, right, middle) - min(left, right, middle) > WAY.even * 2.0 * ROOM.palm * size:
            raise DataError(
                f"No side of {name!r} faces the walk that is to pull it: turn it, or the path, square to it."
            )
        return middle

    def _check_reached(self, seen: Seen, place: float, behind: float) -> None:
        """Raise DataError for a thing that is not where a hand holds it.

        place: m from the hips back to where its face is to be. behind: as ``_behind`` has it.
        """
        size, name = self._size, seen.thing.name
        near = -WAY.farther * ROOM.off * size <= place + behind <= WAY.nearer * size
        if not near or abs(float(seen.middle[1])) > WAY.beside * size:
            raise DataError(
                f"{name!r} cannot be reached to pull it: let its face be {place - WAY.nearer * size:.2f} to "
                f"{place:.2f} m behind where the walk begins, and its middle in line with the path, which leads away "
                "from it."
            )

    def _check_straight(self, thing: str, begins: float) -> None:
        bends = self._bends(begins)
        if bends > WAY.straight:
            raise DataError(
                f"The path bends by {bends:.0f} degrees where {thing!r} is pulled, which goes straight ahead: "
                f"make it straight there, to {WAY.straight:.0f} degrees, or let it end, or leave it, before the bend."
            )

    def leaving(self, target: Target, before: Move) -> HandTask:
        """Return where a hand leaves what it has pulled. Raises DataError where it does not come there."""
        size, thing = self._size, self._job.world.loose[before.prop]
        x = float(self._shoulder(before.sides[0])[0])
        away = x + before.pushed.ahead + (WAY.goes_on_pulled - ROOM.palm) * size - before.deep
        arc, off = self._left_nearest(target, before, away)
        if off > WAY.round * size:
            raise DataError(
                f"{thing.name!r} is not pulled as far as {target.name!r}: lead the path {-away:.1f} m or more "
                "beyond it, or move it onto the way."
            )
        return Leave(arc, before.sides, target.name, pulled=True)

    def left_at_end(self, before: Move) -> Iterator[HandTask]:
        """Give that the hand leaves it where the path ends: no body stands on with what it leans against."""
        yield LeaveAtEnd(self._path.length, before.sides, "", pulled=True)
