"""Gaits over time: from markers, styles and speeds to the job, and what the panel shows. Nothing is simulated."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import bpy
import pytest

import blender_biped.preset.preset
import blender_biped.preset.transitions
from blender_biped.character.natural_speed import ease
from blender_biped.control.registry import kinds
from blender_biped.job import Job, job_from_json
from blender_biped.motion.motion import Motion
from blender_biped.motion.similarity import similarity
from blender_biped.preset.preset import speeds_of
from blender_biped.ui.bake.result import result_lines, result_of
from blender_biped.ui.base.status import status
from blender_biped.ui.base.units import SPACE
from blender_biped.ui.job.body import body_of
from blender_biped.ui.job.mapping import walk_of
from blender_biped.ui.job.request import read_request
from blender_biped.ui.panels.bake_panels import BIPED_PT_bake, BIPED_PT_result
from blender_biped.ui.panels.character_panels import BIPED_PT_character
from blender_biped.ui.panels.fields_panel import BIPED_PT_fields
from blender_biped.ui.panels.on_way_panel import BIPED_PT_on_way
from blender_biped.ui.panels.style_panel import BIPED_PT_style
from blender_biped.ui.panels.walk_panels import BIPED_PT_path, BIPED_PT_walk
from blender_biped.ui.settings import menus
from tests.blender.drawn import shown
from tests.blender.scenes import make_curve, make_rig
from tests.blender.scripted import answer_at_once
from tests.motion.synthetic import Walk, walked

GAITS = {"walk": (0.0, 1.4), "in_place": (0.0, 0.0), "crouch": (0.1, 0.6), "fast_walk": (1.0, 1.8), "run": (1.2, 2.2)}
LABELS = {"walk": "Walk", "in_place": "In Place", "crouch": "Crouched", "fast_walk": "Fast Walk", "run": "Run"}
TABLE = {"walk": {"crouch": ["in_place"]}, "run": {"walk": ["fast_walk"]}}


@pytest.fixture
def gaits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The installed presets are the shipped generalized one, and five gaits that nobody tunes."""
    shipped = blender_biped.preset.preset.preset_root() / "generalized" / "default.json"
    for folder in ("generalized", "simbicon"):
        (tmp_path / folder).mkdir()
    (tmp_path / "generalized" / "default.json").write_text(shipped.read_text())
    for i, (name, speeds) in enumerate(GAITS.items()):
        values = {"speeds": speeds, "usual": 0.5 * sum(speeds)}
        data = {"version": 1, "controller": "simbicon", "label": LABELS[name], "values": values, "order": 10 * i}
        (tmp_path / "simbicon" / f"{name}.json").write_text(json.dumps({**data, "description": f"To {name}"}))
    (tmp_path / "transitions.json").write_text(json.dumps({"version": 1, "controllers": {"simbicon": TABLE}}))
    for module in (blender_biped.preset.preset, blender_biped.preset.transitions):
        monkeypatch.setattr(module, "preset_root", lambda: tmp_path)
    menus.forget()
    yield
    menus.forget()


@pytest.fixture
def hero(gaits: None) -> Any:
    """A mapped rig "Hero" and a straight path of 20 m, and SIMBICON chosen in the panel; returns the rig."""
    armature = make_rig("Hero")
    armature.biped.pace = "EXACT"
    settings = armature.biped.walk
    settings.path = make_curve([(0.0, 0.0, 0.0), (20.0, 0.0, 0.0)])
    settings.controller, settings.speed = "simbicon", 1.1
    bpy.ops.biped.map_bones()
    status.end("", "INFO")
    return armature


def adult(hero: Any) -> None:
    """Make a rig's legs as long as those that speeds are for, at the pace that depends on it."""
    hero.biped.pace = "BY_SIZE"
    bpy.context.view_layer.update()
    hero.scale = (0.9 / leg(hero),) * 3
    bpy.context.view_layer.update()


def mark(**frames: int) -> None:
    """Add markers: names, with _ for spaces, and their frames."""
    for name, frame in frames.items():
        bpy.context.scene.timeline_markers.new(name.replace("_", " "), frame=frame)


