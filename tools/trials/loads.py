# SPDX-License-Identifier: GPL-3.0-or-later
"""Loads (``tools.trials``): crates that are lifted, carried on and set down, on three bodies, from three starts each.

From the floor and from a stand. Masses go with the bodies', lengths with their legs. What is beyond a body's limits is
refused, with the reason.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path as FilePath

import numpy as np

from blender_biped.base.errors import BipedError
from blender_biped.base.spatial import Array
from blender_biped.character.model import Character
from blender_biped.character.reference import REFERENCE_MASS
from blender_biped.control.natural.kind import NATURAL
from blender_biped.control.registry import check_way, presets, stops_of
from blender_biped.job import Job
from blender_biped.motion import measures
from blender_biped.world.path import Path
from blender_biped.world.targets import Target
from blender_biped.world.things import Solid, Thing
from blender_biped.world.world import World
from tools.trials.obstacles import BODIES
from tools.trials.scene_walks import Figures, SceneTrial, lines_of, walked

SEEDS = (1, 2, 3)
SPEED = 1.0  # m/s, with a leg of measures.LEG
FIRST, CARRIED = 2.5, 4.0  # m along the path of the crate, and how far it is carried
HALF = (0.12, 0.18, 0.12)  # m of the crate
POST = 0.1  # m of the stand, half its breadth
BEND = 0.2  # m: how sharply the way turns away from a stand
AHEAD = 0.4  # m from where the way ends, or turns away, to the middle of what hands take there
_PIECES = 8  # of the bend


@dataclass(frozen=True)
class Load:
    """A crate's mass, kg, for a body of the reference mass, and how high it stands, m."""

    mass: float
    height: float


SCENES: dict[str, Load] = {
    f"{mass:g} kg from {where}": Load(mass, height)
    for mass in (5.0, 10.0, 15.0, 20.0, 25.0)
    for where, height in (("the floor", 0.0), ("0.8 m", 0.8))
}


PARTS: dict[str, Callable[[], list[SceneTrial]]] = {
    "loads": lambda: [SceneTrial(scene, body) for body in BODIES for scene in SCENES]
}


def job_of(scene: str, body: Character, seed: int = 0) -> Job:
    """Return a body's walk with a load."""
    return carried(SCENES[scene], body, seed)


def carried(load: Load, body: Character, seed: int = 0) -> Job:
    size = body.leg_length / measures.LEG
    half = tuple(size * own for own in HALF)
    high = load.height * size
    crate = Thing("crate", Solid("box", half), (size * FIRST, 0.0, high + half[2]),
                  mass=load.mass * body.mass / REFERENCE_MASS)
    things = [crate]
    stands = FIRST - AHEAD
    if high:
        post = (size * POST, size * POST, 0.5 * high)
        things.append(Thing("stand", Solid("box", post), (size * FIRST, 0.0, 0.5 * high)))
        turned = np.linspace(0.0, 0.5 * math.pi, _PIECES)
        points = [(0.0, 0.0), *((stands + BEND * math.sin(a), BEND * (1.0 - math.cos(a))) for a in turned),
                  (stands + BEND, CARRIED)]
        place = (stands + BEND, CARRIED + AHEAD)
    else:
        points, place = [(0.0, 0.0), (stands + CARRIED, 0.0)], (FIRST + CARRIED, 0.0)
    way = Path([(size * x, size * y) for x, y in points])
    targets = (Target("crate", "pick_up", thing="crate"), Target("there", "set_down", (size * place[0], size * place[1], 0.0)))
    world = World(things=tuple(things), targets=targets)
    return Job(body, way, presets(NATURAL.name)[0], speed=SPEED * size**0.5, seed=seed, world=world)
