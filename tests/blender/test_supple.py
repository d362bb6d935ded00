"""A bake that spreads turns: all of spine and neck take part, chest, head and feet stay, and arms move as is said."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import bpy
import numpy as np
import pytest

from blender_biped.base.spatial import Array, matrix_quaternion, rotation_vector
from blender_biped.character.body import build_character
from blender_biped.character.model import Character
from blender_biped.character.roles import map_bones
from blender_biped.motion.motion import Motion
from blender_biped.ui.bake.accuracy import bake_error
from blender_biped.ui.bake.choices import Choices, Tolerance, choices_of
from blender_biped.ui.bake.keyframes import bake
from blender_biped.ui.bake.supple import Sharing, supple_of
from blender_biped.ui.bake.writing import choices_for
from blender_biped.ui.base.reading import metres, read_armature
from tests.blender.scenes import character_of, fcurves, gentle_motion, make_rig, wild_motion

SUPPLE, SPREAD, STIFF = Sharing(True, 1.0), Sharing(True, 0.0), Sharing()
OFF_MM, DEGREES = 0.4, 0.02  # of a leg of 0.90 m: what spread bones may lose of their line
FRAMES = (1, 7, 13, 19)  # arms are as far ahead or back as they come at the second and the last


def with_neck(bones: Any) -> None:
    """Cut the standard adult's head into a neck and a head."""
    neck = bones["spine.004"]
    head = bones.new("spine.005")
    head.head, head.tail = neck.head.lerp(neck.tail, 0.3), neck.tail
    head.parent, neck.tail = neck, head.head


def necked(**more: Any) -> Any:
    return make_rig(edit=with_neck, **more)


def poses(armature: Any, motion: Motion, sharing: Sharing, **more: Any) -> dict[str, Array]:
    """Return the matrices (F, 4, 4) of all bones at some frames of a bake."""
    assert bake(armature, motion, 1, "HIPS", Choices(sharing=sharing, **more)).notes == ()
    found: dict[str, list[Array]] = {bone.name: [] for bone in armature.pose.bones}
    for frame in FRAMES:
        bpy.context.scene.frame_set(frame)
        for bone in armature.pose.bones:
            found[bone.name].append(np.array(bone.matrix))
    return {name: np.array(matrices) for name, matrices in found.items()}


def far(one: Array, other: Array) -> float:
    """Return how far the heads of a bone (F, 4, 4) are apart, mm."""
    return 1000.0 * float(np.linalg.norm(one[:, :3, 3] - other[:, :3, 3], axis=-1).max())


def turned(one: Array, other: Array) -> float:
    """Return by how much a bone's orientations (F, 4, 4) differ, degrees."""
    between = matrix_quaternion(one[:, :3, :3].swapaxes(1, 2) @ other[:, :3, :3])
    return float(np.degrees(np.linalg.norm(rotation_vector(between), axis=-1).max()))


def bent(found: dict[str, Array], below: str, above: str) -> float:
    """Return how far the turn from one bone to the next is from that of the second frame, degrees."""
    between = found[below][:, :3, :3].swapaxes(1, 2) @ found[above][:, :3, :3]
    return turned(np.tile(np.eye(4)[None], (len(between), 1, 1)), np.array([_whole(b @ between[1].T) for b in between]))


def _whole(turn: Array) -> Array:
    made = np.eye(4)
    made[:3, :3] = turn
    return made


@pytest.mark.parametrize("seed", [None, 4])
def test_spine_and_neck_take_part_and_chest_head_and_limbs_stay(seed: int | None) -> None:
    armature = necked(seed=seed)
    motion = gentle_motion(character_of(armature), 1.0)
    stiff, supple = (poses(armature, motion, sharing) for sharing in (STIFF, SPREAD))
    joints = [("spine.001", "spine.002"), ("spine.004", "spine.005")]
    for below, above in joints:
        assert bent(stiff, below, above) < DEGREES and bent(supple, below, above) > 1.0
    assert bent(supple, "spine", "spine.001") < bent(stiff, "spine", "spine.001")
    for name in stiff.keys() - {"spine.001", "spine.002", "spine.004"}:
        assert far(stiff[name], supple[name]) < OFF_MM and turned(stiff[name], supple[name]) < DEGREES
    assert far(stiff["spine.004"], supple["spine.004"]) < OFF_MM


@pytest.mark.parametrize("scale", [1.0, 0.01])
def test_what_was_baked_is_what_was_meant_however_wild(scale: float) -> None:
    armature = necked(scale=scale)
    motion = wild_motion(character_of(armature))
    done = bake(armature, motion, 1, "HIPS", Choices(sharing=SUPPLE))
    assert done.notes == ()
    off, angle = bake_error(armature, motion, list(FRAMES), SUPPLE)
    assert off < OFF_MM and angle < DEGREES
    assert [c.data_path for c in fcurves(done.action) if "location" in c.data_path] == [
        'pose.bones["spine"].location'
    ] * 3


def test_the_error_sees_a_bone_that_something_else_turns() -> None:
    armature = necked()
    motion = gentle_motion(character_of(armature), 1.0)
    bake(armature, motion, 1, "HIPS", Choices(sharing=SUPPLE))
    armature.pose.bones["spine.002"].constraints.new("LIMIT_ROTATION").use_limit_y = True
    assert bake_error(armature, motion, list(FRAMES), SUPPLE)[1] > 0.5


