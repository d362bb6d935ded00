"""The scene's end: moved for a walk that is longer, and moved back, but never where the user set it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy

from blender_biped.ui.bake.choices import Choices
from blender_biped.ui.bake.keyframes import bake
from blender_biped.ui.bake.scene_end import end_with
from tests.blender.scenes import character_of, make_rig, wild_motion


def walk(armature: Any, last: int, onto: Any = "REPLACE") -> int:
    """Bake a walk from frame 1 to ``last`` and return where the scene ends then."""
    scene = bpy.context.scene
    motion = wild_motion(character_of(armature), 0, (last - 1) / 24.0)
    done = bake(armature, motion, 1, "HIPS", Choices(onto=onto))
    assert int(done.frames[-1]) == last
    end_with(scene, armature, last)
    return int(scene.frame_end)


def test_it_comes_back_with_a_shorter_walk(scene: Any) -> None:
    scene.frame_end = 20
    armature = make_rig()
    assert [walk(armature, last) for last in (49, 73, 25, 13, 31)] == [49, 73, 25, 20, 31]


def test_a_scene_that_is_long_enough_stays(scene: Any) -> None:
    assert walk(make_rig(), 49) == 250
    assert not scene.biped.is_property_set("end_extended")


def test_what_the_user_set_since_stays(scene: Any) -> None:
    scene.frame_end = 20
    armature = make_rig()
    walk(armature, 49)
    scene.frame_end = 60
    assert [walk(armature, last) for last in (25, 73, 13)] == [60, 73, 60]


def test_another_characters_walk_is_not_cut_off(scene: Any) -> None:
    scene.frame_end = 20
    one, other = make_rig("One"), make_rig("Other")
    assert [walk(one, 49), walk(other, 73), walk(other, 25), walk(one, 13), walk(other, 13)] == [49, 73, 49, 25, 20]


def test_a_character_that_may_not_extend_the_scene_does_not_hold_its_end(scene: Any) -> None:
    scene.frame_end = 20
    one, other = make_rig("One"), make_rig("Other")
    walk(other, 73)
    other.biped.walk.extend = False
    assert walk(one, 25) == 25


def test_walks_in_strips_count(scene: Any) -> None:
    scene.frame_end = 20
    armature = make_rig()
    assert walk(armature, 73, "STRIP") == 73
    assert walk(armature, 25, "STRIP") == 73  # the longer one is still there, below
    assert walk(armature, 13, "REPLACE") == 73
    armature.animation_data.nla_tracks.remove(armature.animation_data.nla_tracks[0])
    assert walk(armature, 25) == 25


def test_a_saved_file_remembers(scene: Any, tmp_path: Path) -> None:
    scene.frame_end = 20
    walk(make_rig(), 49)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "walk.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "walk.blend"))
    assert walk(bpy.data.objects["Rig"], 25) == 25
    assert walk(bpy.data.objects["Rig"], 13) == 20


def test_it_is_undone_with_the_bake(scene: Any) -> None:
    scene.frame_end = 20
    armature = make_rig()
    walk(armature, 49)
    bpy.ops.ed.undo_push(message="before")
    walk(armature, 73)
    bpy.ops.ed.undo_push(message="Bake Walk")
    bpy.ops.ed.undo()
    assert bpy.context.scene.frame_end == 49
    assert walk(bpy.data.objects["Rig"], 13) == 20
