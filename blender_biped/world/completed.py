"""A ground of some meshes, as stairs alone, completed by a level floor where it has none under a path."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ..base.spatial import Array
from .path import Path
from .terrain import NO_GROUND, Terrain

_LOOKS = 0.1  # m of path between places that are looked at
_ASIDE = (-0.2, 0.0, 0.2)  # m to the left of the path: where feet are
_CELL = 0.25  # m: side of a piece of floor, of a path that is not long
_MOST = 1000  # pieces side by side
_LOWER = 1e-3  # m below the floor from which a ground is a hollow in it


def completed(ground: Terrain, path: Path, level: float, margin: float) -> Terrain:
    """Return a ground with a floor at a height, m, world, wherever it has no triangle within ``margin`` m of a path.

    The floor goes on below what is higher, and leaves out what is lower. One that has triangles everywhere under the
    path is returned as it is.
    """
    arcs = np.arange(0.0, path.length / path.laps + _LOOKS, _LOOKS)
    places, left = path.position(arcs), path.left(arcs, _LOOKS)
    under = np.concatenate([ground.heights(places + aside * left) for aside in _ASIDE])
    if not (under == NO_GROUND).any():
        return ground
    low, high = places.min(axis=0) - margin, places.max(axis=0) + margin
    side = max(_CELL, float((high - low).max()) / _MOST)
    near = _near(np.floor((places - low) / side).astype(int), np.ceil((high - low) / side).astype(int), margin / side)
    rows, columns = np.nonzero(near)
    begin = low + side * np.column_stack((rows, columns))
    corners = np.array([(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0), (0.5, 0.5)]) * side
    heights = np.stack([ground.heights(begin + corner) for corner in corners])
    hollow = ((heights != NO_GROUND) & (heights < level - _LOWER)).any(axis=0)
    near[rows[hollow], columns[hollow]] = False
    floor = [(low + side * np.array(a), low + side * np.array(b)) for a, b in _rectangles(near)]
    if not floor:
        return ground
    points, faces = [ground.vertices], [ground.faces]
    for count, (a, b) in enumerate(floor):
        points.append(np.array([(a[0], a[1], level), (b[0], a[1], level), (b[0], b[1], level), (a[0], b[1], level)]))
        faces.append(np.array([(0, 1, 2), (0, 2, 3)]) + len(ground.vertices) + 4 * count)
    return Terrain(np.concatenate(points), np.concatenate(faces))


def _near(cells: NDArray[np.int_], count: NDArray[np.int_], reach: float) -> NDArray[np.bool_]:
    """Return which cells of a grid of ``count`` (2,) are within ``reach`` cells of others (K, 2)."""
    found = np.zeros(count, dtype=bool)
    found[tuple(np.clip(cells, 0, count - 1).T)] = True
    steps, own = math.ceil(reach), np.argwhere(found)
    for a in range(-steps, steps + 1):
        for b in range(-steps, steps + 1):
            if math.hypot(a, b) <= reach + 0.5:
                moved = own + np.array((a, b))
                inside = ((moved >= 0) & (moved < count)).all(axis=1)
                found[tuple(moved[inside].T)] = True
    return found


def _rectangles(cells: NDArray[np.bool_]) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Give rectangles that cover cells of a grid: the first corner, and the one behind the last."""
    open_since: dict[tuple[int, int], int] = {}
    for row in range(len(cells) + 1):
        runs = _runs(cells[row]) if row < len(cells) else set[tuple[int, int]]()
        for run in [run for run in open_since if run not in runs]:
            yield (open_since.pop(run), run[0]), (row, run[1])
        for run in runs:
            open_since.setdefault(run, row)


def _runs(row: Array) -> set[tuple[int, int]]:
    """Return where cells of a row follow one another: the first one, and the one behind the last."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], row.astype(int), [0]))))
    return {(int(a), int(b)) for a, b in zip(edges[::2], edges[1::2], strict=True)}
