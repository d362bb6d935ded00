"""What carries an armature object: its parents and constraints, frame by frame."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import bpy
import numpy as np

from ...base.errors import RigError
from ...base.spatial import Array
from ..base.frames import frame_kept, show_frame
from ..base.reading import flat_text


def parent_spaces(armature: bpy.types.Object, scene: bpy.types.Scene, frames: Array) -> Generator[float, None, Array]:
    """Return what carries the object's own transform into the world (F, 4, 4), at each of the animation's frames (F,).

    Plays the scene through when a parent or a constraint may move the object, and yields the share that is done.
    """
    if not is_carried(armature):
        return np.broadcast_to(parent_space(armature), (len(frames), 4, 4))
    spaces = np.empty((len(frames), 4, 4))
    with frame_kept(scene):
        for i, frame in enumerate(frames):
            show_frame(scene, float(frame))
            spaces[i] = parent_space(armature)
            yield (i + 1) / len(frames)
    return spaces


def parent_space(armature: bpy.types.Object) -> Array:
    """Return what carries the object's own transform into the world (4, 4), now.

    Raises RigError for an object without size: one that is hidden may have got it since it was last evaluated.
    """
    try:
        own = np.linalg.inv(np.array(armature.matrix_basis, dtype=float))
    except np.linalg.LinAlgError:
        raise RigError(flat_text(armature)) from None
    return np.asarray(np.array(armature.matrix_world, dtype=float) @ own, dtype=np.float64)


def is_carried(armature: bpy.types.Object) -> bool:
    """Return whether something other than the object's own action may move it."""
    at: Any = armature
    while at:
        if at.constraints or _hangs_on_what_moves(at):
            return True
        at = at.parent
    return False


def _hangs_on_what_moves(thing: bpy.types.Object) -> bool:
    """Return whether an object's parent may move, or what of it the object hangs on."""
    parent, how = thing.parent, thing.parent_type
    if parent is None:
        return False
    if parent.animation_data or parent.constraints or parent.rigid_body:
        return True
    if how == "BONE":
        return any(bone.constraints for bone in parent.pose.bones)
    data = parent.data
    if how in ("VERTEX", "VERTEX_3"):
        return bool(parent.modifiers or getattr(data, "shape_keys", None) or data.animation_data)
    return parent.type == "CURVE" and bool(data.use_path and data.animation_data)
