"""Whether a job can be walked: one check before it is simulated, for the panel and the command line alike."""

from __future__ import annotations

from dataclasses import dataclass

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
    across its way, for people.
    """

    kind: Kind
    stops: tuple[Stop, ...] = ()
    passing: tuple[str, ...] = ()


def check(job: Job) -> Checked:
    """Return what is known of a job before it is walked. Raises DataError, for people, where it cannot be walked.

    In this order: its ground, its waits, how long it takes, what its hands do, what is in its way. Walks that are not
    simulated meet nothing: of those neither hands nor way are looked at.
    """
    kind = kind_in(job)
    _check_relief(job, kind)
    check_terrain(job)
    _check_waits(job, kind)
    _check_length(job)
    if kind.controller is None:
        return Checked(kind)
    return Checked(kind, stops_of(job), check_way(job))


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


def _check_length(job: Job) -> None:
    """Raise DataError for a path that takes longer than is walked at a time, even at the highest desired speed."""
    later = (*(speed for _, speed in job.speeds), *(cue.speed for cue in job.cues), *(p.speed for p in job.along))
    fastest = max(job.speed, *later, _SLOWEST)
    least = (job.path.length - job.start) / fastest
    if not job.duration and least > MAX_DURATION:
        raise DataError(
            f"The path takes {least / 3600.0:.1f} hours at {fastest:.2f} m/s, and an hour is walked at a time: "
            "take fewer laps, or a shorter path."
        )
