"""From Blender to plain data: an object's evaluated mesh as triangles, and as the convex solid that physics takes."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import bmesh
import bpy
import numpy as np
from numpy.typing import NDArray

from ...base.errors import DataError
from ...base.patience import costly
from ...base.spatial import Array
from ...world.things import MOST_POINTS, MOST_THINGS, Solid

MESHES = ("MESH", "CURVE", "SURFACE", "META", "FONT")
"""The types of objects that have a mesh."""

MOST_VERTICES = 500_000
"""Of all obstacles and props together: to read more would take seconds."""

_THIN = 1e-3  # m, of a solid
_MANY = 5_000  # points of which none is looked at twice
_AT_ONCE = 1_000  # points that are looked at together
_ROUNDED = 4e-6  # of a mesh's size: more than single precision is off
_CLOSE = 1e-4  # of a solid's size: what is so much outside of it is none of its corners
_SOME = 8  # times as many triangles as are wanted from which each is read by itself


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


_hulls: dict[str, Hull] = {}  # by what they are of, as many as a scene may have things


@dataclass(frozen=True, eq=False)
class Faces:
    """The faces of a mesh before they are triangles: vertices (N, 3), m; corners (C,): of the faces, one after another.

    starts (P,): where each face's corners begin. All are in the object's own axes.
    """

    vertices: Array
    corners: NDArray[np.int32]
    starts: NDArray[np.int32]


def read_triangles(
    thing: bpy.types.Object,
    depsgraph: bpy.types.Depsgraph,
    axes: Array,
    wanted: Callable[[Faces], NDArray[np.bool_]] | None = None,
    most: int | None = None,
) -> Triangles:
    """Return the mesh of an object as it is shown, with modifiers. axes (3, 3): takes its own axes to metres.

    wanted: says which faces are read (P,), None for all: of a large mesh what is near is read in a tenth of the time.
    most: vertices that it may have. Raises DataError where it has no mesh, or more, or a number in it is not finite.
    """
    evaluated = thing.evaluated_get(depsgraph)
    try:
        mesh = evaluated.to_mesh(preserve_all_data_layers=False, depsgraph=depsgraph)
    except RuntimeError:
        mesh = None
    if mesh is None:
        raise DataError(f"{thing.name!r} has no mesh: take it out of the collection, or give it one.")
    try:
        if most is not None and len(mesh.vertices) > most:
            raise DataError(
                f"{thing.name!r} has {len(mesh.vertices)} vertices, with which obstacles and props have more than "
                f"{MOST_VERTICES} together: make the mesh simpler (a Decimate modifier will do)."
            )
        points = np.empty(3 * len(mesh.vertices), dtype=np.float32)
        if len(points):
            mesh.attributes["position"].data.foreach_get("vector", points)  # ten times as fast as of the vertices
        vertices = points.reshape(-1, 3).astype(float) @ axes.T
        if not np.isfinite(vertices).all():
            raise DataError(
                f"{thing.name!r} has a corner that is not a finite number: check its mesh and its modifiers."
            )
        mesh.calc_loop_triangles()
        some = _triangles_wanted(mesh, vertices, wanted) if wanted else None
        if some is None:
            corners = np.empty(3 * len(mesh.loop_triangles), dtype=np.int32)
            mesh.loop_triangles.foreach_get("vertices", corners)
        else:
            triangles = mesh.loop_triangles
            corners = np.array([tuple(triangles[i].vertices) for i in some], dtype=np.int32)
    finally:
        evaluated.to_mesh_clear()
    return Triangles(vertices, corners.reshape(-1, 3).astype(np.int64))


def _triangles_wanted(
    mesh: bpy.types.Mesh, vertices: Array, wanted: Callable[[Faces], NDArray[np.bool_]]
) -> list[int] | None:
    """Return the places of the triangles of those faces that are wanted; None for all, where these are many."""
    starts = np.empty(len(mesh.polygons), dtype=np.int32)
    if not len(starts):
        return []
    corners = np.empty(len(mesh.loops), dtype=np.int32)
    mesh.attributes[".corner_vert"].data.foreach_get("value", corners)
    mesh.polygons.foreach_get("loop_start", starts)
    whose = np.empty(len(mesh.loop_triangles), dtype=np.int32)
    mesh.loop_triangle_polygons.foreach_get("value", whose)
    found = np.flatnonzero(wanted(Faces(vertices, corners, starts))[whose])
    return found.tolist() if _SOME * len(found) < len(whose) else None


def hull_of(thing: bpy.types.Object, mesh: Triangles) -> Hull:
    """Return the convex hull of a mesh. Raises DataError for one that has no volume, UnfinishedError."""
    key = hashlib.blake2b(mesh.vertices.tobytes() + mesh.faces.tobytes(), digest_size=16).hexdigest()
    found = _hulls.pop(key, None)
    if found is None:
        with costly():
            found = _hull(thing, mesh)
    _hulls[key] = found  # last: what was asked for the longest time ago goes first
    while len(_hulls) > MOST_THINGS:
        del _hulls[next(iter(_hulls))]
    return found


def forget_hulls() -> None:
    """Forget all of them."""
    _hulls.clear()


@lru_cache(maxsize=MOST_THINGS)
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
    if len(mesh.vertices) > MOST_POINTS:
        points, faces = convex_of_many(mesh.vertices)
    else:
        points, faces = convex_of(mesh.vertices)
    volume, middle = _volume(points, faces)
    if len(faces) == 0 or volume < _THIN**3 or min(np.ptp(points, axis=0)) < _THIN:
        raise DataError(f"{thing.name!r} is flat: give it thickness (a Solidify modifier will do), or take it away.")
    own, _ = _volume(mesh.vertices, mesh.faces)
    return Hull(points, volume, middle, abs(own) / volume)


def convex_of_many(vertices: Array) -> tuple[Array, NDArray[np.int64]]:
    """Return the corners (N, 3) and triangles (M, 3) of a hull of at most MOST_POINTS corners of many points.

    It is that of the outermost ones, and of what is outside of that, where it is so much.
    """
    some = outermost(vertices)
    points, faces = convex_of(vertices[some])
    if len(faces) == 0 or len(vertices) > _MANY:
        return points, faces
    a, b, c = (points[faces[:, k]] for k in range(3))
    normals = np.cross(b - a, c - a)
    normals /= np.maximum(np.linalg.norm(normals, axis=1), 1e-300)[:, None]
    beyond = outside(vertices, normals, (a * normals).sum(axis=1), _CLOSE * float(np.ptp(points, axis=0).max()))
    if not len(beyond) or len(some) + len(beyond) > MOST_POINTS:
        return points, faces
    return convex_of(vertices[np.union1d(some, beyond)])


def convex_of(vertices: Array) -> tuple[Array, NDArray[np.int64]]:
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
        points = np.array([vert.co[:] for vert in made.verts], dtype=float).reshape(-1, 3)
        faces = np.array([[v.index for v in face.verts] for face in made.faces], dtype=np.int64).reshape(-1, 3)
    finally:
        made.free()
    return points, faces


@lru_cache(maxsize=1)
def all_round() -> Array:
    """Return as many directions (N, 3), unit, as a hull may have corners: a sunflower's spiral about the sphere."""
    k = np.arange(MOST_POINTS) + 0.5
    up, turn = 1.0 - 2.0 * k / MOST_POINTS, np.pi * (1.0 + 5.0**0.5) * k
    flat = np.sqrt(1.0 - up * up)
    return np.stack((flat * np.cos(turn), flat * np.sin(turn), up), axis=1)


