"""An action on an armature as a motion, or the poses in it: what a style is made of."""

from __future__ import annotations

import math
from collections.abc import Sequence

import bpy
import numpy as np

from ...base.errors import DataError
from ...base.spatial import continuous, matrix_quaternion, nearest_rotations, quaternion_matrix
from ...character.body import build_character
from ...motion.motion import RATE, Motion
from ..base.fcurves import LAST_FRAME, curves_of
from ..base.frames import frame_kept, show_frame
from ..base.reading import frame_rate, metres, read_armature, stretch_of, unstretched
from .mapping import mapping
from .mass import chosen_mass

_LONGEST = 30.0  # s that are read: a few strides are enough
_MOST_POSES = 60  # keyed frames that are taken for poses; more are a motion


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
    rate = frame_rate(context.scene)
    first, last = _frame_range(action)
    last = min(last, first + math.floor(_LONGEST * rate))
    if last - first < 0.5 * rate:
        raise DataError(f"The action {action.name} is shorter than half a second: choose one with a walk.")
    read = _read(context, armature, action.name, range(first, last + 1))
    return read.sampled(np.arange(int(read.duration * RATE + 1e-2) + 1) / RATE)


def posed_motion(context: bpy.types.Context, armature: bpy.types.Object) -> Motion:
    """Return the poses of an armature that its active action marks, as a motion that has these samples alone.

    The scene's current frame is set back afterwards. Raises DataError or RigError that says what is missing.
    """
    action = action_of(armature)
    if action is None:
        raise DataError(f"{armature.name} has no action: key its poses, at the frames where they are to be reached.")
    frames = pose_frames(armature)
    if len(frames) < 2:
        raise DataError(
            f"The action {action.name} has {len(frames)} poses: key two at least, or mark them by pose markers, from "
            "one foot strike on."
        )
    return _read(context, armature, action.name, frames)


def pose_frames(armature: bpy.types.Object) -> list[int]:
    """Return the frames of an armature's poses: those of its action's pose markers, else those with keys of bones."""
    action = action_of(armature)
    if action is None:
        return []
    marked = sorted({mark.frame for mark in action.pose_markers})
    if len(marked) >= 2:
        return marked
    curves = curves_of(armature, "pose.bones").values()
    frames = (key.co[0] for curve in curves for key in curve.keyframe_points)
    return sorted({round(frame) for frame in frames if abs(frame) <= LAST_FRAME})[: _MOST_POSES + 1]


def _frame_range(action: bpy.types.Action) -> tuple[int, int]:
    """Return the first and the last frame of an action. Raises DataError where keys are at no frame of Blender's."""
    first, last = action.frame_range
    if not (abs(first) <= LAST_FRAME and abs(last) <= LAST_FRAME):
        raise DataError(f"The action {action.name} has a key at no frame: delete it in the Graph Editor.")
    return int(first), int(last)


def _read(context: bpy.types.Context, armature: bpy.types.Object, name: str, frames: Sequence[int]) -> Motion:
    """Return how an armature is posed at some frames, as Blender shows it. name: of its action."""
    if armature.data.pose_position == "REST":
        raise DataError("The armature shows its rest position: choose Pose Position in its data properties.")
    scene, rate = context.scene, frame_rate(context.scene)
    unit = metres(scene)
    character = build_character(read_armature(armature, unit), mapping(armature, unit), chosen_mass(armature, unit))
    names = [link.bones[0] if link.bones else "" for link in character.links]
    bones, back = armature.data.bones, unstretched(stretch_of(armature))
    resting = {n: np.array(bones[n].matrix_local.to_3x3()).T for n in names if n}
    rests = [quaternion_matrix(link.rest) for link in character.links]
    turns = np.tile(np.eye(3), (len(frames), len(names), 1, 1))
    heads = np.empty((len(frames), 3))
    with frame_kept(scene):
        for i, frame in enumerate(frames):
            show_frame(scene, frame)
            posed = armature.evaluated_get(context.evaluated_depsgraph_get())
            world = back @ np.array(posed.matrix_world)
            for k, bone in enumerate(names):
                if bone:
                    matrix = world @ np.array(posed.pose.bones[bone].matrix)
                    turns[i, k] = nearest_rotations(matrix[:3, :3]) @ resting[bone] @ rests[k]
                else:
                    turns[i, k] = turns[i, character.links[k].parent]
            heads[i] = unit * (world @ np.array(posed.pose.bones[names[0]].matrix))[:3, 3]
    if not (np.isfinite(turns).all() and np.isfinite(heads).all()):
        raise DataError(f"The action {name} has places or turns that are not finite numbers; correct them.")
    root = heads - turns[:, 0] @ np.array(character.hip_bone_offset)
    count = len(root)
    return Motion(
        character=character, times=(np.array(frames) - frames[0]) / rate, root=root,
        rotations=continuous(matrix_quaternion(turns)), loads=np.zeros((count, 2)),
        torques=np.zeros((count, len(names), 3)), strikes=np.empty((0, 2)), lifts=np.empty((0, 2)),
        command=np.zeros((count, 3)), cpu=0.0, outcome="time",
    )  # fmt: skip
