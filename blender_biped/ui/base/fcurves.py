"""The curves of actions, with slots or without."""

from __future__ import annotations

from typing import Any

import bpy

SLOTTED = bpy.app.version >= (4, 4, 0)
"""Whether this Blender's actions have slots."""


def curve_holder(action: Any, slot: Any) -> Any:
    """Return what holds an action's curves and groups for a slot, None where there is nothing.

    Before Blender 4.4 that is the action, and ``slot`` does not count.
    """
    if not SLOTTED:
        return action
    bags = [s.channelbag(slot) for layer in action.layers for s in layer.strips] if slot else []
    return next((bag for bag in bags if bag), None)


def keyed_curves(owner: Any) -> dict[str, Any]:
    """Return the curves, not muted, of an object's or scene's own action, by their data paths."""
    data = owner.animation_data
    if not data or not data.action:
        return {}
    holder = curve_holder(data.action, data.action_slot if SLOTTED else None)
    return {curve.data_path: curve for curve in holder.fcurves if not curve.mute} if holder else {}
