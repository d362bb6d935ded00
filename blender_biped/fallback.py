"""What is walked in place of a walk that fell or did not arrive: the same one slower, then wider too, then others'.

Another simulated controller, where there is a simpler one, then KLAW.

Jobs in, jobs out; ``simulate`` walks them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from .base.errors import DataError
from .base.limits import MAX_DURATION
from .control.registry import PREVIEW, kind_in, kind_of, presets
from .job import Job
from .klaw.nearest import looks_upright, nearest_style
from .klaw.stand_in import as_walk
from .motion.measures import fell_at
from .motion.motion import Attempt, Failure, Motion
from .motion.similarity import similarity
from .motion.summary import ended
from .preset.declared import number_of, with_values
from .preset.preset import Preset, speeds_of
from .world.path_points import PathPoint

CALMER = 0.8
"""Of its speeds: what a walk is tried again at."""

# m, of a body with legs of 0.9 m: by how much farther apart feet are set down. Of 31 walks of strange bodies that fell
# three arrive slower, seven wider as well, and no more at 0.15 m.
_WIDER = 0.06
_SAME = 0.99  # of a speed: it is no other one


def failure(motion: Motion, own: Job, job: Job) -> Failure | None:
    """Return how a motion of an own job failed, that is ``job`` or walked in place of it; None where it did not.

    motion: its end is enough. To be where it is when the job's own time is over is no failure.
    """
    outcome, speed = ended(motion, own), _share(own, job)
    if outcome == "fell":
        return Failure("fell", fell_at(motion, own) or motion.duration, speed)
    late = outcome in ("unfinished", "stuck") and not own.duration
    return Failure("unfinished", motion.duration, speed) if late else None


def instead(job: Job, seen: Motion) -> Iterator[Job]:
    """Give the jobs to try in place of one whose walk failed, one after the other.

    seen: that walk, or its end. Raises DataError when a style is unusable.
    """
    if kind_in(job).controller is None:  # it is kinematic itself
        return
    slower = calmer(job)
    if slower is not None:
        yield slower
    wider = _wider(slower or job)
    if wider is not None:
        yield wider
    plainer = simpler(job)
    if plainer is not None:
        yield plainer
        slower = calmer(plainer)
        if slower is not None:
            yield slower
    yield from _kinematic(job, seen)


def attempt_of(own: Job, job: Job, before: tuple[Failure, ...]) -> Attempt:
    """Return what a motion is that is of one of the jobs that ``instead`` gives. before: the walks that failed."""
    style, kind = own.preset, kind_in(own)
    simulated, another = kind.controller is not None, style.controller != job.preset.controller
    wider = not another and (style.values != job.preset.values or own.step_width != job.step_width)
    label = kind.label if simulated and another else style.label
    return Attempt(
        style.controller, style.name, label, simulated, _share(own, job), wider, before, simulated and another
    )  # fmt: skip


def calmer(job: Job) -> Job | None:
    """Return a job at CALMER of its speeds, each as far as its style goes so slowly; None where none gets any slower.

    Where it is to be somewhere in time, it takes as much longer. Raises DataError for an unusable style.
    """
    unit = similarity(job).speed

    def slower(speed: float, style: Preset) -> float:
        speeds = speeds_of(style)
        return max(CALMER * speed, min(speed, unit * speeds.slowest if speeds else 0.0))

    own = replace(
        job,
        speed=slower(job.speed, job.preset),
        speeds=tuple((time, slower(speed, job.preset)) for time, speed in job.speeds),
        cues=tuple(replace(cue, speed=slower(cue.speed, cue.preset)) for cue in job.cues),
        along=tuple(
            replace(point, speed=slower(point.speed, job.preset), time=point.time / CALMER) for point in job.along
        ),
        perturbations=(),  # they are of steps at another speed
    )
    return own if _share(own, job) < _SAME else None


def simpler(job: Job) -> Job | None:
    """Return a job of the simpler controller in its first style, as fast as it can; None where there is none.

    Raises DataError for an unusable style.
    """
    name = kind_in(job).simpler
    if not name:
        return None
    style = presets(name)[0]
    kind, unit = kind_of(name), similarity(job).speed
    speeds = speeds_of(style) or kind.speeds
    if not kind.can.change:  # it keeps its one style
        along = tuple(PathPoint(cue.place, cue.speed) for cue in job.cues if cue.place and cue.speed)
        job = replace(job, cues=(), ending=(), along=tuple(sorted((*job.along, *along), key=lambda own: own.place)))
    most = unit * speeds.fastest if speeds else math.inf
    return replace(
        job,
        preset=style,
        footholds=job.footholds if kind.can.set_feet else (),
        speed=min(job.speed, most),
        speeds=tuple((time, min(speed, most)) for time, speed in job.speeds),
        along=tuple(replace(point, speed=min(point.speed, most)) for point in job.along),
    )


def _wider(job: Job) -> Job | None:
    """Return a job whose feet are set down farther apart; None where its controller has no number for that."""
    kind = kind_in(job)
    if kind.can.face_aside:
        return replace(job, step_width=job.step_width + _WIDER * similarity(job).length)
    if not kind.width:
        return None
    number = number_of(kind.settings, kind.width)

    def style(preset: Preset) -> Preset:
        width = number.held(kind.numbers(preset.values)[kind.width] + _WIDER)
        keyed = dict(preset.keyed)
        if kind.width in keyed:
            keyed[kind.width] = tuple((time, number.held(value + _WIDER)) for time, value in keyed[kind.width])
        return replace(preset, values=with_values(preset.values, {kind.width: width}), keyed=keyed)

    return replace(
        job,
        preset=style(job.preset),
        cues=tuple(replace(cue, preset=style(cue.preset)) for cue in job.cues),
        ending=tuple(map(style, job.ending)),
    )


def _share(own: Job, job: Job) -> float:
    """Return which share of a job's speeds another job has, of the one that differs most."""
    both = zip(_speeds(own), _speeds(job), strict=True)
    return min((min(a / b, 1.0) for a, b in both if b > 0.0), default=1.0)


def _speeds(job: Job) -> list[float]:
    """Return all speeds that a job desires, m/s."""
    later = (speed for _, speed in job.speeds)
    return [job.speed, *later, *(cue.speed for cue in job.cues), *(point.speed for point in job.along)]


def _kinematic(job: Job, seen: Motion) -> Iterator[Job]:
    """Give KLAW's jobs: in its style that looks most like the walk before its fall, then in its first one."""
    styles = presets(PREVIEW.name)
    plain = replace(job, pushes=(), perturbations=())
    try:
        first = as_walk(plain, styles[0])
    except DataError:  # it stays where it is
        return
    if (job.path.length - job.start) / min(speed for speed in _speeds(first) if speed > 0.0) > MAX_DURATION:
        return
    found = looks_upright(seen, job)
    name = "" if found is None else nearest_style(found.tolist(), first, styles)
    nearest = next((style for style in styles if style.name == name), styles[0])
    if nearest != styles[0]:
        yield as_walk(plain, nearest)
    yield first
