"""Rotations: identities that hold for any input, on random ones."""

import numpy as np
import pytest

from blender_biped.base import spatial

RNG = np.random.default_rng(7)
Q = spatial.normalized(RNG.normal(size=(200, 4)))
V = RNG.normal(size=(200, 3))


def test_a_product_is_the_rotation_by_both():
    a, b = Q[:100], Q[100:]
    assert np.allclose(
        spatial.rotate(spatial.quaternion_product(a, b), V[:100]), spatial.rotate(a, spatial.rotate(b, V[:100]))
    )


def test_headings_and_single_turns_are_those_of_the_quaternions():
    angle, pitch, way = 2.2, -0.7, np.array((0.3, -1.1, 0.4))
    turn, tilt = (
        spatial.axis_angle_quaternion(axis, by) for axis, by in (((0.0, 0.0, 1.0), angle), ((0.0, 1.0, 0.0), pitch))
    )
    assert np.allclose(spatial.yawed(angle), spatial.quaternion_matrix(turn))
    assert np.allclose(spatial.pitched(pitch), spatial.quaternion_matrix(tilt))
    assert np.allclose(spatial.faced(angle, pitch), spatial.quaternion_matrix(spatial.quaternion_product(turn, tilt)))
    facing = spatial.Heading(angle)
    assert facing.along(0.3, -1.1) == pytest.approx(spatial.rotate(turn, way)[:2])
    assert facing.seen(*facing.along(0.3, -1.1)) == pytest.approx((0.3, -1.1))


def test_matrix_and_back():
    back = spatial.matrix_quaternion(spatial.quaternion_matrix(Q))
    assert np.allclose(np.abs(np.sum(back * Q, axis=1)), 1.0)
    assert (back[:, 0] >= 0.0).all()


@pytest.mark.parametrize("axis", np.eye(3))
def test_half_turns_survive_the_matrix(axis):
    q = spatial.axis_angle_quaternion(axis, np.pi)
    assert np.isclose(abs(spatial.matrix_quaternion(spatial.quaternion_matrix(q)) @ q), 1.0)


def test_rotation_vector_is_axis_times_angle():
    axis, angle = spatial.normalized(V), RNG.uniform(0.0, 3.1, 200)
    q = spatial.axis_angle_quaternion(axis, angle)
    assert np.allclose(spatial.rotation_vector(q), axis * angle[:, None])
    assert np.allclose(spatial.rotation_vector(-q), axis * angle[:, None])


def test_shortest_arc_turns_one_direction_to_the_other():
    a, b = spatial.normalized(V[:100]), spatial.normalized(V[100:])
    q = spatial.shortest_arc(a, b)
    assert np.allclose(spatial.rotate(q, a), b)
    assert np.allclose(np.linalg.norm(spatial.rotation_vector(q), axis=1), np.arccos(np.sum(a * b, axis=1)))
    assert np.allclose(spatial.rotate(spatial.shortest_arc([0, 0, 1], [0, 0, -1]), [0, 0, 1]), [0, 0, -1])


def test_continuous_never_flips():
    angle = np.linspace(0.0, 20.0, 300)
    q = spatial.matrix_quaternion(spatial.quaternion_matrix(spatial.yaw_quaternion(angle)))
    assert (np.sum(q[1:] * q[:-1], axis=1) < 0.0).any()
    smooth = spatial.continuous(q)
    assert (np.sum(smooth[1:] * smooth[:-1], axis=1) > 0.0).all()
    assert np.allclose(np.exp(1j * spatial.yaw(smooth)), np.exp(1j * angle))


def test_interpolation_is_even_and_clamped():
    q = spatial.yaw_quaternion(np.array([0.0, 1.0, 3.0]))
    found = spatial.yaw(spatial.interpolated_rotation([-1.0, 0.25, 0.5, 1.5, 9.0], [0.0, 1.0, 2.0], q))
    assert np.allclose(found, [0.0, 0.25, 0.5, 2.0, 3.0])
