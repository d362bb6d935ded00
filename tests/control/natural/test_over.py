"""Natural walking over obstacles: steps that are fitted before them, and walks that get over them."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest

from blender_biped.character.standard import standard_character
from blender_biped.control.natural.footholds import footholds_of
from blender_biped.control.natural.ground.treads import BEHIND_IT, PAST, SHORT_OF, Stairs
from blender_biped.control.shared.ducking import headroom
from blender_biped.control.shared.legs import legs_of
from blender_biped.motion import measures
from blender_biped.motion.similarity import at_reference_size, similarity
from blender_biped.simulate import simulate
from blender_biped.world.obstacles import Crossed, obstacles_across
from blender_biped.world.path import Path
from blender_biped.world.treads import Tread, Treads
from blender_biped.world.world import World
from tools.trials.obstacles import BODIES
from tools.trials.stepping import job_of

LEGS = legs_of(at_reference_size(standard_character()))
HURDLES = tuple(Crossed(f"bar {x}", x, x + 0.1, 0.0, 0.3, x, 0.0, 0.0) for x in (2.0, 3.4))
LEVEL = Treads((Tread(-math.inf, math.inf, 0.0),))
STEP = 0.31
SHORT, BEHIND = (room.from_obstacle(HURDLES[0].top) for room in (SHORT_OF, PAST))


def steps(start):
    """Return the steps of a walk over both obstacles, the feet one behind the other."""
    stairs = Stairs(LEVEL, Path([(0.0, 0.0), (6.0, 0.0)]), LEGS, HURDLES)
    arc, begin, found = start, start - STEP, []
    while begin < HURDLES[-1].far + 1.0:
        given = stairs.constrained_step(arc, 0.0, STEP, 0.0, begin)
        found.append(given)
        arc, begin = given.foothold.arc, arc
    return found


@pytest.mark.parametrize("start", np.arange(0.5, 0.85, 0.07))
def test_no_foot_stands_on_an_obstacle_and_two_steps_go_over_each(start):
    heel, tip = LEGS[0].heel, LEGS[0].ball + LEGS[0].toe_length
    found = steps(float(start))
    for given, hurdle in itertools.product(found, HURDLES):
        at = given.foothold.arc
        assert at + tip < hurdle.near - SHORT + 1e-9 or at + heel > hurdle.far + BEHIND - 1e-9
    for hurdle in HURDLES:
        over = [given for given in found if given.over is not None and given.over.name == hurdle.name]
        assert [given.leads for given in over] == [True, False]
        assert over[0].foothold.arc - over[0].arc == pytest.approx(0.1 + SHORT + BEHIND + tip - heel)
        assert over[1].foothold.arc > over[0].foothold.arc


def test_steps_over_what_is_higher_take_longer_and_those_behind_it_are_not_yet_even():
    low, high = (Crossed("bar", 2.0, 2.1, 0.0, top, 2.0, 0.0, 0.0) for top in (0.1, 0.45))
    times = []
    for hurdle in (low, high):
        stairs = Stairs(LEVEL, Path([(0.0, 0.0), (6.0, 0.0)]), LEGS, (hurdle,))
        times.append(stairs.constrained_step(1.6, 0.0, STEP, 0.0, 1.3).time)
        assert not stairs.constrained_step(2.5, 0.0, STEP, 0.0, 2.2).flat
        assert stairs.constrained_step(2.1 + BEHIND_IT + 0.4, 0.0, STEP, 0.0, 2.1 + BEHIND_IT + 0.1).flat
        assert stairs.crossed(2.2) and not stairs.crossed(1.9) and not stairs.crossed(2.2 + BEHIND_IT)
    assert times[0] < times[1]


@pytest.mark.long
@pytest.mark.parametrize("name", BODIES)
def test_half_of_a_leg_is_stepped_over(name):
    job = job_of("over 0.45 m", BODIES[name](), seed=5)
    motion = simulate(job)
    assert motion.outcome == "arrived" and measures.fell_at(motion, job) is None
    (bar,) = job.world.things
    hips = job.character.leg_length
    beside = np.abs(motion.root[:, 0] - bar.place[0]) < bar.solid.half[0]
    assert beside.any() and motion.root[beside, 2].min() > 0.8 * hips  # it goes over it on its legs
    assert abs(motion.root[-1, 0] - job.path.length) < 0.3


def test_footholds_over_an_obstacle_are_planned_foot_by_foot():
    own = job_of("over 0.45 m", standard_character())
    job = similarity(own).job(own)
    (bar,) = obstacles_across(job.world.things, job.path, 0.0, job.floor, 1.0, headroom(job.character)).hurdles
    holds = footholds_of(job)
    assert [hold.side for hold in holds] == [(holds[0].side + k) % 2 for k in range(len(holds))]
    heel, tip = LEGS[0].heel, LEGS[0].ball + LEGS[0].toe_length
    before = [hold for hold in holds if hold.arc + tip < bar.near]
    behind = [hold for hold in holds if hold.arc + heel > bar.far]
    assert len(before) >= 2 and len(behind) >= 2 and len(before) + len(behind) == len(holds)
    assert footholds_of(replace(job, world=World())) == ()
