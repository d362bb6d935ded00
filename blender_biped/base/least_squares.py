"""Least squares of what is not linear: the method of Levenberg and Marquardt (Marquardt 1963)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .spatial import Array

_BEGIN, _LEAST, _MOST = 1e-2, 1e-6, 1e6  # of the damping
_FACTOR = 6.0  # by which the damping changes
_GAIN = 1e-6  # share of the sum that a round makes it less by at least, or it ends

Residuals = Callable[[Array], tuple[Array, Callable[[], Array]]]
"""What is missing (M,) for values (N,), and what its slopes (M, N) are there, found when they are asked for."""


def least_squares(residuals: Residuals, values: Array, rounds: int) -> Array:
    """Return values (N,) near which the sum of squared residuals is least.

    values: where it is looked for. rounds: how often at most.
    """
    missing, slopes = residuals(values)
    total, damping = float(missing @ missing), _BEGIN
    for _ in range(rounds):
        j = slopes()
        square, downhill = j.T @ j, j.T @ missing
        before = total
        while damping < _MOST:
            tried = values - np.linalg.solve(square + damping * np.eye(len(values)), downhill)
            found, there = residuals(tried)
            if float(found @ found) < total:
                values, missing, slopes, total = tried, found, there, float(found @ found)
                damping = max(damping / _FACTOR, _LEAST)
                break
            damping *= _FACTOR
        if before - total <= _GAIN * before:
            break
    return values
