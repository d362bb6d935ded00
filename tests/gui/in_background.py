"""Runs inside a real Blender without a window: makes the scene, keeps it, and bakes the walk there."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from typing import Any

import addon_utils
import bpy

OUT, MODULE = Path(sys.argv[-2]), sys.argv[-1]
S_CURVE = ((0.0, 0.0), (2.8, 1.25), (8.2, -1.25), (11.0, 0.0))  # m; 12 m along the curve


def make_scene() -> None:
    """Put Rigify's human metarig and an S-curve into an empty scene, chosen in the panel."""
    bpy.ops.wm.read_homefile(use_factory_startup=False, use_empty=True)
    addon_utils.enable("rigify", default_set=True)
    bpy.ops.object.armature_human_metarig_add()
    armature = bpy.context.object
    data = bpy.data.curves.new("Path", "CURVE")
    data.dimensions = "3D"
    spline = data.splines.new("BEZIER")
    spline.bezier_points.add(len(S_CURVE) - 1)
    for point, (x, y) in zip(spline.bezier_points, S_CURVE, strict=True):
        point.co = (x, y, 0.0)
        point.handle_left_type = point.handle_right_type = "AUTO"
    curve = bpy.data.objects.new("Path", data)
    bpy.context.scene.collection.objects.link(curve)
    settings = armature.biped.walk
    settings.path = curve


def keys(action: Any) -> dict[str, list[float]]:
    """Return all keyframes of an action: frames and values, in turn, by data path and index."""
    found = {}
    for curve in action.fcurves:
        found[f"{curve.data_path}[{curve.array_index}]"] = [v for p in curve.keyframe_points for v in p.co]
    return found


if __name__ == "__main__":
    importlib.import_module(MODULE)
    make_scene()
    bpy.ops.biped.map_bones()
    bpy.ops.wm.save_as_mainfile(filepath=str(OUT / "scene.blend"))
    assert bpy.ops.biped.bake_walk() == {"FINISHED"}
    action = bpy.context.view_layer.objects.active.animation_data.action
    (OUT / "background.json").write_text(json.dumps(keys(action)), encoding="utf-8")
    print("Background:", importlib.import_module(f"{MODULE}.ui.base.status").status.message)
