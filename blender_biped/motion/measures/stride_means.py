"""Means over the steady strides of a walk."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ...base.spatial import Array
from .joint_angles import cycle
from .motion_view import MotionView


def stride_range(view: MotionView, values: Array) -> float | None:
    """Return the range of values (T,) over a stride, mean of steady strides; None where there are none."""
    return mean(float(np.ptp(cycle(view.walk, values, s))) for s in view.steady_strides)


def mean(values: Iterable[float]) -> float | None:
    """Return the mean, None of nothing."""
    found = list(values)
    return float(np.mean(found)) if found else None
