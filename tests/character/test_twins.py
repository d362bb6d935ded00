"""An outfit whose armature was joined to the body's: each bone is there twice at one place, in a chain of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from blender_biped.character.armature import Armature
from blender_biped.character.carrying import left_behind, with_skin_carried
from blender_biped.character.roles import map_bones
from blender_biped.character.skin import skin_from
from blender_biped.character.standard import standard_armature
from tests.character.humanoid import renamed
from tests.character.namings import named


def dressed(body: Armature, rename: Callable[[str], str], parent: int = -1) -> Armature:
    """Return a body with its bones once more under other names, and a point of skin on each; parent: of the outfit."""
    count = len(body.bones)
    outfit = (
        replace(bone, name=rename(bone.name), parent=bone.parent + count if bone.parent >= 0 else parent)
        for bone in body.bones
    )
    bones = (*body.bones, *outfit)
    points = np.array([0.5 * (bone.head + bone.tail) for bone in bones])
    each = np.arange(len(bones))
    edges = np.stack((each[:-1], each[1:]), axis=1)
    skin = skin_from(points, edges, [bone.name for bone in bones], each, each, np.ones(len(bones)))
    return replace(body, bones=bones, skin=skin)


@pytest.mark.parametrize("convention", ["plain names", "Mixamo / MotionBuilder / CMU", "VRM / Unity humanoid"])
@pytest.mark.parametrize("rename", [lambda name: f"{name}.001", lambda name: f"Coat {name}"])
def test_each_of_the_outfits_bones_moves_with_the_part_at_its_place(
    convention: str, rename: Callable[[str], str]
) -> None:
    body = renamed(standard_armature(), lambda name: named(convention, name))
    alone = map_bones(body)
    both = dressed(body, rename)
    found = map_bones(both)
    assert found.bones == alone.bones
    moved = with_skin_carried(found, both)
    for role, names in alone.bones.items():
        assert set(moved.bones[role]) == {*names, *map(rename, names)}, role
        assert moved.bones[role][0] == names[0]
    assert left_behind(both, moved.bones) == ()


def test_what_hangs_on_the_part_at_its_place_is_left_to_hang() -> None:
    body = standard_armature()
    shin = body.index["shin.L"]
    twist = replace(body.bones[shin], name="shin_roll.L", parent=shin)
    both = replace(body, bones=(*body.bones, twist))
    points = np.array([bone.tail for bone in both.bones])
    each = np.arange(len(points))
    names = [bone.name for bone in both.bones]
    both = replace(both, skin=skin_from(points, np.zeros((0, 2), dtype=int), names, each, each, np.ones(len(points))))
    found = map_bones(both)
    assert with_skin_carried(found, both).bones == found.bones
