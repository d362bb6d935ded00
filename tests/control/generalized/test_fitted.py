"""A style on a body of another build than people's."""

from __future__ import annotations

from dataclasses import replace

import pytest

from blender_biped.character.body import build_character
from blender_biped.character.build import build_of
from blender_biped.character.model import Character
from blender_biped.character.roles import map_bones
from blender_biped.character.standard import standard_armature, standard_character
from blender_biped.control.generalized.fitted import Fit
from blender_biped.control.generalized.settings import Settings, read_settings
from blender_biped.control.generalized.swing import CLEARANCE
from blender_biped.motion.similarity import at_reference_size
from blender_biped.preset.preset import preset


def style() -> Settings:
    return read_settings(preset("generalized", "default").values)


def body(**scales: float) -> Character:
    rig = standard_armature(**scales)
    return at_reference_size(build_character(rig, map_bones(rig), None))


def test_nothing_changes_for_people() -> None:
    for one in (at_reference_size(standard_character()), body(hip_scale=1.2, foot_scale=0.8, trunk_scale=0.9)):
        fit, settings = Fit(one), style()
        assert replace(fit.fitted(settings), stand_width=settings.stand_width) == settings
        assert fit.step_time(settings, 1.2) == settings.step_time(1.2)


def test_wide_hips_step_wider_and_quicker_and_go_round_bends_slower() -> None:
    fit, settings = Fit(body(hip_scale=2.5)), style()
    own = fit.fitted(settings)
    assert own.width > 1.2 * settings.width
    assert own.stand_width > 1.2 * settings.stand_width
    assert fit.step_time(settings, 1.0) < 0.9 * settings.step_time(1.0)
    assert own.steering.sideways < settings.steering.sideways
    assert own.steering.swivel < settings.steering.swivel


def test_a_mass_that_is_high_over_its_legs_steps_quicker() -> None:
    one, settings = body(leg_scale=0.55), style()
    assert build_of(one).tall > 1.12
    assert 0.85 < Fit(one).step_time(settings, 1.0) / settings.step_time(1.0) < 0.96
    wide, too = body(hip_scale=2.5), body(hip_scale=2.5, head_scale=2.0)  # wide hips ask for as much already
    assert build_of(too).tall > build_of(wide).tall
    assert Fit(too).step_time(settings, 1.0) == Fit(wide).step_time(settings, 1.0)


def test_narrow_soles_step_wider() -> None:
    assert Fit(body(foot_scale=0.5)).fitted(style()).width > 1.2 * style().width


def test_broad_soles_pass_each_other() -> None:
    one, settings = body(foot_scale=2.0), style()
    own, broad = Fit(one).fitted(settings), build_of(one).broad
    assert broad > 1.3
    assert own.clearance == pytest.approx(broad * settings.clearance)
    assert own.width == pytest.approx(broad * settings.width)


def test_tips_of_long_feet_go_no_deeper_than_others() -> None:
    one, settings = body(foot_scale=2.0), style()
    own, long = Fit(one).fitted(settings), build_of(one).long
    assert long > 1.3
    for (_, usual), (_, found) in zip(settings.style["swing_foot_pitch"], own.style["swing_foot_pitch"], strict=True):
        assert found == pytest.approx(usual / long)
    assert own.style["swing_shin_pitch"] == settings.style["swing_shin_pitch"]


def test_one_of_two_wide_hips_is_no_lower_than_people_s() -> None:
    one, settings = body(hip_scale=2.5), style()
    own, wide = Fit(one).fitted(settings), build_of(one).wide
    assert wide > 1.9 and Fit(one).wide == wide
    for (_, usual), (_, found) in zip(settings.style["pelvis_roll"], own.style["pelvis_roll"], strict=True):
        assert found == pytest.approx(usual / wide)
    assert own.style["pelvis_yaw"] == settings.style["pelvis_yaw"]


@pytest.mark.parametrize(
    ("scales", "unlike"),
    [
        ({}, False), ({"hip_scale": 1.2, "foot_scale": 0.8}, False), ({"hip_scale": 2.0}, True),
        ({"leg_scale": 0.6}, True), ({"foot_scale": 1.7}, True), ({"foot_scale": 0.6}, True),
    ],
)  # fmt: skip
def test_who_is_built_as_people_are(scales: dict[str, float], unlike: bool) -> None:
    assert Fit(body(**scales)).unlike_people == unlike


def test_the_longer_a_foot_is_the_higher_its_sole_clears_the_ground() -> None:
    one = body(foot_scale=2.0)
    assert Fit(one).clearance == pytest.approx(build_of(one).long * CLEARANCE)
    assert Fit(body()).clearance == CLEARANCE


def test_a_slider_counts_on_every_body() -> None:
    wide = Fit(body(hip_scale=2.5))
    assert wide.fitted(replace(style(), width=0.3)).width == pytest.approx(
        0.3 / style().width * wide.fitted(style()).width
    )
