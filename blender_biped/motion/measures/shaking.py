"""How much joints shake."""

from __future__ import annotations

import numpy as np

from ...base.spatial import Array, quaternion_conjugate, quaternion_product, rotation_vector
from ..motion import RATE
from .motion_view import MotionView

SHAKE_FREQUENCY = 8.0  # Hz; joint angles of a walk have next to nothing above it


def shake(view: MotionView) -> float | None:
    """Return the rms of what the worst joint's angle has above 8 Hz, degrees; None for less than two seconds."""
    if len(view.walk.times) < round(2.0 * RATE):
        return None
    q = view.walk.rotations
    worst = 0.0
    for i, parent in enumerate(view.walk.character.parents):
        if parent >= 0:
            angle = rotation_vector(quaternion_product(quaternion_conjugate(q[:, parent]), q[:, i]))
            fast = _above(np.unwrap(angle, axis=0), SHAKE_FREQUENCY)
            worst = max(worst, float(np.sqrt((fast**2).sum(axis=1).mean())))
    return float(np.degrees(worst))


def _above(values: Array, frequency: float) -> Array:
    """Return what columns (T, K), sampled at RATE, have above ``frequency``, Hz, without half a second at each end.

    A windowed-sinc filter of one second: it falls off within 1.7 Hz on both sides of ``frequency``.
    """
    half = round(0.5 * RATE)
    n = np.arange(-half, half + 1)
    low = np.sinc(2.0 * frequency / RATE * n) * np.hamming(len(n))
    low /= low.sum()
    return np.stack([c[half:-half] - np.convolve(c, low, "valid") for c in values.T], axis=1)
