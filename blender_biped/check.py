"""Whether a job can be walked: one check before it is simulated, for the panel and the command line alike."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .base.errors import DataError
from .base.limits import MAX_DURATION
from .control.kind import Kind, Stop
from .control.registry import check_terrain, kind_in, kinds, presets_of, stops_of
from .control.way import check_way
from .job import Job

_SLOWEST = 0.1  # m/s, of walks on the spot


@dataclass(frozen=True)
class Checked:
    """What is known of a job that can be walked.

    kind: its controller. stops: where it stands for what its hands do, in order. passing: what it does about obstacles
    across its way, for people, and where another style stands in for one that cannot go there.
    """

    kind: Kind
    stops: tuple[Stop, ...] = ()
    passing: tuple[str, ...] = ()


def check(job: Job) -> Checked:
    """Return what is known of a job before it is walked. Raises DataError, for people, where it cannot be walked.

    In this order: how long it takes, since to look at what is far too long would be long, too; its ground, its waits,
    what its hands do, what is in its way. Walks that are not simulated meet nothing: of those neither hands nor way are
    looked at.
    """
    kind = kind_in(job)
    check_length(job)
    _check_relief(job, kind)
    check_terrain(job)
    _check_waits(job, kind)
    _check_footholds(job, kind)
    if kind.controller is None:
        return Checked(kind)
    stands = kind.stand_ins(job) if kind.stand_ins else ()
    return Checked(kind, stops_of(job), (*check_way(job), *stands))


def _check_relief(job: Job, kind: Kind) -> None:
    """Raise DataError for a height profile that a job's controller does not walk on."""
    if job.relief and not kind.can.slopes:
        able = ", ".join(other.label for other in kinds() if other.can.slopes)
        raise DataError(f"job.relief: {kind.label} needs flat ground; on slopes and stairs walks {able}.")


def _check_waits(job: Job, kind: Kind) -> None:
    """Raise DataError for waits where none of a walk's styles can stand in the midst of a path."""
    styles = presets_of(job)
    if any(point.wait for point in job.along) and not any(kind.can_wait(style) for style in styles):
        raise DataError(
            f"job.along: {styles[0].label} cannot stand in the midst of a path and walk on; take the waits away, or "
            "choose a style whose speeds go down to none."
        )


def _check_footholds(job: Job, kind: Kind) -> None:
    """Raise DataError for footholds that a job's controller does not set its feet down on."""
    if job.footholds and not kind.can.set_feet:
        able = ", ".join(other.label for other in kinds() if other.can.set_feet)
        raise DataError(
            f"{kind.label} sets its feet down where it keeps its balance, not on edited footprints: reset all of them, "
            f"or choose a style of {able}."
        )


def check_length(job: Job, begins: float = 0.0) -> None:
    """Raise DataError for a walk that takes longer than is walked at a time, even at the highest desired speeds.

    begins: s after the first of a company.
    """
    if job.duration and not begins:
        return
    left, fastest = job.path.length - job.start, _fastest(job)
    waits = sum(point.wait for point in job.along if point.place >= job.start)
    least = begins + (job.duration or _least(job, left, waits))
    if least <= MAX_DURATION:
        return
    if not waits and not begins and least <= left / fastest:
        raise DataError(
            f"The path takes {least / 3600.0:.1f} hours at {fastest:.2f} m/s, and an hour is walked at a time: "
            "take fewer laps, or a shorter path."
        )
    raise DataError(
        f"The walk takes {least / 3600.0:.3g} hours at least, {waits / 3600.0:.3g} of them for its waits, and an hour "
        "is walked at a time: take waits away, make the path shorter, or let it begin sooner and be faster."
    )


def _fastest(job: Job) -> float:
    """Return the highest desired speed of a job, m/s."""
    later = (*(speed for _, speed in job.speeds), *(cue.speed for cue in job.cues), *(p.speed for p in job.along))
    return max(job.speed, *later, _SLOWEST)


def _least(job: Job, left: float, waits: float) -> float:
    """Return the least time, s, for so many m and so many s of waits, at the highest speeds that may be desired."""
    timed = [place for place, point in enumerate(job.along) if point.time]
    if timed:  # up to the last of these it is as fast as it needs to be
        last, rest = job.along[timed[-1]], job.along[timed[-1] + 1 :]
        stays = last.wait + sum(point.wait for point in rest)
        return last.time + stays + (job.path.length - last.place) / _fastest(job)
    cues = sorted((cue.time, cue.speed) for cue in job.cues if not cue.place)
    times = np.unique([0.0, *(time for time, _ in job.speeds), *(time for time, _ in cues)])
    base = np.interp(times, *np.array(job.speeds).T) if job.speeds else np.full(len(times), job.speed)
    speeds = np.maximum(base[:-1], base[1:])
    speeds = np.maximum(speeds, max((0.0, *(p.speed for p in job.along), *(c.speed for c in job.cues if c.place))))
    if cues:
        begun = np.searchsorted([time for time, _ in cues], times[:-1], side="right")
        speeds = np.maximum(speeds, np.maximum.accumulate([0.0, *(speed for _, speed in cues)])[begun])
    ways = np.cumsum(np.concatenate(([0.0], speeds * np.diff(times))))  # m, at most, at each of the times
    k = int(np.searchsorted(ways, left, side="left"))
    if 0 < k < len(ways):
        return waits + float(times[k - 1] + (left - ways[k - 1]) / speeds[k - 1])
    return waits + float(times[-1] + (left - ways[-1]) / _fastest(job))
