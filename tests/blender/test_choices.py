"""What can be chosen at baking: which frames and bones get keys, in place, one stride; and what the panel tells."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Euler, Matrix

from blender_biped.job import Job
from blender_biped.motion import gait_events
from blender_biped.motion.motion import Motion
from blender_biped.ui.bake.accuracy import bake_error
from blender_biped.ui.bake.choices import ALL_PARTS, Choices, judged, kept_bones, shown
from blender_biped.ui.bake.keyframes import bake
from blender_biped.ui.bake.result import result_lines, result_of
from blender_biped.ui.base.status import status
from blender_biped.ui.job.mapping import walk_of
from blender_biped.world.path import Path
from tests.blender.scenes import character_of, contents, fcurves, keys, make_curve, make_rig, wild_motion
from tests.blender.scripted import answer_at_once
from tests.marks import long_but
from tests.motion.synthetic import Walk, walked

LEGS = Choices(parts=frozenset({"LEGS"}))
LEGS_AND_TRUNK = Choices(parts=frozenset({"LEGS", "TRUNK"}))


def straight(armature: Any, length: float = 8.0, walk: Walk | None = None) -> tuple[Motion, Job]:
    return walked(Path([[2.0, 1.0], [2.0 + length, 1.0]]), walk, character_of(armature))


def poses(armature: Any, frame: float) -> dict[str, np.ndarray[Any, Any]]:
    bpy.context.scene.frame_set(int(frame), subframe=frame % 1.0)
    return {b.name: np.array(armature.matrix_world @ b.matrix) for b in armature.pose.bones}


def same(a: dict[str, Any], b: dict[str, Any], tolerance: float = 1e-4) -> bool:
    return all(np.abs(a[name] - b[name]).max() < tolerance for name in a)


def keyed_bones(action: Any) -> set[str]:
    return {c.data_path.split('"')[1] for c in fcurves(action) if '"' in c.data_path}


# --- every N frames --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("step", [2, 3, 10])
def test_keys_are_at_every_nth_frame_and_the_last(step: int) -> None:
    armature = make_rig()
    motion = wild_motion(character_of(armature))
    done = bake(armature, motion, 5, "HIPS", Choices(step=step))
    expected = [*range(5, 29, step), 29]
    assert done.frames.tolist() == expected
    for curve in fcurves(done.action):
        assert [p.co[0] for p in curve.keyframe_points] == expected
        assert {p.interpolation for p in curve.keyframe_points} == {"BEZIER"}
        assert {p.handle_left_type for p in curve.keyframe_points} == {"AUTO_CLAMPED"}
    far, turned = bake_error(armature, motion, expected)
    assert far < 0.05 and turned < 0.02


def test_how_far_the_bones_stray_between_the_keys_is_told(scene: Any) -> None:
    scene.render.fps = 60
    armature = make_rig()
    motion = wild_motion(character_of(armature))
    slow = replace(motion, times=8.0 * motion.times)
    assert bake(armature, slow, 1, "HIPS", Choices(step=2)).notes == ()
    done = bake(armature, motion, 1, "HIPS", Choices(step=10))
    between = sorted(set(range(1, 62)) - set(done.frames.tolist()))
    worst = bake_error(armature, motion, [1, *between])[0]
    assert worst > 5.0
    told = float(done.notes[0].split("stray by ")[1].split(" mm or more")[0])
    assert len(done.notes) == 1 and "Between the keys" in done.notes[0]
    assert 0.6 * worst < told <= worst + 0.5  # it looks at some frames only, those that are likely to be worst


# --- body parts ------------------------------------------------------------------------------------------------------


def add_clavicles(bones: Any) -> None:
    for side in "LR":
        arm = bones[f"upper_arm.{side}"]
        arm.use_connect = False
        made = bones.new(f"shoulder.{side}")
        made.head, made.tail, made.parent = arm.parent.tail, arm.head, arm.parent
        arm.parent = made


def arms_of(armature: Any) -> set[str]:
    stems = ("upper_arm", "forearm", "hand", "finger", "shoulder")
    return {b.name for b in armature.data.bones if b.name.startswith(stems)}


def wave(armature: Any) -> Any:
    """Give arms and a leg keys of all sorts; return the action."""
    for name in ("hand.L", "finger.L", "upper_arm.R", "shin.R"):
        bone = armature.pose.bones[name]
        for frame, angle in ((-3.5, 0.2), (4.0, 0.9), (11.25, -0.4)):
            bone.rotation_quaternion = Euler((angle, 0.5 * angle, 0.0)).to_quaternion()
            bone.keyframe_insert("rotation_quaternion", frame=frame, group="Waving")
    action = armature.animation_data.action
    for curve in fcurves(action):
        curve.extrapolation = "LINEAR"
        first, second, third = curve.keyframe_points
        first.interpolation, second.interpolation, second.easing = "BACK", "ELASTIC", "EASE_IN_OUT"
        second.amplitude, first.back = 0.3, 2.5
        third.handle_left_type, third.handle_left = "FREE", (9.0, 0.7)
        noise = curve.modifiers.new("NOISE")
        noise.strength, noise.use_restricted_range, noise.frame_start, noise.frame_end = 0.1, True, 20.0, 30.0
        envelope = curve.modifiers.new("ENVELOPE")
        for place in (3.0, 8.0):
            envelope.control_points.add(place)
        envelope.control_points.foreach_set("max", (0.4, 0.7))
        generator = curve.modifiers.new("GENERATOR")
        generator.use_additive, generator.poly_order, generator.coefficients = True, 2, (0.01, 0.02, 0.0003)
        curve.update()
    return action


def test_arms_that_are_kept_go_on_as_they_were() -> None:
    armature = make_rig(edit=add_clavicles)
    old = wave(armature)
    before = {(c.data_path, c.array_index): [c.evaluate(0.5 * i) for i in range(-20, 80)] for c in fcurves(old)}
    motion = wild_motion(character_of(armature))
    done = bake(armature, motion, 1, "HIPS", LEGS_AND_TRUNK)
    assert done.notes == ()
    assert keyed_bones(done.action) & arms_of(armature) == {"hand.L", "finger.L", "upper_arm.R"}
    assert tuple(done.action.frame_range) == (1.0, 25.0) and "keys at frames -4 to 25" in "".join(done.facts)
    copied = {(c.data_path, c.array_index): c for c in fcurves(done.action) if c.data_path.split('"')[1] != "shin.R"}
    found = {k: [copied[k].evaluate(0.5 * i) for i in range(-20, 80)] for k in before if "shin" not in k[0]}
    assert len(found) == 12
    for key, values in found.items():
        assert values == pytest.approx(before[key], abs=1e-6)
        assert copied[key].group.name == "Waving"
        assert len(copied[key].modifiers) == 3
    shin = [v for (path, _), v in keys(done.action).items() if '"shin.R"' in path]
    assert all(len(v) == len(done.frames) for v in shin)  # the walk's, not the wave's
    assert keys(old)


def test_bones_that_are_kept_without_keys_keep_their_pose() -> None:
    armature = make_rig(edit=add_clavicles)
    for name in (*arms_of(armature), "head", "torso", "thigh.L", "spine.002"):
        if name in armature.pose.bones:
            armature.pose.bones[name].rotation_quaternion = Euler((0.3, 0.2, 0.1)).to_quaternion()
    before = {b.name: b.matrix_basis.copy() for b in armature.pose.bones}
    motion = wild_motion(character_of(armature))
    assert bake(armature, motion, 1, "HIPS", LEGS_AND_TRUNK).notes == ()
    for name in arms_of(armature):
        assert armature.pose.bones[name].matrix_basis == before[name]
    assert armature.pose.bones["torso"].matrix_basis == Matrix.Identity(4)
    kept = kept_bones(armature, motion.character, LEGS_AND_TRUNK.parts)
    assert kept == arms_of(armature)
    frames = list(range(1, 26))
    far, turned = bake_error(armature, judged(motion, kept), frames)
    assert far < 0.05 and turned < 0.02
    assert bake_error(armature, motion, frames)[1] > 10.0


def test_legs_alone_leave_the_trunk_and_all_that_hangs_on_it() -> None:
    armature = make_rig(edit=add_clavicles)
    done = bake(armature, wild_motion(character_of(armature)), 1, "HIPS", LEGS)
    legs = {f"{part}.{side}" for part in ("thigh", "shin", "foot", "toe") for side in "LR"}
    assert keyed_bones(done.action) - legs == {"spine"} and keyed_bones(done.action) > legs
    assert done.notes == ()


def test_arms_on_a_trunk_that_is_kept_are_not_judged_by_the_walk() -> None:
    armature = make_rig()
    armature.pose.bones["spine.002"].rotation_quaternion = Euler((0.5, 0.0, 0.0)).to_quaternion()
    motion = wild_motion(character_of(armature))
    done = bake(armature, motion, 1, "HIPS", Choices(parts=frozenset({"ARMS"})))
    assert "hand.R" in keyed_bones(done.action) and "spine.002" not in keyed_bones(done.action)
    assert "thigh.L" not in keyed_bones(done.action)
    assert done.notes == ()


def test_the_controls_of_kept_bones_are_kept_too() -> None:
    def add_control(bones: Any) -> None:
        for name in ("hand_ik.L", "elbow_pole.L", "foot_ik.L", "arm_switch.L"):
            made = bones.new(name)
            made.head, made.tail, made.parent = (0.5, 0.0, 1.0), (0.5, 0.0, 1.2), bones["root"]
        target = bones.new("hand_target.L")
        target.head, target.tail, target.parent = (0.5, 0.0, 1.0), (0.5, 0.0, 1.1), bones["hand_ik.L"]

    armature = make_rig(edit=add_control)
    chain = armature.pose.bones["forearm.L"].constraints.new("IK")
    chain.target = chain.pole_target = armature
    chain.subtarget, chain.pole_subtarget, chain.chain_count = "hand_target.L", "elbow_pole.L", 2
    armature.pose.bones["arm_switch.L"]["IK"] = 1.0
    driver = chain.driver_add("influence").driver
    driver.type = "SUM"
    variable = driver.variables.new()
    variable.targets[0].id, variable.targets[0].data_path = armature, 'pose.bones["arm_switch.L"]["IK"]'
    armature.pose.bones["arm_switch.L"].keyframe_insert('["IK"]', frame=1)
    armature.pose.bones["hand_ik.L"].location = armature.pose.bones["foot_ik.L"].location = (0.1, 0.2, 0.3)
    motion = wild_motion(character_of(armature))
    kept = kept_bones(armature, motion.character, LEGS_AND_TRUNK.parts)
    assert {"hand_target.L", "hand_ik.L", "elbow_pole.L", "arm_switch.L"} <= kept and not kept & {
        "foot_ik.L",
        "root",
        "torso",
        "spine",
    }
    done = bake(armature, motion, 1, "HIPS", LEGS_AND_TRUNK)
    assert done.notes == ()
    assert keys(done.action)['pose.bones["arm_switch.L"]["IK"]', 0] == [(1.0, 1.0)]
    assert tuple(armature.pose.bones["hand_ik.L"].location) == pytest.approx((0.1, 0.2, 0.3))
    assert armature.pose.bones["foot_ik.L"].location.length == 0.0


# --- in place --------------------------------------------------------------------------------------------------------


def still(armature: Any, motion: Motion, job: Job, **choices: Any) -> Any:
    wanted = Choices(in_place=True, **choices)
    walk = shown(armature, motion, job, wanted)
    done = bake(armature, walk.motion, 1, walk.root, wanted)
    assert done.notes == () or choices.get("step", 1) > 1
    return walk, done


def test_in_place_it_walks_where_it_stands() -> None:
    armature = make_rig()
    armature.location, armature.rotation_euler.z = (7.0, -3.0, 0.0), 2.0
    motion, job = straight(armature)
    rest = {b.name: np.array(armature.matrix_world @ b.matrix_local) for b in armature.data.bones}
    still(armature, motion, job)
    assert tuple(armature.location) == (7.0, -3.0, 0.0)
    for frame in range(1, 200, 7):
        pose = poses(armature, frame)
        assert np.linalg.norm((pose["spine"] - rest["spine"])[:2, 3]) < 0.1
        assert np.abs(np.linalg.inv(rest["spine"][:3, :3]) @ pose["spine"][:3, :3] - np.eye(3)).max() < 0.05


@pytest.mark.parametrize("now", [1, 60])
def test_in_place_means_on_what_carries_it(now: int, scene: Any) -> None:
    carrier = bpy.data.objects.new("Ship", None)
    scene.collection.objects.link(carrier)
    for frame, x in ((1, 0.0), (100, 50.0)):
        carrier.location = (x, 0.0, 0.0)
        carrier.keyframe_insert("location", frame=frame)
    armature = make_rig()
    armature.parent = carrier
    scene.frame_set(now)
    motion, job = straight(armature)
    still(armature, motion, job)
    for frame in (1, 40, 80):
        scene.frame_set(frame)
        assert abs((armature.matrix_world @ armature.pose.bones["spine"].head).x - carrier.matrix_world[0][3]) < 0.1


# --- one stride ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rotation", long_but(["QUATERNION", "AXIS_ANGLE", "XYZ"], "QUATERNION"))
@pytest.mark.parametrize("fps, step", [(24, 1), (30, 1), (25, 3)])
def test_a_stride_repeats_without_a_seam(rotation: str, fps: int, step: int, scene: Any) -> None:
    scene.render.fps = fps
    armature = make_rig(seed=2)
    for bone in armature.pose.bones:
        bone.rotation_mode = rotation
    walk, done = still(armature, *straight(armature, walk=Walk(step_time=0.53)), cyclic=True, step=step)
    count = walk.cycle.frames
    assert done.frames[0] == 1 and done.frames[-1] == 1 + count
    for values in keys(done.action).values():
        assert values[0][1] == values[-1][1]
    first = poses(armature, 1)
    assert same(first, poses(armature, 1 + count)) and same(first, poses(armature, 1 + 7 * count))
    assert same(poses(armature, 4.5), poses(armature, 4.5 + 2 * count))
    assert not same(first, poses(armature, 1 + count // 2))
    action = done.action
    assert action.use_frame_range and action.use_cyclic
    assert tuple(action.frame_range) == (1.0, 1.0 + count)
    assert {m.type for c in fcurves(action) for m in c.modifiers} == {"CYCLES"}
    if step == 1:  # the foot that stands goes on through the seam as fast as ever: the handles there are a cycle's
        before, after = (poses(armature, 1 + count + x)["toe.R"][:3, 3] for x in (-0.25, 0.25))
        assert np.linalg.norm(after - before) == pytest.approx(0.5 * walk.cycle.speed / fps, rel=0.05)


def test_moved_at_the_cycles_speed_the_feet_stand(scene: Any) -> None:
    armature = make_rig()
    armature.rotation_euler.z = math.pi / 2.0  # the rig faces -y; now it walks along x
    walk, _ = still(armature, *straight(armature), cyclic=True)
    cycle = walk.cycle
    start = armature.location.x
    stance = next(s for s in gait_events.stances(walk.motion, 1) if s.opened)
    rate, count = scene.render.fps, cycle.frames
    spots = []
    for frame in range(math.ceil(stance.start * rate) + 1, math.floor(count + walk.motion.lifts[0, 0] * rate) - 1):
        armature.location.x = start + cycle.travel * frame / count
        spots.append(poses(armature, 1 + frame)["toe.R"][:3, 3])
    assert len(spots) > 10
    assert np.ptp(spots, axis=0).max() < 0.002  # of 0.6 m that the cycle slides meanwhile


# --- the whole way, from the panel -----------------------------------------------------------------------------------


@pytest.fixture
def ready(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A rig and a straight path of 8 m, chosen in the panel, and a worker that answers at once; returns the rig."""
    armature = make_rig()
    settings = armature.biped.walk
    settings.path = make_curve([(1.0, 2.0, 0.0), (9.0, 2.0, 0.0)])
    settings.speed = 1.0
    bpy.context.view_layer.update()
    status.end("", "INFO")
    answer_at_once(monkeypatch, lambda job, *_, **__: walked(job.path, Walk(speed=job.speed), job.character)[0])
    return armature


