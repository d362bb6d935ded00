"""Three strides before a bake: what is said of a body that walks as it is set and of one that does not."""

from __future__ import annotations

from dataclasses import replace

import bpy
import numpy as np
import pytest

from blender_biped.job import Job
from blender_biped.motion.motion import Motion
from blender_biped.simulate import simulate
from blender_biped.ui.base.status import status
from blender_biped.ui.base.units import SPACE
from blender_biped.ui.job.request import read_request
from blender_biped.ui.panels.walk_panels import BIPED_PT_walk
from tests.blender.drawn import shown
from tests.blender.scenes import contents
from tests.blender.scripted import answer_at_once
from tests.blender.test_runs import character
from tests.motion.synthetic import walked


def sinking(job: Job) -> Motion:
    """Return a walk that sinks after a second."""
    motion = walked(job.path, None, job.character)[0]
    sunk = np.outer(np.where(motion.times >= 1.0, -0.6, 0.0), (0.0, 0.0, 1.0))
    return replace(motion, root=motion.root + sunk, outcome="fell")


def stuck(job: Job) -> Motion:
    """Return a walk that does not get there."""
    return replace(walked(job.path, None, job.character)[0], outcome="time")


def aside(job: Job) -> Motion:
    """Return a walk that leaves its way by 0.6 m."""
    motion = walked(job.path, None, job.character)[0]
    return replace(motion, root=motion.root + np.outer(np.minimum(motion.times, 0.6), (0.0, 1.0, 0.0)))


@pytest.mark.long
def test_a_person_walks_so_and_nothing_is_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    answer_at_once(monkeypatch, simulate)
    armature = character("Hero")
    before = contents(), read_request(bpy.context).job.as_json()
    assert bpy.ops.biped.try_strides() == {"FINISHED"}
    said = status.message.replace(SPACE, " ")
    assert said.startswith("Hero walks three strides straight ahead at 1.") and "Bends" in said
    assert status.level == "INFO" and status.on(armature) and armature.animation_data is None
    assert (contents(), read_request(bpy.context).job.as_json()) == before


@pytest.mark.parametrize("falls_back", [True, False])
def test_a_fall_is_told_with_what_to_do(monkeypatch: pytest.MonkeyPatch, falls_back: bool) -> None:
    answer_at_once(monkeypatch, sinking)
    armature = character("Hero", fall_back=falls_back)
    assert bpy.ops.biped.try_strides() == {"FINISHED"}
    said = status.message.replace(SPACE, " ")
    assert said.startswith("Hero falls at 1.") and "after 1.0 s, in its first three strides. Set a lower speed" in said
    assert ("by KLAW" in said) == falls_back and ("switch on Try Again If It Falls" in said) != falls_back
    assert status.level == "WARNING" and armature.animation_data is None


def test_a_character_without_a_path_is_tried_straight_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[Job] = []

    def walk(job: Job) -> Motion:
        tried.append(job)
        return walked(job.path, None, job.character)[0]

    answer_at_once(monkeypatch, walk)
    armature = character("Hero")
    assert bpy.ops.biped.try_strides() == {"FINISHED"}
    armature.biped.walk.path = None
    armature.biped.walk.start = 3.0  # of a path that it had
    assert bpy.ops.biped.try_strides() == {"FINISHED"}
    assert "walks three strides straight ahead" in status.message and armature.biped.walk.path is None
    assert [job.path.length for job in tried] == pytest.approx([tried[0].path.length] * 2)
    with pytest.raises(RuntimeError, match="Choose a curve"):
        bpy.ops.biped.bake_walk()


def test_what_gets_nowhere_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    answer_at_once(monkeypatch, stuck)
    character("Hero")
    assert bpy.ops.biped.try_strides() == {"FINISHED"}
    assert status.message.startswith("Hero does not get ahead at 1.")


def test_what_strays_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    answer_at_once(monkeypatch, aside)
    character("Hero")
    assert bpy.ops.biped.try_strides() == {"FINISHED"}
    said = status.message.replace(SPACE, " ")
    assert said.startswith("Hero walks three strides, but stands 60 cm from where it should. Set a lower speed")
    assert status.level == "WARNING"


def test_klaw_has_nothing_to_try() -> None:
    armature = character("Hero")
    assert "[Try Three Strides]" in shown(BIPED_PT_walk)
    armature.biped.walk.controller = "klaw"
    assert "[Try Three Strides]" not in shown(BIPED_PT_walk)
    with pytest.raises(RuntimeError, match="KLAW is not simulated, and cannot fall"):
        bpy.ops.biped.try_strides()
