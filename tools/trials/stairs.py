# SPDX-License-Identifier: GPL-3.0-or-later
"""Stairs (``tools.trials``): flights up and down, over a landing, and curbs, on three bodies, from three starts each.

What is beyond a body's limits is refused, with the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path as FilePath

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

SEEDS = (1, 2, 3)
SPEED = 0.8  # m/s, with a leg of measures.LEG; on the stairs it is slower by itself
DEPTH = 0.29  # m of a tread
FIRST, BEYOND = 2.0, 2.0  # m of level way before and behind the stairs
_WIDE = 1.5  # m to each side
Edge = tuple[float, float]
"""m that it is behind the one before it, and its rise, m."""


def flight(count: int, rise: float) -> tuple[Edge, ...]:
    """Return so many steps, each of a rise, m."""
    return tuple((DEPTH if k else 0.0, rise) for k in range(count))


SCENES: dict[str, tuple[Edge, ...]] = {
    **{f"five up of {rise:g} m": flight(5, rise) for rise in (0.1, 0.15, 0.18, 0.2)},
    **{f"five down of {rise:g} m": flight(5, -rise) for rise in (0.1, 0.15, 0.18, 0.2)},
    "up and down again, 0.15 m": (*flight(4, 0.15), (1.5, -0.15), *flight(4, -0.15)[1:]),
    "a curb of 0.15 m, up and down": ((0.0, 0.15), (1.5, -0.15)),
}


PARTS: dict[str, Callable[[], list[SceneTrial]]] = {
    "stairs": lambda: [SceneTrial(scene, body) for body in BODIES for scene in SCENES]
}


def ground_of(
    edges: Sequence[Edge], size: float = 1.0, beyond: float = BEYOND, first: float = FIRST
) -> tuple[Terrain, Path]:  # fmt: skip
    """Return ground with edges across the way, which goes along x, and a path over them. size: of the body.

    first, beyond: m of level way before and behind the edges.
    """
    x, height = first, 0.0
    profile = [(-1.0, 0.0)]
    for away, rise in edges:
        x += away
        profile += [(x, height), (x, height + rise)]
        height += rise
    profile.append((x + beyond + 1.0, height))
    points = [(size * at, side * size * _WIDE, size * high) for at, high in profile for side in (-1.0, 1.0)]
    faces = [face for k in range(0, len(points) - 2, 2) for face in ((k, k + 2, k + 1), (k + 1, k + 2, k + 3))]
    return Terrain(points, faces), Path([(0.0, 0.0), (size * (x + beyond), 0.0)])


def job_of(scene: str, body: Character, seed: int = 0) -> Job:
    """Return a body's walk over a scene; lengths go with its legs."""
    size = body.leg_length / measures.LEG
    ground, way = ground_of(SCENES[scene], size)
    speed = SPEED * size**0.5
    return Job(body, way, presets(NATURAL.name)[0], speed=speed, seed=seed, world=World(ground=ground))


def run(trial: SceneTrial, out: FilePath) -> Figures:
    """Return the figures of a scene: why it is refused, or how each of its walks ended."""
    return walked(trial, job_of(trial.scene, BODIES[trial.group]()), SEEDS)


def report_lines(part: str, found: Sequence[Figures]) -> list[str]:
    """Return the lines for people. part: of PARTS."""
    return lines_of(found, BODIES)
