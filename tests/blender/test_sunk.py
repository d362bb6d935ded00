"""Tails and heads in the ground are measured on the baked walk, kept with it, and told."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
import pytest

from blender_biped.ui.bake.result import Result, result_lines, result_of
from blender_biped.ui.base.status import status
from blender_biped.ui.job.mapping import walk_of
from tests.blender.scenes import make_curve, make_rig
from tests.blender.scripted import answer_at_once
from tests.motion.synthetic import walked

TIP = "tail.5"


def baked(monkeypatch: pytest.MonkeyPatch, down: float, thick: float = 0.0) -> tuple[Any, Result]:
    """Return a rig with something like a walk, and what is kept of it.

    down: how far the joints of its tail go down in all, m. thick: how far the tip's skin is below its joint, m.
    """

    def edit(bones: Any) -> None:
        above, at = bones["spine"], np.array(bones["spine"].head)
        for k in range(6):
            bone = bones.new(f"tail.{k}")
            bone.head, bone.tail = at, at + np.array((0.0, 0.2, -down / 5.0))
            bone.parent, above, at = above, bone, np.array(bone.tail)

    armature = make_rig(edit=edit)
    if thick:
        _skin(armature, armature.data.bones[TIP].head_local, thick)
    walk_of(bpy.context).path = make_curve([(1.0, 2.0, 0.0), (5.0, 2.0, 0.0)])
    bpy.context.view_layer.objects.active = armature
    answer_at_once(monkeypatch, lambda job: walked(job.path, character=job.character)[0])
    assert bpy.ops.biped.bake_walk() == {"FINISHED"}
    result = result_of(armature)
    assert result is not None
    return armature, result


def _skin(armature: Any, joint: Any, thick: float) -> None:
    mesh = bpy.data.meshes.new("Tip")
    mesh.from_pydata([joint, (joint.x, joint.y, joint.z - thick)], [(0, 1)], [])
    thing = bpy.data.objects.new("Tip", mesh)
    bpy.context.scene.collection.objects.link(thing)
    thing.parent = armature
    thing.vertex_groups.new(name=TIP).add([0, 1], 1.0, "REPLACE")
    thing.modifiers.new("Armature", "ARMATURE").object = armature
    bpy.context.view_layer.update()


def height(armature: Any, frame: int) -> float:
    """Return how high the tail's last joint is at a frame, m."""
    bpy.context.scene.frame_set(frame)
    return float((armature.matrix_world @ armature.pose.bones[TIP].head).z)


@pytest.mark.parametrize("thick", [0.0, 0.2])
def test_a_tail_in_the_ground_is_told_with_its_depth(monkeypatch: pytest.MonkeyPatch, thick: float) -> None:
    armature, result = baked(monkeypatch, 1.4, thick)
    sunk = result.sunk
    assert sunk is not None and sunk.part == "tail"
    assert sunk.depth == pytest.approx(thick - height(armature, sunk.frame), abs=2e-3)
    first, last = (int(v) for v in result.action.frame_range)
    assert sunk.depth > max(thick - height(armature, frame) for frame in range(first, last + 1)) - 0.01
    assert "Its tail goes " in status.message and status.level == "WARNING"
    line = next(own for own in result_lines(result, bpy.context.scene.unit_settings) if own.name == "In the Ground")
    assert line.icon == "ERROR" and line.text.endswith(f" deep at frame {sunk.frame}")


def test_what_is_thicker_than_its_bones_is_seen_by_its_skin(monkeypatch: pytest.MonkeyPatch) -> None:
    assert baked(monkeypatch, 0.8)[1].sunk is None
    status.forget()
    _, result = baked(monkeypatch, 0.8, 0.4)
    assert result.sunk is not None and result.sunk.part == "tail"


def test_nothing_is_told_of_who_walks_above_the_ground(monkeypatch: pytest.MonkeyPatch) -> None:
    _, result = baked(monkeypatch, 0.2, 0.1)
    assert result.sunk is None and "into the ground" not in status.message
    assert all(own.name != "In the Ground" for own in result_lines(result, bpy.context.scene.unit_settings))
