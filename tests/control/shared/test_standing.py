"""Standing: where a body would come to rest, who bears it, when it sets off and when it may stop."""

import numpy as np
import pytest

from blender_biped.character.body import build_character
from blender_biped.character.build import build_of
from blender_biped.character.reference import GRAVITY
from blender_biped.character.roles import map_bones
from blender_biped.character.standard import standard_armature
from blender_biped.control.shared.clock import ControlTime
from blender_biped.control.shared.legs import LEFT, RIGHT, legs_of
from blender_biped.control.shared.standing import (
    LEAST_SHARE,
    MOST_TRAPEZOID,
    STANDING_ROLL,
    SWAY,
    Feet,
    StandingMachine,
    Transitions,
    release_roll,
    tracked_shares,
)
from blender_biped.motion.similarity import at_reference_size
from tests.control.bodies import CHARACTER, COUNT, LEGS, com_of, standing

STEP = 1.0 / 360.0
RULES = Transitions(
    settle_time=0.5, shift_share=0.4, longest_shift=2.0, stop_distance=0.2, stop_speed=0.4, stop_load=0.3,
    stop_margin=0.1,
)  # fmt: skip
STILL = (0.0, 0.0, 0.0)
HEADINGS = [0.0, 1.0, -2.5]


def feet(state=None):
    found = Feet(CHARACTER, LEGS, GRAVITY, ControlTime.of(STEP), 0.0)
    for _ in range(50):
        if state is not None:
            found.feel(state)
    return found


def turned(place, heading):
    x, y = place
    c, s = np.cos(heading), np.sin(heading)
    return c * x - s * y, s * x + c * y, 0.0


@pytest.mark.parametrize("heading", HEADINGS)
def test_a_still_body_is_captured_and_a_fast_one_is_not(heading):
    state = standing(heading=heading)
    one = feet(state)
    assert one.captured(state, heading, com_of(state), STILL, 0.1)
    for x, y in ((1.0, 0.0), (-1.0, 0.0), (0.0, 0.8), (0.0, -0.8)):
        assert not one.captured(state, heading, com_of(state), turned((x, y), heading), 0.1)


@pytest.mark.parametrize("heading", HEADINGS)
@pytest.mark.parametrize(("velocity", "stance"), [((0.0, 0.0), None), ((0.0, 0.8), RIGHT), ((0.0, -0.8), LEFT)])
def test_a_body_that_topples_steps_to_where_it_falls(heading, velocity, stance):
    state = standing(heading=heading)
    assert feet(state).saving_stance(state, heading, com_of(state), turned(velocity, heading)) == stance


@pytest.mark.parametrize("beside", [-0.3, -0.05, 0.0, 0.02, 0.08, 0.3])
def test_shares_are_the_lever_s_whole_and_mirrored(beside):
    state, mirrored = standing(place=(0.0, beside, 0.0)), standing(place=(0.0, -beside, 0.0))
    left, right = feet().shares(state, com_of(state))
    assert left + right == pytest.approx(1.0) and min(left, right) >= LEAST_SHARE - 1e-12
    assert feet().shares(mirrored, com_of(mirrored)) == pytest.approx((right, left), abs=1e-9)
    assert (left > right) == (beside > 0.0) or beside == 0.0


@pytest.mark.parametrize("heading", HEADINGS)
def test_the_pelvis_keeps_its_pitch_and_yaw_and_little_of_its_roll(heading):
    ahead, left = np.array(turned((1.0, 0.0), heading)), np.array(turned((0.0, 1.0), heading))
    tracking = np.zeros((COUNT, 3))
    tracking[0] = 5.0 * ahead + 3.0 * left + (0.0, 0.0, 2.0)
    less = tracking.copy()
    release_roll(tracking, heading)
    release_roll(less, heading, kept=0.5 * STANDING_ROLL)
    assert tracking[0] @ ahead == pytest.approx(5.0 * STANDING_ROLL)
    assert less[0] @ ahead == pytest.approx(2.5 * STANDING_ROLL)
    assert tracking[0] @ left == pytest.approx(3.0) and tracking[0, 2] == 2.0


def test_the_more_a_hip_makes_up_the_less_of_its_own_tracking_stays():
    assert tracked_shares((0.0, 1.0)) == (1.0, 0.0)
    assert tracked_shares((0.1, 0.9), 1.0) == pytest.approx((0.9, 0.1))


def machine(state):
    return StandingMachine(CHARACTER, feet(state), GRAVITY)


def set_off(one, state, left=5.0, rests=False, velocity=STILL, at_once=False):
    return one.set_off(state, 0.0, com_of(state), velocity, left, RULES, rests, at_once)


def test_it_settles_then_shifts_its_weight_then_steps():
    one = machine(standing())
    assert set_off(one, standing(time=0.4)) is None and one.mode == "stand"
    assert set_off(one, standing(time=0.6)) is None and one.mode == "shift" and one.onto() == LEFT
    assert set_off(one, standing(time=0.7)) is None
    assert set_off(one, standing(place=(0.0, 0.06, 0.0), time=0.8)) == LEFT


def test_a_shift_that_takes_too_long_or_is_not_needed_ends_all_the_same():
    one = machine(standing())
    one.enter("shift", 1.0)
    assert set_off(one, standing(time=2.9)) is None
    assert set_off(one, standing(time=1.1), at_once=True) == LEFT
    assert set_off(one, standing(time=3.1)) == LEFT


