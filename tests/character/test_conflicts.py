"""A mapping held against what it must mean: a doubt for each conflict, and the skin goes before names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest

from blender_biped.base.errors import RigError
from blender_biped.base.spatial import Array
from blender_biped.character.armature import Armature
from blender_biped.character.conflicts import conflicts
from blender_biped.character.heading import skin_ahead
from blender_biped.character.model import SIDES
from blender_biped.character.posture import body_axes
from blender_biped.character.roles import map_bones
from blender_biped.character.skin import Skin, skin_from
from blender_biped.character.standard import standard_armature
from tests.character.humanoid import character, moved_bone, remade, renamed, without
from tests.character.structure.figures import TRUNK, Place, both
from tests.character.structure.figures import armature as figure
from tests.character.test_other_tongues import rehung, with_bones

STANDARD = standard_armature()
FORWARD = np.array([0.0, -1.0, 0.0])
UP = np.array([0.0, 0.0, 1.0])


def skin_on(rig: Armature, points: Mapping[str, Sequence[Array]]) -> Skin:
    """Return a skin of single points, by the bones that carry them."""
    names = tuple(points)
    placed = np.array([p for own in points.values() for p in own])
    bones = np.array([k for k, own in enumerate(points.values()) for _ in own])
    count = np.arange(len(placed))
    return skin_from(placed, np.stack((count[:-1], count[1:]), axis=1), names, count, bones, np.ones(len(placed)))


def along(rig: Armature, names: Sequence[str], count: int = 10) -> dict[str, list[Array]]:
    """Return points along bones, from their heads to their tails."""
    bones = [rig.bones[rig.index[name]] for name in names]
    return {b.name: [b.head + s * (b.tail - b.head) for s in np.linspace(0.05, 0.95, count)] for b in bones}


def told(rig: Armature) -> str:
    return " ".join(map_bones(rig).doubts)


def test_a_person_has_no_conflicts() -> None:
    found = map_bones(STANDARD)
    assert conflicts(found.bones, STANDARD) == [] and found.doubts == ()
    at_root = with_bones(STANDARD, [("root", "", (0.0, 0.0, 0.0))])
    at_root = rehung(at_root, {"foot.L": "root", "foot.R": "root"})
    assert conflicts(map_bones(at_root).bones, at_root) == []  # feet of inverse kinematics


@pytest.mark.parametrize(
    ("parents", "said"),
    [
        ({"shin.L": "spine"}, "Left Shin (shin.L) does not hang on Left Thigh (thigh.L)."),
        ({"forearm.R": "spine.003"}, "Right Forearm (forearm.R) does not hang on Right Upper Arm (upper_arm.R)."),
        ({"foot.L": "shin.R"}, "Left Foot (foot.L) does not hang on Left Shin (shin.L)."),
        ({"shin.L": "spine", "thigh.L": "shin.L"}, "Left Shin (shin.L) carries Left Thigh (thigh.L): it should be"),
    ],
)
def test_limbs_hang_together_in_order(parents: Mapping[str, str], said: str) -> None:
    assert said in told(rehung(STANDARD, parents))


def test_a_knee_is_between_hip_and_ankle() -> None:
    low = moved_bone(STANDARD, "shin.L", head=STANDARD.bones[STANDARD.index["foot.L"]].head)
    found = map_bones(STANDARD).bones
    assert conflicts(found, low) == ["Left Shin (shin.L) does not begin between hip and ankle."]


def test_the_hips_are_below_the_arms() -> None:
    bones = dict(map_bones(STANDARD).bones) | {"pelvis": ("spine.004",), "head": ()}
    assert "Pelvis (spine.004) is above the arms." in conflicts({r: n for r, n in bones.items() if n}, STANDARD)


@pytest.mark.parametrize("name", ["hair_03.L", "SkirtFront.L", "L_cape_2", "Collider.L", "左スカート", "thigh_col.L"])
def test_no_hair_clothes_or_collision_shape_is_in_a_leg(name: str) -> None:
    rig = renamed(STANDARD, {"shin.L": name})
    bones = {r: tuple(name if n == "shin.L" else n for n in names) for r, names in map_bones(STANDARD).bones.items()}
    assert conflicts(bones, rig) == [f"Left Shin: {name} is named as hair, clothes, a tail or a collision shape."]


def test_arms_are_on_the_sides_of_their_legs() -> None:
    found = map_bones(STANDARD).bones
    crossed = {r: found[f"{r[:-1]}{'R' if r[-1] == 'L' else 'L'}"] if "arm." in r else n for r, n in found.items()}
    said = conflicts(crossed, STANDARD)
    assert "Left Upper Arm (upper_arm.R) is on the side of the right thigh." in said


def test_what_is_named_left_is_on_the_left() -> None:
    """By the shape alone, which goes by the feet."""

    def other(name: str) -> str:
        side = {".L": ".R", ".R": ".L"}.get(name[-2:], "")
        return f"bone{STANDARD.index[name]}{side}"

    rig = renamed(STANDARD, other)
    assert "Bones that are named left are on its right side, going by where its feet point: see the arrow." in told(rig)


BIRD = {**TRUNK, **both({
    "leg1": ("pelvis", (0.3, 0.0, 0.95)), "leg2": ("leg1", (0.3, -0.3, 0.6)), "leg3": ("leg2", (0.3, 0.2, 0.3)),
})}  # fmt: skip


def bird(names: tuple[str, str]) -> Armature:
    """Return a mech with legs as a bird's: a foot ahead, and a longer spur behind, that hang on the same joint."""
    foot, spur = names
    more: dict[str, Place] = both({
        foot: ("leg3", (0.3, 0.0, 0.06)), f"{foot}end": (foot, (0.3, -0.18, 0.0)),
        spur: ("leg3", (0.3, 0.15, 0.06)), f"{spur}end": (spur, (0.3, 0.5, 0.0)),
    })  # fmt: skip
    hung = {k: (f"{p}{k[-2:]}" if p in ("leg3", foot, spur) else p, h) for k, (p, h) in more.items()}
    return figure({**BIRD, **hung})


