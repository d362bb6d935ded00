"""Limbs, and of them legs and arms with their joints."""

from __future__ import annotations

import numpy as np
import pytest

from blender_biped.base.errors import RigError
from blender_biped.character.structure.arms import check_arm_hangs, find_arm
from blender_biped.character.structure.legs import LegParts, find_leg, leg_parts
from blender_biped.character.structure.limbs import Limb, limbs_of
from blender_biped.character.structure.skeleton import FourLegsError
from blender_biped.character.structure.standing import on_the_ground
from blender_biped.character.structure.symmetry import Symmetry
from tests.character.structure.figures import ARMS, LEGS, PERSON, TRUNK, both, names, stems, symmetry


def leg_of(found: Symmetry) -> Limb:
    return find_leg(found, limbs_of(found))


def parts(found: Symmetry, leg: LegParts) -> list[tuple[str, ...]]:
    return [stems(found, bones) for bones in (leg.spreader, leg.thigh, leg.shin, leg.foot, leg.toes)]


def test_limbs_are_the_chains_of_one_side() -> None:
    found = symmetry()
    assert {stems(found, limb.bones) for limb in limbs_of(found)} == {
        ("thigh", "shin", "foot", "toe"), ("clavicle", "arm", "elbow", "hand", "fingers"),
    }  # fmt: skip
    for limb in limbs_of(found):
        assert len({name[-1] for name in names(found, limb.bones)}) == 1


def test_a_bone_that_holds_several_limbs_is_none_itself() -> None:
    held = both({
        "side": ("pelvis", (0.05, 0.0, 1.0)), "leg": ("side", (0.1, 0.0, 0.9)), "knee": ("leg", (0.1, 0.0, 0.4)),
        "fan": ("side", (0.2, 0.2, 0.9)), "blade": ("fan", (0.6, 0.4, 0.9)),
    })  # fmt: skip
    found = symmetry({**TRUNK, **held})
    assert {stems(found, limb.bones) for limb in limbs_of(found)} == {("leg", "knee"), ("fan", "blade")}


def test_the_leg_is_the_limb_that_comes_down_to_the_ground() -> None:
    found = symmetry()
    leg = leg_of(found)
    assert parts(found, leg_parts(found, leg)) == [(), ("thigh",), ("shin",), ("foot",), ("toe",)]


def test_a_knee_halves_the_leg_whatever_twist_bones_it_has() -> None:
    twisted = both({
        "a": ("pelvis", (0.1, 0.0, 0.95)), "b": ("a", (0.1, 0.0, 0.72)), "c": ("b", (0.1, 0.0, 0.5)),
        "d": ("c", (0.1, 0.0, 0.3)), "e": ("d", (0.1, 0.0, 0.1)), "f": ("e", (0.1, -0.1, 0.0)),
    })  # fmt: skip
    found = symmetry({**TRUNK, **twisted, **ARMS})
    assert parts(found, leg_parts(found, leg_of(found))) == [(), ("a", "b"), ("c", "d"), ("e",), ("f",)]


def test_a_bone_from_the_middle_to_the_hip_is_a_spreader() -> None:
    spread = {**PERSON, **both({"wide": ("pelvis", (0.02, 0.0, 0.97))})}
    for side in "LR":
        spread[f"thigh.{side}"] = (f"wide.{side}", LEGS[f"thigh.{side}"][1])
    found = symmetry(spread)
    assert parts(found, leg_parts(found, leg_of(found)))[:2] == [("wide",), ("thigh",)]


def test_a_foot_on_a_root_belongs_to_the_leg_above_it() -> None:
    apart = {**PERSON, **{f"foot.{side}": ("", LEGS[f"foot.{side}"][1]) for side in "LR"}}
    found = symmetry(apart)
    leg = leg_of(found)
    assert leg.foot == 2
    assert parts(found, leg_parts(found, leg)) == [(), ("thigh",), ("shin",), ("foot",), ("toe",)]


def test_toes_beside_the_first_are_toes() -> None:
    little = {f"little.{side}": (f"foot.{side}", (x, -0.14, 0.02)) for side, x in (("L", 0.15), ("R", -0.15))}
    found = symmetry({**PERSON, **little})
    assert set(stems(found, leg_parts(found, leg_of(found)).toes)) == {"toe", "little"}


