"""What an animator reads of walks whose figures are known: in real lengths, whatever the size of the walker."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from blender_biped.base.spatial import Array
from blender_biped.character.standard import standard_character
from blender_biped.job import Job
from blender_biped.motion import gait_events
from blender_biped.motion.motion import Motion
from blender_biped.motion.summary import summarised
from blender_biped.world.path import Path
from tests.motion.synthetic import Walk, walked

STRAIGHT = Path([[0.0, 0.0], [10.0, 0.0]])
GIANT = standard_character(stature=2.4)  # legs of 1.18 m: not those that measures are scaled to
WALK = Walk(crouch=0.2)


@pytest.fixture(scope="module")
def walk() -> tuple[Motion, Job]:
    return walked(STRAIGHT, WALK, GIANT)


def moved(motion: Motion, x: Array, y: Array, z: Array) -> Motion:
    return replace(motion, root=motion.root + np.column_stack((x, y, z)))


def test_a_walk_as_it_should_be(walk: tuple[Motion, Job]) -> None:
    found = summarised(*walk)
    assert (found.outcome, found.fell_at, found.steps) == ("arrived", None, 21)
    assert found.duration == walk[0].duration and found.cpu == walk[0].cpu
    assert found.left == pytest.approx(0.0, abs=1e-6) and found.end_distance == pytest.approx(0.0, abs=1e-6)
    assert found.cadence == pytest.approx(120.0)
    assert found.slip_worst == pytest.approx(0.0, abs=1e-6)
    assert found.speed is not None and found.desired_speed == 1.0


@pytest.mark.parametrize("offset", [0.2, -0.05])
def test_lengths_are_real_for_a_body_of_any_size(offset: float) -> None:
    for body in (GIANT, standard_character()):
        found = summarised(*walked(STRAIGHT, Walk(offset=offset, crouch=0.2), body))
        assert found.deviation_mean == pytest.approx(abs(offset), abs=1e-6)
        assert found.deviation_worst == pytest.approx(abs(offset), abs=1e-6)
        assert found.end_distance == pytest.approx(abs(offset), abs=1e-6)


@pytest.mark.parametrize(("offset", "astray"), [(0.25, None), (-0.25, None), (0.5, "end"), (-0.5, "end")])
@pytest.mark.parametrize("stature", [0.3, 1.8])
def test_who_stands_farther_than_a_third_of_a_leg_from_the_end_is_said_to(
    offset: float, astray: str | None, stature: float
) -> None:
    body = standard_character(stature=stature)
    leg = body.leg_length
    path = Path([[0.0, 0.0], [10.0 * leg, 0.0]])
    own = Walk(speed=leg, offset=offset * leg, crouch=0.2 * leg, width=0.16 * leg, bob=0.0, lift=0.05 * leg)
    found = summarised(*walked(path, own, body))
    assert (found.outcome, found.astray) == ("arrived", astray)


def test_who_strays_on_the_way_and_comes_back_is_said_to_but_not_who_did_not_arrive(walk: tuple[Motion, Job]) -> None:
    motion, job = walk
    aside = 0.8 * np.exp(-(((motion.times - 6.0) / 1.5) ** 2))
    strayed = moved(motion, 0.0 * aside, aside, 0.0 * aside)
    assert summarised(strayed, job).astray == "path"
    assert summarised(moved(motion, 0.0 * aside, 0.3 * aside, 0.0 * aside), job).astray is None
    whole = replace(strayed, outcome="time")
    assert summarised(whole, replace(job, stop=False)).astray == "path"
    assert summarised(whole, job).astray is None


def test_a_foot_that_slides_7_mm_slides_0_007_m(walk: tuple[Motion, Job]) -> None:
    motion, job = walk
    slide = 0.007 * np.clip((motion.times - gait_events.strikes(motion)[9][0] - 0.15) / 0.3, 0.0, 1.0)
    found = summarised(moved(motion, 0.6 * slide, 0.8 * slide, 0.0 * slide), job)
    assert found.slip_worst == pytest.approx(0.007, abs=1e-5)
    assert found.slip_median == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize("factor", [1.0, 1.25])
def test_the_speed_stands_beside_the_desired_one(walk: tuple[Motion, Job], factor: float) -> None:
    motion, job = walk
    desired = factor * job.speed
    command = motion.command * (factor, 1.0, 1.0)
    found = summarised(replace(motion, command=command), replace(job, speed=desired))
    assert found.desired_speed == desired
    assert found.speed == pytest.approx(1.0, rel=1e-3)


def test_what_does_not_apply_is_none(walk: tuple[Motion, Job]) -> None:
    motion, job = walk
    found = summarised(motion, replace(job, speed=3.0))  # no such command: there is no steady stretch
    assert (found.speed, found.cadence) == (None, None)
    walking_on = summarised(motion, replace(job, stop=False))
    assert walking_on.end_distance is None


def test_a_fall_ends_what_counts(walk: tuple[Motion, Job]) -> None:
    motion, job = walk
    after = np.where(motion.times >= 6.0, 1.0, 0.0)
    found = summarised(moved(motion, after, 2.0 * after, -1.0 * after), job)
    assert found.outcome == "fell" and found.fell_at == pytest.approx(6.0)
    assert found.steps == sum(time < 6.0 for time, _ in gait_events.strikes(motion))
    assert found.deviation_worst is not None and found.deviation_worst < 0.05
    assert found.end_distance is None
    assert found.left == pytest.approx(10.0 - float(np.interp(6.0, motion.times, motion.command[:, 2])), abs=0.02)


def test_how_a_walk_that_does_not_stop_has_ended(walk: tuple[Motion, Job]) -> None:
    motion, job = walk
    whole, on = replace(motion, outcome="time"), replace(job, stop=False)
    half = replace(whole, command=np.minimum(motion.command, 4.0))
    assert summarised(whole, on).outcome == "passed"
    assert summarised(half, on).outcome == "unfinished" and summarised(half, on).left == pytest.approx(6.0)
    assert summarised(whole, job).outcome == "unfinished"


@pytest.mark.parametrize("samples", [1, 2, 5])
def test_hardly_any_samples_are_summarised_without_error(walk: tuple[Motion, Job], samples: int) -> None:
    motion, none = walk[0], np.empty((0, 2))
    sampled = ("times", "root", "rotations", "loads", "torques", "command")
    short = {n: getattr(motion, n)[:samples] for n in sampled}
    found = summarised(replace(motion, **short, strikes=none, lifts=none, outcome="fell"), walk[1])
    assert (found.outcome, found.steps, found.deviation_mean) == ("fell", 0, None)
