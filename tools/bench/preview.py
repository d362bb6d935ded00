"""What the live preview costs while an animator moves something, and the simulation that follows. Needs bpy."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, astuple, dataclass
from functools import partial
from typing import Any

import numpy as np

from blender_biped.ui.view.simulation import QUIET
from tools.base.children import in_child
from tools.base.controllers import PREVIEWED
from tools.bench.section import Section, table_lines
from tools.scene.files import chosen_armature

CHANGES = 40  # of each kind
SPEED = 1.2  # m/s
SIMULATED: Sequence[tuple[float, float]] = [(0.0, 0.0), (7.0, 0.0)]  # a walk of about 10 s
PICTURES = 5  # changes after which the walk is simulated
SHAPES: dict[str, Sequence[tuple[float, float]]] = {
    "straight, 10 s": [(0.0, 0.0), (10.8, 0.0)],
    "S-curve, 10 s": [(x, math.sin(0.6 * x)) for x in np.linspace(0.0, 9.5, 60)],
}


@dataclass(frozen=True)
class PreviewCost:
    """What previews of a path's shape cost, when ``changed`` is moved: median and worst, ms, and how many until whole.

    walk_s: how long the walk is.
    """

    shape: str
    changed: str
    walk_s: float
    median_ms: float
    worst_ms: float
    updates: float


@dataclass(frozen=True)
class PictureCost:
    """From the last change to the first picture of the simulated walk, and to its last one: on the clock and CPU, s.

    walk_s: how long the walk is.
    """

    walk_s: float
    clock_s: float
    cpu_s: float
    whole_clock_s: float
    whole_cpu_s: float


def preview_costs() -> list[PreviewCost]:
    """Return what changes cost on Rigify's human. Replaces the scene of this process' Blender."""
    import bpy

    from blender_biped.ui.registration import register

    register()
    armature = chosen_armature("", print)
    bpy.context.view_layer.objects.active = armature
    own = armature.biped.walk
    bpy.ops.biped.map_bones()
    own.controller, bpy.context.scene.biped.show_preview = PREVIEWED, True
    found = []
    for shape, points in SHAPES.items():
        curve = own.path = _curve(points)
        changes: dict[str, Callable[[int], None]] = {
            "the curve": partial(_moved, curve),
            "the speed": lambda k: setattr(own, "speed_mps", SPEED - 0.005 * k),
            "an attribute": lambda k: setattr(own.fields_klaw, "attributes_theta2_des", math.radians(0.5 * k)),
            "the knees": lambda k: setattr(own.fields_klaw, "attributes_max_knee", math.radians(50.0 + 0.7 * k)),
        }
        for changed, change in changes.items():
            own.preset, own.speed_mps = "walk", SPEED
            found.append(_cost(shape, changed, change))
    return found


def _curve(points: Sequence[tuple[float, float]]) -> Any:
    import bpy

    data = bpy.data.curves.new("path", "CURVE")
    data.dimensions = "3D"
    spline = data.splines.new("POLY")
    spline.points.add(len(points) - 1)
    for point, (x, y) in zip(spline.points, points, strict=True):
        point.co = (x, y, 0.0, 1.0)
    curve = bpy.data.objects.new("path", data)
    bpy.context.scene.collection.objects.link(curve)
    return curve


def _moved(curve: Any, k: int) -> None:
    curve.location = (0.0, 0.01 * k, 0.0)


def _cost(shape: str, changed: str, change: Callable[[int], None]) -> PreviewCost:
    _whole()
    spent, updates = [], []
    for k in range(CHANGES):
        change(k + 1)
        clock, more = _whole()
        spent.append(clock)
        updates.append(more)
    walk = _update()[1].duration
    return PreviewCost(shape, changed, walk, 1e3 * float(np.median(spent)), 1e3 * max(spent), float(np.mean(updates)))


def _whole() -> tuple[float, int]:
    """Return the seconds to the first picture after a change, and how many there are until it is whole."""
    first, preview = _update()
    count = 1
    while not preview.whole:
        preview, count = _update()[1], count + 1
    return first, count


def _update() -> tuple[float, Any]:
    import bpy

    from blender_biped.ui.view import preview

    bpy.context.view_layer.update()
    began = time.perf_counter()
    found = preview.update(bpy.context)
    spent = time.perf_counter() - began
    if found is None:
        raise RuntimeError(preview.message(bpy.context).text)
    return spent, found


def picture_costs() -> list[PictureCost]:
    """Return what the simulated walk costs after a change on Rigify's human. Replaces the scene of this process."""
    import bpy

    from blender_biped.ui.registration import register

    register()
    armature = chosen_armature("", print)
    bpy.ops.biped.map_bones()
    curve = armature.biped.walk.path = _curve(SIMULATED)
    bpy.context.scene.biped.show_preview = True
    _simulated(to_the_end=True)  # what is read once
    return [_picture_cost(curve, 2 * k) for k in range(1, PICTURES + 1)]


