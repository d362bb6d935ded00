# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenes that walks answer to, as .blend files with their baked walks, and a picture of each (``tools.trials``).

A scene is built the way of a user's, by the extension's own buttons, and its walk, simulated once, is written as the
bake writes it; what is written are NAME.blend and NAME.png in scene-files/. Needs bpy and matplotlib.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import Any

from blender_biped.simulate import simulate
from tools.scene.stage import box, into, stage
from tools.trials.kept_walk import keep

Figures = dict[str, Any]
FOLDER = "scene-files"


@dataclass(frozen=True)
class SceneFile:
    """A scene. controller: "" for the panel's own. speed: m/s, 0 for the usual. length: of the path, m."""

    build: Callable[[Any], None]
    controller: str = ""
    speed: float = 0.0
    length: float = 7.0


def _obstacles(rig: Any) -> None:
    """Three bars of rising height across the way."""
    for k, height in enumerate((0.15, 0.25, 0.35)):
        box("obstacles", (0.0, -2.0 - 2.0 * k, 0.5 * height), (2.0, 0.1, height))


def _beam(rig: Any) -> None:
    """A beam at 75 % of the standing height."""
    box("obstacles", (0.0, -3.0, 1.37), (2.0, 0.1, 0.1))


def _props(rig: Any) -> None:
    """Light crates on the way, one on another."""
    for x, y, z, size in (
        (0.1, -1.6, 0.1, 0.2),
        (-0.15, -2.6, 0.12, 0.24),
        (-0.15, -2.6, 0.34, 0.2),
        (0.2, -3.6, 0.1, 0.2),
    ):
        box("props", (x, y, z), (size, size, size), 0.4)


def _slope(rig: Any) -> None:
    """A ramp of 8 degrees."""
    import bpy

    bpy.ops.mesh.primitive_grid_add(x_subdivisions=40, y_subdivisions=40, size=20.0)
    for vertex in into("ground").data.vertices:
        vertex.co.z = math.tan(math.radians(8.0)) * max(-vertex.co.y - 1.5, 0.0)


def _stairs(rig: Any) -> None:
    """Four steps of 15 cm up to a landing, and down again."""
    ends = [2.0 + 0.3 * k for k in range(4)], [5.9 - 0.3 * k for k in range(4)]
    box("ground", (0.0, -4.0, -0.5), (6.0, 16.0, 1.0))
    for k, (near, far) in enumerate(zip(*ends, strict=True)):
        box("ground", (0.0, -0.5 * (near + far), 0.15 * (k + 0.5)), (2.0, far - near, 0.15))


def _wind(rig: Any) -> None:
    """A wind from the left that rises to 40 N and ends."""
    import bpy

    bpy.ops.object.effector_add(type="WIND", location=(2.0, -3.0, 1.0), rotation=(0.0, -0.5 * math.pi, 0.0))
    field = bpy.context.active_object
    for second, strength in ((2.0, 0.0), (3.0, 40.0), (5.0, 40.0), (6.0, 0.0)):
        field.field.strength = strength
        field.keyframe_insert("field.strength", frame=1 + 24 * second)


def _push(rig: Any, force: float = 250.0, direction: str = "AHEAD") -> None:
    """A push from behind on the left shoulder after three seconds."""
    import bpy

    bpy.context.view_layer.objects.active = rig
    bpy.context.scene.frame_set(73)
    bpy.ops.biped.add_push(direction=direction, part="LEFT_SHOULDER", force=force)
    bpy.context.scene.frame_set(1)


def _fall(rig: Any) -> None:
    """A push from the side that nobody withstands, and a ragdoll."""
    rig.biped.walk.ragdoll = True
    _push(rig, 900.0, "LEFT")


def _crate(ahead: float, height: float, mass: float) -> None:
    """A crate to be picked up, m ahead, its middle at a height, m, on a stand that is as deep. mass: kg."""
    crate = box("props", (0.0, -ahead, height), (0.2, 0.16, 0.16), mass)
    crate.biped.target.active = True
    below = height - 0.08
    if below > 0.01:
        box("obstacles", (0.0, -ahead, 0.5 * below), (0.16, 0.16, below))


def _floor(rig: Any) -> None:
    """A crate of 3 kg on the floor, at the path's end."""
    _crate(3.4, 0.081, 3.0)


def _table(rig: Any) -> None:
    """A crate of 3 kg at 0.8 m."""
    _crate(3.4, 0.8, 3.0)


def _shelf(rig: Any) -> None:
    """A crate of 3 kg at 1.65 m, as high as the shoulders and more."""
    _crate(3.4, 1.65, 3.0)


