"""Ground that is not flat: triangles as they are seen from above, and what is asked of them. numpy only."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..base.errors import DataError
from ..base.fields import Fields
from ..base.limits import MAX_ROWS
from ..base.spatial import Array
from .over import NO_GROUND as NO_GROUND
from .over import Over, most_over

MOST_TRIANGLES = 33_000
"""Of a ground: more make the physics slow, and are finer than a foot feels. A Job has room for their corners."""

MOST_OVER = 500
"""Of triangles over one place: a foot on more of them takes the physics minutes for a step."""

_UPRIGHT = 0.02  # of a triangle's normal's vertical part: what is steeper is a wall, on which nothing stands
_SPAN = 0.06  # m on which a slope is felt: about half a foot's width to each side


class Terrain:
    """A ground of triangles, of which what is highest at a place counts: what is above it is no ground.

    vertices (N, 3), m, world; faces (M, 3): places of each triangle's corners among them. Which way a triangle faces
    does not matter: all are turned to face upwards.
    """

    def __init__(self, vertices: ArrayLike, faces: ArrayLike) -> None:
        """Keep the triangles, without those that have no area.

        Raises DataError when a number is not finite, a corner is not there, nothing faces upwards, or they are too
        many, at all or at one place.
        """
        points, corners = np.array(vertices, dtype=float), np.array(faces, dtype=np.int64)
        if points.ndim != 2 or points.shape[1:] != (3,) or corners.ndim != 2 or corners.shape[1:] != (3,):
            raise DataError("world.ground: expected corners (x, y, z) and triangles of three of them each.")
        if not np.isfinite(points).all():
            raise DataError("world.ground has a corner that is not a finite number: check the mesh and its modifiers.")
        check_count(len(corners))
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
        _check_over(points[corners[normals[:, 2] > _UPRIGHT]][..., :2])
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
        return self._over.height(x, y)

    def heights(self, places: ArrayLike) -> Array:
        """Return the ground's heights (...), m, at places (..., 2 or more), m; NO_GROUND where there is none."""
        given = np.asarray(places, dtype=float)
        return self._over.heights(given.reshape(-1, given.shape[-1])[:, :2]).reshape(given.shape[:-1])

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

    @cached_property
    def _over(self) -> Over:
        up = self._normals[:, 2] > _UPRIGHT
        return Over(self.vertices[self.faces[up]], self._normals[up])


def check_count(corners: int, spare: float = 1.0) -> None:
    """Raise DataError for more triangles near a path than can be walked on. spare: times as many are let through."""
    if corners > spare * MOST_TRIANGLES:
        raise DataError(
            f"The ground has {corners} triangles near the path; at most {MOST_TRIANGLES} can be walked on: "
            "make its mesh simpler (a Decimate modifier will do)."
        )


def _check_over(flat: Array) -> None:
    """Raise DataError where too many triangles (M, 3, 2), m, as seen from above, are over one place."""
    most = most_over(flat) if len(flat) > MOST_OVER else 0
    if most > MOST_OVER:
        raise DataError(
            f"About {most} triangles of the ground lie over one another; at most {MOST_OVER} can be walked "
            "on. Take away what lies there twice, or give its mesh shorter faces (a Remesh modifier will do)."
        )
