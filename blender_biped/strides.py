"""Walks made of others: three strides, whether a body walks so at all, even steps, for a loop, and other takes.

Jobs in, jobs out; ``simulate`` walks them.
"""

from __future__ import annotations

from dataclasses import replace

from .base.errors import DataError
from .control.registry import kind_in, kind_of
from .job import Job
from .motion.measures import LEG_SHARE, natural_step_length
from .motion.similarity import similarity
from .preset.declared import with_values
from .preset.preset import Preset
from .world.path import Path
from .world.world import EMPTY

STRIDES = 3


def even(job: Job) -> Job:
    """Return a walk whose strides do not differ by chance, as one that is to be a loop."""
    if not kind_in(job).chance:
        return job
    cues = tuple(replace(cue, preset=_even(cue.preset)) for cue in job.cues)
    return replace(job, preset=_even(job.preset), cues=cues, ending=tuple(map(_even, job.ending)))


def _even(style: Preset) -> Preset:
    kind = kind_of(style.controller)
    numbers = kind.numbers(style.values)
    found = [path for path in kind.chance if path in style.keyed or numbers[path]]
    if not found:
        return style
    keyed = {path: track for path, track in style.keyed.items() if path not in found}
    return replace(style, values=with_values(style.values, dict.fromkeys(found, 0.0)), keyed=keyed)


def take_of(job: Job, number: int) -> Job:
    """Return a take of a walk by its number, from 1 on: the same walk with other chances; the number is its seed.

    Steps of a walk that is none yet, and that do not differ by chance, do so as people's from now on.
    """
    if number == job.seed:
        return job
    cues = tuple(replace(cue, preset=_taken(cue.preset, job, number)) for cue in job.cues)
    ending = tuple(_taken(own, job, number) for own in job.ending)
    return replace(job, seed=number, preset=_taken(job.preset, job, number), cues=cues, ending=ending)


def _taken(style: Preset, job: Job, number: int) -> Preset:
    kind = kind_of(style.controller)
    if not kind.take:
        return style
    numbers = kind.numbers(style.values)
    found: dict[str, float] = {kind.take: (round(numbers[kind.take]) + number - job.seed) % (kind.takes + 1)}
    if kind.varied and not job.seed and kind.varied not in style.keyed and not numbers[kind.varied]:
        found[kind.varied] = 1.0
    return replace(style, values=with_values(style.values, found))


def three_strides(job: Job) -> Job:
    """Return a walk of the same body in its first style, at its highest speed: straight ahead on flat ground, unpushed.

    It is as long as people's strides at that speed. It stops where its style goes down to no speed: others would still
    be slowing down. Raises DataError for a walk that is not simulated, which cannot fall, and for an unusable style.
    """
    kind = kind_in(job)
    if kind.controller is None:
        raise DataError(f"{kind.label} is not simulated, and cannot fall: there is nothing to be tried.")
    unit, speed = similarity(job), max((speed for _, speed in job.speeds), default=job.speed)
    step = unit.length * natural_step_length(speed / unit.speed, job.character.leg_length / unit.length / LEG_SHARE)
    return replace(
        job,
        path=Path([[0.0, 0.0], [2 * STRIDES * step, 0.0]]),
        speed=speed,
        speeds=(),
        start=0.0,
        stop=job.stop and kind.can_wait(job.preset),
        duration=0.0,
        cues=(),
        along=(),
        ending=(),
        pushes=(),
        perturbations=(),
        relief=(),
        world=EMPTY,
        fall_back=False,
        ragdoll=0.0,
    )
