# SPDX-License-Identifier: GPL-3.0-or-later
"""The user's own characters, read from files as the panel reads them. Needs bpy."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import blender_biped
from blender_biped.character.armature import Armature
from blender_biped.character.model import Character
from blender_biped.character.standard import standard_armature
from tools.base.progress import Say
from tools.scene.files import chosen_armature

A_POSE = math.radians(40.0)
"""Of arms below the horizontal."""


def own_characters(armatures: Sequence[str], taken: Sequence[str], say: Say) -> dict[str, Character]:
    """Return the characters of FILE[:OBJECT] texts by names fit for files, none of those ``taken``.

    Raises BipedError when one cannot be read.
    """
    if not armatures:
        return {}
    import bpy

    from blender_biped.character.body import build_character
    from blender_biped.ui.base.reading import metres, read_armature
    from blender_biped.ui.job.mapping import mapping
    from blender_biped.ui.job.mass import chosen_mass

    found: dict[str, Character] = {}
    blender_biped.register()
    try:
        for text in armatures:
            armature = chosen_armature(text, say)
            bpy.context.view_layer.update()
            unit = metres(bpy.context.scene)
            body = build_character(read_armature(armature, unit), mapping(armature, unit), chosen_mass(armature, unit))
            name = free_name(armature.name, (*taken, *found))
            found[name] = replace(body, name=name)
    finally:
        blender_biped.unregister()
    return found


def standard_in_edit_mode(name: str) -> Any:
    """Return the standard adult in A-pose as a new armature object, facing -Y: active, and in Edit mode."""
    return in_edit_mode(name, standard_armature(arm_angle=A_POSE))


def in_edit_mode(name: str, body: Armature) -> Any:
    """Return an armature's bones as a new armature object in the scene: active, and in Edit mode."""
    import bpy

    data = bpy.data.armatures.new(name)
    armature = bpy.data.objects.new(name, data)
    bpy.context.scene.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    for bone in body.bones:
        made = data.edit_bones.new(bone.name)
        made.head, made.tail = bone.head, bone.tail
        made.align_roll(bone.matrix[:, 2])
        if bone.parent >= 0:
            made.parent = data.edit_bones[body.bones[bone.parent].name]
    return armature


def free_name(name: str, taken: Sequence[str]) -> str:
    """Return a name like ``name`` that is fit for a file and for ``--only`` and none of those ``taken``."""
    plain = re.sub(r"[^\w.+-]+", "-", name).strip("-.") or "character"
    names = (plain if k == 1 else f"{plain}-{k}" for k in range(1, len(taken) + 2))
    return next(n for n in names if n not in taken)
