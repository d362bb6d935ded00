"""Hands in a bake: fingers that nothing moves are relaxed, those that something moves are left to it."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Euler, Matrix, Quaternion

from blender_biped.character.fingers import fingers_of
from blender_biped.ui.bake.choices import Choices, choices_of
from blender_biped.ui.bake.keyframes import bake
from blender_biped.ui.base.reading import read_armature
from tests.blender.scenes import character_of, gentle_motion, keys, make_rig, shared_rig
from tests.marks import long_but

RELAX = Choices(relax=True)
KINDS = ("thumb", "index", "middle", "ring", "pinky")


def add_fingers(bones: Any) -> None:
    """Give a rig's hands fingers along the hand, with the thumb in front, and other things."""
    for side in "LR":
        hand = bones[f"hand.{side}"]
        along = (hand.tail - hand.head).normalized()
        size = (hand.tail - hand.head).length
        front = hand.head.copy() * 0.0
        front.y = -1.0  # the rig faces -y
        for i, kind in enumerate(KINDS):
            at = hand.head + along * size * (0.3 if not i else 0.9) + front * size * (0.4 - 0.15 * i)
            way = (along + front).normalized() if not i else along
            parent = hand
            for joint in (1, 2, 3):
                made = bones.new(f"{kind}.{joint:02}.{side}")
                made.head, made.tail, made.parent = at, at + way * 0.3 * size, parent
                parent, at = made, made.tail.copy()
        sword = bones.new(f"sword.{side}")
        sword.head, sword.tail, sword.parent = hand.tail, hand.tail + front, hand


def fingered(**more: Any) -> Any:
    return make_rig(edit=add_fingers, helpers=False, **more)


def finger_paths(action: Any) -> set[str]:
    return {path.split('"')[1] for path, _ in keys(action) if any(kind in path for kind in KINDS)}


def flexion(armature: Any, side: str) -> dict[str, float]:
    """Return how far the end of each finger has come towards the palm, in lengths of the finger."""
    bones = armature.pose.bones
    hand = bones[f"hand.{side}"]
    out = {}
    for kind in KINDS[1:]:
        rest = armature.data.bones
        first, last = rest[f"{kind}.01.{side}"], rest[f"{kind}.03.{side}"]
        carried = hand.matrix @ hand.bone.matrix_local.inverted()
        before = carried @ last.tail_local
        palm = first.head_local.copy()
        along = (rest[f"hand.{side}"].tail_local - rest[f"hand.{side}"].head_local).normalized()
        palm = along.cross((0.0, -1.0, 0.0)) * (1.0 if side == "L" else -1.0)
        way = (carried.to_3x3() @ palm).normalized()
        size = (last.tail_local - first.head_local).length
        out[kind] = (bones[f"{kind}.03.{side}"].tail - before).dot(way) / size
    return out


@pytest.mark.parametrize("mode", ["QUATERNION", "XYZ", "AXIS_ANGLE"])
@pytest.mark.parametrize("seed", long_but([None, 1, 2], None))
def test_fingers_curl_inwards_on_both_sides(seed: int | None, mode: str) -> None:
    armature = fingered(seed=seed)
    for bone in armature.pose.bones:
        bone.rotation_mode = mode
    motion = gentle_motion(character_of(armature), 0.5)
    done = bake(armature, motion, 7, "HIPS", RELAX)
    assert done.notes == ()
    found = keys(done.action)
    held = {path: values for (path, _), values in found.items() if any(kind in path for kind in KINDS)}
    assert len(held) == 30 and all(len(v) == 1 and v[0][0] == 7.0 for v in held.values())
    assert not any("sword" in path for path, _ in found)
    for frame in (7, 15):
        bpy.context.scene.frame_set(frame)
        for side in "LR":
            assert all(0.4 < x < 0.8 for x in flexion(armature, side).values())


def test_hands_that_shall_not_be_relaxed_stay_spread() -> None:
    armature = fingered()
    assert choices_of(armature).relax
    armature.biped.relax_hands = False
    choices = choices_of(armature)
    assert not choices.relax
    done = bake(armature, gentle_motion(character_of(armature), 0.5), 1, "HIPS", choices)
    assert not finger_paths(done.action)
    assert armature.pose.bones["index.01.L"].matrix_basis == Matrix.Identity(4)


def test_a_finger_that_is_posed_keeps_its_pose() -> None:
    armature = fingered()
    posed = armature.pose.bones["index.02.L"]
    posed.rotation_quaternion = Quaternion((1.0, 0.0, 0.0), 0.9)
    before = posed.matrix_basis.copy()
    done = bake(armature, gentle_motion(character_of(armature), 0.5), 1, "HIPS", RELAX)
    assert posed.matrix_basis == before
    assert len(finger_paths(done.action)) == 27 and not any(
        "index" in p and p.endswith("L") for p in finger_paths(done.action)
    )


def test_a_finger_that_is_animated_stays_so() -> None:
    armature = fingered()
    bone = armature.pose.bones["ring.01.R"]
    for frame, angle in ((1, 0.2), (9, 0.7)):
        bone.rotation_quaternion = Euler((angle, 0.0, 0.0)).to_quaternion()
        bone.keyframe_insert("rotation_quaternion", frame=frame)
    path = 'pose.bones["ring.01.R"].rotation_quaternion'
    before = [keys(armature.animation_data.action)[path, i] for i in range(4)]
    motion = gentle_motion(character_of(armature), 0.5)
    for onto in ("ACTION", "REPLACE"):
        done = bake(armature, motion, 1, "HIPS", Choices(relax=True, onto=onto))
        assert [keys(done.action)[path, i] for i in range(4)] == before
        assert len(finger_paths(done.action)) == 28  # its own first joint, and the other fingers


