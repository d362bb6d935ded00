"""Make Style from Action: an action with changed arms becomes a style, which another character walks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest

from blender_biped.control.natural import making
from blender_biped.control.registry import CAPTURING
from blender_biped.motion.periodic import periodic
from blender_biped.preset.preset import read_preset
from blender_biped.simulate import simulate
from blender_biped.ui.job.captured import action_motion
from blender_biped.ui.job.mapping import character_object
from blender_biped.ui.job.request import read_request
from blender_biped.worker import Worker
from tests.blender.scenes import make_curve, make_rig
from tests.blender.scripted import Scripted


def walked_rig(name: str, length: float = 6.0) -> Any:
    """A character with a path, and KLAW's walk along it as its action."""
    rig = make_rig(name)
    bpy.ops.biped.map_bones()
    rig.biped.walk.path = make_curve([(0.0, 0.0, 0.0), (0.0, -length, 0.0)])
    rig.biped.walk.controller_name, rig.biped.walk.preset_name = "klaw", "walk"
    assert bpy.ops.biped.bake_walk() == {"FINISHED"}
    return rig


def test_an_action_is_read_as_it_was_baked(scene: Any, folder: Path) -> None:
    rig = walked_rig("Hero")
    frame = bpy.context.scene.frame_current
    motion = action_motion(bpy.context, rig)
    assert bpy.context.scene.frame_current == frame
    found = periodic(motion)
    assert found.speed == pytest.approx(rig.biped.walk.speed_mps, rel=0.05)
    assert found.right == pytest.approx(0.5, abs=0.03)
    assert np.degrees(found.missing) < 6.0


def test_without_an_action_the_button_says_what_is_missing(scene: Any, folder: Path) -> None:
    make_rig("Hero")
    assert not bpy.ops.biped.make_style.poll()
    with pytest.raises(RuntimeError, match="action"):
        bpy.ops.biped.make_style()


def test_an_action_that_is_no_walk_is_refused_and_nothing_changes(scene: Any, folder: Path) -> None:
    rig = make_rig("Hero")
    bpy.ops.biped.map_bones()
    rig.keyframe_insert("location", frame=1)
    rig.keyframe_insert("location", frame=80)
    before = rig.biped.walk.preset_name
    with pytest.raises(RuntimeError, match="does not walk"):
        bpy.ops.biped.make_style()
    assert rig.biped.walk.preset_name == before and not list(folder.rglob("*.json"))


@pytest.mark.long
def test_a_style_of_an_action_is_kept_chosen_and_walked_by_another(
    scene: Any, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig = walked_rig("Hero")
    action = rig.animation_data.action
    few = {
        "SCREENED": 6.0,
        "SECONDS": 6.0,
        "STARTS": (0,),
        "BEGINNINGS": (),
        "_SINKS": (-0.01,),
        "_ROLLS": (0.0,),
        "_CALMER": (),
    }
    for name, value in {**few, "_SPREADS": 1}.items():  # tests have no minutes
        monkeypatch.setattr(making, name, value)
    monkeypatch.setattr(Worker, "start", staticmethod(lambda job, *_: Scripted(job, simulate)))
    assert bpy.ops.biped.make_style(label="Mine") == {"FINISHED"}
    assert rig.animation_data.action == action
    assert (rig.biped.walk.controller_name, rig.biped.walk.preset_name) == (CAPTURING.name, "mine")
    style = read_preset(folder / CAPTURING.name / "mine.json")
    hip, knee, _ = style.values["captured"]["likeness"]
    assert hip > 0.9 and knee > 0.8
    assert action.name in style.description
    other = make_rig("Other")
    bpy.ops.biped.map_bones()
    other.biped.walk.path = make_curve([(1.0, 0.0, 0.0), (1.0, -3.0, 0.0)])
    other.biped.walk.controller_name, other.biped.walk.preset_name = CAPTURING.name, "mine"
    assert character_object(bpy.context) == other
    motion = simulate(read_request(bpy.context).job)
    assert motion.outcome == "arrived"
