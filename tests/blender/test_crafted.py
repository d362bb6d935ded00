"""Crafted .blend files, and what vanishes under a running bake: refused with a message, at once; nothing changes."""

from __future__ import annotations

import math
import time
from typing import Any

import bpy
import numpy as np
import pytest

from blender_biped.klaw.walk import walk
from blender_biped.ui.bake.accuracy import bake_error
from blender_biped.ui.bake.choices import choices_of
from blender_biped.ui.bake.keyframes import bake
from blender_biped.ui.bake.result import result_lines, result_of
from blender_biped.ui.base.fcurves import keyed_curves
from blender_biped.ui.base.status import status
from blender_biped.ui.job.mapping import walk_of
from blender_biped.ui.job.request import read_request
from blender_biped.ui.view import preview
from tests.blender.scenes import character_of, gentle_motion, keys, make_curve, make_rig
from tests.blender.scripted import answer_at_once
from tests.blender.test_operators import refusal
from tests.marks import long_but
from tests.motion.synthetic import Walk, walked

LAST = 1_048_574  # Blender's
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


@pytest.fixture
def panel(scene: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A mapped rig and a path of 3 m to be walked by KLAW, without a process."""
    make_rig()
    walk_of(bpy.context).path = make_curve([(0.0, 0.0, 0.0), (3.0, 0.0, 0.0)])
    bpy.ops.biped.map_bones()
    walk_of(bpy.context).controller = "klaw"
    answer_at_once(monkeypatch, lambda job, *_: walk(job))
    yield walk_of(bpy.context)
    preview.stop()


@pytest.mark.parametrize("onto", ["ACTION", "STRIP", "ADDITIVE"])
@pytest.mark.parametrize("frame", [2**31 - 1, -(2**31), LAST + 1])
def test_a_start_frame_that_blender_has_not_is_refused(panel: Any, frame: int, onto: str) -> None:
    bpy.context.object.biped.onto = onto
    panel["frame_start"] = frame
    assert f"The walk would be at frames {panel.frame_start} to" in refusal()


@pytest.mark.parametrize("onto", ["ACTION", "STRIP"])
def test_a_walk_beyond_the_last_frame_is_refused(panel: Any, onto: str) -> None:
    bpy.context.object.biped.onto = onto
    panel.frame_start = LAST - 10
    assert "choose another Start Frame, or a shorter walk" in refusal()


def test_a_start_frame_is_set_within_blenders_frames(panel: Any) -> None:
    panel.frame_start = 2**31 - 1
    assert panel.frame_start == LAST
    armature = bpy.context.object
    baked = bake(armature, gentle_motion(character_of(armature), 0.5), LAST - 1000)
    assert int(baked.frames[0]) == LAST - 1000


@pytest.mark.parametrize("controller", ["limit_cycle", "klaw", "generalized", "simbicon"])
@pytest.mark.parametrize("speed", [-7.0, 0.0, float("nan"), 1e9])
def test_a_speed_that_is_none_is_refused(panel: Any, controller: str, speed: float) -> None:
    panel.controller = controller
    panel["speed_mps"] = speed
    assert "The speed is" in refusal()


@pytest.mark.parametrize("name", ["end_distance", "duration", "speed", "left", "cadence"])
def test_a_result_of_zeros_is_shown(panel: Any, name: str) -> None:
    bpy.ops.biped.bake_walk()
    armature = bpy.context.object
    kept = armature.animation_data.action.biped
    kept[name] = 0.0
    kept.stride.frames = 24  # of a stride that takes no time
    for system in ("METRIC", "NONE"):
        bpy.context.scene.unit_settings.system = system
        result = result_of(armature)
        assert result is not None and result.stride is None
        assert result_lines(result, bpy.context.scene.unit_settings)[0].text.startswith("Reached the end")


@pytest.mark.parametrize("frame", long_but([1_000_000.0, 1e30, math.inf], math.inf))
def test_a_key_far_off_costs_no_time(panel: Any, frame: float) -> None:
    key(panel, frame, 0.2)
    began = time.perf_counter()
    (track,) = read_request(bpy.context).job.preset.keyed.values()
    assert len(track) < 10_002 and track[-1][0] <= 3600.0
    bpy.context.scene.biped.show_preview = True
    assert preview.update(bpy.context)
    assert bpy.ops.biped.bake_walk() == {"FINISHED"}
    assert time.perf_counter() - began < 30.0


def key(panel: Any, frame: float, value: float) -> None:
    """Key an attribute of KLAW: 0 at the beginning, a value at a frame that may be none."""
    for at in (1, 100):
        panel.fields_klaw.attributes_theta2_des = 0.0
        panel.fields_klaw.keyframe_insert("attributes_theta2_des", frame=at)
    (curve,) = keyed_curves(bpy.context.object).values()
    curve.keyframe_points[1].co = frame, value


@pytest.mark.parametrize(("frame", "value"), [(float("nan"), 0.2), (100.0, float("nan"))])
def test_a_key_that_is_no_number_is_refused(panel: Any, frame: float, value: float) -> None:
    key(panel, frame, value)
    assert "A key of biped.walk.fields_klaw.attributes_theta2_des is not a finite number" in refusal()


@pytest.mark.parametrize("frame", [1_000_000, 2**31 - 1, -(2**31)])
def test_a_gait_marker_far_off_costs_no_time(panel: Any, frame: int) -> None:
    bpy.context.scene.timeline_markers.new("march", frame=frame)
    began = time.perf_counter()
    bpy.context.scene.biped.show_preview = True
    assert preview.update(bpy.context)
    assert bpy.ops.biped.bake_walk() == {"FINISHED"}
    assert time.perf_counter() - began < 10.0


@pytest.mark.parametrize("what", ["object", "data", "link"])
def test_an_armature_that_is_deleted_while_its_bake_runs(panel: Any, monkeypatch: Any, what: str) -> None:
    armature = bpy.context.object
    walks: list[Any] = []

    def meanwhile(job: Any, *_: object) -> Any:
        if what == "object":
            bpy.data.objects.remove(armature)
        elif what == "data":
            bpy.data.armatures.remove(armature.data)
        else:
            bpy.context.scene.collection.objects.unlink(armature)
        walks.append(walk(job))
        return walks[0]

    answer_at_once(monkeypatch, meanwhile)
    with pytest.raises(RuntimeError, match="The armature or the scene is no longer there: choose them and bake again"):
        bpy.ops.biped.bake_walk()
    assert walks and not bpy.data.actions and status.work is None
    assert status.level == "ERROR" and "no longer there" in status.message


@pytest.mark.parametrize("keying", long_but(["EVERY", "NEEDED"], "EVERY"))
@pytest.mark.parametrize(("fps", "base"), [(24_000, 1.0), (24, 0.001), (32_767, 1.0)])
def test_a_scene_of_many_frames_a_second_gets_no_more_keys_than_say_something(
    panel: Any, fps: int, base: float, keying: str
) -> None:
    scene, armature = bpy.context.scene, bpy.context.object
    scene.render.fps, scene.render.fps_base = fps, base
    armature.biped.keying = keying
    rate, began = fps / base, time.perf_counter()
    assert bpy.ops.biped.bake_walk() == {"FINISHED"}
    assert time.perf_counter() - began < 20.0
    apart = {24_000: 100, 24: 100, 32_767: 137}[fps]
    assert f"Keys are at every {apart}th frame at most: 240 a second have all that there is of it" in status.message
    action = armature.animation_data.action
    found = {frame for points in keys(action).values() for frame, _ in points}
    assert all((frame - 1.0) % apart == 0.0 for frame in found)
    motion = walk(read_request(bpy.context).job)
    assert max(found) / rate == pytest.approx(motion.duration, abs=1.5 / 240.0)
    frames = [1 + apart * k for k in (0, 40, 200, 433)]
    far, turned = bake_error(armature, motion, frames, choices_of(armature).sharing)
    assert far < (1.0 if keying == "EVERY" else 6.0) and turned < (0.1 if keying == "EVERY" else 1.5)


@pytest.mark.parametrize("rate", long_but([24, 25, 30, 50, 60, 120, 240], 25, 240))
def test_at_the_rates_of_films_every_frame_gets_a_key(panel: Any, rate: int) -> None:
    bpy.context.scene.render.fps = rate
    assert bpy.ops.biped.bake_walk() == {"FINISHED"}
    found = {frame for points in keys(bpy.context.object.animation_data.action).values() for frame, _ in points}
    assert found == set(range(1, int(max(found)) + 1)) and "th frame at most" not in status.message


def test_a_stride_of_many_frames_a_second_has_them_all(panel: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    answer_at_once(monkeypatch, lambda job, *_: walked(job.path, Walk(speed=job.speed), job.character)[0])
    bpy.context.scene.render.fps = 24_000
    bpy.context.object.biped.one_stride, bpy.context.object.biped.pace = True, "EXACT"
    panel.speed = 1.0
    panel.path = make_curve([(0.0, 0.0, 0.0), (9.0, 0.0, 0.0)])
    bpy.context.view_layer.update()
    assert bpy.ops.biped.bake_walk() == {"FINISHED"}
    result = result_of(bpy.context.object)
    assert result and result.stride
    first, last = bpy.context.object.animation_data.action.frame_range
    assert result.stride.frames == last - first and result.stride.frames % 100 == 0


def test_a_hidden_armature_that_has_lost_its_size_is_refused(panel: Any) -> None:
    """Blender does not evaluate what is hidden: its matrix in the world is that of before."""
    armature = bpy.context.object
    armature.hide_viewport = True
    bpy.context.view_layer.update()
    armature.scale = (1.0, 0.0, 1.0)
    assert "has a scale of zero: set it to 1 in Object mode" in refusal()


@pytest.mark.parametrize("name", ["start", "facing", "step_width_m"])
@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_a_setting_that_is_no_number_is_refused_in_the_preview_too(panel: Any, name: str, value: float) -> None:
    """As keys at no frame leave it."""
    panel.keyframe_insert(name, frame=1)
    (curve,) = keyed_curves(bpy.context.object).values()
    curve.keyframe_points[0].co = 1.0, value
    bpy.context.scene.frame_set(1)
    label = panel.bl_rna.properties[name].name
    if not np.isfinite(getattr(panel, name)):  # Blender holds some within their range
        assert f"{label} is not a finite number" in refusal()
    bpy.context.scene.biped.show_preview = True
    preview.update(bpy.context)
