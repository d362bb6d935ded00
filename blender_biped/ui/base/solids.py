"""From Blender to plain data: an object's evaluated mesh as triangles, and as the convex solid that physics takes."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import bmesh
import bpy
import numpy as np
from numpy.typing import NDArray

from ...base.errors import DataError
from ...base.spatial import Array
from ...world.things import MOST_POINTS, Solid

MESHES = ("MESH", "CURVE", "SURFACE", "META", "FONT")
"""The types of objects that have a mesh."""

_THIN = 1e-3  # m, of a solid
_KEPT = 64  # hulls
_hulls: dict[str, Hull] = {}


@dataclass(frozen=True, eq=False)
class Triangles:
    """A mesh: vertices (N, 3), m, in an object's own axes, faces (M, 3)."""

    vertices: Array
    faces: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Hull:
    """A convex hull: corners (N, 3), m; volume, m3, and its middle (3,). filled: share of it that its mesh fills."""

    points: Array
    volume: float
    middle: Array
    filled: float


def read_triangles(thing: bpy.types.Object, depsgraph: bpy.types.Depsgraph, axes: Array) -> Triangles:
    """Return the mesh of an object as it is shown, with modifiers. axes (3, 3): takes its own axes to metres.

    Raises DataError where it has no mesh, or a number in it is not finite.
    """
    evaluated = thing.evaluated_get(depsgraph)
    try:
        mesh = evaluated.to_mesh(preserve_all_data_layers=False, depsgraph=depsgraph)
    except RuntimeError:
        mesh = None
    if mesh is None:
        raise DataError(f"{thing.name!r} has no mesh: take it out of the collection, or give it one.")
    try:
        points = np.empty(3 * len(mesh.vertices), dtype=np.float32)
        mesh.vertices.foreach_get("co", points)
        mesh.calc_loop_triangles()
        corners = np.empty(3 * len(mesh.loop_triangles), dtype=np.int32)
        mesh.loop_triangles.foreach_get("vertices", corners)
    finally:
        evaluated.to_mesh_clear()
    vertices = points.reshape(-1, 3).astype(float) @ axes.T
    if not np.isfinite(vertices).all():
        raise DataError(f"{thing.name!r} has a corner that is not a finite number: check its mesh and its modifiers.")
    return Triangles(vertices, corners.reshape(-1, 3).astype(np.int64))


def hull_of(thing: bpy.types.Object, mesh: Triangles) -> Hull:
    """Return the convex hull of a mesh. Raises DataError for one that has no volume."""
    key = hashlib.blake2b(mesh.vertices.tobytes() + mesh.faces.tobytes(), digest_size=16).hexdigest()
    if key not in _hulls:
        if len(_hulls) >= _KEPT:
            _hulls.clear()
        _hulls[key] = _hull(thing, mesh)
    return _hulls[key]


def solid_of(kind: str, hull: Hull) -> tuple[Solid, Array]:
    """Return the solid that physics takes for a hull, and where its origin is (3,), m.

    kind: a shape of Blender's rigid bodies. A box, sphere or capsule is about the hull's bounds, as in Blender.
    """
    low, high = hull.points.min(axis=0), hull.points.max(axis=0)
    middle, half = 0.5 * (low + high), 0.5 * (high - low)
    x, y, z = half.tolist()
    if kind == "BOX":
        return Solid("box", (max(x, _THIN), max(y, _THIN), max(z, _THIN))), middle
    if kind == "SPHERE":
        return Solid("sphere", radius=max(x, y, z)), middle
    if kind == "CAPSULE":
        radius = max(x, y)
        return Solid("capsule", (0.0, 0.0, max(z - radius, 0.0)), radius), middle
    return Solid("hull", points=tuple((a, b, c) for a, b, c in (hull.points - hull.middle).tolist())), hull.middle


def _hull(thing: bpy.types.Object, mesh: Triangles) -> Hull:
    points, faces = _convex(mesh.vertices)
    if len(points) > MOST_POINTS:
        points, faces = _convex(points[_outermost(points)])
    volume, middle = _volume(points, faces)
    if len(faces) == 0 or volume < _THIN**3 or min(np.ptp(points, axis=0)) < _THIN:
        raise DataError(f"{thing.name!r} is flat: give it thickness (a Solidify modifier will do), or take it away.")
    own, _ = _volume(mesh.vertices, mesh.faces)
    return Hull(points, volume, middle, abs(own) / volume)


def _convex(vertices: Array) -> tuple[Array, NDArray[np.int64]]:
    """Return the corners (N, 3) and triangles (M, 3) of the hull of points; no triangles where it has no volume."""
    if len(vertices) < 4:
        return vertices, np.zeros((0, 3), dtype=np.int64)
    made = bmesh.new()
    try:
        for co in vertices.tolist():
            made.verts.new(co)
        done = bmesh.ops.convex_hull(made, input=made.verts)
        gone = {part for name in ("geom_interior", "geom_unused") for part in done[name]}
        verts = [part for part in gone if isinstance(part, bmesh.types.BMVert)]
        bmesh.ops.delete(made, geom=verts, context="VERTS")
        bmesh.ops.triangulate(made, faces=made.faces)
        made.verts.index_update()
        points = np.array([vert.co for vert in made.verts], dtype=float).reshape(-1, 3)
        faces = np.array([[v.index for v in face.verts] for face in made.faces], dtype=np.int64).reshape(-1, 3)
    finally:
        made.free()
    return points, faces


def _outermost(points: Array) -> NDArray[np.int_]:
    """Return those of many points (N, 3) that are outermost in as many directions as a hull may have corners."""
    k = np.arange(MOST_POINTS) + 0.5  # a sunflower's spiral about the sphere
    up, turn = 1.0 - 2.0 * k / MOST_POINTS, np.pi * (1.0 + 5.0**0.5) * k
    flat = np.sqrt(1.0 - up * up)
    ways = np.stack((flat * np.cos(turn), flat * np.sin(turn), up), axis=1)
    return np.unique((points @ ways.T).argmax(axis=0))


def _volume(points: Array, faces: NDArray[np.int64]) -> tuple[float, Array]:
    """Return the volume of a closed mesh, m3, and the middle of it (3,)."""
    if len(faces) == 0:
        return 0.0, np.zeros(3)
    a, b, c = (points[faces[:, k]] - points[0] for k in range(3))
    sixths = np.einsum("ij,ij->i", a, np.cross(b, c))
    volume = float(sixths.sum()) / 6.0
    middle = (sixths[:, None] * (a + b + c)).sum(axis=0) / 24.0
    return volume, points[0] + (middle / volume if volume else np.zeros(3))