def marks() -> list[tuple[int, str]]:
    return sorted((m.frame, m.name) for m in bpy.context.scene.timeline_markers)


def job() -> Job:
    return read_request(bpy.context).job


def told(job: Job) -> list[tuple[float, str, float]]:
    """Return time, gait and speed of each cue, rounded."""
    return [(round(c.time, 4), c.preset.name, round(c.speed, 3)) for c in job.cues]


def usual(name: str, armature: Any) -> float:
    """Return the usual speed, m/s, of a gait for an armature that walks at an exact speed."""
    return 0.5 * sum(GAITS[name]) * math.sqrt(leg(armature) / 0.9)


def leg(armature: Any) -> float:
    body = body_of(armature, bpy.context.scene)
    assert body and body.character
    return body.character.leg_length


# --- the choosers ----------------------------------------------------------------------------------------------------


def test_controllers_and_gaits_have_labels_tooltips_and_an_order(hero: Any, scene: Any) -> None:
    found = {item[0]: item for item in menus.controller_items()}
    assert [item[1] for item in found.values()] == [kind.label for kind in kinds()]
    assert all(item[2] for item in found.values())
    assert walk_of(bpy.context).preset == "walk"  # the first one, when the controller is chosen
    items = menus.preset_items("simbicon")
    assert [item[1] for item in items] == list(LABELS.values())
    assert items[1][2] == "To in_place" and len({item[4] for item in items}) == len(items)


def test_an_unusable_preset_is_left_out_of_the_chooser_and_named(hero: Any, scene: Any, tmp_path: Path) -> None:
    (tmp_path / "simbicon" / "odd.json").write_text("{}")
    menus.forget()
    assert walk_of(bpy.context).preset == "walk" and shown(BIPED_PT_on_way)
    assert [item[0] for item in menus.preset_items("simbicon")] == list(GAITS)
    assert "Left out: odd.json.version is missing." in shown(BIPED_PT_walk)


# --- from markers to the job -----------------------------------------------------------------------------------------


def test_without_markers_the_panels_style_is_the_walk(hero: Any) -> None:
    found = job()
    assert (found.preset.name, found.cues, found.ending) == ("walk", (), ())
    assert found.speed == pytest.approx(1.1)


@pytest.mark.parametrize(("fps", "base"), [(24, 1.0), (30, 1.0), (60, 1.001)])
def test_frames_are_seconds_from_the_start_frame(fps: int, base: float, hero: Any, scene: Any) -> None:
    scene.render.fps, scene.render.fps_base, walk_of(bpy.context).frame_start = fps, base, 11
    mark(run_2=11 + 3 * fps, Walk_1=11 + 5 * fps)
    assert told(job()) == [
        (round(3.0 * base, 4), "run", 2.0),
        (round(5.0 * base, 4), "fast_walk", 1.0),  # on the way
        (round(5.0 * base, 4), "walk", 1.0),
    ]
    assert [c.steps for c in job().cues] == [0, blender_biped.preset.transitions.VIA_STEPS, 0]
    assert [p.name for p in job().ending] == ["fast_walk", "walk"]  # the path may end in the run
    assert job_from_json(json.loads(json.dumps(job().as_json()))).cues == job().cues


def test_a_marker_before_the_start_begins_the_walk_at_its_own_speed(hero: Any, scene: Any) -> None:
    walk_of(bpy.context).frame_start = 100
    mark(walk=1, crouch=40, run_1_5=500)
    scene.timeline_markers["run 1 5"].name = "run 1.5"
    found = job()
    assert found.preset.name == "crouch" and found.speed == pytest.approx(usual("crouch", hero))
    assert told(found) == [(round(400 / 24, 4), "run", 1.5)]
    scene.timeline_markers["crouch"].name = "crouch 0.5"
    assert job().speed == pytest.approx(0.5)
    mark(Fast_Walk=100)  # at the start frame itself
    assert job().preset.name == "fast_walk" and job().speed == pytest.approx(usual("fast_walk", hero))


def test_a_speed_that_is_not_told_is_the_gaits_usual_one(hero: Any) -> None:
    mark(Run=49, In_Place=97)
    assert told(job()) == [
        (2.0, "run", round(usual("run", hero), 3)),
        (4.0, "in_place", 0.001),  # a cue's 0 would be the speed of the job
    ]


