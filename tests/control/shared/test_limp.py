"""A body that lets itself fall: what is left of its controller, damping, and the stops of joints."""

from dataclasses import replace

import numpy as np
import pytest

from blender_biped.base.spatial import axis_angle_quaternion, quaternion_matrix, quaternion_product
from blender_biped.control.shared.limp import DAMPING, FADE, RANGES, Limp, beyond_ranges
from blender_biped.control.shared.tracking import JOINT_OF_ROLE
from tests.control.bodies import CHARACTER, COUNT, standing

STEP = 1.0 / 360.0
AXES = {"roll": (1.0, 0.0, 0.0), "pitch": (0.0, 1.0, 0.0), "yaw": (0.0, 0.0, 1.0)}


def turned(*turns):
    """Return a standing body with bent knees and elbows, and links with what hangs on them turned at their joints.

    turns: role, axis and angle, rad, of each.
    """
    state = standing()
    _, rotations = CHARACTER.standing()
    bent = [(f"{part}.{side}", "pitch", angle) for part, angle in (("shin", 0.5), ("forearm", -0.5)) for side in "LR"]
    for role, axis, angle in (*turns, *(one for one in bent if one[0] not in [role for role, _, _ in turns])):
        hanging = [CHARACTER.index(role)]
        hanging += [i for i in range(COUNT) if _hangs_on(i, hanging[0])]
        turn = axis_angle_quaternion(np.array(AXES[axis]), np.array(angle))
        rotations[hanging] = quaternion_product(turn, rotations[hanging])
    origins = CHARACTER.forward_kinematics(state.origins[0], rotations)
    coms = CHARACTER.com_positions(origins, rotations)
    return replace(state, origins=origins, coms=coms, matrices=quaternion_matrix(rotations))


def _hangs_on(link, other):
    parent = CHARACTER.parents[link]
    return parent == other or (parent > 0 and _hangs_on(parent, other))


def test_all_joints_have_damping_and_a_range():
    assert set(DAMPING) == set(RANGES) == set(JOINT_OF_ROLE.values()) - {"root"}


def test_standing_is_within_all_ranges_and_feels_nothing():
    assert max(beyond_ranges(CHARACTER, standing().matrices).values()) < 1e-9
    limp = Limp(CHARACTER, STEP)
    assert not limp.torques(turned(), np.zeros((COUNT, 3))).any() and not limp.torn(standing())


@pytest.mark.parametrize(
    ("role", "axis", "most", "least"),
    [
        ("thigh.L", "pitch", 0.5, -2.1), ("thigh.L", "roll", 0.8, -0.5), ("thigh.R", "roll", 0.5, -0.8),
        ("head", "yaw", 1.1, -1.1), ("shin.R", "pitch", 2.5, 0.0), ("foot.L", "pitch", 0.9, -0.5),
    ],
)  # fmt: skip
def test_a_joint_beyond_its_range_is_turned_back(role, axis, most, least):
    link, own = CHARACTER.index(role), list(AXES).index(axis)
    for end, sign in ((most, 1.0), (least, -1.0)):
        state = turned((role, axis, end + sign * 0.2))
        far = beyond_ranges(CHARACTER, state.matrices)[role]
        assert far > 0.199 and (far == pytest.approx(0.2, abs=0.01) or role.startswith("thigh"))  # its middle is beside
        torque = Limp(CHARACTER, STEP).torques(state, np.zeros((COUNT, 3)))[link]
        assert sign * torque[own] < -5.0


def test_what_is_far_beyond_its_range_is_torn():
    assert not Limp(CHARACTER, STEP).torn(turned(("thigh.L", "pitch", 0.6)))
    assert Limp(CHARACTER, STEP).torn(turned(("thigh.L", "pitch", 1.0)))


def test_damping_brakes_and_never_turns_round_within_a_step():
    """Even at the lightest joints, whose inertia a step's damping would exceed."""
    state = turned()
    angular_velocities = np.zeros((COUNT, 3))
    toes, hand = CHARACTER.index("toes.L"), CHARACTER.index("hand.R")
    angular_velocities[[toes, hand], 1] = 10.0
    torque = Limp(CHARACTER, STEP).torques(replace(state, angular_velocities=angular_velocities), np.zeros((COUNT, 3)))
    for link in (toes, hand):
        own = CHARACTER.links[link]
        inertia = own.inertia[1] + own.mass * float(np.dot(own.com, own.com))
        assert -10.0 * inertia / STEP < torque[link, 1] < 0.0


def test_the_controller_s_torques_fade_and_wild_ones_are_cut():
    limp, state = Limp(CHARACTER, STEP), turned()
    wild = np.zeros((COUNT, 3))
    abdomen = CHARACTER.index("abdomen")
    wild[abdomen] = (0.0, 0.0, 1000.0)
    sizes = []
    while not limp.slack:
        sizes.append(float(np.linalg.norm(limp.torques(state, wild)[abdomen])))
    assert sizes[0] == pytest.approx(250.0) and sizes[-1] < 5.0 and sizes == sorted(sizes, reverse=True)
    assert len(sizes) == pytest.approx(FADE / STEP, abs=1)
    assert np.linalg.norm(limp.torques(state, wild)[abdomen]) == 0.0
