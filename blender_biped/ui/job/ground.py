"""From the scene to the ground of a job: the meshes of a collection, near the path."""

from __future__ import annotations

from dataclasses import dataclass

import bpy
import numpy as np
from numpy.typing import NDArray

from ...base.errors import DataError
from ...base.spatial import Array
from ...world.path import Path
from ...world.terrain import Terrain
from ..base.solids import read_triangles
from .things import members

_MARGIN = 3.0  # m beside the path within which the ground is read
_APART = 0.5  # m between the path's points that are looked at


@dataclass(frozen=True)
class SceneGround:
    """The ground. friction: of the first mesh that has Rigid Body settings, else 1."""

    terrain: Terrain
    friction: float


def read_ground(scene: bpy.types.Scene, view_layer: bpy.types.ViewLayer, path: Path, unit: float) -> SceneGround | None:
    """Return the ground of a scene, which is evaluated, near a path; None where no collection is chosen.

    unit: metres of one Blender unit. Raises DataError for one that has no mesh near the path, or is unusable.
    """
    collection = scene.biped.ground
    if collection is None:
        return None
    depsgraph = bpy.context.evaluated_depsgraph_get()
    vertices: list[Array] = []
    faces: list[NDArray[np.int64]] = []
    count, friction = 0, 1.0
    places = path.position(np.arange(0.0, path.length + _APART, _APART))
    found = members(collection, view_layer)
    bodies = [thing.rigid_body for thing in found if thing.rigid_body]
    if bodies:
        friction = float(bodies[0].friction)
    for thing in found:
        world = np.array(thing.matrix_world, dtype=float)
        if not np.isfinite(world).all():
            raise DataError(f"{thing.name!r} has no size, or is at no place: correct its scale and its place.")
        mesh = read_triangles(thing, depsgraph, unit * world[:3, :3])
        points = mesh.vertices + unit * world[:3, 3]
        near = _near(points, mesh.faces, places)
        used, own = np.unique(mesh.faces[near], return_inverse=True)
        vertices.append(points[used])
        faces.append(own.reshape(-1, 3).astype(np.int64) + count)
        count += len(used)
    if not sum(len(own) for own in faces):
        raise DataError(
            f"The ground {collection.name!r} has no mesh within {_MARGIN:g} m of the path: put one there, or take the "
            "collection out of the Scene panel."
        )
    return SceneGround(Terrain(np.concatenate(vertices), np.concatenate(faces)), friction)


def _near(points: Array, faces: NDArray[np.int64], places: Array) -> NDArray[np.bool_]:
    """Return which triangles (M,) come near places of the path (K, 2), by their bounds."""
    if not len(faces):
        return np.zeros(0, dtype=bool)
    corners = points[faces][..., :2]
    low, high = corners.min(axis=1) - _MARGIN, corners.max(axis=1) + _MARGIN
    near = np.zeros(len(faces), dtype=bool)
    for place in places:
        near |= ((low <= place) & (place <= high)).all(axis=1)
    return near
