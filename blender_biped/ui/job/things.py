"""From the scene to the things of a job: obstacles, and props that walks can push about."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain
from typing import Any

import bpy
import numpy as np
from mathutils import Euler, Matrix, Quaternion, Vector

from ...base.errors import DataError
from ...base.once import once_for_each
from ...base.patience import costly, finish
from ...base.spatial import Array, matrix_quaternion
from ...control.way import met_at
from ...job import Job
from ...world.blocked import world_corners
from ...world.crowded import check_crowd
from ...world.things import LIGHTEST, MOST_THINGS, Thing
from ..base.fcurves import SLOTTED, curve_holder, held_frame
from ..base.solids import MESHES, MOST_VERTICES, hull_of, read_triangles, solid_of
from .targets import aimed_at

MOST_IN_SCENE = 300
"""Obstacles and props: to read more, Blender would stand still for too long."""

_DENSITY = 300.0  # kg/m3: of a box with something in it, where nobody says what a prop weighs
_LIGHTEST = 0.1  # kg, likewise
_CONVEX = 0.8  # share of its hull that a mesh fills which is nearly that
_SUNK = 0.02  # m


@dataclass(frozen=True)
class Things:
    """What stands and lies about. notes: what the user should know."""

    things: tuple[Thing, ...] = ()
    notes: tuple[str, ...] = ()


def members(collection: Any, view_layer: bpy.types.ViewLayer) -> list[Any]:
    """Return the objects with a mesh of a collection, and of those in it, that a view layer has. Cheap."""
    if collection is None:
        return []
    inside = {o.session_uid for o in collection.all_objects}
    return [o for o in view_layer.objects if o is not None and o.session_uid in inside and o.type in MESHES]


def loose_objects(scene: bpy.types.Scene, view_layer: bpy.types.ViewLayer) -> list[Any]:
    """Return the objects that are a scene's props: those of the collection, and what is to be picked up. Cheap."""
    obstacles = members(scene.biped.obstacles, view_layer)
    props = [thing for thing in members(scene.biped.props, view_layer) if thing not in obstacles]
    ground = members(scene.biped.ground, view_layer)
    targets = [o for o in aimed_at(view_layer, None) if o.type in MESHES and o not in (*props, *obstacles, *ground)]
    return [*props, *targets]


def read_things(scene: bpy.types.Scene, view_layer: bpy.types.ViewLayer, unit: float) -> Things:
    """Return obstacles and props of a scene, which is evaluated. unit: metres of one Blender unit.

    Raises DataError for an object that is unusable.
    """
    notes: list[str] = []
    obstacles = members(scene.biped.obstacles, view_layer)
    props = loose_objects(scene, view_layer)
    if len(obstacles) + len(props) > MOST_IN_SCENE:
        raise DataError(
            f"There are {len(obstacles) + len(props)} obstacles and props; at most {MOST_IN_SCENE} may be: take those "
            "out of the collections that are far from the path."
        )
    room = [MOST_VERTICES]
    found = [_thing(thing, unit, False, notes, room) for thing in obstacles]
    found += [_thing(thing, unit, True, notes, room) for thing in props]
    check_crowd(found)
    return Things(tuple(found), tuple(notes))


def readable_things(scene: bpy.types.Scene, view_layer: bpy.types.ViewLayer, unit: float) -> Iterator[Thing]:
    """Give those obstacles and props of a scene, which is evaluated, that are usable. unit: m of one Blender unit."""
    for loose, own in ((False, members(scene.biped.obstacles, view_layer)), (True, loose_objects(scene, view_layer))):
        room = [MOST_VERTICES]
        for thing in own[:MOST_IN_SCENE]:
            with suppress(DataError):
                yield _thing(thing, unit, loose, [], room)


def notes_of_props(job: Job) -> tuple[str, ...]:
    """Return what the user should know of the props of a job: which are in its way, and which in the ground.

    Raises UnfinishedError.
    """
    taken = {target.thing for target in job.world.targets}
    done = _noted(job)
    finish(done, job.world.loose, lambda thing: tuple(_notes_of(job, thing, thing.name in taken)))
    return tuple(chain.from_iterable(done))


