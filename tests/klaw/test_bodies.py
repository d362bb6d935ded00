"""Bodies that are no people's: each walks, finite and to the path's end."""

import math
from dataclasses import replace

import numpy as np
import pytest

from blender_biped.character.armature import Bone
from blender_biped.character.body import build_character
from blender_biped.character.fallen import UPRIGHT
from blender_biped.character.natural_speed import natural_speed
from blender_biped.character.roles import map_bones
from blender_biped.character.standard import standard_armature, standard_character
from blender_biped.job import Job
from blender_biped.klaw.nearest import looks, nearest_style
from blender_biped.klaw.walk import walk
from blender_biped.motion.similarity import Similarity
from blender_biped.motion.summary import ended
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


def test_a_body_with_hips_wider_than_its_legs_are_long_stays_upright() -> None:
    """Its legs lean inwards as it stands; walking does not lean them so far that it sinks to its shins."""
    armature = standard_armature()
    out = np.array([0.0, 0.85, 0.0])  # m

    def wide(bone: Bone) -> Bone:
        side = 1.0 if bone.name.endswith(".L") else -1.0
        leg = bone.name.partition(".")[0] in ("thigh", "shin", "foot", "toe", "heel")
        return replace(bone, head=bone.head + side * out, tail=bone.tail + side * out) if leg else bone

    body = replace(armature, bones=tuple(map(wide, armature.bones)))
    character = build_character(body, map_bones(body), None)
    job = Job(character, Path([[0.0, 0.0], [6.0, 0.0]]), style(), speed=natural_speed(character, 1.2))
    motion = walk(job)
    assert motion.root[:, 2].min() > UPRIGHT[0] * character.stand_height and ended(motion, job) == "arrived"


@pytest.mark.parametrize("size, off", [(0.1, 0.1), (0.03, 0.3)])  # a motion has but 120 samples a second
def test_a_figure_of_a_few_centimetres_walks_a_short_path_and_has_a_style_to_fall_back_on(
    size: float, off: float
) -> None:
    adult = standard_character()
    child = Similarity(1.0 / size, 1.0 / math.sqrt(size), 1.0 / size**3).character(adult)
    motions, jobs = [], []
    for body, unit in ((adult, 1.0), (child, size)):
        path = Path([[0.0, 0.0], [2.0 * unit, 0.0], [4.0 * unit, 1.0 * unit]])
        jobs.append(Job(body, path, style(), speed=natural_speed(body, 1.2)))
        motions.append(walk(jobs[-1]))
    assert motions[1].outcome == "arrived"
    assert motions[1].root[-1] / size == pytest.approx(motions[0].root[-1], abs=off)
    found = looks(motions[1], 0.0).tolist()
    assert nearest_style(found, jobs[1], [style()]) == "walk"
