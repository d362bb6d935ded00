"""Cubics through chosen samples: what they are exact at, what they are best at, and that nothing else is as near."""

from __future__ import annotations

import numpy as np
import pytest

from blender_biped.base.fitting import fitted
from blender_biped.base.spatial import Array

SAMPLES = np.arange(61.0)


def waves() -> Array:
    return np.stack((np.sin(SAMPLES / 4.0), np.cos(SAMPLES / 7.0) + 0.01 * SAMPLES), axis=1)


def test_a_cubic_is_found_whole() -> None:
    x = SAMPLES / 60.0
    values = np.stack((x**3 - x, 2.0 - x**2), axis=1)
    _, curve = fitted(values, np.array([0, 60]))
    assert np.abs(curve - values).max() < 1e-4


def test_it_is_exact_at_the_knots() -> None:
    knots = np.array([0, 7, 20, 33, 60])
    _, curve = fitted(waves(), knots)
    assert np.abs((curve - waves())[knots]).max() < 1e-12
    assert np.abs(curve - waves()).max() > 0.01


def test_it_has_no_kink() -> None:
    knots = np.array([0, 10, 24, 40, 60])
    slopes, curve = fitted(waves(), knots)
    for knot, slope in zip(knots[1:-1], slopes[1:-1], strict=True):
        for way in (-1, 1):  # the piece of each side, from its samples beside the knot
            near = knot + way * np.arange(4)
            piece = np.polyfit(near - knot, curve[near], 3)
            assert piece[2] == pytest.approx(slope, abs=1e-9)


def test_other_slopes_are_farther_away() -> None:
    knots = np.array([0, 10, 24, 40, 60])
    slopes, curve = fitted(waves(), knots)
    best = float(np.sum((curve - waves()) ** 2))
    for change in (-0.05, 0.05):
        _, other = fitted(waves(), knots, (slopes[0] + change, slopes[-1]))
        assert float(np.sum((other - waves()) ** 2)) > best


def test_slopes_at_the_ends_can_be_given() -> None:
    ends = (np.array([0.1, -0.2]), np.array([0.3, 0.0]))
    slopes, _ = fitted(waves(), np.array([0, 15, 60]), ends)
    assert slopes[[0, -1]] == pytest.approx(np.stack(ends), abs=1e-12)


def test_a_single_sample() -> None:
    slopes, curve = fitted(np.array([[1.0, 2.0]]), np.array([0]))
    assert slopes.shape == curve.shape == (1, 2) and curve.tolist() == [[1.0, 2.0]]