@once_for_each
def _noted(_job: Job) -> list[tuple[str, ...]]:
    """Return a list to be filled with the notes of a job's props."""
    return []


def _notes_of(job: Job, thing: Thing, taken: bool) -> Iterator[str]:
    where = None if taken else met_at(job, thing)
    if where is not None:
        yield f"{thing.name!r}, {thing.mass:.3g} kg, is in the way, {where:.1f} m along the path."
    corners = world_corners(thing)
    deep = float((job.floor.heights(corners) - (corners[:, 2] - thing.solid.radius)).max())
    if deep > _SUNK:
        yield f"{thing.name!r} begins {deep:.2f} m deep in the ground, which pushes it out."


def start_matrix(thing: Any) -> Array:
    """Return where an object is in the world as a walk begins (4, 4), in Blender units.

    Where it has the keys of an earlier bake, that is where these begin; unless it is at that frame and was moved.
    """
    world: Array = np.array(thing.matrix_world, dtype=float)
    body, parent = thing.rigid_body, thing.parent
    if body and body.type == "ACTIVE" and not body.kinematic and not thing.constraints:
        # Blender's own simulation may have moved it at this frame.
        space = np.eye(4)
        if parent is not None and thing.parent_type == "OBJECT":
            space = np.array(parent.matrix_world @ thing.matrix_parent_inverse, dtype=float)
        if parent is None or thing.parent_type == "OBJECT":
            world = space @ np.array(thing.matrix_basis, dtype=float)
    data = thing.animation_data
    action = data.action if data else None
    if action is None or not action.biped.written:
        return world
    holder = curve_holder(action, data.action_slot if SLOTTED else None)
    curves = [c for c in holder.fcurves if len(c.keyframe_points)] if holder else []
    if not curves:
        return world
    first = min(held_frame(curve.keyframe_points[0].co[0]) for curve in curves)
    if bpy.context.scene.frame_current == round(first):
        return world
    space = world @ np.linalg.inv(np.array(thing.matrix_basis, dtype=float))
    numbers = {name: list(getattr(thing, name)) for name in ("location", *_ROTATIONS)}
    for curve in curves:
        if curve.data_path in numbers:
            numbers[curve.data_path][curve.array_index] = curve.evaluate(first)
    return np.asarray(space @ basis_of(thing, numbers))


_ROTATIONS = ("rotation_quaternion", "rotation_axis_angle", "rotation_euler")


def basis_of(thing: Any, numbers: dict[str, list[float]]) -> Array:
    """Return the matrix (4, 4) that an object of these numbers has of itself, with its rotation mode and its deltas.

    Set on the object and taken back they would be a change, after which all is read once more.
    """
    mode = thing.rotation_mode
    if mode == "QUATERNION":
        turn = thing.delta_rotation_quaternion @ Quaternion(numbers["rotation_quaternion"]).normalized()
    elif mode == "AXIS_ANGLE":
        angle, *axis = numbers["rotation_axis_angle"]
        turn = Quaternion(axis, angle)
    else:
        own, delta = Euler(numbers["rotation_euler"], mode), Euler(thing.delta_rotation_euler, mode)
        turn = delta.to_quaternion() @ own.to_quaternion()
    scale = [a * b for a, b in zip(thing.scale, thing.delta_scale, strict=True)]
    place = Vector(numbers["location"]) + thing.delta_location
    return np.array(Matrix.LocRotScale(place, turn, Vector(scale)), dtype=float)


