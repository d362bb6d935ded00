"""The buttons, without a window: they do the whole job, or say what is wrong and leave everything as it was."""

from __future__ import annotations

import math
import os
import signal
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest

from blender_biped import worker
from blender_biped.control.registry import DEFAULT
from blender_biped.job import Job
from blender_biped.motion.motion import Motion
from blender_biped.ui.bake.accuracy import bake_error
from blender_biped.ui.bake.choices import choices_of
from blender_biped.ui.base.status import remark, status
from blender_biped.ui.job.mapping import walk_of
from blender_biped.ui.job.request import read_request
from blender_biped.ui.job.runs import Queue
from blender_biped.ui.panels import bake_operators
from blender_biped.ui.settings import preferences
from blender_biped.worker import CancelledError
from tests.blender.scenes import add_spline, contents, keys, make_curve, make_rig
from tests.blender.scripted import answer_at_once
from tests.motion.synthetic import Walk, walked

STRAIGHT = [(1.0, 2.0, 0.0), (4.0, 2.0, 0.0)]


@pytest.fixture
def ready() -> Any:
    """A rig and a straight path of 3 m, chosen in the panel; returns the rig."""
    armature = make_rig()
    settings = armature.biped.walk
    settings.path = make_curve(STRAIGHT)
    bpy.context.view_layer.update()
    status.end("", "INFO")
    return armature


@pytest.fixture
def kinematic(monkeypatch: pytest.MonkeyPatch) -> list[Job]:
    """The worker answers at once, with a walk along the job's path that nobody simulated; returns the jobs."""
    jobs: list[Job] = []

    def answer(job: Job, *_: object, **__: object) -> Motion:
        jobs.append(job)
        return walked(job.path, Walk(speed=0.8 * job.speed), job.character)[0]

    answer_at_once(monkeypatch, answer)
    return jobs


def refusal(operator: Callable[[], object] = lambda: bpy.ops.biped.bake_walk()) -> str:
    """Return the message of an operator that must refuse and change nothing."""
    before = str(contents())  # as text: NaN is not equal to itself
    with pytest.raises(RuntimeError) as caught:
        operator()
    assert str(contents()) == before
    assert status.work is None
    return str(caught.value).removeprefix("Error: ").strip()


# --- Map Bones -------------------------------------------------------------------------------------------------------


def test_map_bones_maps_the_active_armature_and_chooses_it(scene: Any) -> None:
    armature = make_rig()
    assert bpy.ops.biped.map_bones() == {"FINISHED"}
    assert scene.biped.armature == armature
    assert len(armature.biped.parts) == 18 and armature.biped.convention == "Rigify metarig"
    assert armature.biped.mass == pytest.approx(70.0, rel=0.1)


def test_map_bones_keeps_the_mass_that_was_given(scene: Any) -> None:
    armature = make_rig()
    armature.biped.mass = 55.0
    bpy.ops.biped.map_bones()
    assert armature.biped.mass == pytest.approx(55.0)
    assert read_mass(armature) == pytest.approx(55.0)


def read_mass(armature: Any) -> float:
    walk_of(bpy.context).path = make_curve(STRAIGHT)
    return read_request(bpy.context).job.character.mass


def test_map_bones_without_an_armature(scene: Any) -> None:
    assert "Select an armature" in refusal(bpy.ops.biped.map_bones)


def test_map_bones_without_legs() -> None:
    make_rig(edit=remove_legs)
    message = refusal(bpy.ops.biped.map_bones)
    assert "missing are thigh.L" in message and "Pick the bones by hand" in message
    assert (remark.on(bpy.context.object), remark.level) == (message, "ERROR")


def remove_legs(bones: Any) -> None:
    for name in [b.name for b in bones if b.name.startswith(("thigh", "shin", "foot", "toe", "heel", "spreader"))]:
        bones.remove(bones[name])


def test_map_bones_undone() -> None:
    make_rig("Hero")
    bpy.ops.ed.undo_push(message="before")
    bpy.ops.biped.map_bones("EXEC_DEFAULT", True)
    bpy.ops.ed.undo()
    assert len(bpy.data.objects["Hero"].biped.parts) == 0


# --- Bake Walk -------------------------------------------------------------------------------------------------------


def test_the_whole_job_with_the_real_simulation(ready: Any, scene: Any) -> None:
    pytest.importorskip("pybullet")
    walk_of(bpy.context).speed = 1.0
    assert bpy.ops.biped.bake_walk() == {"FINISHED"}
    action = ready.animation_data.action
    assert action.name == "Rig Walk"
    assert f"Action 'Rig Walk': frames 1 to {int(action.frame_range[1])}" in status.message


