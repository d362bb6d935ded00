# SPDX-License-Identifier: GPL-3.0-or-later
"""Paths that walks are measured and shown on, by name."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np

from blender_biped.base.spatial import Array
from blender_biped.world.path import Path

_SPACING = 0.05  # m between a curve's points
STRAIGHT = 10.0  # m
RADIUS = 2.0  # m, of circle and figure of eight
_LEG = 5.0  # m before and after a corner and a turn
_HAIRPIN = 0.5  # m, radius of the 180 degree turn
_LOOP = (3.0, 2.0)  # m, half axes of the closed loop


def paths() -> dict[str, Path]:
    """Return every path by its name, all from the origin along x."""
    return {name: make() for name, make in _PATHS.items()}


def _straight() -> Path:
    return Path([[0.0, 0.0], [STRAIGHT, 0.0]])


def _s_curve() -> Path:
    """Two bends of opposite hands, 12 m: a smooth sideways swing of 2 m there and back."""
    x = np.arange(0.0, 11.0 + 0.5 * _SPACING, _SPACING)
    return Path(np.stack((x, 1.25 * np.sin(2.0 * math.pi * x / 11.0) * np.sin(math.pi * x / 11.0)), axis=1))


def _circle() -> Path:
    return Path(_arc((0.0, RADIUS), RADIUS, -90.0, 270.0)[:-1], closed=True)


def _figure_eight() -> Path:
    """Two circles that touch, the first to the left, the second to the right."""
    left = _arc((0.0, RADIUS), RADIUS, -90.0, 270.0)
    right = _arc((0.0, -RADIUS), RADIUS, 90.0, -270.0)
    return Path(np.concatenate((left, right[1:])))


def _corner() -> Path:
    """A right-angle corner without any rounding."""
    return Path([[0.0, 0.0], [_LEG, 0.0], [_LEG, _LEG]])


def _loop() -> Path:
    """A closed oval, twice round."""
    angle = np.radians(np.arange(-90.0, 270.0, 2.0))
    points = np.stack((_LOOP[0] * np.cos(angle), _LOOP[1] + _LOOP[1] * np.sin(angle)), axis=1)
    return Path(points, closed=True, laps=2)


def _turn() -> Path:
    """There, round a hairpin, and back: a turn of 180 degrees."""
    turn = _arc((_LEG, _HAIRPIN), _HAIRPIN, -90.0, 90.0)
    return Path(np.concatenate(([[0.0, 0.0]], turn, [[0.0, 2.0 * _HAIRPIN]])))


def _arc(center: tuple[float, float], radius: float, begin: float, end: float) -> Array:
    """Return points (N, 2), m, of an arc; begin, end: degrees from x."""
    count = max(2, math.ceil(radius * math.radians(abs(end - begin)) / _SPACING) + 1)
    angle = np.radians(np.linspace(begin, end, count))
    return np.asarray(center + radius * np.stack((np.cos(angle), np.sin(angle)), axis=1))


_PATHS: Mapping[str, Callable[[], Path]] = {
    "straight": _straight, "s-curve": _s_curve, "circle": _circle, "figure-eight": _figure_eight,
    "corner": _corner, "loop": _loop, "turn": _turn,
}  # fmt: skip
