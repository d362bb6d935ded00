"""The middle of the body and where it faces."""

from __future__ import annotations

import numpy as np
import pytest

from blender_biped.base.errors import RigError
from blender_biped.character.structure.arms import find_arm
from blender_biped.character.structure.body_parts import find_body_parts
from blender_biped.character.structure.facing import Facing, facing_of
from blender_biped.character.structure.legs import find_leg, leg_parts
from blender_biped.character.structure.limbs import limbs_of
from blender_biped.character.structure.symmetry import Symmetry
from blender_biped.character.structure.trunk import find_pelvis, find_trunk
from tests.character.structure.figures import LEGS, PERSON, TRUNK, armature, names, symmetry


def pelvis_of(found: Symmetry) -> str:
    return found.skeleton.name(find_pelvis(found, find_leg(found, limbs_of(found))))


def trunk_of(found: Symmetry) -> list[tuple[str, ...]]:
    limbs = limbs_of(found)
    leg = find_leg(found, limbs)
    pelvis = find_pelvis(found, leg)
    trunk = find_trunk(found, pelvis, leg, find_arm(found, limbs, leg, pelvis))
    return [names(found, bones) for bones in (trunk.abdomen, trunk.chest, trunk.head)]


def facing(found: Symmetry) -> Facing:
    return facing_of(found, leg_parts(found, find_leg(found, limbs_of(found))))


def test_the_pelvis_carries_both_legs() -> None:
    assert pelvis_of(symmetry()) == "pelvis"


def test_a_root_on_the_ground_is_no_pelvis() -> None:
    on_root = {"root": ("", (0.0, 0.0, 0.0)), **PERSON, "pelvis": ("root", (0.0, 0.0, 1.0))}
    on_root |= {f"thigh.{side}": ("root", PERSON[f"thigh.{side}"][1]) for side in "LR"}
    assert pelvis_of(symmetry(on_root)) == "pelvis"


def test_legs_that_nothing_carries_have_no_pelvis() -> None:
    alone = {name: place for name, place in PERSON.items() if name in LEGS}
    alone |= {f"thigh.{side}": ("", PERSON[f"thigh.{side}"][1]) for side in "LR"}
    with pytest.raises(RigError, match="there are no hips"):
        pelvis_of(symmetry(alone))


def test_the_arms_end_the_spine() -> None:
    assert trunk_of(symmetry()) == [("spine",), ("chest",), ("neck", "head")]


def test_without_arms_the_neck_does() -> None:
    assert trunk_of(symmetry({**TRUNK, **LEGS})) == [("spine",), ("chest",), ("neck", "head")]


def test_of_trunk_and_tail_the_trunk_goes_up() -> None:
    tail = {"tail": ("pelvis", (0.0, 0.1, 0.95)), "tail2": ("tail", (0.0, 0.6, 0.7))}
    assert trunk_of(symmetry({**tail, **TRUNK, **LEGS}))[0] == ("spine",)


def test_feet_point_forward() -> None:
    found = facing(symmetry())
    assert found.known
    np.testing.assert_allclose(found.forward, (0.0, -1.0, 0.0), atol=1e-9)
    back = {name: (parent, (x, -y, z)) for name, (parent, (x, y, z)) in PERSON.items()}
    np.testing.assert_allclose(facing(symmetry(back)).forward, (0.0, 1.0, 0.0), atol=1e-9)


def test_without_feet_the_names_of_the_sides_tell_where_it_faces() -> None:
    lame = {name: place for name, place in PERSON.items() if not name.startswith("toe")}
    found = facing(symmetry(lame))
    assert found.known
    np.testing.assert_allclose(found.forward, (0.0, -1.0, 0.0), atol=1e-9)


def test_without_either_it_faces_as_blenders_characters_and_says_so() -> None:
    lame = {name: place for name, place in PERSON.items() if not name.startswith("toe")}
    nameless = {f"b{k}": (f"b{list(lame).index(parent)}" if parent else "", head)
                for k, (parent, head) in enumerate(lame.values())}  # fmt: skip
    found = facing(symmetry(nameless))
    assert not found.known
    np.testing.assert_allclose(found.forward, (0.0, -1.0, 0.0), atol=1e-9)
    assert any("which way the character faces" in doubt for doubt in find_body_parts(armature(nameless)).doubts)


def test_all_parts_of_a_person() -> None:
    found = find_body_parts(armature(PERSON))
    assert found.symmetry == 1.0
    assert not found.doubts
    assert found.bones["chest"] == ("chest", *sorted(("clavicle.L", "clavicle.R"), key=found.bones["chest"].index))
    assert set(found.bones["chest"]) == {"chest", "clavicle.L", "clavicle.R"}
    assert found.bones["thigh.L"] == ("thigh.L",)
    assert found.bones["hand.R"] == ("hand.R", "fingers.R")
    assert set(found.reasons) == set(found.bones)
