"""How much joints shake."""

from __future__ import annotations

from functools import cache

import numpy as np

from ...base.spatial import Array, quaternion_conjugate, quaternion_product, rotation_vector
from ..motion import RATE
from .motion_view import MotionView

SHAKE_FREQUENCY = 8.0  # Hz; joint angles of a walk have next to nothing above it
_AT_ONCE = 40_000  # joints' angles that are found at once: enough to be fast, and little of an hour's walk


def shake(view: MotionView) -> float | None:
    """Return the rms of what the worst joint's angle has above 8 Hz, degrees; None for less than two seconds."""
    if len(view.walk.times) < round(2.0 * RATE):
        return None
    q, parents = view.walk.rotations, view.walk.character.parents
    joints = [i for i, parent in enumerate(parents) if parent >= 0]
    at_once = max(1, _AT_ONCE // len(q))
    worst = 0.0
    for first in range(0, len(joints), at_once):
        own = joints[first : first + at_once]
        turns = quaternion_product(quaternion_conjugate(q[:, [parents[i] for i in own]]), q[:, own])
        angles = np.unwrap(rotation_vector(turns), axis=0)
        for joint in range(len(own)):
            fast = _above(angles[:, joint], SHAKE_FREQUENCY)
            worst = max(worst, float(np.sqrt((fast**2).sum(axis=1).mean())))
    return float(np.degrees(worst))


def _above(values: Array, frequency: float) -> Array:
    """Return what columns (T, K), sampled at RATE, have above ``frequency``, Hz, without half a second at each end."""
    low = _low_pass(frequency)
    half = len(low) // 2
    return np.stack([c[half:-half] - np.convolve(c, low, "valid") for c in values.T], axis=1)


@cache
def _low_pass(frequency: float) -> Array:
    """Return a windowed-sinc filter of one second at RATE: it falls off within 1.7 Hz on both sides of a frequency."""
    half = round(0.5 * RATE)
    n = np.arange(-half, half + 1)
    low: Array = np.sinc(2.0 * frequency / RATE * n) * np.hamming(len(n))
    low /= low.sum()
    return low
