# SPDX-License-Identifier: GPL-3.0-or-later
"""Over and under what is across the way (``tools.trials``): Coros 2010, section 5.2, rebuilt, on three bodies.

Single obstacles of rising height, a row of them, bars to be ducked under, and both together with three offsets. What is
beyond a body's limits is refused, with the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path as FilePath

from blender_biped.character.figure import stature
from blender_biped.character.model import Character
from blender_biped.character.standard import standard_character
from blender_biped.control.generalized.kind import GENERALIZED
from blender_biped.control.registry import presets
from blender_biped.job import Job
from blender_biped.motion import measures
from blender_biped.world.path import Path
from blender_biped.world.things import Solid, Thing
from blender_biped.world.world import World
from tools.trials.builds import Build
from tools.trials.scene_walks import Figures, SceneTrial, lines_of, walked

SEEDS = (0, 1, 2)
SPEED = 0.8  # m/s, with a leg of measures.LEG
THICK = 0.1  # m of a bar, along the way
FIRST = 2.0  # m along the path of the first one
BEYOND = 2.0  # m of path behind the last one
ADULT = "standard adult"
BUILDS = {
    ADULT: Build(1.0, 1.0, 1.0, 1.0, 0.0),
    "short legs, large head": Build(0.8, 1.0, 1.5, 1.0, 0.0),
    "long legs, wide hips": Build(1.2, 1.3, 0.9, 1.1, 0.0),
}
BODIES: dict[str, Callable[[], Character]] = {
    name: standard_character if name == ADULT else build.character for name, build in BUILDS.items()
}
OVER = (0.1, 0.2, 0.3, 0.35, 0.45)  # m
UNDER = (0.9, 0.8, 0.7)  # of the standing height
Bar = tuple[str, float, float]
"""Kind, "over" or "under"; m along the path, and its height, m or of the standing height."""
SCENES: dict[str, tuple[Bar, ...]] = {
    **{f"over {height:g} m": (("over", FIRST, height),) for height in OVER},
    "over a row": tuple(("over", FIRST + 1.2 * k, height) for k, height in enumerate((0.15, 0.25, 0.35))),
    **{f"under {100 * share:.0f} %": (("under", FIRST, share),) for share in UNDER},
    "over a row to 0.45 m": tuple(
        ("over", FIRST + 1.4 * k, height) for k, height in enumerate((0.15, 0.25, 0.35, 0.45))
    ),
    "over, then under": (("over", FIRST, 0.25), ("under", FIRST + 1.5, 0.75)),
    "under, then over": (("under", FIRST, 0.75), ("over", FIRST + 1.5, 0.25)),
    **{
        f"over and under, {offset:g} m": (("over", FIRST, 0.25), ("under", FIRST + offset, 0.75))
        for offset in (0.0, 0.5, 1.0)
    },
}


PARTS: dict[str, Callable[[], list[SceneTrial]]] = {
    "obstacles": lambda: [SceneTrial(scene, body) for body in BODIES for scene in SCENES]
}


def job_of(scene: str, body: Character, seed: int = 0) -> Job:
    """Return a body's walk through a scene; lengths go with its legs."""
    size = body.leg_length / measures.LEG
    bars = SCENES[scene]
    things = tuple(_bar(k, bar, size, stature(body)) for k, bar in enumerate(bars))
    way = Path([(0.0, 0.0), (size * (max(at for _, at, _ in bars) + BEYOND), 0.0)])
    speed = SPEED * size**0.5
    return Job(body, way, presets(GENERALIZED.name)[0], speed=speed, seed=seed, world=World(things=things))


def _bar(number: int, bar: Bar, size: float, tall: float) -> Thing:
    """Return a bar across the way."""
    kind, at, height = bar
    half = (0.5 * size * THICK, size, 0.5 * size * (height if kind == "over" else THICK))
    middle = half[2] if kind == "over" else height * tall + half[2]
    return Thing(f"bar {number + 1}", Solid("box", half), (size * at, 0.0, middle))


def run(trial: SceneTrial, out: FilePath) -> Figures:
    """Return the figures of a scene: why it is refused, or how each of its walks ended."""
    return walked(trial, job_of(trial.scene, BODIES[trial.group]()), SEEDS)


def report_lines(part: str, found: Sequence[Figures]) -> list[str]:
    """Return the lines for people. part: of PARTS."""
    return lines_of(found, BODIES)
