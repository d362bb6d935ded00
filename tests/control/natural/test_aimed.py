"""Steps that set a foot down where it is desired: which step takes what, and the reference that ends there."""

import math
from dataclasses import replace

import numpy as np
import pytest

from blender_biped.character.reference import GRAVITY
from blender_biped.character.standard import standard_character
from blender_biped.control.natural.steps.aimed import AIM, ANYWHERE, DesiredFootholds, FootAim, led_to, next_foothold
from blender_biped.control.natural.steps.planner import Plan, Planner
from blender_biped.control.natural.steps.settings import read_settings
from blender_biped.control.registry import presets
from blender_biped.control.shared.legs import legs_of
from blender_biped.control.shared.steering import Command
from blender_biped.job import Job
from blender_biped.motion.footholds import footholds_met
from blender_biped.motion.gait_events import footprints
from blender_biped.motion.similarity import at_reference_size
from blender_biped.simulate import simulate
from blender_biped.world.footholds import DesiredFoothold
from blender_biped.world.path import Path

BODY = at_reference_size(standard_character())
PLANNER = Planner(BODY, legs_of(BODY), read_settings(presets("natural")[0].values), GRAVITY)
WALK = Command(speed=1.1, drift=0.0, heading=0.0, turn=0.0, left=9.0, arc=1.0)
WIDE = complex(-1.0, -1.0), complex(1.0, 1.0)
BALLS = 0.13 + 0.01j, 0.13 - 0.01j


def step() -> Plan:
    first = PLANNER.first(WALK, 0)
    return PLANNER.step(WALK, 1, first, early=False)


@pytest.mark.parametrize("off", [0.1 + 0j, -0.1 + 0j, 0.12j, 0.05 - 0.05j])
@pytest.mark.parametrize("phase", [0.0, 0.35])
def test_a_reference_ends_as_much_farther_as_it_is_led(off, phase):
    plan = step()
    before = next_foothold(plan)
    plan.reference = led_to(PLANNER.pendulum, plan, off, phase, WIDE)
    assert next_foothold(plan) - before == pytest.approx(off, abs=1e-6)


def test_a_foot_is_pressed_the_other_way_and_the_past_stays():
    plan = step()
    led = led_to(PLANNER.pendulum, plan, 0.1 + 0j, 0.35, WIDE)
    moved = led.pressure - plan.reference.pressure
    late = np.arange(len(moved)) > 0.7 * len(moved)
    assert (moved[late].real < -0.01).all() and np.abs(moved.imag).max() < 1e-9
    early = np.arange(len(moved)) < 0.3 * len(moved)
    assert np.abs(moved[early]).max() == 0.0 and np.abs((led.place - plan.reference.place)[early]).max() < 1e-9


def test_a_foot_is_pressed_no_farther_than_it_reaches():
    plan = step()
    room = complex(-0.05, -0.03), complex(0.12, 0.03)
    led = led_to(PLANNER.pendulum, plan, 0.3j, 0.0, room)  # farther than such a sole brings a body
    assert np.abs(led.pressure.imag).max() <= max(0.03, float(np.abs(plan.reference.pressure.imag).max())) + 1e-9
    before = next_foothold(plan)
    plan.reference = led
    assert 0.01 < (next_foothold(plan) - before).imag < 0.29


def test_the_step_that_comes_nearest_takes_a_foothold_once():
    near, far, other = (DesiredFoothold(0, (x, 0.1), x) for x in (1.0, 1.25, 1.1))
    left = DesiredFootholds([far, near, replace(other, side=1)], BALLS)
    ankle = 1.02 + 0.1j - BALLS[0]
    assert left.of(0, ankle, 0.0, 0.5) == near
    left.take(near)
    assert left.of(0, ankle, 0.0, 0.5) == far
    assert left.of(0, ankle + 5.0, 0.0, 5.0) is None
    assert left.of(0, ankle, 0.0, 30.0) is None, "of another pass of a path that crosses itself"
    assert not DesiredFootholds((), BALLS).any


def test_a_foot_goes_where_it_is_desired_unless_the_body_has_to_be_caught():
    aim = FootAim(1.0 + 0.1j, BALLS[0])
    yaw = 0.2
    there = aim.under(yaw)
    assert there + BALLS[0] * complex(math.cos(yaw), math.sin(yaw)) == pytest.approx(1.0 + 0.1j)
    assert aim.ankle(there + 0.1, yaw, 0.0) == pytest.approx(there)
    assert aim.ankle(there + 0.1, yaw, 1.0) == pytest.approx(there + 0.1)
    assert aim.ankle(there + AIM.holds + 0.1, yaw, 0.0) == pytest.approx(there + 0.1)
    assert ANYWHERE.ankle(0.3j, yaw, 0.0) == 0.3j


@pytest.mark.long
def test_edited_prints_are_held_and_the_walk_arrives():
    held = walks = 0
    for seed, off in ((1, (0.1, 0.0)), (2, (-0.1, 0.05)), (3, (0.0, 0.12)), (4, (0.05, -0.1))):
        job = Job(standard_character(), Path([(0.0, 0.0), (6.0, 0.0)]), presets("natural")[0], speed=1.1, seed=seed)
        marks = footprints(simulate(job))[4:7:2]
        moved = tuple(
            DesiredFoothold(m.side, (float(m.place[0]) + off[0], float(m.place[1]) + off[1]), float(m.place[0]))
            for m in marks
        )
        motion = simulate(replace(job, footholds=moved))
        walks += motion.outcome == "arrived"
        held += sum(met.held for met in footholds_met(motion, moved))
    assert walks == 4 and held >= 6  # of 8
