# SPDX-License-Identifier: GPL-3.0-or-later
"""An hour's walk of each controller (``tools.trials``): whether it lasts, its memory, and its slip by tenth.

Round and round a wide oval, so that bends are in it, with as many laps as the speed makes; in the plane straight ahead.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path as FilePath
from typing import Any

import numpy as np

from blender_biped.base.limits import MAX_DURATION
from blender_biped.character.standard import standard_character
from blender_biped.control.registry import kinds, presets
from blender_biped.job import Job
from blender_biped.motion import measures
from blender_biped.motion.motion import Motion, read_motion
from blender_biped.simulate import simulate_into
from blender_biped.world.path import Path
from tools.base.children import in_child
from tools.base.controllers import in_plane
from tools.base.memory import peak_memory
from tools.base.yin import planar_biped
from tools.measure.grid import usual_speed

Figures = dict[str, Any]
HALF_AXES = (15.0, 8.0)  # m, of the oval
PARTS_OF_IT = 10
SPEED = 1.0  # m/s of a controller whose first style has no speed


@dataclass(frozen=True)
class HourTrial:
    """One controller's hour."""

    controller: str


def hour_trials() -> list[HourTrial]:
    """Return an hour of each controller."""
    return [HourTrial(kind.name) for kind in kinds()]


def hour_job(controller: str, seconds: float) -> Job:
    """Return a walk of a controller's first style that lasts ``seconds``. Raises DataError for an unknown one."""
    style, plane = presets(controller)[0], in_plane(controller)
    body = planar_biped() if plane else standard_character()
    speed = usual_speed(style, body) or SPEED
    length = 2.0 * speed * seconds
    path = Path([[0.0, 0.0], [length, 0.0]]) if plane else oval(length)
    return Job(body, path, style, speed, duration=seconds, stop=False)


def oval(length: float, size: float = 1.0) -> Path:
    """Return an oval with laps for a length, m. size: times as large as usual."""
    angle = np.radians(np.arange(-90.0, 270.0, 2.0))
    points = size * np.stack((HALF_AXES[0] * np.cos(angle), HALF_AXES[1] * (1.0 + np.sin(angle))), axis=1)
    once = Path(points, closed=True, laps=1)
    return Path(points, closed=True, laps=math.ceil(length / once.length))


def walked(job: Job, file: FilePath) -> float | None:
    """Walk a job into a file; return the most memory that this process has had, MB."""
    simulate_into(job, file)
    return peak_memory()


def of_parts(motion: Motion, job: Job, count: int = PARTS_OF_IT) -> list[float | None]:
    """Return the median slip, mm, of ``count`` parts of a walk that are equally long; None where nothing stood."""
    edges = np.linspace(0, len(motion.times), count + 1).astype(int).tolist()
    return [measures.foot_slip(motion.part(first, end), job)[0] for first, end in pairwise(edges)]


def run(trial: HourTrial, out: FilePath, seconds: float = MAX_DURATION) -> Figures:
    """Walk one controller's hour in a process of its own and return its figures."""
    job = hour_job(trial.controller, seconds)
    with tempfile.TemporaryDirectory() as folder:
        file = FilePath(folder) / "motion.npz"
        memory = in_child(walked, job, file)
        motion = read_motion(file)
    fell = measures.fell_at(motion, job)
    upright = motion.times[-1] if fell is None else fell
    slips = of_parts(motion, job) if fell is None else []
    return {
        "controller": trial.controller, "preset": job.preset.name, "seconds": float(upright), "fell": fell is not None,
        "memory_mb": memory, "slip_mm": slips, "cpu_s_per_s": motion.cpu / max(motion.duration, 1e-6),
    }  # fmt: skip


PARTS: Mapping[str, Callable[[], list[HourTrial]]] = {"hours": hour_trials}


def report_lines(part: str, found: Sequence[Figures]) -> list[str]:
    """Return a line for people of each controller."""
    return [_line(one) for one in found]


def _line(one: Figures) -> str:
    end = f"fell after {one['seconds']:.0f} s" if one["fell"] else f"{one['seconds']:.0f} s"
    memory = "memory not known" if one["memory_mb"] is None else f"{one['memory_mb']:.0f} MB"
    slips = ", ".join("-" if slip is None else f"{slip:.1f}" for slip in one["slip_mm"])
    slip = f", slip by tenth {slips} mm" if slips else ""
    return f"  {one['controller']:<12} {end}, {memory}, CPU {one['cpu_s_per_s']:.3f}{slip}"
