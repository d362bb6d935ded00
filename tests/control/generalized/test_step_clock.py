"""When a step ends."""

import math

import pytest

from blender_biped.control.generalized.pendulum import swayed, width_offset
from blender_biped.control.generalized.step_clock import MOST_HASTE, MOST_PATIENCE, StepClock, haste, patience

G, H, WIDTH, TIME = 9.81, 0.95, 0.12, 0.55


@pytest.mark.parametrize("hurry", [1.0, 1.3])
def test_the_phase_is_one_when_the_step_s_time_is_over(hurry):
    clock = StepClock(0.4)
    clock.begin(TIME)
    clock.haste = hurry
    for _ in range(220):
        clock.advance(TIME / hurry / 220)
    assert clock.phase == pytest.approx(1.0) and clock.left == pytest.approx(0.0)
    clock.begin(0.4)
    assert clock.phase == 0.0 and clock.left == 0.4 and clock.haste == 1.0


def hasted(out, left=0.3):
    return haste(left, TIME, out, H, G, WIDTH, 1.5)


def test_a_body_in_its_regular_sway_has_time_and_one_that_runs_away_has_none():
    regular = width_offset(WIDTH, TIME, H, G) * math.exp(math.sqrt(G / H) * (TIME - 0.3))
    assert hasted(0.0) == hasted(-0.2) == hasted(regular) == 1.0
    assert 1.0 < hasted(1.6 * regular) <= MOST_HASTE
    assert hasted(99.0) == MOST_HASTE
    outs = [0.01 * k for k in range(40)]
    found = [hasted(out) for out in outs]
    assert found == sorted(found)


def test_the_foot_comes_down_when_the_body_is_where_it_may_be_at_most():
    """The haste that is not held to its most lands just where the linear pendulum reaches the limit."""
    w, limit = math.sqrt(G / H), 1.5 * width_offset(WIDTH, TIME, H, G) * math.exp(math.sqrt(G / H) * TIME)
    out = 1.1 * limit * math.exp(-w * 0.3)
    found = hasted(out)
    assert 1.0 < found < MOST_HASTE
    x, v = swayed(out, 0.0, 0.3 / found, H, G)
    assert x + v / w == pytest.approx(limit)


def test_a_step_that_is_over_has_no_haste():
    assert hasted(99.0, left=0.0) == 1.0


REST, LEAST = 0.07, 0.06  # s until the weight changes feet; m


def waiting(out, left=0.3):
    return patience(left, REST, out, H, G, LEAST)


def test_a_foot_that_should_land_nearer_than_it_can_waits_until_the_body_has_swayed_far_enough():
    w = math.sqrt(G / H)
    enough = LEAST * math.exp(-w * (0.3 + REST))
    assert waiting(enough + 1e-9) == waiting(99.0) == 1.0
    found = waiting(0.8 * enough)
    assert MOST_PATIENCE < found < 1.0
    x, v = swayed(0.8 * enough, 0.0, 0.3 / found + REST, H, G)
    assert x + v / w == pytest.approx(LEAST)


def test_who_is_over_its_foot_or_beyond_it_does_not_wait_for_what_never_comes():
    assert waiting(0.0) == waiting(-0.1) == waiting(1e-4) == MOST_HASTE


def test_neither_waits_a_step_that_is_over_nor_one_whose_feet_pass_anywhere():
    assert waiting(0.0, left=0.0) == 1.0
    assert patience(0.3, REST, -0.1, H, G, -0.01) == 1.0
