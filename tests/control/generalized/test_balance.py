"""How legs that bear weight carry the body."""

import numpy as np
import pytest

from blender_biped.character.reference import GRAVITY
from blender_biped.control.generalized.balance import Balance
from blender_biped.control.generalized.settings import read_settings
from blender_biped.control.shared.ground import GroundReaction, GroundUse
from blender_biped.control.shared.legs import LEFT
from blender_biped.control.shared.root_torque import RootTorque
from blender_biped.preset.preset import preset
from tests.control.bodies import CHARACTER, COUNT, LEGS, WEIGHT, com_of, standing

SETTINGS = read_settings(preset("generalized", "default").values)
ON_LEFT, KEPT = (1.0, 0.0), (0.0, 1.0)


def hip(wide, alone=True):
    """Return the stance hip's roll, N m, of a body on its left leg."""
    ground = GroundReaction(CHARACTER, GroundUse(0.5, 0.6, 0.0), LEGS, GRAVITY, 1.0 / 360.0)
    balance = Balance(CHARACTER, SETTINGS, LEGS, GRAVITY, RootTorque(CHARACTER, LEGS), ground, wide)
    state = standing((1.0, 0.0))
    torque, _ = balance.carried(np.zeros((COUNT, 3)), state, com_of(state), 0.0, (0.0, 0.0), ON_LEFT, KEPT, alone)
    return abs(float(torque[LEGS[LEFT].thigh, 0]))


def test_what_is_left_to_the_pelvis_tracking_weighs_on_no_longer_a_lever_than_people_s():
    """Left over: the hip's moment of the whole weight, less what is carried; by hips thrice as wide a third of it."""
    lever = float(CHARACTER.offsets[LEGS[LEFT].thigh][1])  # of the middle, where all but the stance leg is about
    left_over = (1.0 - SETTINGS.support) * WEIGHT * lever
    assert hip(2.0) - hip(1.0) == pytest.approx(left_over / 2.0, rel=0.25)
    assert hip(3.0, alone=False) == hip(1.0)
    assert hip(3.0) - hip(1.0) == pytest.approx(4.0 / 3.0 * (hip(2.0) - hip(1.0)))
