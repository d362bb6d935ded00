"""Turns that are spread over bones: even, and with both ends where they were; clavicles follow arms."""

from __future__ import annotations

import numpy as np
import pytest

from blender_biped.base.spatial import Array, matrix_quaternion, normalized, rotation_vector, vector_matrix
from blender_biped.character.supple import Shoulder, Stretch

STRAIGHT = np.array([[0.0, 0.0, z] for z in (1.0, 1.1, 1.25, 1.35)])
CURVED = np.array([[0.0, 0.0, 1.0], [0.02, 0.0, 1.1], [0.03, 0.01, 1.25], [0.01, 0.0, 1.35]])
OFF = 4e-4 * 0.9  # m


def stretch(heads: Array) -> Stretch:
    """Two bones of link 1 and one of link 2 between links 0 and 2."""
    return Stretch(begin=1, base=0, links=(1, 1, 2)[: len(heads) - 1], end=2, heads=heads, leg=0.9)


def simulated(own: Stretch, vectors: Array) -> tuple[Array, Array, Array]:
    """Return turns (F, 3, 3, 3) of the links, and where the bones begin and lead to, for rotation vectors (F, 3, 3)."""
    turns = vector_matrix(vectors)
    bones = turns[:, list(own.links)]
    start = np.tile(own.heads[0], (len(turns), 1))
    return turns, start, start + np.sum((bones @ own.steps[..., None])[..., 0], axis=1)


def joints(turns: Array, bones: Array) -> Array:
    """Return the turns (F, N + 1, 3), degrees, from bone to bone and on to both ends."""
    row = np.concatenate((turns[:, :1], bones, turns[:, 2:]), axis=1)
    return np.degrees(rotation_vector(matrix_quaternion(row[:, :-1].swapaxes(-1, -2) @ row[:, 1:])))


def end_of(own: Stretch, bones: Array, heads: Array) -> Array:
    return np.asarray(heads[:, -1] + bones[:, -1] @ own.steps[-1])


def test_a_twist_is_shared_evenly_and_moves_nothing() -> None:
    own = stretch(STRAIGHT)
    turns, start, goal = simulated(own, np.radians([[[0.0, 0.0, 0.0], [0.0, 0.0, 2.0], [0.0, 0.0, 20.0]]]))
    bones, heads = own.spread(turns, start, goal)
    assert joints(turns, bones)[0] == pytest.approx(np.tile([0.0, 0.0, 5.0], (4, 1)), abs=1e-3)
    assert end_of(own, bones, heads) == pytest.approx(goal, abs=1e-9)


@pytest.mark.parametrize("heads", [STRAIGHT, CURVED], ids=["straight", "curved"])
@pytest.mark.parametrize("size", [0.05, 0.2, 0.7])
def test_however_far_it_bends_the_bones_lead_where_they_did(heads: Array, size: float) -> None:
    own = stretch(heads)
    vectors = size * np.random.default_rng(1).normal(size=(200, 3, 3))
    turns, start, goal = simulated(own, vectors)
    bones, found = own.spread(turns, start, goal)
    end = end_of(own, bones, found)
    assert np.linalg.norm(end - goal, axis=-1).max() < 1.1 * OFF
    assert normalized(end - start) == pytest.approx(normalized(goal - start), abs=1e-9)
    assert found[:, 0] == pytest.approx(start)
    assert np.diff(found, axis=1) == pytest.approx((bones @ own.steps[..., None])[:, :-1, :, 0], abs=1e-12)


def test_a_bend_at_one_joint_goes_to_its_neighbours_too() -> None:
    own = stretch(STRAIGHT)
    turns, start, goal = simulated(own, np.radians([[[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 6.0, 0.0]]]))
    before = joints(turns, turns[:, [1, 1, 2]])[0, :, 1]
    after = joints(turns, own.spread(turns, start, goal)[0])[0, :, 1]
    assert before == pytest.approx([0.0, 0.0, 6.0, 0.0])
    assert after.sum() == pytest.approx(6.0, abs=0.1) and after.max() < 4.0 and np.sum(after > 0.5) >= 3


