"""Phases of a walk: one that nobody but this file knows takes its place among the others."""

import math
from dataclasses import replace

import numpy as np
import pytest

from blender_biped.base.spatial import pitched, yawed
from blender_biped.character.standard import standard_character
from blender_biped.control.natural.walk.phase import PHASES, registered
from blender_biped.control.natural.walk.standing import OnBothFeet
from blender_biped.control.natural.walk.step_state import Desired, LegUse
from blender_biped.control.registry import preset
from blender_biped.control.shared.limb import leg_rotations
from blender_biped.job import Job
from blender_biped.simulate import simulate
from blender_biped.world.path import Path
from tests.marks import long_but

JOB = Job(standard_character(), Path([(0.0, 0.0), (1.2, 0.0)]), preset("natural", "default"), 1.0)
LOW, DOWN = 0.12, 0.5  # m that the hips sink before a hop, and s that they take
PUSH, STRAIGHT = 6.5, 0.97  # m/s2; of the legs, that they are stretched to as the feet leave the ground
BENT = 0.1  # rad that thighs are turned ahead in flight, and knees by twice as much back
SLOWEST = -3.0  # m/s2, of a body that sinks
LEVEL, CALM = 0.86, 0.6  # m that hips come to be at after it, and s that this takes
LANDED = 0.1  # of the weight


class Hop(OnBothFeet):
    """A body that stands hops once: it sinks, pushes off, flies, and stands where it lands."""

    name, mode, after = "hop", "stand", ("standing",)

    def __init__(self, walker):
        super().__init__(walker)
        self.stage, self.since = "", 0.0

    def due(self, state, command):
        return not self.stage

    def begin(self, state, command):
        self.stage, self.since = "sinking", state.time

    def advance(self, state, command):
        w = self.walker
        high = min(float(state.origins[leg.thigh, 2] - state.origins[leg.foot, 2]) / leg.length for leg in w.legs)
        if self.stage == "sinking" and state.time - self.since > DOWN:
            self.stage = "pushing"
        elif self.stage == "pushing" and high > STRAIGHT:
            self.stage = "flying"
        elif self.stage == "flying" and state.velocities[0, 2] < 0.0 and sum(w.feet.now) > LANDED * w.feet.weight:
            self.stage, self.since = "landing", state.time
        elif self.stage == "landing" and state.time - self.since > CALM:
            self.stage = "stands"
            return "standing"
        return self.name

    def desired(self, state, command, since):
        w = self.walker
        if self.stage == "flying":
            count = len(w.character.links)
            rotations, still = np.tile(yawed(command.heading), (count, 1, 1)), np.zeros((count, 3))
            for leg in w.legs:
                rotations[leg.thigh], rotations[leg.shin] = pitched(-BENT), pitched(BENT)
            return Desired(rotations, still, still, 0.0, [], (LegUse.FREE, LegUse.FREE))
        found = super().desired(state, command, since)
        up, rises = float(state.origins[0, 2]), float(state.velocities[0, 2])
        goes = min((state.time - self.since) / DOWN, 1.0)
        height = w.character.stand_height - 0.5 * LOW * (1.0 - math.cos(math.pi * goes))
        if self.stage == "sinking":  # straight knees bend by being turned, not by what they bear
            found.lift = max(250.0 * (height - up) - 30.0 * rises, SLOWEST)
            for leg in w.legs:
                hip = state.origins[leg.thigh] + (0.0, 0.0, height - up)
                links = [leg.thigh, leg.shin]
                found.rotations[links] = leg_rotations(
                    leg, hip.tolist(), state.origins[leg.foot].tolist(), command.heading
                )
            found.legs = LegUse.FREE, LegUse.FREE
            return found
        found.legs = LegUse.BEARS, LegUse.BEARS
        found.lift = PUSH if self.stage == "pushing" else min(max(100.0 * (LEVEL - up) - 20.0 * rises, SLOWEST), PUSH)
        return found


def test_the_phases_are_those_of_a_walk():
    assert list(PHASES) == [
        "standing",
        "shifting",
        "closing",
        "running_stance",
        "ending_run",
        "flight",
        "double_support",
        "single_support",
    ]


@pytest.mark.parametrize("seed", long_but((0, 1, 2), 0))
def test_a_phase_of_ones_own_takes_off_lands_and_leaves_the_walk_to_the_others(seed):
    job = replace(JOB, seed=seed)
    with registered(Hop):
        motion = simulate(job)
    assert "hop" not in PHASES
    weight = job.character.mass * job.gravity
    loads = motion.loads.sum(axis=1)
    free = (loads < 0.01 * weight) & (motion.times > 0.0)  # before the first step of physics there are no loads
    begins, ends = np.flatnonzero(np.diff(np.concatenate(([0], free, [0]))))[[0, 1]]
    flight = motion.times[min(ends, len(free) - 1)] - motion.times[begins]
    first = motion.strikes[0][0]
    assert 0.07 < flight < 0.4 and motion.times[begins] < first
    rises = motion.root[begins:ends, 2].max() - motion.root[0, 2]
    assert rises > 0.0
    fall = np.diff(motion.com[begins + 2 : ends - 2, 2], 2) * 120.0**2
    assert np.allclose(fall, -job.gravity, atol=1.0)  # nothing but gravity
    assert loads[ends : ends + 30].max() > weight and motion.outcome == "arrived"


def test_without_it_nothing_leaves_the_ground():
    motion = simulate(replace(JOB, duration=1.0))
    before = (motion.times < motion.lifts[0][0]) & (motion.times > 0.0)
    assert motion.loads[before].sum(axis=1).min() > 0.3 * JOB.character.mass * JOB.gravity
