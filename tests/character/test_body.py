"""Bodies: the same one from every rest pose and placement of a rig, with the mass and shape of a person."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from blender_biped.base.errors import RigError
from blender_biped.base.spatial import Array, axis_angle_quaternion, quaternion_matrix, quaternion_product, rotate
from blender_biped.character.armature import Armature
from blender_biped.character.body import build_character
from blender_biped.character.mapping import RigMap
from blender_biped.character.model import ROLES, SIDES, Character
from blender_biped.character.reading import character_from_json
from blender_biped.character.roles import map_bones
from blender_biped.character.segments import STATURE, default_mass
from blender_biped.character.standard import standard_armature, standard_character
from tests.character.humanoid import (
    BACK,
    LEFT,
    UP,
    character,
    grounded,
    in_world,
    moved_bone,
    posed,
    remade,
    renamed,
    turn,
    with_feet_kept,
    without,
)
from tests.marks import long_but


def assert_same_body(found: Character, expected: Character, tolerance: float = 1e-9) -> None:
    """Check masses, lengths, shapes and centres of mass, m and kg; rest orientations may differ."""
    assert [(k.role, k.parent, k.joint, k.bones) for k in found.links] == [
        (k.role, k.parent, k.joint, k.bones) for k in expected.links
    ]
    assert found.stand_height == pytest.approx(expected.stand_height, abs=tolerance)
    np.testing.assert_allclose(found.hip_bone_offset, expected.hip_bone_offset, atol=tolerance)
    for a, b in zip(found.links, expected.links, strict=True):
        where = f"{a.role}"
        np.testing.assert_allclose(a.offset, b.offset, atol=tolerance, err_msg=where)
        np.testing.assert_allclose(a.com, b.com, atol=tolerance, err_msg=where)
        np.testing.assert_allclose(a.mass, b.mass, rtol=1e-9, err_msg=where)
        np.testing.assert_allclose(a.inertia, b.inertia, rtol=10.0 * tolerance, err_msg=where)
        assert a.shape.kind == b.shape.kind
        np.testing.assert_allclose(a.shape.center, b.shape.center, atol=tolerance, err_msg=where)
        np.testing.assert_allclose(a.shape.half, b.shape.half, atol=tolerance, err_msg=where)
        assert a.shape.radius == pytest.approx(b.shape.radius, abs=tolerance)


def standing_error(rig: Armature, found: Character) -> float:
    """Return how far, m, the rig's own joints are from the character's when its bones are turned as it says.

    The bones are turned one by one as Blender does, by each link's orientation against its rest.
    """
    axes = quaternion_matrix(found.links[0].rest)
    turns: dict[str, Array] = {}
    placed = rig
    moving = [link for link in found.links if link.bones]
    for link in moving:  # parents first: each bone gets what its parents have not done yet
        own = placed.bones[rig.index[link.bones[0]]].matrix @ rig.bones[rig.index[link.bones[0]]].matrix.T
        wanted = axes @ quaternion_matrix(link.rest).T
        turns[link.bones[0]] = rotation_quaternion(wanted @ own.T)
        placed = posed(rig, turns)
    origins, _ = found.standing()
    hips = np.mean(
        [placed.bones[rig.index[found.links[found.index(f"thigh.{s}")].bones[0]]].head for s in SIDES], axis=0
    )
    worst = 0.0
    for link in moving[1:]:
        origin, head = origins[found.index(link.role)], placed.bones[rig.index[link.bones[0]]].head
        worst = max(worst, float(np.linalg.norm(rig.scale * axes.T @ (head - hips) + origins[0] - origin)))
    return worst


def rotation_quaternion(matrix: Array) -> Array:
    """Return the rotation (4,) of a matrix (3, 3), by its axis and angle."""
    axis = np.array([matrix[2, 1] - matrix[1, 2], matrix[0, 2] - matrix[2, 0], matrix[1, 0] - matrix[0, 1]])
    size = float(np.linalg.norm(axis))
    angle = np.arctan2(size, np.trace(matrix) - 1.0)
    return axis_angle_quaternion(axis / size if size else UP, angle)


def center_of_mass(found: Character) -> Array:
    com = found.com_positions(*found.standing())
    return np.asarray(found.masses @ com / found.mass)


def with_small_feet(ankle: float, size: float) -> Armature:
    """Return the standard rig with its ankles lowered to ``ankle``, m, and its feet ``size`` times as long."""

    def smaller(point: Array) -> Array:
        return np.asarray(point * (1.0, size, ankle / ANKLE))

    rig = standard_armature()
    for bone in rig.bones:
        if bone.name.startswith(("foot", "toe", "heel")):
            rig = moved_bone(rig, bone.name, smaller(bone.head), smaller(bone.tail))
    return rig


ANKLE = float(standard_armature().bones[standard_armature().index["foot.L"]].head[2])

BODIES = {
    "adult": standard_character(),
    "heavy": standard_character(mass=140.0),
    "short legs": standard_character(leg_scale=0.6),
    "child": standard_character(mass=None, stature=1.1, arm_scale=0.8),
    "giant": standard_character(mass=None, stature=6.0, trunk_scale=1.4),
    "small feet": character(with_small_feet(0.03, 0.3)),
}


@pytest.fixture(params=BODIES)
def body(request: pytest.FixtureRequest) -> Character:
    return BODIES[str(request.param)]


def test_every_link_is_there_and_hangs_where_it_should(body: Character) -> None:
    assert tuple(link.role for link in body.links) == ROLES
    above = {link.role: body.links[link.parent].role for link in body.links[1:]}
    assert above["head"] == above["upper_arm.L"] == "chest"
    assert above["abdomen"] == above["thigh.R"] == "pelvis"
    assert above["toes.L"] == "foot.L"
    assert {link.role: link.joint for link in body.links if link.role.endswith(".L")} == {
        "upper_arm.L": "spherical", "forearm.L": "hinge", "hand.L": "hinge",
        "thigh.L": "spherical", "shin.L": "hinge", "foot.L": "universal", "toes.L": "hinge",
    }  # fmt: skip


@pytest.mark.parametrize("mass", [0.5, 70.0, 123.4, 9000.0])
def test_masses_add_up(mass: float) -> None:
    assert standard_character(mass=mass).mass == pytest.approx(mass, rel=1e-12)


def test_masses_are_the_published_shares() -> None:
    found = standard_character(mass=100.0)
    share = {link.role: link.mass for link in found.links}
    assert share["thigh.L"] == pytest.approx(14.16)
    assert share["foot.L"] + share["toes.L"] == pytest.approx(1.37)
    assert share["pelvis"] + share["abdomen"] + share["chest"] == pytest.approx(43.46)
    assert share["head"] == pytest.approx(6.94)


def test_centre_of_mass_of_a_standing_adult() -> None:
    com = center_of_mass(standard_character())
    assert 0.55 < com[2] / STATURE < 0.57
    assert abs(com[0]) < 0.02
    assert abs(com[1]) < 1e-12


@pytest.mark.parametrize("cut", [(), ("spine.001", "spine.002"), ("spine.00", "shoulder")])
def test_whole_trunk_has_its_published_centre_and_gyration(cut: tuple[str, ...]) -> None:
    """De Leva gives the trunk as a whole too: C7 to mid-hip, 51.38 % from C7, radii 32.8, 30.6 and 16.9 %."""
    whole = standard_character()
    neck = whole.standing()[0][whole.index("head"), 2]
    found = character(without(standard_armature(), *cut))
    origins, rotations = found.standing()
    trunk = [i for i, link in enumerate(found.links) if link.role in ("pelvis", "abdomen", "chest")]
    shares = found.masses[trunk].copy()
    if not found.has("head"):  # the pelvis carries head and arms too: its shape is the trunk's all the same
        shares[0] = 1.0
    coms = found.com_positions(origins, rotations)[trunk]
    com = shares @ coms / shares.sum()
    length = neck - origins[0, 2]
    assert (com[2] - origins[0, 2]) / length == pytest.approx(1.0 - 0.5138, abs=0.01)
    away = coms - com
    squares = (away**2).sum(axis=1)[:, None] - away**2
    own = np.array([found.links[i].inertia for i in trunk]) / found.masses[trunk, None]
    gyration = np.sqrt(shares @ (own + squares) / shares.sum())
    assert gyration / length == pytest.approx((0.328, 0.306, 0.169), abs=0.03)


def test_axes_of_inertia_fit_the_parts() -> None:
    x, y, z = {}, {}, {}
    for link in standard_character().links:
        x[link.role], y[link.role], z[link.role] = link.inertia
    assert x["chest"] > z["chest"] > y["chest"]  # broad and flat
    assert y["head"] > x["head"] > z["head"]  # longer from front to back than broad
    assert y["hand.L"] > x["hand.L"] > z["hand.L"]  # flat, the palm to the side
    assert z["foot.L"] > y["foot.L"] > x["foot.L"]  # long forward
    assert x["thigh.L"] == y["thigh.L"] > z["thigh.L"]


@pytest.mark.parametrize("kept", [(), ("spine.001", "spine.002"), ("spine.00", "shoulder", "upper_arm", "head")])
def test_a_trunk_that_is_broader_than_peoples_turns_as_heavily_as_that(kept: tuple[str, ...]) -> None:
    """By the length of the trunk alone it was as light as a rod, and the leg that swings spun it over."""

    def squares(hips: float) -> dict[str, Array]:
        found = character(without(standard_armature(hip_scale=hips), *kept))
        return {
            link.role: np.array(link.inertia) / link.mass
            for link in found.links if link.role in ("pelvis", "abdomen", "chest")
        }  # fmt: skip

    people, wide = squares(1.0), squares(3.0)
    assert all((squares(1.45)[role] == own).all() for role, own in people.items())
    for role, own in wide.items():
        if role == "chest":  # as broad as its shoulders
            assert (own == people[role]).all()
            continue
        depth, breadth, height = 0.5 * own.sum() - own
        usual = 0.5 * people[role].sum() - people[role]
        assert (depth, breadth, height) == pytest.approx((4.0 * usual[0], 4.0 * usual[1], usual[2]), rel=0.01)
    apart = standard_character().offsets[standard_character().index("thigh.L"), 1]
    rod = (3.0 * 2.0 * apart) ** 2 / 12.0  # of a rod from hip to hip
    assert 0.7 * rod < wide["pelvis"][2] < 2.5 * rod


def test_inertias_are_those_of_bodies(body: Character) -> None:
    for link in body.links:
        a, b, c = sorted(link.inertia)
        assert a > 0.0
        assert c <= (a + b) * (1.0 + 1e-9), link.role
        assert a >= link.mass * (0.015 * body.leg_length) ** 2, f"{link.role} is too thin to be driven"


def test_feet_stand_on_the_ground_and_nothing_is_below(body: Character) -> None:
    origins, _ = body.standing()
    for link, origin in zip(body.links, origins, strict=True):
        low = origin[2] + link.shape.center[2] - abs(link.shape.half[2]) - link.shape.radius
        if link.role.startswith(("foot", "toes")):
            assert link.shape.kind == "box"
            assert low == pytest.approx(0.0, abs=1e-12)
        else:
            assert low > 0.0, link.role


def test_the_adult_has_published_lengths() -> None:
    found = standard_character()
    foot, toes = (found.links[found.index(role)].shape for role in ("foot.L", "toes.L"))
    assert found.leg_length == pytest.approx(0.53 * STATURE)
    assert 2.0 * (foot.half[0] + toes.half[0]) == pytest.approx(0.152 * STATURE)
    assert foot.half[0] - foot.center[0] == pytest.approx(0.25 * 0.152 * STATURE)
    assert 2.0 * foot.half[1] == pytest.approx(0.055 * STATURE)
    np.testing.assert_allclose(found.hip_bone_offset, 0.0, atol=1e-12)


def test_a_character_survives_json(body: Character) -> None:
    assert character_from_json(json.loads(json.dumps(body.as_json()))) == body


PLACEMENTS = {
    "turned about the vertical": in_world(standard_armature(), turn(UP, 137.0), place=(4.0, -2.0, 0.5)),
    "lying on its back": in_world(standard_armature(), turn(LEFT, 90.0)),
    "tilted": in_world(standard_armature(), turn((0.6, 0.0, 0.8), 20.0)),
    "centimetres": in_world(remade(standard_armature(), lambda p: 100.0 * p), turn(UP, -30.0), 0.01),
    "far away": in_world(standard_armature(), turn(UP, 0.0), place=(1e4, -1e4, 300.0)),
}


@pytest.mark.parametrize("placement", PLACEMENTS)
def test_the_object_transform_changes_nothing(placement: str) -> None:
    found, expected = character(PLACEMENTS[placement]), standard_character()
    assert_same_body(found, expected)
    for a, b in zip(found.links, expected.links, strict=True):
        np.testing.assert_allclose(a.rest, b.rest, atol=1e-12)


@pytest.mark.parametrize(
    "spin",
    [turn(LEFT, -90.0), turn(UP, 180.0), turn(UP, 33.0), turn(BACK, 90.0), turn((1.0, 1.0, 1.0) / np.sqrt(3.0), 120.0)],
)
def test_bones_in_other_axes_give_the_same_body(spin: Array) -> None:
    """As with data whose y axis is up: the object turns it upright, or nothing does."""
    rig = remade(standard_armature(), lambda p: rotate(spin, p), quaternion_matrix(spin))
    for world in (turn(UP, 0.0), spin * np.array([1.0, -1.0, -1.0, -1.0])):
        found = character(in_world(rig, world))
        assert_same_body(found, standard_character())
        for a, b in zip(found.links, standard_character().links, strict=True):
            expected = quaternion_matrix(quaternion_product(spin, b.rest))
            np.testing.assert_allclose(quaternion_matrix(a.rest), expected, atol=1e-12)


def test_a_rig_that_stands_along_no_axis_of_its_own_stands_along_the_worlds() -> None:
    spin = turn(BACK, 40.0)
    rig = remade(standard_armature(), lambda p: rotate(spin, p), quaternion_matrix(spin))
    assert_same_body(character(in_world(rig, turn(BACK, -40.0))), standard_character())
    assert_same_body(character(rig), standard_character())  # nothing turns it upright: its legs tell


ARMS = {
    "T": {},
    "A": {"upper_arm.L": turn(BACK, 45.0), "upper_arm.R": turn(BACK, -45.0)},
    "down": {"upper_arm.L": turn(BACK, 90.0), "upper_arm.R": turn(BACK, -90.0)},
    "forward": {"upper_arm.L": turn(UP, -80.0), "upper_arm.R": turn(UP, 80.0)},
    "raised": {"upper_arm.L": turn(BACK, -80.0), "upper_arm.R": turn(BACK, 80.0)},
    "elbows bent": {
        "upper_arm.L": turn(BACK, 48.0), "forearm.L": turn(UP, -35.0), "hand.L": turn(UP, 20.0),
        "upper_arm.R": turn(BACK, -48.0), "forearm.R": turn(UP, 35.0), "hand.R": turn(UP, -20.0),
    },
}  # fmt: skip


@pytest.mark.parametrize("pose", ARMS)
def test_arms_hang_whatever_their_rest(pose: str) -> None:
    rig = posed(standard_armature(arm_angle=0.0), ARMS[pose])
    found = character(rig)
    assert_same_body(found, standard_character())
    assert standing_error(rig, found) < 1e-9


LEGS = {
    "apart": {"thigh.L": turn(BACK, -15.0), "thigh.R": turn(BACK, 15.0)},
    "knees bent": {f"{p}.{s}": turn(LEFT, a) for s in SIDES for p, a in (("thigh", -12.0), ("shin", 25.0))},
    "apart and bent": {
        "thigh.L": quaternion_product(turn(BACK, -10.0), turn(LEFT, -15.0)), "shin.L": turn(LEFT, 20.0),
        "thigh.R": quaternion_product(turn(BACK, 10.0), turn(LEFT, -15.0)), "shin.R": turn(LEFT, 20.0),
    },
}  # fmt: skip


@pytest.mark.parametrize("pose", LEGS)
def test_legs_are_straight_whatever_their_rest(pose: str) -> None:
    rig = grounded(posed(standard_armature(), with_feet_kept(LEGS[pose])))
    found = character(rig)
    assert_same_body(found, standard_character())
    assert standing_error(rig, found) < 1e-9


def test_feet_that_point_outwards_are_turned_forward() -> None:
    rig = posed(standard_armature(), {"foot.L": turn(UP, 20.0), "foot.R": turn(UP, -20.0)})
    found = character(rig)
    assert_same_body(found, standard_character())
    assert standing_error(rig, found) < 1e-9


def test_palms_face_the_thighs() -> None:
    """In a T-pose palms face down; hanging they face inwards, and the elbow bends about the side axis."""
    found = character(standard_armature(arm_angle=0.0))
    axes = quaternion_matrix(found.links[0].rest)
    for side, inwards in (("L", -1.0), ("R", 1.0)):
        rest = quaternion_matrix(found.links[found.index(f"hand.{side}")].rest)
        palm = axes @ rest.T @ -UP
        np.testing.assert_allclose(palm, inwards * axes[:, 1], atol=1e-12)


def test_toes_turn_with_the_foot() -> None:
    found = character(posed(standard_armature(), {"foot.L": turn(UP, 25.0)}))
    assert found.links[found.index("toes.L")].rest == found.links[found.index("foot.L")].rest


def test_legs_of_different_length_both_stand() -> None:
    rig = standard_armature()
    for bone in rig.bones:
        if bone.name in ("foot.R", "toe.R", "heel.02.R"):
            rig = moved_bone(rig, bone.name, bone.head - 0.02 * UP, bone.tail - 0.02 * UP)
    found = character(rig)
    assert found.stand_height == pytest.approx(standard_character().stand_height + 0.02)
    origins, _ = found.standing()
    for role in ("foot.L", "toes.L", "foot.R", "toes.R"):
        shape = found.links[found.index(role)].shape
        assert origins[found.index(role), 2] + shape.center[2] - shape.half[2] == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize(
    ("cut", "missing"),
    [
        (("hand",), {"hand.L", "hand.R"}),
        (("toe", "heel"), {"toes.L", "toes.R"}),
        (("shoulder", "upper_arm", "forearm", "hand"), set(ROLES[4:10])),
        (("spine.004",), {"head"}),
        (("spine.001", "spine.002"), {"abdomen"}),
        (("spine.00", "shoulder", "upper_arm", "forearm", "hand"), set(ROLES[1:10])),
    ],
)  # fmt: skip
def test_parts_that_a_rig_does_not_have_are_left_out(cut: tuple[str, ...], missing: set[str]) -> None:
    rig = without(standard_armature(), *cut)
    found = character(rig)
    toes = {"toes.L", "toes.R"} & missing  # those are there nevertheless, rigid with their feet
    assert {link.role for link in found.links} == set(ROLES) - missing | toes
    assert {link.role for link in found.links if link.joint == "fixed" and not link.bones} == toes
    assert found.mass == pytest.approx(70.0, rel=1e-12)
    assert standing_error(rig, found) < 1e-9
    assert character_from_json(found.as_json()) == found
    origins, _ = found.standing()
    foot = found.links[found.index("foot.L")].shape
    assert foot.center[2] - foot.half[2] == pytest.approx(-origins[found.index("foot.L"), 2], abs=1e-12)


def test_a_missing_part_weighs_on_what_it_hangs_on() -> None:
    whole, cut = standard_character(), character(without(standard_armature(), "hand"))
    hand, arm = (whole.links[whole.index(f"{part}.L")].mass for part in ("hand", "forearm"))
    assert cut.links[cut.index("forearm.L")].mass == pytest.approx(hand + arm)


def test_ends_that_an_importer_made_up_are_not_believed() -> None:
    rig = standard_armature()
    for name, tail in {"hand.L": (30.0, 0.0, 0.0), "toe.L": (0.1, -30.0, -1.0), "spine.004": (0.0, 0.0, 40.0)}.items():
        rig = moved_bone(rig, name, tail=tail)
    found, expected = character(rig), standard_character()
    np.testing.assert_allclose(found.offsets, expected.offsets, atol=1e-9)
    assert found.stand_height == pytest.approx(expected.stand_height)
    for role in ("hand.L", "toes.L", "head"):
        a, b = found.links[found.index(role)], expected.links[expected.index(role)]
        np.testing.assert_allclose(a.shape.half, b.shape.half, rtol=0.4)
        np.testing.assert_allclose(a.inertia, b.inertia, rtol=0.5)
    assert found.links[found.index("hand.L")].rest == found.links[found.index("forearm.L")].rest


def test_a_foot_that_ends_in_the_depths_has_a_published_ankle() -> None:
    rig = remade(without(standard_armature(), "toe", "heel"), lambda p: p + UP)
    for side in SIDES:
        ankle = rig.bones[rig.index[f"foot.{side}"]].head
        rig = moved_bone(rig, f"foot.{side}", tail=ankle - 3.0 * BACK - 5.0 * UP)
    found = character(rig)
    assert found.stand_height == pytest.approx(standard_character().stand_height)
    foot, toes = (found.links[found.index(role)].shape for role in ("foot.L", "toes.L"))
    np.testing.assert_allclose(foot.half[0] + toes.half[0], 0.5 * 0.152 * STATURE)


def test_toes_that_point_into_the_ground_are_not_its_measure() -> None:
    rig = standard_armature()
    for side in SIDES:
        tip = rig.bones[rig.index[f"toe.{side}"]].tail
        rig = moved_bone(rig, f"toe.{side}", tail=tip - 0.05 * UP)
    assert character(rig).stand_height == pytest.approx(standard_character().stand_height)


def test_the_origin_is_the_ground_when_soles_are_a_little_above_it() -> None:
    bare = without(standard_armature(), "heel")
    lowest = min(bone.tail[2] for bone in bare.bones)
    assert lowest > 0.0
    assert character(bare).stand_height == pytest.approx(standard_character().stand_height)
    floating = remade(bare, lambda p: p + UP)
    assert character(floating).stand_height == pytest.approx(standard_character().stand_height - lowest)


def test_the_mass_follows_the_size_when_none_is_given() -> None:
    assert default_mass(STATURE) == pytest.approx(70.0)
    assert standard_character(mass=None).mass == pytest.approx(70.0)
    assert standard_character(mass=None, stature=2.0 * STATURE).mass == pytest.approx(560.0)


@pytest.mark.parametrize("mass", [0.0, -1.0, np.nan, np.inf])
def test_a_mass_that_is_none_is_refused(mass: float) -> None:
    with pytest.raises(RigError, match="The mass of a character must be"):
        standard_character(mass=mass)


def test_a_leg_without_length_is_refused() -> None:
    rig = standard_armature()
    knee = rig.bones[rig.index["shin.L"]].head
    with pytest.raises(RigError, match="not placed as legs"):
        character(moved_bone(rig, "foot.L", head=knee))


def test_bones_without_length_are_no_matter_where_their_children_tell() -> None:
    rig = standard_armature()
    for name in ("thigh.L", "forearm.R", "spine.001"):
        rig = moved_bone(rig, name, tail=rig.bones[rig.index[name]].head)
    assert_same_body(character(rig), standard_character())


def test_left_and_right_on_each_other_are_refused() -> None:
    with pytest.raises(RigError, match="left and right hips are at the same place"):
        character(remade(standard_armature(), lambda p: p * np.array([0.0, 1.0, 1.0])))


def test_left_and_right_swapped_are_refused() -> None:
    with pytest.raises(RigError, match="feet point backwards"):
        character(remade(standard_armature(), lambda p: p * np.array([-1.0, 1.0, 1.0])))


def test_a_trunk_without_length_is_refused() -> None:
    rig = standard_armature()
    hips = rig.bones[rig.index["spine"]].head
    with pytest.raises(RigError, match="trunk has no length"):
        character(moved_bone(rig, "spine.004", head=hips))


@pytest.mark.parametrize("scale", [0.01, 100.0])
def test_a_wrong_unit_is_refused_with_the_height(scale: float) -> None:
    with pytest.raises(RigError, match=f"stands {scale * STATURE:.3g} m tall"):
        character(in_world(standard_armature(), turn(UP, 0.0), scale))


@pytest.mark.parametrize("seed", long_but(range(150), *range(50)))
def test_a_spoilt_rig_is_walked_or_refused(seed: int) -> None:
    """Bones without length, on each other, far off, with the names of others: a sound body or a RigError."""
    random = np.random.default_rng(seed)
    rig = standard_armature(arm_angle=random.uniform(-1.5, 1.5))
    for _ in range(random.integers(1, 6)):
        bone, other = (rig.bones[i] for i in random.choice(len(rig.bones), 2, replace=False))
        spoil = random.integers(5)
        if spoil == 0:
            rig = moved_bone(rig, bone.name, tail=bone.head)
        elif spoil == 1:
            rig = moved_bone(rig, bone.name, head=other.head)
        elif spoil == 2:
            rig = moved_bone(rig, bone.name, tail=random.normal(size=3) * 10.0 ** random.uniform(-3, 3))
        elif spoil == 3:
            rig = moved_bone(rig, bone.name, head=bone.head + random.normal(size=3))
        else:
            rig = renamed(rig, {bone.name: other.name, other.name: bone.name})
    try:
        found = character(rig)
    except RigError:
        return
    assert character_from_json(found.as_json()) == found  # finite, in range
    assert found.mass == pytest.approx(70.0)
    for link in found.links:
        a, b, c = sorted(link.inertia)
        assert 0.0 < c <= (a + b) * (1.0 + 1e-9)
        assert link.shape.radius >= 0.0


def test_a_map_of_other_bones_is_refused() -> None:
    rig = standard_armature()
    found = map_bones(rig)
    with pytest.raises(RigError, match=r"has no bone 'heel\.02\.L'; map its bones again"):
        build_character(without(rig, "heel"), found)
    short = RigMap("by hand", {"pelvis": ("spine",)}, {}, {}, ())
    with pytest.raises(RigError, match=r"no bones are mapped to thigh\.L"):
        build_character(rig, short)


def test_facing_and_up_can_be_set() -> None:
    rig = standard_armature()
    found = map_bones(rig)
    facing = build_character(rig, replace(found, forward="-Y", up="Z"))
    assert facing.as_json() == build_character(rig, found).as_json()
    slanted = remade(rig, lambda p: p @ np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.5, 1.0]]))
    assert standing_error(slanted, build_character(slanted, replace(found, forward="-Y", up="Z"))) < 1e-9
    for forward, up, why in (
        ("Y", "", "left side are on its right"), ("", "-Z", "cannot be up"), ("Z", "Z", "cannot be forward"),
    ):  # fmt: skip
        with pytest.raises(RigError, match=why):
            build_character(rig, replace(found, forward=forward, up=up))