def test_markers_may_be_for_one_character(hero: Any, scene: Any) -> None:
    villain = make_rig("Villain")
    villain.biped.walk.path, villain.biped.walk.controller = hero.biped.walk.path, "simbicon"
    bpy.context.view_layer.objects.active = hero
    for name in ("Villain: Run", "hero: crouch 0.3", "Explosion"):
        scene.timeline_markers.new(name, frame=25)
    assert [c.preset.name for c in job().cues] == ["in_place", "crouch"]
    bpy.context.view_layer.objects.active = villain
    assert [c.preset.name for c in job().cues] == ["run"]


def test_markers_do_not_count_for_generalized_walking(hero: Any, scene: Any) -> None:
    walk_of(bpy.context).controller = "generalized"
    walk_of(bpy.context).facing, walk_of(bpy.context).step_width = 1.0, 0.1
    mark(Run=25)
    found = job()
    assert (found.preset.name, found.cues, found.ending) == ("default", (), ())
    assert (found.facing, found.step_width) == (0.0, 0.0)


def test_a_walk_that_goes_on_at_the_end_needs_no_ending(hero: Any, scene: Any) -> None:
    mark(Run=25)
    assert job().ending
    walk_of(bpy.context).stop = False
    assert job().ending == ()


def test_what_seems_to_be_meant_is_told_at_the_bake(hero: Any) -> None:
    mark(Rnu=25, walk_9=40)
    notes = read_request(bpy.context).notes
    assert any("Frame 25: 'Rnu' is no gait; did you mean 'Run'?" in note for note in notes)
    assert any(note.startswith(f"Frame 40: 9{SPACE}m/s is too fast for Walk") for note in notes)


def test_a_last_gait_that_stays_goes_on_to_the_scenes_end(hero: Any, scene: Any) -> None:
    scene.frame_end = 241
    assert job().duration == 0.0
    mark(In_Place=121)
    assert job().duration == pytest.approx(10.0)
    scene.timeline_markers[0].frame = 481
    assert job().duration == pytest.approx(23.0)  # beyond the scene's end: some seconds of it


def test_a_wrong_table_of_transitions_is_refused(hero: Any, tmp_path: Path) -> None:
    mark(Run=25)
    (tmp_path / "transitions.json").write_text('{"version": 3}')
    with pytest.raises(RuntimeError, match=r"transitions\.json\.version is 3"):
        bpy.ops.biped.bake_walk()
    assert hero.animation_data is None


# --- speeds ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pace", ["BY_SIZE", "EXACT", "ADULT"])
@pytest.mark.parametrize("scale", [0.5, 1.0, 3.0])
def test_the_speeds_of_a_gait_are_its_own_at_any_size_and_pace(pace: str, scale: float, hero: Any, scene: Any) -> None:
    hero.scale, hero.biped.pace = (scale, scale, scale), pace
    walk_of(bpy.context).path.data.splines[0].points[1].co[0] = 60.0
    mark(run_99=25, walk_0=50, Run=75)
    bpy.context.view_layer.update()
    found = job()
    small = similarity(found).job(found)
    fastest, _, slowest, after = (c.speed for c in small.cues if c.preset.name != "in_place")
    assert fastest == pytest.approx(2.2) and slowest < 0.01
    character = found.character
    assert after == pytest.approx(max(1.7 * (1.0 if pace == "EXACT" else ease(character)), 1.2))
    walk_of(bpy.context).speed_mps = 50.0
    assert similarity(job()).job(job()).speed == pytest.approx(1.4)  # the walk's fastest


def test_speeds_of_markers_are_in_the_units_of_the_panel(hero: Any, scene: Any) -> None:
    mark(run_5=25, Run_4_ms=49)
    scene.timeline_markers["Run 4 ms"].name = "Run 1.5 m/s"
    scene.unit_settings.system = "IMPERIAL"
    assert [c.speed for c in job().cues] == pytest.approx([5 * 0.3048, 1.5], abs=1e-4)


# --- where it looks, and how wide it steps ---------------------------------------------------------------------------


