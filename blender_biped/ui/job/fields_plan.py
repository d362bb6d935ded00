"""What the sliders change of a style, and how numbers and speed change along the walk where they are keyed."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import bpy

from ...base.errors import DataError
from ...base.limits import MAX_DURATION
from ...character.model import Character
from ...control.registry import kind_of
from ...preset.declared import with_values
from ...preset.preset import Preset, Track
from ..base.fcurves import KEYED, NO_NUMBER, keyed_curves
from ..base.reading import frame_rate
from ..settings.fields import changed_numbers, from_slider, gives_speed, group_name, slider_name
from .gait_plan import GaitPlan
from .pace import paced, speed_rule, within

_MOST_POINTS = 10_000  # of a track, however far off its last key is
_STRAIGHT = 1e-6  # of a value: points that are no nearer to a line are left out


def with_fields(
    plan: GaitPlan, style: Preset, scene: bpy.types.Scene, armature: bpy.types.Object, character: Character
) -> GaitPlan:
    """Return a walk's plan with what the sliders and their keys say where the panel's own style is walked.

    style: the panel's preset. A keyed speed counts until the first marker. Raises DataError for steps that are no walk.
    """
    curves = keyed_curves(armature)
    own = _changed_style(style, scene, armature.biped.walk, curves)
    marked = plan.first != style  # a marker says how the walk begins
    speed, speeds = plan.speed, plan.speeds
    if not gives_speed(armature.biped.walk):
        speed = _speed_of_steps(own, speed, armature, character) if not marked else speed
    elif f"{KEYED}speed" in curves and not marked:
        speeds = _speeds(curves[f"{KEYED}speed"], style, scene, armature, character)
        speed = speeds[0][1]  # whichever frame is shown
    return replace(
        plan,
        first=plan.first if marked else own,
        speed=speed,
        speeds=speeds,
        cues=tuple(replace(cue, preset=own) if cue.preset == style else cue for cue in plan.cues),
    )


def _changed_style(style: Preset, scene: bpy.types.Scene, walk: Any, curves: Mapping[str, Any]) -> Preset:
    """Return the panel's style with other numbers, at the start frame, and those that are keyed as tracks."""
    kind, start = kind_of(style.controller), walk.frame_start
    numbers = changed_numbers(walk)
    tracks: dict[str, Track] = {}
    for slider in kind.sliders:
        curve = curves.get(f"{KEYED}{group_name(kind)}.{slider_name(slider)}")
        if curve is not None and slider.number.keyed:
            numbers.pop(slider.path, None)
            tracks[slider.path] = _track(curve, scene, start, lambda value, own=slider: from_slider(own, value))
    values = with_values(style.values, numbers)
    if kind.can.set_steps and walk.given != "SPEED":
        unit = scene.unit_settings.scale_length
        for name, scale, counts in (
            ("step_length", unit, "LENGTH" in walk.given),
            ("step_frequency", 1.0, "FREQUENCY" in walk.given),
        ):
            values[name] = scale * getattr(walk, name) if counts else 0.0
            if counts and f"{KEYED}{name}" in curves:
                tracks[name] = _track(curves[f"{KEYED}{name}"], scene, start, lambda value, by=scale: by * value)
                values[name] = tracks[name][0][1]
        values["steps_alone"] = not gives_speed(walk)
    return replace(style, values=values, keyed=tracks)


def _speed_of_steps(style: Preset, speed: float, armature: bpy.types.Object, character: Character) -> float:
    """Return the speed, m/s, of the steps that are set in its place; ``speed`` for a controller without them."""
    of_steps = kind_of(style.controller).speed_of_steps
    _, gravity = paced(armature.biped.pace, armature.biped.walk.speed_mps, character)
    return of_steps(style.values, character, gravity) if of_steps else speed


def _speeds(
    curve: Any, style: Preset, scene: bpy.types.Scene, armature: bpy.types.Object, character: Character
) -> Track:
    """Return the character's speed, m/s, over time. Raises DataError for one that is too high."""
    unit, rule = scene.unit_settings.scale_length, speed_rule(style, armature.biped.pace, character)

    def own(value: float) -> float:
        return within(rule.walked(max(unit * value, 0.0)))

    return _track(curve, scene, armature.biped.walk.frame_start, own)


def _track(curve: Any, scene: bpy.types.Scene, start: int, value: Callable[[float], float]) -> Track:
    """Return a curve over the walk's time: at the start frame, and at each frame to its last key where it bends.

    What is keyed after MAX_DURATION is left out. Raises DataError for keys that are no finite numbers.
    """
    rate = frame_rate(scene)
    end = curve.range()[1]
    if math.isnan(end):
        raise DataError(NO_NUMBER.format(curve.data_path))
    last = math.ceil(min(max(end, start), start + rate * MAX_DURATION))
    apart = max(1, -(-(last - start) // _MOST_POINTS))
    frames = [*range(start, last, apart), last]
    points = [((frame - start) / rate, value(curve.evaluate(frame))) for frame in frames]
    if not all(math.isfinite(number) for _, number in points):
        raise DataError(NO_NUMBER.format(curve.data_path))
    return tuple(_corners(points))


def _corners(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the first and the last point, and those between that are not on the line through their neighbours."""
    kept = points[:1]
    for i in range(1, len(points) - 1):
        (t0, a), (t, b), (t1, c) = kept[-1], points[i], points[i + 1]
        on_line = a + (c - a) * (t - t0) / (t1 - t0)
        if abs(b - on_line) > _STRAIGHT * max(abs(b), 1.0):
            kept.append(points[i])
    return kept + (points[-1:] if len(points) > 1 else [])
