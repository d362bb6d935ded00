"""A box as lines and faces."""

from __future__ import annotations

from functools import cache

import numpy as np

from .spatial import Array


@cache
def unit_box() -> tuple[Array, Array]:
    """Return the edges (12, 2, 3) and triangles (12, 3, 3) of the box from -1 to 1."""
    corner = np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
    edges = [(a, a | bit) for a in range(8) for bit in (1, 2, 4) if not a & bit]
    sides = [(0, 1, 3, 2), (4, 5, 7, 6), (0, 1, 5, 4), (2, 3, 7, 6), (0, 2, 6, 4), (1, 3, 7, 5)]
    triangles = [t for a, b, c, d in sides for t in ((a, b, c), (a, c, d))]
    return corner[edges], corner[triangles]
