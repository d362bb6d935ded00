import numpy as np
import pytest

from blender_biped.base.spatial import matrix_quaternion, quaternion_conjugate, quaternion_product, rotation_vector
from blender_biped.control.shared.legs import LEFT
from blender_biped.control.shared.limb import leg_rates, leg_rotations
from tests.control.bodies import LEGS

LEG, YAW = LEGS[LEFT], 0.3
HIP, ANKLE = np.array((0.0, 0.1, 0.85)), np.array((0.2, 0.12, 0.08))
GOES, MOVES = np.array((1.2, 0.05, -0.1)), np.array((0.1, 0.0, 0.2))


def test_a_leg_turns_as_fast_as_its_ends_move():
    rotations, rates = leg_rates(LEG, (HIP, GOES), (ANKLE, MOVES), YAW, 50.0)
    assert rotations == pytest.approx(leg_rotations(LEG, HIP.tolist(), ANKLE.tolist(), YAW))
    step = 1e-4
    before, after = (
        matrix_quaternion(leg_rotations(LEG, (HIP + s * GOES).tolist(), (ANKLE + s * MOVES).tolist(), YAW))
        for s in (-step, step)
    )
    made = rotation_vector(quaternion_product(after, quaternion_conjugate(before))) / (2.0 * step)
    assert np.abs(made).max() > 1.0
    assert rates == pytest.approx(made, abs=0.1 * np.abs(made).max())


def test_a_leg_that_straightens_at_once_is_led_no_faster_than_it_may():
    far = np.array((0.2, 0.1, -2.0))
    _, rates = leg_rates(LEG, (HIP, 50.0 * GOES), (far, MOVES), YAW, 12.0)
    assert np.abs(rates).max() == pytest.approx(12.0)


def test_a_leg_whose_ends_rest_rests():
    _, rates = leg_rates(LEG, (HIP, np.zeros(3)), (ANKLE, np.zeros(3)), YAW, 12.0)
    assert rates == pytest.approx(np.zeros((2, 3)))
