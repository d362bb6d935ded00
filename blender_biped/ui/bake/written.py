"""What a bake wrote, kept with its action: a later bake replaces just that, unless somebody has changed it since."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np

from ...motion import gait_events
from ..base.fcurves import SLOTTED, curve_holder

_BY_HAND = np.array([True, False, False, True, False])  # by a handle's type: whether it is set, not from the keys


@dataclass(frozen=True)
class LastBake:
    """The last bake of an armature: its action, the slot in it (None before Blender 4.4), the data paths of its curves.

    strip: the NLA strip that plays it, None where it is the armature's active action.
    """

    action: Any
    slot: Any
    paths: frozenset[str]
    strip: Any = None


def keep_written(action: Any, slot: Any, paths: Collection[str]) -> None:
    """Keep with an action what a bake wrote to it."""
    kept = action.biped
    kept.written = "\n".join(sorted(paths))
    kept.slot = slot.identifier if slot else ""
    kept.digest = _digest(_curves(action, slot, paths))


def last_bake(armature: bpy.types.Object) -> LastBake | None:
    """Return the bake that the armature plays: its active action's, else that of the topmost NLA strip that has one."""
    data = armature.animation_data
    if data is None:
        return None
    found = _written(data.action, data) if data.action else None
    if found or not data.use_nla:
        return found
    for track in reversed(data.nla_tracks):
        for strip in track.strips if not track.mute else ():
            found = _written(strip.action, strip) if strip.action and not strip.mute else None
            if found:
                return found
    return None


def why_kept(written: LastBake, armature: bpy.types.Object, paths: Collection[str]) -> str:
    """Return why a bake must not be replaced by one of ``paths``, as the end of a sentence; "" where it may."""
    action = written.action
    if not action.is_editable or action.override_library:
        return "it is linked from another file"
    if action.asset_data:
        return "it is an asset"
    others = [o.name for o in bpy.data.objects if o != armature and _plays(o, action)]
    if others:
        return f"{others[0]!r} uses it too"
    if _digest(_curves(action, written.slot, written.paths)) != action.biped.digest:
        return "its keys were changed since it was baked"
    own = {c.data_path for c in curve_holder(action, written.slot).fcurves} - written.paths
    if own & set(paths):
        return "it has keys of your own where the new walk needs them"
    return ""


def forget_marks(action: Any) -> None:
    """Take the foot strike markers of an earlier bake away."""
    for marker in [m for m in action.pose_markers if m.name in gait_events.SIDES]:
        action.pose_markers.remove(marker)


def _written(action: Any, player: Any) -> LastBake | None:
    """Return what a bake wrote to an action, None where there is none, or another slot plays than it wrote to."""
    kept = action.biped
    if not kept.written or not kept.digest:
        return None
    slot = player.action_slot if SLOTTED else None
    if SLOTTED and (slot is None or slot.identifier != _own_slot(action)):
        return None
    if curve_holder(action, slot) is None:
        return None
    strip = player if isinstance(player, bpy.types.NlaStrip) else None
    return LastBake(action, slot, frozenset(kept.written.split("\n")), strip)


def _own_slot(action: Any) -> str:
    """Return the identifier of the slot that a bake wrote to: of an action without any, that which Blender gave it."""
    return action.biped.slot or action.slots[0].identifier


def _plays(owner: Any, action: Any) -> bool:
    """Return whether an object's animation has an action."""
    data = owner.animation_data
    if not data:
        return False
    return data.action == action or any(s.action == action for track in data.nla_tracks for s in track.strips)


def _curves(action: Any, slot: Any, paths: Collection[str]) -> list[Any]:
    return [curve for curve in curve_holder(action, slot).fcurves if curve.data_path in paths]


def _digest(curves: Iterable[Any]) -> str:
    """Return a digest of curves: their keys, handles that are set, and what changes how they play."""
    made = hashlib.blake2b(digest_size=16)
    for curve in sorted(curves, key=lambda c: (c.data_path, c.array_index)):
        keys = curve.keyframe_points
        count = len(keys)
        modifiers = [(m.type, m.mute) for m in curve.modifiers]
        made.update(
            repr((curve.data_path, curve.array_index, count, curve.mute, curve.extrapolation, modifiers)).encode()
        )
        for name in ("interpolation", "handle_left_type", "handle_right_type"):
            numbers = np.empty(count, dtype=np.int32)
            keys.foreach_get(name, numbers)
            made.update(numbers.tobytes())
        places = np.empty((count, 2), dtype=np.float32)
        keys.foreach_get("co", places.ravel())
        made.update(places.tobytes())
        for name in ("handle_left", "handle_right"):
            kinds = np.empty(count, dtype=np.int32)
            keys.foreach_get(f"{name}_type", kinds)
            keys.foreach_get(name, places.ravel())
            made.update(np.round(places[_BY_HAND[kinds]], 3).tobytes())
    return made.hexdigest()
