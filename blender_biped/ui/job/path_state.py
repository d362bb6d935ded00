"""What is wrong with the curve that a character is to walk along, before it is read."""

from __future__ import annotations

from typing import Any

import bpy


def path_trouble(armature: Any, scene: bpy.types.Scene, view_layer: bpy.types.ViewLayer) -> str:
    """Return why a character cannot walk along its curve, and what to do; "" where it can. A hidden curve is fine."""
    curve = armature.biped.walk.path
    if curve is None:
        return "Choose a curve to walk along, or press New Path"
    if curve.type != "CURVE":
        return f"{curve.name!r} is no longer a curve: choose another one, or press New Path"
    if view_layer.objects.get(curve.name) == curve:
        return ""
    scenes = curve.users_scene
    if not scenes:
        return f"The curve {curve.name!r} was deleted: choose another one, or press New Path"
    if scene not in scenes:
        return (
            f"The curve {curve.name!r} is in another scene, {scenes[0].name!r}: link it to this one, or choose another"
        )
    names = ", ".join(repr(own.name) for own in curve.users_collection)
    return f"The curve {curve.name!r} is not in this view layer: include its collection, {names}"
