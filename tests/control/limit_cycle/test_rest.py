"""When a limit-cycle walk sets off from its stand, and when it may stand again."""

import pytest

from blender_biped.character.reference import GRAVITY
from blender_biped.control.limit_cycle.rest import Rest
from blender_biped.control.shared.legs import LEFT, RIGHT
from tests.control.bodies import CHARACTER, LEGS, command, standing

STEP = 1.0 / 360.0
AT_END = command(left=0.1)
MIDDLE = (0.05, 0.0, 0.0)  # over the middle of the soles


def rest(walking):
    return Rest(CHARACTER, GRAVITY, STEP, 0.0, walking)


def felt(one, state):
    for _ in range(60):  # the feet's loads are smoothed
        one.feel(state)
    return state


def may_rest(state, given=AT_END):
    one = rest(True)
    found = one.comes_to_rest(felt(one, state), given, 0.0)
    assert one.stands == found
    return found


def test_it_rests_at_the_paths_end_where_it_would_stay():
    assert may_rest(standing(place=MIDDLE))
    assert not may_rest(standing(place=MIDDLE), command(left=1.0))


@pytest.mark.parametrize("velocity", [(0.5, 0.0, 0.0), (0.0, 0.5, 0.0)])
def test_it_does_not_where_it_would_fall_on(velocity):
    assert not may_rest(standing(place=MIDDLE, velocity=velocity))


def test_it_does_not_on_one_foot_or_in_a_stride():
    assert not may_rest(standing((1.0, 0.0), place=MIDDLE))
    stride = standing(place=MIDDLE)
    stride.origins[[LEGS[LEFT].foot, LEGS[LEFT].toes], 0] += 0.1
    stride.origins[[LEGS[RIGHT].foot, LEGS[RIGHT].toes], 0] -= 0.1
    assert not may_rest(stride)


def test_it_sets_off_after_a_while_and_stays_when_it_has_come_to_rest():
    one, stance = rest(False), None
    for count in range(int(3.0 / STEP)):
        state = standing(place=MIDDLE, time=count * STEP)
        one.feel(state)
        stance = one.set_off(state, command(), 0.0, rests=False)
        if stance is not None:
            break
    assert stance == LEFT and one.walking and state.time > 0.5
    calm = rest(False)
    for count in range(int(3.0 / STEP)):
        state = standing(place=MIDDLE, time=count * STEP)
        calm.feel(state)
        assert calm.set_off(state, AT_END, 0.0, rests=True) is None


def test_what_topples_steps_to_where_it_falls():
    for side, aside in ((LEFT, 0.8), (RIGHT, -0.8)):
        one = rest(False)
        state = felt(one, standing(place=MIDDLE, velocity=(0.0, aside, 0.0)))
        assert one.set_off(state, AT_END, 0.0, rests=True) == LEFT + RIGHT - side