def test_a_spur_behind_is_not_taken_for_the_foot_where_names_tell() -> None:
    found = map_bones(bird(("foot", "spur")))
    for side in SIDES:
        assert found.bones[f"foot.{side}"] == (f"foot.{side}",) and found.bones[f"thigh.{side}"][0] == f"leg1.{side}"


def test_a_spur_behind_does_not_swap_left_and_right() -> None:
    """Nothing says which is the foot: the sides by their names do."""
    found = map_bones(bird(("digit", "claw")))
    assert found.bones["thigh.L"][0] == "leg1.L"
    assert found.bones["foot.L"] == ("digit.L",)
    assert body_axes(bird(("digit", "claw")), found)[:, 0] @ FORWARD > 0.9


def foot_points(rig: Armature, side: str, front: float, back: float, count: int = 12) -> list[Array]:
    ankle = rig.bones[rig.index[f"foot.{side}"]].head
    return [ankle + share * FORWARD - ankle[2] * UP for share in np.linspace(-back, front, count)]


def legs_with_feet(rig: Armature, front: float, back: float) -> Armature:
    """Return the armature with skin on shins and feet."""
    points = along(rig, ("shin.L", "shin.R"))
    return replace(rig, skin=skin_on(rig, points | {f"foot.{s}": foot_points(rig, s, front, back) for s in SIDES}))


def backwards(rig: Armature) -> Armature:
    """Return the armature with its feet's bones turned to the back, and no toes."""
    for side in SIDES:
        foot = rig.bones[rig.index[f"foot.{side}"]]
        way = foot.tail - foot.head
        rig = moved_bone(rig, f"foot.{side}", tail=foot.head + way * (1.0, -1.0, 1.0))
    return without(rig, "toe", "heel")


def test_a_foot_whose_tail_points_back_is_no_reason_to_swap_left_and_right() -> None:
    """Importers let last bones end anywhere. It was refused, with the advice to swap the names."""
    rig = backwards(STANDARD)
    body = character(rig)
    assert body.links[body.index("thigh.L")].bones == ("thigh.L",)
    assert body_axes(rig, map_bones(rig))[:, 0] @ FORWARD > 0.9


def test_feet_whose_bones_point_back_face_where_their_skin_does() -> None:
    mirrored = remade(STANDARD, lambda p: p * np.array([-1.0, 1.0, 1.0]))
    with pytest.raises(RigError, match=r"feet point backwards .* set Facing to Y\."):
        character(mirrored)
    skinned = legs_with_feet(mirrored, front=0.06, back=0.2)  # its left is at +x, so it faces +y
    assert body_axes(skinned, map_bones(skinned))[:, 0] @ FORWARD < -0.9
    assert "The feet point backwards where left is on the left side" in told(skinned)


@pytest.mark.parametrize(("front", "back", "share"), [(0.2, 0.05, 1.0), (0.05, 0.2, -1.0), (0.1, 0.1, 0.0)])
def test_skin_tells_where_feet_point(front: float, back: float, share: float) -> None:
    rig = legs_with_feet(STANDARD, front, back)
    feet, shins = [("foot.L",), ("foot.R",)], [("shin.L",), ("shin.R",)]
    assert np.sign(skin_ahead(rig, feet, shins, FORWARD, UP)) == share
    assert skin_ahead(STANDARD, feet, shins, FORWARD, UP) == 0.0


def test_legs_without_skin_are_not_taken_for_their_names() -> None:
    """Bones without skin have the names, and others beside them the skin of the legs."""
    named = STANDARD
    parts = ("thigh", "shin", "foot", "toe", "heel.02")
    rig = renamed(named, {f"{p}.{s}": f"bone{k}.{s}" for k, p in enumerate(parts) for s in SIDES})
    for side in SIDES:
        above = "spine"
        for part in ("thigh", "shin", "foot"):
            head = named.bones[named.index[f"{part}.{side}"]].head
            rig = with_bones(rig, [(f"{part}.{side}", above, (head[0], head[1] + 0.03, head[2]))])
            above = f"{part}.{side}"
    assert map_bones(rig).bones["thigh.L"] == ("thigh.L",)  # as far as names tell
    carrying = [f"{part}.{s}" for part in ("bone0", "bone1", "bone2", "bone3", "upper_arm", "forearm") for s in SIDES]
    skinned = replace(rig, skin=skin_on(rig, along(rig, carrying)))
    found = map_bones(skinned)
    for k, part in enumerate(("thigh", "shin", "foot")):
        assert [found.bones[f"{part}.{s}"] for s in SIDES] == [(f"bone{k}.L",), (f"bone{k}.R",)]
    shapeless = dict(found.bones) | {f"{p}.{s}": (f"{p}.{s}",) for p in ("thigh", "shin", "foot") for s in SIDES}
    assert "No skin moves with Left Thigh (thigh.L) and what hangs on it." in conflicts(shapeless, skinned)
