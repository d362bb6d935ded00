"""Shapes of new paths, as Bezier splines."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..base.spatial import Array

SHAPES = (
    ("STRAIGHT", "Straight", "Straight ahead"),
    ("S", "S-Curve", "To the left, to the right, and on ahead"),
    ("CIRCLE", "Circle", "Round to the left, closed"),
    ("RECTANGLE", "Rectangle", "Four sides with rounded corners, closed, to the left"),
)
"""The items of a menu: name, label and description."""

_ARC = 4.0 / 3.0 * np.tan(np.pi / 8.0)  # handle of a quarter of a circle, of its radius
_ASIDE = 0.12  # of its length: how far the S goes to each side
_RATIO, _ROUND = 2.0, 0.3  # of a rectangle: long to short side, and a corner's radius to the short side
_SAMPLES = 64  # of each segment, to measure it


@dataclass(frozen=True)
class Spline:
    """A Bezier spline: points (N, 2) and their handles before and after them (N, 2)."""

    points: Array
    before: Array
    after: Array
    closed: bool

    def scaled(self, factor: float) -> Spline:
        """Return it larger, about the origin."""
        return Spline(factor * self.points, factor * self.before, factor * self.after, self.closed)

    @property
    def length(self) -> float:
        """Length of all segments."""
        ends = range(len(self.points) if self.closed else len(self.points) - 1)
        return sum(self._segment(i, (i + 1) % len(self.points)) for i in ends)

    def _segment(self, i: int, k: int) -> float:
        t = np.linspace(0.0, 1.0, _SAMPLES + 1)[:, None]
        points = (
            (1.0 - t) ** 3 * self.points[i] + 3.0 * (1.0 - t) ** 2 * t * self.after[i]
            + 3.0 * (1.0 - t) * t**2 * self.before[k] + t**3 * self.points[k]
        )  # fmt: skip
        return float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())


def ground_path(shape: str, length: float) -> Spline:
    """Return a path of a length that begins at the origin and goes along x, y to its left. shape: of SHAPES."""
    spline = _MAKERS[shape]()
    return spline.scaled(length / spline.length)


def _straight() -> Spline:
    return _smooth([(0.0, 0.0), (1.0, 0.0)], [(1.0, 0.0)] * 2, [1.0 / 3.0] * 2)


def _s() -> Spline:
    points = [(0.0, 0.0), (0.3, _ASIDE), (0.7, -_ASIDE), (1.0, 0.0)]
    return _smooth(points, [(1.0, 0.0)] * 4, [0.13, 0.13, 0.13, 0.13])


def _circle() -> Spline:
    points = [(0.0, 0.0), (1.0, 1.0), (0.0, 2.0), (-1.0, 1.0)]
    return _smooth(points, [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)], [_ARC] * 4, closed=True)


def _rectangle() -> Spline:
    """From the middle of a long side, round to the left; each corner is a quarter of a circle."""
    r, x, y = _ROUND, 0.5 * _RATIO, 1.0
    points = [(0.0, 0.0), (x - r, 0.0), (x, r), (x, y - r), (x - r, y), (r - x, y), (-x, y - r), (-x, r), (r - x, 0.0)]
    ahead, left, back, right = (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)
    return _smooth(points, [ahead, ahead, left, left, back, back, right, right, ahead], [_ARC * r] * 9, closed=True)


_MAKERS = {"STRAIGHT": _straight, "S": _s, "CIRCLE": _circle, "RECTANGLE": _rectangle}


def _smooth(
    points: list[tuple[float, float]],
    directions: list[tuple[float, float]],
    handles: list[float],
    closed: bool = False,
) -> Spline:
    """Return the spline through points that has a direction and handles of a length at each."""
    at, way = np.array(points, dtype=float), np.array(directions, dtype=float) * np.array(handles)[:, None]
    return Spline(at, at - way, at + way, closed)
