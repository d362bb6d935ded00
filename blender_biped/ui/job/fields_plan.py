"""What the sliders change of a style, and how numbers and speed change along the walk where they are keyed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import bpy

from ...character.model import Character
from ...control.registry import kind_of
from ...preset.cue import Cue
from ...preset.declared import with_values
from ...preset.preset import Preset, Track
from ..base.fcurves import KEYED, keyed_curves
from ..settings.fields import changed_numbers, from_slider, gives_speed, group_name, slider_name
from .gait_plan import GaitPlan
from .mix_plan import MixPlan
from .pace import paced, speed_rule, within
from .tracks import track_of


def with_fields(
    plan: GaitPlan, mix: MixPlan, scene: bpy.types.Scene, armature: bpy.types.Object, character: Character
) -> GaitPlan:
    """Return a walk's plan with what the sliders and their keys say where the panel's own style is walked.

    mix: the panel's style. A keyed speed counts until the first marker. Raises DataError for steps that are no walk.
    """
    curves, style = keyed_curves(armature), mix.style
    own = _changed_style(style, scene, armature.biped.walk, curves)
    marked = plan.first != style  # a marker says how the walk begins
    speed, speeds = plan.speed, plan.speeds
    if not gives_speed(armature.biped.walk):
        speed = _speed_of_steps(own, speed, armature, character) if not marked else speed
    elif f"{KEYED}speed" in curves and not marked:
        speeds = _speeds(curves[f"{KEYED}speed"], style, scene, armature, character)
        speed = speeds[0][1]  # whichever frame is shown
    cues = tuple(replace(cue, preset=own) if cue.preset == style else cue for cue in plan.cues)
    if mix.other is not None:
        other = _changed_style(mix.other, scene, armature.biped.walk, curves)
        cues = tuple(_with_mix(plan.first if marked else own, cues, own, Cue(0.0, other, shares=mix.shares)))
    return replace(
        plan, first=plan.first if marked else own, speed=speed, speeds=speeds, cues=cues,
        notes=(*plan.notes, *mix.notes),
    )  # fmt: skip


def _with_mix(first: Preset, cues: tuple[Cue, ...], own: Preset, mixed: Cue) -> Iterator[Cue]:
    """Give the cues of a walk that begins in a style, and a mix wherever its own style begins."""
    if first is own:
        yield mixed
    for cue in cues:
        yield cue
        if cue.preset is own:
            yield replace(mixed, time=cue.time, place=cue.place, speed=cue.speed)


def _changed_style(style: Preset, scene: bpy.types.Scene, walk: Any, curves: Mapping[str, Any]) -> Preset:
    """Return the panel's style with other numbers, at the start frame, and those that are keyed as tracks."""
    kind, start = kind_of(style.controller), walk.frame_start
    numbers = changed_numbers(walk)
    tracks: dict[str, Track] = {}
    places = {slider: f"{KEYED}{group_name(kind)}.{slider_name(slider)}" for slider in kind.sliders}
    keyed = {slider: curves[place] for slider, place in places.items() if place in curves and slider.number.keyed}
    usual = kind.numbers(style.values) if keyed else {}
    for slider, curve in keyed.items():
        if slider.path in usual:
            numbers.pop(slider.path, None)
            tracks[slider.path] = track_of(curve, scene, start, lambda value, own=slider: from_slider(own, value))
    values = with_values(style.values, numbers)
    if kind.can.set_steps and walk.given != "SPEED":
        unit = scene.unit_settings.scale_length
        for name, scale, counts in (
            ("step_length", unit, "LENGTH" in walk.given),
            ("step_frequency", 1.0, "FREQUENCY" in walk.given),
        ):
            values[name] = scale * getattr(walk, name) if counts else 0.0
            if counts and f"{KEYED}{name}" in curves:
                tracks[name] = track_of(curves[f"{KEYED}{name}"], scene, start, lambda value, by=scale: by * value)
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

    return track_of(curve, scene, armature.biped.walk.frame_start, own)
