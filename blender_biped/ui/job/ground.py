"""From the scene to the ground of a job: the meshes of a collection, near the path."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ...base.errors import DataError
from ...base.spatial import Array
from ...world.completed import completed
from ...world.path import Path
from ...world.terrain import Terrain, check_count
from ..base.solids import Faces, read_triangles
from .things import members

_MARGIN = 3.0  # m beside the path within which the ground is read
MOST_READ = 1_000_000
"""Triangles of all meshes of a ground, near the path or not: to look at more takes Blender too long."""

_APART = 0.5  # m between the path's points that are looked at
_SPARE = 2.0  # times the most triangles of a ground from which they are not looked at one by one


@dataclass(frozen=True)
class SceneGround:
    """The ground; terrain is None where it is level. friction: of the first mesh that has Rigid Body settings, else 1.

    notes: what the user should know.
    """

    terrain: Terrain | None = None
    friction: float = 1.0
    notes: tuple[str, ...] = ()


def read_ground(
    scene: bpy.types.Scene, view_layer: bpy.types.ViewLayer, path: Path, unit: float, level: float
) -> SceneGround:
    """Return the ground of a scene, which is evaluated, near a path: where it has no mesh, a floor.

    unit: metres of one Blender unit. level: height of the floor, m, world. Raises DataError for one that is unusable.
    """
    collection = scene.biped.ground
    if collection is None:
        return SceneGround()
    depsgraph = bpy.context.evaluated_depsgraph_get()
    vertices: list[Array] = []
    faces: list[NDArray[np.int64]] = []
    count, friction = 0, 1.0
    places = path.position(np.arange(0.0, path.length / path.laps + _APART, _APART))  # all laps are the same way
    found = members(collection, view_layer)
    bodies = [thing.rigid_body for thing in found if thing.rigid_body]
    if bodies:
        friction = float(bodies[0].friction)
    _check_read(found, depsgraph)
    for thing in found:
        world = np.array(thing.matrix_world, dtype=float)
        if not np.isfinite(world).all():
            raise DataError(f"{thing.name!r} has no size, or is at no place: correct its scale and its place.")
        place = unit * world[:3, 3]
        mesh = read_triangles(thing, depsgraph, unit * world[:3, :3], _NearPath(place, places).faces)
        points = mesh.vertices + place
        near = _near(points, mesh.faces, places)
        used, own = np.unique(mesh.faces[near], return_inverse=True)
        vertices.append(points[used])
        faces.append(own.reshape(-1, 3).astype(np.int64) + count)
        count += len(used)
    if not sum(len(own) for own in faces):
        note = (
            f"The ground {collection.name!r} has no mesh within {_MARGIN:g} m of the path: the walk is on a flat floor."
        )
        return SceneGround(notes=(note,))
    own = Terrain(np.concatenate(vertices), np.concatenate(faces))
    whole = completed(own, path, level, _MARGIN)
    note = f"Where the ground {collection.name!r} has no mesh, there is a flat floor at the height of the soles."
    return SceneGround(whole, friction, () if whole is own else (note,))


def _check_read(meshes: Sequence[Any], depsgraph: bpy.types.Depsgraph) -> None:
    """Raise DataError for meshes with more triangles than are looked at, before any of these is read."""
    shown = [thing.evaluated_get(depsgraph).data for thing in meshes]
    count = sum(len(data.loops) - 2 * len(data.polygons) for data in shown if isinstance(data, bpy.types.Mesh))
    if count > MOST_READ:
        raise DataError(
            f"The meshes of the ground have {count} triangles; at most {MOST_READ} can be read: make them simpler (a "
            "Decimate modifier will do), or take those out of the collection that are far from the path."
        )


@dataclass(frozen=True, eq=False)
class _NearPath:
    """What of a mesh is near a path. place (3,): of its object, m. places (K, 2): of the path, m."""

    place: Array
    places: Array

    def faces(self, faces: Faces) -> NDArray[np.bool_]:
        """Return which faces (P,) may have a triangle that comes near, by bounds. Raises DataError for too many."""
        least, most = self.places.min(axis=0) - _MARGIN, self.places.max(axis=0) + _MARGIN
        beside = np.zeros(len(faces.vertices), dtype=np.uint8)  # of what sides of all of the path
        for axis in range(2):
            at = faces.vertices[:, axis] + self.place[axis]
            beside |= np.where(at < least[axis], 1 << 2 * axis, 0).astype(np.uint8)
            beside |= np.where(at > most[axis], 2 << 2 * axis, 0).astype(np.uint8)
        near = np.bitwise_and.reduceat(beside[faces.corners], faces.starts) == 0
        some = np.flatnonzero(near)
        if len(some):
            counts = np.diff(faces.starts, append=len(faces.corners))[some]
            begins = np.cumsum(counts) - counts
            corners = faces.corners[np.repeat(faces.starts[some] - begins, counts) + np.arange(int(counts.sum()))]
            at = (faces.vertices[:, :2][corners] + self.place[:2]).T
            low, high = np.minimum.reduceat(at, begins, axis=1), np.maximum.reduceat(at, begins, axis=1)
            near[some] = near_any(low - _MARGIN, high + _MARGIN, self.places)
            check_count(int((counts[near[some]] - 2).sum()), _SPARE)
        return near


def _near(points: Array, faces: NDArray[np.int64], places: Array) -> NDArray[np.bool_]:
    """Return which triangles (M,) come near places of the path (K, 2), by their bounds."""
    if not len(faces):
        return np.zeros(0, dtype=bool)
    corners = points[faces][..., :2]
    low, high = corners.min(axis=1) - _MARGIN, corners.max(axis=1) + _MARGIN
    return near_any(low.T, high.T, places)


def near_any(low: Array, high: Array, places: Array) -> NDArray[np.bool_]:
    """Return which (M,) of many bounds have any of places (K, 2), which follow one another, in them.

    low, high (2, M): of the bounds. The row of places is halved again and again; what has the middle one in it is
    found, and what is beside a half is not looked at again for it.
    """
    found = np.zeros(low.shape[1], dtype=bool)
    waiting: list[tuple[Array, NDArray[np.int64]]] = [(places, np.arange(len(found)))]
    while waiting:
        row, left = waiting.pop()
        left = left[~found[left]]
        x, y = row[len(row) // 2]
        over = (low[0][left] <= x) & (high[0][left] >= x) & (low[1][left] <= y) & (high[1][left] >= y)
        found[left[over]] = True
        left = left[~over]
        for k in range(2):
            left = left[(low[k][left] <= row[:, k].max()) & (high[k][left] >= row[:, k].min())]
        if len(left) and len(row) > 1:
            half = len(row) // 2
            waiting += [(row[half:], left), (row[:half], left)]
    return found
