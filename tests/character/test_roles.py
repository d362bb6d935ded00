"""Names to roles: the Rigify metarig exactly, its kind by the tables, and refusals that say why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest

from blender_biped.base.errors import RigError
from blender_biped.character.armature import Armature, Bone
from blender_biped.character.model import ROLES, SIDES
from blender_biped.character.naming import canonical
from blender_biped.character.roles import map_bones
from blender_biped.character.standard import standard_armature
from tests.character.humanoid import moved_bone, posed, remade, renamed, turn, without
from tests.character.namings import NAMINGS, named


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("thigh.L", ("thigh", "L")),
        ("upper_arm.R", ("upperarm", "R")),
        ("spine.003", ("spine3", "")),
        ("heel.02.L", ("heel2", "L")),
        ("mixamorig:LeftUpLeg", ("upleg", "L")),
        ("mixamorig1:Spine2", ("spine2", "")),
        ("Character1_RightForeArm", ("forearm", "R")),
        ("LHipJoint", ("hipjoint", "L")),
        ("lThighBend", ("thighbend", "L")),
        ("spine_01", ("spine1", "")),
        ("upperarm_r", ("upperarm", "R")),
        ("upperleg02.L", ("upperleg2", "L")),
        ("toe1-1.R", ("toe1.1", "R")),
        ("J_Bip_L_UpperLeg", ("upperleg", "L")),
        ("J_Bip_C_UpperChest", ("upperchest", "")),
        ("CC_Base_L_Thigh", ("thigh", "L")),
        ("Bip001 L UpperArm", ("upperarm", "L")),
        ("ValveBiped.Bip01_R_Toe0", ("toe0", "R")),
        ("Left leg", ("leg", "L")),
        ("leftfoot", ("foot", "L")),
        ("L_Hip", ("hip", "L")),
        ("HEAD", ("head", "")),
        ("右足", ("足", "R")),
    ],
)
def test_names_are_brought_to_one_form(name: str, expected: tuple[str, str]) -> None:
    assert canonical(name) == expected


def test_the_rigify_metarig_is_mapped_in_full() -> None:
    found = map_bones(standard_armature())
    assert found.convention == "Rigify metarig"
    assert tuple(found.bones) == ROLES
    assert found.missing == ()
    assert found.bones["pelvis"] == ("spine",)
    assert found.bones["abdomen"] == ("spine.001", "spine.002")
    assert found.bones["chest"] == ("spine.003", "shoulder.L", "shoulder.R")
    assert found.bones["head"] == ("spine.004",)
    for side in SIDES:
        for part in ("upper_arm", "forearm", "hand", "thigh", "shin", "foot"):
            assert found.bones[f"{part}.{side}"] == (f"{part}.{side}",)
        assert found.bones[f"toes.{side}"] == (f"toe.{side}",)
        assert found.heels[side] == (f"heel.02.{side}",)


@pytest.mark.parametrize("convention", NAMINGS)
def test_each_convention_is_mapped_in_full(convention: str) -> None:
    def name(rigify: str) -> str:
        return named(convention, rigify)

    found = map_bones(renamed(standard_armature(), name))
    assert found.convention == convention
    expected = {
        "pelvis": ("spine",),
        "abdomen": ("spine.001", "spine.002"),
        "chest": ("spine.003", "shoulder.L", "shoulder.R"),
        "head": ("spine.004",),
    }
    for role in ROLES:
        part, _, side = role.partition(".")
        bones = expected.get(role, (f"{'toe' if part == 'toes' else part}.{side}",))
        assert found.bones[role] == tuple(name(bone) for bone in bones), role


def test_the_arms_tell_where_a_numbered_spine_becomes_the_neck() -> None:
    rig = standard_armature()
    shorter = without(rig, "spine.002")
    numbers = {"spine.003": "spine.002", "spine.004": "spine.003"}
    found = map_bones(renamed(shorter, numbers))
    assert found.bones["abdomen"] == ("spine.001",)
    assert found.bones["chest"][0] == "spine.002"
    assert found.bones["head"] == ("spine.003",)


def hung(rig: Armature, parents: Mapping[str, str]) -> Armature:
    """Return an armature whose bones hang on others: bone -> parent, on both sides where ``{}`` stands for it."""
    on = {bone.format(side): parent for bone, parent in parents.items() for side in SIDES}
    bones = (replace(b, parent=rig.index[on[b.name]] if b.name in on else b.parent) for b in rig.bones)
    return replace(rig, bones=tuple(bones))


@pytest.mark.parametrize("convention", ["3ds Max Biped / Valve", "Unreal Engine", "Rigify metarig"])
@pytest.mark.parametrize("shoulders", ["spine.003", "spine.004"])
def test_thighs_may_hang_on_the_lowest_bone_of_the_trunk_and_clavicles_on_the_neck(
    convention: str, shoulders: str
) -> None:
    """3ds Max's Biped has both."""

    def name(rigify: str) -> str:
        return named(convention, rigify) if convention in NAMINGS else rigify

    rig = hung(standard_armature(), {"thigh.{}": "spine.001", "shoulder.{}": shoulders})
    found = map_bones(renamed(rig, name))
    expected = {
        "pelvis": ("spine",), "abdomen": ("spine.001", "spine.002"),
        "chest": ("spine.003", "shoulder.L", "shoulder.R"), "head": ("spine.004",),
    }  # fmt: skip
    for role, bones in expected.items():
        assert found.bones[role] == tuple(name(bone) for bone in bones), role


