"""Which triangles are over a place of the plane, and how high: cells of the plane, each with what is over it."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..base.spatial import Array

NO_GROUND = -math.inf
"""The height where there is no ground."""

_PER_CELL = 2.0  # triangles that a cell has, about, where all are of one size
_MOST_CELLS = 400  # along each side
_MOST_ROWS = 300_000  # rows of cells that all triangles cross together: long ones cross many
_MOST_ENTRIES = 2_000_000  # triangles of all cells together
_PAD = 1e-6  # m by which a triangle may reach farther than it is
_EDGE = 1e-9  # m2 by which a point may be outside of a triangle: neighbours leave no gap between them
_FEW = 64  # places, or triangles of a cell, up to which plain numbers are faster than arrays
_INSET = 1e-3  # of a triangle's size, at each side of its bounds that is left out as they are counted
_AT_ONCE = 400_000  # pairs of places and triangles that are looked at together
_LINES = 512  # along each side, at whose crossings it is counted how many triangles there are


class Over:
    """Triangles as they are seen from above. Of several over a place the highest counts.

    What a cell of the plane has is what crosses it, not what has it within its bounds: long thin triangles are in few
    cells. Cells are larger where there would be too many entries.
    """

    def __init__(self, corners: Array, normals: Array) -> None:
        """Take corners (M, 3, 3), m, counter-clockwise from above; normals (M, 3), all of them up; M > 0."""
        flat = corners[..., :2]
        low, high = flat.min(axis=(0, 1)), flat.max(axis=(0, 1))
        size = np.maximum(high - low, _PAD)
        cell = float(max(np.sqrt(_PER_CELL * np.prod(size) / len(corners)), size.max() / _MOST_CELLS))
        slopes = -normals[:, :2] / normals[:, 2:]
        self._planes: Array = np.column_stack((flat.reshape(-1, 6), corners[:, 0, 2], slopes))
        self._left, self._low = low.tolist()
        found = None
        while found is None:
            self.cell = cell
            self._columns, self._rows = (int(n // cell) + 1 for n in size)
            found = _entries(flat, low, cell, self._columns, self._rows)
            cell *= 2.0
        cells, triangles = found
        order = np.argsort(cells, kind="stable")  # in the order of the triangles
        self.entries: NDArray[np.int32] = triangles[order]
        counts = np.bincount(cells, minlength=self._columns * self._rows)
        self._starts: NDArray[np.int64] = np.concatenate(([0], np.cumsum(counts)))
        self._known: dict[int, Sequence[tuple[float, ...]] | Array] = {}

    def height(self, x: float, y: float) -> float:
        """Return the height of the highest triangle at a place, m; NO_GROUND where there is none."""
        i, k = int((x - self._left) // self.cell), int((y - self._low) // self.cell)
        if not (0 <= i < self._columns and 0 <= k < self._rows):
            return NO_GROUND
        cell = k * self._columns + i
        rows = self._known.get(cell)
        if rows is None:
            own = self._planes[self.entries[self._starts[cell] : self._starts[cell + 1]]]
            rows = self._known[cell] = own if len(own) > _FEW else [tuple(row) for row in own.tolist()]
        if isinstance(rows, np.ndarray):
            return float(_heights(rows, x, y).max())
        best = NO_GROUND
        for ax, ay, bx, by, cx, cy, za, gx, gy in rows:
            if (
                (bx - ax) * (y - ay) - (by - ay) * (x - ax) >= -_EDGE
                and (cx - bx) * (y - by) - (cy - by) * (x - bx) >= -_EDGE
                and (ax - cx) * (y - cy) - (ay - cy) * (x - cx) >= -_EDGE
            ):
                best = max(best, za + gx * (x - ax) + gy * (y - ay))
        return best

    def heights(self, places: Array) -> Array:
        """Return ``height`` of each of many places (N, 2), m: the same (N,), sooner."""
        if len(places) <= _FEW:
            return np.array([self.height(x, y) for x, y in places.tolist()])
        i, k = ((places - (self._left, self._low)) // self.cell).T
        inside = (i >= 0) & (i < self._columns) & (k >= 0) & (k < self._rows)
        cells = np.where(inside, k * self._columns + i, 0).astype(np.int64)
        starts = self._starts[cells]
        counts = np.where(inside, self._starts[cells + 1] - starts, 0)
        found = np.full(len(places), NO_GROUND)
        sums = np.cumsum(counts)
        first = 0
        while first < len(places):
            before = int(sums[first - 1]) if first else 0
            end = max(int(np.searchsorted(sums, before + _AT_ONCE, side="right")), first + 1)
            some = np.flatnonzero(counts[first:end]) + first
            first = end
            if not len(some):
                continue
            own = counts[some]
            begins = np.cumsum(own) - own
            entries = np.repeat(starts[some] - begins, own) + np.arange(int(own.sum()))
            x, y = np.repeat(places[some], own, axis=0).T
            found[some] = np.maximum.reduceat(_heights(self._planes[self.entries[entries]], x, y), begins)
        return found


def _heights(planes: Array, x: Array | float, y: Array | float) -> Array:
    """Return the heights (N,) of triangles (N, 9) at a place, or at one each; NO_GROUND of those that are beside it."""
    ax, ay, bx, by, cx, cy, za, gx, gy = planes.T
    over = (
        ((bx - ax) * (y - ay) - (by - ay) * (x - ax) >= -_EDGE)
        & ((cx - bx) * (y - by) - (cy - by) * (x - bx) >= -_EDGE)
        & ((ax - cx) * (y - cy) - (ay - cy) * (x - cx) >= -_EDGE)
    )
    return np.where(over, za + gx * (x - ax) + gy * (y - ay), NO_GROUND)


def _entries(
    flat: Array, low: Array, cell: float, columns: int, rows: int
) -> tuple[NDArray[np.int64], NDArray[np.int32]] | None:
    """Return which cells (N,) have which triangles (N,), in the order of these; None where they would be too many.

    flat (M, 3, 2): the triangles, m. low (2,): where the cells begin.
    """
    firsts = np.clip((flat[..., 1].min(axis=1) - low[1] - _PAD) // cell, 0, rows - 1).astype(np.int64)
    lasts = np.clip((flat[..., 1].max(axis=1) - low[1] + _PAD) // cell, 0, rows - 1).astype(np.int64)
    crossed = lasts - firsts + 1
    if crossed.sum() > _MOST_ROWS and rows > 1:
        return None
    own, row = _counted(firsts, crossed)
    # Of each side what is within the row, and where along x that begins and ends.
    begins, ends = flat[own], np.roll(flat, -1, axis=1)[own]
    under, above = (low[1] + row * cell - _PAD)[:, None], (low[1] + (row + 1) * cell + _PAD)[:, None]
    rise = ends[..., 1] - begins[..., 1]
    level = np.abs(rise) <= _PAD
    safe = np.where(level, 1.0, rise)
    shares = np.clip(np.stack(((under - begins[..., 1]) / safe, (above - begins[..., 1]) / safe)), 0.0, 1.0)
    shares = np.where(level, np.array((0.0, 1.0))[:, None, None], shares)
    there = (np.minimum(begins[..., 1], ends[..., 1]) <= above) & (np.maximum(begins[..., 1], ends[..., 1]) >= under)
    x = begins[..., 0] + shares * (ends[..., 0] - begins[..., 0])
    left = np.where(there, x.min(axis=0), np.inf).min(axis=1)
    right = np.where(there, x.max(axis=0), -np.inf).max(axis=1)
    left, right = (np.clip((at - low[0]) // cell, 0, columns - 1) for at in (left - _PAD, right + _PAD))
    widths = (right - left).astype(np.int64) + 1
    if widths.sum() > _MOST_ENTRIES and columns > 1:
        return None
    entry, column = _counted(left.astype(np.int64), widths)
    return row[entry] * columns + column, own[entry].astype(np.int32)


def _counted(firsts: NDArray[np.int64], counts: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return for each of ``counts`` (M,) numbers from ``firsts`` (M,) on whose it is (N,), and the number (N,)."""
    whose = np.repeat(np.arange(len(counts)), counts)
    begins = np.cumsum(counts) - counts
    return whose, np.arange(len(whose)) - begins[whose] + firsts[whose]


def most_over(flat: Array) -> int:
    """Return about how many triangles are over the place with most of them, by their bounds.

    flat (M, 3, 2): seen from above, m. It is counted where lines cross that have as many bounds between them, so that
    they are close where many triangles are: at most a few in a hundred of all are missed.
    """
    lows, highs = flat.min(axis=1), flat.max(axis=1)
    inset = _INSET * (highs - lows)  # many may have a corner in common
    lows, highs = lows + inset, highs - inset
    firsts, ends = [], []
    for axis in range(2):
        bounds = np.sort(np.concatenate((lows[:, axis], highs[:, axis])))
        lines = bounds[np.linspace(0, len(bounds) - 1, min(_LINES, len(bounds))).astype(int)]
        firsts.append(np.searchsorted(lines, lows[:, axis], side="left"))
        ends.append(np.searchsorted(lines, highs[:, axis], side="right"))
    counts = np.zeros((_LINES + 1, _LINES + 1), dtype=np.int64)
    for x, y, sign in ((firsts[0], firsts[1], 1), (ends[0], firsts[1], -1), (firsts[0], ends[1], -1), (*ends, 1)):
        np.add.at(counts, (x, y), sign)
    return int(counts.cumsum(axis=0).cumsum(axis=1).max())
