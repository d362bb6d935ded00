"""On how many legs a body stands: animals are refused for what they are, arms that hang to the ground are arms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest

from blender_biped.base.errors import RigError
from blender_biped.character.armature import Armature
from blender_biped.character.body import build_character
from blender_biped.character.model import SIDES
from blender_biped.character.roles import map_bones
from blender_biped.character.standard import standard_armature
from blender_biped.character.structure.standing import ON_ALL_FOURS
from tests.character.humanoid import grounded, posed, renamed, turn, without
from tests.character.pieces import Piece, mirrored, rig
from tests.character.test_conflicts import skin_on

NEUTRAL = ("b1", "b2", "b3", "b4", "b5", "b6")
TRICERATOPS = ("BackLeg", "BackUpLeg", "BackLowLeg", "FrontLeg", "FrontUpLeg", "FrontLowLeg")
HUSKY = ("BackShoulder", "BackLeg", "BackLowerLeg", "FrontShoulder", "FrontUpperLeg", "FrontLowerLeg")
WOLF = ("L Hip", "L Thigh", "L Calf", "L Clavicle", "L UpperArm", "L Forearm")


def limb(names: Sequence[str], parent: str, y: float, high: float = 1.0) -> list[Piece]:
    """Return a leg of three bones, the first from the middle to its joint, that ends above the ground."""
    a, b, c = (f"{name}.{{}}" for name in names)
    hip, knee, ankle = (0.2, y, 0.9 * high), (0.2, y + 0.1, 0.5 * high), (0.2, y, 0.1)
    return [(a, parent, (0.03, y, high), hip), (b, a, hip, knee), (c, b, knee, ankle)]


def animal(names: Sequence[str] = NEUTRAL, front: float = -0.7, extra: Sequence[Piece] = ()) -> Armature:
    """Return an animal with its hind legs at y = 0.5. extra: more pieces of the left side."""
    middle: list[Piece] = [
        ("Root", "", (0, 0, 0), (0, 0.2, 0)), ("Body", "Root", (0, 0.5, 1.0), (0, 0.0, 1.0)),
        ("Torso", "Body", (0, 0.0, 1.0), (0, front, 1.05)), ("Neck", "Torso", (0, front, 1.05), (0, front - 0.4, 1.4)),
        ("Head", "Neck", (0, front - 0.4, 1.4), (0, front - 0.7, 1.4)), ("Tail", "Body", (0, 0.6, 1.0), (0, 1.3, 0.8)),
    ]  # fmt: skip
    return rig([*middle, *mirrored([*limb(names[:3], "Body", 0.5), *limb(names[3:], "Torso", front), *extra])])


def feet(names: Sequence[str], parents: Sequence[str], front: float = -0.7) -> list[Piece]:
    """Return hind and front feet."""
    return [
        (f"{name}.{{}}", parent, (0.2, y, 0.1), (0.2, y - 0.1, 0.0))
        for name, parent, y in zip(names, parents, (0.5, front), strict=True)
    ]


def said(armature: Armature) -> str:
    """Return why an animal is refused."""
    with pytest.raises(RigError) as refused:
        map_bones(armature)
    text = str(refused.value)
    assert "\n" not in text and "Rest Pose" in text and "Bones table" in text
    return text


@pytest.mark.parametrize("names", [NEUTRAL, TRICERATOPS, HUSKY, WOLF])
@pytest.mark.parametrize("front", [-0.7, 0.0])
def test_four_legs_that_end_at_the_ground_are_refused_whatever_they_are_called(
    names: Sequence[str], front: float
) -> None:
    """With feet on the legs, on the root, as targets of solvers; by skin alone, as importers leave last bones."""
    hung = [f"{names[k]}.{{}}" for k in (2, 5)]
    assert "4 legs" in said(animal(names, front, feet(("p1", "p2"), hung, front)))
    assert "4 legs" in said(animal(names, front, feet(("p1", "p2"), ("Root", "Root"), front)))
    assert "4 legs" in said(animal(names, front, feet(("IKBack", "IKFront"), ("Root", "Root"), front)))
    bare = animal(names, front)
    ends = {f"{name}.{s}": [np.array([x, y, z]) for z in np.linspace(0.5, 0.0, 9)]
            for name, y in ((names[2], 0.5), (names[5], front)) for s, x in (("L", 0.2), ("R", -0.2))}  # fmt: skip
    assert "4 legs" in said(replace(bare, skin=skin_on(bare, ends)))


def test_legs_of_one_bone_each_are_no_legs_without_knees_where_there_are_four() -> None:
    """A cow of boxes: to cut its legs in two would be no cure."""
    legs: list[Piece] = [(f"leg{k}.{{}}", "Body", (0.2, y, 0.7), (0.2, y, 0.0)) for k, y in enumerate((0.5, -0.6))]
    body: list[Piece] = [("Body", "", (0, 0, 0.7), (0, 0, 1.2)), ("Head", "Body", (0, -0.8, 1.2), (0, -1.2, 1.2)),
                         ("Tail", "Body", (0, 0.6, 1.0), (0, 0.7, 0.6))]  # fmt: skip
    assert "stands on 4 legs" in said(rig([*body, *mirrored(legs)]))


@pytest.mark.parametrize("pairs", [3, 4])
def test_insects_and_spiders_are_refused_with_the_number_of_their_legs(pairs: int) -> None:
    legs: list[Piece] = []
    for k, angle in enumerate(np.linspace(-0.9, 0.9, pairs)):
        near, knee, far = ((r * np.cos(angle), r * np.sin(angle), z) for r, z in ((0.1, 0.2), (0.6, 0.5), (1.2, 0.0)))
        legs += [(f"a{k}.{{}}", "Body", near, knee), (f"b{k}.{{}}", f"a{k}.{{}}", knee, far),
                 (f"c{k}.{{}}", f"b{k}.{{}}", far, (*far[:2], -0.01))]  # fmt: skip
    middle: list[Piece] = [("Body", "", (0, 0.2, 0.2), (0, -0.2, 0.2))]
    middle.append(("Head", "Body", (0, -0.2, 0.2), (0, -0.5, 0.2)))
    assert f"stands on {2 * pairs} legs" in said(rig([*middle, *mirrored(legs)]))


def without_names(armature: Armature) -> Armature:
    """Return an armature whose names tell sides alone."""
    return renamed(armature, lambda name: f"bone {armature.index[name]:x}{name[-2:] if name[-2:-1] == '.' else ''}")


@pytest.mark.parametrize("named", [True, False])
def test_arms_that_hang_to_the_ground_are_arms(named: bool) -> None:
    """As an orang-utan's: the trunk rises from the legs to them, so it does not stand on them."""
    tall = standard_armature(arm_scale=1.9, arm_angle=np.radians(88.0))
    hand = tall.bones[tall.index["hand.L"]]
    assert abs(hand.tail[2]) < 0.1
    found = map_bones(tall if named else without_names(tall))
    assert {"upper_arm.L", "forearm.R", "hand.L"} <= set(found.bones) and found.doubts == ()


