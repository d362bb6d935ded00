"""The leg that swings, or trails: what is written for its links."""

import numpy as np
import pytest

from blender_biped.base.spatial import axis_angle_quaternion, quaternion_matrix
from blender_biped.character.reference import GRAVITY
from blender_biped.control.generalized.motion_generator import MotionGenerator
from blender_biped.control.generalized.settings import read_settings
from blender_biped.control.generalized.step_clock import StepClock
from blender_biped.control.generalized.swing_leg import TURN_LEAD, SwingLeg, foot_yaw, sole_drop
from blender_biped.control.shared.instant import Instant
from blender_biped.control.shared.legs import LEFT, RIGHT
from blender_biped.preset.preset import preset
from blender_biped.world.floor import Floor
from tests.control.bodies import CHARACTER, COUNT, LEGS, com_of, command, standing

SETTINGS = read_settings(preset("generalized", "default").values)
GENERATOR = MotionGenerator(CHARACTER, SETTINGS.style, LEGS, SETTINGS.style_speed)
TIME = 0.5
SWING = LEGS[RIGHT]


def leg():
    return SwingLeg(SETTINGS, LEGS, CHARACTER.leg_length, GRAVITY, 1.0 / 360.0, Floor())


def swinging(now=None, given=None):
    """Return a right leg that has just left the ground in state ``now``, and the clock of its step."""
    one, clock, now, given = leg(), StepClock(TIME), now or standing(), given or command()
    clock.begin(TIME)
    clock.phase = 0.2
    one.lift(now, given, LEFT, clock.phase, GENERATOR.table(LEFT), 1.0)
    one.plan(Instant(now, given, com_of(now), (0.8, 0.0, 0.0)), LEFT, clock, given.speed)
    return one, clock


def refer(one, clock, now=None):
    reference = np.zeros((COUNT, 3, 4))
    one.refer(reference, now or standing(), command(), LEFT, 0.0, clock, GENERATOR.table(LEFT))
    return reference


def test_it_swings_from_lift_to_landing():
    one, _ = swinging()
    assert one.swings
    one.land()
    assert not one.swings


def test_a_leg_that_trails_is_left_to_the_style_and_a_swing_writes_its_own_links_alone():
    assert not refer(leg(), StepClock(TIME)).any()
    written = refer(*swinging()).any(axis=(1, 2))
    assert {i for i in range(COUNT) if written[i]} <= {SWING.thigh, SWING.shin, SWING.foot}
    assert written[SWING.thigh] and written[SWING.shin]


@pytest.mark.parametrize("patient", [False, True])
def test_a_patient_leg_waits_for_a_body_that_hardly_sways_off_its_foot(patient):
    one = SwingLeg(SETTINGS, LEGS, CHARACTER.leg_length, GRAVITY, 1.0 / 360.0, Floor(), patient=patient)
    now, clock = standing(), StepClock(TIME)
    clock.phase = 0.2
    one.lift(now, command(), LEFT, clock.phase, GENERATOR.table(LEFT), 1.0)
    x, y, z = com_of(now)
    ankle = float(now.origins[LEGS[LEFT].foot, 1])
    one.plan(Instant(now, command(), (x, ankle - 0.012, z), (0.8, 0.0, 0.0)), LEFT, clock, 0.8)
    assert (clock.haste < 1.0) == patient
    one.plan(Instant(now, command(), (x, y, z), (0.8, 0.0, 0.0)), LEFT, clock, 0.8)
    assert clock.haste >= 1.0


def test_its_links_are_rotations():
    reference = refer(*swinging())
    for link in (SWING.thigh, SWING.shin):
        assert np.allclose(reference[link, :, :3] @ reference[link, :, :3].T, np.eye(3))


def test_a_leg_that_has_landed_reaches_on_with_its_last_thigh():
    one, clock = swinging()
    last = refer(one, clock)[SWING.thigh, :, :3]
    one.land()
    reference = np.zeros((COUNT, 3, 4))
    one.refer(reference, standing(), command(turn=0.3), RIGHT, 0.0, clock, GENERATOR.table(RIGHT))
    assert np.array_equal(reference[SWING.thigh, :, :3], last)  # it is the stance leg now
    assert reference[SWING.thigh, :, 3].tolist() == [0.0, 0.0, 0.3]


def test_a_foot_on_the_ground_keeps_its_direction_and_lands_turned_ahead():
    now, given = standing(), command(heading=0.3, turn=0.8)
    one, clock = leg(), StepClock(TIME)
    assert one.heading(now, given, LEFT, clock) == pytest.approx(foot_yaw(now, SWING, 0.0))
    one, clock = swinging(now, given)
    clock.phase = 1.0
    assert one.heading(now, given, LEFT, clock) == pytest.approx(0.3 + TURN_LEAD * 0.8 * TIME)


@pytest.mark.parametrize("heading", [0.0, 1.0, -3.0])
def test_a_foot_s_direction_is_counted_from_the_heading(heading):
    assert foot_yaw(standing(heading=heading), SWING, heading) == pytest.approx(foot_yaw(standing(), SWING, 0.0))


def test_a_sole_is_lowest_at_its_heel_or_its_tip():
    flat = sole_drop(standing(), SWING)
    assert flat == pytest.approx(SWING.ankle_height)
    for pitch, reach in ((0.4, max(SWING.ball, SWING.ball + SWING.toe_length)), (-0.4, -SWING.heel)):
        now = standing()
        turn = quaternion_matrix(axis_angle_quaternion([0.0, 1.0, 0.0], pitch))
        now.matrices[[SWING.foot, SWING.toes]] = turn
        expected = SWING.ankle_height * np.cos(pitch) + reach * abs(np.sin(pitch))
        assert sole_drop(now, SWING) == pytest.approx(expected)
