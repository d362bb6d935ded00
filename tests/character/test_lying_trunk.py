"""Creatures whose trunk lies along the ground stand as their rest pose does; what hangs into the ground is measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from blender_biped.base.spatial import Array, quaternion_matrix
from blender_biped.character.armature import Armature, Bone
from blender_biped.character.body import build_character
from blender_biped.character.clearance import BodyClearance, clearance_of
from blender_biped.character.model import Character
from blender_biped.character.roles import map_bones
from blender_biped.character.skin import Skin
from blender_biped.character.standard import standard_armature
from tests.character.humanoid import BACK, LEFT, UP, posed, turn

STANDARD = standard_armature()


def with_tail(rig: Armature, steps: Sequence[Array]) -> Armature:
    """Return an armature with a tail of bones, each so far on from its head, m, in the armature's axes."""
    at, above = rig.bones[0].head, 0
    bones = list(rig.bones)
    for k, step in enumerate(steps):
        bones.append(Bone(f"tail.{k:03}", above, at, at + step, np.eye(3)))
        at, above = at + step, len(bones) - 1
    return replace(rig, bones=tuple(bones))


def creature(bent: float, tail: Sequence[Array] = (), neck: float = 0.0, of: Armature = STANDARD) -> Armature:
    """Return an armature whose trunk is bent ahead, and whose neck is bent up again, degrees. of: it upright."""
    return with_tail(posed(of, {"spine.001": turn(LEFT, bent), "spine.004": turn(LEFT, -neck)}), tail)


def built(rig: Armature) -> Character:
    return build_character(rig, map_bones(rig), None)


def slope(points: tuple[Array, Array]) -> float:
    low, high = points
    return float(np.degrees(np.arctan2(high[2] - low[2], np.hypot(*(high - low)[:2]))))


def ahead(body: Character) -> float:
    return float(body.masses @ body.com_positions(*body.standing())[:, 0] / body.mass / body.leg_length)


LEVEL = [0.25 * BACK] * 5
HANGING = [0.2 * (BACK - UP)] * 6
NONE: list[Array] = []


@pytest.mark.parametrize("bent", [70.0, 85.0, 100.0])
@pytest.mark.parametrize("tail", [LEVEL, NONE], ids=["tail", "none"])
def test_a_trunk_that_lies_in_rest_lies_as_it_stands(bent: float, tail: list[Array]) -> None:
    rig = creature(bent, tail, neck=60.0)
    body = built(rig)
    hips = np.mean([rig.bones[rig.index[f"thigh.{side}"]].head for side in "LR"], axis=0)
    neck = rig.bones[rig.index["spine.004"]].head
    origins, _ = body.standing()
    assert slope((origins[0], origins[body.index("head")])) == pytest.approx(slope((hips, neck)), abs=1e-6)
    for role in ("pelvis", "chest", "head"):
        rest = quaternion_matrix(np.array(body.links[body.index(role)].rest))
        np.testing.assert_allclose(rest[:, 2], UP, atol=1e-9)
    assert abs(ahead(body)) < 0.09
    assert clearance_of(rig, map_bones(rig), body) == BodyClearance()


def test_a_lying_body_has_its_weight_over_its_hips_by_its_masses() -> None:
    lying, upright = built(creature(80.0, LEVEL, neck=60.0)), built(STANDARD)
    shares = [body.masses[body.index("chest")] / body.mass for body in (lying, upright)]
    assert 0.1 * shares[1] < shares[0] < shares[1]


def test_who_stoops_stands_upright_enough_to_be_over_the_feet() -> None:
    rig = creature(40.0)
    body = built(rig)
    rest = quaternion_matrix(np.array(body.links[body.index("chest")].rest))
    assert rest[2, 2] < 0.99 and abs(ahead(body)) < 0.01


def test_who_is_on_all_fours_in_rest_stands_on_the_feet() -> None:
    arms = {f"upper_arm.{side}": turn(LEFT, -80.0) for side in "LR"}
    upright = standard_armature(leg_scale=0.6, arm_scale=1.2)
    rig = posed(creature(80.0, of=upright), arms)
    assert min(rig.bones[rig.index[f"hand.{side}"]].head[2] for side in "LR") < 0.3
    body = build_character(rig, map_bones(upright), None)
    rest = quaternion_matrix(np.array(body.links[body.index("chest")].rest))
    assert rest[2, 2] < 0.6 and abs(ahead(body)) < 0.09


def test_what_hangs_into_the_ground_is_measured() -> None:
    rig = creature(80.0, HANGING, neck=60.0)
    found = clearance_of(rig, map_bones(rig), built(rig))
    hips = float(rig.bones[rig.index["thigh.L"]].head[2])
    assert found.tail == pytest.approx(5 * 0.2 - hips, abs=0.02) and found.head == 0.0


def test_a_tail_that_is_thicker_than_its_bones_is_measured_by_its_skin() -> None:
    rig = creature(80.0, LEVEL, neck=60.0)
    tip, hips = rig.bones[-1], float(rig.bones[rig.index["thigh.L"]].head[2])
    low = tip.head - (hips + 0.3) * UP
    one = np.zeros(1, dtype=int)
    skin = Skin(low[None], np.zeros((0, 2), dtype=int), (tip.name,), one, one, np.ones(1))
    mapped = map_bones(rig)
    body = build_character(rig, mapped, None)
    found = clearance_of(replace(rig, skin=skin), mapped, body)
    assert clearance_of(rig, mapped, body).tail == 0.0
    assert found.tail == pytest.approx(-float(low[2]), abs=0.05)


def test_a_head_below_short_legs_is_measured() -> None:
    rig = creature(150.0, LEVEL, of=standard_armature(leg_scale=0.3))
    skull = rig.bones[rig.index["spine.004"]]
    rig = replace(
        rig, bones=(*rig.bones, Bone("snout", rig.index["spine.004"], skull.tail, skull.tail - 0.1 * UP, np.eye(3)))
    )
    found = clearance_of(rig, map_bones(rig), built(rig))
    assert found.head == pytest.approx(-float(skull.tail[2]), abs=0.03) and found.tail == 0.0


def test_weight_that_no_feet_are_below_is_measured() -> None:
    rig = creature(85.0, of=standard_armature(trunk_scale=4.0, head_scale=3.0, leg_scale=0.5, foot_scale=0.6))
    found = clearance_of(rig, map_bones(rig), built(rig))
    assert found.beside > 0.1 and found.tail == found.head == 0.0


@pytest.mark.parametrize("stature", [0.2, 1.75, 6.0])
def test_people_have_nothing_in_the_ground_and_stand_over_their_feet(stature: float) -> None:
    rig = standard_armature(stature)
    assert clearance_of(rig, map_bones(rig), build_character(rig, map_bones(rig), None)) == BodyClearance()
