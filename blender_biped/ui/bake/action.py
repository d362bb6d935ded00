"""Channels to a Blender action, with slots or without."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ..base.fcurves import SLOTTED
from .channels import Channel


def new_action(armature: bpy.types.Object, frames: NDArray[np.int_], channels: Sequence[Channel]) -> bpy.types.Action:
    """Return a new action with all keys, not yet used by anything."""
    action = bpy.data.actions.new(f"{armature.name} Walk")
    try:
        curves = _curves(action, armature)
        groups = {name: curves.groups.new(name) for name in dict.fromkeys(c.group for c in channels)}
        points = np.empty((len(frames), 2), dtype=np.float32)
        points[:, 0] = frames
        for channel in channels:
            count = 1 if channel.held else len(frames)
            for index, column in zip(channel.indices, channel.values.T, strict=True):
                curve = curves.fcurves.new(channel.data_path, index=index)
                curve.group = groups[channel.group]
                points[:count, 1] = column
                # New keys are Bezier with automatic, clamped handles: exact at frames, smooth between them.
                curve.keyframe_points.add(count)
                curve.keyframe_points.foreach_set("co", points[:count].ravel())
                if channel.held:
                    curve.keyframe_points[0].interpolation = "CONSTANT"
                curve.update()
    except BaseException:
        bpy.data.actions.remove(action)
        raise
    return action


def assign(armature: bpy.types.Object, action: bpy.types.Action) -> None:
    """Let the action play. The action before it stays in the file."""
    data = armature.animation_data or armature.animation_data_create()
    before = data.action
    if before and before.users <= 1 and not before.library:
        before.use_fake_user = True
    data.action = action
    if SLOTTED:
        data.action_slot = action.slots[0]
    data.action_blend_type, data.action_influence, data.action_extrapolation = "REPLACE", 1.0, "HOLD"


def layered_paths(armature: bpy.types.Object) -> set[str]:
    """Return the data paths that the armature's NLA strips move."""
    data = armature.animation_data
    if not data or not data.use_nla:
        return set()
    strips = [strip for track in data.nla_tracks if not track.mute for strip in track.strips if not strip.mute]
    return {curve.data_path for strip in strips if strip.action for curve in _all_curves(strip.action)}


def _all_curves(action: bpy.types.Action) -> list[Any]:
    if not SLOTTED:
        return list(action.fcurves)
    return [c for layer in action.layers for s in layer.strips for bag in s.channelbags for c in bag.fcurves]


def _curves(action: bpy.types.Action, armature: bpy.types.Object) -> Any:
    """Return what holds the curves and groups of a new action: its slot's channel bag where Blender has slots."""
    if not SLOTTED:
        return action
    slot = action.slots.new(id_type="OBJECT", name=armature.name)
    strip = action.layers.new("Layer").strips.new(type="KEYFRAME")
    return strip.channelbag(slot, ensure=True)