def test_one_stride_from_the_panel(ready: Any, scene: Any) -> None:
    walk_of(bpy.context).frame_start, scene.frame_end = 11, 20
    walk_of(bpy.context).markers = walk_of(bpy.context).footprints = True
    ready.biped.one_stride, ready.biped.pace = True, "EXACT"
    walk_of(bpy.context).speed = 1.0
    assert bpy.ops.biped.bake_walk() == {"FINISHED"}
    action = ready.animation_data.action
    assert tuple(action.frame_range) == (11.0, 35.0) and scene.frame_end == 35
    assert [(m.name, m.frame) for m in action.pose_markers] == [("L", 11), ("R", 23)]
    assert ready.biped.footprints is None
    text = status.message.replace("\N{NO-BREAK SPACE}", " ")
    assert "One stride of 1 m in 24 frames, looping: move the object at 1 m/s" in text
    assert "off the simulated stride" in text and status.level == "INFO"
    stride = action.biped.stride
    assert (stride.frames, stride.travel, stride.duration) == (24, pytest.approx(1.0, abs=1e-4), pytest.approx(1.0))
    result = result_of(ready)
    assert result
    lines = result_lines(result, scene.unit_settings)
    told = [f"{line.name} {line.text}".strip().replace("\N{NO-BREAK SPACE}", " ") for line in lines]
    assert told[:3] == [
        "One looping stride, in place", "Speed 1 m/s, at which to move the object", "Travel 1 m in 24 frames",
    ]  # fmt: skip
    assert told[3].startswith("Off the Walk up to 0 m and 0.0 degrees")
    ready.biped.one_stride = False
    bpy.ops.biped.bake_walk()
    result = result_of(ready)
    assert result and result.stride is None


