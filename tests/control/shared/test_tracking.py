"""Tracking: gravity compensation against potential energy, errors against rotations, gains by joint."""

import numpy as np
import pytest

from blender_biped.base.errors import DataError
from blender_biped.base.spatial import axis_angle_quaternion, normalized, quaternion_matrix, quaternion_product
from blender_biped.character.standard import standard_character
from blender_biped.control.shared.state import BodyState
from blender_biped.control.shared.tracking import JOINT_OF_ROLE, OWN_GAINS, Tracker, missing_rotation

CHARACTER = standard_character()
JOINTS = {*JOINT_OF_ROLE.values(), *(name for axes in OWN_GAINS.values() for name in axes)}
GAINS = dict.fromkeys(JOINTS, (300.0, 30.0, 200.0))
RNG = np.random.default_rng(3)


def posed(rotations):
    origins = CHARACTER.forward_kinematics(np.zeros(3), rotations)
    count = len(CHARACTER.links)
    return BodyState(
        0.0, origins, quaternion_matrix(rotations), CHARACTER.com_positions(origins, rotations),
        np.zeros((count, 3)), np.zeros((count, 3)), np.zeros(count),
    )  # fmt: skip


def random_pose():
    count = len(CHARACTER.links)
    return axis_angle_quaternion(normalized(RNG.normal(size=(count, 3))), RNG.uniform(0.0, 0.8, count))


@pytest.mark.parametrize("role", ["thigh.L", "forearm.R", "chest"])
def test_gravity_compensation_is_the_slope_of_the_potential_energy(role):
    rotations, joint = random_pose(), CHARACTER.index(role)
    tracker = Tracker(CHARACTER, GAINS)
    torque = tracker.gravity(posed(rotations), 9.81)[joint]
    below = tracker.subtree[joint] > 0.0

    def energy(turn):
        moved = np.where(below[:, None], quaternion_product(turn, rotations), rotations)
        state = posed(moved)
        return 9.81 * float(CHARACTER.masses @ state.coms[:, 2])

    for axis in np.eye(3):
        step = 1e-5
        slope = energy(axis_angle_quaternion(axis, step)) - energy(axis_angle_quaternion(axis, -step))
        assert torque @ axis == pytest.approx(slope / (2 * step), abs=1e-4)


def test_the_error_is_the_rotation_that_is_missing():
    axis, angle = normalized(RNG.normal(size=(50, 3))), RNG.uniform(0.0, 2.0, 50)
    turns = held(quaternion_matrix(axis_angle_quaternion(axis, angle)))
    turns[:, :, 3] = RNG.normal(size=(50, 3))  # is of no account
    assert np.allclose(missing_rotation(turns), axis * (2.0 * np.tan(angle / 2.0))[:, None])


def held(orientations):
    """Return orientations (L, 3, 3) to be held at rest, as reference (L, 3, 4)."""
    return np.concatenate((orientations, np.zeros((len(orientations), 3, 1))), axis=2)


def test_torque_brakes_a_link_that_turns_faster_than_its_reference():
    state = posed(random_pose())
    tracker = Tracker(CHARACTER, GAINS)
    reference = held(state.matrices)
    reference[:, 2, 3] = -0.5
    assert (tracker.torques(state, reference)[:, 2] < 0.0).all()
    reference[:, 2, 3] = 0.0
    assert np.allclose(tracker.torques(state, reference), 0.0, atol=1e-9)


def test_torque_pulls_towards_the_reference_and_stays_under_its_limit():
    rotations = random_pose()
    state = posed(rotations)
    turn = quaternion_matrix(axis_angle_quaternion([0.0, 0.0, 1.0], 0.05))
    tracker = Tracker(CHARACTER, GAINS)
    torque = tracker.torques(state, held(turn @ state.matrices))
    assert (torque[:, 2] > 0.0).all()
    far = quaternion_matrix(axis_angle_quaternion([1.0, 0.0, 0.0], 2.5)) @ state.matrices
    wild = tracker.torques(state, held(far))
    assert np.linalg.norm(wild, axis=1) == pytest.approx(np.minimum(np.linalg.norm(wild, axis=1), tracker.limit))
    assert np.linalg.norm(wild, axis=1).max() == pytest.approx(tracker.limit.max())


UPRIGHT, TURNED = np.array((0.0, 0.0, 1.0)), 0.5  # rad by which a pelvis faces amiss


def facing(spin=0.0):
    """Return a pose, and its reference that faces TURNED to the left and turns by ``spin``, rad/s."""
    state = posed(random_pose())
    reference = held(quaternion_matrix(axis_angle_quaternion(UPRIGHT, TURNED)) @ state.matrices)
    reference[:, 2, 3] = spin
    return state, reference


def test_a_pelvis_is_turned_back_no_harder_than_the_ground_can_answer():
    tracker, most = Tracker(CHARACTER, GAINS), 40.0
    state, reference = facing()
    own, held_back = tracker.torques(state, reference.copy()), tracker.torques(state, reference.copy(), most)
    assert own[0, 2] > 2.0 * most
    assert held_back[0] == pytest.approx((*own[0, :2], most))
    assert (held_back[1:] == own[1:]).all()
    assert tracker.torques(state, reference.copy(), 999.0) == pytest.approx(own)


def test_a_pelvis_that_turns_back_is_braked_in_full():
    tracker, most, spin = Tracker(CHARACTER, GAINS), 40.0, -4.0
    state, reference = facing(spin)
    assert tracker.torques(state, reference.copy())[0, 2] > 0.0  # it would be sped up yet
    found = tracker.torques(state, reference, most)[0, 2]
    assert found == pytest.approx(most + 30.0 * spin)
    assert found < -most


def test_the_ankle_rolls_with_gains_of_its_own():
    tracker = Tracker(CHARACTER, {**GAINS, "ankle_roll": (60.0, 3.0, 50.0)})
    foot, shin = CHARACTER.index("foot.L"), CHARACTER.index("shin.L")
    assert tracker.kp[foot, 0] == pytest.approx(0.2 * tracker.kp[foot, 1])
    assert (tracker.kp[shin] == tracker.kp[shin, 0]).all()


def test_gains_are_those_of_the_preset_to_the_last_digit():
    """A factor that is 1 up to rounding would change every walk's last digits."""
    tracker = Tracker(CHARACTER, GAINS)
    assert (tracker.kp == 300.0).all() and (tracker.kd == 30.0).all() and (tracker.limit == 200.0).all()


def test_a_missing_joint_is_named():
    with pytest.raises(DataError, match="'ankle'"):
        Tracker(CHARACTER, {k: v for k, v in GAINS.items() if k != "ankle"})
