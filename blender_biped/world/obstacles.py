"""What a walk has to get over and under: obstacles across a path, by where along it they are. numpy only."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Literal

import numpy as np

from ..base.errors import DataError
from ..base.patience import finish
from .blocked import looks, near_outline, outline_above, world_corners
from .floor import Floor
from .path import Path
from .things import Thing

HALF_WIDTH = 0.3
"""Of what a walk takes beside its path, m, for a body with legs of 0.9 m; lengths below are for such a one, too."""
LEAST = 0.02
"""Height under which nothing is an obstacle, m."""

_WAIST = 0.75  # m: what has its middle above is got under, what has it below is got over
_GRID = 0.02  # m between looks along an outline
_SPAN = 0.3  # m of path over which its direction is taken
_TOGETHER = 0.3  # m between two obstacles where no foot fits
_LEVEL = 0.02  # m by which the ground before and behind an obstacle may differ in height


@dataclass(frozen=True)
class Crossed:
    """An obstacle across the way. near, far: where it begins and ends along the path, m.

    bottom, top: m above the ground before it. x, y: the path's place at ``near``, m. heading: the path's there, rad.
    others: names of what is so near behind it that both are one obstacle.
    """

    name: str
    near: float
    far: float
    bottom: float
    top: float
    x: float
    y: float
    heading: float
    others: tuple[str, ...] = ()

    def along(self, x: float, y: float) -> float:
        """Return how far along the path a place beside the obstacle is, m."""
        return self.near + (x - self.x) * math.cos(self.heading) + (y - self.y) * math.sin(self.heading)


@dataclass(frozen=True)
class Obstacles:
    """What is across a way, in its order. hurdles: to be stepped over. beams: to be ducked under."""

    hurdles: tuple[Crossed, ...] = ()
    beams: tuple[Crossed, ...] = ()


CLEAR = Obstacles()
"""A way without anything across it."""


@dataclass(frozen=True)
class Passing:
    """What a controller gets over and under, for a body with legs of 0.9 m, m.

    over: height of an obstacle. deep: its size along the way. apart: between two of them. before, after: of path before
    the first one and behind the last one. upright: between one of them and what is
    ducked under; None where they may be over each other. still: of path beside
    any of them within which a walk neither stands, nor begins or ends under one; 0 where it may. loaded: height of an
    obstacle while hands hold something. level: of level ground before and behind one.
    """

    over: float
    deep: float
    apart: float
    before: float
    after: float
    upright: float | None = None
    still: float = 0.0
    loaded: float = 0.0
    level: float = 0.6


@dataclass(frozen=True)
class Ducks:
    """How a body ducks. lowest: the least height, m, that it passes under.

    way: from such a height, m, how far before and behind what leaves it the hips are as the body begins to bend, and is
    upright again, m.
    """

    lowest: float
    way: Callable[[float], tuple[float, float]]


def obstacles_across(
    things: Iterable[Thing], path: Path, start: float, floor: Floor, size: float, tall: float
) -> Obstacles:
    """Return what of things that stay where they are is across a path.

    start: m along the path. size: of the body, 1 for legs of 0.9 m. tall: height above which nothing is in its way, m.
    Hurdles between which no foot fits are one. Raises UnfinishedError.
    """
    still = tuple(thing for thing in things if not thing.loose)
    found = crossings(still, path, start, HALF_WIDTH * size, floor)
    finish(found, still, lambda thing: _crossed(thing, path, start, HALF_WIDTH * size, floor))
    there = sorted(
        (one for one in found if one and one.top > LEAST * size and one.bottom < tall), key=lambda one: one.near
    )
    hurdles: list[Crossed] = []
    beams: list[Crossed] = []
    for one in there:
        if 0.5 * (one.bottom + one.top) >= _WAIST * size and one.bottom > LEAST * size:
            beams.append(one)
        elif hurdles and one.near - hurdles[-1].far < _TOGETHER * size:
            last = hurdles[-1]
            hurdles[-1] = replace(
                last, far=max(last.far, one.far), top=max(last.top, one.top), others=(*last.others, one.name)
            )
        else:
            hurdles.append(one)
    return Obstacles(tuple(hurdles), tuple(beams))


@dataclass(frozen=True)
class Passage:
    """How a walk gets past an obstacle across its way.

    text: what it does, for people. wrong: why it cannot, "" where it can.
    """

    crossed: Crossed
    how: Literal["over", "under"]
    text: str
    wrong: str


@dataclass(frozen=True)
class Held:
    """What hands hold on a part of a way. begin, end: m along it. name: of the thing. moved: over the ground."""

    begin: float
    end: float
    name: str
    moved: bool = False


@dataclass(frozen=True)
class Way:
    """Where somebody walks. start: m along the path. waits: where the walk stands, m along it. held: by its hands."""

    path: Path
    start: float = 0.0
    floor: Floor = field(default_factory=Floor)
    waits: tuple[float, ...] = ()
    held: tuple[Held, ...] = ()


@dataclass(frozen=True)
class PassingBody:
    """Who walks. label: of the controller. size: of the body, 1 for legs of 0.9 m. ducks: None where it does not."""

    label: str
    passing: Passing
    ducks: Ducks | None = None
    size: float = 1.0


def check_obstacles(across: Obstacles, way: Way, walker: PassingBody) -> Iterator[str]:
    """Give what a walk does about each thing across its way.

    Raises DataError for what it cannot get over or under, with the reason.
    """
    for passage in passages(across, way, walker):
        if passage.wrong:
            raise DataError(passage.wrong)
        yield passage.text


def passages(across: Obstacles, way: Way, walker: PassingBody) -> Iterator[Passage]:
    """Give how a walk gets over and under each thing across its way."""
    size, passing, ducks = walker.size, walker.passing, walker.ducks
    still = size * passing.still
    last = way.start + size * (passing.before - passing.apart)
    for one in across.hurdles:
        wrong = _not_over(one, last, way, walker) or _hands_full(one, way, walker)
        wrong = wrong or _stands_near(one, way.waits, (still, still), walker.label)
        yield Passage(
            one, "over", f"Steps over {one.name!r}, {one.top:.2f} m high, {one.near:.1f} m along the path.", wrong
        )
        last = one.far
    for one in across.beams:
        before, behind = ducks.way(one.bottom) if ducks is not None else (0.0, 0.0)
        room = (max(still, before), max(still, behind)) if still else (0.0, 0.0)
        yield Passage(
            one,
            "under",
            f"Ducks under {one.name!r}, {one.bottom:.2f} m above the ground, {one.near:.1f} m along the path.",
            _not_under(one, across.hurdles, walker)
            or _stands_near(one, way.waits, room, walker.label)
            or _near_ends(one, way, room, walker.label),
        )


def _not_over(one: Crossed, last: float, way: Way, walker: PassingBody) -> str:
    """Return why an obstacle is not stepped over, "" where it is. last: where the one before it ends, m."""
    label, size, passing, path = walker.label, walker.size, walker.passing, way.path
    width, high, thick = (size * length for length in (HALF_WIDTH, passing.over, passing.deep))
    apart, before, after = (size * length for length in (passing.apart, passing.before, passing.after))
    deep = one.far - one.near
    if one.top > high + 1e-6:
        return (
            f"The obstacle {one.name!r}, {one.near:.1f} m along the path, is {one.top:.2f} m high; {label} steps "
            f"over {high:.2f} m: lead the path round it by {width:.2f} m at least, or move it."
        )
    if deep > thick + 1e-6:
        return (
            f"The obstacle {one.name!r}, {one.near:.1f} m along the path, is {deep:.2f} m deep; {label} steps "
            f"over {thick:.2f} m: lead the path round it by {width:.2f} m at least, or move it."
        )
    if one.near - last < apart:
        return (
            f"The obstacle {one.name!r}, {one.near:.1f} m along the path, is too near to the start or to the one "
            f"before it; {label} needs {apart:.1f} m between obstacles, and {before:.1f} m to the first: move it."
        )
    if path.length - one.far < after:
        return (
            f"The obstacle {one.name!r}, {one.near:.1f} m along the path, is too near to its end; {label} needs "
            f"{after:.1f} m behind it: make the path longer, or move it."
        )
    level = size * passing.level
    arcs = np.arange(one.near - level, one.far + level, _GRID * size)
    if float(np.ptp(way.floor.heights(path.position(arcs)))) > _LEVEL * size:
        return (
            f"The obstacle {one.name!r}, {one.near:.1f} m along the path, is not on level ground; {label} needs "
            f"{level:.1f} m of it before and behind what it steps over: lead the path round it by {width:.2f} m at "
            "least, or move it."
        )
    return ""


def _hands_full(one: Crossed, way: Way, walker: PassingBody) -> str:
    """Return why an obstacle is not stepped over with what hands hold there, "" where it is."""
    held = next((held for held in way.held if held.begin < one.far and one.near < held.end), None)
    width, high = (walker.size * length for length in (HALF_WIDTH, walker.passing.loaded))
    if held is None or (not held.moved and one.top <= high + 1e-6):
        return ""
    if held.moved:
        return (
            f"The obstacle {one.name!r}, {one.near:.1f} m along the path, is in the way of {held.name!r}, which is "
            f"moved over the ground there: lead the path round it by {width:.2f} m at least, or move it."
        )
    return (
        f"The obstacle {one.name!r}, {one.near:.1f} m along the path, is {one.top:.2f} m high; with {held.name!r} in "
        f"its hands {walker.label} steps over {high:.2f} m: lead the path round it by {width:.2f} m at least, or move "
        "it."
    )


def _not_under(one: Crossed, hurdles: Iterable[Crossed], walker: PassingBody) -> str:
    """Return why an obstacle is not ducked under, "" where it is."""
    label, ducks, width = walker.label, walker.ducks, walker.size * HALF_WIDTH
    upright = -math.inf if walker.passing.upright is None else walker.size * walker.passing.upright
    if ducks is None:
        return (
            f"The obstacle {one.name!r}, {one.near:.1f} m along the path, leaves {one.bottom:.2f} m under it; "
            f"{label} does not duck: lead the path round it by {width:.2f} m at least, or move it."
        )
    if one.bottom < ducks.lowest - 1e-6:
        return (
            f"The obstacle {one.name!r}, {one.near:.1f} m along the path, leaves {one.bottom:.2f} m under it; "
            f"{label} ducks to {ducks.lowest:.2f} m with this body: lead the path round it by {width:.2f} m at least, "
            "or move it."
        )
    beside = next((low for low in hurdles if low.near - one.far < upright and one.near - low.far < upright), None)
    if beside is not None:
        return (
            f"The obstacles {beside.name!r} and {one.name!r}, {one.near:.1f} m along the path, are too near to "
            f"each other; {label} needs {upright:.1f} m between what it steps over and what it ducks under: "
            "move one."
        )
    return ""


def _stands_near(one: Crossed, waits: Sequence[float], room: tuple[float, float], label: str) -> str:
    """Return which place where a walk is to stand is too near to what it gets over or under, "" where none is.

    room: before and behind it, m; 0 where it may stand anywhere.
    """
    before, behind = room
    wait = next((at for at in waits if one.near - before < at < one.far + behind), None)
    if not any(room) or wait is None:
        return ""
    return (
        f"The walk is to stand {wait:.1f} m along the path, near the obstacle {one.name!r}; {label} gets over and "
        f"under things without a stop: let it wait {before:.1f} m before it at least, or {behind:.1f} m behind it."
    )


def _near_ends(one: Crossed, way: Way, room: tuple[float, float], label: str) -> str:
    """Return why a walk that bends before an obstacle, and rises behind it, has no room to, "" where it has.

    room: before and behind it, m.
    """
    before, behind = room
    if one.near - way.start >= before and way.path.length - one.far >= behind:
        return ""
    return (
        f"The obstacle {one.name!r}, {one.near:.1f} m along the path, is too near to its start or its end; "
        f"{label} needs {before:.1f} m before it to bend and {behind:.1f} m behind it to rise with this body: make the "
        "path longer, or move it."
    )


@lru_cache(maxsize=4)
def crossings(
    things: tuple[Thing, ...], path: Path, start: float, half_width: float, floor: Floor
) -> list[Crossed | None]:
    """Return a list to be filled with where things cross a path: for each way one, which a job is asked for again."""
    return []


def _crossed(thing: Thing, path: Path, start: float, half_width: float, floor: Floor) -> Crossed | None:
    corners, outline, radius = world_corners(thing), outline_above(thing), thing.solid.radius
    reach = half_width + radius
    # Beyond its end nobody walks: half a step, no more.
    along = looks(path, start, path.length + 0.5 * half_width, _GRID)
    near_by = near_outline(along.places, outline, reach + _GRID)
    arcs = along.arcs[near_by]
    if not len(arcs):
        return None
    aside = np.arange(-half_width, half_width + 1e-9, _GRID)
    across = along.places[near_by][:, None] + aside[:, None] * along.left(_SPAN)[near_by][:, None]
    hits = near_outline(across.reshape(-1, 2), outline, 0.5 * _GRID + radius).reshape(-1, len(aside)).any(axis=1)
    if not hits.any():
        return None
    near, far = (float(arcs[i]) for i in np.flatnonzero(hits)[[0, -1]])
    x, y = path.point(near)
    ground = floor.height(x, y)
    bottom, top = float(corners[:, 2].min()) - radius - ground, float(corners[:, 2].max()) + radius - ground
    return Crossed(thing.name, near, far, bottom, top, x, y, float(path.heading(near, _SPAN)))
