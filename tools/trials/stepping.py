# SPDX-License-Identifier: GPL-3.0-or-later
"""Natural walking over and under what is across its way (``tools.trials``): Coros 2010, section 5.2.

The obstacles and the bodies are those of the trial of generalized walking.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path as FilePath

from blender_biped.character.model import Character
from blender_biped.control.natural.kind import NATURAL
from blender_biped.control.registry import presets
from blender_biped.job import Job
from tools.trials import obstacles
from tools.trials.obstacles import BODIES
from tools.trials.scene_walks import Figures, SceneTrial, lines_of, walked

SEEDS = (0, 1, 2, 3)
SCENES = tuple(obstacles.SCENES)

PARTS: dict[str, Callable[[], list[SceneTrial]]] = {
    "stepping": lambda: [SceneTrial(scene, body) for body in BODIES for scene in SCENES]
}


def job_of(scene: str, body: Character, seed: int = 0) -> Job:
    """Return a body's walk through a scene; lengths go with its legs."""
    return replace(obstacles.job_of(scene, body, seed), preset=presets(NATURAL.name)[0])


def run(trial: SceneTrial, out: FilePath) -> Figures:
    """Return the figures of a scene: why it is refused, or how each of its walks ended."""
    return walked(trial, job_of(trial.scene, BODIES[trial.group]()), SEEDS)


def report_lines(part: str, found: Sequence[Figures]) -> list[str]:
    """Return the lines for people. part: of PARTS."""
    return lines_of(found, BODIES)
