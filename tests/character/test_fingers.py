"""Fingers: found by names or by shape, and curled towards the palm on both sides, whatever the rolls."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from blender_biped.base.spatial import Array, axis_angle_quaternion, normalized, quaternion_matrix
from blender_biped.character.armature import Armature, Bone
from blender_biped.character.fingers import curled, fingers_of

KINDS = ("thumb", "index", "middle", "ring", "pinky")


def hand(side: str = "L", name: str = "{kind}.{joint:02}.{side}", seed: int = 0, bent: float = 0.0) -> Armature:
    """Return an arm along y, palm down, fingers spread, thumb in front (x), with random rolls.

    bent: rad, of each joint at rest.
    """
    rng = np.random.default_rng(seed)
    out = 1.0 if side == "L" else -1.0
    bones: list[Bone] = []

    def add(name: str, parent: int, head: Array, tail: Array) -> int:
        turn = axis_angle_quaternion(normalized(rng.normal(size=3)), rng.uniform(0.0, 3.0))
        bones.append(Bone(name, parent, np.array(head), np.array(tail), quaternion_matrix(turn)))
        return len(bones) - 1

    arm = add(f"forearm.{side}", -1, np.array([0.0, out * 0.5, 1.4]), np.array([0.0, out * 0.75, 1.4]))
    wrist = add(f"hand.{side}", arm, np.array([0.0, out * 0.75, 1.4]), np.array([0.0, out * 0.85, 1.4]))
    for i, kind in enumerate(KINDS):
        at = np.array([0.04 - 0.02 * i if i else 0.05, out * (0.85 if i else 0.78), 1.4])
        way = normalized([0.7 if not i else 0.1 * (2 - i), out, 0.0])
        parent = wrist
        for joint in (1, 2, 3):
            parent = add(name.format(kind=kind, number=i, joint=joint, side=side), parent, at, at + 0.03 * way)
            at = at + 0.03 * way
            down = np.array([0.0, 0.0, -1.0])
            way = np.cos(bent) * way + np.sin(bent) * normalized(down - (down @ way) * way)
    return Armature("Hand", tuple(bones), np.eye(4))


def tip(armature: Armature, turns: Any, last: str) -> tuple[Array, Array]:
    """Return the end of a finger at rest and with its joints turned."""
    bones = [armature.index[last]]
    while armature.bones[bones[0]].parent >= 0:
        bones.insert(0, armature.bones[bones[0]].parent)
    turn, place = np.eye(3), armature.bones[bones[0]].head
    for above, below in zip(bones, [*bones[1:], None], strict=True):
        bone = armature.bones[above]
        own = quaternion_matrix(turns.get(bone.name, (1.0, 0.0, 0.0, 0.0)))
        turn = turn @ bone.matrix @ own @ bone.matrix.T
        end = bone.tail if below is None else armature.bones[below].head
        place = place + turn @ (end - bone.head)
    return armature.bones[bones[-1]].tail, place


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("side", ["L", "R"])
@pytest.mark.parametrize(
    "name",
    [
        "{kind}.{joint:02}.{side}", "mixamorig:{side}Hand{kind}{joint}", "f_{kind}.{joint:02}.{side}",
        "finger{number}-{joint}.{side}", "Bone_{number}_{joint}.{side}",
    ],
)  # fmt: skip
def test_fingers_curl_towards_the_palm(name: str, side: str, seed: int) -> None:
    name = name.replace("mixamorig:{side}", "mixamorig:Left" if side == "L" else "mixamorig:Right")
    armature = hand(side, name, seed)
    fingers = fingers_of(armature, f"hand.{side}", f"forearm.{side}", side)
    assert sorted(f.kind for f in fingers) == sorted(KINDS)
    assert all(len(f.bones) == 3 for f in fingers)
    turns = curled(armature, f"hand.{side}", side, fingers)
    assert len(turns) == 15
    for finger in fingers:
        before, after = tip(armature, turns, finger.bones[-1])
        if finger.kind == "thumb":
            assert after[0] < before[0] - 0.003  # to the other fingers
        else:
            assert after[2] < before[2] - 0.02  # down, where the palm is
            assert abs(after[0] - before[0]) < 0.02


def test_the_little_finger_curls_most_and_the_thumb_least() -> None:
    armature = hand()
    fingers = fingers_of(armature, "hand.L", "forearm.L", "L")
    turns = curled(armature, "hand.L", "L", fingers)
    whole = {f.kind: sum(2.0 * np.arccos(turns[n][0]) for n in f.bones) for f in fingers}
    assert sorted(whole, key=lambda kind: whole[kind]) == list(KINDS)
    assert max(2.0 * np.arccos(turn[0]) for turn in turns.values()) < np.radians(30.0)


def test_what_is_bent_at_rest_bends_less() -> None:
    straight, bent = (hand(bent=angle) for angle in (0.0, 0.2))
    for finger in fingers_of(straight, "hand.L", "forearm.L", "L"):
        for place, bone in enumerate(finger.bones):
            some, less = (
                2.0 * np.arccos(min(1.0, curled(a, "hand.L", "L", fingers_of(a, "hand.L", "forearm.L", "L"))[bone][0]))
                for a in (straight, bent)
            )
            assert less < some - 0.05 if place and finger.kind != "thumb" else less <= some + 0.01


def test_bones_inside_the_palm_and_at_the_tips_stay() -> None:
    armature = hand()
    bones = list(armature.bones)
    for i, bone in enumerate(bones):
        if bone.name == "index.01.L":
            wrist = armature.bones[armature.index["hand.L"]].head
            bones.append(Bone("index.00.L", armature.index["hand.L"], wrist + 0.01, bone.head, np.eye(3)))
            bones[i] = Bone(bone.name, len(bones) - 1, bone.head, bone.tail, bone.matrix)
        if bone.name == "index.03.L":
            bones.append(Bone("index.03.L_end", i, bone.tail, bone.tail + 0.01, np.eye(3)))
    more = Armature("Hand", tuple(bones), np.eye(4))
    index = next(f for f in fingers_of(more, "hand.L", "forearm.L", "L") if f.kind == "index")
    assert index.bones == ("index.01.L", "index.02.L", "index.03.L")


@pytest.mark.parametrize("name", ["sword", "handslot", "prop", "index_toe"])
def test_what_hangs_on_a_hand_is_no_finger(name: str) -> None:
    bare = hand()
    bones = [b for b in bare.bones if not b.name.startswith(KINDS)]
    for i, part in enumerate(("a", "b", "c")):
        head = np.array([0.0, 0.85 + 0.1 * i, 1.4])
        bones.append(Bone(f"{name}_{part}.L", 1 if not i else len(bones) - 1, head, head + 0.1, np.eye(3)))
    armature = Armature("Hand", tuple(bones), np.eye(4))
    assert fingers_of(armature, "hand.L", "forearm.L", "L") == ()


def test_one_chain_alone_does_not_tell_where_the_palm_is() -> None:
    armature = hand()
    some = [f for f in fingers_of(armature, "hand.L", "forearm.L", "L") if f.kind == "middle"]
    assert curled(armature, "hand.L", "L", some) == {}
