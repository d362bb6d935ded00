"""Copy Walk to Selected: what another character or another path gets of a walk, and what stays."""

from __future__ import annotations

from typing import Any

import bpy
import pytest

from blender_biped.ui.base.fcurves import keyed_curves
from blender_biped.ui.job.request import read_request
from tests.blender.scenes import contents, make_curve, make_rig

LONG = [(0.0, 0.0, 0.0), (12.0, 0.0, 0.0)]


@pytest.fixture
def source(scene: Any) -> Any:
    armature = make_rig("Source")
    walk = armature.biped.walk
    walk.path = make_curve(LONG, name="Long")
    walk.controller, walk.preset = "natural", "sad"
    walk.speed_mps, walk.fields_natural.gait_wider, walk.stop = 0.9, 0.05, False
    armature.biped.pace = "EXACT"
    for place, wait in ((3.0, 1.5), (6.0, 0.0), (9.0, 0.5)):
        point = walk.points.add()
        point.place, point.wait, point.speed_mps = place, wait, 0.8
    bpy.ops.biped.map_bones()
    return armature


def select(active: Any, *others: Any) -> None:
    for thing in bpy.context.view_layer.objects:
        thing.select_set(thing == active or thing in others)
    bpy.context.view_layer.objects.active = active


def places(armature: Any) -> list[float]:
    return [point.place for point in armature.biped.walk.points]


def test_another_character_walks_in_the_same_way_along_its_own_path(source: Any) -> None:
    other = make_rig("Other")
    own = other.biped.walk.path = make_curve([(0.0, 5.0, 0.0), (7.0, 5.0, 0.0)], name="Own")
    select(source, other)
    assert bpy.ops.biped.copy_walk() == {"FINISHED"}
    walk = other.biped.walk
    assert (walk.path, walk.controller_name, walk.preset_name, walk.stop) == (own, "natural", "sad", False)
    assert walk.speed_mps == pytest.approx(0.9) and other.biped.pace == "EXACT"
    assert places(other) == pytest.approx([3.0, 6.0]) and walk.points[0].wait == pytest.approx(1.5)
    assert places(source) == pytest.approx([3.0, 6.0, 9.0])
    mine, its = (read_request(bpy.context, armature).job for armature in (source, other))
    assert its.preset == mine.preset and its.speed == pytest.approx(mine.speed)


def test_without_a_path_it_gets_the_same_one(source: Any) -> None:
    other = make_rig("Other")
    select(source, other)
    bpy.ops.biped.copy_walk()
    assert other.biped.walk.path == source.biped.walk.path and places(other) == pytest.approx([3.0, 6.0, 9.0])


@pytest.mark.parametrize(("fit", "expected"), [("DISTANCE", [3.0, 6.0]), ("SHARE", [1.75, 3.5, 5.25])])
def test_a_curve_that_is_selected_is_walked_with_the_points_that_fit(
    source: Any, fit: str, expected: list[float]
) -> None:
    short = make_curve([(0.0, 2.0, 0.0), (7.0, 2.0, 0.0)], name="Short")
    select(source, short)
    bpy.ops.biped.copy_walk(fit=fit)
    assert source.biped.walk.path == short and places(source) == pytest.approx(expected)
    assert source.biped.walk.speed_mps == pytest.approx(0.9)
    read_request(bpy.context)


def test_keys_of_the_walk_go_along_and_other_animation_stays(source: Any) -> None:
    for frame, speed in ((1, 0.6), (60, 1.0)):
        source.biped.walk.speed_mps = speed
        source.keyframe_insert("biped.walk.speed", frame=frame)
    other = make_rig("Other")
    other.keyframe_insert("location", frame=5)
    select(source, other)
    bpy.ops.biped.copy_walk()
    found = keyed_curves(other)
    assert list(found) == ["biped.walk.speed"]
    assert [tuple(key.co) for key in found["biped.walk.speed"].keyframe_points] == [
        tuple(key.co) for key in keyed_curves(source)["biped.walk.speed"].keyframe_points
    ]
    assert other.animation_data.action != source.animation_data.action
    assert any(curve.data_path == "location" for curve in _curves(other))


def _curves(armature: Any) -> Any:
    from blender_biped.ui.base.fcurves import SLOTTED, curve_holder

    data = armature.animation_data
    return curve_holder(data.action, data.action_slot if SLOTTED else None).fcurves


def test_what_cannot_be_walked_changes_nothing(source: Any) -> None:
    select(source)
    assert not bpy.ops.biped.copy_walk.poll()
    other = make_rig("Other")
    other.biped.walk.path = make_curve([(0.0, 0.0, 0.0)], name="Point")
    select(source, other)
    before = contents()
    with pytest.raises(RuntimeError, match="Point"):
        bpy.ops.biped.copy_walk()
    assert contents() == before and other.biped.walk.preset_name != "sad" and not other.biped.walk.points
