"""From the scene to a Job: what the panel's settings describe."""

from __future__ import annotations

from dataclasses import dataclass

import bpy
import numpy as np

from ...base.errors import DataError
from ...character.armature import Armature
from ...character.body import build_character
from ...character.model import Character
from ...control.registry import kind_of, preset
from ...job import MAX_SPEED, Job
from ...preset.preset import Preset
from ...world.path import Path
from ..base.frames import check_frames
from ..base.reading import metres, read_armature, read_path, sole_height, stretch_of
from .fields_plan import with_fields
from .gait_plan import GaitPlan, planned
from .mapping import character_object, mapping
from .mass import chosen_mass
from .pace import paced, within


@dataclass(frozen=True)
class Request:
    """A job, and what the user should know about how the scene was read."""

    job: Job
    notes: tuple[str, ...]


def read_request(context: bpy.types.Context, armature: bpy.types.Object | None = None) -> Request:
    """Return the job that an armature's walk describes, by default the panel's.

    Raises DataError or RigError that says what is missing or unusable.
    """
    context.view_layer.update()
    armature = armature or character_object(context)
    if armature is None:
        raise DataError("There is no character: select an armature.")
    _path_object(armature)  # what is missing is reported first, before the bones are looked at
    unit = metres(context.scene)
    rig = read_armature(armature, unit)
    character = build_character(rig, mapping(armature, unit), chosen_mass(armature, unit))
    return request_of(context, armature, rig, character)


def request_of(context: bpy.types.Context, armature: bpy.types.Object, rig: Armature, character: Character) -> Request:
    """Return the job that the scene describes for a character that is known. Raises as ``read_request`` does."""
    scene = context.scene
    settings, unit = armature.biped.walk, metres(scene)
    check_frames(settings.frame_start, settings.frame_start)
    if not 0.0 < settings.speed_mps <= MAX_SPEED:
        raise DataError(f"The speed is {settings.speed_mps:.4g} m/s; set one above 0, up to {MAX_SPEED:g}.")
    curve = _path_object(armature)
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
        speeds=plan.speeds,
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


def _path_object(armature: bpy.types.Object) -> bpy.types.Object:
    """Return the curve to walk along. Raises DataError when none is chosen."""
    curve: bpy.types.Object | None = armature.biped.walk.path
    if curve is None:
        raise DataError("There is no path: choose a curve, or press New Path.")
    return curve


def _plan(scene: bpy.types.Scene, armature: bpy.types.Object, style: Preset, character: Character) -> GaitPlan:
    """Return the gaits and speeds of the walk. Raises DataError for a speed that is too high."""
    if kind_of(style.controller).can.change:
        plan = planned(scene, armature, style, character)
    else:
        plan = GaitPlan(style, within(paced(armature.biped.pace, armature.biped.walk.speed_mps, character)[0]))
    return with_fields(plan, style, scene, armature, character)


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