def test_facing_and_step_width_reach_the_job(hero: Any, scene: Any) -> None:
    assert (job().facing, job().step_width) == (0.0, 0.0)
    walk_of(bpy.context).facing, walk_of(bpy.context).step_width = math.radians(90.0), 0.12
    assert (job().facing, job().step_width) == pytest.approx((0.5 * math.pi, 0.12))
    hero.scale = (-1.0, 1.0, 1.0)  # what is its left is simulated as its right
    assert job().facing == pytest.approx(-0.5 * math.pi)
    properties_of = type(walk_of(bpy.context)).bl_rna.properties
    assert (properties_of["facing"].subtype, properties_of["step_width"].unit) == ("ANGLE", "LENGTH")


def test_the_step_width_keeps_its_meaning_in_any_unit(hero: Any, scene: Any) -> None:
    scene.unit_settings.scale_length = 0.01
    walk_of(bpy.context).step_width = 12.0
    assert walk_of(bpy.context).step_width_m == pytest.approx(0.12)
    scene.unit_settings.scale_length = 1.0
    assert job().step_width == pytest.approx(0.12)


# --- the buttons -----------------------------------------------------------------------------------------------------


def test_a_gait_marker_is_added_at_the_current_frame_and_replaced(hero: Any, scene: Any) -> None:
    scene.frame_set(30)
    assert bpy.ops.biped.add_gait_marker(gait="fast_walk") == {"FINISHED"}
    assert marks() == [(30, "Fast Walk")]
    mark(Kick=30)
    bpy.ops.biped.add_gait_marker(gait="run", speed=1.5)
    bpy.ops.biped.add_gait_marker(gait="crouch", own=True)
    assert marks() == [(30, "Hero: Crouched"), (30, "Kick"), (30, "Run 1.5 m/s")]
    assert told(job())[-1][1] == "crouch"
    assert bpy.ops.biped.remove_gait_marker(frame=30, marker="Hero: Crouched") == {"FINISHED"}
    assert told(job()) == [(round(29 / 24, 4), "run", 1.5)]
    assert bpy.ops.biped.remove_gait_marker(frame=31, marker="Run 1.5 m/s") == {"CANCELLED"}
    assert marks() == [(30, "Kick"), (30, "Run 1.5 m/s")]


def test_markers_are_added_and_removed_with_undo(hero: Any) -> None:
    mark(Walk=5)
    bpy.ops.ed.undo_push(message="before")
    bpy.ops.biped.add_gait_marker("EXEC_DEFAULT", True, gait="run")
    assert marks() == [(1, "Run"), (5, "Walk")]
    bpy.ops.ed.undo()
    assert marks() == [(5, "Walk")]
    bpy.ops.biped.remove_gait_marker("EXEC_DEFAULT", True, frame=5, marker="Walk")
    assert marks() == []
    bpy.ops.ed.undo()
    assert marks() == [(5, "Walk")]


def test_the_buttons_refuse_where_markers_say_nothing(hero: Any, scene: Any) -> None:
    hero.name = "H" * 60
    with pytest.raises(RuntimeError, match="too long for a marker's name: give the armature a shorter one"):
        bpy.ops.biped.add_gait_marker(gait="run", own=True)
    walk_of(bpy.context).controller = "generalized"
    for press in (bpy.ops.biped.add_gait_marker, bpy.ops.biped.remove_gait_marker):
        with pytest.raises(RuntimeError, match="cannot change styles on the way"):
            press()
    assert marks() == []


# --- what the panel shows --------------------------------------------------------------------------------------------


def test_the_walk_panel_tells_the_speeds_of_the_gait(hero: Any, scene: Any) -> None:
    adult(hero)
    found = shown(BIPED_PT_walk)
    assert "Walk goes at 0 to 1.4 m/s, usually 0.7 m/s" in found
    assert not any("too fast" in text for text in found)
    assert {"<Facing>", "<Step Width>"} <= set(shown(BIPED_PT_style))
    walk_of(bpy.context).preset, walk_of(bpy.context).speed_mps = "run", 1.0
    assert "1 m/s is too slow for Run: it goes at 1.2 m/s." in shown(BIPED_PT_walk)
    walk_of(bpy.context).preset, walk_of(bpy.context).speed = "in_place", 1.0
    assert "In Place goes at 0 m/s" in shown(BIPED_PT_walk)


