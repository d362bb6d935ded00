"""Ground that is not flat: triangles as they are seen from above, and what is asked of them. numpy only."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..base.errors import DataError
from ..base.fields import Fields
from ..base.limits import MAX_ROWS
from ..base.spatial import Array

MOST_TRIANGLES = 33_000
"""Of a ground: more make the physics slow, and are finer than a foot feels. A Job has room for their corners."""

NO_GROUND = -math.inf
"""The height where there is no ground."""

_UPRIGHT = 0.02  # of a triangle's normal's vertical part: what is steeper is a wall, on which nothing stands
_PER_CELL = 2.0  # triangles that a cell of the index has, about, where all are of one size
_MOST_CELLS = 400  # of the index, along each side
_EDGE = 1e-9  # m2 by which a point may be outside of a triangle: neighbours leave no gap between them
_SPAN = 0.06  # m on which a slope is felt: about half a foot's width to each side


class Terrain:
    """A ground of triangles, of which what is highest at a place counts: what is above it is no ground.

    vertices (N, 3), m, world; faces (M, 3): places of each triangle's corners among them. Which way a triangle faces
    does not matter: all are turned to face upwards.
    """

    def __init__(self, vertices: ArrayLike, faces: ArrayLike) -> None:
        """Keep the triangles, without those that have no area.

        Raises DataError when a number is not finite, a corner is not there, nothing faces upwards, or are too many.
        """
        points, corners = np.array(vertices, dtype=float), np.array(faces, dtype=np.int64)
        if points.ndim != 2 or points.shape[1:] != (3,) or corners.ndim != 2 or corners.shape[1:] != (3,):
            raise DataError("world.ground: expected corners (x, y, z) and triangles of three of them each.")
        if not np.isfinite(points).all():
            raise DataError("world.ground has a corner that is not a finite number: check the mesh and its modifiers.")
        if len(corners) > MOST_TRIANGLES:
            raise DataError(
                f"The ground has {len(corners)} triangles near the path; at most {MOST_TRIANGLES} can be walked on: "
                "make its mesh simpler (a Decimate modifier will do)."
            )
        if len(corners) and not (corners.min() >= 0 and corners.max() < len(points)):
            raise DataError("world.ground: a triangle has a corner that is not there.")
        a, b, c = (points[corners[:, k]] for k in range(3))
        normals = np.cross(b - a, c - a)
        areas = np.linalg.norm(normals, axis=1)
        kept = areas > 1e-12
        normals = normals[kept] / areas[kept, None]
        corners = corners[kept]
        turned = normals[:, 2] < 0.0
        corners[turned] = corners[turned][:, ::-1]
        normals[turned] *= -1.0
        if not (normals[:, 2] > _UPRIGHT).any():
            raise DataError("The ground has no face to stand on: all of its faces are upright, or it has none.")
        self.vertices: Array = points
        self.faces: NDArray[np.int64] = corners
        self._normals = normals

    def __eq__(self, other: object) -> bool:
        """Return whether the other has the same triangles."""
        return (
            isinstance(other, Terrain)
            and np.array_equal(self.vertices, other.vertices)
            and np.array_equal(self.faces, other.faces)
        )

    def __hash__(self) -> int:
        """Return a number that is the same for the same triangles."""
        return hash((self.vertices.tobytes(), self.faces.tobytes()))

    def scaled(self, factor: float) -> Terrain:
        """Return it larger, about the origin."""
        return Terrain(self.vertices * factor, self.faces)

    def height(self, x: float, y: float) -> float:
        """Return the ground's height at a place, m; NO_GROUND where there is none."""
        best = NO_GROUND
        for ax, ay, bx, by, cx, cy, za, gx, gy in self._at(x, y):
            if (
                (bx - ax) * (y - ay) - (by - ay) * (x - ax) >= -_EDGE
                and (cx - bx) * (y - by) - (cy - by) * (x - bx) >= -_EDGE
                and (ax - cx) * (y - cy) - (ay - cy) * (x - cx) >= -_EDGE
            ):
                best = max(best, za + gx * (x - ax) + gy * (y - ay))
        return best

    def heights(self, places: ArrayLike) -> Array:
        """Return the ground's heights (...), m, at places (..., 2 or more), m; NO_GROUND where there is none."""
        given = np.asarray(places, dtype=float)
        flat = given.reshape(-1, given.shape[-1])
        found = [self.height(x, y) for x, y in flat[:, :2].tolist()]
        return np.array(found).reshape(given.shape[:-1])

    def slope(self, x: float, y: float, span: float = _SPAN) -> tuple[float, float]:
        """Return how much the ground rises along x and along y, m/m, over ``span`` m to each side of a place.

        Where there is no ground on a side, as where there is none at the place itself, that side counts as level.
        """
        here = self.height(x, y)

        def rise(dx: float, dy: float) -> float:
            ahead, behind = self.height(x + dx, y + dy), self.height(x - dx, y - dy)
            ahead = here if ahead == NO_GROUND else ahead
            behind = here if behind == NO_GROUND else behind
            return 0.0 if here == NO_GROUND else (ahead - behind) / (2.0 * span)

        return rise(span, 0.0), rise(0.0, span)

    def as_json(self) -> dict[str, Any]:
        """Return plain JSON data that ``from_json`` reads back."""
        return {"vertices": self.vertices.tolist(), "faces": self.faces.tolist()}

    @classmethod
    def from_json(cls, data: Any, where: str) -> Terrain:
        """Return the ground that ``as_json`` wrote. Raises DataError naming the wrong field."""
        f = Fields(data, where)
        f.only(("vertices", "faces"))
        faces = f.rows("faces", 3)
        if any(corner != int(corner) for face in faces for corner in face):
            raise DataError(f"{where}.faces: expected whole numbers.")
        if any(abs(corner) > MAX_ROWS for face in faces for corner in face):  # of more there is no integer
            raise DataError(f"{where}.faces: a triangle has a corner that is not there.")
        return cls(f.rows("vertices", 3), faces)

    # -- the index: cells of the plane, each with the triangles over it

    def _at(self, x: float, y: float) -> Sequence[tuple[float, ...]]:
        """Return the triangles that may be over a place: corners in the plane, and a plane's height and slope."""
        (left, low), cell, columns, rows, table = self._index
        i, k = int((x - left) // cell), int((y - low) // cell)
        return table.get(k * columns + i, ()) if 0 <= i < columns and 0 <= k < rows else ()

    @cached_property
    def _index(self) -> tuple[tuple[float, float], float, int, int, dict[int, list[tuple[float, ...]]]]:
        up = self._normals[:, 2] > _UPRIGHT
        corners, normals = self.vertices[self.faces[up]], self._normals[up]
        low, high = corners[..., :2].min(axis=(0, 1)), corners[..., :2].max(axis=(0, 1))
        size = np.maximum(high - low, 1e-6)
        cell = float(max(np.sqrt(_PER_CELL * np.prod(size) / len(corners)), size.max() / _MOST_CELLS))
        columns, rows = (int(n // cell) + 1 for n in size)
        table: dict[int, list[tuple[float, ...]]] = {}
        firsts = np.clip((corners[..., :2].min(axis=1) - low - 1e-6) // cell, 0, None).astype(int)
        lasts = ((corners[..., :2].max(axis=1) - low + 1e-6) // cell).astype(int)
        slopes = -normals[:, :2] / normals[:, 2:]
        for own, (gx, gy), first, last in zip(corners, slopes.tolist(), firsts.tolist(), lasts.tolist(), strict=True):
            (ax, ay, az), (bx, by, _), (cx, cy, _) = own.tolist()
            row = (ax, ay, bx, by, cx, cy, az, gx, gy)
            for k in range(first[1], min(last[1], rows - 1) + 1):
                for i in range(first[0], min(last[0], columns - 1) + 1):
                    table.setdefault(k * columns + i, []).append(row)
        return (float(low[0]), float(low[1])), cell, columns, rows, table
