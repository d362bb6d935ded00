# SPDX-License-Identifier: GPL-3.0-or-later
"""A job's scene in a Blender file of its own, as its user would lay it out: what the panel then reads. Needs bpy."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from blender_biped.character.armature import Armature
from blender_biped.job import Job
from blender_biped.world.targets import Target
from blender_biped.world.terrain import Terrain
from blender_biped.world.things import Thing
from tools.scene.stage import box, into, stage


@contextmanager
def laid_out(job: Job, body: Armature) -> Iterator[Any]:
    """Give a character as an armature object, before the path of a job and among what its world has.

    body: the character's bones, which face -Y. The path is straight, from the origin, and things are boxes.
    """
    import bpy

    with stage(job.path.length, controller=job.preset.controller, body=body) as rig:
        rig.biped.walk.path.rotation_euler.z = float(job.path.heading(0.0)) + 0.5 * math.pi
        if job.world.ground is not None:
            _add_ground(job.world.ground)
        made = {thing.name: _added(thing) for thing in job.world.things}
        for target in job.world.targets:
            _aim(target, rig, made)
        bpy.context.view_layer.objects.active = rig
        bpy.context.view_layer.update()
        rig.biped.walk.own_speed = job.speed
        yield rig


def _added(thing: Thing) -> Any:
    """Add a thing, and return its object."""
    made = box(
        "props" if thing.loose else "obstacles", thing.place, [2.0 * half for half in thing.solid.half], thing.mass
    )
    made.name, made.rotation_mode, made.rotation_quaternion = thing.name, "QUATERNION", thing.rotation
    if thing.loose:
        made.rigid_body.friction = thing.friction
    return made


def _add_ground(ground: Terrain) -> None:
    """Add a ground as a mesh."""
    import bpy

    mesh = bpy.data.meshes.new("Ground")
    mesh.from_pydata(ground.vertices.tolist(), [], ground.faces.tolist())
    made = bpy.data.objects.new("Ground", mesh)
    bpy.context.scene.collection.objects.link(made)
    bpy.context.view_layer.objects.active = made
    into("ground")


def _aim(target: Target, rig: Any, made: dict[str, Any]) -> None:
    """Let an object of the scene be a target, or add an empty that is. made: the objects of things, by their names."""
    import bpy

    if target.thing:
        own = made[target.thing].biped.target
        own.active, own.taking, own.hands = True, target.act.upper(), target.hands.upper()
        return
    bpy.context.view_layer.objects.active = rig
    bpy.context.scene.cursor.location = target.place
    bpy.ops.biped.add_target(act=target.act.upper())