def test_a_style_begins_at_its_usual_speed_and_the_slider_stays_within_its_range(hero: Any, scene: Any) -> None:
    adult(hero)
    walk = hero.biped.walk
    for name, (slowest, fastest) in GAITS.items():
        if slowest < fastest:
            walk.preset = "walk" if name != "walk" else "run"
            walk.preset = name
            assert walk.speed == pytest.approx(0.5 * (slowest + fastest))
            walk.speed = 9.0
            assert walk.speed == pytest.approx(fastest) and walk.speed_mps == pytest.approx(fastest)
            walk.speed = -1.0
            assert walk.speed == pytest.approx(max(slowest, 0.1), abs=0.001)
    walk.preset = "run"
    walk.controller = "generalized"
    assert walk.speed == pytest.approx(1.2)


def test_the_speed_shown_is_the_one_that_is_walked(hero: Any, scene: Any) -> None:
    hero.scale, hero.biped.pace = (4.0, 4.0, 4.0), "BY_SIZE"
    bpy.context.view_layer.update()
    walk, factor = hero.biped.walk, math.sqrt(leg(hero) / 0.9)
    walk.speed = factor * 1.0
    assert walk.speed_mps == pytest.approx(1.0, rel=1e-5) and job().speed == pytest.approx(walk.speed, rel=1e-5)
    assert any("an adult with legs of 0.9 m would go at 1 m/s" in text for text in shown(BIPED_PT_style))
    walk.keyframe_insert("speed", frame=1)
    walk.speed = factor * 0.5
    walk.keyframe_insert("speed", frame=100)
    assert [speed for _, speed in job().speeds][:: max(len(job().speeds) - 1, 1)] == pytest.approx(
        [factor, 0.5 * factor], rel=1e-4
    )
    scene.frame_set(100)
    assert walk.speed == pytest.approx(0.5 * factor, rel=1e-4)


def test_what_a_script_keeps_is_not_changed_by_showing_it(hero: Any, scene: Any) -> None:
    adult(hero)
    walk = hero.biped.walk
    walk.speed_mps = 9.0
    assert walk.speed == pytest.approx(1.4) and walk.speed_mps == 9.0
    assert "9 m/s is too fast for Walk: it goes at 1.4 m/s." in shown(BIPED_PT_walk)
    walk.controller = "generalized"
    walk.speed_mps = 2.0
    assert walk.speed == pytest.approx(2.0) and job().speed == pytest.approx(2.0)
    assert "2 m/s is too fast for Natural: it may fall." in shown(BIPED_PT_walk)


def test_the_speeds_are_those_to_be_set(hero: Any, scene: Any) -> None:
    hero.scale, hero.biped.pace = (4.0, 4.0, 4.0), "EXACT"
    bpy.context.view_layer.update()
    fastest = 1.4 * math.sqrt(leg(hero) / 0.9)
    text = next(text for text in shown(BIPED_PT_walk) if text.startswith("Walk goes at"))
    assert float(text.split()[5]) == pytest.approx(fastest, rel=0.01)
    scene.unit_settings.system = "IMPERIAL"
    assert any("ft/s" in text for text in shown(BIPED_PT_walk))


def test_generalized_walking_has_none_of_it(hero: Any, scene: Any) -> None:
    adult(hero)
    mark(Run=40, Explosion=50)
    walk_of(bpy.context).controller = "generalized"
    found = shown(BIPED_PT_walk)
    assert "Natural goes at 0 to 1.4 m/s, usually 1.2 m/s" in found
    assert not {"<Facing>", "<Step Width>"} & set(shown(BIPED_PT_style))
    rows = shown(BIPED_PT_on_way)
    assert rows[:4] == ["1", "Natural, 1.2 m/s", "40", "Run"]
    assert rows[4] == "Generalized Walking does not change its style on the way."
    assert not any("Explosion" in text or "50" in text for text in rows)


