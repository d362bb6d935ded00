# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether points are inside a surface that may have holes: by the solid angle that it fills, seen from each point.

A part of a skin, cut out of a body, is open where it was cut. Its winding number (Jacobson, Kavan, Sorkine 2013) is
near 1 inside and near 0 outside all the same; of a surface that is turned inside out it is near -1.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from blender_biped.base.spatial import Array

_INSIDE = 0.5
_AT_ONCE = 400_000  # pairs of a point and a triangle whose angles are in memory together


def any_inside(points: Array, corners: Array) -> bool:
    """Return whether any of points (P, 3) is inside the surface of triangles with ``corners`` (F, 3, 3)."""
    if not len(points) or not len(corners):
        return False
    low, high = corners.min(axis=(0, 1)), corners.max(axis=(0, 1))
    near = points[((points > low) & (points < high)).all(axis=1)]
    step = max(1, _AT_ONCE // len(corners))
    return any(bool((np.abs(winding(near[k : k + step], corners)) > _INSIDE).any()) for k in range(0, len(near), step))


def winding(points: Array, corners: Array) -> Array:
    """Return the winding number (P,) of triangles with ``corners`` (F, 3, 3) about points (P, 3).

    The sum of solid angles over 4 pi, each by Van Oosterom and Strackee (1983).
    """
    a, b, c = (corners[None, :, k] - points[:, None] for k in range(3))
    la, lb, lc = (np.sqrt((side**2).sum(axis=-1)) for side in (a, b, c))
    volume = (a * np.cross(b, c)).sum(axis=-1)
    below = la * lb * lc + (a * b).sum(-1) * lc + (b * c).sum(-1) * la + (c * a).sum(-1) * lb
    return np.asarray(np.arctan2(volume, below).sum(axis=1) / (2.0 * np.pi))


def some(chosen: NDArray[np.int_], most: int) -> NDArray[np.int_]:
    """Return at most so many of chosen places, evenly."""
    return chosen[:: max(1, -(-len(chosen) // most))]
