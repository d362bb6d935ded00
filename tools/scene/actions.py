# SPDX-License-Identifier: GPL-3.0-or-later
"""What is in an action. Needs bpy."""

from __future__ import annotations

from typing import Any

FRAME_RATE = 30  # of scenes that are made here


def curves_of(action: Any) -> list[Any]:
    """Return the curves of an action, with slots or without."""
    layers = getattr(action, "layers", None)
    bags = [b for k in layers for s in k.strips for b in s.channelbags] if layers else [action]
    return [curve for bag in bags for curve in bag.fcurves]


def keys(action: Any) -> dict[tuple[str, int], list[tuple[float, float]]]:
    """Return the keys of an action: (data path, index) -> (frame, value)."""
    return {(c.data_path, c.array_index): [(p.co[0], p.co[1]) for p in c.keyframe_points] for c in curves_of(action)}
