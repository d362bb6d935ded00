"""Files that were saved by an earlier version: a walk's settings were its scene's, and there were no sliders."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.app.handlers import persistent

from ..base.fcurves import KEYED, SLOTTED, copy_curve, curve_holder
from .fields import fill_missing
from .speed_rule import rule_of
from .stored import put, stored
from .walk_properties import BIPED_PG_walk


@persistent  # type: ignore[untyped-decorator]
def brought_up_to_date(*_: Any) -> None:
    """Bring what was read up to date: as Blender calls it after a file was opened."""
    for scene in bpy.data.scenes:
        if not scene.library:
            _give_to_characters(scene)
    for thing in bpy.data.objects:
        if thing.type == "ARMATURE" and not thing.library:
            fill_missing(thing.biped.walk)


def _give_to_characters(scene: bpy.types.Scene) -> None:
    """Give the settings that an older scene keeps to its characters, and its path to the one that it was about."""
    kept = stored(scene, make=False)
    names = [name for name in (kept.keys() if kept else ()) if name in BIPED_PG_walk.__annotations__]
    if not names:
        return
    chosen = scene.biped.armature or _only(scene)
    for armature in {thing for thing in (chosen, *scene.objects) if thing and thing.type == "ARMATURE"}:
        own = None if armature.library else stored(armature, make=True)
        if own is None or _is_set(own) or not (armature == chosen or armature.biped.parts):
            continue
        given = {name: kept[name] for name in names if name != "path" or armature == chosen}
        put(own, {"walk": given})
        if armature == chosen:
            _move_keys(scene, armature)
    for name in names:
        del kept[name]


def _is_set(own: Any) -> bool:
    """Return whether something of the walk itself was set for a character."""
    walk = own.get("walk")
    return hasattr(walk, "to_dict") and any(name in walk for name in ("path", "controller_name", "preset_name"))


def _only(scene: bpy.types.Scene) -> bpy.types.Object | None:
    """Return the scene's only character, None where there are none or several."""
    found = [thing for thing in scene.objects if thing.type == "ARMATURE" and thing.biped.parts]
    return found[0] if len(found) == 1 else None


def _move_keys(scene: bpy.types.Scene, armature: bpy.types.Object) -> None:
    """Move the keys of a walk's settings from the scene's action to the armature's."""
    data = scene.animation_data
    source: Any = curve_holder(data.action, data.action_slot if SLOTTED else None) if data and data.action else None
    for curve in list(source.fcurves) if source is not None else ():
        head, _, name = curve.data_path.partition(".")
        if head == "biped" and name.partition(".")[0] in BIPED_PG_walk.__annotations__:
            if armature.keyframe_insert(KEYED + name):  # makes the action where there is none
                own: Any = armature.animation_data
                into: Any = curve_holder(own.action, own.action_slot if SLOTTED else None)
                into.fcurves.remove(into.fcurves.find(KEYED + name))
                copy_curve(curve, into, KEYED + name)
                if name == "speed":
                    _scale_values(into.fcurves.find(KEYED + name), rule_of(armature.biped.walk).factor)
            source.fcurves.remove(curve)


def _scale_values(curve: Any, factor: float) -> None:
    """Multiply a curve's values: speeds were keyed as those of an adult, and are the character's own now."""
    for point in curve.keyframe_points:
        point.co.y, point.handle_left.y, point.handle_right.y = (
            factor * place.y for place in (point.co, point.handle_left, point.handle_right)
        )
    curve.update()
