# SPDX-License-Identifier: GPL-3.0-or-later
"""Attacks on the reading of a scene, during which Blender stands still: grounds, paths, points, props, too much of it.

Needs bpy. What a scene may have is read in a moment; what is more is refused as soon.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from blender_biped.base.errors import BipedError
from blender_biped.base.patience import UnfinishedError, patient
from blender_biped.base.spatial import Array
from blender_biped.control.natural.hands import standing
from blender_biped.ui.base import solids
from blender_biped.ui.job import surroundings, things
from blender_biped.ui.job.marked import marks_of
from blender_biped.ui.job.on_way.rows import on_way
from blender_biped.ui.job.request import read_request
from blender_biped.ui.view.walk_shown import shown_walk
from blender_biped.world import obstacles, passable, treads
from tools.attack.scenes import opened
from tools.attack.verdict import FaultError, Rng, demand, note_reading
from tools.attack.worlds import slivers, some_count

MOST = 0.5
"""Seconds of a reading, or a portion of one, of what its thread takes of the processor: others' work is none of it."""
_TRIES = 3  # times that a scene is read as if for the first time: others have the processor's caches, too
_PORTIONS = 1_000  # of a reading, more than any has
Change = Callable[[Any, Rng], None]


def attack_reading(rng: Rng, folder: Path) -> str:
    """Put much into a scene and read it twice, as the bake and the preview do. Raises BipedError, FaultError.

    What takes longer than MOST is read anew, as if for the first time; it failed where each time something did.
    """
    with opened(folder) as armature:
        armature.biped.walk.controller = str(rng.choice(("natural", "generalized", "klaw")))
        _straight(armature, float(rng.uniform(3.0, 20.0)))
        done = []
        for change in rng.permutation(len(CHANGES))[: int(rng.integers(1, 3))]:
            CHANGES[change](armature, rng)
            done.append(CHANGES[change].__name__.strip("_"))
        bpy.context.view_layer.update()
        longest: list[float] = []
        while len(longest) < _TRIES and min(longest, default=math.inf) >= MOST:
            forget()
            first, again = read_once(armature), read_once(armature)
            longest.append(max(first.longest, again.longest))
        note_reading(min(longest))
        demand(min(longest) < MOST, f"a reading took {min(longest):.2f} s: {', '.join(done)}")
        if first.refused:
            raise first.refused
    return "read"


@dataclass(frozen=True)
class ReadOnce:
    """longest: s that one of its portions took. refused: why the scene is."""

    longest: float
    refused: BipedError | None


def read_once(armature: Any) -> ReadOnce:
    """Read the scene in portions, for its job and for what is drawn of it, and the panel. Raises FaultError."""
    longest = 0.0
    for _ in range(_PORTIONS):
        refused, whole = None, True
        began = time.thread_time()
        try:
            with patient():
                read_request(bpy.context)
        except UnfinishedError:
            whole = False
        except BipedError as error:
            refused = error
        read = time.thread_time()
        with suppress(UnfinishedError), patient():
            marks_of(bpy.context, armature)
        marked = time.thread_time()
        if shown := shown_walk(bpy.context, foresee=False):
            on_way(shown)
        longest = max(longest, read - began, marked - read, time.thread_time() - marked)
        if whole:
            return ReadOnce(longest, refused)
    raise FaultError(f"the scene is not read after {_PORTIONS} portions")


def forget() -> None:
    """Let nothing be known of the scene."""
    solids.forget_hulls()
    ways = (obstacles.crossings, treads.treads_of, passable.wrong_with)
    for kept in (things.read_as, things.seated, standing.bowed, *ways):
        kept.cache_clear()
    surroundings.JOBS.forget()


def _straight(armature: Any, length: float) -> None:
    """Let the path be a straight one of so many m."""
    data = bpy.data.curves.new("Straight", "CURVE")
    data.dimensions = "3D"
    spline = data.splines.new("POLY")
    spline.points.add(1)
    spline.points[1].co = (length, 0.0, 0.0, 1.0)
    armature.biped.walk.path = _linked(data)


def _linked(data: Any) -> Any:
    made = bpy.data.objects.new(data.name if data else "Made", data)
    bpy.context.scene.collection.objects.link(made)
    return made


def mesh_of(vertices: Array, faces: NDArray[Any]) -> Any:
    """Return an object with a mesh of triangles or quads."""
    mesh = bpy.data.meshes.new("Made")
    mesh.vertices.add(len(vertices))
    mesh.vertices.foreach_set("co", np.asarray(vertices, dtype=np.float32).ravel())
    mesh.loops.add(faces.size)
    mesh.loops.foreach_set("vertex_index", faces.ravel().astype(np.int32))
    mesh.polygons.add(len(faces))
    mesh.polygons.foreach_set("loop_start", np.arange(0, faces.size, faces.shape[1], dtype=np.int32))
    mesh.update(calc_edges=True)
    return bpy.data.objects.new("Made", mesh)


