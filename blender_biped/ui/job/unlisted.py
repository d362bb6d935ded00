"""Meshes that lie across a path and are in none of the Scene panel's collections: a walk would go through them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import bpy
import numpy as np
from mathutils import Vector
from mathutils.bvhtree import BVHTree

from ...base.errors import DataError
from ...base.spatial import Array
from ...character.figure import stature
from ...control.registry import kind_in
from ...job import Job
from ..base.reading import metres
from ..base.solids import MESHES, read_triangles
from .things import loose_objects, members

Sort = Literal["ground", "obstacles"]
"""The collections of the Scene panel that a mesh can be added to, by the names of their properties."""

MOST_VERTICES = 60_000
"""Of all meshes that are looked at while the panel is drawn: more would be felt."""

_EVERY = 0.02  # m of path between rays
_ASIDE = (-0.2, 0.0, 0.2)  # m to the left of the path, for legs of 0.9 m: where feet and shoulders are
_FLAT = 0.03  # m above or below the floor up to which a mesh is none
_STEP = 0.22  # m, for legs of 0.9 m: what rises or falls more at once is no ground
_DEEP = 0.27  # m, likewise, that a ground is deep at least: a whole foot stands on it
_APART = 0.5  # m of path between places that bounds are compared with
_BESIDE, _FAR = 0.4, 3.0  # m beside the path: across it, and near it
_SHAPES = frozenset(MESHES) - {"CURVE"}  # which are paths, or drawn
_MOST = 60  # meshes that are looked at
_MOST_RAYS = 1_500  # for one of them
_MOST_SORTED = 500_000  # vertices of one mesh that is sorted by a button
_WALLS = (0.2, 0.5, 0.8)  # of the stature: how high rays go along the way
_DOWN = Vector((0.0, 0.0, -1.0))


@dataclass(frozen=True)
class Across:
    """A mesh across a path. place: where it begins, m along the path. sort: what it is, by its shape along the way."""

    name: str
    place: float
    sort: Sort


def across_path(context: bpy.types.Context, job: Job) -> tuple[Across, ...]:
    """Return the visible meshes in no collection of the Scene panel that a walk would go through, in its order.

    The scene is evaluated. What the character wears or leaves, and what does not go into pictures, is not among them.
    """
    way = LookedAtWay.of(job)
    room = [MOST_VERTICES]
    heights = {thing.name: way.heights(context, thing, room) for thing in _near(context, job, _BESIDE)}
    simulated = kind_in(job).controller is not None  # obstacles do nothing to other walks
    found = (one for one in way.sorted(heights) if simulated or one.sort == "ground")
    return tuple(sorted(found, key=lambda one: one.place))


def sorted_visible(context: bpy.types.Context, job: Job) -> dict[Sort, list[Any]]:
    """Return the visible meshes within 3 m of a path, in no collection of the Scene panel, by what they are.

    Left out is what is overhead, and what goes round the path without lying across it, as ceilings and walls of a room.
    """
    found: dict[Sort, list[Any]] = {"ground": [], "obstacles": []}
    way, things = LookedAtWay.of(job), {thing.name: thing for thing in _near(context, job, _FAR)}
    heights = {name: way.heights(context, thing, [_MOST_SORTED]) for name, thing in things.items()}
    for one in way.sorted(heights):
        found[one.sort].append(things.pop(one.name))
    head = float(way.floor.max()) + way.tall
    for thing in things.values():
        low, high = _bounds(thing, metres(context.scene))
        if not ((way.middles > low[:2]) & (way.middles < high[:2])).all(axis=1).any() and low[2] < head:
            found["obstacles"].append(thing)
    return found


def visible_meshes(context: bpy.types.Context) -> list[Any]:
    """Return the visible meshes that are in no collection of the Scene panel and no part of a character."""
    scene, layer = context.scene, context.view_layer
    kept = scene.biped
    listed = [*members(kept.ground, layer), *members(kept.obstacles, layer), *loose_objects(scene, layer)]
    laid = [own.biped.footprints for own in scene.objects if own.type == "ARMATURE"]
    left_out = {thing.session_uid for thing in (*listed, *laid) if thing}
    shown = (thing for thing in layer.objects if thing is not None and thing.session_uid not in left_out)
    return [thing for thing in shown if thing.type in _SHAPES and _is_seen(thing) and not _worn(thing)]


def _is_seen(thing: Any) -> bool:
    """Return whether an object is visible, and in pictures too."""
    return thing.visible_get() and not thing.hide_render and thing.display_type not in ("BOUNDS", "WIRE")


def _near(context: bpy.types.Context, job: Job, beside: float) -> Iterator[Any]:
    """Give those whose bounds come within so many m of a job's path."""
    places, unit = job.path.position(np.arange(job.start, job.path.length, _APART)), metres(context.scene)
    beside, count = beside + 0.5 * _APART, 0
    for thing in visible_meshes(context):
        low, high = _bounds(thing, unit)
        near = ((places > low[:2] - beside) & (places < high[:2] + beside)).all(axis=1)
        count += bool(near.any())
        if near.any() and count <= _MOST:
            yield thing


