"""Ground that is not level under a foot: its normal, and link references that follow it."""

from __future__ import annotations

import math

from ...base.spatial import Array

Slope = tuple[float, float]
"""How much the ground rises along x and along y, m/m, world."""
Normal = tuple[float, float, float]
UP: Normal = (0.0, 0.0, 1.0)


def normal(slope: Slope) -> Normal:
    """Return the unit vector that is upright on the ground."""
    gx, gy = slope
    inverse = 1.0 / math.sqrt(1.0 + gx * gx + gy * gy)
    return -gx * inverse, -gy * inverse, inverse


def tilt(reference: Array, slope: Slope, share: float = 1.0) -> None:
    """Turn a link's reference (3, 4), in place, from level ground to a slope; ``share`` of that, 0..1.

    By the shortest arc from the vertical to the ground's normal.
    """
    gx, gy = slope[0] * share, slope[1] * share
    if not (gx or gy):
        return
    x, y, z = normal((gx, gy))
    # The turn that takes (0, 0, 1) to (x, y, z), by Rodrigues.
    k = 1.0 / (1.0 + z)
    rows = ((1.0 - k * x * x, -k * x * y, x), (-k * x * y, 1.0 - k * y * y, y), (-x, -y, z))
    turned = [[sum(row[i] * reference[i, column] for i in range(3)) for column in range(4)] for row in rows]
    reference[:] = turned