def test_the_list_has_what_the_markers_say(hero: Any, scene: Any) -> None:
    adult(hero)
    assert shown(BIPED_PT_on_way)[:2] == ["1", "Walk, 1.1 m/s"]
    mark(Run=40, Crouched_5=80, Wlak=90, Kick=95)
    found = shown(BIPED_PT_on_way)
    assert found[:7] == [
        "1", "Walk, 1.1 m/s",
        "40", "Run, 1.7 m/s",
        "80", "Crouched, 0.6 m/s", "5 m/s is too fast for Crouched: it goes at 0.6 m/s.",
    ]  # fmt: skip
    assert "Frame 90: 'Wlak' is no gait; did you mean 'Walk'?" in found and "[Remove Path Point]" in found
    bpy.ops.biped.choose_row(row="marker 0")
    found = shown(BIPED_PT_on_way)
    assert "[Remove Gait Marker]" in found and {"<Name>", "<Frame>"} <= set(found)
    scene.timeline_markers["Run"].frame = -5  # dragged in the timeline: it begins the walk
    assert shown(BIPED_PT_on_way)[:2] == ["-5", "Run, 1.7 m/s"]


def test_there_are_no_panels_of_a_walk_without_a_character(scene: Any) -> None:
    assert shown(BIPED_PT_walk)[0].startswith("Select an armature")
    for panel in (BIPED_PT_character, BIPED_PT_style, BIPED_PT_on_way, BIPED_PT_path, BIPED_PT_fields, BIPED_PT_bake):
        assert not panel.poll(bpy.context)


def test_the_panels_are_drawn_without_a_mapping_or_a_known_style(gaits: None, scene: Any) -> None:
    make_rig()
    walk_of(bpy.context).controller = "simbicon"
    assert any(text.startswith("Walk goes at 0 to 1.") for text in shown(BIPED_PT_walk))
    mark(Run=40)
    assert "Run, 1.73 m/s" in shown(BIPED_PT_on_way)  # as fast as it goes once it is mapped
    walk_of(bpy.context).preset_name = "limp"
    assert not any("goes at" in text for text in shown(BIPED_PT_walk))
    assert shown(BIPED_PT_on_way)[0] == "40"


# --- the bake --------------------------------------------------------------------------------------------------------


def test_a_bake_leaves_the_scenes_markers_and_its_own_say_no_gaits(
    hero: Any, scene: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def answer(job: Job, *_: object) -> Motion:
        return walked(job.path, Walk(speed=job.speed), job.character)[0]

    answer_at_once(monkeypatch, answer)
    walk_of(bpy.context).markers = True
    mark(Run=49, Walk=97, Kick=60)
    before = marks()
    assert bpy.ops.biped.bake_walk() == {"FINISHED"}
    action = hero.animation_data.action
    action.pose_markers[0].name = "Crouched"
    assert len(action.pose_markers) > 3 and marks() == before
    assert [c.preset.name for c in job().cues] == ["run", "fast_walk", "walk"]
    action.biped.speed = 1.05
    result = result_of(hero)
    assert result is not None
    lines = {line.name: line.text for line in result_lines(result, scene.unit_settings)}
    assert lines["Gaits"] == "Walk, Run, Walk" and lines["Speed"] == f"1.05 of 1.1{SPACE}m/s (first gait)"
    assert "Walk, Run, Walk" in shown(BIPED_PT_result)
    for marker in scene.timeline_markers[:]:
        scene.timeline_markers.remove(marker)
    bpy.ops.biped.bake_walk()
    assert "Walk, Run, Walk" not in shown(BIPED_PT_result)


def test_the_shipped_gaits_make_a_complete_job(scene: Any) -> None:
    make_rig().biped.walk.path = make_curve([(0.0, 0.0, 0.0), (20.0, 0.0, 0.0)])
    walk_of(bpy.context).controller, walk_of(bpy.context).preset = "simbicon", "walk"
    mark(Run=49)
    found = job()
    run = found.cues[-1]
    assert (found.preset.name, run.preset.name, run.time) == ("walk", "run", 2.0)
    speeds = speeds_of(run.preset)
    assert speeds and similarity(found).job(found).cues[-1].speed >= speeds.slowest - 1e-9
    assert found.ending[-1].name == "walk"
