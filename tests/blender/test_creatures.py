"""Theropods that nobody here made walk as they stand in rest: trunk level, tail and head above the ground."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from blender_biped.base.spatial import Array
from blender_biped.character.body import build_character
from blender_biped.character.carrying import with_skin_carried
from blender_biped.character.model import Character
from blender_biped.motion.summary import ended
from blender_biped.simulate import simulate
from blender_biped.ui.bake.keyframes import bake
from blender_biped.ui.bake.looks import look_at
from blender_biped.ui.bake.sunk import sinking
from blender_biped.ui.base.reading import metres, read_armature
from blender_biped.ui.job.mapping import found_mapping
from tests.blender.scenes import open_shared_rig
from tools.rigs.judged import job_of

CREATURES = ("m2m_kaiju_trex.glb", "qs_Parasaurolophus.glb")
LEVEL = 35.0  # degrees above the horizontal: below it a theropod's trunk, mid-hip to neck, is in rest
WALKS = (("straight", 1), ("s-curve", 2), ("s-curve", 3))
NODS = 2.0  # degrees, of a standing and of a walking trunk's mean


def slopes(body: Character, origins: Array) -> Array:
    """Return how much the line from mid-hip to neck rises, degrees."""
    line = origins[..., body.index("head"), :] - origins[..., 0, :]
    return np.asarray(np.degrees(np.arctan2(line[..., 2], np.hypot(line[..., 0], line[..., 1]))))


@pytest.mark.long
@pytest.mark.parametrize("file", CREATURES)
def test_they_walk_as_they_stand(file: str) -> None:
    open_shared_rig(file)
    armature = next(thing for thing in bpy.data.objects if thing.type == "ARMATURE")
    bpy.context.view_layer.update()
    rig = read_armature(armature, metres(bpy.context.scene))
    body = build_character(rig, with_skin_carried(found_mapping(rig), rig), None)
    rest = float(slopes(body, body.standing()[0]))
    assert 0.0 < rest < LEVEL
    for path, seed in WALKS:
        job = job_of(rig, body, path, seed=seed)
        motion = simulate(job)
        assert ended(motion, job) == "arrived"
        steady = slice(len(motion.times) // 4, -len(motion.times) // 4)
        found = slopes(body, body.forward_kinematics(motion.root[steady], motion.rotations[steady]))
        assert abs(found.mean() - rest) < NODS
    done = bake(armature, motion)
    watcher = sinking(armature, body, job.floor)
    assert watcher is not None
    look_at(armature, done.frames, [watcher])
    assert watcher.sunk is None
