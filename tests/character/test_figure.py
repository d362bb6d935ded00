"""What the overlay draws: each link where its bones are, in rest and posed, at any size and turn of the object."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from blender_biped.base.errors import RigError
from blender_biped.base.spatial import Array, quaternion_matrix
from blender_biped.character.armature import Armature
from blender_biped.character.figure import figure, link_places, stature
from blender_biped.character.model import SIDES, Character
from blender_biped.character.standard import standard_armature
from tests.character.humanoid import character, posed, turn

ARM = np.radians(40.0)


def matrices(rig: Armature) -> dict[str, Array]:
    found = {}
    for bone in rig.bones:
        found[bone.name] = np.eye(4)
        found[bone.name][:3, :3], found[bone.name][:3, 3] = bone.matrix, bone.head
    return found


def placed(rig: Armature, now: Armature, who: Character, world: Array) -> tuple[Array, Array]:
    return link_places(who, world, matrices(now), {bone.name: bone.matrix for bone in rig.bones})


def capsule_ends(who: Character, role: str, origins: Array, turns: Array) -> tuple[Array, Array]:
    """Return the two ends of a capsule's outline: beyond its centre by half and radius."""
    i = who.index(role)
    shape = who.links[i].shape
    reach = np.array(shape.half) * (1.0 + shape.radius / np.linalg.norm(shape.half))
    top, bottom = (origins[i] + turns[i] @ (np.array(shape.center) + s * reach) for s in (1.0, -1.0))
    return top, bottom


def rotation(axis: Array, degrees: float) -> Array:
    return quaternion_matrix(turn(axis, degrees))


@pytest.mark.parametrize("pose", ["rest", "posed"])
def test_limbs_reach_from_joint_to_joint(pose: str) -> None:
    rig = standard_armature(arm_angle=ARM)
    turns = {"thigh.L": turn((1.0, 0.0, 0.0), -35.0), "shin.L": turn((1.0, 0.0, 0.0), 50.0),
             "upper_arm.R": turn((0.0, 1.0, 0.0), 30.0), "spine.001": turn((0.0, 0.0, 1.0), 20.0)}  # fmt: skip
    now = posed(rig, turns) if pose == "posed" else rig
    who = character(rig)
    world = np.eye(4)
    world[:3, :3] = 3.0 * rotation(np.array([0.6, 0.0, 0.8]), 70.0)
    world[:3, 3] = (5.0, -2.0, 1.0)
    who = character(replace(rig, world=world))
    origins, orientations = placed(rig, now, who, world)
    for upper, lower in (("thigh", "shin"), ("shin", "foot"), ("upper_arm", "forearm"), ("forearm", "hand")):
        for side in SIDES:
            head, tail = (
                world[:3, :3] @ now.bones[now.index[f"{part}.{side}"]].head + world[:3, 3] for part in (upper, lower)
            )
            np.testing.assert_allclose(origins[who.index(f"{upper}.{side}")], head, atol=1e-9)
            start, end = capsule_ends(who, f"{upper}.{side}", origins, orientations)
            along = (tail - head) / np.linalg.norm(tail - head)
            radius = who.links[who.index(f"{upper}.{side}")].shape.radius
            # The capsule is on the line of the joints and ends at most its radius beyond either.
            for point in (start, end):
                np.testing.assert_allclose(np.cross(point - head, along), 0.0, atol=1e-6)
            assert -1.01 * radius <= (start - head) @ along <= 1e-6
            assert -1e-6 <= (end - tail) @ along <= 1.01 * radius
    hips = np.mean([origins[who.index(f"thigh.{side}")] for side in SIDES], axis=0)
    np.testing.assert_allclose(origins[0], hips, atol=1e-9)


