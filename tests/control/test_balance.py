"""What legs that bear weight are told to do, and what the ground can answer."""

import numpy as np
import pytest

from blender_biped.character.standard import standard_character
from blender_biped.control.balance import TILT, Balance
from blender_biped.control.legs import legs_of
from blender_biped.control.settings import read_settings
from blender_biped.control.state import BodyState
from blender_biped.preset import preset
from blender_biped.spatial import axis_angle_quaternion, quaternion_matrix

CHARACTER = standard_character()
LEGS = legs_of(CHARACTER)
COUNT = len(CHARACTER.links)
WEIGHT = CHARACTER.mass * 9.81
STEP = 1.0 / 480.0
LEFT_ALONE = (1.0, 0.0)


@pytest.fixture
def balance():
    return Balance(CHARACTER, read_settings(preset("generalized", "default").values), LEGS, 9.81, STEP)


def standing(**turned):
    """Return the standing body at rest; turned: link role (dots as underscores) -> rotation about x, rad."""
    origins, rotations = CHARACTER.standing()
    for role, angle in turned.items():
        i = CHARACTER.index(role.replace("_", "."))
        rotations[i] = axis_angle_quaternion([1.0, 0.0, 0.0], angle)
    still = np.zeros((COUNT, 3))
    coms = CHARACTER.com_positions(origins, rotations)
    return BodyState(0.0, origins, quaternion_matrix(rotations), coms, still, still, np.zeros(COUNT))


def test_the_stance_hip_makes_up_what_the_pelvis_needs(balance):
    """What all joints at the pelvis take from it sums to its own tracking torque (section 3.5)."""
    tracking = np.random.default_rng(1).normal(size=(COUNT, 3))
    torque = balance.assembled(tracking, LEFT_ALONE, (0.0, 1.0))
    taken = sum(torque[i] for i, parent in enumerate(CHARACTER.parents) if parent == 0)
    assert np.allclose(-taken, tracking[0])
    assert np.allclose(torque[0], 0.0)


def limited(balance, state, torque, ankle, load, edge=0.4, steps=1):
    for _ in range(steps):
        given = torque.copy()
        balance.limit(given, state, [ankle, (0.0, 0.0, 0.0)], LEFT_ALONE, (load, 0.0), False, edge, 500.0, 0.0)
    return given


def test_the_centre_of_pressure_stays_in_the_sole(balance):
    torque = np.zeros((COUNT, 3))
    torque[LEGS[0].foot] = (80.0, -300.0, 0.0)
    x, y, _ = limited(balance, standing(), torque, (0.0, 0.0, 0.0), WEIGHT)[LEGS[0].foot]
    assert x == pytest.approx(0.4 * LEGS[0].half_width * WEIGHT)
    assert y == pytest.approx(0.4 * LEGS[0].heel * WEIGHT)


def test_a_foot_on_its_edge_does_not_serve_the_virtual_force(balance):
    """It would roll on over that edge, and the body with it."""
    ankle = (120.0, 0.0, 0.0)
    flat = limited(balance, standing(), np.zeros((COUNT, 3)), ankle, WEIGHT)[LEGS[0].foot]
    tilted = limited(balance, standing(foot_L=1.5 * TILT), np.zeros((COUNT, 3)), ankle, WEIGHT)[LEGS[0].foot]
    assert flat[0] < 0.0
    assert np.allclose(tilted, 0.0)


def test_what_a_hip_cannot_push_against_goes_to_the_trunk(balance):
    torque = np.zeros((COUNT, 3))
    torque[LEGS[0].thigh] = (0.0, 0.0, 90.0)
    waist = CHARACTER.index("abdomen")
    loaded = limited(balance, standing(), torque, (0.0, 0.0, 0.0), WEIGHT, steps=100)
    assert 0.0 < loaded[LEGS[0].thigh, 2] < 90.0
    assert loaded[LEGS[0].thigh, 2] + loaded[waist, 2] == pytest.approx(90.0)
    unloaded = limited(balance, standing(), torque, (0.0, 0.0, 0.0), 0.0, steps=100)
    assert np.allclose(unloaded[LEGS[0].thigh], 0.0)
    assert unloaded[waist, 2] == pytest.approx(90.0)


@pytest.mark.parametrize("load", [0.0, WEIGHT])
def test_a_spinning_stance_leg_is_braked_by_the_ground_alone(balance, load):
    """Braked against the pelvis, with nothing to hold on to below, it would spin the pelvis up instead."""
    still = standing()
    spins = np.zeros((COUNT, 3))
    spins[LEGS[0].thigh, 2] = 3.0
    spinning = BodyState(0.0, still.origins, still.matrices, still.coms, still.velocities, spins, still.loads)
    given = limited(balance, spinning, np.zeros((COUNT, 3)), (0.0, 0.0, 0.0), load, steps=20)
    brake = given[LEGS[0].thigh, 2]
    assert (brake < 0.0) if load else (brake == 0.0)
    assert abs(brake) < 60.0
    assert np.allclose(given[CHARACTER.index("abdomen")], 0.0)
