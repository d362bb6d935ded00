"""Runs in the oldest Blender: bakes two simulated walks, saves them, and writes where all bones then are.

python in_oldest.py OUT.blend OUT.json
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

STEP = 5  # frames between two that are looked at
PATHS = {"Hero": [(0.0, 0.0, 0.0), (3.0, 0.0, 0.0)], "Twin": [(0.0, 2.0, 0.0), (2.5, 3.0, 0.0)]}


def seen(name: str) -> dict[str, Any]:
    """Return what there is to see of a character with its walk: places of bones by frame, m, and what Result says."""
    import bpy

    from blender_biped.ui.bake.result import result_lines, result_of

    armature, scene = bpy.data.objects[name], bpy.context.scene
    frames = range(scene.frame_start, scene.frame_end + 1, STEP)
    places: dict[str, list[list[float]]] = {}
    for frame in frames:
        scene.frame_set(frame)
        places[str(frame)] = [list(armature.matrix_world @ bone.head) for bone in armature.pose.bones]
    result = result_of(armature)
    assert result, "its action has figures"
    lines = [[line.name, line.text] for line in result_lines(result, scene.unit_settings)]
    return {"bones": [bone.name for bone in armature.pose.bones], "places": places, "lines": lines}


def main(blend: str, out: str) -> None:
    """Run the command line."""
    import bpy

    import blender_biped
    from tests.blender.scenes import make_curve, make_rig

    bpy.ops.wm.read_factory_settings(use_empty=True)
    blender_biped.register()
    for name, points in PATHS.items():
        armature = make_rig(name)
        armature.biped.walk.path = make_curve(points, name=f"{name}'s Way")
        if name == "Twin":
            armature.biped.onto = "STRIP"
        bpy.context.view_layer.update()
        assert bpy.ops.biped.bake_walk() == {"FINISHED"}
    bpy.ops.wm.save_as_mainfile(filepath=blend)
    found = {"blender": list(bpy.app.version), **{name: seen(name) for name in PATHS}}
    Path(out).write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
    sys.stdout.flush()
    os._exit(0)  # the oldest module crashes when its Python ends
