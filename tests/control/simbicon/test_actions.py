"""What is done once in a walk: entered from a marker on, done once, and left into the walk."""

from __future__ import annotations

import numpy as np
import pytest

from blender_biped.character.standard import standard_character
from blender_biped.control.simbicon.settings import read_gait
from blender_biped.job import Job
from blender_biped.motion.motion import Motion
from blender_biped.preset.cue import Cue
from blender_biped.preset.preset import preset
from blender_biped.simulate import simulate
from blender_biped.world.path import Path

BODY = standard_character()


def walked(name: str, speed: float) -> Motion:
    cue = Cue(3.0, preset("simbicon", name), 0, speed)
    return simulate(Job(BODY, Path([[0.0, 0.0], [6.0, 0.0]]), preset("simbicon", "walk"), 0.9, cues=(cue,)))


@pytest.mark.long
def test_a_crouch_is_gone_down_to_once_and_walked_on_from() -> None:
    motion = walked("squat", 0.01)
    assert motion.outcome == "arrived"
    low = motion.root[:, 2] < 0.87 * BODY.stand_height
    assert np.sum(np.diff(low.astype(int)) == 1) == 1
    still = motion.root[np.argmin(motion.root[:, 2]), 0]
    assert motion.root[-1, 0] > still + 1.0


@pytest.mark.long
def test_a_kick_is_a_step_of_the_walk() -> None:
    motion = walked("kick", 0.5)
    assert motion.outcome == "arrived"
    feet = [motion.origins[:, BODY.index(f"foot.{side}"), 2] for side in "LR"]
    high = [np.sum(np.diff((foot > 0.32).astype(int)) == 1) for foot in feet]
    assert sorted(high) == [0, 1]


@pytest.mark.long
def test_a_jump_leaves_the_ground_once() -> None:
    motion = walked("jump", 0.01)
    assert motion.outcome == "arrived"
    feet = np.min([motion.origins[:, BODY.index(f"foot.{side}"), 2] for side in "LR"], axis=0)
    assert feet.max() > 0.1


@pytest.mark.long
def test_a_big_step_is_longer_than_those_before_and_after() -> None:
    motion = walked("big_step", 0.9)
    assert motion.outcome == "arrived"
    feet = np.stack([motion.origins[:, BODY.index(f"foot.{side}"), 0] for side in "LR"], axis=1)
    down = [feet[np.searchsorted(motion.times, time + 0.05), int(side)] for time, side in motion.strikes[:-1]]
    steps = np.sort(np.diff(down))
    assert steps[-1] > 0.75 > 0.65 > steps[-2]


@pytest.mark.long
def test_a_stand_on_one_foot_bears_on_it_alone_for_two_seconds_and_walks_on() -> None:
    motion = walked("one_foot", 0.01)
    assert motion.outcome == "arrived"
    raised = motion.origins[:, BODY.index("foot.R"), 2] > 0.25
    begin, end = np.flatnonzero(np.diff(raised.astype(int)))
    assert 2.0 < motion.times[end] - motion.times[begin] < 3.0
    assert motion.loads[begin + 1 : end, 1].max() == 0.0
    still = motion.root[begin + 20 : end - 20, :2]
    assert np.ptp(still, axis=0).max() < 0.05
    assert motion.root[-1, 0] > still[-1, 0] + 1.0


@pytest.mark.parametrize("name", ["squat", "kick", "jump", "big_step", "one_foot"])
def test_they_are_done_once(name: str) -> None:
    assert read_gait(preset("simbicon", name).values).passes == 1
