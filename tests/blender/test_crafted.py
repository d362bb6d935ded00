"""Crafted .blend files: values that no panel lets in are refused with a message, at once, and nothing changes."""

from __future__ import annotations

from typing import Any

import bpy
import pytest

from blender_biped.klaw.walk import walk
from blender_biped.ui.bake.keyframes import bake
from blender_biped.ui.panels import bake_operators
from blender_biped.ui.view import preview
from tests.blender.scenes import character_of, gentle_motion, make_curve, make_rig
from tests.blender.test_operators import refusal

LAST = 1_048_574  # Blender's
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


@pytest.fixture
def panel(scene: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A mapped rig and a path of 3 m to be walked by KLAW, without a process."""
    make_rig()
    scene.biped.path = make_curve([(0.0, 0.0, 0.0), (3.0, 0.0, 0.0)])
    bpy.ops.biped.map_bones()
    scene.biped.controller = "klaw"
    monkeypatch.setattr(bake_operators, "run", lambda job, *_: walk(job))
    yield scene.biped
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
