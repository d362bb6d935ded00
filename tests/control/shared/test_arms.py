"""Arms by inverse kinematics: palms are where they should be, as far as arms reach, and elbows stay hinges."""

import numpy as np
import pytest

from blender_biped.control.shared.arms import STRETCHED, arms_of, palms
from tests.control.bodies import CHARACTER, standing

ARMS = [arm for arm in arms_of(CHARACTER) if arm is not None]
LEFT = np.array((0.0, 1.0, 0.0))


def palm(arm, shoulder, upper, fore):
    return shoulder + upper @ arm.elbow + fore @ arm.palm


@pytest.mark.parametrize("goal", [(0.3, 0.1, -0.2), (0.4, -0.1, 0.2), (0.2, 0.2, -0.45), (0.05, 0.0, 0.5)])
def test_palms_are_at_their_goals_and_elbows_are_hinges(goal):
    shoulder = np.array((0.1, 0.2, 1.3))
    for arm in ARMS:
        upper, fore = arm.orientations(shoulder, shoulder + goal, LEFT)
        assert np.allclose(palm(arm, shoulder, upper, fore), shoulder + goal, atol=1e-3)
        turned = upper.T @ fore
        assert np.allclose(turned[:, 1], (0.0, 1.0, 0.0), atol=1e-9)
        assert turned[0, 2] < 0.0  # a forearm turns forward alone


def test_what_is_out_of_reach_is_pointed_at():
    shoulder, way = np.zeros(3), np.array((0.6, 0.0, -0.8))
    for arm in ARMS:
        found = palm(arm, shoulder, *arm.orientations(shoulder, 3.0 * way, LEFT))
        assert np.linalg.norm(found) == pytest.approx(STRETCHED * arm.length, rel=0.02)
        assert found @ way == pytest.approx(np.linalg.norm(found), rel=1e-3)


def test_hanging_palms_are_below_the_shoulders():
    state = standing()
    for arm, place in zip(ARMS, palms(ARMS, state.origins, state.matrices), strict=True):
        below = state.origins[arm.upper] - place
        assert below[2] == pytest.approx(arm.length, rel=1e-3)
