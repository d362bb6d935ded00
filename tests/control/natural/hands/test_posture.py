"""How a standing body bends to what its hands reach."""

import math

import numpy as np
import pytest

from blender_biped.control.natural.hands.posture import Bending, stooping
from blender_biped.control.shared.arms import arms_of, palms
from tests.control.bodies import CHARACTER, LEGS

BENDING, ARMS = Bending(CHARACTER, stooping(CHARACTER)), [arm for arm in arms_of(CHARACTER) if arm is not None]


def reaching(height, ahead=0.4, load=0.0):
    goals = [np.array((ahead - BENDING.middle, aside, height)) for aside in (0.12, -0.12)]
    return BENDING.reaching(ARMS, goals, load), goals


@pytest.mark.parametrize("height", [0.15, 0.4, 0.8, 1.2])
def test_hands_get_there_with_the_mass_over_the_feet_and_ankles_in_their_range(height):
    found, goals = reaching(height, load=8.0)
    assert found.missing == 0.0
    for place, goal in zip(palms(ARMS, found.origins, found.matrices), goals, strict=True):
        assert np.linalg.norm(place - goal) < 0.03
    coms = found.origins + (found.matrices @ CHARACTER.coms[:, :, None])[:, :, 0]
    ahead = CHARACTER.masses @ coms[:, 0] + 8.0 * goals[0][0]
    assert abs(ahead / (CHARACTER.mass + 8.0)) < 0.03
    for leg in LEGS:
        low, high = CHARACTER.joint_ranges(leg.foot)[0]
        lean = math.atan2(found.matrices[leg.shin][0, 2], found.matrices[leg.shin][2, 2])
        assert low < -lean < high


def test_it_bends_the_more_the_lower_they_reach():
    shares = [reaching(height)[0].share for height in (1.2, 0.8, 0.5, 0.2)]
    assert shares == sorted(shares) and shares[0] < 0.2 < 0.6 < shares[-1]


@pytest.mark.parametrize(("height", "ahead"), [(3.0, 0.3), (0.5, 1.5), (-0.5, 0.4)])
def test_what_is_out_of_reach_is_missed(height, ahead):
    assert reaching(height, ahead)[0].missing > 0.1
