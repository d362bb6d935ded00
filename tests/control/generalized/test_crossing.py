"""Stepping over: steps that are fitted before an obstacle, and the way of both feet over it."""

import numpy as np
import pytest

from blender_biped.control.generalized.crossing import (
    CLOSE,
    FITTED,
    GAP,
    LONGEST,
    SOLE_OVER,
    SPEED,
    Crossing,
    planned_steps,
)
from blender_biped.control.shared.legs import LEFT, RIGHT
from blender_biped.world.obstacles import Crossed
from tests.control.bodies import LEGS, command, standing

BAR = Crossed("bar", 4.0, 4.1, 0.0, 0.3, 4.0, 0.0, 0.0)
FRONT = max(LEGS[LEFT].toe, LEGS[LEFT].ball + LEGS[LEFT].toe_length)
BEFORE = BAR.near - FRONT - GAP
TIME = 0.55


def at(left, right):
    """Return a body whose ankles are so far along the way, m."""
    state = standing()
    state.origins += (0.5 * (left + right), 0.0, 0.0)
    for leg, x in zip(LEGS, (left, right), strict=True):
        state.origins[leg.foot, 0] = x
    return state


def begun(left, right, stance, speed=0.8):
    """Return what one does as a step begins, the step's time, and the command."""
    one, state = Crossing([BAR], LEGS), at(left, right)
    given = one.command(command(speed), state)
    took = one.begin_step(state, given, stance, TIME)
    return one, took, one.command(command(speed), state)


def test_it_slows_down_before_an_obstacle_and_not_after_the_last():
    far, near = (Crossing([BAR], LEGS).command(command(1.4), at(x, x)).speed for x in (0.0, 3.5))
    assert SPEED < near < 0.8 and far == 1.4
    one = Crossing([BAR], LEGS)
    one.begin_step(at(4.6, 4.4), command(1.4), LEFT, TIME)
    assert one.command(command(1.4), at(4.6, 4.4)).speed == 1.4
    assert one.placed((4.05, 0.1)) == (4.05, 0.1)


@pytest.mark.parametrize("away", np.arange(CLOSE + 0.01, 1.2, 0.07))
def test_steps_are_fitted_so_that_a_foot_stands_close_before_it(away):
    stance, place, lengths = LEFT, BEFORE - float(away), []
    while BEFORE - place > CLOSE:
        one, took, given = begun(*((place, place - 0.3) if stance == LEFT else (place - 0.3, place)), stance, 0.65)
        assert took == TIME
        there, _ = one.placed((place + 0.35, 0.0))
        lengths.append(there - place)
        assert given.speed == pytest.approx(lengths[-1] / TIME)
        place, stance = there, 1 - stance
    assert place == pytest.approx(BEFORE) and len(lengths) <= FITTED
    assert max(lengths) <= LONGEST * 0.65 * TIME + 1e-9


def test_no_step_ends_on_it():
    one, _, _ = begun(0.0, -0.3, LEFT)
    assert one.placed((4.05, 0.1)) == pytest.approx((BEFORE, 0.1))
    assert one.placed((3.0, 0.1)) == (3.0, 0.1)


def test_both_feet_go_over_it_and_land_beyond():
    first, took, _ = begun(BEFORE, BEFORE - 0.3, LEFT)
    assert took > TIME
    landing, _ = first.placed((BEFORE + 0.3, 0.0))
    assert landing + LEGS[RIGHT].heel > BAR.far
    second, _, _ = begun(BEFORE, landing, RIGHT)
    assert second.placed((landing, 0.0))[0] > landing


def test_the_sole_is_over_it_while_it_is_there():
    one, _, _ = begun(BEFORE, BEFORE - 0.3, LEFT)
    drop = 0.08
    ways = [one.ankle((BEFORE - 0.3, -0.1, drop), done, drop, 0.0) for done in np.linspace(0.0, 1.0, 101)]
    assert all(y == -0.1 for _, y, _ in ways)
    assert (np.diff([x for x, _, _ in ways]) >= 0.0).all()
    above = [z - drop for x, _, z in ways if BAR.near - FRONT < x < BAR.far]
    assert min(above) > 0.5 * BAR.top and max(above) == pytest.approx(BAR.top + SOLE_OVER)
    assert all(z - drop > BAR.top for x, _, z in ways if BAR.near - 0.1 < x < BAR.far + 0.02)


def test_what_a_foot_touches_before_it_is_over_is_no_strike():
    one, _, _ = begun(BEFORE, BEFORE - 0.3, LEFT)
    assert not one.is_down(at(BEFORE, BAR.near), LEFT) and one.is_down(at(BEFORE, BAR.far + 0.1), LEFT)
    free, _, _ = begun(0.0, -0.3, LEFT)
    assert free.is_down(at(0.0, 0.3), LEFT)


@pytest.mark.parametrize("start", [0.0, 0.17, 0.4, 0.63])
@pytest.mark.parametrize("stance", [LEFT, RIGHT])
def test_planned_steps_go_from_foot_to_foot_up_to_it_and_over_it(start, stance):
    steps = list(planned_steps([BAR], LEGS, start, stance, lambda _arc: 0.8, lambda _speed: TIME))
    assert [step.side for step in steps] == [(stance + 1 + k) % 2 for k in range(len(steps))]
    arcs, back = [step.arc for step in steps], -LEGS[LEFT].heel
    assert all(arc < BEFORE + 1e-9 or arc - back > BAR.far for arc in arcs)
    fitted = [step.arc for step in steps if step.fits]
    assert fitted == arcs[-len(fitted) :] and max(arc for arc in arcs if arc < BAR.near) + 1e-9 >= BEFORE - CLOSE
    assert sum(arc > BAR.far for arc in arcs) == 2 and arcs == sorted(arcs)
