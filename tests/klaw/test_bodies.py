"""Bodies that are no people's: each walks, finite and to the path's end."""

import numpy as np
import pytest

from blender_biped.character.body import build_character
from blender_biped.character.natural_speed import natural_speed
from blender_biped.character.roles import map_bones
from blender_biped.job import Job
from blender_biped.klaw.walk import walk
from blender_biped.world.path import Path
from tests.character.strange import strange
from tests.klaw.walks import style


@pytest.mark.parametrize("seed", [2, 8, 16, 22, 28, 36])  # for 2 the dynamics find no way
def test_any_body_that_can_be_built_walks(seed: int) -> None:
    armature = strange(seed).armature()
    character = build_character(armature, map_bones(armature), None)
    size = character.leg_length / 0.9
    path = Path([[0.0, 0.0], [3.0 * size, 0.0], [5.0 * size, 1.5 * size]])
    motion = walk(Job(character, path, style(), speed=natural_speed(character, 1.2)))
    assert np.isfinite(motion.root).all() and np.isfinite(motion.rotations).all()
    assert motion.outcome == "arrived"
    assert motion.root[-1, :2] == pytest.approx(path.position(path.length), abs=0.1 * size)
