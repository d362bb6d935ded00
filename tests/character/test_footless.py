"""Legs without a foot end where their skin does: an importer makes the tails of last bones up."""

from __future__ import annotations

import numpy as np
import pytest

from blender_biped.base.spatial import Array
from blender_biped.character.armature import Armature
from blender_biped.character.model import SIDES
from blender_biped.character.skin import skin_from
from blender_biped.character.standard import standard_armature
from tests.character.humanoid import character, moved_bone, without


def footless(tail: Array, sole: float) -> Armature:
    """Return a person without feet: shins with a tail that is made up (3,), from the knee, and skin to a sole, m."""
    rig = without(standard_armature(), "foot", "toe", "heel")
    points, owners = [], []
    for side in SIDES:
        shin = rig.bones[rig.index[f"shin.{side}"]]
        for share in np.linspace(0.0, 1.0, 6):
            for away in (-0.04, 0.04):
                points.append((shin.head[0] + away, shin.head[1], shin.head[2] + share * (sole - shin.head[2])))
                owners.append(rig.index[shin.name])
        rig = moved_bone(rig, shin.name, tail=shin.head + tail)
    each = np.arange(len(points))
    names = [bone.name for bone in rig.bones]
    skin = skin_from(np.array(points), np.zeros((0, 2), dtype=int), names, each, np.array(owners), np.ones(len(points)))
    return Armature(rig.name, rig.bones, rig.world, skin)


@pytest.mark.parametrize("tail", [(0.0, 0.0, -0.2), (0.0, 0.0, -0.8), (0.0, -0.3, -0.05), (0.0, 0.0, -0.499)])
@pytest.mark.parametrize("sole", [0.0, 0.05])
def test_a_leg_without_a_foot_stands_on_its_skin(tail: tuple[float, float, float], sole: float) -> None:
    body = character(footless(np.array(tail), sole))
    hip = standard_armature().bones[standard_armature().index["thigh.L"]].head[2]
    assert body.stand_height == pytest.approx(hip - sole, abs=0.03)
