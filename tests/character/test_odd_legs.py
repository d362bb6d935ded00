"""Legs that are not a thigh, a shin and a foot: of one bone, on spreaders without a foot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from blender_biped.base.errors import RigError
from blender_biped.character.body import build_character
from blender_biped.character.roles import map_bones
from blender_biped.character.structure.body_parts import NO_TRUNK
from tests.character.pieces import Piece, mirrored, rig
from tests.character.test_conflicts import along, skin_on


def boxes(names: Sequence[str], sides: tuple[str, str]) -> list[Piece]:
    """Return a figure of boxes: body, head, and one bone for each arm and leg."""
    body, head, arm, leg = names
    limbs: list[Piece] = [(arm, body, (0.37, 0, 1.45), (0.37, 0, 0.75)), (leg, body, (0.12, 0, 0.75), (0.12, 0, 0))]
    return [(body, "", (0, 0, 0.75), (0, 0, 1.5)), (head, body, (0, 0, 1.5), (0, 0, 2)), *mirrored(limbs, sides)]


@pytest.mark.parametrize(
    ("names", "sides"),
    [
        (("Body", "Head", "Arm_{}", "Leg_{}"), ("Left", "Right")),
        (("body", "head", "arm.{}", "thigh.{}"), ("L", "R")),
        (("Bone", "Bone.001", "Bone.002.{}", "Bone.003.{}"), ("L", "R")),
    ],
)
def test_legs_of_one_bone_are_refused_for_having_no_knee(names: Sequence[str], sides: tuple[str, str]) -> None:
    with pytest.raises(RigError, match="have no knee") as refused:
        map_bones(rig(boxes(names, sides)))
    assert all(names[3].format(side) in str(refused.value) for side in sides)


def test_a_foot_below_one_bone_is_no_shin() -> None:
    feet = mirrored([("Foot_{}", "Leg_{}", (0.12, 0, 0.05), (0.12, -0.15, 0))])
    with pytest.raises(RigError, match="have no knee"):
        map_bones(rig([*boxes(("Body", "Head", "Arm_{}", "Leg_{}"), ("L", "R")), *feet]))


def test_two_bones_a_leg_walk_without_a_foot() -> None:
    shins = mirrored([("Shin_{}", "Leg_{}", (0.12, 0, 0.4), (0.12, 0, 0))])
    found = map_bones(rig([*boxes(("Body", "Head", "Arm_{}", "Leg_{}"), ("L", "R")), *shins]))
    assert found.bones["shin.L"] == ("Shin_L",)


TRUNK: list[Piece] = [
    ("Bone", "", (0, 0, 0.82), (0, 0, 1.15)), ("Bone.003", "Bone", (0, 0, 1.15), (0, 0, 1.48)),
    ("Bone.002", "Bone.003", (0, 0, 1.48), (0, 0, 1.86)), ("Bone.001", "Bone.002", (0, 0, 1.86), (0, 0, 3.2)),
]  # fmt: skip
ARMS: list[Piece] = [
    ("Arm_{}", "Bone.002", (0, 0, 1.86), (1, 0, 1.38)), ("Arm_{}.001", "Arm_{}", (1, 0, 1.38), (1.37, 0, 1.25)),
    ("Arm_{}.002", "Arm_{}.001", (1.37, 0, 1.25), (1.8, 0, 1.02)),
]  # fmt: skip


@pytest.mark.parametrize(("parent", "middle"), [("", 0.004), ("Bone", 0.1)])
def test_a_level_bone_before_thigh_and_shin_leads_to_the_hip_though_there_is_no_foot(
    parent: str, middle: float
) -> None:
    legs: list[Piece] = [
        ("Bone_{}", parent, (middle, 0, 0.82), (0.57, 0, 0.9)),
        ("Bone_{}.001", "Bone_{}", (0.57, 0, 0.9), (0.57, 0, 0.5)),
        ("Bone_{}.002", "Bone_{}.001", (0.57, 0, 0.5), (0.57, 0, 0)),
    ]  # fmt: skip
    found = map_bones(rig([*TRUNK, *mirrored(legs), *mirrored(ARMS)]))
    assert found.bones["pelvis"] == ("Bone", "Bone_L", "Bone_R")
    for side in ("L", "R"):
        assert found.bones[f"thigh.{side}"] == (f"Bone_{side}.001",)
        assert found.bones[f"shin.{side}"] == (f"Bone_{side}.002",)
    assert "foot.L" in found.missing


def test_a_thigh_that_is_spread_is_no_way_to_the_hip_where_the_last_bone_is_a_foot() -> None:
    legs: list[Piece] = [
        ("Bone_{}", "Bone", (0.1, 0, 0.82), (0.6, 0, 0.7)), ("Bone_{}.001", "Bone_{}", (0.6, 0, 0.7), (0.57, 0, 0.1)),
        ("Bone_{}.002", "Bone_{}.001", (0.57, 0, 0.1), (0.57, -0.25, 0)),
    ]  # fmt: skip
    found = map_bones(rig([*TRUNK, *mirrored(legs), *mirrored(ARMS)]))
    assert found.bones["thigh.L"] == ("Bone_L",)
    assert found.bones["foot.L"] == ("Bone_L.002",)


BALL_LEGS: list[Piece] = [
    ("Leg1.{}", "Body", (0.3, 0, 0.8), (0.35, 0, 0.5)), ("Leg2.{}", "Leg1.{}", (0.35, -0.05, 0.45), (0.4, 0, 0.1)),
    ("Foot.{}", "Leg2.{}", (0.4, 0, 0.08), (0.4, -0.2, 0)),
]  # fmt: skip
BALL: list[Piece] = [
    ("Root", "", (0, 0, 0), (0, 0, 0.1)), ("Body", "Root", (0, 0, 0.75), (0, 0, 0.9)),
    ("Head", "Body", (0, -0.01, 0.81), (0, 0, 1)), ("Pack", "Body", (0, 0.1, 1.1), (0, 0.1, 1.2)),
]  # fmt: skip
"""A ball on legs, with something on its back."""


def test_a_head_at_the_hips_is_none() -> None:
    armature = rig([*BALL, *mirrored(BALL_LEGS)])
    found = map_bones(armature)
    assert "head" in found.missing
    assert build_character(armature, found, None).mass > 0.0


@pytest.mark.parametrize(("points", "chest"), [({}, ()), ({"Head": 40, "Pack": 2}, ()), ({"Pack": 40}, ("Pack",))])
def test_what_moves_next_to_no_skin_is_no_trunk(points: Mapping[str, int], chest: Sequence[str]) -> None:
    """A weapon on a ball, or an eye, was its chest."""
    bare = rig([*BALL, *mirrored(BALL_LEGS)])
    carried = along(bare, [bone.name for bone in bare.bones if bone.name not in ("Root", "Head", "Pack")])
    for name, count in points.items():
        carried |= along(bare, [name], count)
    armature = replace(bare, skin=skin_on(bare, carried))
    found = map_bones(armature)
    assert found.bones.get("chest", ()) == tuple(chest)
    assert (NO_TRUNK in found.doubts) == (not chest)
    assert build_character(armature, found, None).mass > 0.0