def _put(objects: list[Any], name: str) -> None:
    """Put objects into a collection of the Scene panel."""
    own = getattr(bpy.context.scene.biped, name) or bpy.data.collections.new(name)
    if own.name not in bpy.context.scene.collection.children:
        bpy.context.scene.collection.children.link(own)
    setattr(bpy.context.scene.biped, name, own)
    for made in objects:
        own.objects.link(made)


def _scanned(_armature: Any, rng: Rng) -> None:
    """A ground of up to a million triangles in a grid, and somewhat more."""
    count, size = int(rng.integers(2, 760)), float(10.0 ** rng.uniform(1.0, 3.5))
    axis = np.linspace(-0.5 * size, 0.5 * size, count + 1)
    x, y = (at.ravel() for at in np.meshgrid(axis, axis, indexing="ij"))
    heights = float(rng.choice((0.0, 0.05))) * np.sin(x) * np.cos(y)
    first = (np.arange(count)[:, None] * (count + 1) + np.arange(count)).ravel()
    quads = np.stack((first, first + count + 1, first + count + 2, first + 1), axis=1)
    _put([mesh_of(np.stack((x, y, heights), axis=1), quads)], "ground")


def _slivers(_armature: Any, rng: Rng) -> None:
    _put([mesh_of(*slivers(rng, some_count(rng, 20_000)))], "ground")


def _points(armature: Any, rng: Rng) -> None:
    """Many points along the path."""
    for k in range(some_count(rng, 1_000)):
        point = armature.biped.walk.points.add()
        point.place = float(rng.uniform(0.0, 12.0))
        point.timing = ("SAME", "SPEED", "FRAME")[k % 3]
        point.frame = int(rng.integers(1, 9_000))
        point.wait = float(rng.choice((0.0, 0.0, 600.0)))


def _laps(armature: Any, rng: Rng) -> None:
    """Many laps of a ring of many points."""
    count = some_count(rng, int(rng.choice((10, 1_000)))) + 3
    turns = np.linspace(0.0, math.tau, count, endpoint=False)
    data = bpy.data.curves.new("Ring", "CURVE")
    data.dimensions = "3D"
    spline = data.splines.new("POLY")
    spline.points.add(count - 1)
    radius = float(10.0 ** rng.uniform(-0.5, 2.0))
    rows = np.stack((radius * np.cos(turns), radius * np.sin(turns), 0.0 * turns, 1.0 + 0.0 * turns), axis=1)
    spline.points.foreach_set("co", rows.astype(np.float32).ravel())
    spline.use_cyclic_u = True
    armature.biped.walk.path = _linked(data)
    armature.biped.walk.laps = int(10.0 ** rng.uniform(0.0, 4.0))


def _solids(name: str, rng: Rng) -> None:
    """Many solids of few points, few ones of many, all alike or each another, along the path or in one place."""
    count = some_count(rng, int(rng.choice((1, 30, 300))))
    corners = int(rng.choice((8, 40, 482))) if count > 5 else some_count(rng, 200_000) + 4
    alike, apart = bool(rng.random() < 0.5), float(rng.choice((0.0, 0.04, 1.3)))
    made: list[Any] = []
    for k in range(count):
        if alike and made:
            own = bpy.data.objects.new("Made", made[0].data)
        else:
            places = rng.normal(size=(corners, 3))
            places *= 0.2 / np.linalg.norm(places, axis=1)[:, None]
            own = mesh_of(places, np.arange(corners // 3 * 3).reshape(-1, 3))
        own.location = (2.0 + apart * k, float(rng.choice((0.0, 2.0))), 0.2)
        made.append(own)
    _put(made, name)


def _props(_armature: Any, rng: Rng) -> None:
    _solids("props", rng)


def _obstacles(_armature: Any, rng: Rng) -> None:
    _solids("obstacles", rng)


def _targets(armature: Any, rng: Rng) -> None:
    """Many targets beside a path that is as long: empties that hands reach, or boxes that they take."""
    count = some_count(rng, int(rng.choice((5, 30))))
    apart, far = float(rng.choice((0.0, 0.7, 1.5))), float(rng.choice((0.0, 0.4, 0.7)))
    if rng.random() < 0.7:
        _straight(armature, 6.0 + apart * count)
    boxes = []
    for k in range(count):
        own = _linked(None)
        if rng.random() < 0.3:
            corners = 0.1 * (2.0 * np.array([(k & 1, k >> 1 & 1, k >> 2) for k in range(8)]) - 1.0)
            sides = np.array([(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)])
            own = mesh_of(corners, sides)
            boxes.append(own)
            own.biped.target.taking = str(rng.choice(("PICK_UP", "PUSH", "PULL")))
        own.location = (3.0 + apart * k, far, float(rng.choice((0.1, 0.8, 1.1, 1.6))))
        own.biped.target.active = True
        own.biped.target.act = str(rng.choice(("REACH", "REACH", "SET_DOWN")))
    _put(boxes, "props")


CHANGES: tuple[Change, ...] = (_scanned, _slivers, _points, _laps, _props, _obstacles, _targets)