def test_the_walk_is_where_the_curve_is(ready: Any, scene: Any, kinematic: list[Job]) -> None:
    ready.location = (50.0, -30.0, 0.25)
    bpy.context.view_layer.update()
    before = tuple(ready.location)
    assert bpy.ops.biped.bake_walk() == {"FINISHED"}
    motion = walked(kinematic[0].path, Walk(speed=0.8 * 1.2), kinematic[0].character)[0]
    last = int(ready.animation_data.action.frame_range[1])
    assert bake_error(ready, motion, list(range(1, last + 1)), choices_of(ready).sharing) < (0.05, 0.02)
    assert kinematic[0].ground == pytest.approx(0.25, abs=1e-3)
    assert kinematic[0].path.points == pytest.approx(np.array([[1.0, 2.0], [4.0, 2.0]]), abs=1e-5)
    assert tuple(ready.location) == before


def test_the_panel_settings_reach_the_job(ready: Any, scene: Any, kinematic: list[Job]) -> None:
    settings = walk_of(bpy.context)
    ready.biped.mass, ready.biped.pace = 61.0, "EXACT"
    settings.speed, settings.start, settings.stop, settings.reverse = 0.9, 0.5, False, True
    bpy.ops.biped.bake_walk()
    job = kinematic[0]
    assert (job.speed, job.start) == pytest.approx((0.9, 0.5))
    assert not job.stop
    assert job.path.points == pytest.approx(np.array([[4.0, 2.0], [1.0, 2.0]]), abs=1e-5)
    assert job.character.mass == pytest.approx(61.0)
    assert (job.preset.controller, job.preset.name) == (DEFAULT.name, "default")


@pytest.mark.parametrize("extend", [True, False])
def test_the_action_begins_where_asked_and_the_scene_goes_on_to_its_end(
    ready: Any, scene: Any, kinematic: list[Job], extend: bool
) -> None:
    scene.frame_end, walk_of(bpy.context).frame_start, walk_of(bpy.context).extend = 40, 21, extend
    bpy.ops.biped.bake_walk()
    first, last = ready.animation_data.action.frame_range
    assert first == 21.0 and last > 60.0
    assert scene.frame_end == (last if extend else 40)


def test_the_travel_goes_where_it_was_asked(ready: Any, kinematic: list[Job]) -> None:
    ready.biped.root = "OBJECT"
    bpy.ops.biped.bake_walk()
    assert ("location", 0) in keys(ready.animation_data.action)


def test_a_kept_mapping_is_used(ready: Any, kinematic: list[Job]) -> None:
    bpy.ops.biped.map_bones()
    part = next(p for p in ready.biped.parts if p.name == "head")
    ready.biped.parts.remove(list(ready.biped.parts).index(part))
    bpy.ops.biped.bake_walk()
    assert not kinematic[0].character.has("head")


