"""Fingers that nothing moves get the pose of a relaxed hand."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import bpy
import numpy as np

from ...base.spatial import IDENTITY, Array
from ...character.fingers import curled, fingers_of
from ...character.model import SIDES, Character
from ..base.fcurves import SLOTTED, curve_holder
from ..base.reading import metres, read_armature
from .action import layered_paths
from .channels import Channel, rotation_channel
from .influences import Influences
from .rig import ROTATIONS, bone_path
from .written import LastBake, last_bake

_MOVED = 0.02  # rad or the like: what differs less from rest is no pose


def relaxed(
    armature: bpy.types.Object, character: Character, influences: Influences, kept: Collection[str]
) -> tuple[list[Channel], frozenset[str]]:
    """Return one key for each finger bone, and the finger bones that keep a pose or an animation of their own.

    kept: bones that are not to be baked. Fingers that constraints or drivers move are left to these.
    """
    rig = read_armature(armature, metres(bpy.context.scene))
    last = last_bake(armature)
    keyed, layered = _keyed(armature, last), layered_paths(armature)
    if last and last.strip:
        layered -= last.paths
    channels: list[Channel] = []
    own: set[str] = set()
    for side in SIDES:
        if not (character.has(f"hand.{side}") and character.has(f"forearm.{side}")):
            continue
        hands, forearms = (character.links[character.index(f"{part}.{side}")].bones for part in ("hand", "forearm"))
        if not hands or not forearms or not set(hands).isdisjoint(kept):
            continue
        fingers = fingers_of(rig, hands[0], forearms[0], side)
        free = []
        for finger in fingers:
            bones = [armature.pose.bones[name] for name in finger.bones]
            if any(influences.move(b.name) or b.name in character.first_bones for b in bones):
                continue
            if any(_has_own(bone, keyed, layered) for bone in bones):
                own.update(finger.bones)
            else:
                free.append(finger)
        turns = curled(rig, hands[0], side, fingers)
        for name in [name for finger in free for name in finger.bones if name in turns]:
            channels.append(_channel(armature.pose.bones[name], turns[name]))
    return channels, frozenset(own)


def _channel(bone: Any, turn: Array) -> Channel:
    made = rotation_channel(f"{bone_path(bone.name)}.", bone.name, bone.rotation_mode, turn[None])
    return Channel(made.data_path, made.group, made.values, held=True)


def _has_own(bone: Any, keyed: dict[str, bool], layered: Collection[str]) -> bool:
    """Return whether a bone has a pose or an animation that no bake gave it."""
    paths = [f"{bone_path(bone.name)}.{name}" for name in ("location", *ROTATIONS, "scale")]
    if any(path in layered for path in paths):
        return True
    if any(path in keyed for path in paths):
        return any(keyed.get(path, False) for path in paths)
    return bool(np.abs(np.array(bone.matrix_basis) - np.eye(4)).max() > _MOVED)


def _keyed(armature: bpy.types.Object, last: LastBake | None) -> dict[str, bool]:
    """Return the data paths of the armature's present action, and whether each leaves rest and no bake wrote it."""
    data = armature.animation_data
    holder = curve_holder(data.action, data.action_slot if SLOTTED else None) if data and data.action else None
    found: dict[str, bool] = {}
    for curve in holder.fcurves if holder else ():
        written = last is not None and last.strip is None and curve.data_path in last.paths
        found[curve.data_path] = found.get(curve.data_path, False) or (not written and _leaves_rest(curve))
    return found


def _leaves_rest(curve: Any) -> bool:
    """Return whether a curve of a bone ever differs from rest."""
    rest = 0.0
    if curve.data_path.endswith("scale"):
        rest = 1.0
    elif curve.data_path.endswith("rotation_quaternion"):
        rest = float(IDENTITY[curve.array_index])
    elif curve.data_path.endswith("rotation_axis_angle") and curve.array_index > 0:
        return False  # the axis, about which it may not turn at all
    places = np.empty(2 * len(curve.keyframe_points))
    curve.keyframe_points.foreach_get("co", places)
    return bool(len(places)) and bool(np.abs(places[1::2] - rest).max() > _MOVED)
