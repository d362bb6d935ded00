"""Trajectories over the phase of a step: Catmull-Rom splines through knots (Coros 2010, section 3.1)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from ...base.curves import cubic
from ...base.errors import DataError
from ...base.fields import Fields
from ...base.spatial import Array

Knots = tuple[tuple[float, float], ...]
"""A trajectory: (phase, value), phases rising; one knot is a constant."""


def read_knots(f: Fields, name: str) -> Knots:
    """Return a trajectory in JSON data: one number, or knots [phase, value]. Raises DataError naming the field."""
    if isinstance(f.data.get(name), (int, float)):
        return ((0.0, f.number(name)),)
    knots = [(phase, value) for phase, value in f.rows(name, 2)]
    if not knots or any(b[0] <= a[0] for a, b in pairwise(knots)):
        raise DataError(f"{f.where}.{name}: expected knots [phase, value] with rising phases.")
    return tuple(knots)


def catmull_rom(knots: Sequence[Sequence[float]], phases: Array) -> Array:
    """Return the values (K,) at ``phases`` (K,) of the spline through ``knots`` [(phase, value), ...].

    Outside the knots the first or last value holds. Tangents are central differences over uneven phases.
    """
    if len(knots) == 1:
        return np.full(len(phases), float(knots[0][1]))
    x, y = np.array(knots, dtype=float).T
    if len(x) == len(phases) and (x == phases).all():  # as those of a mixed graph are
        return np.asarray(y)
    slopes = np.gradient(y, x)
    at = np.clip(phases, x[0], x[-1])
    i = np.clip(np.searchsorted(x, at, side="right") - 1, 0, len(x) - 2)
    width = x[i + 1] - x[i]
    u = (at - x[i]) / width
    return cubic(u, width, (y[i], y[i + 1]), (slopes[i], slopes[i + 1]))