def _carry(rig: Any) -> None:
    """A crate of 10 kg that is picked up from the floor, carried 2.5 m and set down."""
    import bpy

    _crate(3.0, 0.081, 10.0)
    bpy.context.view_layer.objects.active = rig
    bpy.context.scene.cursor.location = (0.0, -5.9, 0.0)
    bpy.ops.biped.add_target(act="SET_DOWN")


def _laden(rig: Any) -> None:
    """A crate of 15 kg, carried up four steps of 15 cm, over two bars of 20 cm on top, and set down there.

    Coros 2010, figure 12.
    """
    import bpy

    _crate(2.4, 0.081, 15.0)
    box("ground", (0.0, -6.0, -0.5), (6.0, 20.0, 1.0))
    for k in range(4):
        near = 4.2 + 0.3 * k
        box("ground", (0.0, -0.5 * (near + 16.0), 0.15 * (k + 0.5)), (2.0, 16.0 - near, 0.15))
    for ahead in (6.9, 8.3):
        box("obstacles", (0.0, -ahead, 0.7), (1.6, 0.1, 0.2))
    bpy.context.view_layer.objects.active = rig
    bpy.context.scene.cursor.location = (0.0, -10.9, 0.6)
    bpy.ops.biped.add_target(act="SET_DOWN")


def _pushing(rig: Any) -> None:
    """A crate of 80 kg at friction 0.2 that is pushed 2.6 m over the ground."""
    import bpy

    crate = box("props", (0.0, -3.4, 0.55), (0.8, 0.8, 1.1), 80.0)
    crate.rigid_body.friction = 0.2
    crate.biped.target.active, crate.biped.target.taking = True, "PUSH"
    bpy.context.view_layer.objects.active = rig
    bpy.context.scene.cursor.location = (0.0, -6.0, 0.0)
    bpy.ops.biped.add_target(act="SET_DOWN")


def _pulling(rig: Any) -> None:
    """A crate of 80 kg at friction 0.2 behind the walk, whose side is as far from it as the walk asks for.

    It is pulled 3 m over the ground.
    """
    import bpy

    crate = box("props", (0.0, 0.97, 0.55), (0.8, 0.8, 1.1), 80.0)
    crate.rigid_body.friction = 0.2
    crate.biped.target.active, crate.biped.target.taking = True, "PULL"
    bpy.context.view_layer.objects.active = rig
    bpy.context.scene.cursor.location = (0.0, -2.03, 0.0)
    bpy.ops.biped.add_target(act="SET_DOWN")


SCENES: dict[str, SceneFile] = {
    "obstacles": SceneFile(_obstacles, "generalized", 0.8, 8.0),
    "beam": SceneFile(_beam, "generalized", 0.8),
    "props": SceneFile(_props),
    "slope": SceneFile(_slope, "generalized", 0.8),
    "stairs": SceneFile(_stairs, speed=0.8, length=8.0),
    "wind": SceneFile(_wind, "generalized", 0.8),
    "push": SceneFile(_push),
    "fall": SceneFile(_fall),
    "floor": SceneFile(_floor, length=3.0),
    "table": SceneFile(_table, length=3.0),
    "shelf": SceneFile(_shelf, length=3.08),
    "carry": SceneFile(_carry, length=5.5),
    "laden": SceneFile(_laden, length=10.5),
    "pushing": SceneFile(_pushing, length=5.0),
    "pulling": SceneFile(_pulling, length=4.0),
}


@dataclass(frozen=True)
class FileTrial:
    """A scene by its name."""

    group: str


PARTS: dict[str, Callable[[], list[FileTrial]]] = {"scene-files": lambda: [FileTrial(name) for name in SCENES]}


def run(trial: FileTrial, out: FilePath) -> Figures:
    """Build, bake and write a scene; return how its walk went. In a process of its own: it empties Blender's file."""
    import bpy

    from blender_biped.ui.job.request import read_request

    own = SCENES[trial.group]
    with stage(own.length, own.speed, own.controller) as rig:
        bpy.context.scene.render.fps = 24
        own.build(rig)
        bpy.context.view_layer.objects.active = rig
        bpy.context.view_layer.update()
        request = read_request(bpy.context, rig)
        summary = keep(rig, request, simulate(request.job), out / FOLDER / trial.group, trial.group.capitalize())
    return {
        "group": trial.group,
        "outcome": summary.outcome if summary else None,
        "fallback": summary.fallback if summary else None,
        "lies": summary.lies if summary else None,
        "seconds": summary.duration if summary else None,
    }


def report_lines(part: str, found: Sequence[Figures]) -> list[str]:
    """Return the lines for people. part: of PARTS."""
    lines = []
    for one in found:
        said = one["outcome"] or "nothing was baked"
        said += f", in its place {one['fallback']}" if one["fallback"] else ""
        said += ", and lies still" if one["lies"] else ""
        lines.append(f"  {FOLDER}/{one['group']}.blend: {said}")
    return lines
