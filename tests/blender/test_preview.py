"""The live preview: what it shows, when it is made again, and what it says where there is none."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import bpy
import numpy as np
import pytest

from blender_biped.klaw.walk import walk
from blender_biped.motion import gait_events, measures
from blender_biped.motion.motion import Motion
from blender_biped.ui.base import changes
from blender_biped.ui.base.reading import metres, stretch_of
from blender_biped.ui.job.mapping import walk_of
from blender_biped.ui.job.request import read_request
from blender_biped.ui.view import preview
from tests.blender.scenes import make_curve, make_rig


@pytest.fixture
def rig(scene: Any) -> Iterator[Any]:
    armature = make_rig()
    walk_of(bpy.context).path = make_curve([(0.0, 0.0, 0.0), (4.0, 0.0, 0.0), (7.0, 2.0, 0.0)])
    bpy.ops.biped.map_bones()
    scene.biped.show_preview = True
    yield armature
    preview.stop()


def shown() -> Any:
    bpy.context.view_layer.update()
    found = preview.update(bpy.context)
    while found and not found.whole:
        found = preview.update(bpy.context)
    return found


def test_klaws_preview_is_the_walk_that_is_baked(rig: Any, scene: Any) -> None:
    walk_of(bpy.context).controller = "klaw"
    found, motion = shown(), walk(read_request(bpy.context).job)
    assert found.duration == pytest.approx(motion.duration, abs=0.06)
    assert found.steps == len(gait_events.strikes(motion))
    places = np.array([ring.mean(axis=0) for ring, _ in found.prints])
    marks = np.array([mark.place for mark in gait_events.footprints(motion)])
    away = np.linalg.norm(places[:, None, :2] - marks[None], axis=2).min(axis=1)
    assert away.max() < 0.08  # an outline's middle is not the ball
    at = motion.sampled(found.times[:: len(found.times) // 9]).origins[:, 0]
    assert found.origins[:: len(found.times) // 9, 0] == pytest.approx(at, abs=0.02)


@pytest.mark.parametrize(("controller", "style"), [("generalized", "default"), ("simbicon", "walk")])
def test_a_walk_of_any_controller_has_a_preview(rig: Any, scene: Any, controller: str, style: str) -> None:
    walk_of(bpy.context).controller, walk_of(bpy.context).preset = controller, style
    walk_of(bpy.context).speed_mps = 1.0
    found = shown()
    assert found.line[-1, :2] == pytest.approx((7.0, 2.0), abs=0.1)
    assert found.duration == pytest.approx(7.6 / 1.0, abs=2.5)
    text, wrong = preview.message()
    assert f"{found.steps} steps" in text and not wrong


def test_it_follows_the_curve_and_the_settings_and_is_not_made_again_for_nothing(rig: Any, scene: Any) -> None:
    first = shown()
    assert shown() is first
    walk_of(bpy.context).path.location = (0.0, 3.0, 0.0)
    moved = shown()
    assert moved.line[:, 1] == pytest.approx(first.line[:, 1] + 3.0, abs=0.02)
    walk_of(bpy.context).speed_mps = 0.6
    slower = shown()
    assert slower.duration > 1.3 * moved.duration
    assert shown() is slower
    bpy.context.scene.biped.show_preview = False
    assert shown() is None and preview.message() == ("", False)


@pytest.mark.parametrize(
    ("given", "speed", "length", "frequency"),
    [
        ("SPEED_LENGTH", 1.0, 0.5, 120.0),
        ("SPEED_FREQUENCY", 1.0, 60.0 / 90.0, 90.0),
        ("LENGTH_FREQUENCY", 0.9, 0.6, 90.0),
        ("LENGTH", None, 0.6, None),
        ("FREQUENCY", None, None, 90.0),
    ],
)
def test_klaw_takes_the_steps_of_the_panel(
    rig: Any, scene: Any, given: str, speed: float | None, length: float | None, frequency: float | None
) -> None:
    walk_of(bpy.context).controller, walk_of(bpy.context).given = "klaw", given
    walk_of(bpy.context).speed_mps, walk_of(bpy.context).step_length = speed or 3.0, length or 0.7
    walk_of(bpy.context).step_frequency, rig.biped.pace = frequency or 80.0, "EXACT"
    walk_of(bpy.context).path = make_curve([(0.0, 0.0, 0.0), (9.0, 0.0, 0.0)])
    job = read_request(bpy.context).job
    motion = walk(job)
    found = measures.steady_speed(motion, job), motion_step(motion), measures.cadence(motion, job)
    for value, desired in zip(found, (speed, length, frequency), strict=True):
        assert value == pytest.approx(desired, rel=0.01) if desired else value
    assert shown().steps == len(gait_events.strikes(motion)) and not preview.message()[1]


def motion_step(motion: Motion) -> float:
    """Return how far the feet of a straight walk are set down before each other, m."""
    places = [mark.place[0] for mark in gait_events.footprints(motion)[4:-4]]
    return float(np.diff(places).mean())


def test_steps_that_nobody_can_walk_are_told(rig: Any, scene: Any) -> None:
    walk = walk_of(bpy.context)
    walk.controller, walk.given, walk.step_length = "klaw", "SPEED_LENGTH", 3.0
    assert shown() is None
    assert "more than this body can walk with" in preview.message()[0]


def test_a_walk_that_is_too_fast_is_shown_at_a_persons_fastest(rig: Any, scene: Any) -> None:
    walk_of(bpy.context).speed_mps = 6.0
    found = shown()
    assert found.speed < 3.0
    assert "the fastest that people walk" in preview.message()[0]


def test_what_is_missing_is_said(rig: Any, scene: Any) -> None:
    curve = walk_of(bpy.context).path
    walk_of(bpy.context).path = None
    assert shown() is None
    assert preview.message() == ("There is no path: choose a curve, or press New Path.", True)
    walk_of(bpy.context).path = curve
    assert shown() is not None
    bpy.data.objects.remove(rig)
    assert shown() is None and "There is no character" in preview.message()[0]


def test_lines_are_in_the_scenes_units(rig: Any, scene: Any) -> None:
    metric = preview.ground_lines(shown(), np.eye(3))
    assert {name for name, ends in metric.items() if len(ends)} == {"way", "L", "R"}
    assert np.ptp(metric["way"][..., 0]) == pytest.approx(7.0, abs=0.3)
    scene.unit_settings.scale_length = 0.5  # of half the size in metres, the same in the scene
    found = shown()
    assert np.ptp(found.line[:, 0]) == pytest.approx(3.5, abs=0.1)
    halved = preview.ground_lines(found, stretch_of(rig) / metres(scene))
    assert np.ptp(halved["way"][..., 0]) == pytest.approx(7.0, abs=0.3)


def test_it_is_drawn_at_the_frame_that_is_shown(rig: Any, scene: Any) -> None:
    found = shown()
    begin, _ = found.place(0.0)
    later, _ = found.place(2.0)
    assert later[0, 0] > begin[0, 0] + 0.8
    before, _ = found.place(-1.0)
    after, _ = found.place(1e6)
    assert np.array_equal(before, begin) and np.array_equal(after, found.origins[-1])


def test_without_a_window_nothing_is_hooked_into_blender() -> None:
    assert not preview.is_hooked()
    preview.start()
    assert not preview.is_hooked() and preview.scene_changed not in bpy.app.handlers.depsgraph_update_post
    preview.stop()


def test_only_what_a_walk_depends_on_has_it_made_again(rig: Any, scene: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    updates: list[Any] = []
    monkeypatch.setattr(preview, "request_update", lambda: updates.append(1))
    other = make_curve([(0.0, 0.0, 0.0), (1.0, 0.0, 0.0)])
    preview.scene_changed(scene, bpy.context.evaluated_depsgraph_get())  # the settings are new to it
    updates.clear()

    def updates_for(thing: Any) -> int:
        entry = type("Update", (), {"id": type("Id", (), {"original": thing})})
        preview.scene_changed(scene, type("Depsgraph", (), {"updates": [entry]}))
        count = len(updates)
        updates.clear()
        return count

    assert updates_for(other) == 0
    path = walk_of(bpy.context).path
    assert updates_for(path) == updates_for(path.data) == updates_for(rig) == 1
    walk_of(bpy.context).speed_mps = 0.9
    assert updates_for(other) == 1
    preview.scene_changed(scene)  # undo says nothing of what it changed
    assert updates


def test_a_setting_says_that_it_has_changed(scene: Any) -> None:
    make_rig()
    calls: list[int] = []

    def listener() -> None:
        calls.append(1)

    changes.listen(listener)
    changes.listen(listener)  # once is enough
    try:
        walk_of(bpy.context).given = "SPEED_LENGTH"
        assert len(calls) == 1
        walk_of(bpy.context).preset_name = "default"
        assert len(calls) == 2
    finally:
        changes.listen_no_more(listener)
    walk_of(bpy.context).given = "SPEED"
    assert len(calls) == 2
