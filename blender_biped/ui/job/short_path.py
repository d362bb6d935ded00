"""Paths that are too short for a gait: it would slow down for the end before it has got up to its speed."""

from __future__ import annotations

import math
from typing import Any

import bpy

from ...base.errors import BipedError
from ...character.model import Character
from ...character.reference import GRAVITY
from ...control.registry import kind_of
from ...preset.preset import Preset, speeds_of
from ..base.reading import metres, shown_length
from ..base.styles import styles
from ..base.units import length_text, speed_text
from .body import known_character
from .pace import paced, speeds_to_set


def needed_length(style: Preset, speed: float, character: Character, stop: bool, gravity: float = GRAVITY) -> float:
    """Return how long a path, m, must be for a gait to get up to a speed, m/s, and to stop from it if it is to.

    0 for one that can go as slowly as need be, and for a controller that does not say. Raises DataError for an unusable
    preset.
    """
    speeds, steering = speeds_of(style), getattr(kind_of(style.controller).read(style.values), "steering", None)
    if speeds is None or steering is None or speeds.slowest <= 0.0:
        return 0.0
    size = character.size  # the settings are those of a body of reference size
    own = speed / math.sqrt(size * gravity / GRAVITY)
    needed = own**2 / (2.0 * steering.acceleration)
    if stop:
        needed += own**2 / (2.0 * steering.braking) + own * steering.lag
    return size * needed


def path_warning(context: bpy.types.Context, armature: Any) -> str:
    """Return that an armature's path is too short for its gait, for a panel: cheap; "" if it is not, or not known."""
    walk, unit = armature.biped.walk, metres(context.scene)
    style, body = styles(walk.controller_name).get(walk.preset_name), known_character(armature, context.scene)
    curve, depsgraph = walk.path, context.view_layer.depsgraph
    if style is None or body is None or curve is None or depsgraph is None:
        return ""
    if curve.type != "CURVE" or context.view_layer.objects.get(curve.name) != curve:
        return ""
    try:
        speeds = speeds_to_set(style, armature.biped.pace, body)
        desired = speeds.held(walk.speed_mps) if speeds else walk.speed_mps
        speed, gravity = paced(armature.biped.pace, desired, body)
        if needed_length(style, speed, body, walk.stop, gravity) == 0.0:  # before the curve is looked at
            return ""
        lap = shown_length(curve, depsgraph, unit)
        if lap is None:
            return ""
        laps = walk.laps if any(spline.use_cyclic_u for spline in curve.data.splines) else 1
        length = laps * lap - walk.start * unit
        return short_path(style, speed, body, length, walk.stop, gravity, context.scene.unit_settings)
    except BipedError:  # the bake says what is wrong
        return ""


def short_path(
    style: Preset,
    speed: float,
    character: Character,
    length: float,
    stop: bool,
    gravity: float,
    units: bpy.types.UnitSettings,
) -> str:
    """Return that a path of a length, m, is too short for a gait at a speed, m/s, and what to do; "" if it is not."""
    try:
        needed = needed_length(style, speed, character, stop, gravity)
    except BipedError:  # the simulation says what is wrong with the style
        return ""
    if length >= needed:
        return ""
    what = "get up to speed and stop again" if stop else "get up to speed"
    return (
        f"The path is too short for {style.label}: it is {length_text(length, units)} long, and to {what} at "
        f"{speed_text(speed, units)} takes {length_text(needed, units)}. Make it longer, or choose a slower gait."
    )
