"""For what comes after a walk: footsteps as markers and files, decals of the prints, a treadmill for backgrounds."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Vector

from blender_biped.job import Job
from blender_biped.klaw.walk import walk
from blender_biped.motion import gait_events
from blender_biped.motion.footsteps import footsteps
from blender_biped.motion.motion import Motion
from blender_biped.preset.preset import Preset
from blender_biped.ui.base.styles import styles
from blender_biped.ui.panels.footsteps_panel import BIPED_PT_footsteps
from tests.blender.drawn import shown
from tests.blender.scenes import make_curve, make_rig
from tests.blender.scripted import answer_at_once

MARKERS_KEEP = bpy.app.version < (5, 0, 0)  # newer ones let them have no properties


def klaw() -> Preset:
    return next(iter(styles("klaw").values()))


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[Motion]:
    """The motions that are baked: KLAW's, of whatever job."""
    found: list[Motion] = []

    def answer(job: Job) -> Motion:
        found.append(walk(replace(job, preset=klaw(), cues=(), ending=())))
        return found[-1]

    answer_at_once(monkeypatch, answer)
    return found


@pytest.fixture
def rig(scene: Any, made: list[Motion]) -> Any:
    armature = make_rig()
    armature.biped.walk.path = make_curve([(0.0, 0.0, 0.0), (0.0, -4.0, 0.0)])
    bpy.ops.biped.map_bones()
    return armature


def add_board(name: str, low: float, high: float) -> Any:
    """Add a level mesh at the height of the soles from ``low`` to ``high`` along -Y."""
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata([(-2.0, -low, 0.0), (2.0, -low, 0.0), (2.0, -high, 0.0), (-2.0, -high, 0.0)], [], [(0, 1, 2, 3)])
    thing = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(thing)
    return thing


def test_footsteps_have_side_strength_and_what_is_stepped_on(rig: Any, made: list[Motion]) -> None:
    add_board("Grass", -1.0, 2.0)
    add_board("Gravel", 2.0, 6.0)
    rig.biped.walk.markers = rig.biped.walk.footprints = True
    bpy.ops.biped.bake_walk()
    action, strikes = rig.animation_data.action, gait_events.strikes(made[-1])
    steps = action.biped.footsteps
    assert [(own.side, own.time) for own in steps] == [
        (gait_events.SIDES[side], pytest.approx(time, abs=1e-5)) for time, side in strikes
    ]
    assert all(0.5 < own.strength < 2.0 for own in steps)
    assert [own.stepped_on for own in steps] == ["Grass" if own.place[1] > -2.0 else "Gravel" for own in steps]
    assert {own.stepped_on for own in steps} == {"Grass", "Gravel"}
    markers = sorted(action.pose_markers, key=lambda marker: marker.frame)
    assert [(m.name, m.frame) for m in markers] == [(own.side, round(own.frame)) for own in steps]
    if MARKERS_KEEP:
        assert [m["stepped_on"] for m in markers] == [own.stepped_on for own in steps]
        assert [m["strength"] for m in markers] == [pytest.approx(own.strength) for own in steps]


def test_who_comes_down_harder_is_stronger(rig: Any, made: list[Motion]) -> None:
    bpy.ops.biped.bake_walk()
    own, floor = made[-1], Job(made[-1].character, None, klaw()).floor  # type: ignore[arg-type]
    usual, harder = (footsteps(replace(own, loads=by * own.loads), floor, 9.81) for by in (1.0, 2.0))
    assert [b.strength / a.strength for a, b in zip(usual, harder, strict=True)] == pytest.approx([2.0] * len(usual))
    assert [one.strength for one in footsteps(own, floor, 2.0 * 9.81)] == pytest.approx(
        [0.5 * one.strength for one in usual]
    )


@pytest.mark.parametrize("form", ["JSON", "CSV"])
def test_footsteps_are_exported(rig: Any, tmp_path: Path, form: str) -> None:
    rig.name = "Hero, the First"
    assert not bpy.ops.biped.export_footsteps.poll()
    bpy.ops.biped.bake_walk()
    file = tmp_path / f"steps.{form.lower()}"
    assert bpy.ops.biped.export_footsteps(filepath=str(file), form=form) == {"FINISHED"}
    kept = rig.animation_data.action.biped.footsteps
    if form == "JSON":
        whole = json.loads(file.read_text(encoding="utf-8"))
        rows, rate = whole["footsteps"], whole["frames_per_second"]
        assert (whole["version"], whole["character"], rate) == (1, rig.name, 24.0)
    else:
        rows = list(csv.DictReader(file.read_text(encoding="utf-8").splitlines()))
    assert [row["side"] for row in rows] == [own.side for own in kept] and len(rows) > 4
    for row, own in zip(rows, kept, strict=True):
        assert float(row["time_s"]) == pytest.approx(own.time, abs=1e-4)
        assert float(row["y"]) == pytest.approx(own.place[1], abs=1e-4)


