"""What the ground can answer."""

import math

import numpy as np
import pytest

from blender_biped.base.spatial import axis_angle_quaternion, quaternion_matrix
from blender_biped.character.standard import standard_armature, standard_character
from blender_biped.control.shared.ground import TILT, Bearing, Bounds, GroundReaction, GroundUse
from blender_biped.control.shared.legs import legs_of
from blender_biped.control.shared.state import BodyState
from tests.character.humanoid import character, without

CHARACTER = standard_character()
LEGS = legs_of(CHARACTER)
COUNT = len(CHARACTER.links)
WEIGHT = CHARACTER.mass * 9.81
STEP = 1.0 / 480.0
LEFT_ALONE = (1.0, 0.0)


@pytest.fixture
def ground():
    return GroundReaction(CHARACTER, GroundUse(sole_share=0.5, grip=0.6, yaw_damping=25.0), LEGS, 9.81, STEP)


def standing(**turned):
    """Return the standing body at rest; turned: link role (dots as underscores) -> rotation about x, rad."""
    origins, rotations = CHARACTER.standing()
    for role, angle in turned.items():
        i = CHARACTER.index(role.replace("_", "."))
        rotations[i] = axis_angle_quaternion([1.0, 0.0, 0.0], angle)
    still = np.zeros((COUNT, 3))
    coms = CHARACTER.com_positions(origins, rotations)
    return BodyState(0.0, origins, quaternion_matrix(rotations), coms, still, still, np.zeros(COUNT))


def limited(ground, state, torque, ankle, load, edge=0.4, steps=1):
    for _ in range(steps):
        given = torque.copy()
        ground.limit(given, state, [ankle, (0.0, 0.0, 0.0)], Bearing(LEFT_ALONE, (load, 0.0)), Bounds(edge, 500.0, 0.0))
    return given


def test_the_centre_of_pressure_stays_in_the_sole(ground):
    torque = np.zeros((COUNT, 3))
    torque[LEGS[0].foot] = (80.0, -300.0, 0.0)
    x, y, _ = limited(ground, standing(), torque, (0.0, 0.0, 0.0), WEIGHT)[LEGS[0].foot]
    assert x == pytest.approx(0.4 * LEGS[0].half_width * WEIGHT)
    assert y == pytest.approx(0.4 * LEGS[0].heel * WEIGHT)


def test_a_foot_on_its_edge_does_not_serve_the_virtual_force(ground):
    """It would roll on over that edge, and the body with it."""
    ankle = (120.0, 0.0, 0.0)
    flat = limited(ground, standing(), np.zeros((COUNT, 3)), ankle, WEIGHT)[LEGS[0].foot]
    tilted = limited(ground, standing(foot_L=1.5 * TILT), np.zeros((COUNT, 3)), ankle, WEIGHT)[LEGS[0].foot]
    assert flat[0] < 0.0
    assert np.allclose(tilted, 0.0)


def test_what_a_hip_cannot_push_against_goes_to_the_trunk(ground):
    torque = np.zeros((COUNT, 3))
    torque[LEGS[0].thigh] = (0.0, 0.0, 90.0)
    waist = CHARACTER.index("abdomen")
    loaded = limited(ground, standing(), torque, (0.0, 0.0, 0.0), WEIGHT, steps=100)
    assert 0.0 < loaded[LEGS[0].thigh, 2] < 90.0
    assert loaded[LEGS[0].thigh, 2] + loaded[waist, 2] == pytest.approx(90.0)
    unloaded = limited(ground, standing(), torque, (0.0, 0.0, 0.0), 0.0, steps=100)
    assert np.allclose(unloaded[LEGS[0].thigh], 0.0)
    assert unloaded[waist, 2] == pytest.approx(90.0)


