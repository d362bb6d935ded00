"""Limbs in two halves, of which the lower one hangs on the root and is held by a constraint at the upper one's end."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from blender_biped.character.roles import map_bones
from tests.character.pieces import Piece, mirrored, rig

TRUNK: list[Piece] = [
    ("c_traj", "", (0, 0, 0), (0, 0.3, 0)), ("root.x", "c_traj", (0, 0, 1.05), (0, 0, 1.15)),
    ("spine_01.x", "root.x", (0, 0, 1.15), (0, 0, 1.3)), ("spine_02.x", "spine_01.x", (0, 0, 1.3), (0, 0, 1.45)),
    ("neck.x", "spine_02.x", (0, 0, 1.5), (0, 0, 1.6)), ("head.x", "neck.x", (0, 0, 1.6), (0, 0, 1.85)),
]  # fmt: skip
LIMBS: list[Piece] = [
    ("thigh_twist.{}", "root.x", (0.1, 0, 1), (0.11, -0.01, 0.78)),
    ("thigh_stretch.{}", "c_traj", (0.11, -0.01, 0.78), (0.12, -0.02, 0.56)),
    ("leg_stretch.{}", "c_traj", (0.12, -0.02, 0.56), (0.13, 0, 0.32)),
    ("leg_twist.{}", "leg_stretch.{}", (0.13, 0, 0.32), (0.14, 0.02, 0.08)),
    ("foot.{}", "leg_twist.{}", (0.14, 0.02, 0.08), (0.14, -0.12, 0.02)),
    ("toes_01.{}", "foot.{}", (0.14, -0.12, 0.02), (0.14, -0.2, 0.02)),
    ("shoulder.{}", "spine_02.x", (0.04, 0, 1.44), (0.14, 0, 1.44)),
    ("arm_twist.{}", "shoulder.{}", (0.14, 0, 1.44), (0.26, 0.01, 1.4)),
    ("arm_stretch.{}", "c_traj", (0.26, 0.01, 1.4), (0.38, 0.02, 1.36)),
    ("forearm_stretch.{}", "c_traj", (0.38, 0.02, 1.36), (0.5, 0.01, 1.32)),
    ("forearm_twist.{}", "forearm_stretch.{}", (0.5, 0.01, 1.32), (0.62, 0, 1.28)),
    ("hand.{}", "forearm_twist.{}", (0.62, 0, 1.28), (0.72, 0, 1.25)),
]  # fmt: skip
HELD = {
    "thigh_stretch": "thigh_twist", "leg_stretch": "thigh_stretch", "arm_stretch": "arm_twist",
    "forearm_stretch": "arm_stretch",
}  # fmt: skip


def plain(name: str) -> str:
    """Return a name that says nothing but the side: of pieces in the order in which they are listed."""
    stem, _, side = name.rpartition(".")
    known = [piece[0].rpartition(".")[0] for piece in (*TRUNK, *LIMBS)]
    return f"Bone{known.index(stem):02}.{side}" if stem in known and side in "lr" else f"Bone {name}"


@pytest.mark.parametrize("rename", [str, plain])
def test_the_upper_half_begins_the_limb(rename: Callable[[str], str]) -> None:
    pieces = [*TRUNK, *mirrored(LIMBS, ("l", "r"))]
    own = [(rename(name), rename(parent) if parent else "", head, tail) for name, parent, head, tail in pieces]
    held = {rename(f"{low}.{side}"): rename(f"{up}.{side}") for low, up in HELD.items() for side in "lr"}
    armature = rig(own, held)
    found = map_bones(armature)
    for side in "LR":
        joints = {
            "thigh": "thigh_twist", "shin": "leg_stretch", "foot": "foot", "upper_arm": "arm_twist",
            "forearm": "forearm_stretch", "hand": "hand",
        }  # fmt: skip
        for part, bone in joints.items():
            assert found.bones[f"{part}.{side}"][0] == rename(f"{bone}.{side.lower()}"), part
    assert not found.doubts
