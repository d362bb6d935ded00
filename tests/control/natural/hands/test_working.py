"""Hands that have something to do: one task after the other, each in phases."""

import math

import numpy as np
import pytest

from blender_biped.base.spatial import quaternion_matrix
from blender_biped.control.natural.hands.pressing import Pushed
from blender_biped.control.natural.hands.tasks import Leave, PickUp, PullTask, PushTask, Reach
from blender_biped.control.natural.hands.working import hands_of
from blender_biped.control.shared.arms import arms_of, palms
from tests.control.bodies import CHARACTER, LEGS, standing

STEP = 1.0 / 120.0
RIGHT = next(arm for arm in arms_of(CHARACTER) if arm and arm.side == 1)
MIDDLE = complex(float(np.mean([standing().origins[leg.foot, 0] + leg.middle for leg in LEGS])), 0.0)


def fed(hands, seconds, begins=0.0, stands=True):
    """Let a body stand still before its hands for a time, s; return how far it was bowed at most."""
    most = 0.0
    for k in range(round(seconds / STEP)):
        hands.feel(standing(time=begins + k * STEP), stands, 0.0, 2.0, MIDDLE, 0.0)
        most = max(most, hands.squats)
    return most


def place_of_palm():
    """Return where the right palm is of a body that stands (3,), m."""
    state = standing()
    x, y, z = palms([RIGHT], state.origins, state.matrices)[0].tolist()
    return x, y, z


def test_hands_touch_what_they_reach_and_are_free_again():
    hands = hands_of(CHARACTER, (Reach(2.0, (1,), "switch", place_of_palm()),), 0.0, STEP)
    assert hands.due(2.0) and not hands.due(1.0)
    fed(hands, 0.25)
    assert hands.squats == 0.0  # it stands still for a while first
    fed(hands, 5.0, begins=0.25)
    assert not hands.due(2.0) and hands.squats == 0.0 and hands.grips == ()


def test_nothing_begins_while_it_walks():
    hands = hands_of(CHARACTER, (Reach(2.0, (1,), "switch", (0.4, -0.2, 0.3)),), 0.0, STEP)
    assert fed(hands, 3.0, stands=False) == 0.0 and hands.due(2.0)


def test_a_prop_that_hands_do_not_get_to_is_let_be_and_not_set_down():
    points = ((0.0, 0.1, 0.0), (0.0, -0.1, 0.0))
    taken = PickUp(2.0, (0, 1), "crate", "crate", 0, points, 0.1, 5.0, 0.1)
    hands = hands_of(CHARACTER, (taken, Leave(2.0, (0, 1), "there", False)), 0.0, STEP)
    hands.props = lambda: np.array([(0.4, 0.0, 0.3, 1.0, 0.0, 0.0, 0.0)])
    assert fed(hands, 2.0) > 0.2  # it stoops, but its arms stay where they are
    assert [grip.strength for grip in hands.grips] == [0.0, 0.0] and hands.bears and hands.load == 0.0
    fed(hands, 10.0, begins=2.0)
    assert hands.grips == () and hands.squats == 0.0 and not hands.due(2.0)


@pytest.mark.parametrize(("task", "sides"), [(PullTask, (1,)), (PushTask, (0, 1))])
def test_what_is_moved_is_held_where_hands_have_taken_hold_of_it(task, sides):
    state, row = standing(), np.array([(-0.1, 0.2, 0.1, math.cos(0.2), 0.0, 0.0, math.sin(0.2))])
    arms = [arm for arm in arms_of(CHARACTER) if arm and arm.side in sides]
    taken = palms(arms, state.origins, state.matrices)
    turn = quaternion_matrix(row[0, 3:])
    off = np.array((0.008, 0.004, -0.01)) - row[0, :3]
    planned = tuple(tuple((palm + off) @ turn) for palm in taken)
    pushed = Pushed(80.0, 0.2, 10.0, tuple(map(np.array, planned)), -0.5)
    hands = hands_of(CHARACTER, (task(2.0, sides, "crate", "crate", 0, planned, 0.1, pushed),), 0.0, STEP)
    hands.props = lambda: row
    fed(hands, 5.0)
    hands.press(state, 0j, 0.0, 0.0)
    assert hands.moving
    for pull, palm in zip(hands.pulls(), taken, strict=True):
        assert pull.place == pytest.approx(palm, abs=1e-9)


@pytest.mark.parametrize("aside", [0.0, 0.3])
def test_arms_are_led_to_where_the_hands_go(aside):
    x, y, z = place_of_palm()
    goal = (x + 0.1, y - aside, z + 0.1)
    hands = hands_of(CHARACTER, (Reach(2.0, (1,), "switch", goal),), 0.0, STEP)
    fed(hands, 0.3 + 1.2)
    state = standing()
    rotations, angular_velocities = np.array(state.matrices), np.zeros((len(CHARACTER.links), 3))
    hands.arms(state, 0.0, rotations, angular_velocities, CHARACTER.index("chest"))
    shoulder = state.origins[RIGHT.upper]
    palm = shoulder + rotations[RIGHT.upper] @ RIGHT.elbow + rotations[RIGHT.fore] @ RIGHT.palm
    assert np.linalg.norm(palm - goal) < 0.01
