"""What holds for every walk on legs: it has no favourite side, and no favourite direction of the world."""

import math

import numpy as np
import pytest

from blender_biped.base.spatial import quaternion_matrix, yaw_quaternion
from blender_biped.character.reference import GRAVITY
from blender_biped.control.generalized.walk import GeneralizedWalk
from blender_biped.control.shared.cues import GaitCue
from blender_biped.control.shared.legs import LEFT, RIGHT
from blender_biped.control.simbicon.settings import read_gait
from blender_biped.control.simbicon.walk import Simbicon
from blender_biped.preset.preset import preset
from tests.control.bodies import CHARACTER, COUNT, command, standing

STEP = 1.0 / 360.0
STEPS = 40


def generalized():
    return GeneralizedWalk(CHARACTER, preset("generalized", "default").values, GRAVITY, STEP)


def simbicon():
    return Simbicon(CHARACTER, [GaitCue(0.0, read_gait(preset("simbicon", "walk").values))], [], GRAVITY, STEP)


CONTROLLERS = pytest.mark.parametrize("controller", [generalized, simbicon])


def last_torque(walk, loads, velocity, heading=0.0):
    """Return the torques (L, 3) after some steps on a body that is held so; velocity: ahead and to the left, m/s."""
    c, s = math.cos(heading), math.sin(heading)
    x, y = velocity
    for count in range(STEPS):
        state = standing(loads, (c * x - s * y, s * x + c * y, 0.0), heading, time=count * STEP)
        torque = walk.torques(state, command(heading=heading))
    return torque


def walking(controller, side):
    """Return a walk that has stood before and topples to ``side``: it steps at once, with that leg."""
    walk = controller()
    walk.strikes.append((0.0, LEFT))
    walk.torques(standing(velocity=(0.0, 0.8 if side == LEFT else -0.8, 0.0)), command(speed=0.0))
    assert walk.walking and walk.stance == LEFT + RIGHT - side
    return walk


def mirrored(torque):
    found = np.empty_like(torque)
    for i, link in enumerate(CHARACTER.links):
        role = link.role
        other = role[:-1] + {"L": "R", "R": "L"}[role[-1]] if role[-2:-1] == "." else role
        found[CHARACTER.index(other)] = torque[i] * (-1.0, 1.0, -1.0)
    return found


@CONTROLLERS
def test_a_standing_body_in_a_mirror_has_mirrored_torques(controller):
    one = last_torque(controller(), (0.6, 0.4), (0.05, 0.03))
    other = last_torque(controller(), (0.4, 0.6), (0.05, -0.03))
    assert np.abs(one).max() > 1.0
    assert np.allclose(other, mirrored(one), atol=1e-6)


@CONTROLLERS
def test_a_walking_body_in_a_mirror_has_mirrored_torques(controller):
    one = last_torque(walking(controller, RIGHT), (1.0, 0.0), (0.6, 0.1))
    other = last_torque(walking(controller, LEFT), (0.0, 1.0), (0.6, -0.1))
    assert np.abs(one).max() > 10.0
    assert np.allclose(other, mirrored(one), atol=1e-6)


@CONTROLLERS
@pytest.mark.parametrize("heading", [1.0, -2.8])
def test_a_body_that_faces_elsewhere_has_turned_torques(controller, heading):
    turn = quaternion_matrix(yaw_quaternion(heading))
    for loads, velocity in (((0.6, 0.4), (0.05, 0.03)), ((0.2, 0.8), (0.1, 0.0))):
        one, other = (last_torque(controller(), loads, velocity, angle) for angle in (0.0, heading))
        assert one.shape == (COUNT, 3)
        assert np.allclose(other, one @ turn.T, atol=1e-6)