def test_a_neck_that_carries_the_arms_is_no_chest() -> None:
    """Found by shape, as CloudRig's human has it."""
    rig = hung(standard_armature(), {"shoulder.{}": "spine.004"})
    found = map_bones(renamed(rig, lambda name: f"bone {rig.index[name]:x}"))
    assert found.bones["chest"][0] == f"bone {rig.index['spine.003']:x}"
    assert found.bones["head"] == (f"bone {rig.index['spine.004']:x}",)


@pytest.mark.parametrize("prefix", ["", "ORG-"])
def test_cloudrigs_names(prefix: str) -> None:
    words = {"spine": "Spine", "spine.001": "RibCage", "spine.003": "Chest", "spine.004": "Head"}
    limb = {"shoulder": "Shoulder", "upper_arm": "UpperArm", "forearm": "Forearm", "hand": "Wrist", "thigh": "Thigh",
            "shin": "Knee", "foot": "Foot", "toe": "Toes", "heel.02": "HeelPivot"}  # fmt: skip
    words |= {f"{own}.{side}": f"{name}.{side}" for own, name in limb.items() for side in SIDES}
    found = map_bones(renamed(without(standard_armature(), "spine.002"), lambda name: prefix + words[name]))
    assert found.convention.startswith("CloudRig")
    assert tuple(found.bones) == ROLES
    assert found.bones["hand.R"] == (f"{prefix}Wrist.R",)
    assert found.doubts == ()


LEGS_WITHOUT_NAMES = {f"{part}.{side}": f"Bone{k}.{side}" for side in SIDES
                      for k, part in enumerate(("thigh", "shin", "foot", "toe"))}  # fmt: skip


@pytest.mark.parametrize("raised", ["upper_arm.L", "forearm.R", "shoulder.L"])
def test_named_arms_that_the_shape_does_not_find_are_arms(raised: str) -> None:
    """One is raised, so that nothing mirrors it; the legs have names that say nothing."""
    rig = posed(standard_armature(), {raised: turn([0.0, 1.0, 0.0], 100.0)})
    found = map_bones(renamed(rig, LEGS_WITHOUT_NAMES))
    assert found.convention == "the skeleton's shape"
    for side in SIDES:
        for part in ("upper_arm", "forearm", "hand"):
            assert found.bones[f"{part}.{side}"][0] == f"{part}.{side}"
    assert found.bones["head"][0] == "spine.004"


def test_arms_that_are_lost_are_a_doubt() -> None:
    """Nothing is known of them but a word, and nothing mirrors them."""
    names = LEGS_WITHOUT_NAMES | {f"{p}.{s}": f"Arm {p[0]}{k}.{s}" for s in SIDES
                                  for k, p in enumerate(("shoulder", "upper_arm", "forearm", "hand"))}  # fmt: skip
    rig = without(standard_armature(), "upper_arm.R", "forearm.R", "hand.R")
    found = map_bones(renamed(rig, names))
    assert "upper_arm.L" in found.missing
    assert any("No arms were found" in doubt for doubt in found.doubts)


def test_a_trunk_of_one_bone_is_chest() -> None:
    found = map_bones(without(standard_armature(), "spine.001", "spine.002"))
    assert found.bones["chest"][0] == "spine.003"
    assert found.missing == ("abdomen",)


def test_every_role_has_a_line() -> None:
    lines = map_bones(without(standard_armature(), "hand")).describe()
    assert [line.partition(":")[0] for line in lines if "missing" in line] == ["hand.L", "hand.R"]
    assert "thigh.L: thigh.L (Rigify metarig names)" in lines
    assert len(lines) == len(ROLES)


