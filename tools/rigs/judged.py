# SPDX-License-Identifier: GPL-3.0-or-later
"""The walks that rigs are judged by."""

from __future__ import annotations

from blender_biped.character.armature import Armature
from blender_biped.character.model import Character
from blender_biped.character.natural_speed import natural_speed
from blender_biped.control.registry import presets
from blender_biped.job import Job
from blender_biped.motion import measures
from blender_biped.ui.base.reading import sole_height
from blender_biped.world.path import Path as Route
from tools.base.controllers import USUAL
from tools.base.paths import paths

DISTANCE = 10.0  # m to walk, with a leg of measures.LEG or less
PATHS = ("straight", "s-curve")
SPEED = 1.2  # m/s, with a leg of measures.LEG


def job_of(rig: Armature, body: Character, path: str = PATHS[0], controller: str = USUAL, seed: int = 0) -> Job:
    """Return a walk that rigs are judged by, as far and as fast as is the same for their legs. path: of PATHS.

    controller: walks in its first style. seed: of a start that is slightly perturbed, 0 for none.
    """
    size = body.leg_length / measures.LEG
    if path == PATHS[0]:
        way = Route([[0.0, 0.0], [DISTANCE * max(1.0, size), 0.0]])
    else:
        way = Route(size * paths()[path].source)
    return Job(
        character=body, path=way, preset=presets(controller)[0], speed=natural_speed(body, SPEED),
        ground=sole_height(rig, body), seed=seed,
    )  # fmt: skip
