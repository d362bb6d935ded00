"""How a walk keeps its speed and direction."""

import math

import pytest

from blender_biped.control.simbicon.leading import Lead
from blender_biped.control.simbicon.settings import read_gait
from blender_biped.preset.preset import preset
from tests.control.bodies import command

LEADING = read_gait(preset("simbicon", "walk").values).leading


def test_strides_that_are_too_slow_are_answered():
    lead = Lead()
    lead.answer(0.5, 0.0, 0.0, LEADING, True)
    forward, aside = lead.offset
    assert forward > 0.0 and aside == 0.0
    for _ in range(1000):
        lead.answer(0.5, -0.5, 0.0, LEADING, True)
    forward, aside = lead.offset
    assert forward == pytest.approx(-aside) and forward <= 2.0 * LEADING.most
    assert lead.learnt == pytest.approx((LEADING.most, -LEADING.most))


def test_a_stride_that_was_not_steady_teaches_nothing():
    lead = Lead()
    lead.answer(0.5, 0.0, 0.0, LEADING, False)
    assert lead.learnt == (0.0, 0.0) and lead.offset[0] > 0.0


@pytest.mark.parametrize("travel", [0.0, math.pi / 2, -0.7, math.pi])
def test_a_body_that_faces_otherwise_than_it_goes_answers_in_its_own_axes(travel):
    lead = Lead()
    lead.answer(0.01, 0.0, travel, LEADING, True)
    forward, aside = lead.offset
    assert math.atan2(aside, forward) == pytest.approx(travel)


def led(speed, desired=0.8, steps=8, heading=0.4):
    """Return the lead of a body that goes at another speed than desired."""
    lead = Lead()
    for count in range(steps):
        way = 0.5 * speed * count
        place = (way * math.cos(heading), way * math.sin(heading))
        lead.begin_step(0.5 * count, place, command(desired, heading), 0.0, LEADING)
    return lead


def test_the_error_is_that_of_whole_strides_along_the_heading():
    assert led(0.8).offset == pytest.approx((0.0, 0.0), abs=1e-12)
    assert led(0.6).offset[0] > 0.0 > led(1.0).offset[0]
    assert led(0.6).offset[1] == pytest.approx(0.0, abs=1e-12)
    assert led(0.6, steps=2).offset == (0.0, 0.0)  # two steps make the first stride


def test_another_gait_begins_anew_and_a_pause_forgets_only_the_stride():
    lead = led(0.6)
    learnt = lead.learnt
    lead.pause()
    assert lead.learnt == learnt
    lead.forget()
    assert lead.learnt == lead.offset == (0.0, 0.0)
