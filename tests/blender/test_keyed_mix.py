"""A mix whose share is keyed: what the job has of it, what sliders show, and where keys do not count."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import bpy
import pytest

from blender_biped.control.registry import kind_of, mix_of, preset
from blender_biped.job import Job, job_from_json
from blender_biped.klaw.stand_in import as_walk
from blender_biped.preset.cue import Cue
from blender_biped.preset.keyed import at_time
from blender_biped.preset.preset import Preset
from blender_biped.ui.job.gait_plan import gait_names
from blender_biped.ui.job.mapping import character_object
from blender_biped.ui.job.on_way.rows import on_way
from blender_biped.ui.job.request import Request, read_request
from blender_biped.ui.panels.on_way_panel import BIPED_PT_on_way
from blender_biped.ui.panels.walk_panels import BIPED_PT_walk
from blender_biped.ui.settings import mix_shown
from blender_biped.ui.settings.fields import changed_numbers, group_name, shown_style, slider_name
from blender_biped.ui.view import walk_shown
from tests.blender.drawn import shown
from tests.blender.scenes import make_curve, make_rig
from tests.blender.scripted import styles_in

SAD, HAPPY, DEFAULT = (preset("natural", name) for name in ("sad", "happy", "default"))
ARMS = "attributes.arm_rot_factor"


@pytest.fixture
def walk(scene: Any) -> Any:
    """The walk of a character that is sad, with happy mixed in from frame 25 to 121 of 24 a second."""
    scene.render.fps = 24
    armature = make_rig("Hero")
    bpy.ops.biped.map_bones()
    own = armature.biped.walk
    own.path = make_curve([(0.0, 0.0, 0.0), (0.0, -10.0, 0.0)])
    own.preset, own.mix_with = "sad", "happy"
    key(own, (25, 0.0), (121, 1.0))
    return own


def key(walk: Any, *places: tuple[int, float]) -> None:
    for frame, share in places:
        walk.mix = share
        assert walk.keyframe_insert("mix", frame=frame)


def request() -> Request:
    return read_request(bpy.context)


def job() -> Job:
    return request().job


def numbers(style: Preset) -> dict[str, float]:
    return kind_of(style.controller).numbers(style.values)


def test_keys_of_the_mix_are_shares_of_the_other_style_over_time(walk: Any) -> None:
    found = job()
    (cue,) = found.cues
    assert (found.preset, cue.preset, cue.time, cue.place, cue.speed) == (SAD, HAPPY, 0.0, 0.0, 0.0)
    assert cue.shares[0] == (0.0, 0.0) and cue.shares[-1] == (5.0, 1.0)
    assert at_time(cue.shares, 3.0) == pytest.approx(0.5, abs=1e-3)
    assert job_from_json(found.as_json()).cues == found.cues


@pytest.mark.parametrize("frame", [1, 60, 200])
def test_which_frame_is_shown_does_not_matter(walk: Any, scene: Any, frame: int) -> None:
    group = getattr(walk, group_name(kind_of("natural")))
    group.attributes_arm_rot_factor = 2.5
    before = job()
    scene.frame_set(frame)
    assert job() == before
    assert mix_shown.follow() is None
    assert job() == before and list(changed_numbers(walk)) == [ARMS]


def test_changed_sliders_count_in_both_styles(walk: Any) -> None:
    getattr(walk, group_name(kind_of("natural"))).attributes_arm_rot_factor = 2.5
    found = job()
    for style, own in ((found.preset, SAD), (found.cues[0].preset, HAPPY)):
        assert numbers(style) == pytest.approx(numbers(own) | {ARMS: 2.5}, rel=1e-6)


def test_sliders_follow_the_keys_but_for_those_that_are_changed(walk: Any, scene: Any) -> None:
    group = getattr(walk, group_name(kind_of("natural")))
    group.attributes_arm_rot_factor = 2.5
    scene.frame_set(73)
    mix_shown.follow()
    half = numbers(mix_of(SAD, HAPPY, walk.mix))
    assert walk.mix == pytest.approx(0.5, abs=0.02) and half["manner.slouch"] != numbers(SAD)["manner.slouch"]
    for slider in kind_of("natural").sliders:
        number = slider.number
        if number.unit != "degrees" and not number.whole and slider.path in half.keys() - {ARMS}:
            assert getattr(group, slider_name(slider)) == pytest.approx(half[slider.path], rel=1e-5), slider.path
    assert changed_numbers(walk) == {ARMS: pytest.approx(2.5)}


def test_one_number_is_set_back_to_what_the_mix_is_at_this_frame(walk: Any, scene: Any) -> None:
    group = getattr(walk, group_name(kind_of("natural")))
    group.attributes_arm_rot_factor = 2.5
    scene.frame_set(73)
    bpy.ops.biped.reset_field(path=ARMS)
    assert not changed_numbers(walk)
    assert group.attributes_arm_rot_factor == pytest.approx(numbers(mix_of(SAD, HAPPY, walk.mix))[ARMS], rel=1e-5)


def test_a_style_is_made_of_the_mix_at_this_frame(
    walk: Any, scene: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    styles_in(tmp_path / "styles", monkeypatch)
    getattr(walk, group_name(kind_of("natural"))).attributes_arm_rot_factor = 2.5
    scene.frame_set(73)
    expected = numbers(mix_of(SAD, HAPPY, walk.mix)) | {ARMS: 2.5}
    assert numbers(shown_style(walk)) == pytest.approx(expected, rel=1e-4)
    bpy.ops.biped.save_style_as(label="Half")
    assert walk.mix_with_name == "" and not changed_numbers(walk)
    assert numbers(job().preset) == pytest.approx(expected, rel=1e-4) and not job().cues


def test_a_file_keeps_the_keys_and_what_is_changed(walk: Any, scene: Any, tmp_path: Path) -> None:
    getattr(walk, group_name(kind_of("natural"))).attributes_arm_rot_factor = 2.5
    before = job()
    scene.frame_set(60)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "mix.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "mix.blend"))
    own = character_object(bpy.context).biped.walk
    assert list(changed_numbers(own)) == [ARMS] and job() == before


@pytest.mark.parametrize("share", [0.0, 0.4, 1.0])
def test_a_share_that_stays_is_a_mix_as_without_keys(walk: Any, share: float) -> None:
    character_object(bpy.context).animation_data_clear()
    walk.mix = share
    plain = job()
    key(walk, (1, share))
    assert job() == plain and not plain.cues and not request().notes


def test_without_another_style_keys_say_nothing(walk: Any) -> None:
    walk.mix_with = "NONE"
    assert job().preset == SAD and not job().cues


def test_a_driven_mix_is_what_it_is_now(walk: Any, scene: Any) -> None:
    armature = character_object(bpy.context)
    armature.animation_data_clear()
    armature.driver_add("biped.walk.mix").driver.expression = "0.25"
    scene.frame_set(2)
    bpy.context.view_layer.update()
    assert walk.mix == pytest.approx(0.25)
    assert numbers(job().preset) == pytest.approx(numbers(mix_of(SAD, HAPPY, 0.25)), rel=1e-6)


# --- where keys do not count -----------------------------------------------------------------------------------------


def told(walk: Any) -> str:
    """Return what panel and bake say of the keys, once each."""
    (text,) = (note for note in request().notes if "keys of Mix" in note)
    assert text in shown(BIPED_PT_walk)
    return text


def test_a_controller_that_cannot_says_so_and_has_the_mix_of_the_start_frame(walk: Any) -> None:
    walk.controller = "klaw"
    walk.preset, walk.mix_with, walk.frame_start = "sad", "happy", 73
    assert told(walk).startswith("KLAW keeps one mix all the way")
    found = job()
    assert not found.cues
    expected = mix_of(preset("klaw", "sad"), preset("klaw", "happy"), 0.5)
    assert numbers(found.preset) == pytest.approx(numbers(expected), rel=0.1, abs=0.5)


@pytest.mark.parametrize("other", ["backward", "side_step", "run"])
def test_styles_without_anything_between_say_so(walk: Any, other: str) -> None:
    walk.mix_with = other
    label = preset("natural", other).label
    assert told(walk).startswith(f"Sad does not become {label} little by little")
    assert job().preset == SAD and not job().cues


def test_one_stride_says_so(walk: Any) -> None:
    character_object(bpy.context).biped.one_stride = True
    assert told(walk).startswith("One Stride has one mix")
    assert numbers(job().preset) == numbers(SAD) and not job().cues


def test_where_keys_count_nothing_is_said(walk: Any) -> None:
    assert not [text for text in (*request().notes, *shown(BIPED_PT_walk)) if "keys of Mix" in text]


def listed() -> list[tuple[str, int | None, bool]]:
    shown_now = walk_shown.shown_walk(bpy.context)
    assert shown_now
    return [(row.kind.text(shown_now, row), row.frame, row.counts) for row in on_way(shown_now).rows]


def test_on_the_way_lists_it(walk: Any) -> None:
    assert listed()[1] == ("Sad and Happy mixed, keyed to frame 121", 25, True)
    walk.active_row = "mix "
    assert shown(BIPED_PT_on_way).count("<Mix>") == 1
    walk.mix_with = "run"
    assert listed()[1][2] is False and any("Sad does not become Run" in text for text in shown(BIPED_PT_on_way))
    walk.mix_with = "NONE"
    assert len(listed()) == 1
    walk.mix_with = "happy"
    character_object(bpy.context).animation_data_clear()
    key(walk, (25, 0.4))
    assert len(listed()) == 1


# --- markers, and who walks in its place -----------------------------------------------------------------------------


def test_the_mix_begins_wherever_its_style_does(walk: Any, scene: Any) -> None:
    for frame, name in ((1, "brisk"), (97, "sad 0.8"), (145, "default")):
        scene.timeline_markers.new(name, frame=frame)
    found = job()
    assert found.preset == preset("natural", "brisk")
    assert [cue.preset for cue in found.cues] == [SAD, HAPPY, DEFAULT]
    sad, mixed, _ = found.cues
    assert (mixed.time, mixed.place, mixed.speed) == (sad.time, sad.place, sad.speed) and mixed.shares


def test_klaw_in_its_place_keeps_the_keyed_speed(walk: Any) -> None:
    for frame, speed in ((1, 0.7), (121, 1.4)):
        walk.speed = speed
        walk.keyframe_insert("speed", frame=frame)
    found = as_walk(job(), preset("klaw", "walk"))
    assert not found.cues and found.speeds[-1][1] == pytest.approx(1.4, rel=1e-3)
    marked = replace(job(), cues=(Cue(2.0, HAPPY, speed=1.0, shares=((0.0, 0.5),)),))
    assert [cue.speed for cue in as_walk(marked, preset("klaw", "walk")).cues] == [1.0]


def test_a_bake_walks_the_mix_and_keeps_its_keys(walk: Any) -> None:
    walk.path = make_curve([(0.0, 0.0, 0.0), (0.0, -4.0, 0.0)])
    before = job()
    assert bpy.ops.biped.bake_walk() == {"FINISHED"}
    action = character_object(bpy.context).animation_data.action
    assert action.biped.outcome == "arrived" and job().cues == before.cues
    assert (gait_names(before), gait_names(replace(before, cues=()))) == ("Sad, Happy", "")
