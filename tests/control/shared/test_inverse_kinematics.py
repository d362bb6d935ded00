"""Leg inverse kinematics: the ankle comes where it is desired, the knee bends forward."""

import numpy as np
import pytest

from blender_biped.control.shared.inverse_kinematics import REACH, leg_orientations

THIGH, SHIN = 0.43, 0.45
HIP = (0.2, 0.1, 0.9)


def ankle_reached(ankle, left=(0.0, 1.0, 0.0)):
    *rows, knee = leg_orientations(HIP, ankle, THIGH, SHIN, left)
    thigh, shin = np.reshape(rows, (2, 3, 3))
    for matrix in (thigh, shin):
        assert np.allclose(matrix @ matrix.T, np.eye(3))
        assert np.linalg.det(matrix) == pytest.approx(1.0)
    down = np.array([0.0, 0.0, -1.0])
    return np.array(HIP) + THIGH * thigh @ down + SHIN * shin @ down, thigh, shin, knee


@pytest.mark.parametrize("ankle", [(0.4, 0.1, 0.2), (-0.1, 0.15, 0.12), (0.2, -0.1, 0.3), (0.5, 0.3, 0.4)])
def test_the_ankle_is_reached(ankle):
    found, thigh, shin, knee = ankle_reached(ankle)
    assert np.allclose(found, ankle)
    assert (thigh.T @ shin)[0, 2] == pytest.approx(np.sin(knee))
    assert 0.0 < knee < np.pi


def test_out_of_reach_it_points_there_almost_straight():
    far = (1.5, 0.1, -0.5)
    found, *_ = ankle_reached(far)
    way, desired = found - np.array(HIP), np.array(far) - np.array(HIP)
    assert np.linalg.norm(way) == pytest.approx(REACH * (THIGH + SHIN))
    assert np.allclose(way / np.linalg.norm(way), desired / np.linalg.norm(desired))


def test_the_knee_follows_the_given_left():
    turned = (-np.sin(0.5), np.cos(0.5), 0.0)
    _, thigh, _, _ = ankle_reached((0.2, 0.1, 0.3), turned)
    assert np.allclose(thigh[:, 1], turned)


@pytest.mark.parametrize("aside", [-0.2, 0.15])
def test_a_leg_that_leans_along_its_knee_axis_reaches_the_ankle_too(aside: float) -> None:
    ankle = (0.2, 0.05 + aside, 0.25)
    thigh, shin, _ = leg_orientations(HIP, ankle, THIGH, SHIN, (0.0, 1.0, 0.0), aside)
    share = aside * THIGH / (THIGH + SHIN)
    knee = np.array(HIP) + np.reshape(thigh, (3, 3)) @ (0.0, share, -THIGH)
    found = knee + np.reshape(shin, (3, 3)) @ (0.0, aside - share, -SHIN)
    np.testing.assert_allclose(found, ankle, atol=1e-9)
    np.testing.assert_allclose(np.reshape(thigh, (3, 3))[:, 1], np.reshape(shin, (3, 3))[:, 1], atol=1e-12)
