"""Hands without tasks: every answer leaves the walk as it is."""

import inspect
import math

import numpy as np

from blender_biped.control.natural.hands.hands import Hands, NoHands
from blender_biped.control.natural.hands.working import hands_of
from tests.control.bodies import CHARACTER, standing

HANDS = hands_of(CHARACTER, (), 0.0, 1.0 / 240.0)


def test_a_walk_without_tasks_has_hands_that_do_nothing():
    assert isinstance(HANDS, NoHands)
    assert not HANDS.tasked and not HANDS.due(3.0) and HANDS.grips == () and list(HANDS.pulls()) == []
    assert not HANDS.bears and not HANDS.moving and not HANDS.pulling and HANDS.first_stance(1) == 1
    assert (HANDS.load, HANDS.ahead, HANDS.squats, HANDS.sinking, HANDS.shift) == (0.0, 0.0, 0.0, 0.0, 0j)
    assert HANDS.fastest == math.inf


def test_they_leave_links_as_they_are():
    count = len(CHARACTER.links)
    rotations, angular_velocities = np.tile(np.eye(3), (count, 1, 1)), np.zeros((count, 3))
    assert HANDS.bend(rotations, angular_velocities, 0.4) == 0.0
    HANDS.arms(standing(), 0.4, rotations, angular_velocities, 1)
    assert np.array_equal(rotations, np.tile(np.eye(3), (count, 1, 1))) and not angular_velocities.any()
    assert np.array_equal(HANDS.laden(standing())[1], CHARACTER.masses)


def test_they_answer_all_that_a_walk_asks():
    for name, member in inspect.getmembers(Hands):
        if not name.startswith("_"):
            assert getattr(NoHands, name) is not member, name
