# SPDX-License-Identifier: GPL-3.0-or-later
"""Ground that is not flat (``tools.trials``): slopes up, down and across, a hill, rough ground, on three bodies.

Two speeds from three starts each. What is beyond a controller's limits is refused, with the reason.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path as FilePath

import numpy as np

from blender_biped.character.model import Character
from blender_biped.control.natural.kind import NATURAL
from blender_biped.control.registry import presets
from blender_biped.job import Job
from blender_biped.motion import measures
from blender_biped.world.path import Path
from blender_biped.world.terrain import Terrain
from blender_biped.world.world import World
from tools.trials.obstacles import BODIES
from tools.trials.scene_walks import Figures, SceneTrial, lines_of, walked

SEEDS = (61, 62, 63)
SPEEDS = (0.8, 1.2)  # m/s, with a leg of measures.LEG
LENGTH = 6.0  # m of path
FIRST = 1.2  # m of level way before a slope
CELL = 0.3  # m of rough ground
_WIDE, _BEYOND = 3.0, 6.0  # m to each side, and behind the path's end
_BEFORE = 2.0  # m
_UNEVEN = 1  # seed of rough ground
Height = Callable[[float, float], float]
"""Of the ground, m, at a place."""


def sloping(along: float, across: float = 0.0) -> Height:
    """Return ground that rises by angles, degrees: from FIRST on along the way, and to the left of it."""
    up, aside = math.tan(math.radians(along)), math.tan(math.radians(across))
    return lambda x, y: up * max(x - FIRST, 0.0) + aside * y


def hill(degrees: float) -> Height:
    """Return ground that goes up, and down again from the middle of the path on."""
    up, top = sloping(degrees), 0.5 * (FIRST + LENGTH)
    return lambda x, y: up(min(x, 2.0 * top - x), y)


SLOPES: dict[str, Height] = {
    **{f"{degrees} degrees up": sloping(degrees) for degrees in (10, 20)},
    **{f"{degrees} degrees down": sloping(-degrees) for degrees in (9, 18)},
    **{f"{degrees} degrees across": sloping(0.0, degrees) for degrees in (8, 15)},
    "10 degrees up and across": sloping(10.0, 10.0),
    "a hill of 15 degrees": hill(15.0),
}
ROUGH = {f"rough, {deep:g} m": deep for deep in (0.02, 0.05)}
SCENES = [f"{scene}, {speed:g} m/s" for scene in (*SLOPES, *ROUGH) for speed in SPEEDS]
PARTS: dict[str, Callable[[], list[SceneTrial]]] = {
    "slopes": lambda: [SceneTrial(scene, body) for body in BODIES for scene in SCENES]
}


def _edges(first: float, last: float, cell: float) -> list[float]:
    return np.append(np.arange(first, last - 0.5 * cell, cell), last).tolist()


def mesh(xs: Sequence[float], ys: Sequence[float], height: Height, size: float = 1.0) -> Terrain:
    """Return ground of triangles between places along x and y, m. size: of the body."""
    points = [(size * x, size * y, size * height(x, y)) for x in xs for y in ys]

    def faces() -> Iterator[tuple[int, int, int]]:
        across = len(ys)
        for first in (i * across + k for i in range(len(xs) - 1) for k in range(across - 1)):
            yield first, first + across, first + 1
            yield first + 1, first + across, first + across + 1

    return Terrain(points, list(faces()))


def ground_of(scene: str, size: float = 1.0) -> Terrain:
    """Return a scene's ground; the way goes along x. size: of the body."""
    ends = -_BEFORE, LENGTH + _BEYOND
    if scene in SLOPES:
        return mesh((ends[0], FIRST, 0.5 * (FIRST + LENGTH), LENGTH, ends[1]), (-_WIDE, _WIDE), SLOPES[scene], size)
    random, deep = np.random.default_rng(_UNEVEN), ROUGH[scene]

    def height(x: float, _y: float) -> float:
        bump = float(random.uniform(0.0, deep))
        return bump if x > 0.7 * FIRST else 0.0

    return mesh(_edges(*ends, CELL), _edges(-_WIDE, _WIDE, CELL), height, size)


def job_of(scene: str, body: Character, seed: int = 0) -> Job:
    """Return a body's walk over one of SCENES; lengths go with its legs."""
    ground, _, speed = scene.rpartition(", ")
    size = body.leg_length / measures.LEG
    return Job(
        body, Path([(0.0, 0.0), (size * LENGTH, 0.0)]), presets(NATURAL.name)[0],
        speed=float(speed.split()[0]) * size**0.5, seed=seed, world=World(ground=ground_of(ground, size)),
        fall_back=False,
    )  # fmt: skip


def run(trial: SceneTrial, out: FilePath) -> Figures:
    """Return the figures of a scene: why it is refused, or how each of its walks ended."""
    return walked(trial, job_of(trial.scene, BODIES[trial.group]()), SEEDS)


def report_lines(part: str, found: Sequence[Figures]) -> list[str]:
    """Return the lines for people. part: of PARTS."""
    return lines_of(found, BODIES)