@dataclass(frozen=True, eq=False)
class LookedAtWay:
    """A path, looked at every few centimetres, for a body: tall, m; size, 1 for legs of 0.9 m.

    arcs (N,): where, m along it. middles, left (N, 2): the places there, m, and to the left. floor (N,): heights, m.
    """

    arcs: Array
    middles: Array
    left: Array
    floor: Array
    tall: float
    size: float

    @classmethod
    def of(cls, job: Job) -> LookedAtWay:
        """Return that of a job."""
        size = job.character.size
        arcs = np.arange(job.start, job.path.length, _EVERY * size)
        middles, left = job.path.position(arcs), job.path.left(arcs, 0.3 * size)
        return cls(arcs, middles, left, job.floor.heights(middles), stature(job.character), size)

    def heights(self, context: bpy.types.Context, thing: Any, room: list[int]) -> Array:
        """Return how high a mesh is above the floor along the way (N,), m; -inf where it is not, or is overhead.

        room: how many vertices there may be yet; what has more is not looked at.
        """
        unit = metres(context.scene)
        low, high = _bounds(thing, unit)
        over = np.full(len(self.arcs), -math.inf)
        try:
            tree = _tree(context, thing, unit, room)
        except DataError:  # it has no mesh, or too large a one
            return over
        for aside in _ASIDE:
            places = self.middles + aside * self.size * self.left
            inside = np.flatnonzero(((places >= low[:2] - _EVERY) & (places <= high[:2] + _EVERY)).all(axis=1))
            for i in inside[: _MOST_RAYS // len(_ASIDE)]:
                head = float(self.floor[i]) + self.tall
                met = tree.ray_cast(Vector((*places[i].tolist(), head)), _DOWN, 2.0 * self.tall)[0]
                over[i] = over[i] if met is None else max(over[i], met.z - self.floor[i])
                if high[2] > head and self._is_wall(tree, places, i):  # a ray from within it sees nothing of it
                    over[i] = self.tall
        return over

    def _is_wall(self, tree: BVHTree, places: Array, i: int) -> bool:
        """Return whether something upright is between a place and the one before it."""
        begin, end = places[max(i - 1, 0)], places[i]
        way = Vector((*(end - begin).tolist(), 0.0))
        if not way.length > 0.0:
            return False
        at = [Vector((*begin.tolist(), float(self.floor[i]) + share * self.tall)) for share in _WALLS]
        return any(tree.ray_cast(one, way.normalized(), way.length)[0] is not None for one in at)

    def sorted(self, heights: Mapping[str, Array]) -> Iterator[Across]:
        """Give those meshes that lie across the way, by their heights along it: the lowest first, as a stair is."""
        ground = np.zeros(len(self.arcs))
        for name, over in sorted(heights.items(), key=lambda one: float(one[1].max(initial=-math.inf))):
            met = np.flatnonzero(np.isfinite(over) & (np.abs(over) > _FLAT * self.size))
            if not len(met):
                continue
            above = np.where(over < 0.0, over, np.maximum(over, ground))  # a hollow is walked through
            with_it = np.where(np.isfinite(over), above, ground)
            first, last = int(met[0]), int(met[-1])
            rises = np.abs(np.diff(with_it[max(first - 1, 0) : last + 1], prepend=ground[max(first - 1, 0)]))
            deep = float(self.arcs[last] - self.arcs[first]) >= _DEEP * self.size
            walked = deep and float(rises.max()) <= _STEP * self.size
            ground = with_it if walked else ground
            yield Across(name, float(self.arcs[first]), "ground" if walked else "obstacles")


def _tree(context: bpy.types.Context, thing: Any, unit: float, room: list[int]) -> BVHTree:
    """Return the triangles of a mesh, world, m. Raises DataError for one without, or with too many."""
    world = np.array(thing.matrix_world, dtype=float)
    mesh = read_triangles(thing, context.evaluated_depsgraph_get(), unit * world[:3, :3], most=room[0])
    room[0] -= len(mesh.vertices)
    return BVHTree.FromPolygons((mesh.vertices + unit * world[:3, 3]).tolist(), mesh.faces.tolist())


def _bounds(thing: Any, unit: float) -> tuple[Array, Array]:
    """Return the least and most (3,) of an object's bounds, world, m."""
    corners = np.array([thing.matrix_world @ Vector(corner) for corner in thing.bound_box], dtype=float) * unit
    return corners.min(axis=0), corners.max(axis=0)


def _worn(thing: Any) -> bool:
    """Return whether an armature moves a mesh: as its skin, or because it hangs on it."""
    if thing.find_armature() is not None:
        return True
    at = thing.parent
    while at is not None:
        if at.type == "ARMATURE":
            return True
        at = at.parent
    return any(getattr(one, "target", None) is not None and one.target.type == "ARMATURE" for one in thing.constraints)
