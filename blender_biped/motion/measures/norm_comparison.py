"""The legs' joints over steady strides, against those of adults."""

from __future__ import annotations

import numpy as np

from ...base.spatial import Array
from ..norm import adult_norm
from .joint_angles import cycle
from .motion_view import MotionView


def cycles(view: MotionView, joint: str) -> Array:
    """Return the flexion of a joint over each steady stride (N, 101), degrees, both legs."""
    angles = [view.flexion(joint, side) for side in (0, 1)]
    return np.array([cycle(view.walk, angles[s.side], s) for s in view.steady_strides]).reshape(-1, 101)


def against_norm(view: MotionView, joint: str) -> tuple[float | None, float | None, float | None]:
    """Return correlation, rms difference, and that after the mean difference is taken off, degrees.

    Of the mean curve of a joint over steady strides against the adults' mean curve. A joint that does not move has
    no correlation.
    """
    curves = cycles(view, joint)
    if not len(curves):
        return None, None, None
    mean, norm = curves.mean(axis=0), adult_norm()[joint].mean
    away = mean - norm
    r = float(np.corrcoef(mean, norm)[0, 1]) if np.ptp(mean) > 1e-6 else None
    return r, float(np.sqrt((away**2).mean())), float(away.std())
