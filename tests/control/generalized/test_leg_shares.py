"""How the legs share the body."""

import math

import pytest

from blender_biped.control.generalized.leg_shares import TAKE_OVER, LegShares
from blender_biped.control.shared.legs import LEFT, RIGHT

WEIGHT = 700.0
LOADS = [(700.0, 0.0), (350.0, 350.0), (100.0, 600.0), (0.0, 0.0)]


def shares(wide=0.0):
    return LegShares(0.2, wide, WEIGHT)


@pytest.mark.parametrize("loads", LOADS)
@pytest.mark.parametrize("phase", [0.0, 0.1, 0.5])
def test_shares_are_the_whole_and_mirrored_loads_give_mirrored_shares(loads, phase):
    left, right = shares().walking(LEFT, True, phase, loads)
    assert left + right == pytest.approx(1.0) and min(left, right) >= 0.0
    assert shares().walking(RIGHT, True, phase, loads[::-1]) == (right, left)


def test_while_the_other_leg_swings_the_stance_leg_bears_all():
    assert shares().walking(LEFT, False, 0.0, (100.0, 600.0)) == (1.0, 0.0)
    assert shares().walking(RIGHT, False, 0.0, (100.0, 600.0)) == (0.0, 1.0)


def test_the_weight_is_handed_over_within_the_double_support_whatever_the_loads():
    found = [shares().walking(LEFT, True, 0.02 * k, (0.0, 700.0))[LEFT] for k in range(20)]
    assert found == sorted(found) and found[0] == 0.0 and found[-1] == 1.0
    wide = [shares(1.0).walking(LEFT, True, 0.02 * k, (0.0, 700.0))[LEFT] for k in range(20)]
    assert all(a <= b for a, b in zip(found, wide, strict=True))  # at once with wide hips


def test_the_leg_in_front_bears_as_far_as_the_body_is_over_it_whatever_the_loads():
    found = [shares().walking(LEFT, True, 0.0, (50.0, 650.0), place)[LEFT] for place in (0.0, 0.05, 0.6, 1.0)]
    assert found == pytest.approx([50.0 / 700.0, 50.0 / 700.0, 0.6, 1.0])
    assert shares().walking(RIGHT, True, 0.0, (650.0, 50.0), 0.6)[RIGHT] == 0.6
    assert shares().walking(LEFT, False, 0.0, (50.0, 650.0), 0.6) == (1.0, 0.0)


def test_a_stopped_body_goes_over_from_its_loads_to_its_place():
    one = shares()
    one.stop((600.0, 100.0))
    first, half, last = (one.standing(0.5, time)[LEFT] for time in (0.0, 0.5 * TAKE_OVER, TAKE_OVER))
    assert first == pytest.approx(6.0 / 7.0) and last == 0.5
    assert half == pytest.approx(0.5 * (first + last))
    assert one.standing(0.3, math.inf) == (0.3, 0.7)
