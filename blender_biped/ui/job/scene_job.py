"""From the scene to a Job: what the panel's settings ask for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import bpy
import numpy as np

from ...base.errors import DataError
from ...character.armature import Armature
from ...character.body import build_character
from ...character.controls import control_rig, controls_of
from ...character.mapping import RigMap, check_rig_map
from ...character.model import Character
from ...character.roles import map_bones
from ...control.registry import kind_of
from ...job import Job
from ...klaw.walk import NAME
from ...preset.preset import Preset, preset
from ...world.path import Path
from ..base.pace import paced, within
from ..base.reading import metres, read_armature, read_path, sole_height, stretch_of
from ..settings.kept_mapping import rig_map_of, told_axis
from .gait_plan import Plan, planned
from .klaw_plan import with_settings
from .mass import chosen_mass


@dataclass(frozen=True)
class Request:
    """A job, and what the user should know about how the scene was read."""

    job: Job
    notes: tuple[str, ...]


def character_object(context: bpy.types.Context) -> Any:
    """Return the armature object that the panel is about: the chosen one, else the active one, else None."""
    chosen = context.scene.biped.armature
    if chosen:
        return chosen
    active = context.view_layer.objects.active
    return active if active and active.type == "ARMATURE" else None


def mapping(armature: bpy.types.Object, unit: float) -> RigMap:
    """Return the armature's mapping: the one that it keeps, else a fresh one. Raises RigError."""
    kept, rig = rig_map_of(armature), read_armature(armature, unit)
    if kept is None:
        settings = armature.biped
        return replace(found_mapping(rig), forward=told_axis(settings.forward), up=told_axis(settings.up))
    check_rig_map(kept, rig)
    return kept


def found_mapping(rig: Armature) -> RigMap:
    """Return a fresh mapping, with the controls of a known control rig. Raises RigError."""
    found = map_bones(rig)
    return replace(found, controls=controls_of([bone.name for bone in rig.bones], found.bones))


def has_controls(armature: bpy.types.Object) -> bool:
    """Return whether the armature's bones are mapped and it is a control rig that is known."""
    found = rig_map_of(armature)
    known = found is not None and control_rig(armature.data.bones.keys(), found.bones) is not None
    return found is not None and known and bool(found.controls)


def read_request(context: bpy.types.Context) -> Request:
    """Return the job that the scene describes.

    Raises DataError or RigError that says what is missing or unusable.
    """
    context.view_layer.update()
    armature = character_object(context)
    if armature is None:
        raise DataError("There is no character: choose an armature in the Character panel.")
    _path_object(context)  # what is missing is said first, before the bones are looked at
    unit = metres(context.scene)
    rig = read_armature(armature, unit)
    character = build_character(rig, mapping(armature, unit), chosen_mass(armature, unit))
    return request_of(context, armature, rig, character)


def request_of(context: bpy.types.Context, armature: bpy.types.Object, rig: Armature, character: Character) -> Request:
    """Return the job that the scene describes for a character that is known. Raises as ``read_request`` does."""
    scene = context.scene
    settings, unit = scene.biped, metres(scene)
    curve = _path_object(context)
    style = preset(settings.controller_name, settings.preset_name)
    plan = _plan(scene, armature, style, character)
    drawn, notes = read_path(curve, context.evaluated_depsgraph_get(), unit, settings.reverse, settings.laps)
    start = settings.start * unit
    if start >= drawn.length:
        raise DataError(
            f"The start offset ({start:.2f} m) is not before the path's end ({drawn.length:.2f} m): make it smaller."
        )
    path = _without_stretch(drawn, armature)
    job = Job(
        character=character,
        path=path,
        preset=plan.first,
        speed=plan.speed,
        start=start * path.length / drawn.length,
        stop=settings.stop,
        ground=sole_height(rig, character),
        duration=plan.duration,
        gravity=paced(armature.biped.pace, settings.speed_mps, character)[1],
        cues=plan.cues,
        ending=plan.ending if settings.stop else (),
        facing=_facing(armature, settings) if kind_of(style.controller).can.face_aside else 0.0,
        step_width=settings.step_width_m if kind_of(style.controller).can.face_aside else 0.0,
    )
    return Request(job, (*notes, *plan.notes))


def _path_object(context: bpy.types.Context) -> bpy.types.Object:
    """Return the curve to walk along. Raises DataError when none is chosen."""
    if context.scene.biped.path is None:
        raise DataError("There is no path: choose a curve in the Path panel.")
    return context.scene.biped.path


def _plan(scene: bpy.types.Scene, armature: bpy.types.Object, style: Preset, character: Character) -> Plan:
    """Return the gaits and speeds of the walk. Raises DataError for a speed that is too high."""
    if style.controller == NAME:
        plan = planned(scene, armature, style, character)
        return with_settings(plan, style, scene, armature.biped.pace, character)
    if kind_of(style.controller).can.change:
        return planned(scene, armature, style, character)
    speed, _ = paced(armature.biped.pace, scene.biped.speed_mps, character)
    return Plan(style, within(speed))


def _facing(armature: bpy.types.Object, settings: bpy.types.PropertyGroup) -> float:
    """Return where the character looks, rad to the left of where it goes, as it is simulated."""
    mirrored = np.linalg.det(stretch_of(armature)) < 0.0  # then it is shown the other way round
    return -settings.facing if mirrored else settings.facing


def _without_stretch(path: Path, armature: bpy.types.Object) -> Path:
    """Return a path as the character finds it in the world without its object's stretch."""
    stretch = stretch_of(armature)
    if np.array_equal(stretch, np.eye(3)):
        return path
    return Path(path.source @ np.linalg.inv(stretch[:2, :2]).T, path.closed, path.laps)
