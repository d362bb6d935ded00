"""Every controller's numbers in the panel: a preset fills the sliders, they reach the job, may be keyed and reset."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest

import blender_biped
from blender_biped.base.spatial import quaternion_matrix
from blender_biped.control.generalized.kind import GENERALIZED
from blender_biped.control.kind import Kind
from blender_biped.control.registry import DEFAULT, kind_of, kinds, preset, presets, registered
from blender_biped.job import Job, read_job, write_job
from blender_biped.klaw.walk import walk
from blender_biped.preset.declared import number
from blender_biped.ui.base.fcurves import keyed_curves
from blender_biped.ui.job.mapping import walk_of
from blender_biped.ui.job.request import read_request
from blender_biped.ui.panels.fields_panel import BIPED_PT_fields
from blender_biped.ui.settings.fields import FIRST, changed_numbers, group_name, slider_name
from blender_biped.ui.settings.older_files import brought_up_to_date
from blender_biped.ui.view import preview
from tests.blender.drawn import Layout, shown
from tests.blender.scenes import make_curve, make_rig

SIMULATED = [kind.name for kind in kinds() if kind.controller]


@pytest.fixture
def panel(scene: Any) -> Iterator[Any]:
    make_rig()
    walk_of(bpy.context).path = make_curve([(0.0, 0.0, 0.0), (9.0, 0.0, 0.0)])
    bpy.ops.biped.map_bones()
    yield walk_of(bpy.context)
    preview.stop()


def choose(panel: Any, controller: str, style: str) -> Any:
    """Choose a style; return its sliders."""
    panel.controller = "generalized"
    panel.controller = controller
    panel.preset = style
    return getattr(panel, group_name(kind_of(controller)))


def job() -> Job:
    return read_request(bpy.context).job


@pytest.mark.parametrize("kind", kinds(), ids=lambda kind: kind.name)
def test_a_preset_fills_all_sliders_of_its_controller(panel: Any, kind: Kind) -> None:
    for style in presets(kind.name):
        group, numbers = choose(panel, kind.name, style.name), kind.numbers(style.values)
        for slider in (own for own in kind.sliders if own.path in numbers):
            value = getattr(group, slider_name(slider))
            value = math.degrees(value) if slider.number.unit == "degrees" else value
            assert value == pytest.approx(numbers[slider.path], rel=1e-6, abs=1e-9), slider.path
        assert not changed_numbers(panel)
    assert len({slider_name(slider) for slider in kind.sliders}) == len(kind.sliders)


def test_nothing_is_changed_before_anything_is_chosen(panel: Any) -> None:
    assert panel.fields_shown == FIRST == f"{panel.controller_name}/{panel.preset_name}"
    assert not changed_numbers(panel) and job().preset == preset(DEFAULT.name, "default")


@pytest.mark.parametrize("controller", [kind.name for kind in kinds() if not kind.can.plane])
def test_a_slider_changes_its_number_alone(panel: Any, controller: str) -> None:
    style = presets(controller)[0]
    kind, group = kind_of(controller), choose(panel, controller, style.name)
    assert job().preset == style  # to the last digit, with nothing changed
    first, last = kind.sliders[0], kind.sliders[-1]
    usual, ends = kind.numbers(style.values), {}
    for slider in (first, last):
        own, scale = slider.number, math.radians(1.0) if slider.number.unit == "degrees" else 1.0
        ends[slider.path] = own.low if usual[slider.path] == own.high else own.high
        setattr(group, slider_name(slider), type(getattr(group, slider_name(slider)))(ends[slider.path] * scale))
    now = kind.numbers(job().preset.values)
    assert (
        {path for path in usual if now[path] != usual[path]} == {first.path, last.path} == set(changed_numbers(panel))
    )
    assert {path: now[path] for path in ends} == pytest.approx(ends)
    assert bpy.ops.biped.reset_field(path=first.path) == {"FINISHED"}
    assert set(changed_numbers(panel)) == {last.path}
    assert bpy.ops.biped.reset_fields() == {"FINISHED"}
    assert not changed_numbers(panel) and job().preset == style
    with pytest.raises(RuntimeError, match="All numbers are the preset's own"):
        bpy.ops.biped.reset_fields()


def test_what_differs_from_the_preset_is_marked(panel: Any) -> None:
    group = choose(panel, "simbicon", "walk")
    plain = shown(BIPED_PT_fields)
    group.lead_learning = 0.5
    marked = shown(BIPED_PT_fields)
    assert "1 changed" in marked and "1 changed" not in plain
    assert len(marked) == len(plain) + 3  # the count, Reset All, and the number's own button
    with pytest.raises(RuntimeError, match=r"no field 'lead\.lerning'"):
        bpy.ops.biped.reset_field(path="lead.lerning")


def test_every_range_is_crossed_by_a_drag_of_200_pixels(panel: Any) -> None:
    for kind in kinds():
        group = getattr(panel, group_name(kind))
        for slider in (s for s in kind.sliders if not s.number.whole):
            pixel = 0.01 * group.bl_rna.properties[slider_name(slider)].step  # Blender's measure of a pixel
            assert 200.0 * pixel == pytest.approx(slider.number.high - slider.number.low, rel=1e-5), slider.path


class Folded(Layout):
    """Shows the groups as Blender does before any is clicked, and a mark before the names of those that have one."""

    def panel(self, _name: str, default_closed: bool = False) -> Any:
        return self, None if default_closed else self

    def label(self, text: str = "", icon: str = "NONE", translate: bool = True) -> None:
        super().label(f"*{text}" if icon == "GREASEPENCIL" else text)


def test_the_first_group_is_open_and_a_closed_one_shows_that_it_is_changed(panel: Any) -> None:
    group = choose(panel, "simbicon", "walk")
    group.lead_learning = 0.5
    said = shown(BIPED_PT_fields, Folded())
    assert said[:4] == ["*1 changed", "[Reset All to the Preset]", "Standing", "<Standing Knees>"]
    assert said[-3:] == ["*Speed and Contacts", "Softness", "Steering"]


def test_a_scene_from_before_there_were_sliders_is_walked_as_it_was(panel: Any) -> None:
    choose(panel, "simbicon", "walk")
    panel.fields_shown = "another/style"
    panel.fields_simbicon.lead_learning = 1.5
    assert job().preset == preset("simbicon", "walk")
    brought_up_to_date()
    assert panel.fields_simbicon.lead_learning == pytest.approx(0.05) or not changed_numbers(panel)


def test_what_may_not_change_along_a_walk_cannot_be_keyed(panel: Any) -> None:
    for kind in kinds():
        group = getattr(panel, group_name(kind))
        for slider in kind.sliders:
            assert group.bl_rna.properties[slider_name(slider)].is_animatable == slider.number.keyed, slider.path


@pytest.mark.parametrize("controller", SIMULATED)
def test_keys_are_tracks_of_the_job_in_memory_and_on_disk(panel: Any, controller: str, tmp_path: Path) -> None:
    bpy.context.scene.render.fps = 24
    kind, group = kind_of(controller), choose(panel, controller, presets(controller)[0].name)
    slider = next(s for s in kind.sliders if s.number.keyed)
    name = slider_name(slider)
    for frame, share in ((1, 0.0), (49, 0.5), (97, 0.25)):
        setattr(group, name, slider.number.low + share * (slider.number.high - slider.number.low))
        group.keyframe_insert(name, frame=frame)
    for key in keyed_curves(bpy.context.object)[f"biped.walk.{group_name(kind)}.{name}"].keyframe_points:
        key.interpolation = "LINEAR"
    own = job()
    track = own.preset.keyed[slider.path]
    span = slider.number.high - slider.number.low
    assert [time for time, _ in track] == pytest.approx([0.0, 2.0, 4.0], abs=0.05)
    assert [value for _, value in track] == pytest.approx([slider.number.low + s * span for s in (0.0, 0.5, 0.25)])
    write_job(own, tmp_path / "job.json")
    assert read_job(tmp_path / "job.json").preset == own.preset


def test_keyed_attributes_and_speed_change_klaws_walk(panel: Any, scene: Any) -> None:
    sliders = choose(panel, "klaw", "walk")
    scene.render.fps = 24
    for frame, lean, speed in ((1, 0.0, 0.8), (97, 20.0, 0.8), (145, 20.0, 1.4)):
        sliders.attributes_theta2_des, walk_of(bpy.context).speed = math.radians(lean), speed
        sliders.keyframe_insert("attributes_theta2_des", frame=frame)
        walk_of(bpy.context).keyframe_insert("speed", frame=frame)
    motion = walk(job())
    chest = quaternion_matrix(motion.rotations[:, motion.character.index("chest")])
    lean = np.degrees(np.arcsin(chest[:, 0, 2]))
    at = np.searchsorted(motion.times, (0.2, 2.2, 5.0))
    assert lean[at] == pytest.approx((0.0, 10.0, 20.0), abs=4.0)
    speeds = motion.command[np.searchsorted(motion.times, (3.0, 7.5)), 0]
    assert speeds == pytest.approx((0.8, 1.4), rel=0.03)
    scene.frame_set(145)  # which frame is shown does not matter
    assert np.array_equal(walk(job()).root, motion.root)


def test_a_changed_attribute_changes_the_preview(panel: Any) -> None:
    sliders = choose(panel, "klaw", "walk")
    bpy.context.scene.biped.show_preview = True
    level = preview.update(bpy.context)
    sliders.attributes_toe_clear = 0.05
    lifted = preview.update(bpy.context)
    assert lifted and level and lifted is not level


@dataclass(frozen=True, kw_only=True)
class MadeUp:
    """The two fields of a controller that nobody knew."""

    pep: float = number(1.0, 0.0, 2.0, "", "Pep", "How much pep", "Made Up", keyed=True)
    grit: float = number(0.5, 0.0, 1.0, "", "Grit", "How much grit", "Made Up")


def test_a_made_up_controller_has_its_menu_entry_and_sliders(scene: Any) -> None:
    made_up = Kind("made_up", "Made Up", "Nobody knew it", "No paper", MadeUp, controller=GENERALIZED.controller)
    blender_biped.unregister()
    try:
        with registered(made_up):
            blender_biped.register()
            try:
                own = make_rig().biped.walk
                own.controller = "made_up"
                assert (own.controller_name, own.preset_name, own.preset) == ("made_up", "default", "default")
                assert shown(BIPED_PT_fields) == ["Made Up", "<Pep>", "<Grit>"]
                own.fields_made_up.pep = 1.5
                assert changed_numbers(own) == {"pep": pytest.approx(1.5)}
                own.controller = "generalized"
            finally:
                blender_biped.unregister()
    finally:
        blender_biped.register()
    assert not hasattr(bpy.context.object.biped.walk, "fields_made_up")


def test_a_style_that_runs_has_the_sliders_of_a_run_and_another_has_none(panel: Any) -> None:
    said = {}
    for name in ("jog", "happy"):
        choose(panel, "natural", name)
        said[name] = shown(BIPED_PT_fields, Folded())
    assert "Run" in said["jog"] and "Run" not in said["happy"]


def test_a_run_that_is_adjusted_is_the_job_s(panel: Any) -> None:
    group = choose(panel, "natural", "jog")
    group.running_heels = 1.3
    assert changed_numbers(panel) == {"running.heels": pytest.approx(1.3)}
    assert job().preset.values["running"]["heels"] == pytest.approx(1.3)
    choose(panel, "natural", "happy")
    assert "running" not in job().preset.values and not changed_numbers(panel)
