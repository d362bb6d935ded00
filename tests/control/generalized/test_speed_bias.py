"""The speed that is learnt from steps."""

import math

import pytest

from blender_biped.control.generalized.speed_bias import FULL_SPEED, SpeedBias, share_of_full
from tests.control.bodies import command

TIME = 0.5


def walked(speeds, lag=0.1, heading=0.0, learn=True):
    """Return the bias after steps at desired speeds by a body that lags behind each by so many m/s."""
    bias, arc, time = SpeedBias(0.2, 0.3), 0.0, 0.0
    for speed in speeds:
        place = (arc * math.cos(heading), arc * math.sin(heading))
        bias.begin(time, place)
        arc, time = arc + (speed - lag) * TIME, time + TIME
        end = (arc * math.cos(heading), arc * math.sin(heading))
        bias.end(time, end, command(speed, heading, arc=arc), learn)
    return bias


@pytest.mark.parametrize("heading", [0.0, 2.0])
def test_the_step_s_speed_is_what_the_hips_went_along_the_heading(heading):
    assert walked([1.0], heading=heading).step_speed == pytest.approx(0.9)


def test_a_body_that_lags_is_led_faster_step_by_step_up_to_a_limit():
    biases = [walked([1.0] * steps).at(1.0) for steps in (2, 3, 5, 99)]
    assert biases == sorted(biases) and biases[1] - biases[0] == pytest.approx(0.2 * 0.1)
    assert biases[-1] == 0.3
    assert walked([1.0] * 99, lag=-0.1).at(1.0) == -0.3


def test_in_a_ramp_nothing_is_learnt():
    assert walked([0.3 + 0.1 * k for k in range(8)]).at(1.0) == 0.0
    assert walked([1.0] * 8, learn=False).at(1.0) == 0.0


def test_a_stop_needs_no_bias():
    bias = walked([1.0] * 99)
    assert bias.at(0.0) == 0.0 and bias.at(0.5 * FULL_SPEED) == pytest.approx(0.15)
    assert share_of_full(2.0) == 1.0
