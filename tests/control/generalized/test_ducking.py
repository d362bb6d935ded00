"""Generalized walking that ducks: references of trunk, head and legs are bent."""

import numpy as np

from blender_biped.control.generalized.ducking import duck
from blender_biped.control.shared.ducking import Ducking
from blender_biped.world.obstacles import Crossed
from tests.control.bodies import CHARACTER, COUNT, LEGS, command, standing


def test_it_bends_trunk_and_legs_and_nothing_before():
    ducking = Ducking([Crossed("beam", 4.0, 4.1, 1.3, 1.4, 4.0, 0.0, 0.0)], CHARACTER)
    reference = np.zeros((COUNT, 3, 4))
    reference[:, :, :3] = np.eye(3)
    duck(ducking, reference, LEGS)
    assert np.array_equal(reference[:, :, :3], np.broadcast_to(np.eye(3), (COUNT, 3, 3)))
    state = standing()
    state.origins += (4.0, 0.0, 0.0)
    ducking.command(command(), state)
    duck(ducking, reference, LEGS)
    chest, shin = CHARACTER.index("chest"), LEGS[0].shin
    assert reference[chest, 2, 0] < -0.3  # forward, down
    assert reference[shin, 2, 0] < 0.0