BENT: Mapping[str, float] = {"spine.001": 80.0, "thigh.L": 10.0, "thigh.R": 10.0}
"""On hands and feet: turns about the axis to the left, degrees, on top of what carries each bone."""


def on_all_fours(fingers: int) -> Armature:
    """Return a person on hands and feet, each hand with a thumb or so and fingers of two bones."""
    body = standard_armature(arm_scale=1.25, leg_scale=0.65, arm_angle=np.radians(90.0))
    pose = {name: turn([1.0, 0.0, 0.0], angle) for name, angle in BENT.items()}
    pose |= {f"upper_arm.{side}": turn([1.0, 0.0, 0.0], -75.0) for side in SIDES}
    body = grounded(posed(body, pose))
    bones = list(body.bones)
    for side in SIDES:
        palm = bones[body.index[f"hand.{side}"]]
        for k in range(fingers):
            base, on = palm.head + np.array([0.02 * k - 0.04, -0.06, 0.0]), np.array([0.0, -0.03, 0.0])
            first = replace(palm, name=f"finger{k}.{side}", parent=body.index[palm.name], head=base, tail=base + on)
            knuckle = replace(first, name=f"knuckle{k}.{side}", parent=len(bones), head=base + on, tail=base + 2.0 * on)
            bones += [first, knuckle]
    return replace(body, bones=tuple(bones))


@pytest.mark.parametrize("named", [True, False])
def test_people_and_apes_on_all_fours_are_told_by_their_fingers(named: bool) -> None:
    body = on_all_fours(5)
    hips, shoulders, hand = (body.bones[body.index[n]].head for n in ("thigh.L", "upper_arm.L", "hand.L"))
    assert hand[2] < 0.2 < abs(hips[1] - shoulders[1]) and abs(hips[2] - shoulders[2]) < abs(hips[1] - shoulders[1])
    rig_map = map_bones(body if named else without_names(body))
    assert ON_ALL_FOURS in rig_map.doubts
    assert len(rig_map.bones["hand.L"]) >= 1 and rig_map.bones["thigh.L"] != rig_map.bones["upper_arm.L"]
    if named:
        assert rig_map.bones["thigh.L"] == ("thigh.L",) and rig_map.bones["hand.R"] == ("hand.R",)
        standing = build_character(body, rig_map, None)
        origins, _ = standing.standing()
        chest, pelvis = (origins[standing.index(role)] for role in ("chest", "pelvis"))
        assert chest[2] > pelvis[2]


def test_paws_with_the_names_of_hands_are_paws() -> None:
    """As Rigify's cat has them, whose hind feet have as many toes."""
    body = on_all_fours(0)
    assert "stands on its hands (hand.L, hand.R)" in said(body)
    assert "4 legs" in said(without_names(without(body, "heel")))