def outermost(points: Array) -> NDArray[np.int_]:
    """Return those of many points (N, 3) that are outermost in as many directions as a hull may have corners."""
    ways = all_round()
    # In single precision first, which is many times as fast; what is so far out in full precision is looked for there.
    about, _, rounded = _single(points)
    rough, best = ways.astype(np.float32), np.full(MOST_POINTS, -np.inf, dtype=np.float32)
    pairs = []
    for first in range(0, len(points), _AT_ONCE):
        far = rough @ about[first : first + _AT_ONCE].T
        farthest = far.max(axis=1)
        best = np.maximum(best, farthest)
        some = np.flatnonzero(~(farthest < best - rounded))
        way, own = np.nonzero(~(far[some] < (best - rounded)[some, None]))
        pairs.append((some[way], own + first))
    way, own = (np.concatenate(rows) for rows in zip(*pairs, strict=True))
    values = (ways[way] * points[own]).cumsum(axis=1)[:, 2]
    order = np.lexsort((own, -values, way))  # for each way the farthest first, of those the first one
    return np.unique(own[order[np.unique(way[order], return_index=True)[1]]])


def outside(points: Array, normals: Array, levels: Array, least: float) -> NDArray[np.int_]:
    """Return which points (N, 3) are outside of a convex solid by more than ``least``, m.

    normals (M, 3), unit, and levels (M,), m: of its faces.
    """
    about, middle, rounded = _single(points)
    shifted = (levels - normals @ middle).astype(np.float32)
    far = (about @ normals.astype(np.float32).T - shifted).max(axis=1)
    found = far > least
    for i in np.flatnonzero(~(np.abs(far - least) > rounded)).tolist():
        found[i] = ((normals * points[i]).cumsum(axis=1)[:, 2] - levels).max() > least
    return np.flatnonzero(found)


def _single(points: Array) -> tuple[NDArray[np.float32], Array, float]:
    """Return points (N, 3) about their middle, in single precision; that middle (3,).

    The last is by how much, m, at most, what is found of these points is off.
    """
    low, high = points.min(axis=0), points.max(axis=0)
    middle = 0.5 * (low + high)
    return (points - middle).astype(np.float32), middle, _ROUNDED * float((high - low).max())


def _volume(points: Array, faces: NDArray[np.int64]) -> tuple[float, Array]:
    """Return the volume of a closed mesh, m3, and the middle of it (3,)."""
    if len(faces) == 0:
        return 0.0, np.zeros(3)
    a, b, c = (points[faces[:, k]] - points[0] for k in range(3))
    sixths = np.einsum("ij,ij->i", a, np.cross(b, c))
    volume = float(sixths.sum()) / 6.0
    middle = (sixths[:, None] * (a + b + c)).sum(axis=0) / 24.0
    return volume, points[0] + (middle / volume if volume else np.zeros(3))
