"""Pose graphs: states, how they end, and how they are mixed."""

import numpy as np
import pytest

from blender_biped.base.errors import DataError
from blender_biped.base.fields import Fields
from blender_biped.character.standard import standard_character
from blender_biped.control.shared.legs import LEFT, RIGHT
from blender_biped.control.shared.pose_graph import Machine, PoseState, mixed, pose_table, read_state, state_json

CHARACTER = standard_character()
STEP = 0.01


def state(until="time", dwell=0.3, angles=None, feedback=None, support="stance"):
    data = {"until": until, "dwell": dwell, "support": support, "angles": angles or {}, "feedback": feedback or {}}
    return read_state(Fields(data, "state"))


WALK = (state(), state("contact", 0.1))


def seconds_until(machine, condition, contact=lambda machine: False):
    """Return how long a machine runs until a condition of it holds, at most 2 s."""
    for count in range(200):
        if condition(machine):
            return count * STEP
        machine.advance(STEP, contact(machine))
    raise AssertionError("it never came")


def test_a_timed_state_lasts_its_dwell():
    assert seconds_until(Machine(WALK), lambda m: m.index == 1) == pytest.approx(0.3, abs=STEP)


def test_a_state_that_waits_for_a_contact_lasts_until_it():
    machine = Machine(WALK)
    landed = seconds_until(machine, lambda m: m.stance == RIGHT, lambda m: m.step_time > 0.455)
    assert landed == pytest.approx(0.46, abs=1.5 * STEP)
    assert machine.index == 0


def test_a_contact_that_is_there_already_takes_no_time():
    """Section 3.1: it simply spends no time in that state."""
    assert seconds_until(Machine(WALK), lambda m: m.stance == RIGHT, lambda m: True) == pytest.approx(0.3, abs=STEP)


def test_states_without_dwell_take_no_time():
    """Runs have them so that their graphs have as many states as the walks' (section 4)."""
    machine = Machine((state(dwell=0.2), state(dwell=0.0)))
    assert seconds_until(machine, lambda m: m.stance == RIGHT) == pytest.approx(0.2, abs=STEP)


def test_a_graph_of_no_time_at_all_does_not_hang():
    machine = Machine((state(dwell=0.0),))
    assert machine.advance(STEP, False)


def test_legs_take_turns():
    machine, seen = Machine(WALK), []
    for _ in range(400):
        if machine.advance(STEP, machine.time > 0.05):
            seen.append(machine.stance)
    assert seen[:4] == [RIGHT, LEFT, RIGHT, LEFT]


def test_what_is_written_is_read_back():
    one = state("contact", 0.5, {"swing_thigh_pitch": [[0.0, 1.0], [1.0, -20.0]], "pelvis_pitch": 3.0},
                {"swing_thigh_pitch": [0.5, 0.2], "swing_thigh_roll": [[0.0, 0.1, 0.2], [1.0, 0.3, 0.4]]})  # fmt: skip
    assert read_state(Fields(state_json(one), "state")) == one


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"until": "later"}, "until"),
        ({"dwell": -1.0}, "dwell"),
        ({"dwell": float("nan")}, "dwell"),
        ({"angles": {"swing_thigh_pitch": "much"}}, "swing_thigh_pitch"),
        ({"angles": {"swing_thigh_pitch": [[0.5, 1.0], [0.1, 2.0]]}}, "rising"),
        ({"feedback": {"swing_thigh_pitch": [1.0]}}, "swing_thigh_pitch"),
        ({"feedback": {"swing_thigh_pitch": [[0.5, 1.0, 0.0], [0.1, 2.0, 0.0]]}}, "rising"),
    ],
)
def test_wrong_states_are_named(wrong, named):
    data = {"until": "time", "dwell": 0.3, "angles": {}, "feedback": {}} | wrong
    with pytest.raises(DataError, match=named):
        read_state(Fields(data, "state"))


def test_an_unknown_angle_is_named():
    with pytest.raises(DataError, match="swing_tail_pitch"):
        pose_table(CHARACTER, state(angles={"swing_tail_pitch": 1.0}), LEFT)


def test_roll_and_yaw_are_mirrored_for_the_other_leg():
    angles = {"swing_thigh_roll": 10.0, "swing_thigh_pitch": -20.0}
    left, right = (CHARACTER.index(f"thigh.{side}") for side in "LR")
    roll, pitch, _ = pose_table(CHARACTER, state(angles=angles), LEFT, [right]).angle(0.0, right)
    mirrored, same, _ = pose_table(CHARACTER, state(angles=angles), RIGHT, [left]).angle(0.0, left)
    assert (roll, pitch) == pytest.approx((np.radians(10.0), np.radians(-20.0)))
    assert (mirrored, same) == pytest.approx((-roll, pitch))


def test_trajectories_follow_the_dwell_and_give_rates():
    table = pose_table(CHARACTER, state(angles={"swing_shin_pitch": [[0.0, 0.0], [1.0, 60.0]]}), LEFT)
    shin = CHARACTER.index("shin.R")
    turned = table.at(0.5)[shin]
    assert np.arctan2(-turned[2, 0], turned[0, 0]) == pytest.approx(np.radians(30.0), abs=1e-6)
    assert turned[1, 3] == pytest.approx(np.radians(60.0), rel=1e-3)


def test_halfway_between_two_gaits():
    one = (state(dwell=0.2, angles={"pelvis_pitch": 0.0}, feedback={"swing_thigh_pitch": [0.4, 0.2]}),)
    other = (state(dwell=0.4, angles={"swing_shin_pitch": [[0.0, 0.0], [1.0, 40.0]]}),)
    (half,) = mixed(one, other, 0.25)
    assert half.dwell == pytest.approx(0.25)
    assert dict(half.angles)["swing_shin_pitch"][-1][1] == pytest.approx(10.0)
    assert half.feedback["swing_thigh_pitch"][0][0][1] == pytest.approx(0.3)
    assert mixed(one, other, 0.0) == one and mixed(one, other, 1.0) == other


def test_gaits_that_end_otherwise_do_not_mix():
    with pytest.raises(DataError, match="end in the same way"):
        mixed(WALK, (state(), state()), 0.5)


def test_states_compare_by_what_they_say():
    assert isinstance(WALK[0], PoseState) and state() == state()
