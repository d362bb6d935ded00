"""Bones that drivers hold: found before the bake, and the bones that move them take the keys."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import bpy
import pytest

from blender_biped.base.errors import BipedError
from blender_biped.ui import api
from blender_biped.ui.bake.accuracy import bake_error
from blender_biped.ui.bake.free import held_bones
from blender_biped.ui.bake.keyframes import bake
from blender_biped.ui.base.status import status
from blender_biped.ui.job.request import read_request
from blender_biped.ui.settings.kept_mapping import keep_rig_map, rig_map_of
from tests.blender.scenes import character_of, contents, make_curve, make_rig, open_shared_rig, wild_motion
from tests.blender.scripted import answer_at_once

MM, DEGREES = 0.5, 0.05


def drive(owner: Any, name: str, index: int = -1) -> None:
    """Give a property a driver that keeps it as it is."""
    curve = owner.driver_add(name, index)
    curve.driver.type, curve.driver.expression = "SCRIPTED", repr(getattr(owner, name) if index < 0 else 0.0)


def make_control_rig(through: int = 0, only: str = "") -> Any:
    """Return a rig whose bones copy free twins, "Free ...", by constraints that drivers hold on.

    through: how many bones that copy without a driver are between the two. only: begins the names of bones that do.
    """
    rig = make_rig(helpers=False)
    names = [bone.name for bone in rig.data.bones]
    parents = {bone.name: bone.parent.name if bone.parent else "" for bone in rig.data.bones}
    layers = ["Free", *(f"Between {i}" for i in range(through))]
    bpy.ops.object.mode_set(mode="EDIT")
    bones = rig.data.edit_bones
    for layer in layers:
        for name in names:
            twin, own = bones.new(f"{layer} {name}"), bones[name]
            twin.head, twin.tail, twin.roll, twin.use_deform = own.head, own.tail, own.roll, False
            twin.parent = bones[f"{layer} {parents[name]}"] if parents[name] else None
    bpy.ops.object.mode_set(mode="OBJECT")
    for name in names:
        if not name.startswith(only):
            continue
        chain = [f"{layer} {name}" for layer in layers] + [name]
        for followed, follower in pairwise(chain):
            copy = rig.pose.bones[follower].constraints.new("COPY_TRANSFORMS")
            copy.target, copy.subtarget = rig, followed
            if follower == name:
                drive(copy, "influence")
    for bone in rig.pose.bones:
        bone.rotation_mode = "QUATERNION"
    bpy.context.view_layer.update()
    return rig


def answered(monkeypatch: pytest.MonkeyPatch) -> None:
    answer_at_once(monkeypatch, lambda job: wild_motion(job.character))


@pytest.mark.parametrize("mapped", [True, False])
@pytest.mark.parametrize("through", [0, 1])
def test_the_bones_that_held_ones_follow_get_the_keys(mapped: bool, through: int, monkeypatch: Any) -> None:
    rig = make_control_rig(through)
    api.set_path(rig, make_curve([(0, 0, 0), (0, -4, 0)]))
    answered(monkeypatch)
    if mapped:
        api.map_bones(rig)
    assert bpy.ops.biped.bake_walk() == {"FINISHED"}
    found = rig_map_of(rig)
    assert found is not None and found.controls["thigh.L"][0].endswith(" thigh.L")
    assert all(not set(found.controls[role]) & set(bones) for role, bones in found.bones.items())
    assert "off the simulated walk" not in status.message
    motion = wild_motion(read_request(bpy.context, rig).job.character)
    far, turned = bake_error(rig, motion, [1, 8, 15, 25])
    assert far < MM and turned < DEGREES


@pytest.mark.parametrize(("part", "whole"), [("thigh", False), ("upper_arm", True)])
def test_a_half_that_a_rig_turns_about_its_length_of_its_own_is_not_off(part: str, whole: bool) -> None:
    """As Auto-Rig Pro's upper halves of thigh and arm, which point along the limb and do not roll with it.

    Where no bone of the part rolls with it, it is off.
    """
    rig = make_control_rig()
    below = {"thigh": "shin", "upper_arm": "forearm"}[part]
    bpy.ops.object.mode_set(mode="EDIT")
    bones = rig.data.edit_bones
    for side in "LR":
        half, own = bones.new(f"half.{side}"), bones[f"{part}.{side}"]
        half.head, half.tail, half.roll, half.parent = own.head, 0.5 * (own.head + own.tail), own.roll, own.parent
    bpy.ops.object.mode_set(mode="OBJECT")
    for side in "LR":
        track = rig.pose.bones[f"half.{side}"].constraints.new("DAMPED_TRACK")
        track.target, track.subtarget = rig, f"Free {below}.{side}"
    api.map_bones(rig)
    found = rig_map_of(rig)
    assert found is not None and all(found.controls[f"{part}.{side}"] for side in "LR")
    halves = {f"{part}.{side}": (f"half.{side}", *([f"{part}.{side}"] if whole else [])) for side in "LR"}
    keep_rig_map(rig, replace(found, bones={**found.bones, **halves}))
    api.set_path(rig, make_curve([(0, 0, 0), (0, -4, 0)]))
    motion = wild_motion(read_request(bpy.context, rig).job.character, duration=0.2)
    done = bake(rig, motion)
    far, turned = bake_error(rig, motion, done.frames.tolist())
    assert far < MM and (turned < DEGREES) == whole
    assert any("degrees off" in note for note in done.notes) != whole


def test_a_limb_that_is_held_alone_has_its_controls_and_the_rest_its_own_bones() -> None:
    rig = make_control_rig(only="shin")
    api.map_bones(rig)
    found = rig_map_of(rig)
    assert found is not None and found.controls == {f"shin.{side}": (f"Free shin.{side}",) for side in "LR"}


def test_bones_that_nothing_moves_are_named_before_the_bake(monkeypatch: Any) -> None:
    rig = make_rig(helpers=False)
    api.set_path(rig, make_curve([(0, 0, 0), (0, -4, 0)]))
    for index in range(4):
        drive(rig.pose.bones["shin.L"], "rotation_quaternion", index)
    drive(rig.pose.bones["shin.L"], "scale", 0)
    bpy.context.view_layer.update()
    before = contents()
    said = r"Drivers hold shin\.L, so that keys do not move them: pick the bones"
    with pytest.raises(RuntimeError, match=said):
        bpy.ops.biped.bake_walk()
    assert contents() == before
    api.map_bones(rig)
    found = rig_map_of(rig)
    assert found is not None and any("Drivers hold shin.L" in doubt for doubt in found.doubts)


def test_a_mapping_without_the_controls_is_refused_with_what_to_press(monkeypatch: Any) -> None:
    rig = make_control_rig()
    api.set_path(rig, make_curve([(0, 0, 0), (0, -4, 0)]))
    api.map_bones(rig)
    found = rig_map_of(rig)
    assert found is not None
    keep_rig_map(rig, replace(found, controls={}))
    with pytest.raises(BipedError, match=r"would not move by keys: press Map Bones again, which takes Free "):
        api.bake(rig)


def test_drivers_that_hold_nothing_do_not_count_and_trying_leaves_no_trace() -> None:
    rig = make_control_rig()
    for bone in rig.pose.bones:
        for constraint in bone.constraints:
            constraint.driver_remove("influence")
            constraint.influence = 0.3
            drive(constraint, "influence")
    rig.pose.bones["thigh.L"].rotation_quaternion = (0.9, 0.1, 0.0, 0.0)
    rig.keyframe_insert("location", frame=4)
    bpy.context.view_layer.update()
    character, before = character_of(rig), repr(contents())
    assert held_bones(rig, character) == {} and repr(contents()) == before


@pytest.mark.long
def test_cloudrigs_controls_move_its_body() -> None:
    open_shared_rig("cloudrig_metarigs.blend")
    rig = bpy.data.objects["RIG-Cloud_Human"]
    api.map_bones(rig)
    api.set_path(rig, make_curve([(0, 0, 0), (0, -4, 0)]))
    found = rig_map_of(rig)
    assert found is not None and found.controls["thigh.L"] == ("FK-Thigh.L",)
    motion = wild_motion(read_request(bpy.context, rig).job.character, duration=0.2)
    done = bake(rig, motion)
    far, turned = bake_error(rig, motion, done.frames[::6].tolist())
    assert far < MM and turned < DEGREES
