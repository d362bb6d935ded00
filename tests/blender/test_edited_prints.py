"""Footprints that are edited: kept with the scene, handed to the simulation, taken back, and what became of them."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
import pytest

from blender_biped.job import Job
from blender_biped.klaw.stand_in import as_walk
from blender_biped.klaw.walk import walk
from blender_biped.motion.gait_events import footprints
from blender_biped.ui.base.styles import styles
from blender_biped.ui.job.prints_plan import prints_text
from blender_biped.ui.job.request import read_request
from blender_biped.ui.panels.footsteps_panel import BIPED_PT_footsteps
from blender_biped.ui.view import way
from blender_biped.ui.view.print_handles import edit, move
from blender_biped.ui.view.shown_prints import ShownPrint, free_prints, reach, shown_prints, states
from tests.blender.drawn import shown
from tests.blender.scenes import make_curve, make_rig
from tests.blender.scripted import answer_at_once

FAR = 0.1


@pytest.fixture
def jobs(monkeypatch: pytest.MonkeyPatch) -> list[Job]:
    """The jobs that are baked; KLAW walks them."""
    found: list[Job] = []

    def answer(job: Job) -> Any:
        found.append(job)
        return walk(as_walk(job, next(iter(styles("klaw").values()))))

    answer_at_once(monkeypatch, answer)
    return found


@pytest.fixture
def rig(scene: Any, jobs: list[Job]) -> Any:
    armature = make_rig()
    armature.biped.walk.path = make_curve([(0.0, 0.0, 0.0), (0.0, -4.0, 0.0)])
    bpy.ops.biped.map_bones()
    assert bpy.ops.biped.bake_walk() == {"FINISHED"}
    way.read_now(bpy.context)
    return armature


def dragged(rig: Any, place: int, x: float, y: float) -> Any:
    own = rig.biped.walk.prints[edit(rig.biped.walk, shown_prints(bpy.context)[place])]
    move(own, (own.was[0] + x, own.was[1] + y), reach(bpy.context, rig))
    return own


def test_the_prints_of_a_bake_can_be_edited(rig: Any, jobs: list[Job]) -> None:
    prints = shown_prints(bpy.context)
    assert len(prints) == len(rig.animation_data.action.biped.footsteps) > 4
    assert [own.along for own in prints] == sorted(own.along for own in prints)
    own = dragged(rig, 3, FAR, 0.0)
    assert np.allclose(own.place, np.array(own.was) + np.array([FAR, 0.0, 0.0]), atol=1e-6) and own.state == "NEW"
    assert len(free_prints(bpy.context, rig)) == len(prints) - 1
    (desired,) = read_request(bpy.context).job.footholds
    assert desired.side == int(own.side == "R")
    assert np.allclose(desired.place, own.place[:2], atol=1e-5)
    assert abs(desired.arc - own.along) < 1e-5


def test_a_print_is_moved_no_farther_than_a_foot_goes(rig: Any) -> None:
    own = dragged(rig, 3, 3.0, 4.0)
    most = reach(bpy.context, rig)
    assert 0.1 < most < 0.25
    assert np.allclose(np.array(own.place) - own.was, most * np.array([0.6, 0.8, 0.0]), atol=1e-6)
    move(own, (own.was[0] + 0.034, own.was[1] - 0.048), most, 0.01)
    assert np.allclose(np.array(own.place) - own.was, (0.03, -0.05, 0.0), atol=1e-6)


def test_a_bake_says_what_became_of_them_and_keeps_them(rig: Any, jobs: list[Job]) -> None:
    own = dragged(rig, 3, 0.0, 0.0)
    lost = rig.biped.walk.prints[edit(rig.biped.walk, ShownPrint("L", (30.0, 0.0, 0.0), 1.0))]
    wide = dragged(rig, 5, FAR, 0.0)
    rig.biped.walk.prints.move(1, 2)
    assert bpy.ops.biped.bake_walk() == {"FINISHED"}
    assert len(jobs[-1].footholds) == len(rig.biped.walk.prints) == 3
    assert [one.state for one in rig.biped.walk.prints] == ["HELD", "OFF", "GONE"], (own, lost, wide)
    assert rig.biped.walk.prints[1].off == pytest.approx(FAR, abs=0.01)
    said = prints_text(states(bpy.context, rig), bpy.context.scene.unit_settings)
    assert said.startswith("3 edited, 1 held, 1 off by up to") and said.endswith("1 without a step")
    assert "\n" not in said


def test_they_are_saved_with_the_file(rig: Any, tmp_path: Any) -> None:
    place = tuple(dragged(rig, 3, FAR, 0.0).place)
    file = str(tmp_path / "edited.blend")
    bpy.ops.wm.save_as_mainfile(filepath=file)
    bpy.ops.wm.open_mainfile(filepath=file)
    (kept,) = next(own for own in bpy.data.objects if own.type == "ARMATURE").biped.walk.prints
    assert tuple(kept.place) == pytest.approx(place)


def test_they_are_taken_back_one_by_one_and_all(rig: Any) -> None:
    with pytest.raises(RuntimeError, match="No footprint is edited"):
        bpy.ops.biped.reset_prints()
    for place in (2, 3, 4):
        dragged(rig, place, FAR, 0.0)
    rig.biped.walk.active_print = 1
    kept = [tuple(rig.biped.walk.prints[i].was) for i in (0, 2)]
    assert bpy.ops.biped.reset_prints() == {"FINISHED"}
    assert [tuple(own.was) for own in rig.biped.walk.prints] == kept
    assert bpy.ops.biped.reset_prints(every=True) == {"FINISHED"}
    assert not rig.biped.walk.prints
    assert not read_request(bpy.context).job.footholds


def test_other_controllers_refuse_them_with_the_reason(rig: Any) -> None:
    dragged(rig, 3, FAR, 0.0)
    rig.biped.walk.controller = "simbicon"
    with pytest.raises(RuntimeError, match="not on edited footprints"):
        bpy.ops.biped.bake_walk()
    assert len(rig.biped.walk.prints) == 1


def test_those_beyond_the_end_of_a_shorter_path_are_told(rig: Any) -> None:
    dragged(rig, len(shown_prints(bpy.context)) - 2, FAR, 0.0)
    rig.biped.walk.path.data.splines[0].points[1].co.y = -2.0
    assert any("beyond the path's end" in note for note in read_request(bpy.context).notes)


def test_the_panel_has_the_switch_and_one_line(rig: Any) -> None:
    assert "<Edit Footprints>" in shown(BIPED_PT_footsteps)
    dragged(rig, 3, FAR, 0.0)
    drawn = shown(BIPED_PT_footsteps)
    assert "1 edited, 1 not simulated yet" in " ".join(drawn) and drawn.count("[Reset Footprint]") == 2


def test_handles_stand_where_the_feet_stood(rig: Any, jobs: list[Job]) -> None:
    marks = footprints(walk(as_walk(jobs[-1], next(iter(styles("klaw").values())))))
    shown_at = np.array([own.place[:2] for own in shown_prints(bpy.context)])
    for place in shown_at:
        assert min(float(np.hypot(*(mark.place - place))) for mark in marks) < 0.03
