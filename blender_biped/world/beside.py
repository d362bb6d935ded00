"""Heights of a ground beside a path, for whoever checks whether it can be walked on: of a long way part by part."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from ..base.patience import finish
from ..base.spatial import Array
from .path import Path
from .terrain import Terrain

PART = 10_000
"""Places along the path that are looked at together."""


def heights_beside(ground: Terrain, path: Path, arcs: Array, span: float, asides: tuple[float, ...]) -> Array:
    """Return heights (K, N), m, at arc lengths (N,), m, and K places to the left of each, m; NO_GROUND for none.

    span: m of path over which its direction is taken. Raises UnfinishedError. What is found of it is kept until it is
    all there; who asks keeps what comes of it.
    """
    parts = _parts(ground, path, arcs.tobytes(), span, asides)

    def look(first: int) -> Array:
        some = arcs[first : first + PART]
        left, places = path.left(some, span), path.position(some)
        return np.stack([ground.heights(places + aside * left) for aside in asides])

    finish(parts, range(0, max(len(arcs), 1), PART), look)
    found = np.concatenate(parts, axis=1)
    parts.clear()
    return found


@lru_cache(maxsize=1)
def _parts(ground: Terrain, path: Path, arcs: bytes, span: float, asides: tuple[float, ...]) -> list[Array]:
    """Return a list to be filled."""
    return []
