"""Styles that do not go ahead take no stairs, no obstacles and nothing for their hands: there, one that can stands in.

Before such a place the body turns to where it goes, and behind it back, as between any two styles (``StyleSequence``).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ...base.errors import DataError
from ...job import Job
from ...preset.cue import Cue
from ...preset.preset import Preset, preset
from .footholds import on_the_way
from .hands.planning import hand_tasks_of
from .steps.settings import read_settings


@dataclass(frozen=True)
class StandInRules:
    """Where another style stands in, of a body with legs of 0.9 m.

    before: m before the first edge, obstacle or target from which it does: it turns, and steps as these want it to.
    after: m behind the last one. worth: m of a style's way for which the body turns back to it, or not at all.
    """

    before: float = 2.8
    after: float = 0.8
    worth: float = 2.0


STAND_IN = StandInRules()
STANDS_IN = "default"
"""The style that stands in."""
_ASIDE = 0.5  # sine of where it goes, from where it faces

Stretch = tuple[float, float]
"""From where to where along a path, m."""


@dataclass(frozen=True)
class StandIn:
    """Where another style stands in for one. first, last: m along the path; the last one is infinite at its end."""

    style: Preset
    other: Preset
    first: float
    last: float

    def text(self) -> str:
        """Return that for people."""
        ends = "the end" if self.last == math.inf else f"{self.last:.1f} m"
        return f"{self.style.label} does not go ahead: {self.other.label} stands in from {self.first:.1f} m to {ends}."


def stood_in(job: Job) -> tuple[Job, tuple[StandIn, ...]]:
    """Return a job with one that can in place of styles that cannot where these are in the way, and where that is.

    Raises DataError on slopes, for styles that go aside, and where it is not known which style it will have there: one
    changes at a time.
    """
    styles = _styles(job)
    if not any(map(_turned, styles)):
        return job, ()
    found = _stretches(job)
    if not found:
        return job, ()
    if any(map(_aside, styles)):
        raise DataError(_refusal(job))
    if any(cue.time or cue.ease or cue.shares for cue in job.cues):
        raise DataError(_refusal(job) + " Or let styles change at points of the path, not at markers.")
    other, made, places = preset("natural", STANDS_IN), list[Cue](), list[StandIn]()
    begins = (Cue(0.0, job.preset, place=job.start), *job.cues)
    ends = (*(cue.place for cue in job.cues), job.path.length)
    for cue, end in zip(begins, ends, strict=True):
        within = list(_within(found, cue.place, end)) if _turned(cue.preset) else []
        made += _cues(cue, other, end, within, STAND_IN.worth * job.character.size)
        ends_at = ((first, last if last < job.path.length else math.inf) for first, last in within)
        places += [StandIn(cue.preset, other, first, last) for first, last in ends_at]
    return replace(job, preset=made[0].preset, cues=tuple(made[1:])), tuple(places)


def _cues(cue: Cue, other: Preset, end: float, within: Sequence[Stretch], worth: float) -> Iterator[Cue]:
    """Give the cues of one style up to where the next one begins, m: another one stands in within some stretches.

    worth: m that are left of its way for which it comes back.
    """
    if not within or within[0][0] > cue.place:
        yield cue
    for first, last in within:
        yield replace(cue, preset=other, place=first)
        if last < end - worth:
            yield replace(cue, place=last)


def stand_ins(job: Job) -> tuple[str, ...]:
    """Return for people where another style stands in for one that a job has. Raises DataError as ``stood_in``."""
    return tuple(one.text() for one in stood_in(job)[1])


def _styles(job: Job) -> tuple[Preset, ...]:
    return job.preset, *(cue.preset for cue in job.cues)


def _turned(style: Preset) -> bool:
    return bool(read_settings(style.values).direction)


def _aside(style: Preset) -> bool:
    """Return whether a style goes aside: among edges and obstacles it falls, however far off they are."""
    return abs(math.sin(read_settings(style.values).direction)) > _ASIDE


def _refusal(job: Job) -> str:
    turned = next(filter(_turned, _styles(job)))
    return (
        f"{turned.label} does not go ahead: it takes no stairs and slopes, steps over nothing, ducks under nothing and "
        "takes nothing in its hands. Choose another style, or take these off the way."
    )


def _stretches(job: Job) -> Sequence[Stretch]:
    """Return where a body has to go ahead, in order, apart from each other. Raises DataError for slopes."""
    treads, across = on_the_way(job)
    if job.world.ground and not treads:
        raise DataError(_refusal(job))
    places = [(edge, edge) for edge in (treads.edges if treads else ())]
    places += [(one.near, one.far) for one in (*across.hurdles, *across.beams)]
    tasks = hand_tasks_of(job)
    places += [(tasks[0].arc, tasks[-1].arc)] if tasks else []  # between them it may hold something
    size = job.character.size
    found: list[Stretch] = []
    for near, far in sorted(places):
        first, last = near - STAND_IN.before * size, far + STAND_IN.after * size
        if found and first <= found[-1][1]:
            first, last = found[-1][0], max(last, found.pop()[1])
        found.append((first, last))
    return found


def _within(stretches: Sequence[Stretch], begin: float, end: float) -> Iterator[Stretch]:
    """Give what of stretches is between two places, m."""
    for first, last in stretches:
        if first < end and last > begin:
            yield max(first, begin), min(last, end)