@pytest.mark.parametrize("keyed", [(1, 500, 2000), (0.8, 5.0), (3, 9)])
def test_an_action_is_as_long_as_its_walk_whatever_fingers_are_keyed(keyed: tuple[float, ...]) -> None:
    armature = fingered()
    bone = armature.pose.bones["ring.01.R"]
    for frame in keyed:
        bone.rotation_quaternion = Euler((0.1 * frame % 1.0 + 0.2, 0.0, 0.0)).to_quaternion()
        bone.keyframe_insert("rotation_quaternion", frame=frame)
    motion = gentle_motion(character_of(armature), 0.5)
    beyond = keyed != (3, 9)
    for onto in ("ACTION", "REPLACE"):
        done = bake(armature, motion, 1, "HIPS", Choices(relax=True, onto=onto))
        assert tuple(done.action.frame_range) == (1.0, 13.0) and done.action.use_frame_range == beyond
        assert any("Fingers keep the animation that they had" in fact for fact in done.facts)
        said = f"keys at frames {min(keyed):.0f} to {max(*keyed, 13):.0f}."
        assert any(said in fact for fact in done.facts) == beyond
    armature.animation_data.action.frame_end = 20  # what the user does with the range stays until the next bake
    assert tuple(bake(armature, motion, 1, "HIPS", RELAX).action.frame_range) == (1.0, 13.0)


def test_keys_at_rest_are_no_animation() -> None:
    armature = fingered()
    for bone in armature.pose.bones:
        bone.keyframe_insert("rotation_quaternion", frame=1)
    done = bake(armature, gentle_motion(character_of(armature), 0.5), 1, "HIPS", RELAX)
    assert len(finger_paths(done.action)) == 30


@pytest.mark.parametrize("onto", ["ACTION", "REPLACE", "STRIP"])
def test_a_bake_again_relaxes_again(onto: Any) -> None:
    armature = fingered()
    motion = gentle_motion(character_of(armature), 0.5)
    for _ in range(3):
        done = bake(armature, motion, 1, "HIPS", Choices(relax=True, onto=onto))
        if onto != "STRIP":
            assert len(finger_paths(done.action)) == 30
        bpy.context.scene.frame_set(5)
        assert min(flexion(armature, "L").values()) > 0.4
    armature.biped.relax_hands = False
    done = bake(armature, motion, 1, "HIPS", Choices(onto="REPLACE"))
    assert not finger_paths(done.action)


def test_arms_that_are_kept_keep_their_fingers() -> None:
    armature = fingered()
    done = bake(
        armature, gentle_motion(character_of(armature), 0.5), 1, "HIPS", Choices(relax=True, parts=frozenset(("LEGS",)))
    )
    assert not finger_paths(done.action)


def test_fingers_with_a_driver_are_left_to_it() -> None:
    armature = fingered()
    driver = armature.pose.bones["middle.01.L"].driver_add("rotation_quaternion", 1).driver
    driver.type, driver.expression = "SCRIPTED", "0.3"
    done = bake(armature, gentle_motion(character_of(armature), 0.5), 1, "HIPS", RELAX)
    assert len(finger_paths(done.action)) == 27


@pytest.mark.parametrize(
    "file",
    [
        "qs_Witch.glb", "m2mvar_human-male.glb", "mpfb_mixamo_adult.blend", "mpfb_gameengine_female.blend",
        "mpfb_default_full_dm.blend", "vrmaddon_basic_armature.blend",
    ],
)  # fmt: skip
def test_hands_of_rigs_that_nobody_here_made(file: str) -> None:
    path = str(shared_rig(file))
    if file.endswith(".blend"):
        bpy.ops.wm.open_mainfile(filepath=path, load_ui=False, use_scripts=False)
    else:
        bpy.ops.import_scene.gltf(filepath=path)
    armature = next(o for o in bpy.context.scene.objects if o.type == "ARMATURE")
    if armature.animation_data:
        armature.animation_data.action = None
    for bone in armature.pose.bones:
        bone.matrix_basis = Matrix.Identity(4)
    character = character_of(armature)
    rig = read_armature(armature, 1.0)
    done = bake(armature, gentle_motion(character, 0.2), 1, "HIPS", RELAX)
    bones, turned = armature.pose.bones, {}
    for side in "LR":
        hand, forearm = (character.links[character.index(f"{part}.{side}")].bones[0] for part in ("hand", "forearm"))
        fingers = [f for f in fingers_of(rig, hand, forearm, side) if f.kind != "thumb"]
        assert len(fingers) == 4
        # A hand hangs with its palm to the thigh: relaxed, the fingers' ends come nearer to the body's middle.
        carried = bones[hand].matrix @ bones[hand].bone.matrix_local.inverted()
        middle = bones[character.first_bones[0]].matrix.translation
        for finger in fingers:
            tail = finger.bones[-1]
            before, after = carried @ bones[tail].bone.tail_local, bones[tail].tail
            size = (bones[tail].bone.tail_local - bones[finger.bones[0]].bone.head_local).length
            across = np.array(bones[hand].matrix.translation - middle)
            across -= (across @ _up(bones, character)) * _up(bones, character)
            across /= np.linalg.norm(across)
            turned[side, finger.kind] = float(across @ np.array(before - after)) / size
    assert len(turned) == 8 and min(turned.values()) > 0.1, turned
    assert len({path for path, _ in keys(done.action)}) > 30


def _up(bones: Any, character: Any) -> Any:
    place = {
        role: bones[character.links[character.index(role)].bones[0]].matrix.translation for role in ("head", "pelvis")
    }
    up = np.array(place["head"] - place["pelvis"])
    return up / np.linalg.norm(up)
