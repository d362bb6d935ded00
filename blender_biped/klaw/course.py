"""A path as a body goes along it: rounded, and with a direction everywhere."""

from __future__ import annotations

import numpy as np

from ..base.curves import smoothed
from ..base.spatial import Array, left_of
from ..world.path import Path

_GRID = 0.02  # m
_ROUNDED = 0.18  # m: standard deviation of the Gaussian that rounds corners
_MOST = 0.06  # m by which the way goes outside of a bend at most
_SHARPEST = 12.0  # rad/m: a rounded corner of 140 degrees; in sharper ones the body would turn on the spot, at once
_BEYOND = 2.0  # m before and after the path


class Course:
    """Where points beside a path are, and where it heads, by arc length. Goes on straight beyond the ends.

    A body whose hips go along a bend is, on average over a stride, inside of it by stride^2 / (24 radius); rounding
    takes it inside too. Both are made up for, so that the walker keeps to the path.
    """

    def __init__(self, path: Path, stride: float) -> None:
        """Take a path, m, and the length of a stride, m."""
        ahead = max(_BEYOND, stride)
        count = int(np.ceil((path.length + 2.0 * ahead) / _GRID))
        self._first, self._grid = -ahead, (path.length + 2.0 * ahead) / count
        arcs = self._first + self._grid * np.arange(count + 1)
        points = path.position(arcs)
        bent = path.heading(arcs)
        if np.ptp(np.unwrap(bent)) > 1e-9:
            soft = smoothed(points, self._grid, _ROUNDED, odd=True)
            bend = np.gradient(np.gradient(soft, self._grid, axis=0), self._grid, axis=0)
            bend = smoothed(bend, self._grid, _ROUNDED)
            out = (stride * stride / 24.0 + 0.5 * _ROUNDED**2) * bend
            size = np.linalg.norm(out, axis=1, keepdims=True)
            points = soft - out * np.minimum(1.0, _MOST / np.maximum(size, 1e-9))
            ways = np.gradient(points, self._grid, axis=0)
            drawn, bent = np.unwrap(bent), np.unwrap(np.arctan2(ways[:, 1], ways[:, 0]))
            if np.abs(np.gradient(bent, self._grid)).max() > _SHARPEST:  # rounding leaves the corner of a way back
                bent = smoothed(drawn[:, None], self._grid, _ROUNDED, odd=True)[:, 0]
        self._points, self._headings = points, bent

    def heading(self, s: Array) -> Array:
        """Return the direction (...), rad, unwrapped, at arc lengths (...), m."""
        return self._mixed(self._headings[:, None], s)[..., 0]

    def place(self, s: Array, beside: Array) -> Array:
        """Return points (..., 2), m, at arc lengths (...) and distances (...) to the left, m."""
        at, heading = self._mixed(self._points, s), self.heading(s)
        return np.asarray(at + beside[..., None] * left_of(heading))

    def _mixed(self, table: Array, s: Array) -> Array:
        at = (np.asarray(s) - self._first) / self._grid
        i = np.clip(at.astype(int), 0, len(table) - 2)
        share = (at - i)[..., None]
        return np.asarray((1.0 - share) * table[i] + share * table[i + 1])
