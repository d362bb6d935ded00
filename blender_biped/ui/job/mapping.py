"""Which armature walks, and which of its bones are which body part."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import bpy

from ...character.armature import Armature
from ...character.carrying import root_above_hips, with_skin_carried
from ...character.controls import control_rig, controls_of
from ...character.mapping import UNSURE, RigMap, check_rig_map
from ...character.model import ROLES, Character, role_words
from ...character.roles import map_bones
from ...character.skin import Skin
from ..base.reading import read_armature
from ..settings.kept_mapping import chosen_axis, keep_rig_map, rig_map_of


def character_object(context: bpy.types.Context) -> Any:
    """Return the armature object that the panel is about, else None.

    The panel follows the selection: the active armature, the one that deforms the active mesh or left it as
    footprints, the one that walks along the active curve; else the one that the scene keeps, which is the last that
    something was done with.
    """
    active = context.view_layer.objects.active
    if active is not None:
        if active.type == "ARMATURE":
            return active
        if active.type == "MESH":
            laid = [own for own in characters(context.scene) if own.biped.footprints == active]
            found = active.find_armature() or next(iter(laid), None)
            if found:
                return found
        if active.type == "CURVE":
            walkers = [own for own in characters(context.scene) if own.biped.walk.path == active]
            if walkers:
                kept = context.scene.biped.armature
                return kept if kept in walkers else walkers[0]
    return _kept(context)


def _kept(context: bpy.types.Context) -> Any:
    """Return the armature that the scene keeps; where that is not to be seen, the only one that is."""
    kept = context.scene.biped.armature
    if kept is not None and kept.name in context.view_layer.objects:
        return kept
    there = [thing for thing in context.view_layer.objects if thing and thing.type == "ARMATURE"]
    if len(there) == 1:
        return there[0]
    return kept if kept is not None and kept.name in context.scene.objects else None  # one that is deleted is in none


def offered_path(context: bpy.types.Context, armature: bpy.types.Object) -> Any:
    """Return the curve that may be meant as a character's path: selected beside it, or active while it has none."""
    path, objects = armature.biped.walk.path, context.view_layer.objects
    if objects.active is not None and objects.active.type == "CURVE" and path is None:
        return objects.active
    beside = [thing for thing in objects.selected if thing.type == "CURVE" and thing != path]
    return beside[0] if armature in objects.selected[:] and len(beside) == 1 else None


def walk_of(context: bpy.types.Context) -> Any:
    """Return the walk's settings of the armature that the panel is about, else None."""
    armature = character_object(context)
    return armature.biped.walk if armature else None


def characters(scene: bpy.types.Scene) -> list[Any]:
    """Return the armatures of a scene that have a path to walk along."""
    return [thing for thing in scene.objects if thing.type == "ARMATURE" and thing.biped.walk.path]


def mapping(armature: bpy.types.Object, unit: float) -> RigMap:
    """Return the armature's mapping: the one that it keeps, else a fresh one; no skin is left behind. Raises RigError.

    A bone that carries the travel is no part of the pelvis, though it has skin.
    """
    kept, rig = rig_map_of(armature), read_armature(armature, unit)
    settings = armature.biped
    if kept is None:
        kept = replace(found_mapping(rig), forward=chosen_axis(settings.forward), up=chosen_axis(settings.up))
    check_rig_map(kept, rig)
    root = root_above_hips(rig, kept) if settings.root == "ROOT_BONE" else ""
    return with_skin_carried(kept, rig, (root,))


def found_mapping(rig: Armature) -> RigMap:
    """Return a fresh mapping, with the controls of a known control rig, and with all bones that have skin.

    Except for a root bone, which may carry the travel. Raises RigError.
    """
    found = map_bones(rig)
    found = replace(found, controls=controls_of([bone.name for bone in rig.bones], found.bones))
    return with_skin_carried(found, rig, (root_above_hips(rig, found),))


def skin_notes(carried: Mapping[str, str]) -> list[str]:
    """Return what was done for skin that the mapping would have left behind, in a line. carried: bone -> role."""
    if not carried:
        return []
    each = ", ".join(f"{name!r} with {role_words(role)}" for name, role in carried.items())
    return [f"These bones have skin and no body part, and move along: {each}."]


def loose_notes(skin: Skin) -> list[str]:
    """Return what is to be done about skin that no bone moves, in a line."""
    if not skin.loose:
        return []
    points = "1 point" if skin.loose == 1 else f"{skin.loose} points"
    return [
        f"{points} of the skin have no weights on a deforming bone and stay where they are: in Weight Paint mode, "
        "choose Weights > Assign Automatic from Bones, or paint them."
    ]


def kept_doubts(armature: bpy.types.Object) -> tuple[str, ...]:
    """Return what is doubtful in the mapping that an armature keeps, and that it is not sure, for the next bake.

    Nothing where a user picked bones by hand: who did has seen the doubts above the table.
    """
    kept = rig_map_of(armature)
    if kept is None or any(part.picked for part in armature.biped.parts):
        return ()
    unsure = [f"The mapping of its bones is not sure ({100.0 * kept.confidence:.0f} %): check it with Show Body."]
    return (*(unsure if kept.confidence < UNSURE else []), *kept.doubts)


def keep_found(armature: bpy.types.Object, found: RigMap, character: Character) -> tuple[str, ...]:
    """Keep a mapping that was found on the way, and the usual mass; return what the user should know of it."""
    keep_rig_map(armature, found)
    keep_mass(armature, character)
    notes = [f"Its bones were mapped: {found.convention}, {len(found.bones)} of {len(ROLES)} body parts found."]
    return (*notes, *found.doubts)


def keep_mass(armature: bpy.types.Object, character: Character) -> None:
    """Show what a character weighs, unless that is measured."""
    if armature.biped.mass_from != "MESH":
        armature.biped.mass_kg = character.mass


def has_controls(armature: bpy.types.Object) -> bool:
    """Return whether the armature's bones are mapped and it is a control rig that is known."""
    found = rig_map_of(armature)
    known = found is not None and control_rig(armature.data.bones.keys(), found.bones) is not None
    return found is not None and known and bool(found.controls)