def _picture_cost(curve: Any, k: int) -> PictureCost:
    _moved(curve, k)
    clock, cpu = _simulated(to_the_end=False)
    _moved(curve, k + 1)
    whole_clock, whole_cpu = _simulated(to_the_end=True)
    from blender_biped.ui.view import preview

    walk = preview.shown()
    assert walk is not None
    return PictureCost(walk.duration, clock, cpu, whole_clock, whole_cpu)


def _simulated(to_the_end: bool) -> tuple[float, float]:
    """Return seconds on the clock and CPU seconds from a change to the first picture or to the end of the walk.

    The CPU seconds are the worker's, too; it is ended then.
    """
    import bpy

    from blender_biped.motion.trail import MotionTrail
    from blender_biped.ui.view import preview

    before, began = os.times(), time.perf_counter()
    bpy.context.view_layer.update()
    preview.update(bpy.context)
    preview.simulate(bpy.context)
    while preview.advance() and (to_the_end or not isinstance(preview.shown(), MotionTrail)):
        time.sleep(0.005)
    clock = time.perf_counter() - began
    if not isinstance(preview.shown(), MotionTrail):
        raise RuntimeError(preview.message(bpy.context).text)
    if not to_the_end:
        preview.stop()
    after = os.times()
    return clock, sum(after[:4]) - sum(before[:4])


def measure_preview() -> Section:
    """Return what the live preview costs while something is moved, and the simulation that follows."""
    costs = in_child(preview_costs)
    pictures = in_child(picture_costs)
    rows = [
        [f"{c.shape}: {c.changed}", f"{c.walk_s:.1f}", f"{c.median_ms:.0f}", f"{c.worst_ms:.0f}", f"{c.updates:.1f}"]
        for c in costs
    ]
    ratios = {f"preview: {c.shape}: {c.changed}": c.median_ms / costs[0].median_ms for c in costs}
    head = ["moved", "walk s", "median ms", "worst ms", "updates until whole"]
    clock, cpu, whole_clock, whole_cpu = np.median([astuple(c)[1:] for c in pictures], axis=0).tolist()
    ratios["preview: first picture of the simulation"] = cpu / whole_cpu
    own = [
        ["first picture", f"{clock:.2f}", f"{cpu:.2f}", f"{cpu / whole_cpu:.2f}"],
        ["whole walk", f"{whole_clock:.2f}", f"{whole_cpu:.2f}", "1.00"],
    ]
    lines = [
        *table_lines(head, rows),
        "",
        f"A simulated walk of {pictures[0].walk_s:.1f} s, from the last change ({QUIET} s of waiting among it):",
        *table_lines(["", "s on the clock", "CPU s", "ratio"], own),
    ]
    return Section([*(asdict(c) for c in costs), *(asdict(c) for c in pictures)], ratios, lines)
