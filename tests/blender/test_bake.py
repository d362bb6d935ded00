"""The bake: the posed bones are where the simulated links were, whatever the rig, and nothing else has changed."""

from __future__ import annotations

import itertools
import math
import time
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Euler, Matrix, Vector

from blender_biped.base.errors import RigError
from blender_biped.ui.bake.accuracy import bake_error
from blender_biped.ui.bake.keyframes import Root, bake, frames_of
from tests.blender.scenes import character_of, contents, fcurves, keys, make_rig, shared_rig, wild_motion
from tests.marks import long_but

MM, DEGREES = 0.05, 0.02  # float32 keys of a character 1.75 m tall, metres from the origin
ROOTS = ("HIPS", "ROOT_BONE", "OBJECT")


def baked(armature: Any, root: Root = "HIPS", seed: int = 0, start: int = 1) -> tuple[float, float]:
    """Bake a wild motion and return the bake error over all its frames, (mm, degrees)."""
    motion = wild_motion(character_of(armature), seed)
    done = bake(armature, motion, start, root)
    assert done.notes == ()
    return bake_error(armature, motion, done.frames.tolist())


def exact(error: tuple[float, float]) -> bool:
    return error[0] <= MM and error[1] <= DEGREES


def bone_names(action: Any) -> set[str]:
    return {c.data_path.split('"')[1] for c in fcurves(action) if '"' in c.data_path}


# --- what is exact ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("root", ROOTS)
@pytest.mark.parametrize("seed", long_but(range(3), 0))
def test_any_bone_roll(root: Root, seed: int) -> None:
    assert exact(baked(make_rig(seed=seed), root, seed))


def test_the_error_measures_what_is_wrong() -> None:
    armature = make_rig()
    motion = wild_motion(character_of(armature))
    frames = bake(armature, motion).frames.tolist()
    leg = motion.character.leg_length
    armature.location.x += 0.010
    assert bake_error(armature, motion, frames)[0] == pytest.approx(10.0 * 0.9 / leg, rel=1e-3)
    assert bake_error(armature, motion, frames)[1] <= DEGREES
    armature.location.x -= 0.010
    armature.rotation_euler.z += math.radians(3.0)
    assert bake_error(armature, motion, frames)[1] == pytest.approx(3.0, rel=1e-3)


@pytest.mark.parametrize("root", ROOTS)
@pytest.mark.parametrize("scale", long_but([0.01, 1.0, 100.0], 0.01))
def test_any_place_turn_and_even_scale(root: Root, scale: float) -> None:
    armature = make_rig(seed=1, scale=scale)
    armature.location = (-4.0, 7.0, 0.3)
    armature.rotation_euler = (0.1, -0.2, 2.0)
    assert exact(baked(armature, root))


@pytest.mark.parametrize("mode", long_but(["QUATERNION", "AXIS_ANGLE", "XYZ", "ZXY"], "QUATERNION", "XYZ"))
def test_the_object_carries_the_travel_in_its_own_rotation_mode(mode: str) -> None:
    armature = make_rig()
    armature.rotation_mode = mode
    armature.matrix_basis = Matrix.LocRotScale(Vector((1.0, 2.0, 0.0)), Euler((0.3, 0.2, 1.0)), Vector((1.0, 1.0, 1.0)))
    armature.delta_location = (0.5, -0.25, 0.125)
    armature.delta_rotation_euler = (0.2, 0.1, -0.4)
    armature.delta_rotation_quaternion = Euler((0.2, 0.1, -0.4)).to_quaternion()
    assert exact(baked(armature, "OBJECT"))


@pytest.mark.parametrize("root", long_but(ROOTS, "HIPS"))
def test_a_parent_that_moves(root: Root, scene: Any) -> None:
    carrier = bpy.data.objects.new("Carrier", None)
    scene.collection.objects.link(carrier)
    for frame, angle in ((1, 0.0), (30, 1.0)):
        carrier.rotation_euler, carrier.location = (angle, 0.5 * angle, -angle), (2.0 * angle, 0.0, 1.0)
        carrier.keyframe_insert("rotation_euler", frame=frame)
        carrier.keyframe_insert("location", frame=frame)
    armature = make_rig()
    armature.parent = carrier
    armature.matrix_parent_inverse = Matrix.Rotation(0.7, 4, "X") @ Matrix.Translation((1.0, 0.0, 0.0))
    scene.frame_set(4)
    assert exact(baked(armature, root))
    assert scene.frame_current == 4


@pytest.mark.parametrize("root", long_but(ROOTS, "OBJECT"))
def test_a_scene_in_centimetres(root: Root, scene: Any) -> None:
    scene.unit_settings.scale_length = 0.01
    armature = make_rig()
    armature.scale = (100.0, 100.0, 100.0)
    character = character_of(armature)
    assert character.stand_height == pytest.approx(0.53 * 1.75, abs=0.02)
    assert exact(baked(armature, root))


