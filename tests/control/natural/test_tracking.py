"""What the legs of natural walking do of what their links shall."""

import numpy as np
import pytest

from blender_biped.base.spatial import faced
from blender_biped.control.natural.walk.step_state import Desired, LegUse
from blender_biped.control.natural.walk.tracking import YIELDING, Tracking
from blender_biped.control.shared.legs import LEFT
from blender_biped.control.shared.sole import sole_of
from blender_biped.control.shared.whole_body import WholeBody
from tests.control.bodies import CHARACTER, LEGS, standing


def torques(use: LegUse, yaw: float, thigh: float, shin: float):
    """Return the torques (L, 3) of a body whose left leg is to be pitched, rad, and faces yaw, rad."""
    state, leg = standing(heading=yaw), LEGS[LEFT]
    rotations, still = np.array(state.matrices), np.zeros((len(CHARACTER.links), 3))
    rotations[leg.thigh], rotations[leg.shin] = faced(yaw, thigh), faced(yaw, shin)
    soles = [sole_of(state, own, own.ankle_height, 0.0) for own in LEGS]
    desired = Desired(rotations, still, still, 0.0, [], (use, LegUse.BEARS))
    return Tracking(CHARACTER, LEGS, WholeBody(CHARACTER, 9.81)).torques(state, desired, 0.0, soles, [])


@pytest.mark.parametrize(("yaw", "thigh", "shin"), [(0.0, -0.2, 0.1), (0.9, 0.1, 0.3)])
def test_a_leg_that_yields_is_led_like_one_that_rolls_but_softly(yaw, thigh, shin):
    bears, rolls, yields = (
        torques(use, yaw, thigh, shin) for use in (LegUse.BEARS, LegUse.ROLLS, LegUse.YIELDS)
    )  # fmt: skip
    assert np.abs(rolls - bears).max() > 1.0
    assert yields - bears == pytest.approx(YIELDING * (rolls - bears), abs=1e-6)
    assert 0.0 < YIELDING < 1.0
