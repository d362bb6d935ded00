from dataclasses import replace

import numpy as np
import pytest

from blender_biped.character.standard import standard_character
from blender_biped.control.natural.steps.planner import HALT, LEARNING, QUICK, Planner
from blender_biped.control.natural.steps.settings import read_settings
from blender_biped.control.registry import preset
from blender_biped.control.shared.legs import LEFT, legs_of
from blender_biped.control.shared.steering import Command
from blender_biped.motion.similarity import at_reference_size

CHARACTER = at_reference_size(standard_character())
SETTINGS = read_settings(preset("natural", "default").values)
TIPTOE = read_settings(preset("natural", "tiptoe").values)
STEADY = Command(1.2, 0.0, 0.0, 0.0, 5.0, 20.0)


def planner(settings=SETTINGS, character=CHARACTER):
    return Planner(character, legs_of(character), settings, 9.81)


def tilts(own, speeds, left=20.0, halts=False):
    """Return how far the heel is up in the middle of steps at speeds, the first one included, degrees."""
    last, found = own.first(replace(STEADY, speed=speeds[0]), LEFT), []
    for k, speed in enumerate(speeds):
        found.append(np.degrees(last.table.pitches[24, last.side]))
        last = own.step(replace(STEADY, speed=speed, left=left - 0.3 * k, halts=halts), 1 - last.side, last, False)
    return found


def test_a_step_is_planned_the_same_whatever_was_planned_before():
    fresh, walked = planner(), planner()
    last = walked.first(replace(STEADY, speed=1.16), LEFT)  # nearly as fast, and a hundredth of a second slower
    walked.step(replace(STEADY, speed=1.22), LEFT, last, early=False)
    one, other = (p.step(STEADY, LEFT, last, early=False) for p in (fresh, walked))
    assert abs(one.handover - other.handover) < 0.003
    assert np.allclose(one.reference.pressure, other.reference.pressure, atol=5e-4)


@pytest.mark.parametrize("speed", [0.4, 0.8, 1.2, 1.5])
def test_a_stop_takes_two_or_three_steps_that_end_where_it_is_to_stand(speed):
    walked = np.linspace(0.0, QUICK * speed, 8)  # wherever feet come to the ground before it
    for left in 3.0 - walked:
        speeds, own = [speed, speed], planner()
        last = own.first(replace(STEADY, speed=speed), LEFT)
        last.speed = speed
        while not last.stops:
            assert len(speeds) < 20
            last = own.step(replace(STEADY, speed=speed, left=left, halts=True), LEFT, last, early=False)
            left -= 0.5 * QUICK * (speeds[-1] + last.speed) + HALT.late * (speeds[-1] - last.speed)
            speeds.append(last.speed)
        assert 2 <= sum(one < 0.9 * speed for one in speeds) <= 3
        assert abs(left) < 0.1


def test_who_creeps_near_the_end_and_does_not_get_ahead_stands_where_it_is():
    own = planner()
    last = own.first(STEADY, LEFT)
    last.speed = 0.3
    for _ in range(6):  # each step leaves as much of the way as there was
        last = own.step(replace(STEADY, speed=0.26, left=0.07, halts=True), LEFT, last, early=False)
        if last.stops:
            break
    assert last.stops and last.speed == 0.0


def test_who_is_to_walk_on_does_not_slow_down():
    own = planner()
    last = own.step(STEADY, LEFT, own.first(STEADY, LEFT), early=False)
    for left in (2.0, 1.0, 0.3, 0.0):
        last = own.step(replace(STEADY, left=left), LEFT, last, early=False)
        assert last.speed == STEADY.speed and not last.stops


def test_what_pushes_a_body_on_in_each_even_step_is_learnt():
    own = planner()
    last = own.step(STEADY, LEFT, own.first(STEADY, LEFT), early=False)
    own.learn(1.0, 0j, 0.01)  # of the steps before it
    own.learn(1.58, complex(0.58 * last.speed, 0.0), 0.01)
    assert own.cop_bias(STEADY.speed) == pytest.approx(SETTINGS.learning * 0.01)
    assert own.cop_bias(0.0) == 0.0
    own.step(replace(STEADY, speed=0.7), LEFT, last, early=False)
    own.learn(2.2, complex(1.4, 0.0), 0.01)  # who slows down is ahead for another reason
    assert own.cop_bias(STEADY.speed) == pytest.approx(SETTINGS.learning * 0.01)
    for time in range(3, 60):
        own.learn(float(time), complex(0.7 * time, 0.0), 0.02)
    assert own.cop_bias(STEADY.speed) == LEARNING.cop


def test_heels_are_up_where_it_walks_on_its_toes_and_down_as_it_sets_off():
    first, second, third = tilts(planner(TIPTOE), [0.6] * 3)
    assert abs(first) < 2.0 and 15.0 < second < 20.0 and third > 30.0
    assert max(map(abs, tilts(planner(TIPTOE), [0.2] * 4))) < 5.0


def test_heels_come_down_step_by_step_before_it_stands():
    *_, before, last, end = tilts(planner(TIPTOE), [0.6] * 8, left=2.6, halts=True)
    assert before > last > end and abs(end) < 2.0
    assert before - last < 20.0 and last - end < 20.0


def test_feet_without_a_toe_joint_stay_flat():
    links = tuple(replace(link, joint="fixed") if link.role.startswith("toes") else link for link in CHARACTER.links)
    assert max(map(abs, tilts(planner(TIPTOE, replace(CHARACTER, links=links)), [0.6] * 4))) < 2.0


@pytest.mark.parametrize(("speed", "wider"), [(0.2, True), (1.3, False)])
def test_steps_whose_feet_are_beside_each_other_are_planned_clear_of_their_skin(speed, wider):
    """Long steps are not: there the foot in front is ahead of the other."""
    command, apart = replace(STEADY, speed=speed), 0.25
    broad = replace(CHARACTER, feet_apart=apart, legs_apart=apart)
    captures = []
    for own in (planner(), planner(character=broad)):
        last = own.step(command, LEFT, own.first(command, 1 - LEFT), early=False)
        captures.append(abs(complex(last.reference.capture[0]).imag))
    assert (captures[1] > captures[0] + 0.02) == wider