def test_a_leg_without_a_knee_is_refused() -> None:
    found = symmetry({**TRUNK, **both({"thigh": ("pelvis", (0.1, 0.0, 0.95)), "foot": ("thigh", (0.1, 0.0, 0.0))})})
    leg = leg_of(found)
    with pytest.raises(RigError, match="no knee"):
        leg_parts(found, Limb(leg.bones[:1], leg.points))


def test_arms_alone_are_no_legs() -> None:
    found = symmetry({**TRUNK, **ARMS})
    with pytest.raises(RigError, match="no legs found"):
        leg_of(found)


def test_limbs_that_stand_far_apart_are_those_of_four_legs() -> None:
    front = both({
        "front": ("chest", (0.1, -1.0, 0.95)), "knee": ("front", (0.1, -1.0, 0.5)), "paw": ("knee", (0.1, -1.0, 0.0)),
    })  # fmt: skip
    found = symmetry({**TRUNK, **LEGS, **front})
    with pytest.raises(FourLegsError, match="stands on 4 legs"):
        on_the_ground(found, limbs_of(found))


def test_an_arm_is_cut_at_clavicle_elbow_and_wrist() -> None:
    found = symmetry()
    arm = find_arm(found, limbs_of(found), leg_of(found), found.skeleton.armature.index["pelvis"])
    assert arm is not None
    cut = [stems(found, bones) for bones in (arm.clavicle, arm.upper_arm, arm.forearm, arm.hand)]
    assert cut == [("clavicle",), ("arm",), ("elbow",), ("hand", "fingers")]
    check_arm_hangs(found, leg_of(found), arm)


def test_without_limbs_on_the_trunk_there_is_no_arm() -> None:
    found = symmetry({**TRUNK, **LEGS})
    assert find_arm(found, limbs_of(found), leg_of(found), 0) is None


def test_an_arm_on_the_ground_before_a_level_trunk_bears_weight() -> None:
    low = {name: (parent, (x, y - 0.8, z - 1.4 * (abs(x) > 0.6))) for name, (parent, (x, y, z)) in ARMS.items()}
    found = symmetry({**TRUNK, **LEGS, **low})
    limbs = limbs_of(found)
    leg = max(limbs, key=lambda limb: float(np.ptp(limb.points[:, 2])) * ("thigh" in stems(found, limb.bones)))
    arm = find_arm(found, limbs, leg, found.skeleton.armature.index["pelvis"])
    assert arm is not None
    with pytest.raises(FourLegsError, match="stands on its arms too"):
        check_arm_hangs(found, leg, arm)
    upright = symmetry({**TRUNK, **LEGS, **{n: (p, (x, y + 0.8, z)) for n, (p, (x, y, z)) in low.items()}})
    check_arm_hangs(upright, leg, arm)


@pytest.mark.parametrize("fingers", [1, 2, 4])
@pytest.mark.parametrize("twists", [("elbow",), ("arm",), ("arm", "elbow")])
def test_a_twist_bone_beside_the_hand_does_not_end_the_arm(fingers: int, twists: tuple[str, ...]) -> None:
    more = {
        f"turn{k} {bone}": (bone, (0.05 * k + (0.6 if bone == "elbow" else 0.4), 0.0, 1.45))
        for bone in twists
        for k in range(2)
    }
    hand = {f"finger{k}": ("hand", (0.78, 0.02 * k, 1.45)) for k in range(fingers)}
    tips = {f"tip{k}": (f"finger{k}", (0.82, 0.02 * k, 1.45)) for k in range(fingers)}
    own = {name: (parent.partition(".")[0], place) for name, (parent, place) in ARMS.items() if name.endswith(".L")}
    plain = {name.partition(".")[0]: bone for name, bone in own.items() if not name.startswith("fingers")}
    found = symmetry({**TRUNK, **LEGS, **both({**plain, **hand, **tips, **more})})
    limbs = limbs_of(found)
    pelvis = found.skeleton.armature.index["pelvis"]
    arm = find_arm(found, limbs, leg_of(found), pelvis)
    assert arm is not None
    assert [stems(found, part)[:1] for part in (arm.upper_arm, arm.forearm, arm.hand)] == [
        ("arm",), ("elbow",), ("hand",),
    ]  # fmt: skip
