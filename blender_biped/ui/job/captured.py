"""An action on an armature as a motion: what a style is made of."""

from __future__ import annotations

import math

import bpy
import numpy as np

from ...base.errors import DataError
from ...base.spatial import continuous, matrix_quaternion, nearest_rotations, quaternion_matrix
from ...character.body import build_character
from ...motion.motion import RATE, Motion
from ..base.reading import frame_rate, metres, read_armature, stretch_of, unstretched
from .mapping import mapping
from .mass import chosen_mass

_LONGEST = 30.0  # s that are read: a few strides are enough


def action_of(armature: bpy.types.Object) -> bpy.types.Action | None:
    """Return the active action of an armature, None where it has none."""
    data = armature.animation_data
    return data.action if data else None


def action_motion(context: bpy.types.Context, armature: bpy.types.Object) -> Motion:
    """Return how an armature moves over the frames of its active action, at RATE, as Blender shows it.

    The scene's current frame is set back afterwards. Raises DataError or RigError that says what is missing.
    """
    action = action_of(armature)
    if action is None:
        raise DataError(f"{armature.name} has no action: choose one with a walk in the Action Editor.")
    if armature.data.pose_position == "REST":
        raise DataError("The armature shows its rest position: choose Pose Position in its data properties.")
    scene, rate = context.scene, frame_rate(context.scene)
    first, last = (int(frame) for frame in action.frame_range)
    last = min(last, first + math.floor(_LONGEST * rate))
    if last - first < 0.5 * rate:
        raise DataError(f"The action {action.name} is shorter than half a second: choose one with a walk.")
    unit = metres(scene)
    character = build_character(read_armature(armature, unit), mapping(armature, unit), chosen_mass(armature, unit))
    names = [link.bones[0] if link.bones else "" for link in character.links]
    bones, back = armature.data.bones, unstretched(stretch_of(armature))
    resting = {n: np.array(bones[n].matrix_local.to_3x3()).T for n in names if n}
    rests = [quaternion_matrix(link.rest) for link in character.links]
    turns = np.tile(np.eye(3), (last - first + 1, len(names), 1, 1))
    heads = np.empty((last - first + 1, 3))
    current, subframe = scene.frame_current, scene.frame_subframe
    try:
        for i in range(last - first + 1):
            scene.frame_set(first + i)
            posed = armature.evaluated_get(context.evaluated_depsgraph_get())
            world = back @ np.array(posed.matrix_world)
            for k, name in enumerate(names):
                if name:
                    matrix = world @ np.array(posed.pose.bones[name].matrix)
                    turns[i, k] = nearest_rotations(matrix[:3, :3]) @ resting[name] @ rests[k]
                else:
                    turns[i, k] = turns[i, character.links[k].parent]
            heads[i] = unit * (world @ np.array(posed.pose.bones[names[0]].matrix))[:3, 3]
    finally:
        scene.frame_set(current, subframe=subframe)
    if not (np.isfinite(turns).all() and np.isfinite(heads).all()):
        raise DataError(f"The action {action.name} has places or turns that are not finite numbers; correct them.")
    root = heads - turns[:, 0] @ np.array(character.hip_bone_offset)
    count = len(root)
    read = Motion(
        character=character, times=np.arange(count) / rate, root=root,
        rotations=continuous(matrix_quaternion(turns)), loads=np.zeros((count, 2)),
        torques=np.zeros((count, len(names), 3)), strikes=np.empty((0, 2)), lifts=np.empty((0, 2)),
        command=np.zeros((count, 3)), cpu=0.0, outcome="time",
    )  # fmt: skip
    return read.sampled(np.arange(int(read.duration * RATE + 1e-2) + 1) / RATE)
