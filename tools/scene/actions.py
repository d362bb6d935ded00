# SPDX-License-Identifier: GPL-3.0-or-later
"""What is in an action. Needs bpy."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

FRAME_RATE = 30  # of scenes that are made here


def curves_of(action: Any) -> list[Any]:
    """Return the curves of an action, with slots or without."""
    layers = getattr(action, "layers", None)
    bags = [b for k in layers for s in k.strips for b in s.channelbags] if layers else [action]
    return [curve for bag in bags for curve in bag.fcurves]


def keys(action: Any) -> dict[tuple[str, int], list[tuple[float, float]]]:
    """Return the keys of an action: (data path, index) -> (frame, value)."""
    return {(c.data_path, c.array_index): [(p.co[0], p.co[1]) for p in c.keyframe_points] for c in curves_of(action)}


def key_count(action: Any) -> int:
    """Return how many keys an action has."""
    return sum(len(curve.keyframe_points) for curve in curves_of(action))


def plain_keys_time(action: Any) -> float:
    """Return the seconds that as many keys take as an action has, put into one curve after the other, and no more.

    Without curves to be made, groups and handles. On the action itself, whose keys it takes.
    """
    curves = curves_of(action)
    counts = [len(curve.keyframe_points) for curve in curves]
    places = np.zeros((max(counts, default=0), 2), dtype=np.float32)
    places[:, 0] = np.arange(len(places))
    began = time.perf_counter()
    for count in counts:
        curves[0].keyframe_points.clear()
        curves[0].keyframe_points.add(count)
        curves[0].keyframe_points.foreach_set("co", places[:count].ravel())
    return time.perf_counter() - began
