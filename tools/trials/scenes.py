# SPDX-License-Identifier: GPL-3.0-or-later
"""Walks in scenes that nothing was tuned on (``tools.trials``): random ones of Blender's primitives, seeded.

A scene goes the way of a user's: collections, meshes, rigid bodies, a curve; what is refused there is refused with its
reason, the rest is walked from three slightly different starts. ``scenes.json`` has one case a walk. Needs bpy.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path as FilePath
from typing import Any

import numpy as np

from blender_biped.base.errors import BipedError
from blender_biped.motion import measures
from blender_biped.motion.summary import ended
from blender_biped.simulate import simulate
from tools.base.columns import ARRIVED
from tools.scene.characters import standard_in_edit_mode

Figures = dict[str, Any]
KINDS = ("slope", "across", "edges", "rough", "obstacles", "props")
COUNT, SAMPLE, SEEDS = 60, 12, (0, 1, 2)
LENGTH = 5.0  # m of path
SPEED = 0.8  # m/s
_FIRST_SEED = 2301
_SIZE = 12.0  # m of the ground
_LIGHT = 1.5  # kg: of a prop on the path


@dataclass(frozen=True)
class SceneTrial:
    """A scene by its seed. group: the kind of scene, whose walks share a line."""

    seed: int
    group: str


def _trials(count: int) -> list[SceneTrial]:
    return [SceneTrial(_FIRST_SEED + k, KINDS[k % len(KINDS)]) for k in range(count)]


PARTS: dict[str, Callable[[], list[SceneTrial]]] = {
    "scenes": partial(_trials, COUNT),
    "some-scenes": partial(_trials, SAMPLE),
}


def run(trial: SceneTrial, out: FilePath) -> Figures:
    """Return the figures of a scene: why it is refused, or how each of its walks ended. They are added to scenes.json.

    In a process of its own: it empties Blender's file.
    """
    import bpy

    import blender_biped
    from blender_biped.ui.job.request import read_request

    bpy.ops.wm.read_factory_settings(use_empty=True)
    blender_biped.register()
    try:
        rig, said = _scene(trial), ""
        bpy.context.view_layer.update()
        try:
            job = replace(read_request(bpy.context, rig).job, fall_back=False)
        except BipedError as error:
            said = str(error)
    finally:
        blender_biped.unregister()
    found: Figures = {"group": trial.group, "seed": trial.seed, "refused": said, "walks": []}
    for seed in () if said else SEEDS:
        own = replace(job, seed=seed)
        motion = simulate(own)
        found["walks"].append(
            {
                "name": f"{trial.group}-{trial.seed}-{seed}",
                "fell": measures.fell_at(motion, own) is not None,
                "outcome": ended(motion, own),
                "penetration_mm": measures.penetration(motion, own),
                "foot_slip_median_mm": measures.foot_slip(motion, own)[0],
                "cpu_s_per_s": motion.cpu / motion.duration,
            }
        )
    return found


def finish(found: Sequence[Figures], out: FilePath) -> None:
    """Write ``scenes.json``: a case for each walk, and one for each scene that is refused."""
    cases = [walk for one in found for walk in one["walks"]]
    cases += [
        {"name": f"{one['group']}-{one['seed']}", "fell": None, "refused": one["refused"]}
        for one in found
        if one["refused"]
    ]
    (out / "scenes.json").write_text(json.dumps({"version": 1, "cases": cases}, indent=1), encoding="utf-8")


def report_lines(part: str, found: Sequence[Figures]) -> list[str]:
    """Return the lines for people. part: of PARTS."""
    lines = []
    for kind in KINDS:
        own = [one for one in found if one["group"] == kind]
        walks = [walk for one in own for walk in one["walks"]]
        fell = sorted({walk["name"] for walk in walks if walk["fell"]})
        lost = sorted({walk["name"] for walk in walks if not walk["fell"] and walk["outcome"] not in ARRIVED})
        refused = sum(bool(one["refused"]) for one in own)
        said = f"  {kind:<10} {len(own)} scenes, {refused} refused, {len(fell)} of {len(walks)} walks fell"
        lines.append(said + (f": {', '.join(fell)}" if fell else "") + (f"; late: {', '.join(lost)}" if lost else ""))
    walks = [walk for one in found for walk in one["walks"]]
    fell_count = sum(walk["fell"] for walk in walks)
    lines.append(
        f"  {'all':<10} {fell_count} of {len(walks)} walks fell, {100.0 * fell_count / max(len(walks), 1):.0f} %"
    )
    reasons = sorted({one["refused"] for one in found if one["refused"]})
    return lines + [f"  refused: {reason}" for reason in reasons]


def _scene(trial: SceneTrial) -> Any:
    """Build a scene in Blender; return its character."""
    import bpy

    random = np.random.default_rng(trial.seed)
    scene = bpy.context.scene
    for name in ("ground", "obstacles", "props"):
        own = bpy.data.collections.new(name.title())
        scene.collection.children.link(own)
        if name != "ground" or trial.group in ("slope", "across", "edges", "rough"):
            setattr(scene.biped, name, own)
    rig = _character()
    bend = float(random.uniform(-0.4, 0.4)) if trial.group in ("obstacles", "props") else 0.0
    rig.biped.walk.path = _path(bend)
    rig.biped.walk.speed_mps = SPEED
    make = {"slope": _slope, "across": _across, "edges": _edges, "rough": _rough}
    if trial.group in make:
        make[trial.group](random)
    else:
        _things(random, trial.group)
    bpy.context.view_layer.objects.active = rig
    return rig


def _character() -> Any:
    """Return the standard adult as an armature object, facing -Y."""
    import bpy

    armature = standard_in_edit_mode("Rig")
    bpy.ops.object.mode_set(mode="OBJECT")
    return armature


def _path(bend: float) -> Any:
    """Return a curve of LENGTH m along -Y that goes ``bend`` m aside in its middle."""
    import bpy

    data = bpy.data.curves.new("Path", "CURVE")
    data.dimensions = "3D"
    spline = data.splines.new("POLY")
    shares = np.linspace(0.0, 1.0, 41)
    spline.points.add(len(shares) - 1)
    for point, share in zip(spline.points, shares.tolist(), strict=True):
        point.co = (bend * math.sin(math.pi * share) ** 2, -LENGTH * share, 0.0, 1.0)
    curve = bpy.data.objects.new("Path", data)
    bpy.context.scene.collection.objects.link(curve)
    return curve


def _into(name: str) -> Any:
    """Move the object that was just added to a collection of the panel, and return it."""
    import bpy

    made = bpy.context.active_object
    for own in list(made.users_collection):
        own.objects.unlink(made)
    getattr(bpy.context.scene.biped, name).objects.link(made)
    return made


def _grid(height: Callable[[float, float], float], cuts: int) -> None:
    """Add a grid with heights of (x, y) to the ground."""
    import bpy

    bpy.ops.mesh.primitive_grid_add(x_subdivisions=cuts, y_subdivisions=cuts, size=_SIZE)
    for vertex in _into("ground").data.vertices:
        vertex.co.z = height(vertex.co.x, vertex.co.y)


def _slope(random: np.random.Generator) -> None:
    """A ramp from the first metre on, up or down."""
    rise = math.tan(math.radians(random.uniform(-12.0, 15.0)))
    _grid(lambda _x, y: rise * max(-y - 1.0, 0.0), 60)


def _across(random: np.random.Generator) -> None:
    """A slope across the way."""
    rise = math.tan(math.radians(random.uniform(-8.0, 8.0)))
    _grid(lambda x, _y: rise * x, 12)


def _edges(random: np.random.Generator) -> None:
    """Cubes one after the other: curbs, and a flight of steps now and then."""
    import bpy

    height, begin, flight = 0.0, 3.0, random.random() < 0.3
    ends = np.cumsum([1.5 + begin, *(random.uniform(*((0.28, 0.4) if flight else (1.0, 1.6))) for _ in range(4)), 9.0])
    for near, far in zip([0.0, *ends[:-1]], ends, strict=True):
        bpy.ops.mesh.primitive_cube_add(size=1.0, location=(0.0, begin - 0.5 * (near + far), height - 0.5))
        _into("ground").scale = (6.0, far - near, 1.0)
        height += float(random.uniform(-0.13, 0.1))


def _rough(random: np.random.Generator) -> None:
    """Uneven ground, as deep as the dice say, in cells of 0.2 to 0.6 m."""
    deep, cuts = float(random.uniform(0.01, 0.08)), int(_SIZE / random.uniform(0.2, 0.6))
    bumps = random.uniform(0.0, deep, (cuts + 2, cuts + 2))

    def height(x: float, y: float) -> float:
        i, k = (round((value / _SIZE + 0.5) * cuts) for value in (x, y))
        return float(bumps[i, k]) if y < -0.8 else 0.0

    _grid(height, cuts)


def _things(random: np.random.Generator, kind: str) -> None:
    """Obstacles about the way, some in it; or props, of which those in the way are light."""
    import bpy

    for _ in range(int(random.integers(2, 8))):
        size, y = float(random.uniform(0.15, 0.6)), float(random.uniform(-LENGTH, -1.2))
        x = float(random.choice((-1.0, 1.0)) * random.uniform(0.45 + size, 1.6))
        near = kind == "props" and random.random() < 0.5
        if near:
            x, size = float(random.uniform(-0.25, 0.25)), float(random.uniform(0.08, 0.25))
        elif random.random() < 0.04:
            x = 0.0
        add = random.choice(("cube", "uv_sphere", "cylinder", "cone"))
        place = (x, y, 0.5 * size)
        if add == "cube":
            bpy.ops.mesh.primitive_cube_add(size=size, location=place, rotation=(0.0, 0.0, random.uniform(0.0, 3.0)))
        elif add == "uv_sphere":
            bpy.ops.mesh.primitive_uv_sphere_add(radius=0.5 * size, location=place)
        elif add == "cylinder":
            bpy.ops.mesh.primitive_cylinder_add(radius=0.5 * size, depth=size, location=place)
        else:
            bpy.ops.mesh.primitive_cone_add(radius1=0.5 * size, depth=size, location=place)
        made = _into(kind)
        if kind == "props":
            bpy.context.view_layer.objects.active = made
            bpy.ops.rigidbody.object_add()
            made.rigid_body.mass = float(random.uniform(0.2, _LIGHT if near else 20.0))
