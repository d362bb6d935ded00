"""Actions on top of each other: curves taken over from the action before, and NLA strips."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import bpy

from ..base.fcurves import SLOTTED, curve_holder

_KEY_NUMBERS = ("handle_left_type", "handle_right_type", "interpolation", "easing", "type", "amplitude", "back",
                "period", "co", "handle_left", "handle_right")  # fmt: skip
_CURVE_SETTINGS = ("extrapolation", "mute", "lock", "hide", "color_mode", "color", "auto_smoothing")


def take_over(armature: Any, into: Any, bones: Collection[str]) -> None:
    """Copy what the armature's present action does with ``bones`` to what holds the curves of a new one."""
    data = armature.animation_data
    if not (data and data.action and bones):
        return
    source = curve_holder(data.action, data.action_slot if SLOTTED else None)
    prefixes = tuple(f'pose.bones["{bpy.utils.escape_identifier(name)}"]' for name in bones)
    for curve in source.fcurves if source else ():
        if curve.data_path.startswith(prefixes):
            _copy_curve(curve, into)


def lay_strip(armature: Any, action: Any, start: int, additive: bool, until: int | None = None) -> list[str]:
    """Let an action play as an NLA strip from frame ``start`` on, above all that the armature has.

    The present action becomes a strip in a track of its own. until: the frame that the strip repeats to.
    Returns what keeps the strip from playing.
    """
    data = armature.animation_data or armature.animation_data_create()
    if data.action:
        _push_down(data)
    strip = _new_strip(data, action, action.slots[0] if SLOTTED else None, start)
    strip.blend_type = "COMBINE" if additive else "REPLACE"
    strip.extrapolation = "HOLD_FORWARD"  # before the walk, what is below shows
    length = strip.frame_end - strip.frame_start
    if until is not None and length > 0.0:
        strip.repeat = max(1.0, (until - start) / length)
    notes = []
    if not data.use_nla:
        notes.append("The armature's NLA is switched off: switch it on in the NLA editor to see the walk.")
    if any(track.is_solo for track in data.nla_tracks):
        notes.append("Another NLA track plays solo: take its star away to see the walk.")
    return notes


def fit_strip(strip: Any, first: int, last: int) -> None:
    """Let a strip play its action's new range of frames, from where it began or as much later as that begins later."""
    later = (first - strip.action_frame_start) * strip.scale
    strip.action_frame_start, strip.action_frame_end = min(first, strip.action_frame_end), last
    strip.action_frame_start = first
    begin = strip.frame_start + later
    length = max((last - first) * strip.scale * strip.repeat, 1.0)
    strip.frame_start_raw, strip.frame_end_raw = begin, begin + length


def _push_down(data: Any) -> None:
    """Make the active action a strip that does what it did, in a new track."""
    action, slot = data.action, data.action_slot if SLOTTED else None
    blend, influence, extrapolation = data.action_blend_type, data.action_influence, data.action_extrapolation
    data.action = None
    begin, end = action.frame_range
    strip = _new_strip(data, action, slot, int(begin))
    if begin != int(begin):
        strip.frame_start_raw, strip.frame_end_raw = begin, end
    strip.blend_type, strip.extrapolation = blend, extrapolation
    if influence < 1.0:
        strip.use_animated_influence = True
        strip.influence = influence


def _new_strip(data: Any, action: Any, slot: Any, start: int) -> Any:
    """Return a strip of an action in a new track above all others."""
    track = data.nla_tracks.new()
    track.name = action.name
    strip = track.strips.new(action.name, start, action)
    if SLOTTED and strip.action_slot != slot:  # none for an action that moved nothing
        strip.action_slot = slot
    return strip


def _copy_curve(source: Any, into: Any) -> None:
    """Copy a curve: keys, handles, modifiers and settings. Samples become keys with straight lines between them."""
    curve = into.fcurves.new(source.data_path, index=source.array_index)
    if source.group:
        name = source.group.name
        curve.group = into.groups.get(name) or into.groups.new(name)
    samples = source.sampled_points
    count = len(samples) or len(source.keyframe_points)
    curve.keyframe_points.add(count)
    if len(samples):
        places = [0.0] * (2 * count)
        samples.foreach_get("co", places)
        curve.keyframe_points.foreach_set("co", places)
        curve.keyframe_points.foreach_set("interpolation", [1] * count)  # linear
    else:
        for name in _KEY_NUMBERS:
            wide = 2 if name in ("co", "handle_left", "handle_right") else 1
            whole = name in ("handle_left_type", "handle_right_type", "interpolation", "easing", "type")
            numbers = [0 if whole else 0.0] * (wide * count)
            source.keyframe_points.foreach_get(name, numbers)
            curve.keyframe_points.foreach_set(name, numbers)
    for name in _CURVE_SETTINGS:
        setattr(curve, name, getattr(source, name))
    for modifier in source.modifiers:
        _copy_modifier(modifier, curve)
    curve.update()


def _copy_modifier(source: Any, curve: Any) -> None:
    made = curve.modifiers.new(source.type)
    names = [p.identifier for p in source.bl_rna.properties if not p.is_readonly]
    # Twice: begin and end clamp each other, and a generator has its coefficients only when its order is set.
    for name in (*names, *names):
        setattr(made, name, getattr(source, name))
    envelope: Any = getattr(source, "control_points", ())
    for point in envelope:
        made.control_points.add(point.frame)
    for name in ("min", "max") if len(envelope) else ():  # not one by one: setting a point can crash Blender 4.5
        numbers = [0.0] * len(envelope)
        envelope.foreach_get(name, numbers)
        made.control_points.foreach_set(name, numbers)
