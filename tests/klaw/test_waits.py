"""Walks of KLAW with waits: legs of a walk that stand in between, joined without a jump."""

from dataclasses import replace

import numpy as np
import pytest

from blender_biped.klaw.preview import Previewer
from blender_biped.klaw.walk import walk, walked
from blender_biped.motion import gait_events
from blender_biped.preset.preset import preset
from blender_biped.world.path import Path
from blender_biped.world.path_points import PathPoint
from tests.klaw.walks import job_of, style

BENT = Path([[0.0, 0.0], [5.0, 0.0], [8.0, 3.0]])
WAITS = (PathPoint(3.0, wait=1.5), PathPoint(6.0, wait=0.3))


def jump(motion):
    """Return the most that any rotation's change differs from one sample to the next."""
    return np.abs(np.diff(motion.rotations, n=2, axis=0)).max()


@pytest.mark.parametrize("name", ["walk", "march", "sneak"])
def test_a_walk_with_waits_is_as_smooth_as_one_that_stops(name):
    motion = walk(job_of(4.0, path=BENT, preset=style(name=name), along=WAITS))
    single = walk(job_of(4.0, 3.0, style(name=name)))
    assert motion.outcome == "arrived"
    assert np.abs(np.diff(motion.root, axis=0)).max() < 0.015
    assert jump(motion) < 1.3 * jump(single)
    still = np.linalg.norm(np.diff(motion.root, axis=0), axis=1) < 1e-6
    assert still.sum() / 120.0 > 1.8
    for side in (0, 1):
        ball = gait_events.ball_track(motion, side)
        for stance in gait_events.stances(motion, side):
            inside = (motion.times > stance.start + 0.15) & (motion.times < min(stance.end, stance.start + 0.3))
            assert not inside.any() or np.ptp(ball[inside, :2], axis=0).max() < 1e-4


def test_both_feet_stand_still_while_it_waits():
    motion = walk(job_of(4.0, 6.0, along=(PathPoint(3.0, wait=2.0),)))
    waits = (motion.times > 4.6) & (motion.times < 5.6)
    feet = motion.origins[waits][:, [motion.character.index(f"foot.{side}") for side in "LR"]]
    assert np.ptp(feet, axis=0).max() < 1e-3
    assert motion.root[waits, 0].mean() == pytest.approx(3.0, abs=0.1)
    assert not ((motion.strikes[:, 0] > 4.6) & (motion.strikes[:, 0] < 5.6)).any()


def test_a_wait_at_the_start_is_stood_before_the_first_step():
    late, plain = (walk(job_of(4.0, 6.0, along=along)) for along in ((PathPoint(0.0, wait=2.0),), ()))
    assert len(late.times) - len(plain.times) == 240
    assert np.allclose(late.root[240:], plain.root, atol=1e-9) and np.ptp(late.root[:240], axis=0).max() < 1e-9


def test_a_wait_at_the_end_and_a_time_limit_change_nothing_else():
    plain = walk(job_of(4.0, 6.0))
    assert len(walk(job_of(4.0, 6.0, along=(PathPoint(6.0, wait=2.0),))).times) == len(plain.times)
    cut = walk(job_of(4.0, 6.0, along=(PathPoint(3.0, wait=5.0),), duration=6.0))
    assert cut.outcome == "time" and cut.times[-1] == pytest.approx(6.0, abs=0.01) and cut.root[-1, 0] < 3.2


def test_the_preview_waits_and_keeps_times_as_the_walk_does():
    along = (PathPoint(3.0, wait=2.0), PathPoint(6.0, time=11.0))
    job = job_of(4.0, 8.0, along=along)
    shown, motion = Previewer().preview(job, preset("klaw", "walk")), walk(job)
    assert shown.duration == pytest.approx(motion.times[-1], abs=0.3)
    other = replace(job, preset=preset("generalized", "default"))
    assert Previewer().preview(other, preset("klaw", "walk")).duration == pytest.approx(motion.times[-1], abs=0.5)


def test_a_speed_faster_than_the_preview_walks_is_shown_at_its_fastest():
    own = job_of(4.0, 8.0, preset("generalized", "default"), along=(PathPoint(3.0, speed=9.0),))
    assert Previewer().preview(own, preset("klaw", "walk")).duration > 3.0


def test_few_new_steps_are_solved_while_times_are_kept():
    """Speeds that follow a time go in grains: a walk of many steps has few that are unlike others."""
    made = walked(job_of(4.0, 20.0, along=(PathPoint(18.0, time=19.0),)), 30.0)
    assert len({(p.goal.length, p.goal.time) for p in made.placed}) < 0.7 * len(made.placed)
