"""A user's picks: mirrored, taken from others, kept when the bones are mapped again; the bone on the other side."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from blender_biped.character.armature import Armature
from blender_biped.character.mapping import RigMap
from blender_biped.character.mirror import mirrored_bone, mirrored_name, mirrored_role
from blender_biped.character.model import ROLES
from blender_biped.character.picking import BY_HAND, pick, unpick, with_picked
from blender_biped.character.roles import map_bones
from blender_biped.character.standard import standard_armature
from tests.character.humanoid import posed as turned
from tests.character.humanoid import turn

TWINS = {"a.L": "a.R", "a.R": "a.L", "b.L": "b.R", "b.R": "b.L"}


def twin(name: str) -> str | None:
    return TWINS.get(name)


# --- the other side --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("thigh.L", "thigh.R"),
        ("LeftUpLeg", "RightUpLeg"),
        ("mixamorig:LeftLeg", "mixamorig:RightLeg"),
        ("calf_l", "calf_r"),
        ("Bip001 R Thigh", "Bip001 L Thigh"),
        ("lThighBend", None),
        ("spine", None),
    ],
)
def test_the_name_of_the_other_side(name: str, other: str | None) -> None:
    names = [
        "thigh.L", "thigh.R", "LeftUpLeg", "RightUpLeg", "mixamorig:LeftLeg", "mixamorig:RightLeg",
        "calf_l", "calf_r", "Bip001 L Thigh", "Bip001 R Thigh", "spine", "lThighBend",
    ]  # fmt: skip
    assert mirrored_name(names, name) == other


def test_of_two_namespaces_the_same_one() -> None:
    names = ["hero:LeftLeg", "hero:RightLeg", "foe:LeftLeg", "foe:RightLeg"]
    assert [mirrored_name(names, n) for n in names] == ["hero:RightLeg", "hero:LeftLeg", "foe:RightLeg", "foe:LeftLeg"]


def nameless(rig: Armature) -> Armature:
    """Return the rig with names that tell nothing: Bone.0, Bone.1, ..."""
    return replace(rig, bones=tuple(replace(bone, name=f"Bone.{i}") for i, bone in enumerate(rig.bones)))


def test_without_names_the_place_tells_the_other_side() -> None:
    rig = standard_armature(arm_angle=0.7)
    plain = nameless(rig)
    for i, bone in enumerate(rig.bones):
        if bone.name.startswith(("thigh", "shin", "foot", "toe", "upper_arm", "forearm", "hand", "shoulder")):
            other = rig.index[mirrored_bone(rig, bone.name) or ""]
            assert mirrored_bone(plain, f"Bone.{i}") == f"Bone.{other}"
        elif not bone.name.startswith("heel"):  # these lie across the sole, both from left to right
            assert mirrored_bone(plain, f"Bone.{i}") is None


def test_the_middle_need_not_be_at_zero_or_across_x() -> None:
    rig = nameless(standard_armature())
    quarter = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    moved = replace(
        rig,
        bones=tuple(
            replace(b, head=quarter @ b.head + 7.0, tail=quarter @ b.tail + 7.0, matrix=quarter @ b.matrix)
            for b in rig.bones
        ),
    )
    assert [mirrored_bone(moved, b.name) for b in rig.bones] == [mirrored_bone(rig, b.name) for b in rig.bones]
    assert sum(mirrored_bone(moved, b.name) is not None for b in rig.bones) >= 14


def test_a_bone_that_was_moved_on_one_side_has_no_mirrored_one() -> None:
    rig = nameless(turned(standard_armature(), {"thigh.L": turn((0.0, 1.0, 0.0), 40.0)}))
    names = standard_armature().index
    assert mirrored_bone(rig, f"Bone.{names['shin.L']}") is None
    assert mirrored_bone(rig, f"Bone.{names['hand.L']}") == f"Bone.{names['hand.R']}"


def test_the_role_of_the_other_side() -> None:
    assert [mirrored_role(r) for r in ("pelvis", "thigh.L", "hand.R")] == ["pelvis", "thigh.R", "hand.L"]
    assert all(mirrored_role(mirrored_role(role)) == role for role in ROLES)


# --- picking ---------------------------------------------------------------------------------------------------------


def test_a_pick_takes_the_first_place_and_leaves_the_further_bones() -> None:
    change = pick({"thigh.L": ("old", "twist")}, "thigh.L", "new")
    assert change.bones == {"thigh.L": ("new", "twist")} and change.picked == {"thigh.L": BY_HAND}
    assert pick({"thigh.L": ("old", "twist")}, "thigh.L", "twist").bones == {"thigh.L": ("twist",)}


def test_a_further_bone() -> None:
    assert pick({"thigh.L": ("a",)}, "thigh.L", "b", first=False).bones == {"thigh.L": ("a", "b")}
    assert pick({"thigh.L": ("a", "b")}, "thigh.L", "b", first=False).bones == {"thigh.L": ("a", "b")}
    assert pick({}, "thigh.L", "b", first=False).bones == {"thigh.L": ("b",)}


def test_a_bone_is_taken_from_the_part_that_had_it() -> None:
    change = pick({"thigh.L": ("a",), "shin.L": ("b",)}, "thigh.L", "b")
    assert change.bones == {"thigh.L": ("b",)}
    assert change.notes == ("'b' was taken from shin.L, which has no bones now",)
    change = pick({"chest": ("spine", "neck"), "head": ("skull",)}, "head", "spine", first=False)
    assert change.bones == {"chest": ("neck",), "head": ("skull", "spine")}
    assert change.notes == ("'spine' was taken from chest",)


def test_a_shoulder_does_not_come_to_lead_the_chest() -> None:
    bones = {"abdomen": ("spine1",), "chest": ("spine2", "shoulder.L", "shoulder.R")}
    assert pick(bones, "abdomen", "spine2", first=False).bones == {"abdomen": ("spine1", "spine2")}


def test_mirrored_picking_fills_the_other_side() -> None:
    change = pick({}, "thigh.L", "a.L", twin=twin)
    assert change.bones == {"thigh.L": ("a.L",), "thigh.R": ("a.R",)}
    assert change.picked == {"thigh.L": BY_HAND, "thigh.R": f"mirrored from a.L, {BY_HAND}"}
    change = pick(change.bones, "thigh.L", "b.L", first=False, twin=twin)
    assert change.bones == {"thigh.L": ("a.L", "b.L"), "thigh.R": ("a.R", "b.R")}


def test_sides_that_were_swapped_are_put_right_by_one_pick() -> None:
    change = pick({"thigh.L": ("a.R",), "thigh.R": ("a.L",)}, "thigh.L", "a.L", twin=twin)
    assert change.bones == {"thigh.L": ("a.L",), "thigh.R": ("a.R",)}


def test_mirrored_picking_of_a_further_bone_of_the_trunk() -> None:
    assert pick({"pelvis": ("hips",)}, "pelvis", "a.L", False, twin).bones == {"pelvis": ("hips", "a.L", "a.R")}
    assert pick({}, "pelvis", "a.L", True, twin).bones == {"pelvis": ("a.L",)}


def test_a_bone_without_a_mirrored_one_is_told() -> None:
    change = pick({"thigh.R": ("x",)}, "thigh.L", "lone", twin=twin)
    assert change.bones == {"thigh.L": ("lone",), "thigh.R": ("x",)}
    assert change.notes == ("No bone mirrors 'lone': pick the other side's by hand",)


def test_a_bone_is_taken_away() -> None:
    bones = {"thigh.L": ("a.L", "b.L"), "thigh.R": ("a.R", "b.R")}
    assert unpick(bones, "thigh.L", "b.L").bones == {"thigh.L": ("a.L",), "thigh.R": ("a.R", "b.R")}
    assert unpick(bones, "thigh.L", "b.L", twin).bones == {"thigh.L": ("a.L",), "thigh.R": ("a.R",)}
    assert unpick(bones, "thigh.L").bones == {"thigh.R": ("a.R", "b.R")}
    change = unpick(bones, "thigh.L", twin=twin)
    assert change.bones == {} and set(change.picked) == {"thigh.L", "thigh.R"}
    assert unpick({"pelvis": ("hips", "a.L", "a.R")}, "pelvis", "a.L", twin).bones == {"pelvis": ("hips",)}


# --- what was picked stays -------------------------------------------------------------------------------------------


def test_picks_stay_when_the_bones_are_mapped_again() -> None:
    found = map_bones(standard_armature())
    picked = {"toes.L": (), "abdomen": ("spine.002",), "shin.L": ("heel.02.L",)}
    kept = with_picked(found, picked, {"abdomen": "so I say"})
    assert kept.bones["abdomen"] == ("spine.002",) and kept.reasons["abdomen"] == "so I say"
    assert kept.bones["shin.L"] == ("heel.02.L",) and kept.reasons["shin.L"] == BY_HAND
    assert "toes.L" not in kept.bones and kept.missing == ("toes.L",)
    assert "spine.002" not in kept.bones["chest"]
    assert kept.bones["thigh.L"] == found.bones["thigh.L"]
    assert list(kept.bones) == [role for role in ROLES if role in kept.bones]


def test_a_needed_part_that_was_cleared_is_found_again() -> None:
    found = map_bones(standard_armature())
    assert with_picked(found, {"thigh.L": ()}, {}).bones == found.bones


def test_nothing_picked_changes_nothing() -> None:
    found: RigMap = map_bones(standard_armature())
    assert with_picked(found, {}, {}) == found