@pytest.mark.parametrize("root", long_but(ROOTS, "HIPS"))
@pytest.mark.parametrize("flags", list(itertools.product((True, False), repeat=2)), ids=str)
def test_any_inheritance(root: Root, flags: tuple[bool, bool]) -> None:
    armature = make_rig(seed=3)
    scales = ("FULL", "FIX_SHEAR", "ALIGNED", "AVERAGE", "NONE", "NONE_LEGACY")
    for i, bone in enumerate(armature.data.bones):
        bone.use_inherit_rotation, bone.use_local_location = flags
        if i % 3 == 0:  # neighbours differ
            bone.use_inherit_rotation = True
        bone.inherit_scale = scales[i % len(scales)]
    assert exact(baked(armature, root))


@pytest.mark.parametrize(
    "mode", long_but(["AXIS_ANGLE", "XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX"], "AXIS_ANGLE", "ZYX")
)
def test_each_bone_keeps_its_rotation_mode_and_turns_without_jumps(mode: str) -> None:
    armature = make_rig(seed=2)
    for bone in armature.pose.bones:
        bone.rotation_mode = mode
    assert exact(baked(armature))
    assert {b.rotation_mode for b in armature.pose.bones} == {mode}
    path = "rotation_axis_angle" if mode == "AXIS_ANGLE" else "rotation_euler"
    curves = {k: np.array(v)[:, 1] for k, v in keys(armature.animation_data.action).items() if k[0].endswith(path)}
    assert curves
    steps = {k: np.abs(np.diff(v)).max() for k, v in curves.items() if mode != "AXIS_ANGLE" or k[1] == 0}
    assert max(steps.values()) < math.pi


def test_quaternions_take_the_short_way() -> None:
    armature = make_rig()
    baked(armature)
    curves = {k: np.array(v)[:, 1] for k, v in keys(armature.animation_data.action).items()}
    for path in {p for p, _ in curves if p.endswith("rotation_quaternion")}:
        q = np.stack([curves[path, i] for i in range(4)], axis=1)
        assert (np.sum(q[1:] * q[:-1], axis=1) > 0.0).all()


@pytest.mark.parametrize("fps, base", [(24, 1.0), (25, 1.0), (30, 1.001), (30, 1.0), (60, 1.0)])
def test_any_frame_rate_from_any_frame(fps: int, base: float, scene: Any) -> None:
    scene.render.fps, scene.render.fps_base = fps, base
    armature = make_rig()
    motion = wild_motion(character_of(armature))
    done = bake(armature, motion, -7)
    rate = fps / base
    assert done.frames[0] == -7
    assert len(done.frames) == math.floor(motion.duration * rate + 1e-6) + 1
    assert exact(bake_error(armature, motion, done.frames.tolist()))


def test_feet_that_do_not_hang_on_the_shins_get_locations() -> None:
    def loosen(bones: Any) -> None:
        for side in "LR":
            bones[f"foot.{side}"].parent = bones["root"]

    armature = make_rig(edit=loosen)
    assert exact(baked(armature))
    located = {p for p, _ in keys(armature.animation_data.action) if p.endswith("location")}
    assert located == {f'pose.bones["{n}"].location' for n in ("spine", "foot.L", "foot.R")}


@pytest.mark.parametrize("root", long_but(ROOTS, "HIPS"))
def test_hips_that_cannot_move_are_carried(root: Root) -> None:
    def connect(bones: Any) -> None:
        bones["torso"].tail = bones["spine"].head
        bones["spine"].use_connect = True

    armature = make_rig(edit=connect, seed=4)
    armature.rotation_euler = (0.0, 0.1, 2.0)
    assert exact(baked(armature, root))
    located = {p for p, _ in keys(armature.animation_data.action) if p.endswith("location")}
    carrier = {"HIPS": {'pose.bones["torso"].location'}, "ROOT_BONE": {'pose.bones["root"].location'}}
    assert located == carrier.get(root, {"location"})


def test_hips_that_are_connected_to_a_body_part_are_refused() -> None:
    def connect(bones: Any) -> None:
        for bone in ("spine.001", "spine.002"):
            bones[bone].use_connect = False
        bones["spine.001"].parent = bones["torso"]
        bones["spine"].parent = bones["spine.001"]
        bones["spine.001"].tail = bones["spine"].head
        bones["spine"].use_connect = True

    armature = make_rig(edit=connect)
    motion, before = wild_motion(character_of(armature)), contents()
    with pytest.raises(RigError, match=r"'spine' is connected to 'spine.001', so it cannot move: untick Connected"):
        bake(armature, motion)
    assert contents() == before