@pytest.mark.parametrize("load", [0.0, WEIGHT])
def test_a_spinning_stance_leg_is_braked_by_the_ground_alone(ground, load):
    """Braked against the pelvis, with nothing to hold on to below, it would spin the pelvis up instead."""
    still = standing()
    angular_velocities = np.zeros((COUNT, 3))
    angular_velocities[LEGS[0].thigh, 2] = 3.0
    spinning = BodyState(
        0.0, still.origins, still.matrices, still.coms, still.velocities, angular_velocities, still.loads
    )
    given = limited(ground, spinning, np.zeros((COUNT, 3)), (0.0, 0.0, 0.0), load, steps=20)
    brake = given[LEGS[0].thigh, 2]
    assert (brake < 0.0) if load else (brake == 0.0)
    assert abs(brake) < 60.0
    assert np.allclose(given[CHARACTER.index("abdomen")], 0.0)


@pytest.fixture
def below_a_ball():
    """The ground under a body without a trunk, whose feet are the adult's."""
    ball = character(without(standard_armature(), "spine.", "shoulder", "upper_arm", "forearm", "hand"), CHARACTER.mass)
    assert not any(link.role in ("abdomen", "chest") for link in ball.links)
    return GroundReaction(ball, GroundUse(sole_share=0.5, grip=0.6, yaw_damping=25.0), LEGS, 9.81, STEP)


def test_where_no_trunk_helps_a_pelvis_is_turned_as_hard_as_a_hip_may_turn(ground, below_a_ball):
    torque, loads = np.zeros((COUNT, 3)), (WEIGHT, 0.0)
    torque[LEGS[0].thigh] = (0.0, 0.0, 500.0)
    answered = below_a_ball.turning(standing(), loads)
    assert limited(ground, standing(), torque, (0.0, 0.0, 0.0), WEIGHT)[LEGS[0].thigh, 2] == pytest.approx(answered)
    assert ground.turning(standing(), loads) == math.inf  # the trunk does what is left


def test_the_ground_answers_by_load_friction_and_the_sole_s_length(below_a_ball):
    """Least with the weight on an end of the sole; of both feet, what both answer."""
    ground, left = below_a_ball, LEGS[0]
    middle, half = 0.5 * (left.toe + left.heel), 0.5 * (left.toe - left.heel)
    ground.pressure = [(middle, 0.0), (middle, 0.0)]
    flat = ground.turning(standing(), (WEIGHT, 0.0))
    assert flat == pytest.approx(ground.hold.grip * half * WEIGHT)
    assert ground.turning(standing(), (0.5 * WEIGHT, 0.5 * WEIGHT)) == pytest.approx(flat)
    assert ground.turning(standing(), (0.0, 0.0)) == 0.0
    ground.pressure[0] = (left.toe, 0.0)
    assert 0.0 < ground.turning(standing(), (WEIGHT, 0.0)) < 0.5 * flat


def test_a_sole_that_lies_on_a_slope_answers_as_one_on_level_ground(below_a_ball):
    state, loads = standing(), (WEIGHT, 0.0)
    flat = below_a_ball.turning(state, loads)
    turn = quaternion_matrix(axis_angle_quaternion([0.0, 1.0, 0.0], -0.2))
    state.matrices[LEGS[0].foot] = turn
    assert below_a_ball.turning(state, loads, [tuple(turn[:, 2].tolist()), (0.0, 0.0, 1.0)]) == pytest.approx(flat)
    assert below_a_ball.turning(state, loads) < 0.5 * flat


def test_hips_are_left_alone_where_nothing_backs_them():
    """SIMBICON's hips are bounded before their torques are made safe for the step, not after."""
    ground = GroundReaction(
        CHARACTER, GroundUse(sole_share=0.0, grip=0.6, yaw_damping=25.0, backed=False), LEGS, 9.81, STEP
    )
    torque = np.zeros((COUNT, 3))
    torque[LEGS[0].thigh] = (0.0, 0.0, 90.0)
    torque[LEGS[0].foot] = (0.0, -300.0, 0.0)
    given = limited(ground, standing(), torque, (0.0, 0.0, 0.0), 0.1 * WEIGHT)
    assert np.allclose(given[LEGS[0].thigh], (0.0, 0.0, 90.0))
    assert -300.0 < given[LEGS[0].foot, 1] < 0.0
    assert np.allclose(given[CHARACTER.index("abdomen")], 0.0)