def test_a_file_that_cannot_be_written_is_said(rig: Any, tmp_path: Path) -> None:
    bpy.ops.biped.bake_walk()
    with pytest.raises(RuntimeError, match=r"could not be written|folder"):
        bpy.ops.biped.export_footsteps(filepath=str(tmp_path / "none" / "steps.json"))


def test_decals_lie_where_the_soles_were_with_heel_and_inner_side_at_the_same_place_of_the_picture(
    rig: Any, made: list[Motion]
) -> None:
    rig.biped.walk.decals = True
    bpy.ops.biped.bake_walk()
    laid, body = rig.biped.footprints, made[-1].character
    prints = gait_events.footprints(made[-1])
    assert not laid.hide_render and len(laid.data.vertices) == 15 * len(prints)
    uv = np.empty(2 * len(laid.data.loops))
    laid.data.uv_layers[0].data.foreach_get("uv", uv)
    corner = {loop.vertex_index: uv[2 * i : 2 * i + 2] for i, loop in enumerate(laid.data.loops)}
    for k, mark in enumerate(prints):
        own = range(15 * k, 15 * (k + 1))
        points = np.array([laid.data.vertices[i].co[:2] for i in own])
        outline = gait_events.sole_outline(body, mark)
        assert np.ptp(points @ ahead(mark.heading)) == pytest.approx(np.ptp(outline @ ahead(mark.heading)), abs=1e-4)
        heel = np.array([corner[i][1] for i in own])
        assert points[heel == 0.0] @ ahead(mark.heading) == pytest.approx(min(outline @ ahead(mark.heading)), abs=1e-4)
        left = ahead(mark.heading + 0.5 * np.pi) * (1.0 if mark.side == 1 else -1.0)
        inner = np.array([corner[i][0] for i in own])
        assert points[inner == 0.0] @ left == pytest.approx(max(outline @ left), abs=1e-4)
    rig.biped.walk.decals, rig.biped.walk.footprints = False, True
    bpy.ops.biped.bake_walk()
    assert rig.biped.footprints == laid and laid.hide_render and len(laid.data.polygons) == len(prints)
    assert [layer.name for layer in laid.data.uv_layers] == ["Soles"]


def ahead(heading: float) -> Any:
    return np.array([np.cos(heading), np.sin(heading)])


@pytest.mark.parametrize("scale", [1.0, 0.01])
def test_what_rides_on_the_treadmill_is_under_the_feet_as_the_ground_was(
    rig: Any, made: list[Motion], scene: Any, scale: float
) -> None:
    scene.unit_settings.scale_length = scale
    rig.scale = (1.0 / scale,) * 3
    rig.biped.walk.path = make_curve([(0.0, 0.0, 0.0), (0.0, -2.0 / scale, 0.0), (1.5 / scale, -3.5 / scale, 0.0)])
    rig.biped.root, rig.biped.walk.treadmill = "IN_PLACE", True
    bpy.context.view_layer.update()
    bpy.ops.biped.bake_walk()
    mill, motion = rig.biped.treadmill, made[-1]
    apart = []
    for mark in gait_events.footprints(motion)[1:-1]:
        scene.frame_set(1 + round(24.0 * mark.time))
        bpy.context.view_layer.update()
        stood = mill.matrix_world @ Vector((*mark.place / scale, 0.0))
        side = "LR"[mark.side]
        foot = rig.matrix_world @ rig.pose.bones[f"toe.{side}"].head
        apart.append(scale * (foot - stood).xy.length)
    assert len(apart) > 3 and max(apart) < 0.03
    bpy.ops.biped.bake_walk()
    assert rig.biped.treadmill == mill and len(bpy.data.actions) == 2  # the walk's and the treadmill's


def test_a_loop_has_a_treadmill_that_goes_on_evenly(rig: Any, scene: Any) -> None:
    rig.biped.walk.path = make_curve([(0.0, 0.0, 0.0), (0.0, -14.0, 0.0)], name="Long")
    rig.biped.walk.controller = "klaw"
    rig.biped.one_stride = rig.biped.walk.treadmill = True
    bpy.ops.biped.bake_walk()
    stride = rig.animation_data.action.biped.stride
    for strides in (0.5, 1.0, 3.0):
        scene.frame_set(1, subframe=0.0)
        frame = 1.0 + strides * stride.frames
        scene.frame_set(int(frame), subframe=frame % 1.0)
        at = rig.biped.treadmill.matrix_world.translation
        assert tuple(at) == pytest.approx((0.0, strides * stride.travel, 0.0), abs=2e-3)


def test_a_walk_that_travels_has_no_treadmill_and_says_so(rig: Any) -> None:
    from blender_biped.ui.base.status import status

    rig.biped.walk.treadmill = True
    bpy.ops.biped.bake_walk()
    assert rig.biped.treadmill is None and "no treadmill" in status.message


def test_the_panel_has_what_there_is(rig: Any) -> None:
    assert shown(BIPED_PT_footsteps) == ["<Edit Footprints>", "<Footprint Decals>", "<Treadmill>", "[Export Footsteps]"]
