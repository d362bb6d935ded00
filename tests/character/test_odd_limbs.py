"""Arms and legs as few draw them: mapped right with a doubt that is said, or refused with the cure."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from blender_biped.base.errors import RigError
from blender_biped.character.armature import Armature
from blender_biped.character.model import SIDES
from blender_biped.character.roles import map_bones
from blender_biped.character.standard import standard_armature
from blender_biped.character.structure.body_parts import NO_CLAVICLE
from tests.character.humanoid import moved_bone, without
from tests.character.test_four_legs import without_names
from tests.character.test_roles import hung

ARM = ("upper_arm", "forearm", "hand")


def short_upper_arms(share: float, angle: float, clavicles: bool) -> Armature:
    """Return a person whose elbows are nearer to the shoulders by a share. angle: rad, below level."""
    body = standard_armature(arm_angle=angle)
    for side in SIDES:
        upper = body.bones[body.index[f"upper_arm.{side}"]]
        elbow = upper.head + share * (upper.tail - upper.head)
        body = moved_bone(moved_bone(body, upper.name, tail=elbow), f"forearm.{side}", head=elbow)
    return body if clavicles else without(body, "shoulder")


@pytest.mark.parametrize("share", [0.4, 0.6, 1.0])
@pytest.mark.parametrize("angle", [0.0, 0.8])
@pytest.mark.parametrize("clavicles", [True, False])
def test_a_short_upper_arm_is_no_clavicle(share: float, angle: float, clavicles: bool) -> None:
    """By its shape alone: it became a part of the chest, and the hand a forearm."""
    body = short_upper_arms(share, angle, clavicles)
    blank = without_names(body)
    found = map_bones(blank)
    for part in ARM:
        assert found.bones[f"{part}.L"] == (blank.bones[body.index[f"{part}.L"]].name,)
    assert (NO_CLAVICLE in found.doubts) == (share < 1.0 and not clavicles)
    assert map_bones(body).doubts == ()  # their names tell


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("below", [-0.1, 0.0, 0.1])
def test_a_neck_that_carries_the_arms_is_neck_and_head_also_where_it_begins_below_them(
    named: bool, below: float
) -> None:
    """It became the chest, in a rig that had no head then."""
    body = hung(standard_armature(), {"shoulder.{}": "spine.004"})
    shoulders = body.bones[body.index["upper_arm.L"]].head[2]
    body = moved_bone(body, "spine.004", head=(0.0, 0.0, shoulders - below))
    given = body if named else without_names(body)
    found = map_bones(given)
    assert found.bones["head"] == (given.bones[body.index["spine.004"]].name,)
    assert found.bones["chest"][-3] == given.bones[body.index["spine.003"]].name


def test_a_chest_without_a_head_is_chest() -> None:
    body = without(standard_armature(), "spine.004")
    for given in (body, without_names(body)):
        found = map_bones(given)
        assert given.bones[body.index["spine.003"]].name in found.bones["chest"] and "head" in found.missing


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("upwards", [True, False])
def test_legs_that_are_drawn_from_the_ground_up_are_refused(named: bool, upwards: bool) -> None:
    """Each bone begins at its lower end, whether feet carry thighs or thighs feet: no joint is right."""
    body = without(standard_armature(), "heel")
    chain = ("thigh", "shin", "foot", "toe")
    bones = list(body.bones)
    for side in SIDES:
        own = [body.index[f"{part}.{side}"] for part in chain]
        for i, lower in zip(own, [*own[1:], -1], strict=True):
            parent = lower if upwards else bones[i].parent
            bones[i] = replace(bones[i], head=bones[i].tail, tail=bones[i].head, parent=parent)
    drawn = replace(body, bones=tuple(bones))
    with pytest.raises(RigError, match=r"its leg bones point up, .* Switch Direction"):
        map_bones(drawn if named else without_names(drawn))


def test_legs_of_bones_whose_tails_mean_nothing_are_none_of_those() -> None:
    """As importers leave them: short, and upwards."""
    body = standard_armature()
    bones = (replace(b, tail=b.head + np.array([0.0, 0.0, 0.03])) for b in body.bones)
    assert map_bones(replace(body, bones=tuple(bones))).bones["thigh.L"] == ("thigh.L",)