def test_the_outline_is_the_shape() -> None:
    rig = standard_armature(arm_angle=ARM)
    who = character(rig)
    whole = figure(who, *placed(rig, rig, who, np.eye(4)))
    for group in ("L", "R", ""):
        for points in (whole.lines[group].reshape(-1, 3), whole.faces[group].reshape(-1, 3)):
            assert np.isfinite(points).all()
        # Lines and faces have the same extent: both are the surface.
        lines, faces = (v.reshape(-1, 3) for v in (whole.lines[group], whole.faces[group]))
        np.testing.assert_allclose(lines.min(axis=0), faces.min(axis=0), atol=0.02)
        np.testing.assert_allclose(lines.max(axis=0), faces.max(axis=0), atol=0.02)
    everything = np.concatenate([lines.reshape(-1, 3) for lines in whole.lines.values()])
    assert everything[:, 2].min() == pytest.approx(0.0, abs=1e-9)
    assert everything[:, 2].max() == pytest.approx(stature(who), abs=1e-6) == pytest.approx(1.75, abs=1e-6)


def test_left_is_left_and_the_arrow_points_forward() -> None:
    rig = standard_armature()  # faces -y, its left is +x
    who = character(rig)
    whole = figure(who, *placed(rig, rig, who, np.eye(4)))
    assert whole.lines["L"][..., 0].min() > 0.0 > whole.lines["R"][..., 0].max()
    np.testing.assert_allclose(whole.arrow[0, 0], 0.0, atol=1e-9)
    np.testing.assert_allclose(whole.arrow[0, 1], (0.0, -0.7 * who.leg_length, 0.0), atol=1e-9)
    turned = np.eye(4)
    turned[:3, :3] = rotation(np.array([0.0, 0.0, 1.0]), 90.0)
    whole = figure(who, *placed(rig, rig, who, turned))
    np.testing.assert_allclose(whole.arrow[0, 1], (0.7 * who.leg_length, 0.0, 0.0), atol=1e-9)


def test_hinges_of_knees_ankles_and_elbows_go_across() -> None:
    rig = standard_armature()
    who = character(rig)
    origins, orientations = placed(rig, rig, who, np.eye(4))
    whole = figure(who, origins, orientations)
    assert whole.hinges.shape == (6, 2, 3)
    joints = [origins[who.index(f"{p}.{s}")] for p in ("shin", "foot", "forearm") for s in SIDES]
    for middle in whole.hinges.mean(axis=1):
        assert min(np.linalg.norm(middle - joint) for joint in joints) < 1e-9
    knee = whole.hinges[[np.linalg.norm(h.mean(axis=0) - joints[0]) < 1e-9 for h in whole.hinges]][0]
    assert abs((knee[1] - knee[0])[0]) > 0.2 * who.leg_length  # left to right


def test_a_link_without_bones_hangs_on_its_parent() -> None:
    rig = standard_armature()
    who = character(rig)
    place = who.index("toes.L")
    virtual = replace(who, links=(*who.links[:place], replace(who.links[place], bones=()), *who.links[place + 1 :]))
    now = posed(rig, {"shin.L": turn((1.0, 0.0, 0.0), 30.0)})
    for one, other in zip(placed(rig, now, who, np.eye(4)), placed(rig, now, virtual, np.eye(4)), strict=True):
        np.testing.assert_allclose(one, other, atol=1e-6)


@pytest.mark.parametrize(
    "world", [np.diag((1.0, 2.0, 0.5, 1.0)), np.diag((-1.0, 1.0, 1.0, 1.0)), np.diag((0.0, 0.0, 0.0, 1.0))]
)
def test_orientations_stay_rotations_on_bent_objects(world: Array) -> None:
    rig = standard_armature()
    _, orientations = placed(rig, rig, character(rig), world)
    np.testing.assert_allclose(
        orientations @ orientations.transpose(0, 2, 1), np.tile(np.eye(3), (18, 1, 1)), atol=1e-9
    )
    np.testing.assert_allclose(np.linalg.det(orientations), 1.0)


def test_what_cannot_be_drawn_is_told() -> None:
    rig = standard_armature()
    who = character(rig)
    rest, pose = {bone.name: bone.matrix for bone in rig.bones}, matrices(rig)
    pose["shin.L"] = pose["shin.L"] * np.nan
    with pytest.raises(RigError, match=r"'shin\.L' is not a finite number"):
        link_places(who, np.eye(4), pose, rest)
    del pose["shin.L"]
    with pytest.raises(RigError, match=r"no bone 'shin\.L'"):
        link_places(who, np.eye(4), pose, rest)
