"""Looking for the least of a function of many numbers, by samples whose spread follows what was found. numpy only.

Covariance matrix adaptation (Hansen and Ostermeier, Completely Derandomized Self-Adaptation in Evolution Strategies,
Evolutionary Computation 9(2), 2001), with its authors' usual constants. The same question gets the same answer.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from .spatial import Array

_FLAT = 1e-14  # least variance along an axis


def least(costs: Callable[[Array], Array], guess: Array, spread: Array, rounds: int, many: int) -> Array:
    """Return the best point (N,) that is found.

    costs: of points (M, N), (M,). guess, spread (N,): where it is looked for, and how far about it at first. rounds:
    how often it looks at ``many`` points at once.
    """
    rng, n, parents = np.random.default_rng(0), len(guess), many // 2
    weights = math.log(parents + 0.5) - np.log(np.arange(1, parents + 1))
    weights /= weights.sum()
    much = 1.0 / float((weights**2).sum())
    quick = (much + 2.0) / (n + much + 5.0)
    turning = (4.0 + much / n) / (n + 4.0 + 2.0 * much / n)
    one = 2.0 / ((n + 1.3) ** 2 + much)
    some = min(1.0 - one, 2.0 * (much - 2.0 + 1.0 / much) / ((n + 2.0) ** 2 + much))
    usual = math.sqrt(n) * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n))
    mean, size, covariance = guess.astype(float), 1.0, np.diag(spread.astype(float) ** 2)
    size_path, shape_path = np.zeros(n), np.zeros(n)
    best, lowest = mean, math.inf
    for _ in range(rounds):
        values, axes = np.linalg.eigh(covariance)
        lengths = np.sqrt(np.maximum(values, _FLAT))
        steps = (rng.standard_normal((many, n)) * lengths) @ axes.T
        points = mean + size * steps
        found = costs(points)
        order = np.argsort(found, kind="stable")
        if found[order[0]] < lowest:
            best, lowest = points[order[0]], float(found[order[0]])
        chosen = steps[order[:parents]]
        step = weights @ chosen
        mean = mean + size * step
        size_path = (1.0 - quick) * size_path + math.sqrt(quick * (2.0 - quick) * much) * (
            axes @ ((axes.T @ step) / lengths)
        )
        shape_path = (1.0 - turning) * shape_path + math.sqrt(turning * (2.0 - turning) * much) * step
        covariance = (
            (1.0 - one - some) * covariance
            + one * np.outer(shape_path, shape_path)
            + some * (chosen.T * weights) @ chosen
        )
        size *= math.exp(quick / (1.0 + quick) * (float(np.linalg.norm(size_path)) / usual - 1.0))
    return np.asarray(best)
