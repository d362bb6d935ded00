"""What scripts call, and the page about it."""

from __future__ import annotations

from typing import Any

import bpy
import pytest

from blender_biped.base.errors import BipedError, DataError
from blender_biped.ui import api, registration
from tests.blender.scenes import make_curve, make_rig
from tools.docs.operators import PAGE, filled


def test_the_page_has_the_operators_that_there_are() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert filled(text, registration.CLASSES) == text, "run: python -m tools.docs.operators"


def test_a_walk_of_klaw_is_baked_by_functions(scene: Any) -> None:
    rig, other = make_rig(), make_curve([(0, 0, 0), (2, 0, 0)])
    bpy.context.view_layer.objects.active = other
    api.set_path(rig, other)
    api.set_style(rig, "klaw", "stroll", {"attributes.arm_rot_factor": 1.5})
    action = api.bake(rig, speed=0.8, frame_start=11)
    assert action == rig.animation_data.action and action.biped.outcome == "arrived"
    assert int(action.frame_range[0]) == 11 and rig.biped.walk.speed_mps == pytest.approx(0.8)
    assert rig.biped.walk.fields_klaw.attributes_arm_rot_factor == pytest.approx(1.5)
    assert bpy.context.view_layer.objects.active == other, "what is active stays as it was"


def test_a_slider_is_keyed(scene: Any) -> None:
    rig = make_rig()
    api.set_style(rig, "klaw", "walk")
    api.key_number(rig, "attributes.max_knee", {1: 1.0, 30: 1.4})
    rig.biped.walk.fields_klaw.attributes_max_knee = 0.8
    bpy.context.scene.frame_set(30)
    assert rig.biped.walk.fields_klaw.attributes_max_knee == pytest.approx(1.4)


def test_what_goes_wrong_is_raised_with_the_panels_message(scene: Any) -> None:
    rig = make_rig()
    with pytest.raises(BipedError, match="curve"):
        api.bake(rig)
    with pytest.raises(DataError, match="is no curve"):
        api.set_path(rig, rig)
    with pytest.raises(DataError, match="There is no style klaw/waddle"):
        api.set_style(rig, "klaw", "waddle")
    with pytest.raises(DataError, match=r"There is no number 'gait\.width'"):
        api.set_style(rig, "klaw", "walk", {"gait.width": 0.2})
    with pytest.raises(DataError, match="There is no setting 'sped'"):
        api.bake(rig, sped=1.0)


def test_values_that_a_setting_cannot_have_are_refused_by_name(scene: Any) -> None:
    rig, way = make_rig(), make_curve([(0, 0, 0), (2, 0, 0)])
    api.set_path(rig, way)
    for settings in ({"onto": "NLA"}, {"laps": "many"}, {"laps": 10**30}, {"frame_start": 1.5}, {"points": 3}):
        with pytest.raises(DataError, match=f"^{next(iter(settings))} cannot be"):
            api.bake(rig, **settings)
    with pytest.raises(DataError, match=r"^start cannot be 'here'"):
        api.set_path(rig, way, start="here")  # type: ignore[arg-type]
    with pytest.raises(DataError, match=r"^attributes\.max_knee cannot be None"):
        api.set_style(rig, "klaw", "walk", {"attributes.max_knee": None})  # type: ignore[dict-item]


def test_an_armature_outside_the_view_layer_is_refused_by_name(scene: Any) -> None:
    rig = make_rig()
    api.set_path(rig, make_curve([(0, 0, 0), (2, 0, 0)]))
    home = bpy.data.collections.new("Rigs")
    scene.collection.children.link(home)
    home.objects.link(rig)
    scene.collection.objects.unlink(rig)
    bpy.context.view_layer.layer_collection.children["Rigs"].exclude = True
    for call in (api.map_bones, api.bake):
        with pytest.raises(BipedError, match=r"'Rig' is not in the view layer 'ViewLayer': include its collection"):
            call(rig)


def test_why_an_operator_cannot_be_used_is_said_without_its_name(scene: Any) -> None:
    with pytest.raises(BipedError, match=r"^Choose a curve"):
        api.bake(make_rig())
    with pytest.raises(BipedError, match=r"^No character of the scene"):
        api.bake_all()
