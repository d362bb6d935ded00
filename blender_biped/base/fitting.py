"""Smooth cubic curves through chosen samples, as near as they can be to all of them. numpy only."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .spatial import Array

_FAITH = 0.01  # weight of the samples' own slope beside their values: decides only where these leave a slope open

Knots = NDArray[np.int_]


def fitted(values: Array, knots: Knots, ends: tuple[Array, Array] | None = None) -> tuple[Array, Array]:
    """Return the slopes (M, K), per sample, at ``knots`` and the values (N, K) of a curve near evenly spaced samples.

    It is exact at the knots, a cubic between two of them and without a kink. Its slopes are those that bring it
    nearest to all samples, by least squares. values (N, K): samples. knots (M,): rising, the first sample, the last
    and any between. ends: the slopes (K,) at both ends, where they are given.
    """
    knots = np.asarray(knots)
    own = np.gradient(values, axis=0, edge_order=2)[knots] if len(values) > 2 else np.zeros_like(values[knots])
    if len(knots) < 2:
        return own, values.copy()
    width = np.diff(knots)
    piece = np.repeat(np.arange(len(width)), width)  # of each sample but the last
    span = width[piece].astype(float)
    u = (np.arange(len(values) - 1) - knots[piece]) / span
    first, second = span * u * (1.0 - u) ** 2, -span * u**2 * (1.0 - u)
    rise = (u**2 * (3.0 - 2.0 * u))[:, None]
    through = (1.0 - rise) * values[knots[:-1]][piece] + rise * values[knots[1:]][piece]
    left = values[:-1] - through
    begins = knots[:-1]
    diagonal = np.full(len(knots), _FAITH)
    diagonal[:-1] += np.add.reduceat(first * first, begins)
    diagonal[1:] += np.add.reduceat(second * second, begins)
    beside = np.add.reduceat(first * second, begins)
    right = _FAITH * own
    right[:-1] += np.add.reduceat(first[:, None] * left, begins)
    right[1:] += np.add.reduceat(second[:, None] * left, begins)
    if ends is not None:
        for place, neighbour, slope in ((0, 0, ends[0]), (-1, -1, ends[1])):
            inner = 1 if place == 0 else -2
            right[inner] -= beside[neighbour] * slope
            beside[neighbour], diagonal[place], right[place] = 0.0, 1.0, slope
    slopes = _solved(diagonal, beside, right)
    curve = values.copy()
    curve[:-1] = through + first[:, None] * slopes[piece] + second[:, None] * slopes[piece + 1]
    return slopes, curve


def _solved(diagonal: Array, beside: Array, right: Array) -> Array:
    """Return the solution (M, K) of a symmetric system with three diagonals (Thomas' elimination)."""
    shares = [0.0] * len(diagonal)
    found = right.copy()
    rest = float(diagonal[0])
    found[0] /= rest
    for i, (own, next_to) in enumerate(zip(diagonal[1:].tolist(), beside.tolist(), strict=True), start=1):
        shares[i] = next_to / rest
        rest = own - next_to * shares[i]
        found[i] = (found[i] - next_to * found[i - 1]) / rest
    for i in range(len(found) - 2, -1, -1):
        found[i] -= shares[i + 1] * found[i + 1]
    return found
