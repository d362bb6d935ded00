"""A baked walk that fell, trimmed: its action ends with the last whole step before."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np

from ...base.errors import RigError
from ...motion import gait_events
from ..base.fcurves import curve_holder, held_frame
from .layers import fit_strip
from .scene_end import end_with
from .written import keep_written, last_bake


def trim(armature: bpy.types.Object, scene: bpy.types.Scene) -> int:
    """End the walk that an armature plays with its last whole step before the fall; return that frame.

    The scene's end comes back as for a shorter walk. Raises RigError where there is no such walk or step, or its action
    cannot be changed.
    """
    last = last_bake(armature)
    if last is None or not last.action.biped.is_property_set("upright_frame"):
        raise RigError("The walk has no whole step before the fall: bake it again.")
    action, frame = last.action, last.action.biped.upright_frame
    if not action.is_editable:
        raise RigError(f"The action {action.name!r} is linked from another file and cannot be trimmed.")
    curves = [curve for curve in curve_holder(action, last.slot).fcurves if curve.data_path in last.paths]
    first = min(int(held_frame(curve.keyframe_points[0].co[0])) for curve in curves if len(curve.keyframe_points))
    for curve in curves:
        _cut(curve, frame)
    for marker in [m for m in action.pose_markers if m.frame > frame and m.name in gait_events.SIDES]:
        action.pose_markers.remove(marker)
    if action.use_frame_range:
        action.frame_end = min(action.frame_end, float(frame))
    keep_written(action, last.slot, last.paths)
    if last.strip:
        fit_strip(last.strip, first, frame, last.strip.repeat)
    if armature.biped.walk.extend:
        end_with(scene, armature, frame)
    action.biped.fall_settled = True
    scene.frame_set(scene.frame_current, subframe=scene.frame_subframe)
    return int(frame)


def _cut(curve: Any, frame: int) -> None:
    """Take the keys after a frame from a curve, which has the same value at the frame as before."""
    keys = curve.keyframe_points
    places = np.empty(2 * len(keys))
    keys.foreach_get("co", places)
    at = places[::2]
    if len(at) == 0 or at[-1] <= frame:
        return
    if at[0] < frame and not np.isclose(at, frame).any():
        keys.insert(frame, curve.evaluate(frame))
    while len(keys) > 1 and keys[-1].co[0] > frame + 0.5:
        keys.remove(keys[-1], fast=True)
    curve.update()