def test_bones_that_are_no_body_part_are_left_alone() -> None:
    rig = standard_armature()
    tail = Bone("tail", rig.index["spine"] + 1, np.zeros(3), np.ones(3), np.eye(3))
    found = map_bones(replace(rig, bones=(tail, *(replace(b, parent=b.parent + (b.parent >= 0)) for b in rig.bones))))
    assert found == map_bones(rig)


def test_an_armature_without_legs_is_refused() -> None:
    rig = without(standard_armature(), "thigh", "shin", "foot", "toe", "heel")
    with pytest.raises(RigError, match=r"missing are thigh\.L, shin\.L, thigh\.R, shin\.R") as refused:
        map_bones(rig)
    assert "pelvis" not in str(refused.value)
    assert "Pick the bones by hand" in str(refused.value)


def test_what_is_missing_is_named() -> None:
    with pytest.raises(RigError, match=r"its names fit Rigify metarig best .* missing are shin\.R\."):
        map_bones(without(standard_armature(), "shin.R"))


def test_a_single_bone_is_refused() -> None:
    with pytest.raises(RigError, match=r"too few bones \(1\)"):
        map_bones(Armature("One", (Bone("Bone", -1, np.zeros(3), np.ones(3), np.eye(3)),), np.eye(4)))


@pytest.mark.parametrize(
    ("prefix", "convention"), [("ORG-", "Rigify (generated rig)"), ("DEF-", "Rigify deform bones")]
)
def test_the_bones_of_a_generated_rigify_rig(prefix: str, convention: str) -> None:
    found = map_bones(renamed(standard_armature(), lambda name: f"{prefix}{name}"))
    assert found.convention == convention
    assert found.missing == ()
    assert found.bones["shin.L"] == (f"{prefix}shin.L",)


def front_leg(name: str, low: float) -> Armature:
    rig = standard_armature()
    bone = Bone(name, rig.index["spine.003"], np.array([0.1, -0.8, low]), np.array([0.1, -0.9, low]), np.eye(3))
    return replace(rig, bones=(*rig.bones, bone))


def test_an_animal_on_four_legs_is_refused() -> None:
    with pytest.raises(RigError, match=r"stands on front legs \(front_foot\.L\)"):
        map_bones(front_leg("front_foot.L", 0.05))


def test_an_animal_on_four_legs_with_the_names_of_a_person_is_refused() -> None:
    """As Rigify's horse: arms by name, without hands, that come down to the ground before the body."""
    rig = without(standard_armature(), "hand")
    for side, y in (("L", 0.15), ("R", -0.15)):
        for name, top, low in (("shoulder", 1.2, 1.0), ("upper_arm", 1.0, 0.6), ("forearm", 0.6, 0.02)):
            ends = [np.array([y, -0.9, z]) for z in (top, low)]
            rig = moved_bone(rig, f"{name}.{side}", *ends)
        tip = Bone(f"hoof.{side}", rig.index[f"forearm.{side}"], np.array([y, -0.95, 0.02]), np.zeros(3), np.eye(3))
        rig = replace(rig, bones=(*rig.bones, tip))
    with pytest.raises(RigError, match=r"four legs|4 legs"):
        map_bones(rig)


def test_fins_are_no_legs() -> None:
    named = {"thigh": "side_fin", "shin": "side_fin.001", "foot": "side_fin.002", "toe": "side_fin.003"}
    fish = renamed(standard_armature(), lambda name: ".".join((named.get(name[:-2], name[:-2]), name[-1])))
    with pytest.raises(RigError, match=r"missing are pelvis, thigh\.L, shin\.L, thigh\.R, shin\.R"):
        map_bones(fish)


def test_front_legs_that_do_not_reach_the_ground_are_arms() -> None:
    assert map_bones(front_leg("front_foot.L", 0.9)).missing == ()


def test_the_trunk_is_split_where_the_chest_begins_in_any_axes() -> None:
    turned = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    rig = standard_armature()
    assert map_bones(remade(rig, lambda p: 100.0 * turned @ p, turned)).bones == map_bones(rig).bones


def test_a_mapping_that_is_not_sure_has_a_doubt() -> None:
    """Legs alone, with names that say nothing: what is baked with a doubt says so."""
    gone = ("shoulder", "upper_arm", "forearm", "hand", "foot", "toe", "heel", "spine.002", "spine.003", "spine.004")
    found = map_bones(renamed(without(standard_armature(), *gone), LEGS_WITHOUT_NAMES))
    assert found.confidence < 0.7
    assert any("Few of its parts" in doubt for doubt in found.doubts)
    whole = map_bones(renamed(standard_armature(), LEGS_WITHOUT_NAMES))
    assert whole.doubts == ()