def test_a_fall_is_baked_and_told(ready: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    answer_at_once(monkeypatch, lambda job, *_: replace(walked(job.path, None, job.character)[0], outcome="fell"))
    assert bpy.ops.biped.bake_walk() == {"FINISHED"}
    assert status.message.startswith("The character fell after") and status.level == "WARNING"
    assert ready.animation_data.action


def test_what_was_noticed_about_the_scene_is_told(ready: Any, scene: Any, kinematic: list[Job]) -> None:
    add_spline(walk_of(bpy.context).path.data, [(0.0, 0.0, 0.0), (9.0, 0.0, 0.0)])
    bpy.ops.biped.bake_walk()
    assert "The curve has 2 splines" in status.message


def test_it_can_be_undone(ready: Any, kinematic: list[Job]) -> None:
    ready.keyframe_insert("location", frame=1)
    bpy.ops.ed.undo_push(message="before")
    before = contents()
    bpy.ops.biped.bake_walk("EXEC_DEFAULT", True)
    assert contents() != before
    bpy.ops.ed.undo()
    assert contents() == before


def test_from_a_script_the_button_runs_to_the_end(ready: Any, kinematic: list[Job]) -> None:
    assert bpy.ops.biped.bake_walk("INVOKE_DEFAULT") == {"FINISHED"}
    assert status.work is None


# --- what is refused, and changes nothing ----------------------------------------------------------------------------


def test_no_armature(scene: Any) -> None:
    make_curve(STRAIGHT)
    assert "Select an armature" in refusal()


def test_no_curve(scene: Any) -> None:
    make_rig()
    assert "Choose a curve to walk along, or press New Path" in refusal()


def test_an_armature_without_legs(scene: Any) -> None:
    make_rig(edit=remove_legs)
    walk_of(bpy.context).path = make_curve(STRAIGHT)
    assert "missing are thigh.L" in refusal()


def test_a_bone_that_has_gone_since_it_was_mapped(ready: Any) -> None:
    bpy.ops.biped.map_bones()
    ready.data.bones["shin.L"].name = "calf"
    assert "no bone 'shin.L' (shin.L); map its bones again" in refusal()


def test_an_armature_in_edit_mode(ready: Any) -> None:
    bpy.context.view_layer.objects.active = ready
    bpy.ops.object.mode_set(mode="EDIT")
    assert "Edit mode; leave it (Tab) first" in refusal()


def test_an_unevenly_scaled_armature(ready: Any, kinematic: list[Job]) -> None:
    ready.scale = (1.0, 1.3, 1.0)
    bpy.context.view_layer.update()
    assert bpy.ops.biped.bake_walk() == {"FINISHED"}
    assert "The object is scaled unevenly" in status.message and status.level == "WARNING"
    ready.biped.root = "OBJECT"
    assert "its stretch would turn with it" in refusal()


def test_an_armature_whose_stretch_tilts_the_ground(ready: Any) -> None:
    ready.scale, ready.rotation_euler = (1.0, 1.0, 1.3), (0.3, 0.0, 0.0)
    bpy.context.view_layer.update()
    assert "apply its rotation and scale in Object mode" in refusal()


def test_nan_in_the_curve(ready: Any, scene: Any) -> None:
    walk_of(bpy.context).path.data.splines[0].points[1].co[0] = math.nan
    assert "a point that is not a finite number: check the curve" in refusal()


def test_a_curve_of_a_tenth_of_a_metre(ready: Any, scene: Any) -> None:
    walk_of(bpy.context).path.scale = (0.1 / 3.0, 1.0, 1.0)
    said = refusal()
    assert "The path is 0.1 m long on the ground, less than a step of this character" in said
    assert "draw a curve of at least 0.5" in said


def test_a_start_beyond_the_end(ready: Any, scene: Any) -> None:
    walk_of(bpy.context).start = 3.5
    assert "The start offset (3.50 m) is not before the path's end (3.00 m): make it smaller" in refusal()


def test_an_unknown_preset(ready: Any, scene: Any) -> None:
    walk_of(bpy.context).preset_name = "limbo"
    message = refusal()
    assert "The style 'limbo' is not installed here: import its file" in message
    assert status.message == message


def test_an_unknown_controller(ready: Any, scene: Any) -> None:
    walk_of(bpy.context).controller_name = "moonwalk"
    assert "There is no controller 'moonwalk'; choose one of natural" in refusal()


def test_no_root_bone_to_travel_on(scene: Any, kinematic: list[Job]) -> None:
    armature = make_rig(helpers=False)
    armature.biped.root = "ROOT_BONE"
    walk_of(bpy.context).path = make_curve(STRAIGHT)
    bpy.context.view_layer.update()
    assert "has no root bone above its hips ('spine'): choose Hips or Object" in refusal()


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_a_killed_worker(ready: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def killed(*arguments: Any) -> worker.Worker:
        handle = start(*arguments)
        os.kill(handle.process_id, signal.SIGKILL)
        return handle

    start = worker.Worker.start
    monkeypatch.setattr(worker.Worker, "start", killed)
    assert "ended by the system (signal 9, SIGKILL)" in refusal()


def test_a_cancelled_walk(ready: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def cancelled(*_: object) -> Motion:
        raise CancelledError

    answer_at_once(monkeypatch, cancelled)
    before = contents()
    assert bpy.ops.biped.bake_walk() == {"CANCELLED"}
    assert contents() == before
    assert (status.message, status.level) == ("The walk was cancelled; nothing was changed.", "INFO")


def test_cancel_ends_the_worker_that_runs(ready: Any) -> None:
    assert "No walk is being computed" in refusal(bpy.ops.biped.cancel)
    run = bake_operators.read_run(bpy.context, ready)
    queue = Queue([run], bake_operators.begun)
    queue.advance()
    status.begin(queue)
    handle = run.source
    assert handle is not None
    with pytest.raises(RuntimeError, match="A walk is being computed"):
        bpy.ops.biped.bake_walk()
    assert bpy.ops.biped.cancel() == {"FINISHED"}
    assert handle.poll().state == "cancelled" and queue.settled
    status.end("", "INFO")


def test_a_python_that_is_not_there(ready: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bake_operators, "worker_python", lambda _: ("/nowhere/python", [], ""))
    assert "Cannot start the Python /nowhere/python" in refusal()


# --- the Python that simulates ---------------------------------------------------------------------------------------


def test_an_extensions_workers_keep_tables_in_its_own_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    assert preferences.tables_folder() == ""  # no extension
    monkeypatch.setattr(
        bpy.utils, "extension_path_user", lambda package, path="", create=False: f"/of/{package}/{path}"
    )
    assert preferences.worker_python(bpy.context)[2] == f"/of/{preferences.PACKAGE}/tables"


def test_the_worker_runs_blenders_own_python_unless_another_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    assert preferences.worker_python(bpy.context) == (sys.executable, worker.library_folders(), "")
    addon = bpy.context.preferences.addons.new()
    addon.module = preferences.PACKAGE
    try:
        assert preferences.worker_python(bpy.context) == (sys.executable, worker.library_folders(), "")
        addon.preferences.python = str(Path(sys.executable))
        assert preferences.worker_python(bpy.context) == (sys.executable, [], "")
    finally:
        bpy.context.preferences.addons.remove(addon)
