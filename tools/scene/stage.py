# SPDX-License-Identifier: GPL-3.0-or-later
"""A character before a path, in a file of its own, with the extension: what scenes are built on. Needs bpy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import blender_biped
from blender_biped.character.armature import Armature
from tools.scene.characters import in_edit_mode, standard_in_edit_mode


@contextmanager
def stage(length: float, speed: float = 0.0, controller: str = "", body: Armature | None = None) -> Iterator[Any]:
    """Give a character as an armature object, in a file of its own, before a straight path along -Y.

    length: of the path, m. speed: m/s, 0 for the style's usual one. controller: its name, "" for the panel's own. body:
    None for the standard adult.
    """
    import bpy

    bpy.ops.wm.read_factory_settings(use_empty=True)
    blender_biped.register()
    try:
        rig = in_edit_mode("Walker", body) if body else standard_in_edit_mode("Walker")
        bpy.ops.object.mode_set(mode="OBJECT")
        rig.biped.walk.path = _straight(length)
        if controller:
            rig.biped.walk.controller = controller
        if speed:
            rig.biped.walk.speed_mps = speed
        scene = bpy.context.scene
        for name in ("ground", "obstacles", "props"):
            own = bpy.data.collections.new(name.title())
            scene.collection.children.link(own)
            if name != "ground":
                setattr(scene.biped, name, own)
        bpy.context.view_layer.objects.active = rig
        yield rig
    finally:
        blender_biped.unregister()


def into(name: str) -> Any:
    """Move the object that was just added to a collection of the Scene panel, and return it.

    name: "ground", "obstacles" or "props". The ground's is chosen in the panel with its first object.
    """
    import bpy

    made, own = bpy.context.active_object, bpy.data.collections[name.title()]
    setattr(bpy.context.scene.biped, name, own)
    for other in list(made.users_collection):
        other.objects.unlink(made)
    own.objects.link(made)
    return made


def box(collection: str, place: Sequence[float], size: Sequence[float], mass: float = 0.0) -> Any:
    """Add a box with edges of ``size`` (3,), m, to a collection; a prop has a mass, kg."""
    import bpy

    bpy.ops.mesh.primitive_cube_add(size=1.0, location=tuple(place))
    made = into(collection)
    made.scale = tuple(size)
    if mass:
        bpy.context.view_layer.objects.active = made
        bpy.ops.rigidbody.object_add()
        made.rigid_body.mass, made.rigid_body.collision_shape = mass, "BOX"
    return made


def _straight(length: float) -> Any:
    """Return a curve of a length, m, along -Y."""
    import bpy

    data = bpy.data.curves.new("Path", "CURVE")
    data.dimensions = "3D"
    spline = data.splines.new("POLY")
    spline.points.add(1)
    spline.points[1].co = (0.0, -length, 0.0, 1.0)
    curve = bpy.data.objects.new("Path", data)
    bpy.context.scene.collection.objects.link(curve)
    return curve
