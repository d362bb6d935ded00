"""Scenes with Time Stretching: a walk is as slow in them as all else, and whole."""

from __future__ import annotations

from typing import Any

import bpy
import pytest

from blender_biped.base.errors import DataError
from blender_biped.ui import api
from blender_biped.ui.bake.accuracy import bake_error
from blender_biped.ui.bake.keyframes import bake
from blender_biped.ui.bake.scene_end import end_with
from blender_biped.ui.base.frames import frame_kept, show_frame
from blender_biped.ui.job.request import read_request
from blender_biped.ui.view.preview import time_shown
from tests.blender.scenes import character_of, make_curve, make_rig, wild_motion

MM, DEGREES = 0.05, 0.02  # as in test_bake


def stretch(scene: Any, old: int, new: int) -> None:
    scene.render.frame_map_old, scene.render.frame_map_new = old, new


@pytest.mark.parametrize("old, new, begin, end", [(100, 200, 2, 50), (300, 100, 0, 8)])
def test_a_walk_is_as_slow_as_its_scene_and_that_is_said(scene: Any, old: int, new: int, begin: int, end: int) -> None:
    stretch(scene, old, new)
    rig = make_rig()
    carrier = bpy.data.objects.new("Carrier", None)
    scene.collection.objects.link(carrier)
    for frame, place in ((1, 0.0), (20, 2.0)):
        carrier.location.x = place
        carrier.keyframe_insert("location", frame=frame)
    rig.parent = carrier
    motion = wild_motion(character_of(rig))
    done = bake(rig, motion)
    assert done.notes == () and done.frames[-1] == 25
    assert done.facts == (
        f"Time Stretching shows it in frames {begin} to {end} of the scene, at {old / new:.3g} times its speed.",
    )
    far, turned = bake_error(rig, motion, done.frames.tolist())
    assert far <= MM and turned <= DEGREES
    whole = 25.0 * new / old
    scene.frame_set(int(whole), subframe=whole % 1.0)
    shown = rig.evaluated_get(bpy.context.evaluated_depsgraph_get())
    head = shown.matrix_world @ shown.pose.bones["spine"].head
    assert abs(head.x - motion.root[-1, 0]) < 0.2 and abs(head.y - motion.root[-1, 1]) < 0.2


def test_the_scene_lasts_until_it_has_shown_the_walk(scene: Any) -> None:
    stretch(scene, 100, 250)
    scene.frame_end = 20
    end_with(scene, make_rig(), 25)
    assert scene.frame_end == 63


def test_markers_and_the_preview_are_in_the_scenes_frames(scene: Any) -> None:
    stretch(scene, 100, 200)
    rig = make_rig()
    api.set_path(rig, make_curve([(0, 0, 0), (9, 0, 0)]))
    api.set_style(rig, "klaw", "walk")
    rig.biped.walk.frame_start = 10
    scene.timeline_markers.new("Stroll", frame=19)  # before the walk, which is shown from frame 20 on
    scene.timeline_markers.new("Walk", frame=68)
    job = read_request(bpy.context, rig).job
    assert job.preset.name == "stroll" and [cue.time for cue in job.cues] == [pytest.approx(1.0)]
    scene.frame_set(44)
    assert time_shown(bpy.context) == pytest.approx(0.5)


def test_a_look_at_other_frames_leaves_the_scene_at_its_own(scene: Any) -> None:
    """Whatever goes wrong meanwhile. What was moved by hand and has keys stays where no other frame was shown."""
    moved = make_curve([(0, 0, 0), (2, 0, 0)])
    for frame in (1, 20):
        moved.keyframe_insert("location", frame=frame)
    scene.frame_set(7, subframe=0.25)
    with pytest.raises(DataError), frame_kept(scene):
        show_frame(scene, 12.5)
        assert scene.frame_current == 12
        raise DataError("It went wrong.")
    assert (scene.frame_current, scene.frame_subframe) == (7, 0.25)
    moved.location.x = 3.0
    with frame_kept(scene):
        pass
    assert moved.location.x == 3.0
