# SPDX-License-Identifier: GPL-3.0-or-later
"""Footprints that are edited (``tools.trials``): how many of those that were dragged by up to 0.15 m are held.

From each start a walk on level ground and one over deep stairs are walked, five prints of each are moved by chance, and
both are walked again, with all five at once. On treads soles stay whole on them.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path as FilePath

import numpy as np

from blender_biped.character.standard import standard_character
from blender_biped.control.natural.ground.treads import PAST, SHORT_OF
from blender_biped.control.natural.kind import NATURAL
from blender_biped.control.registry import presets
from blender_biped.control.shared.legs import legs_of
from blender_biped.job import Job
from blender_biped.motion.footholds import footholds_met
from blender_biped.motion.gait_events import Footprint, footprints
from blender_biped.motion.motion import Motion
from blender_biped.simulate import simulate
from blender_biped.world.footholds import HELD, DesiredFoothold
from blender_biped.world.path import Path
from blender_biped.world.terrain import Terrain
from blender_biped.world.world import World
from tools.trials.scene_walks import Figures, SceneTrial, walked

STARTS, EDITS = tuple(range(1, 11)), 5
FARTHEST = 0.15  # m that a print is moved by at most
DEPTH, RISE, TREADS = 0.45, 0.12, 5  # m of a tread, m that it is higher than the one before; how many go up
FIRST, EVERY = 4, 2  # the first print that is moved, and how many from one to the next
LEVEL, STAIRS = "level ground", "treads"
_SPEEDS = {LEVEL: 1.1, STAIRS: 0.7}  # m/s
_WIDE, _FIRST_EDGE, _TOP = 1.5, 2.0, 6.5
_TURNED = 0.005  # m that a foot that points aside takes of its tread beyond one that points ahead

PARTS: dict[str, Callable[[], list[SceneTrial]]] = {
    "footprints": lambda: [SceneTrial(scene, str(seed)) for scene in _SPEEDS for seed in STARTS]
}


def edges() -> list[float]:
    """Return where along the way the ground rises, m."""
    return [_FIRST_EDGE + k * DEPTH for k in range(TREADS)]


def job_of(scene: str, seed: int) -> Job:
    """Return an adult's walk over a scene from a start."""
    world = World(ground=_stairs()) if scene == STAIRS else World()
    way = Path([(0.0, 0.0), (_TOP if scene == STAIRS else 9.5, 0.0)])
    return Job(standard_character(), way, presets(NATURAL.name)[0], speed=_SPEEDS[scene], seed=seed, world=world)


def _stairs() -> Terrain:
    profile = [(-1.0, 0.0)]
    for k, x in enumerate(edges()):
        profile += [(x, k * RISE), (x, (k + 1) * RISE)]
    profile.append((_TOP + 1.0, TREADS * RISE))
    points = [(x, side * _WIDE, high) for x, high in profile for side in (-1.0, 1.0)]
    faces = [face for k in range(0, len(points) - 2, 2) for face in ((k, k + 2, k + 1), (k + 1, k + 2, k + 3))]
    return Terrain(points, faces)


def edited(scene: str, motion: Motion, seed: int) -> tuple[DesiredFoothold, ...]:
    """Return some prints of a motion as they are moved by chance."""
    chance = random.Random(f"{scene} {seed}")
    prints = footprints(motion)
    chosen = _on_stairs(prints) if scene == STAIRS else prints[FIRST::EVERY][:EDITS]
    return tuple(_moved(scene, mark, chance) for mark in chosen)


def _on_stairs(prints: Sequence[Footprint]) -> list[Footprint]:
    """Return the prints from the first tread on."""
    return [mark for mark in prints if float(mark.place[0]) > _FIRST_EDGE][:EDITS]


def _moved(scene: str, mark: Footprint, chance: random.Random) -> DesiredFoothold:
    length, angle = chance.uniform(0.03, FARTHEST), chance.uniform(-math.pi, math.pi)
    x, y = (mark.place + length * np.array([math.cos(angle), math.sin(angle)])).tolist()
    if scene == STAIRS:
        x = _on_tread(x, float(mark.place[0]))
    return DesiredFoothold(mark.side, (x, y), float(mark.place[0]))


def _on_tread(x: float, before: float) -> float:
    """Return where the ball of a foot is, m, so that its sole is whole on its tread. before: where it was, m."""
    legs = legs_of(standard_character())
    behind = max((edge for edge in edges() if edge <= before), default=-math.inf)
    ahead = min((edge for edge in edges() if edge > before), default=math.inf)
    low = behind + max(leg.ball - leg.heel for leg in legs) + PAST.edge + _TURNED
    high = ahead - max(leg.before_ball for leg in legs) - SHORT_OF.edge - _TURNED
    return min(max(x, low), high)


def run(trial: SceneTrial, out: FilePath) -> Figures:
    """Return the figures of a start on a scene: how far off each edited print is, and how the walk ended."""
    seed = int(trial.group)
    job = job_of(trial.scene, seed)
    own = replace(job, footholds=edited(trial.scene, simulate(job), seed))

    def off(motion: Motion, walk: Job) -> Figures:
        return {
            "edits": [
                {"moved_to": list(met.desired.place), "side": met.desired.side, "off_m": met.off}
                for met in footholds_met(motion, walk.footholds)
            ]
        }

    return walked(trial, own, (seed,), off)


def report_lines(part: str, found: Sequence[Figures]) -> list[str]:
    """Return the lines for people. part: of PARTS."""
    lines = []
    for scene in _SPEEDS:
        walks = [walk for one in found if one["scene"] == scene for walk in one["walks"]]
        offs = [math.inf if edit["off_m"] is None else edit["off_m"] for walk in walks for edit in walk["edits"]]
        held, fell = sum(off <= HELD for off in offs), sum(walk["fell"] for walk in walks)
        median = 1000.0 * float(np.median(offs)) if offs else math.nan
        lines.append(
            f"  {scene:<14} {held} of {len(offs)} edited prints are held within {1000.0 * HELD:.0f} mm (median "
            f"{median:.0f} mm), {fell} of {len(walks)} walks fall"
        )
    return lines