def _thing(thing: Any, unit: float, loose: bool, notes: list[str], room: list[int]) -> Thing:
    """Return an object as a thing. room: how many vertices there may be yet. Raises DataError where it is unusable."""
    world = start_matrix(thing) if loose else np.array(thing.matrix_world, dtype=float)
    seat = seated(world.tobytes(), unit)
    if seat is None:
        raise DataError(f"{thing.name!r} has no size, or is at no place: correct its scale and its place.")
    mesh = read_triangles(thing, bpy.context.evaluated_depsgraph_get(), seat.axes, most=room[0])
    room[0] -= len(mesh.vertices)
    hull = hull_of(thing, mesh)
    body = thing.rigid_body
    solid, middle = solid_of(body.collision_shape if body else "CONVEX_HULL", hull)
    if solid.kind == "hull" and hull.filled < _CONVEX:
        notes.append(f"{thing.name!r} is not convex, and is taken as its hull: split it where that matters.")
    still = body is not None and (body.type == "PASSIVE" or (body.kinematic and not _ours(thing)))
    if loose and thing.constraints:
        raise DataError(f"The prop {thing.name!r} has constraints, which its keys would fight: apply or remove them.")
    if loose and still:
        notes.append(f"{thing.name!r} is passive or animated by its Rigid Body settings, so it is an obstacle.")
    x, y, z = (seat.turn @ middle + unit * world[:3, 3]).tolist()
    mass = float(body.mass) if body else _usual_mass(hull)
    if loose and mass <= 0.0:
        raise DataError(f"The prop {thing.name!r} weighs nothing: set its mass in Physics > Rigid Body.")
    if loose and mass < (1.0 - 1e-6) * LIGHTEST:  # Blender keeps single precision
        raise DataError(
            f"The prop {thing.name!r} weighs {mass:.2g} kg, too little to be pushed about: set its mass in Physics > "
            f"Rigid Body to {LIGHTEST:g} kg or more."
        )
    mass = max(mass, LIGHTEST)
    made = Thing(thing.name, solid, (x, y, z), seat.rotation, 0.0, float(body.friction) if body else 0.5)
    return read_as(replace(made, mass=mass) if loose and not still else made)


def _usual_mass(hull: Any) -> float:
    """Return what is as large as a hull is taken to weigh, kg."""
    return float(max(_DENSITY * hull.volume, _LIGHTEST))


def assumed_mass(thing: Any, unit: float) -> float:
    """Return what an object without Rigid Body settings is taken to weigh, kg. Raises DataError for an unusable one."""
    seat = seated(np.array(thing.matrix_world, dtype=float).tobytes(), unit)
    if seat is None:
        raise DataError(f"{thing.name!r} has no size, or is at no place: correct its scale and its place.")
    mesh = read_triangles(thing, bpy.context.evaluated_depsgraph_get(), seat.axes, most=MOST_VERTICES)
    return _usual_mass(hull_of(thing, mesh))


@dataclass(frozen=True, eq=False)
class _Seat:
    """How an object is turned in the world. turn (3, 3), and as a quaternion; axes (3, 3): from its own to metres."""

    turn: Array
    rotation: tuple[float, float, float, float]
    axes: Array


@lru_cache(maxsize=MOST_THINGS)
def seated(matrix: bytes, unit: float) -> _Seat | None:
    """Return how an object of a matrix (4, 4) is turned, None for no size or no place. Raises UnfinishedError."""
    with costly():
        world = np.frombuffer(matrix).reshape(4, 4)
        if not np.isfinite(world).all() or abs(np.linalg.det(world[:3, :3])) < 1e-12:
            return None
        turn = np.array(Matrix(world).to_quaternion().to_matrix(), dtype=float)
        w, a, b, c = matrix_quaternion(turn).tolist()
        axes = unit * turn.T @ world[:3, :3]  # its scale, with what shear and mirroring there is
        return _Seat(turn, (w, a, b, c), axes)


@lru_cache(maxsize=MOST_THINGS)
def read_as(thing: Thing) -> Thing:
    """Return one thing for all equal ones: what is found of it once is found of what is read again as it was."""
    return thing


def _ours(thing: Any) -> bool:
    """Return whether an object is animated by an earlier bake."""
    action = thing.animation_data.action if thing.animation_data else None
    return bool(action and action.biped.written)