def test_between_frames_the_bones_stay_near_the_motion(scene: Any) -> None:
    scene.render.fps = 30
    armature = make_rig()
    motion = wild_motion(character_of(armature))
    bake(armature, motion)
    worst = 0.0
    for frame in (10.5, 20.25):
        scene.frame_set(int(frame), subframe=frame % 1.0)
        head = armature.matrix_world @ armature.pose.bones["toe.L"].head
        at = motion.sampled([(frame - 1.0) / 30.0])
        worst = max(worst, float(np.linalg.norm(at.origins[0, at.character.index("toes.L")] - head)))
    assert worst < 0.01


# --- real rigs -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("root", long_but(["HIPS", "OBJECT"], "HIPS"))
@pytest.mark.parametrize(
    "file",
    [
        *long_but(["kaykit_Mage.glb", "m2mvar_human-male.glb", "mpfb_cmu_mb_adult.blend", "mpfb_mixamo_adult.blend",
                   "mpfb_gameengine_female.blend", "vrmaddon_basic_armature.blend"]),
        "derived_cm_yup_yaw90.blend", "mpfb_default_full_dm.blend", "qs_Witch.glb",
        "rigify_basic_human_metarig.blend", "three_RobotExpressive.glb",
    ],
)  # fmt: skip
def test_rigs_that_nobody_here_made(file: str, root: Root) -> None:
    path = str(shared_rig(file))
    if file.endswith(".blend"):
        bpy.ops.wm.open_mainfile(filepath=path, load_ui=False, use_scripts=False)
    else:
        bpy.ops.import_scene.gltf(filepath=path)
    armature = next(o for o in bpy.context.scene.objects if o.type == "ARMATURE")
    far, turned = baked(armature, root)
    assert far < 0.2 and turned < DEGREES  # some rigs have their own single-precision noise


def test_a_rig_with_solvers_is_freed_of_them_by_the_action() -> None:
    bpy.ops.wm.open_mainfile(filepath=str(shared_rig("q_Male_Casual.blend")), load_ui=False, use_scripts=False)
    armature = next(o for o in bpy.context.scene.objects if o.type == "ARMATURE")
    motion = wild_motion(character_of(armature))
    done = bake(armature, motion)
    assert exact(bake_error(armature, motion, done.frames.tolist()))
    assert len(done.notes) == 1 and "turns off" in done.notes[0]
    assert "IK on LowerLeg.L, IK on LowerLeg.R" in done.notes[0]


# --- what carries the travel -----------------------------------------------------------------------------------------


def test_on_the_hips_the_object_stays() -> None:
    armature = make_rig()
    armature.location = (1.0, 2.0, 0.0)
    baked(armature)
    assert tuple(armature.location) == (1.0, 2.0, 0.0)
    assert bone_names(armature.animation_data.action) == _mapped(armature)
    assert all('"' in path for path, _ in keys(armature.animation_data.action))


@pytest.mark.parametrize("root", ["ROOT_BONE", "OBJECT"])
def test_the_carrier_stays_upright_on_its_ground_under_the_hips(root: Root, scene: Any) -> None:
    armature = make_rig()
    motion = wild_motion(character_of(armature))
    frames = bake(armature, motion, 1, root).frames
    sampled = motion.sampled((frames - 1) / scene.render.fps)
    for frame, hip in zip(frames, sampled.root, strict=True):
        scene.frame_set(int(frame))
        local = armature.pose.bones["root"].matrix if root == "ROOT_BONE" else armature.data.bones["root"].matrix_local
        carrier = armature.matrix_world @ local
        assert carrier.translation.z == pytest.approx(0.0, abs=1e-5)
        assert carrier.to_3x3().col[1].z == pytest.approx(0.0, abs=1e-5)
        ends = frame in (frames[0], frames[-1])
        assert np.linalg.norm(np.array(carrier.translation)[:2] - hip[:2]) < (1e-3 if ends else 0.6)
    names = bone_names(armature.animation_data.action)
    assert names == (_mapped(armature) | {"root"} if root == "ROOT_BONE" else _mapped(armature))


def test_without_a_root_bone_it_cannot_carry() -> None:
    armature = make_rig(helpers=False)
    motion, before = wild_motion(character_of(armature)), contents()
    with pytest.raises(RigError, match=r"no root bone above its hips .* choose Hips or Object"):
        bake(armature, motion, 1, "ROOT_BONE")
    assert contents() == before


def _mapped(armature: Any) -> set[str]:
    return {name for link in character_of(armature).links for name in link.bones}


# --- what happens to what was there ----------------------------------------------------------------------------------


