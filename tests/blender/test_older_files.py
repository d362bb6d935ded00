"""Files of earlier versions, in which a walk's settings were its scene's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import pytest

from blender_biped.control.registry import DEFAULT
from blender_biped.ui.base.fcurves import keyed_curves
from blender_biped.ui.job.pace import paced
from blender_biped.ui.job.request import read_request
from tests.blender.scenes import character_of, make_curve, make_rig
from tools.scene.actions import curves_of


def stored(owner: Any) -> Any:
    """Return what Blender itself keeps of an owner's properties."""
    return owner.bl_system_properties_get(do_create=True) if bpy.app.version >= (5, 0, 0) else owner


def older_scene(scene: Any, armature: Any) -> None:
    """Give the scene what an earlier version kept of a walk."""
    scene.biped.armature = armature  # makes the group that Blender keeps
    group = stored(scene)["biped"]
    kept = {
        "path": make_curve([(0.0, 0.0, 0.0), (7.0, 0.0, 0.0)]),
        "controller_name": "klaw",
        "preset_name": "march",
        "fields_shown": "klaw/march",
        "speed_mps": 1.35,
        "frame_start": 11,
        "stop": 0,
        "fields_klaw": {"attributes_max_knee": 1.0},
    }
    for name, value in kept.items():
        group[name] = value


def reopened(path: Path) -> Any:
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    bpy.ops.wm.open_mainfile(filepath=str(path))
    return bpy.data.objects["Hero"]


def test_an_older_scenes_settings_go_to_its_characters(scene: Any, tmp_path: Path) -> None:
    make_rig("Twin")
    bpy.ops.biped.map_bones()
    make_rig("Bystander")
    hero = make_rig("Hero")
    older_scene(scene, hero)
    opened = reopened(tmp_path / "older.blend")
    own, twin = opened.biped.walk, bpy.data.objects["Twin"].biped.walk
    for walk in (own, twin):
        assert (walk.controller, walk.preset, walk.frame_start, walk.stop) == ("klaw", "march", 11, False)
        assert walk.speed_mps == pytest.approx(1.35) and walk.fields_klaw.attributes_max_knee == pytest.approx(1.0)
    assert own.path.name == "Way" and twin.path is None
    assert bpy.data.objects["Bystander"].biped.walk.controller == DEFAULT.name
    own.preset = "walk"
    again = reopened(tmp_path / "newer.blend")
    assert again.biped.walk.preset == "walk"  # nothing is given twice


def test_an_older_scenes_keys_go_to_its_character(scene: Any, tmp_path: Path) -> None:
    hero = make_rig("Hero")
    bpy.ops.biped.map_bones()
    older_scene(scene, hero)
    scene["speed"] = 1.0
    for frame, speed in ((11, 0.8), (59, 1.6)):
        scene["speed"] = speed
        scene.keyframe_insert('["speed"]', frame=frame)
    (speeds,) = curves_of(scene.animation_data.action)
    speeds.data_path = "biped.speed"
    opened = reopened(tmp_path / "older.blend")
    (curve,) = keyed_curves(opened).values()
    assert curve.data_path == "biped.walk.speed"
    own = [paced("BY_SIZE", speed, character_of(opened))[0] for speed in (0.8, 1.6)]  # keys were an adult's speeds
    assert [number for key in curve.keyframe_points for number in key.co] == pytest.approx([11.0, own[0], 59.0, own[1]])
    data = bpy.context.scene.animation_data
    assert not data or not curves_of(data.action)
    assert [speed for _, speed in read_request(bpy.context).job.speeds][-1] > 1.2
