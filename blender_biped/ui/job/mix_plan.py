"""A mix of two styles: which style the panel's walk has, and what is mixed into it where the share is keyed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import bpy

from ...preset.preset import Preset, Track
from ..base.fcurves import KEYED, held_frame, keyed_curves
from ..base.styles import can, controller_texts, unlike
from ..settings.fields import chosen_style, mixed_style, mixed_styles
from .tracks import track_of

_KEY = f"{KEYED}mix"


@dataclass(frozen=True)
class MixPlan:
    """style: of the panel's walk. other: what is mixed into it, None for nothing, and shares: how much, over time.

    notes: what the user should know.
    """

    style: Preset
    other: Preset | None = None
    shares: Track = ()
    notes: tuple[str, ...] = ()


def mix_plan(scene: bpy.types.Scene, armature: bpy.types.Object) -> MixPlan:
    """Return the style of an armature's walk. Raises DataError for one that is missing or unusable, and wrong keys.

    A share that stays, or whose keys do not count, is a style of numbers between both, as it is without keys.
    """
    walk = armature.biped.walk
    style, both, curve = chosen_style(walk), mixed_styles(walk), keyed_curves(armature).get(_KEY)
    if both is None or curve is None:
        return MixPlan(style)
    shares = track_of(curve, scene, walk.frame_start, lambda value: min(max(value, 0.0), 1.0))
    trouble, begins = keyed_mix_trouble(armature), shares[0][1]
    if trouble or all(share == begins for _, share in shares):
        return MixPlan(mixed_style(walk, begins) or style, notes=(trouble,) if trouble else ())
    return MixPlan(*both, shares)


def keys_of_mix(armature: Any) -> tuple[float, float] | None:
    """Return the frames of the first and the last key of the share; None without two of them. Cheap, as below."""
    curve = keyed_curves(armature).get(_KEY)
    if curve is None:
        return None
    first, last = (held_frame(frame) for frame in curve.range())
    return (first, last) if first < last else None


def keyed_mix_trouble(armature: Any) -> str:
    """Return why keys of the share do not count, "" where they do, or there are none. Cheap enough for a panel's draw.

    A bake tells it as a note.
    """
    walk = armature.biped.walk
    both = mixed_styles(walk)
    if both is None or _KEY not in keyed_curves(armature):
        return ""
    name, (own, other) = walk.controller_name, both
    if not can(name).mix:
        label = controller_texts()[name][0]
        return f"{label} keeps one mix all the way, that of the start frame: keys of Mix do nothing."
    if armature.biped.one_stride:
        return "One Stride has one mix, so keys of Mix do not count: it is that of the start frame."
    if unlike(name, own.name, other.name):
        return (
            f"{own.label} does not become {other.label} little by little, so keys of Mix do not count: it is that of "
            "the start frame. Let the other style begin at a point along the path."
        )
    return ""