@pytest.mark.long
def test_one_stride_of_a_simulated_walk(scene: Any) -> None:
    pytest.importorskip("pybullet")
    armature = make_rig(helpers=False)
    armature.biped.one_stride = True
    walk_of(bpy.context).path = make_curve([(0.0, 0.0, 0.0), (10.0, 0.0, 0.0)])
    assert bpy.ops.biped.bake_walk() == {"FINISHED"}
    stride = armature.animation_data.action.biped.stride
    assert 0.9 < stride.travel < 1.5 and 0.9 < stride.duration < 1.3
    assert abs(stride.stretch - 1.0) < 0.5 / stride.frames and abs(stride.turn) < math.radians(2.0)
    assert 0.0 < stride.blend < 0.04 and 0.0 < stride.blend_turn < math.radians(15.0)
    assert same(poses(armature, 1), poses(armature, 1 + 3 * stride.frames))
    assert status.level == "INFO"


def test_a_walk_that_is_too_short_for_a_stride_changes_nothing(ready: Any, scene: Any) -> None:
    ready.biped.one_stride = True
    walk_of(bpy.context).path.scale.x = 0.25
    bpy.context.view_layer.update()
    before = contents()
    with pytest.raises(RuntimeError, match="walk further"):
        bpy.ops.biped.bake_walk()
    assert contents() == before


def test_the_choices_reach_the_keys_and_are_told(ready: Any, scene: Any) -> None:
    ready.biped.root, ready.biped.body_parts, ready.biped.key_step = "IN_PLACE", {"LEGS", "TRUNK"}, 2
    ready.biped.onto = "STRIP"
    bpy.ops.biped.bake_walk()
    assert ready.animation_data.action is None
    action = ready.animation_data.nla_tracks[-1].strips[0].action
    assert not keyed_bones(action) & arms_of(ready)
    assert [x for x, _ in next(iter(keys(action).values()))][:3] == [1.0, 3.0, 5.0]
    for said in ("It walks in place.", "Only hips, legs, trunk.", "Keys every 2 frames.", "An NLA strip above"):
        assert said in status.message
    result = result_of(ready)
    assert result is not None and result.action == action and not result.active


def test_by_default_everything_is_baked() -> None:
    armature = make_rig()
    assert set(armature.biped.body_parts) == ALL_PARTS
    assert (armature.biped.key_step, armature.biped.onto, armature.biped.one_stride) == (1, "REPLACE", False)
