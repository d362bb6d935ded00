"""How keyed numbers change along a walk: curves as tracks."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import bpy

from ...base.errors import DataError
from ...base.limits import MAX_DURATION
from ...preset.preset import Track
from ..base.fcurves import NO_NUMBER
from ..base.reading import frame_rate

_MOST_POINTS = 10_000  # of a track, however far off its last key is
_STRAIGHT = 1e-6  # of a value: points that are no nearer to a line are left out


def track_of(curve: Any, scene: bpy.types.Scene, start: int, value: Callable[[float], float]) -> Track:
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