def without_bone(armature: Any, name: str) -> Character:
    """Return the character of an armature one of whose bones has no part."""
    bpy.context.view_layer.update()
    rig = read_armature(armature, metres(bpy.context.scene))
    found = map_bones(rig)
    bones = {role: tuple(n for n in names if n != name) for role, names in found.bones.items()}
    return build_character(rig, replace(found, bones=bones))


def test_a_bone_of_the_spine_without_a_part_takes_part_unless_something_else_moves_it() -> None:
    armature = necked()
    character = without_bone(armature, "spine.002")
    supple = poses(armature, gentle_motion(character, 1.0), SPREAD)
    assert bent(supple, "spine.001", "spine.002") > 1.0
    armature.pose.bones["spine.002"].constraints.new("COPY_SCALE")
    assert "spine.002" not in supple_of(armature, character, SPREAD).columns


def test_a_spine_that_carries_the_legs_stays_where_it_is_simulated() -> None:
    def edit(bones: Any) -> None:
        with_neck(bones)
        for side in "LR":
            bones[f"thigh.{side}"].parent = bones["spine.001"]

    armature = make_rig(edit=edit, helpers=False)
    bones = {"pelvis": ("spine",), "abdomen": ("spine.001", "spine.002")}
    rig = read_armature(armature, metres(bpy.context.scene))
    found = map_bones(rig)
    character = build_character(rig, replace(found, bones={**found.bones, **bones}))
    supple = supple_of(armature, character, SPREAD)
    assert "spine.001" not in supple.columns and "spine.002" in supple.columns
    motion = gentle_motion(character, 1.0)
    assert bake(armature, motion, 1, "HIPS", Choices(sharing=SPREAD)).notes == ()
    assert bake_error(armature, motion, list(FRAMES), SPREAD)[0] < OFF_MM


def test_clavicles_go_with_the_arms_and_the_message_says_how_far() -> None:
    armature = necked()
    motion = gentle_motion(character_of(armature), 1.0)
    stiff, supple = (poses(armature, motion, sharing) for sharing in (SPREAD, SUPPLE))
    for side in "LR":
        assert 3.0 < bent(supple, "spine.003", f"shoulder.{side}") < 6.0
        shoulder, hand = (far(stiff[n], supple[n]) for n in (f"upper_arm.{side}", f"hand.{side}"))
        assert 15.0 < shoulder < 25.0 and 10.0 < hand <= shoulder
        assert turned(stiff[f"forearm.{side}"], supple[f"forearm.{side}"]) < DEGREES
        assert turned(stiff[f"hand.{side}"], supple[f"hand.{side}"]) < DEGREES
        assert (supple[f"upper_arm.{side}"][:, 2, 3] < stiff[f"upper_arm.{side}"][:, 2, 3] - 0.01).all()
    others = [n for n in stiff if not n.startswith(("shoulder", "upper_arm", "forearm", "hand", "finger"))]
    assert max(far(stiff[n], supple[n]) for n in others) < 0.05
    said = bake(armature, motion, 1, "HIPS", Choices(sharing=SUPPLE)).facts
    assert any(f"they are up to {shoulder:.0f} mm" in fact and f"hands {hand:.0f} mm" in fact for fact in said)
    assert not any("Shoulders" in fact for fact in bake(armature, motion, 1, "HIPS", Choices(sharing=SPREAD)).facts)


def test_hands_that_do_something_keep_their_place(scene: Any) -> None:
    armature = necked()
    jobs: list[Any] = [SimpleNamespace(world=SimpleNamespace(targets=targets)) for targets in ((), ("reach",))]
    assert [choices_for(armature, job).sharing for job in jobs] == [SUPPLE, SPREAD]


def test_what_is_left_out_of_the_bake_is_not_moved(scene: Any) -> None:
    armature = necked()
    settings = armature.biped
    settings.body_parts = {"LEGS", "TRUNK"}
    assert choices_of(armature).sharing == SPREAD
    settings.body_parts = {"LEGS", "ARMS"}
    assert choices_of(armature).sharing == Sharing(False, 1.0)
    settings.spread_turns, settings.shoulders, settings.body_parts = False, 0.0, {"LEGS", "TRUNK", "ARMS"}
    assert choices_of(armature).sharing == STIFF


def test_keys_where_they_are_needed_keep_within_their_errors() -> None:
    armature = necked()
    motion = gentle_motion(character_of(armature), 1.0)
    done = bake(armature, motion, 1, "HIPS", Choices(sharing=SUPPLE, needed=Tolerance(0.002, np.radians(1.0))))
    assert done.notes == ()
    assert bake_error(armature, motion, list(FRAMES), SUPPLE)[1] < 1.05


def test_bones_that_controls_move_are_left_to_them() -> None:
    armature = necked()
    character = character_of(armature)
    links = tuple(replace(k, controls=("torso",)) if k.role == "abdomen" else k for k in character.links)
    assert not supple_of(armature, replace(character, links=links), SUPPLE).columns
