"""Rigs that nobody here made: every one is mapped to the bones that a person finds on it, or refused for what it is.

The expected bones were read off the rigs, bone by bone with their places, not off the program.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import bpy
import pytest

from blender_biped.base.errors import RigError
from blender_biped.character.armature import Armature
from blender_biped.character.body import build_character
from blender_biped.character.carrying import with_skin_carried
from blender_biped.character.mapping import check_rig_map, rig_map_from_json
from blender_biped.character.model import SIDES
from blender_biped.character.natural_speed import natural_speed
from blender_biped.character.roles import map_bones
from blender_biped.job import Job
from blender_biped.preset.preset import preset
from blender_biped.simulate import simulate
from blender_biped.ui.bake.accuracy import bake_error
from blender_biped.ui.bake.keyframes import bake
from blender_biped.ui.bake.torn import torn_edges
from blender_biped.ui.base.reading import metres, read_armature
from blender_biped.ui.job.mapping import found_mapping
from blender_biped.world.path import Path as Route
from tests.blender.scenes import gentle_motion, open_shared_rig
from tests.shared import shared

LONGEST = 2.0  # s to map; a rig of 700 bones takes a fraction of it

Names = tuple[str, ...]


@dataclass(frozen=True)
class Rig:
    """What is right on a rig: bones that may be the first one of a role, "" where the role may be missing.

    skull: a bone that the head must have, not always as its first. sides: how names say left and right, to be put
    for the ``{}`` of the limbs. uneven: share of a leg by which one of the rig's hip joints is higher than the other.
    """

    file: str
    pelvis: Names
    head: Names
    skull: str
    limbs: Mapping[str, Names]
    sides: tuple[str, str] = SIDES
    name: str = ""
    special: Mapping[str, Names] = field(default_factory=dict)
    uneven: float = 0.05

    def expected(self) -> dict[str, Names]:
        """Return the names that are right by role."""
        found = {"pelvis": self.pelvis, "head": self.head}
        for part, names in self.limbs.items():
            for side, word in zip(SIDES, self.sides, strict=True):
                found[f"{part}.{side}"] = tuple(name.format(word) for name in names)
        return found | dict(self.special)

    def __str__(self) -> str:
        return f"{self.file}:{self.name}" if self.name else self.file


def limbs(thigh: str, shin: str, foot: str, toes: str, upper_arm: str, forearm: str, hand: str) -> dict[str, Names]:
    """Return names by limb part; several that are as right as each other have a | between them."""
    parts = {"thigh": thigh, "shin": shin, "foot": foot, "toes": toes,
             "upper_arm": upper_arm, "forearm": forearm, "hand": hand}  # fmt: skip
    return {part: tuple(names.split("|")) for part, names in parts.items()}


MIXAMO = limbs("{}UpLeg", "{}Leg", "{}Foot", "{}ToeBase", "{}Arm", "{}ForeArm", "{}Hand")
UNREAL = limbs("thigh_{}", "calf_{}", "foot_{}", "ball_{}", "upperarm_{}", "lowerarm_{}", "hand_{}")
RIGIFY = limbs("thigh.{}", "shin.{}", "foot.{}", "toe.{}", "upper_arm.{}", "forearm.{}", "hand.{}")
LONG, SHORT = ("Left", "Right"), ("l", "r")


def prefixed(prefix: str, parts: Mapping[str, Names]) -> dict[str, Names]:
    return {part: tuple(prefix + name for name in names) for part, names in parts.items()}


def mixamo(file: str, prefix: str = "", neck: str = "Neck") -> Rig:
    head = f"{prefix}Head"
    return Rig(file, (f"{prefix}Hips",), (f"{prefix}{neck}", head), head, prefixed(prefix, MIXAMO), LONG)


def quaternius(file: str, pelvis: str, hand: str) -> Rig:
    """Feet under the root, so that IK holds them; no toes."""
    parts = limbs("UpperLeg.{}", "LowerLeg.{}", "Foot.{}", "", "UpperArm.{}", "LowerArm.{}", hand)
    return Rig(file, (pelvis,), ("Neck", "Head"), "Head", parts)


TWO_LEGGED = (
    mixamo("mpfb_mixamo_adult.blend", "mixamorig:"),
    mixamo("derived_cm_yup_yaw90.blend", "mixamorig:"),
    mixamo("mpfb_cmu_mb_adult.blend"),
    mixamo("q_Banana.fbx"),
    mixamo("ufbx_maya_human_ik_7400.fbx", "Character1_"),
    Rig("mpfb_gameengine_female.blend", ("pelvis",), ("neck_01", "head"), "head", UNREAL, SHORT),
    Rig("m2mvar_human-male.glb", ("pelvis",), ("neck_01", "head"), "head", UNREAL, SHORT),
    Rig("m2m_rig-human.blend", ("pelvis",), ("neck_01", "head"), "head", UNREAL, SHORT),
    Rig(
        "mpfb_default_full_dm.blend", ("root",), ("neck01", "head"), "head",
        limbs("upperleg01.{}", "lowerleg01.{}", "foot.{}", "toe1-1.{}|toe2-1.{}|toe3-1.{}",
              "upperarm01.{}", "lowerarm01.{}", "wrist.{}"),
    ),
    quaternius("q_Male_Casual.blend", "Body", "Palm.{}"),
    quaternius("three_RobotExpressive.glb", "Body", "Palm1.{}|Palm2.{}|Palm3.{}|"),
    quaternius("qs_Witch.glb", "Hips", "Hand.{}"),
    Rig(
        "kaykit_Mage.glb", ("hips",), ("head",), "head",
        limbs("upperleg.{}", "lowerleg.{}", "foot.{}", "toes.{}", "upperarm.{}", "lowerarm.{}", "wrist.{}|hand.{}"),
        SHORT,
    ),
    Rig(
        "cesiumman_a.glb", ("Skeleton_torso_joint_1",), ("Skeleton_neck_joint_1",), "Skeleton_neck_joint_2",
        limbs("leg_joint_{}_1", "leg_joint_{}_2", "leg_joint_{}_3", "leg_joint_{}_5", "", "", ""),
        special={
            "upper_arm.L": ("Skeleton_arm_joint_L__4_",), "forearm.L": ("Skeleton_arm_joint_L__3_",),
            "hand.L": ("Skeleton_arm_joint_L__2_",), "upper_arm.R": ("Skeleton_arm_joint_R",),
            "forearm.R": ("Skeleton_arm_joint_R__2_",), "hand.R": ("Skeleton_arm_joint_R__3_",),
        },
    ),
    Rig(
        "vrm_cryptovoxels.vrm", ("Hips",), ("Neck", "Head"), "Head",
        limbs("{} leg", "{} knee", "{} ankle", "{} toe", "{} arm", "{} elbow", "{} wrist"), LONG,
    ),
    Rig(
        "vrmaddon_basic_armature.blend", ("hips",), ("neck", "head"), "head",
        limbs("upper_leg.{}", "lower_leg.{}", "foot.{}", "toes.{}", "upper_arm.{}", "lower_arm.{}", "hand.{}"),
    ),
    Rig("rigify_basic_human_metarig.blend", ("spine",), ("spine.004",), "spine.006", RIGIFY),
    Rig("rigify_human_generated.blend", ("spine",), ("spine.004",), "spine.006", RIGIFY, name="metarig"),
    Rig("rigify_human_generated.blend", ("ORG-spine",), ("ORG-spine.004",), "ORG-spine.006",
        prefixed("ORG-", RIGIFY), name="rig"),
    Rig(  # BackLeg is a bone from the middle of the body to the hip joint; toes are part of the foot
        "q_Velociraptor.fbx", ("Body",), ("Neck", "Head"), "Head",
        limbs("BackUpLeg.{}", "BackLowLeg.{}", "BackFoot.{}", "", "FrontUpLeg.{}", "FrontLowLeg.{}", "FrontFoot.{}"),
    ),
    Rig(  # legs of three parts, spread to the sides: either of the first two may be called the thigh
        "qs_Enemy_2Legs.glb", ("Body",), ("",), "Head",
        limbs("Leg1.{}|Leg2.{}", "Leg2.{}|Leg3.{}", "Foot.{}", "", "", "", ""),
    ),
    Rig(  # walks on its toes: the long foot between ankle and toes may belong to the shin
        "m2mvar_kaiju-base.glb", ("Hips",), ("Spine_3", "Spine_4", "Head"), "Head",
        limbs("Back_Leg_Upper_{}", "Back_Leg_Lower_{}", "Back_Leg_Ankle_{}|Back_Leg_Foot_{}|Back_Leg_Foot_1_{}",
              "Back_Leg_Foot_{}|Back_Leg_Foot_1_{}|Back_Leg_Foot_2_{}|", "Front_Leg_Upper_{}", "Front_Leg_Lower_{}",
              "Hand_{}"),
    ),
)  # fmt: skip

MORE = (
    Rig(
        "kenney_human.blend", ("Hips",), ("Neck", "Head"), "Head",
        limbs("{}UpLeg", "{}Leg", "{}Foot", "{}Toes", "{}Arm", "{}ForeArm", "{}Hand"), LONG,
    ),
    replace(quaternius("qs_KnightCharacter.glb", "Body", "Palm.{}"), uneven=0.06),
    quaternius("qs_Astronaut_Finn.glb", "Body", ""),
    Rig(  # Body carries Hips and legs, and skin of its own; both move as one
        "qs_platformer_Character.glb", ("Body", "Hips"), ("Neck", "Head"), "Head",
        limbs("UpperLeg.{}", "LowerLeg.{}", "Foot.{}", "", "UpperArm.{}", "LowerArm.{}", "Fist.{}"),
    ),
    Rig(  # a mech without arms; its feet have no parent
        "qs_Mech_Fernando.glb", ("Body",), ("Neck", "Head"), "Head",
        limbs("UpperLeg.{}", "LowerLeg.{}", "Foot.{}", "", "", "", ""),
    ),
    Rig(  # as the raptor: BackLeg is a bone to the hip joint; Hips are in the trunk, before the legs
        "qs_Parasaurolophus.glb", ("Body",), ("Neck", "Head"), "Head",
        limbs("BackUpLeg.{}", "BackLowLeg.{}", "BackFoot.{}", "", "FrontUpLeg.{}", "FrontLowLeg.{}", "FrontFoot.{}"),
    ),
    Rig(  # as the other one on its toes
        "m2m_kaiju_trex.glb", ("Hips",), ("Spine_3", "Spine_4", "Head"), "Head",
        limbs("Back_Leg_Upper_{}", "Back_Leg_Lower_{}", "Back_Leg_Ankle_{}|Back_Leg_Foot_{}|Back_Leg_Foot_1_{}",
              "Back_Leg_Foot_{}|Back_Leg_Foot_1_{}|Back_Leg_Foot_2_{}|", "Front_Leg_Upper_{}", "Front_Leg_Lower_{}",
              "Hand_{}"),
    ),
    Rig(  # as Auto-Rig Pro exports it: the first half of thigh and upper arm is a twist bone that carries the other
        "made_autorigpro_export.blend", ("root.x",), ("neck.x", "head.x"), "head.x",
        limbs("thigh_twist.{}", "leg_stretch.{}", "foot.{}", "toes_01.{}", "c_arm_twist_offset.{}",
              "forearm_stretch.{}", "hand.{}"),
        SHORT,
    ),
    Rig(  # neither feet nor hands
        "sketchbook_boxman.glb", ("body_IK", "butt_bone"), ("head",), "head",
        limbs("leg_upper.{}", "leg_lower.{}", "", "", "arm_upper.{}", "arm_lower.{}", ""),
    ),
)  # fmt: skip

HELD_OUT = (
    Rig(  # its shoulders hang on the neck
        "cloudrig_metarigs.blend", ("Spine",), ("Neck",), "Head",
        limbs("Thigh.{}", "Knee.{}", "Foot.{}", "Toes.{}", "UpperArm.{}", "Forearm.{}", "Wrist.{}"),
        name="META-Cloud_Human", special={"abdomen": ("RibCage",), "chest": ("Chest",)},
    ),
    Rig(  # ORG-Neck hangs on the chest's control
        "cloudrig_metarigs.blend", ("ORG-Spine",), ("ORG-Head",), "ORG-Head",
        limbs("ORG-Thigh.{}", "ORG-Knee.{}", "ORG-Foot.{}", "ORG-Toes.{}", "ORG-UpperArm.{}", "ORG-Forearm.{}",
              "ORG-Wrist.{}"),
        name="RIG-Cloud_Human", special={"abdomen": ("ORG-RibCage",), "chest": ("ORG-Chest",)},
    ),
    Rig(  # as the other drone: its head lies at its hips, and is none
        "qs_cyberpunk_Enemy_Large.glb", ("Body",), ("",), "Head",
        limbs("Leg1.{}|Leg2.{}", "Leg2.{}|Leg3.{}", "Foot.{}", "", "", "", ""),
    ),
    Rig(  # Auto-Rig Pro's own rig: the lower halves of its limbs hang on the root and are held by constraints
        "mre_avrtar.blend", ("c_root.x",), ("neck.x",), "head.x",
        limbs("thigh_twist.{}", "leg_stretch.{}", "foot.{}", "toes_01.{}", "arm_twist.{}", "forearm_stretch.{}",
              "hand.{}"),
        SHORT,
    ),
)  # fmt: skip
"""Rigs that are held out: of them the bones alone are tried."""

NEGATIVE = ("m2m_rig-fox.glb", "m2m_rig-spider.glb", "assimp_skel.fbx")


def opened(file: str, name: str = "") -> Any:
    """Return an armature object of a file, in Object mode; the first one when no name is given."""
    open_shared_rig(file)
    bpy.context.view_layer.update()
    found = next(o for o in bpy.data.objects if o.type == "ARMATURE" and name in ("", o.name))
    if found.mode == "EDIT":  # as it was saved
        bpy.context.view_layer.objects.active = found
        bpy.ops.object.mode_set(mode="OBJECT")
    return found


def read(file: str, name: str = "") -> Armature:
    """Return an armature of a file; the first one when no name is given."""
    return read_armature(opened(file, name), metres(bpy.context.scene))


def carry(armature: Any, how: str) -> None:
    """Turn and scale what carries an armature: by itself, or by a parent that is scaled unevenly."""
    top = armature
    while top.parent:
        top = top.parent
    top.rotation_mode = "XYZ"
    top.rotation_euler.z += 1.0
    top.location.x += 2.0
    if how == "small":
        top.scale = [0.3 * size for size in top.scale]
    elif how == "uneven parent":
        parent = bpy.data.objects.new("Parent", None)
        bpy.context.scene.collection.objects.link(parent)
        parent.scale, top.parent = (1.0, 1.2, 0.8), parent
    bpy.context.view_layer.update()


MAPPED = (
    "cesiumman_a.glb", "mpfb_default_full_dm.blend", "mpfb_mixamo_adult.blend", "m2mvar_human-male.glb",
    "q_Male_Casual.blend", "rigify_human_generated.blend", "three_RobotExpressive.glb", "vrm_cryptovoxels.vrm",
)  # fmt: skip
"""One of each convention of names: long tests map the others."""


@pytest.mark.parametrize(
    "right",
    [pytest.param(r, marks=[] if r.file in MAPPED else pytest.mark.long) for r in TWO_LEGGED + MORE + HELD_OUT],
    ids=str,
)
def test_the_bones_that_a_person_finds(right: Rig) -> None:
    rig = read(right.file, right.name)
    began = time.perf_counter()
    found = map_bones(rig)
    assert time.perf_counter() - began < LONGEST
    expected = right.expected()
    first = {role: found.bones[role][0] if role in found.bones else "" for role in expected}
    wrong = {role: (name, expected[role]) for role, name in first.items() if name not in expected[role]}
    assert not wrong, f"role: (found, expected) {wrong}"
    if "head" in found.bones:
        assert right.skull in found.bones["head"]
    check_rig_map(found, rig)
    assert {role for role, name in first.items() if not name} <= set(found.missing)
    assert all(found.reasons[role] for role in found.bones)
    assert 0.0 < found.confidence <= 1.0


ALL_PELVIS = {
    "version": 1,
    "bones": {
        "pelvis": ["Body", "Head", "Eye", "Gun"],
        **{f"thigh.{side}": [f"Leg1.{side}", f"Leg2.{side}"] for side in SIDES},
        **{f"shin.{side}": [f"Leg3.{side}"] for side in SIDES},
        **{f"foot.{side}": [f"Foot.{side}"] for side in SIDES},
    },
}
"""What the drone may be told, whose head begins at its hips."""


@pytest.mark.long
def test_a_ball_on_legs_is_a_body_and_walks_when_it_is_told_to_be_all_hips() -> None:
    rig = read("qs_Enemy_2Legs.glb")
    assert build_character(rig, map_bones(rig), None).mass > 0.0
    told = rig_map_from_json(ALL_PELVIS)
    check_rig_map(told, rig)
    body = build_character(rig, told, None)
    walk = Route(((0.0, 0.0), (6.0, 0.0)))
    job = Job(body, walk, preset("generalized", "default"), natural_speed(body, 1.1))
    motion = simulate(job)
    assert motion.outcome == "arrived"
    assert motion.root[-1, 0] == pytest.approx(6.0, abs=0.5)


@pytest.mark.long
@pytest.mark.parametrize("right", [r for r in TWO_LEGGED + MORE if r.file != "qs_Enemy_2Legs.glb"], ids=str)
def test_it_stands_on_the_ground_with_its_legs_beside_each_other(right: Rig) -> None:
    rig = read(right.file, right.name)
    body = build_character(rig, map_bones(rig), None)
    origins, _ = body.standing()
    left, right_side = (origins[[body.index(f"{part}.{side}") for part in ("thigh", "shin", "foot")]] for side in SIDES)
    assert (left[:, 1] > right_side[:, 1]).all()  # y is left
    assert (left[:-1, 2] > left[1:, 2]).all()  # hip over knee over ankle
    assert left[0, 2] == pytest.approx(right_side[0, 2], rel=right.uneven)
    assert body.mass > 0.0


CARRIED = (
    "cesiumman_a.glb", "q_Velociraptor.fbx", "rigify_human_generated.blend",
)  # fmt: skip
"""One of each kind of file and of skeleton: the others are carried by long tests."""


@pytest.mark.parametrize(
    ("right", "how"),
    [
        *(
            pytest.param(r, how, marks=[] if r.file in CARRIED and how == "uneven parent" else pytest.mark.long)
            for r in TWO_LEGGED
            if r.file != "qs_Enemy_2Legs.glb"
            for how in ("turned", "small", "uneven parent")
        ),
        *(pytest.param(r, "uneven parent", marks=pytest.mark.long) for r in MORE),
        pytest.param(HELD_OUT[-1], "turned", marks=pytest.mark.long),  # unevenly scaled, its constraints shear it
    ],
    ids=str,
)
def test_a_bake_is_exact_whatever_carries_the_rig(right: Rig, how: str) -> None:
    armature = opened(right.file, right.name)
    carry(armature, how)
    rig = read_armature(armature, metres(bpy.context.scene))
    motion = gentle_motion(build_character(rig, with_skin_carried(found_mapping(rig), rig), None), 0.5)
    done = bake(armature, motion)
    far, turned = bake_error(armature, motion, done.frames.tolist())
    assert far <= 1.0  # mm, for a leg of 0.9 m
    assert turned <= 0.1  # degrees
    torn = torn_edges(armature, done.frames)
    assert torn is None or not torn.plain  # no skin is left behind


@pytest.mark.parametrize("file", NEGATIVE)
def test_what_has_not_two_legs_is_refused(file: str) -> None:
    if file == "assimp_skel.fbx" and (5, 0, 0) <= bpy.app.version < (5, 2, 0):
        pytest.skip("the importer of Blender 5.0 and 5.1 stops at the file's light")
    rig = read(file)
    with pytest.raises(RigError) as refused:
        map_bones(rig)
    said = str(refused.value)
    assert rig.name in said
    assert len(said) > 40  # says why, and what to do


def test_every_rig_of_the_folders_is_expected_to_be_something() -> None:
    there = {p.name for folder in ("rigs", "more-rigs") for p in shared(folder).iterdir() if p.suffix != ".md"}
    assert there == {rig.file for rig in TWO_LEGGED + MORE + HELD_OUT} | set(NEGATIVE)
