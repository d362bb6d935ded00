"""What the live preview costs while an animator moves something: seconds on the clock for each change. Needs bpy."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

import numpy as np

from tools.base.controllers import PREVIEWED
from tools.bench.children import in_child
from tools.bench.section import Section, table_lines
from tools.scene.files import chosen_armature

CHANGES = 40  # of each kind
SPEED = 1.2  # m/s
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


def preview_costs() -> list[PreviewCost]:
    """Return what changes cost on Rigify's human. Replaces the scene of this process' Blender."""
    import bpy

    from blender_biped.ui.registration import register

    register()
    armature = chosen_armature("", print)
    bpy.context.view_layer.objects.active = armature
    own = armature.biped.walk
    bpy.ops.biped.map_bones()
    own.controller, own.show_preview = PREVIEWED, True
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
        raise RuntimeError(preview.message()[0])
    return spent, found


def measure_preview() -> Section:
    """Return what the live preview costs while something is moved."""
    costs = in_child(preview_costs)
    rows = [
        [f"{c.shape}: {c.changed}", f"{c.walk_s:.1f}", f"{c.median_ms:.0f}", f"{c.worst_ms:.0f}", f"{c.updates:.1f}"]
        for c in costs
    ]
    ratios = {f"preview: {c.shape}: {c.changed}": c.median_ms / costs[0].median_ms for c in costs}
    head = ["moved", "walk s", "median ms", "worst ms", "updates until whole"]
    return Section([asdict(c) for c in costs], ratios, table_lines(head, rows))