def test_one_bone_keeps_its_direction_and_takes_half_of_the_twist() -> None:
    own = Stretch(begin=2, base=0, links=(2,), end=2, heads=STRAIGHT[:2], leg=0.9)
    turns, start, goal = simulated(own, np.radians([[[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [4.0, 3.0, 20.0]]]))
    bones, heads = own.spread(turns, start, goal)
    assert end_of(own, bones, heads) == pytest.approx(goal, abs=1e-12)
    assert joints(turns, bones)[0, :, 2] == pytest.approx([10.0, 10.0], abs=0.5)


def test_more_than_half_a_turn_does_not_jump() -> None:
    own = stretch(CURVED)
    angles = np.linspace(0.0, 2.0 * np.pi, 400)
    vectors = np.stack((0.0 * angles, 0.4 * angles, angles), axis=1)[..., None] * [0.3, 0.5, 0.8]
    bones, _ = own.spread(*simulated(own, vectors))
    steps = rotation_vector(matrix_quaternion(bones[:-1].swapaxes(-1, -2) @ bones[1:]))
    assert np.linalg.norm(steps, axis=-1).max() < 0.1


def shoulder(side: float, rest: float) -> Shoulder:
    """An arm of a body along the world's axes, raised by ``rest`` degrees to its side in the rest pose."""
    axes = vector_matrix(np.radians([[side * rest, 0.0, 0.0]]))[0]
    return Shoulder(0, 1, (1, 2), np.array([0.0, 0.02 * side, 1.4]), np.array([0.0, 0.18 * side, 1.4]),
                    np.eye(3), axes, side)  # fmt: skip


def clavicle(side: float, rest: float, arm: tuple[float, float], amount: float = 1.0) -> Array:
    """Return where a clavicle points, degrees (ahead, up), for an arm raised aside and ahead by degrees."""
    own = shoulder(side, rest)
    aside, ahead = np.radians(arm)
    now = vector_matrix([[0.0, -ahead, 0.0]]) @ vector_matrix([[side * aside, 0.0, 0.0]])
    turns = np.stack((np.eye(3), now[0] @ own.arm_rest.T))[None]
    x, y, z = (own.turned(turns, amount)[0] @ [0.0, side, 0.0]).tolist()
    assert y * side > 0.5
    return np.degrees([np.arctan2(x, abs(y)), np.arcsin(z)])


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_shoulders_come_down_with_the_arms_from_where_the_rest_pose_has_them(side: float) -> None:
    assert clavicle(side, 90.0, (90.0, 0.0)) == pytest.approx([0.0, 0.0], abs=1e-9)
    from_t, from_a = (clavicle(side, rest, (5.0, 0.0))[1] for rest in (90.0, 45.0))
    assert -16.0 < from_t < -12.0 and -7.0 < from_a < -4.0
    assert clavicle(side, 45.0, (120.0, 0.0))[1] > 10.0
    assert clavicle(side, 90.0, (5.0, 0.0), 0.0) == pytest.approx([0.0, 0.0], abs=1e-9)


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_shoulders_go_ahead_and_back_with_the_arms(side: float) -> None:
    ahead, back = (clavicle(side, 45.0, (8.0, angle))[0] for angle in (18.0, -14.0))
    assert 3.0 < ahead - back < 5.0 and ahead > 0.0 > back


def test_an_arm_points_at_its_elbow_and_keeps_its_length() -> None:
    own, shift = shoulder(1.0, 45.0), np.array([[0.01, -0.005, -0.02]])
    head, elbow, turn = np.array([[0.0, 0.18, 1.4]]), np.array([[0.1, 0.25, 1.15]]), np.eye(3)[None]
    turned, moved = own.moved_arm(turn, head, elbow, shift)
    assert np.linalg.norm(elbow + moved - head - shift) == pytest.approx(np.linalg.norm(elbow - head))
    assert normalized(elbow + moved - head - shift) == pytest.approx(normalized(elbow - head - shift))
    assert (turned @ (elbow - head)[0]) == pytest.approx(elbow + moved - head - shift)
    assert np.linalg.norm(moved) < np.linalg.norm(shift)
