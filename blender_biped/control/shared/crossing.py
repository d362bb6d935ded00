"""Cross products of few vectors, as fast as numpy lets them be: factors are looked up flat, wherever they are."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...base.spatial import Array

Places = NDArray[np.intp]
_FIRST, _SECOND = np.array((1, 2, 0)), np.array((2, 0, 1))


def left_factors(rows: Places, width: int = 3, begin: int = 0) -> Places:
    """Return where the factors (6 N,) of vectors are that stand left in cross products, for ``Array.take``.

    rows (N,): of an array (K, width), whose vectors are in three columns from ``begin`` on.
    """
    return np.concatenate([(width * rows[:, None] + begin + order).reshape(-1) for order in (_FIRST, _SECOND)])


def right_factors(rows: Places, width: int = 3, begin: int = 0) -> Places:
    """Return the same of vectors that stand right."""
    return np.roll(left_factors(rows, width, begin), 3 * len(rows))


def crossed(left: Array, right: Array) -> Array:
    """Return the cross products (3 N,) of vectors by their factors (6 N,), one after another."""
    products = left * right
    half = len(products) // 2
    return np.asarray(products[:half] - products[half:])
