"""Stabilise: poses that are keyed on an armature become a style, which it and others walk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Matrix

from blender_biped.base.spatial import quaternion_matrix
from blender_biped.control.registry import POSING
from blender_biped.control.simbicon import stabilising
from blender_biped.control.simbicon.posed import posed_cycle
from blender_biped.job import Job
from blender_biped.motion.motion import Motion
from blender_biped.preset.preset import read_preset
from blender_biped.simulate import simulate
from blender_biped.ui.base import language
from blender_biped.ui.job.captured import pose_frames, posed_motion
from blender_biped.ui.job.making import StyleWork
from blender_biped.ui.job.request import read_request
from blender_biped.worker import Worker
from tests.blender.scenes import character_of, make_curve, make_rig
from tests.blender.scripted import Scripted
from tools.base.posing import LIMP, STEP, Set, posed


def posed_rig(name: str, poses: Sequence[Set] = STEP, between: bool = False) -> Any:
    """A character with poses keyed at their frames, 24 a second. between: with a key more that is no pose of it."""
    rig = make_rig(name)
    bpy.ops.biped.map_bones()
    motion = posed(character_of(rig), poses)
    rate = bpy.context.scene.render.fps
    for i, time in enumerate(motion.times.tolist()):
        key(rig, motion, i, 1 + round(rate * time))
    if between:
        rig.pose.bones[0].keyframe_insert("location", frame=3)
    return rig


def key(rig: Any, motion: Motion, at: int, frame: int) -> None:
    """Pose a rig as a sample of a motion has it, and key that."""
    links = motion.character.links
    turns, rests = quaternion_matrix(motion.rotations[at]), [quaternion_matrix(link.rest) for link in links]
    into = np.linalg.inv(np.array(rig.matrix_world))[:3, :3]
    for i, link in enumerate(links):
        if not link.bones:
            continue
        bone = rig.pose.bones[link.bones[0]]
        matrix = np.array(bone.matrix)
        matrix[:3, :3] = into @ turns[i] @ rests[i].T @ np.array(rig.data.bones[bone.name].matrix_local)[:3, :3]
        if i == 0:
            head = motion.root[at] + turns[0] @ np.array(motion.character.hip_bone_offset)
            matrix[:3, 3] = into @ (head - np.array(rig.matrix_world)[:3, 3])
        bone.matrix = Matrix(matrix.tolist())
        bpy.context.view_layer.update()
        bone.keyframe_insert("location", frame=frame)
        bone.keyframe_insert("rotation_quaternion", frame=frame)


def fallen(job: Job) -> Motion:
    """Return a walk that falls after two steps."""
    strikes = np.array([(0.1, 0.0), (0.3, 1.0)])
    return replace(posed(job.character, STEP), strikes=strikes, outcome="fell")


def test_keyed_poses_are_read_as_they_were_set(scene: Any, folder: Path) -> None:
    rig = posed_rig("Hero", LIMP)
    frame = bpy.context.scene.frame_current
    motion = posed_motion(bpy.context, rig)
    assert bpy.context.scene.frame_current == frame and len(motion.times) == len(LIMP)
    given, read = posed_cycle(posed(character_of(rig), LIMP)), posed_cycle(motion)
    assert len(read.steps) == 2
    for a, b in zip(given.steps, read.steps, strict=True):
        assert a.dwells == pytest.approx(b.dwells, abs=0.05)
        for name in ("stance_shin_pitch", "swing_shin_pitch", "swing_thigh_pitch", "abdomen_pitch"):
            assert [p[name] for p in a.poses] == pytest.approx([p[name] for p in b.poses], abs=0.5)


def test_pose_markers_say_which_frames_are_poses(scene: Any, folder: Path) -> None:
    rig = posed_rig("Hero", between=True)
    keyed = pose_frames(rig)
    assert 3 in keyed and len(keyed) == len(STEP) + 1
    action = rig.animation_data.action
    for frame in keyed:
        if frame != 3:
            action.pose_markers.new(f"Pose {frame}").frame = frame
    assert pose_frames(rig) == [frame for frame in keyed if frame != 3]


def test_without_an_action_the_button_says_what_is_missing(scene: Any, folder: Path) -> None:
    make_rig("Hero")
    assert not bpy.ops.biped.stabilise.poll()
    with pytest.raises(RuntimeError, match="key two poses"):
        bpy.ops.biped.stabilise()


def test_what_is_no_cycle_is_refused_and_nothing_changes(scene: Any, folder: Path) -> None:
    rig = posed_rig("Hero", STEP[:1])
    before = rig.biped.walk.preset_name
    with pytest.raises(RuntimeError, match="has 1 poses"):
        bpy.ops.biped.stabilise()
    rig.animation_data.action.pose_markers.new("a").frame = 1
    rig.animation_data.action.pose_markers.new("b").frame = 9
    with pytest.raises(RuntimeError, match="a foot is lifted"):
        bpy.ops.biped.stabilise()
    assert rig.biped.walk.preset_name == before and not list(folder.rglob("*.json"))


def test_it_says_how_many_steps_the_best_survives(scene: Any) -> None:
    making = stabilising.Stabilising(posed(character_of(make_rig("Hero")), STEP), "Mine", "Poses")
    work = StyleWork(making, "Poses", lambda job: Scripted(job, fallen), 8, "Stabilising Poses")
    assert work.text == "Stabilising Poses"
    while not making.tries:
        work.advance()
    assert work.text == "Stabilising Poses (best so far: 2 steps)" and 0.0 < work.progress < 1.0
    german = language.translation("de_DE")
    assert german is not None and german.of(work.text) == "Stabilisiere Poses (bisher bestes: 2 Schritte)"
    work.cancel()
    assert work.cancelled and work.settled


@pytest.mark.long
def test_a_style_of_poses_is_kept_chosen_and_walked_by_another(
    scene: Any, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig = posed_rig("Hero")
    action = rig.animation_data.action
    few = {
        "SCREENED": 4.0,
        "SECONDS": 4.0,
        "STARTS": (0,),
        "_TEMPOS": (0.75,),
        "_RISES": (0.0,),
        "_CALMER": (),
        "_MORE": 0,
    }
    for name, value in few.items():  # tests have no minutes
        monkeypatch.setattr(stabilising, name, value)
    monkeypatch.setattr(Worker, "start", staticmethod(lambda job, *_: Scripted(job, simulate)))
    assert bpy.ops.biped.stabilise(label="Mine") == {"FINISHED"}
    assert rig.animation_data.action == action
    assert (rig.biped.walk.controller_name, rig.biped.walk.preset_name) == (POSING.name, "mine")
    style = read_preset(folder / POSING.name / "mine.json")
    assert style.description.startswith(f"Made from 3 poses of {action.name}") and style.values["posed"]
    other = make_rig("Other")
    bpy.ops.biped.map_bones()
    other.biped.walk.path = make_curve([(1.0, 0.0, 0.0), (1.0, -3.0, 0.0)])
    other.biped.walk.controller_name, other.biped.walk.preset_name = POSING.name, "mine"
    assert simulate(read_request(bpy.context).job).outcome == "arrived"
