"""Cross products of few vectors, as fast as numpy lets them be: factors are looked up flat, wherever they are."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...base.spatial import Array

Places = NDArray[np.intp]
_FIRST, _SECOND = np.array((1, 2, 0)), np.array((2, 0, 1))


class Factors:
    """Where the factors of vectors are that are rows of an array, and stand on one side of cross products."""

    def __init__(self, rows: Places, width: int = 3, begin: int = 0) -> None:
        """Take the rows (N,) of an array (K, width), whose vectors are in three columns from ``begin`` on."""
        self._first, self._second = ((width * rows[:, None] + begin + order).reshape(-1) for order in (_FIRST, _SECOND))

    def of(self, vectors: Array) -> tuple[Array, Array]:
        """Return their y, z, x, and their z, x, y, (3 N,) each, of such an array; see ``crossed``."""
        return vectors.take(self._first), vectors.take(self._second)


def crossed(a: tuple[Array, Array], b: tuple[Array, Array]) -> Array:
    """Return the cross products (3 N,) of vectors by their factors, one after another."""
    found = a[0] * b[1]
    found -= a[1] * b[0]
    return np.asarray(found)