def test_the_action_before_stays_as_it_was() -> None:
    armature = make_rig()
    bone = armature.pose.bones["hand.L"]
    for frame in (1, 10):
        bone.rotation_quaternion = Euler((0.1 * frame, 0.0, 0.0)).to_quaternion()
        bone.keyframe_insert("rotation_quaternion", frame=frame)
    old = armature.animation_data.action
    old.name = "Mine"
    before = keys(old)
    assert exact(baked(armature))
    new = armature.animation_data.action
    assert new != old and new.name == "Rig Walk"
    assert keys(bpy.data.actions["Mine"]) == before
    assert bpy.data.actions["Mine"].use_fake_user
    baked(armature)
    assert armature.animation_data.action.name == "Rig Walk.001"
    assert bpy.data.actions["Rig Walk"].use_fake_user


def test_an_action_that_others_use_gets_no_fake_user() -> None:
    armature, other = make_rig(), make_rig("Other")
    armature.keyframe_insert("location", frame=1)
    other.animation_data_create().action = armature.animation_data.action
    old = armature.animation_data.action
    baked(armature)
    assert other.animation_data.action == old and not old.use_fake_user


def test_bones_that_are_not_mapped_go_back_to_rest() -> None:
    armature = make_rig()
    for name in ("root", "torso", "spreader.L", "finger.L"):
        armature.pose.bones[name].location = (0.1, 0.2, 0.3)
        armature.pose.bones[name].scale = (2.0, 1.0, 1.0)
    armature.pose.bones["shin.L"].scale = (1.0, 1.5, 1.0)
    assert exact(baked(armature))
    for name in ("root", "torso", "spreader.L", "finger.L"):
        assert armature.pose.bones[name].matrix_basis == Matrix.Identity(4)


def test_what_else_moves_the_bones_is_told() -> None:
    armature = make_rig()
    driver = armature.pose.bones["shin.L"].driver_add("scale", 1).driver
    driver.type, driver.expression = "SCRIPTED", "1.5"
    motion = wild_motion(character_of(armature))
    notes = bake(armature, motion).notes
    assert len(notes) == 1 and "off the simulated walk" in notes[0] and "drivers" in notes[0]
    armature.animation_data.drivers[0].mute = True
    armature.pose.bones["shin.L"].scale = (1.0, 1.0, 1.0)
    assert bake(armature, motion).notes == ()


def test_a_rest_position_that_hides_the_walk_is_told() -> None:
    armature = make_rig()
    armature.data.pose_position = "REST"
    assert "rest position" in bake(armature, wild_motion(character_of(armature))).notes[0]


@pytest.mark.parametrize(
    "spoil, message",
    [
        (lambda a: setattr(a.data.bones["shin.L"], "name", "calf"), "no bone 'shin.L' any more: press Map Bones"),
        (lambda a: setattr(a, "scale", (0.0, 0.0, 0.0)), "a scale of zero: set it to 1"),
        (lambda a: setattr(a, "scale", (1.0, 1.0, 0.0)), "a scale of zero: set it to 1"),
    ],
    ids=["renamed", "nothing", "flat"],
)
def test_an_armature_that_has_changed_is_refused(spoil: Any, message: str) -> None:
    armature = make_rig()
    motion = wild_motion(character_of(armature))
    spoil(armature)
    bpy.context.view_layer.update()
    before = contents()
    with pytest.raises(RigError, match=message):
        bake(armature, motion)
    assert contents() == before


def test_undo_brings_everything_back() -> None:
    armature = make_rig()
    armature.keyframe_insert("location", frame=1)
    armature.pose.bones["hand.L"].location = (0.1, 0.0, 0.0)
    motion = wild_motion(character_of(armature))
    bpy.ops.ed.undo_push(message="before")
    before = contents()
    bake(armature, motion, 1, "OBJECT")
    bpy.ops.ed.undo_push(message="Bake Walk")
    assert contents() != before
    bpy.ops.ed.undo()
    assert contents() == before


# --- how fast --------------------------------------------------------------------------------------------------------


def test_writing_time_is_told(scene: Any, capsys: pytest.CaptureFixture[str]) -> None:
    armature = make_rig()
    scene.render.fps = 100
    motion = wild_motion(character_of(armature), duration=10.0)
    frames = frames_of(motion, scene, 1)
    began = time.perf_counter()
    done = bake(armature, motion)
    whole = time.perf_counter() - began
    count = sum(len(c.keyframe_points) for c in fcurves(done.action))
    assert len(done.frames) == len(frames) == 1001
    with capsys.disabled():
        share = count / (1000 * 60 * 4)
        print(
            f"\n{count} keys: written in {done.write_s:.3f} s, {done.write_s / share:.3f} s for 1,000 frames of "
            f"60 bones; the whole bake {whole:.3f} s"
        )
    assert 0.0 < done.write_s < whole