def test_without_a_path_it_stays_and_at_rest_it_steps_only_to_save_itself():
    one = machine(standing())
    assert set_off(one, standing(time=9.0), left=0.1) is None and one.mode == "stand"
    assert set_off(one, standing(time=9.0), rests=True) is None and one.mode == "stand"
    assert set_off(one, standing(time=9.0), rests=True, velocity=(0.0, 0.8, 0.0)) == RIGHT


@pytest.mark.parametrize(
    ("loads", "velocity", "speed", "can"),
    [
        ((0.5, 0.5), STILL, 0.1, True),
        ((0.5, 0.5), STILL, 0.5, False),
        ((0.9, 0.1), STILL, 0.1, False),
        ((0.5, 0.5), (0.9, 0.0, 0.0), 0.1, False),
    ],
)
def test_it_can_stand_when_slow_on_both_feet_and_captured(loads, velocity, speed, can):
    state = standing(loads)
    assert machine(state).can_stand(state, 0.0, com_of(state), velocity, speed, RULES) == can


def pushes(state, breadth, lean=None):
    """Return how both hips push (2,), N m, of a body whose hips are so many times as far apart as its feet."""
    thighs, soles = [leg.thigh for leg in LEGS], [leg.foot for leg in LEGS]
    apart = abs(float(state.origins[soles[LEFT], 1] - state.origins[soles[RIGHT], 1]))
    state.origins[thighs, 1] = 0.5 * breadth * apart, -0.5 * breadth * apart
    torque = np.zeros((COUNT, 3))
    feet(state).sway(torque, state, 0.0, 20.0, (0.5, 0.5), lean)
    return torque[thighs, 0]


@pytest.mark.parametrize(("wide", "harder"), [(0.6, 1.0), (1.2, 1.0), (1.75, 1.75), (2.5, 2.5), (9.0, MOST_TRAPEZOID)])
def test_hips_that_are_wider_apart_than_the_feet_push_the_harder(wide, harder):
    state = standing()
    np.testing.assert_allclose(pushes(state, wide), harder * pushes(state, 1.0), rtol=1e-6)


@pytest.mark.parametrize("wide", [0.3, 0.6, 0.9])
def test_of_bodies_that_sway_far_hips_that_are_nearer_than_the_feet_push_the_softer(wide):
    state = standing()
    np.testing.assert_allclose(pushes(state, wide, 0.0), wide * pushes(state, 1.0, 0.0), rtol=1e-6)
    assert feet(state).trapezoid(state) == pytest.approx(1.0)


def test_hips_that_push_harder_push_off_the_foot_that_bears():
    """What pushes a body aside unloads the foot on that side first: from a light one it would slip."""
    state = standing(loads=(0.2, 0.8))
    even = pushes(state, 1.0)
    assert even[LEFT] == pytest.approx(even[RIGHT])
    left, right = pushes(state, 2.5)
    assert left == pytest.approx(0.25 * right, rel=1e-3)
    assert left + right == pytest.approx(2.5 * even.sum(), rel=1e-3)


def test_hips_hold_a_body_where_it_leans_on_top_of_what_they_push_with():
    state = standing()
    apart = abs(float(state.origins[LEGS[LEFT].foot, 1] - state.origins[LEGS[RIGHT].foot, 1]))

    def most(aside, lean):
        torque = np.zeros((COUNT, 3))
        feet(state).sway(torque, state, 0.0, aside, (0.5, 0.5), lean)
        return abs(float(torque[[leg.thigh for leg in LEGS], 0].sum()))

    upright = most(1e4, None)
    assert most(1e4, 0.0) == most(1e4, 0.02) == pytest.approx(upright)  # it leans to where it is pushed
    weight = feet(state).weight
    assert most(1e4, -0.02) == pytest.approx(upright + (1.0 - SWAY) * 0.02 * weight)
    assert most(-1e4, apart) == pytest.approx(0.5 * apart * weight)  # a foot would lift from more


@pytest.mark.parametrize("heading", [0.0, 0.7])
def test_lean_is_from_between_the_ankles(heading):
    state = standing()
    middle = 0.5 * (state.origins[LEGS[LEFT].foot] + state.origins[LEGS[RIGHT].foot])
    c, s = np.cos(heading), np.sin(heading)
    place = (middle[0] + 0.03 * c - 0.05 * s, middle[1] + 0.03 * s + 0.05 * c, 1.0)
    np.testing.assert_allclose(feet(state).lean(state, heading, place), (0.03, 0.05), atol=1e-9)


def test_the_higher_a_body_s_mass_is_the_less_is_it_pushed_aside():
    rig = standard_armature(trunk_scale=2.0)
    high = at_reference_size(build_character(rig, map_bones(rig), None))
    tall, legs, state = build_of(high).tall, legs_of(high), standing()
    assert tall > 1.1

    def most(body, own):
        torque = np.zeros((COUNT, 3))
        found = Feet(body, own, GRAVITY, ControlTime.of(STEP), 0.0)
        found.feel(state)
        found.sway(torque, state, 0.0, 1e4, (0.5, 0.5))
        return torque[[leg.thigh for leg in LEGS], 0]

    np.testing.assert_allclose(most(high, legs), most(CHARACTER, LEGS) / tall)
