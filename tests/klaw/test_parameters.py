"""Speed, step length and step frequency, from any of them."""

import pytest

from blender_biped.base.errors import DataError
from blender_biped.klaw.attributes import Attributes
from blender_biped.klaw.parameters import KMH, completed, limits

BODY = limits(Attributes(), 1.8)


@pytest.mark.parametrize(
    ("given", "length", "frequency"),
    [
        ({"speed": 5.0 * KMH}, 0.7746, 107.58),  # the thesis: 0.77 m, 107.5 steps/min (chapter 7)
        ({"speed": 5.0 * KMH, "length": 0.5}, 0.5, 166.67),  # figure 7-11
        ({"speed": 5.0 * KMH, "length": 1.05}, 1.05, 79.37),
        ({"speed": 5.0 * KMH, "frequency": 100.0}, 0.8333, 100.0),
        ({"length": 0.6, "frequency": 83.3}, 0.6, 83.3),
        ({"length": 0.6}, 0.6, 83.33),
        ({"length": 1.0}, 1.0, 132.0 + (0.9504 * 180.0 / 1.08 - 132.0) * (1.0 - 0.9504) / (1.08 - 0.9504)),
        ({"frequency": 100.0}, 0.72, 100.0),
        ({"frequency": 150.0}, 0.9504, 150.0),  # beyond sf_norm steps get no longer
        ({"speed": 9.0 * KMH}, 0.9504, 9.0 * KMH / 0.9504),
    ],
)
def test_what_is_not_given_follows(given, length, frequency):
    found = completed(BODY, **given)
    assert (found.length, found.frequency) == pytest.approx((length, frequency), rel=1e-4)
    assert found.speed == pytest.approx(found.length * found.frequency)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "needs a speed"),
        ({"speed": 80.0, "length": 1.0, "frequency": 100.0}, "leave one of"),
        ({"speed": 12.0 * KMH}, "more than this body can walk"),
        ({"speed": 5.0 * KMH, "length": 0.3}, "step frequency of 278"),  # derived ones keep the limits too
        ({"speed": 5.0 * KMH, "frequency": 60.0}, "step length of 1.39"),
        ({"length": 1.2}, "step length of 1.2"),
    ],
)
def test_what_is_no_walk_is_refused(given, said):
    with pytest.raises(DataError, match=said):
        completed(BODY, **given)


def test_states_of_a_step_take_their_time():
    found = completed(BODY, speed=5.0 * KMH)
    assert found.time == pytest.approx(0.5577, abs=1e-4)
    assert found.double_support == pytest.approx(0.132, abs=1e-3)
    assert found.swing + found.double_support == pytest.approx(found.time)
    assert completed(limits(Attributes(sf_max=240.0), 1.8), length=0.5, frequency=200.0).double_support == 0.0
