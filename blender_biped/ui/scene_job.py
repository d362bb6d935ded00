"""From the scene to a Job: what the panel's settings ask for."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import bpy
import numpy as np

from ..character.armature import Armature
from ..character.body import build_character
from ..character.controls import control_rig, controls_of
from ..character.mapping import RigMap, check_rig_map
from ..character.model import Character
from ..character.pace import LEG, natural_speed
from ..character.roles import map_bones
from ..errors import DataError
from ..job import GRAVITY, MAX_SPEED, Job
from ..preset import preset
from ..world.path import Path
from .kept_mapping import rig_map_of, told_axis
from .mass import chosen_mass
from .reading import metres, read_armature, read_path, sole_height, stretch_of


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


def paced(pace: str, speed: float, character: Character) -> tuple[float, float]:
    """Return the speed, m/s, and the gravity, m/s2, that a character walks with.

    pace: of BIPED_PG_character; walks of one Froude number v^2 / (g l) look alike at any size. speed: as set, m/s.
    """
    size, own = character.leg_length / LEG, natural_speed(character, speed)
    if pace == "ADULT":
        return own * math.sqrt(size), GRAVITY * size
    return (own if pace == "BY_SIZE" else speed), GRAVITY


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
    scene = context.scene
    settings, unit = scene.biped, metres(scene)
    armature = character_object(context)
    if armature is None:
        raise DataError("There is no character: choose an armature in the Character panel.")
    if settings.path is None:
        raise DataError("There is no path: choose a curve in the Path panel.")
    style = preset(settings.controller_name, settings.preset_name)
    rig = read_armature(armature, unit)
    character = build_character(rig, mapping(armature, unit), chosen_mass(armature, unit))
    speed, gravity = paced(armature.biped.pace, settings.speed_mps, character)
    if speed > MAX_SPEED:
        raise DataError(
            f"A speed of {speed:.0f} m/s is too much (at most {MAX_SPEED:g}): lower it, or set another Pace."
        )
    drawn, notes = read_path(settings.path, context.evaluated_depsgraph_get(), unit, settings.reverse, settings.laps)
    start = settings.start * unit
    if start >= drawn.length:
        raise DataError(
            f"The start offset ({start:.2f} m) is not before the path's end ({drawn.length:.2f} m): make it smaller."
        )
    path = _without_stretch(drawn, armature)
    job = Job(
        character=character,
        path=path,
        preset=style,
        speed=speed,
        start=start * path.length / drawn.length,
        stop=settings.stop,
        ground=sole_height(rig, character),
        gravity=gravity,
    )
    return Request(job, tuple(notes))


def _without_stretch(path: Path, armature: bpy.types.Object) -> Path:
    """Return a path as the character finds it in the world without its object's stretch."""
    stretch = stretch_of(armature)
    if np.array_equal(stretch, np.eye(3)):
        return path
    return Path(path.source @ np.linalg.inv(stretch[:2, :2]).T, path.closed, path.laps)
