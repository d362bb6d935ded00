"""What is in the way of a job, and what its walk does about that: before it is walked."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Literal

import numpy as np

from ..base.errors import DataError
from ..base.once import once_for_each
from ..character.figure import stature
from ..job import Job
from ..world.blocked import distances, in_the_way, outline_above, world_corners
from ..world.obstacles import CLEAR, HALF_WIDTH, LEAST, Held, Obstacles, PassingBody, Way, check_obstacles, passages
from ..world.things import Thing
from ..world.world import FEET_AHEAD
from .kind import HANDS_AHEAD, Kind
from .registry import kind_in, stops_of, treads_in
from .shared.across import across_way
from .shared.ducking import headroom

_STOOD_ON = 0.1  # m above the ground up to which a thing may be what a body stands on
_TRUNK = 0.08  # m from a body's midst, of one with legs of 0.9 m, within which it cannot but touch a thing

Meeting = Literal["over", "under", "refused"]
"""How a walk meets what stands in its way: it steps over it, ducks under it, or the job is refused for it."""


@once_for_each
def check_way(job: Job) -> tuple[str, ...]:
    """Return what a walk does about obstacles across its way. Raises DataError for what it can only walk round.

    A job's way is looked at once.
    """
    kind, size = kind_in(job), job.character.size
    _check_beginning(job, size)
    across = _across(kind, job, size)
    _check_barred(kind, job, across, size)
    if (across.hurdles or across.beams) and _on_relief(job):
        one = (*across.hurdles, *across.beams)[0]
        raise DataError(
            f"The obstacle {one.name!r}, {one.near:.1f} m along the path, is on a way that is not level, where "
            f"{kind.label} steps over nothing and ducks under nothing: lead the path round it by "
            f"{HALF_WIDTH * size:.2f} m at least, or move it."
        )
    walker = _walker(kind, job, size)
    return () if walker is None else tuple(check_obstacles(across, _way(job), walker))


def meetings(job: Job) -> dict[str, Meeting]:
    """Return how a walk meets each obstacle in its way, by its name; what it passes beside is not among them."""
    kind, size = kind_in(job), job.character.size
    across = _across(kind, job, size)
    found: dict[str, Meeting] = {thing.name: "refused" for thing, _ in _barring(kind, job, across)}
    walker, relief = _walker(kind, job, size), _on_relief(job)
    if walker is None:
        return found
    try:
        way = _way(job)
    except DataError:  # of what hands cannot do, which is reported by itself
        way = _way(job, hands=False)
    for one in passages(across, way, walker):
        meeting: Meeting = "refused" if one.wrong or relief else one.how
        found.update(dict.fromkeys((one.crossed.name, *one.crossed.others), meeting))
    return found


def met_at(job: Job, thing: Thing) -> float | None:
    """Return where along its path, m, a job meets a thing; None where it passes beside it.

    What hands are to take from, or set down on, may stand as near before the walk's end as its feet do.
    """
    size = job.character.size
    width = FEET_AHEAD if job.world.bears_target(thing, size) else HALF_WIDTH
    return in_the_way(thing, job.path, job.start, width * size, job.floor, LEAST * size, headroom(job.character))


def _takes(kind: Kind, job: Job) -> bool:
    """Return whether hands do something on the way."""
    return bool(job.world.targets) and kind.hand_tasks is not None


def _across(kind: Kind, job: Job, size: float) -> Obstacles:
    """Return what is across the way of who can pass things."""
    return CLEAR if kind.passing is None else across_way(job, size, _takes(kind, job))


def _barring(kind: Kind, job: Job, across: Obstacles) -> Iterator[tuple[Thing, float]]:
    """Give the things that stay where they are and cannot be passed, and where they are met, m along the path.

    Those are all in the way of who steps over nothing, or what is no step for one whose hands do something.
    """
    if kind.passing is not None and not _takes(kind, job):
        return
    stepped = {name for one in across.hurdles for name in (one.name, *one.others)}
    for thing in job.world.things:
        where = None if thing.loose or thing.name in stepped else met_at(job, thing)
        if where is not None:
            yield thing, where


def _check_beginning(job: Job, size: float) -> None:
    """Raise DataError for a prop that is within the body where the walk begins: contacts would throw both apart."""
    place = job.path.position(np.array([job.start]))
    low = float(job.floor.heights(place)[0]) + _STOOD_ON * size
    room = _TRUNK * size
    for thing in job.world.loose:
        corners, near = world_corners(thing), room + thing.solid.radius
        first, last = corners.min(axis=0) - near, corners.max(axis=0) + near
        if not (first[:2] < place[0]).all() or not (place[0] < last[:2]).all():
            continue
        upright = last[2] - room > low and first[2] + room < low + stature(job.character)
        if upright and distances(place, outline_above(thing))[0] < near:
            raise DataError(
                f"The prop {thing.name!r} is within the body where the walk begins: move it, or let the walk start "
                "farther along the path."
            )


def _check_barred(kind: Kind, job: Job, across: Obstacles, size: float) -> None:
    """Raise DataError for the first thing that can only be walked round."""
    barred = next(_barring(kind, job, across), None)
    if barred is None:
        return
    thing, where = barred
    if job.world.targets:
        raise DataError(
            f"The obstacle {thing.name!r} is in the way, {where:.1f} m along the path: let the path end "
            f"{HANDS_AHEAD * size:.1f} m short of what hands take there, lead it round it by "
            f"{HALF_WIDTH * size:.2f} m at least, or move it."
        )
    raise DataError(
        f"The obstacle {thing.name!r} is in the way, {where:.1f} m along the path: lead the path round it "
        f"by {HALF_WIDTH * size:.2f} m at least, or move it."
    )


def _walker(kind: Kind, job: Job, size: float) -> PassingBody | None:
    """Return who walks; None for one who steps over nothing and ducks under nothing."""
    if kind.passing is None:
        return None
    return PassingBody(kind.label, kind.passing, None if kind.ducks is None else kind.ducks(job.character), size)


def _way(job: Job, hands: bool = True) -> Way:
    """Return where a job walks and stands, and what it carries where. Raises DataError for what hands cannot do.

    hands: whether it is looked what they do.
    """
    stops = stops_of(job) if hands and kind_in(job).hand_tasks is not None else ()
    waits = (*(point.place for point in job.along if point.wait), *(stop.place for stop in stops))
    ends = (*(stop.place for stop in stops), math.inf)[1:]
    held = (Held(stop.place, end, stop.holds, stop.moves) for stop, end in zip(stops, ends, strict=True) if stop.holds)
    return Way(job.path, job.start, job.floor, waits, tuple(held))


def _on_relief(job: Job) -> bool:
    """Return whether the way is neither level nor made of treads, for a controller that knows treads."""
    return job.world.ground is not None and kind_in(job).treads is not None and treads_in(job) is None
