"""The curves of actions, with slots or without."""

from __future__ import annotations

import math
from typing import Any

import bpy
import numpy as np

from ...base.errors import DataError
from ...base.spatial import Array

SLOTTED = bpy.app.version >= (4, 4, 0)
"""Whether this Blender's actions have slots."""


def curve_holder(action: Any, slot: Any) -> Any:
    """Return what holds an action's curves and groups for a slot, None where there is nothing.

    Before Blender 4.4 that is the action, and ``slot`` does not count.
    """
    if not SLOTTED:
        return action
    bags = [s.channelbag(slot) for layer in action.layers for s in layer.strips] if slot else []
    return next((bag for bag in bags if bag), None)


_CHOSEN = ("handle_left_type", "handle_right_type", "interpolation", "easing", "type")
_POINTS = ("co", "handle_left", "handle_right")
_KEY_NUMBERS = (*_CHOSEN, "amplitude", "back", "period", *_POINTS)
_CURVE_SETTINGS = ("extrapolation", "mute", "lock", "hide", "color_mode", "color", "auto_smoothing")

NO_NUMBER = "A key of {} is not a finite number: delete it in the Graph Editor."
LAST_FRAME = 1_048_574
"""The last frame that Blender has; the first one is its negative."""

KEYED = "biped.walk."
"""How the data paths of the settings of a walk begin, on their armature object."""


def keyed_curves(armature: Any) -> dict[str, Any]:
    """Return the curves, not muted, of an armature's walk by their data paths: its action's, else those of NLA strips.

    A bake to a strip pushes the action down, and the keys of the walk with it.
    """
    return curves_of(armature, KEYED)


def curves_of(thing: Any, begins: str) -> dict[str, Any]:
    """Return the curves, not muted, of an object's data paths that begin so: its action's, else those of NLA strips."""
    data = thing.animation_data
    found: dict[str, Any] = {}
    for action, slot in _played(data) if data else ():
        holder = curve_holder(action, slot)
        for curve in holder.fcurves if holder else ():
            if curve.data_path.startswith(begins) and not curve.mute:
                found.setdefault(curve.data_path, curve)
    return found


def key_places(curve: Any) -> Array:
    """Return the frames and values of a curve's keys (K, 2).

    Raises DataError for a key at no frame of Blender's, or without a finite value.
    """
    places = np.empty(2 * len(curve.keyframe_points))
    curve.keyframe_points.foreach_get("co", places)
    found = places.reshape(-1, 2)
    if not np.isfinite(found).all():
        raise DataError(NO_NUMBER.format(curve.data_path))
    if (np.abs(found[:, 0]) > LAST_FRAME).any():
        raise DataError(
            f"A key of {curve.data_path} is at frame {np.abs(found[:, 0]).max():.0f}, and frames end at {LAST_FRAME}: "
            "delete it in the Graph Editor."
        )
    return found


def frame_range(action: Any) -> tuple[float, float]:
    """Return the first and the last frame of an action's keys, within Blender's frames wherever keys are."""
    first, last = (held_frame(frame) for frame in action.frame_range)
    return first, last


def held_frame(frame: float) -> float:
    """Return the frame of Blender's that is nearest to one; 0 for none, as crafted keys have it."""
    return 0.0 if math.isnan(frame) else min(max(float(frame), -LAST_FRAME), LAST_FRAME)


def _played(data: Any) -> list[tuple[Any, Any]]:
    """Return what animates an object, from above: its action, then its strips' actions, each with its slot."""
    strips = [strip for track in reversed(data.nla_tracks) if not track.mute for strip in track.strips]
    players = [(data.action, data)] + [(strip.action, strip) for strip in strips if not strip.mute]
    return [(action, own.action_slot if SLOTTED else None) for action, own in players if action]


def copy_curve(source: Any, into: Any, data_path: str = "") -> None:
    """Copy a curve: keys, handles, modifiers and settings. Samples become keys with straight lines between them.

    data_path: of the copy, by default the same.
    """
    curve = into.fcurves.new(data_path or source.data_path, index=source.array_index)
    if source.group:
        name = source.group.name
        curve.group = into.groups.get(name) or into.groups.new(name)
    samples = source.sampled_points
    if len(samples):
        count, places = len(samples), [0.0] * (2 * len(samples))
        samples.foreach_get("co", places)
        curve.keyframe_points.add(count)
        curve.keyframe_points.foreach_set("co", places)
        curve.keyframe_points.foreach_set("interpolation", [1] * count)  # linear
    else:
        _copy_keys(source.keyframe_points, curve.keyframe_points)
    for name in _CURVE_SETTINGS:
        setattr(curve, name, getattr(source, name))
    for modifier in source.modifiers:
        _copy_modifier(modifier, curve)
    curve.update()


def _copy_keys(source: Any, into: Any) -> None:
    """Add copies of keys to a curve's; those at no frame or without a value are left out."""
    count = len(source)
    numbers: dict[str, Array] = {}
    for name in _KEY_NUMBERS:
        wide = 2 if name in _POINTS else 1
        own = [0 if name in _CHOSEN else 0.0] * (wide * count)
        source.foreach_get(name, own)
        numbers[name] = np.array(own).reshape(count, wide)
    kept = np.isfinite(numbers["co"]).all(axis=1)
    into.add(int(kept.sum()))
    for name, values in numbers.items():
        if name in _POINTS:
            values = np.where(np.isfinite(values), values, numbers["co"])
        into.foreach_set(name, values[kept].ravel().tolist())


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
