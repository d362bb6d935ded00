"""Walks for the tests of KLAW, and what is measured on them."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np

from blender_biped.base.spatial import Array, quaternion_matrix
from blender_biped.character.standard import standard_character
from blender_biped.job import Job
from blender_biped.klaw.walk import walk
from blender_biped.motion import gait_events, measures
from blender_biped.motion.motion import Motion
from blender_biped.preset.preset import Preset, preset
from blender_biped.world.path import Path

KMH = 1.0 / 3.6
ADULT = standard_character(75.0, stature=1.8)


def style(attributes: dict[str, float] | None = None, name: str = "walk", **values: Any) -> Preset:
    own = preset("klaw", name)
    told = {**own.values, **values, "attributes": {**own.values["attributes"], **(attributes or {})}}
    return Preset(name, "klaw", own.label, "", told)


def job_of(speed_kmh: float, length: float = 12.0, preset: Preset | None = None, **given: Any) -> Job:
    path = given.pop("path", None) or Path([[0.0, 0.0], [length, 0.0]])
    character = given.pop("character", ADULT)
    return Job(character, path, preset or style(), speed=speed_kmh * KMH, **given)


def walked_with(speed_kmh: float = 5.0, length: float = 12.0, **attributes: float) -> tuple[Motion, Job]:
    return _walked(speed_kmh, length, tuple(attributes.items()))


@cache
def _walked(speed_kmh: float, length: float, attributes: tuple[tuple[str, float], ...]) -> tuple[Motion, Job]:
    job = job_of(speed_kmh, length, style(dict(attributes)))
    return walk(job), job


def steady_step(motion: Motion, job: Job) -> float:
    """Return how far one foot stands before the other, m: between the balls of footprints, over steady walking."""
    span = measures.steady_span(motion, job)
    assert span is not None
    prints = [p for p in gait_events.footprints(motion) if span[0] <= p.time <= span[1]]
    return float(np.mean([b.place[0] - a.place[0] for a, b in pairwise(prints)]))


def mean_cycle(motion: Motion, job: Job, joint: str) -> Array:
    return np.asarray(measures.cycles(motion, job, joint).mean(axis=0))


def sole_heights(motion: Motion, side: int) -> tuple[Array, Array]:
    """Return how high the heel and the tip of the toes are above the ground (T,), m."""
    body, name = motion.character, gait_events.SIDES[side]
    found = []
    for part, end in (("foot", -1.0), ("toes", 1.0)):
        i = body.index(f"{part}.{name}")
        shape = body.links[i].shape
        corner = np.array(shape.center) + np.array(shape.half) * (end, 0.0, -1.0)
        found.append(motion.origins[:, i, 2] + (quaternion_matrix(motion.rotations[:, i]) @ corner)[:, 2])
    return found[0], found[1]
