# SPDX-License-Identifier: GPL-3.0-or-later
"""Walks of some bodies through scenes of trials: what became of them, and lines and pictures of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from blender_biped.base.errors import BipedError
from blender_biped.check import check
from blender_biped.job import Job
from blender_biped.motion import measures
from blender_biped.motion.motion import Motion
from blender_biped.motion.summary import ended
from blender_biped.simulate import simulate
from tools.base.columns import ARRIVED

Figures = dict[str, Any]


@dataclass(frozen=True)
class SceneTrial:
    """A scene for a body. group: the body's name."""

    scene: str
    group: str


def walked(
    trial: SceneTrial,
    job: Job,
    seeds: Iterable[int],
    more: Callable[[Motion, Job], Figures] = lambda motion, job: {},
) -> Figures:
    """Return the figures of a scene: why it is refused, or how each of its walks ended.

    more: figures of each walk beside those of all scenes.
    """
    said = ""
    try:
        check(job)
    except BipedError as error:
        said = str(error)
    walks = [] if said else [_figures(replace(job, seed=seed), more) for seed in seeds]
    return {"group": trial.group, "scene": trial.scene, "refused": said, "walks": walks}


def _figures(job: Job, more: Callable[[Motion, Job], Figures]) -> Figures:
    motion = simulate(job)
    median, worst = measures.foot_slip(motion, job)
    return {
        "fell": measures.fell_at(motion, job) is not None,
        "outcome": ended(motion, job),
        "penetration_mm": measures.penetration(motion, job),
        "foot_slip_median_mm": median,
        "foot_slip_worst_mm": worst,
        "seconds": motion.duration,
        "cpu_s_per_s": motion.cpu / motion.duration,
        **more(motion, job),
    }


def lines_of(
    found: Sequence[Figures], bodies: Iterable[str], also: Callable[[Sequence[Figures]], str] = lambda walks: ""
) -> list[str]:
    """Return the lines for people: by body, how many of each scene's walks arrive, or why it is refused.

    also: what is said of them besides.
    """
    width = max((len(one["scene"]) for one in found), default=0) + 2
    lines = []
    for body in bodies:
        lines.append(f"  {body}:")
        for one in found:
            if one["group"] == body:
                arrived = sum(walk["outcome"] in ARRIVED for walk in one["walks"])
                walks = one["walks"]
                told = (
                    f"refused: {one['refused']}" if one["refused"] else f"{arrived} of {len(walks)} arrive{also(walks)}"
                )
                lines.append(f"    {one['scene']:<{width}} {told}")
    return lines
