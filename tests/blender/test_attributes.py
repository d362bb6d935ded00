"""KLAW's attributes in the panel: a preset fills the sliders, they reach the job, and they may be keyed."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import bpy
import numpy as np
import pytest

from blender_biped.base.spatial import quaternion_matrix
from blender_biped.job import Job
from blender_biped.klaw.attributes import Attributes, read_style
from blender_biped.klaw.walk import walk
from blender_biped.preset.preset import preset
from blender_biped.ui.job.request import read_request
from blender_biped.ui.view import preview
from tests.blender.scenes import make_curve, make_rig


@pytest.fixture
def sliders(scene: Any) -> Iterator[Any]:
    make_rig()
    scene.biped.path = make_curve([(0.0, 0.0, 0.0), (9.0, 0.0, 0.0)])
    bpy.ops.biped.map_bones()
    scene.biped.controller = "simbicon"
    scene.biped.preset = "walk"
    scene.biped.controller = "klaw"  # has a preset of that name too
    yield scene.biped.attributes
    preview.stop()


def job() -> Job:
    return read_request(bpy.context).job


def test_a_preset_fills_all_sliders(sliders: Any, scene: Any) -> None:
    for name in ("walk", "sneak", "thesis"):
        scene.biped.preset = name
        own = read_style(preset("klaw", name).values).attributes
        for attribute in fields(Attributes):
            slider = sliders.bl_rna.properties[attribute.name]
            told = getattr(sliders, attribute.name)
            if slider.unit == "ROTATION":
                told = math.degrees(told)
            assert told == pytest.approx(getattr(own, attribute.name), rel=1e-6, abs=1e-9)
        assert job().preset == preset("klaw", name)  # to the last digit, with nothing changed


def test_a_slider_changes_its_attribute_alone_and_choosing_a_preset_takes_it_back(sliders: Any, scene: Any) -> None:
    usual = job().preset.values["attributes"]
    sliders.max_knee, sliders.toe_clear = math.radians(80.0), 0.05
    told = job().preset.values["attributes"]
    assert {name for name in usual if told[name] != usual[name]} == {"max_knee", "toe_clear"}
    assert (told["max_knee"], told["toe_clear"]) == pytest.approx((80.0, 0.05))
    scene.biped.show_preview = True
    lifted = preview.update(bpy.context)
    scene.biped.preset = "walk"
    assert job().preset.values["attributes"] == usual
    level = preview.update(bpy.context)
    assert lifted and level and lifted is not level


def test_keyed_attributes_and_speed_change_along_the_walk(sliders: Any, scene: Any) -> None:
    scene.render.fps = 24
    for frame, lean, speed in ((1, 0.0, 0.8), (97, 20.0, 0.8), (145, 20.0, 1.4)):
        sliders.theta2_des, scene.biped.speed = math.radians(lean), speed
        sliders.keyframe_insert("theta2_des", frame=frame)
        scene.biped.keyframe_insert("speed", frame=frame)
    motion = walk(job())
    chest = quaternion_matrix(motion.rotations[:, motion.character.index("chest")])
    lean = np.degrees(np.arcsin(chest[:, 0, 2]))
    at = np.searchsorted(motion.times, (0.2, 2.2, 5.0))
    assert lean[at] == pytest.approx((0.0, 10.0, 20.0), abs=4.0)
    speeds = motion.command[np.searchsorted(motion.times, (3.0, 7.5)), 0]
    assert speeds == pytest.approx((0.8, 1.4), rel=0.03)
    scene.frame_set(145)  # which frame is shown does not matter
    assert np.array_equal(walk(job()).root, motion.root)
