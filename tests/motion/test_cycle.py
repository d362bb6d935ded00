"""The stride that repeats: ends the same, speed even, cut where it should be, and honest about its blend."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from blender_biped.base.errors import DataError
from blender_biped.base.spatial import Array, axis_angle_quaternion, quaternion_product, yaw
from blender_biped.job import Job
from blender_biped.motion import gait_events
from blender_biped.motion.cycle import Cycle, one_stride
from blender_biped.motion.motion import Motion
from blender_biped.motion.travel import moved
from blender_biped.world.path import Path
from tests.motion.synthetic import Walk, walked

STRAIGHT = Path([[0.0, 0.0], [8.0, 0.0]])


def slides(cycle: Cycle, side: int) -> Array:
    """Return the velocity of the ball of a foot while it stands alone, m/s."""
    m = cycle.motion
    alone = m.loads[:, side] > 0.99 * m.loads.sum(axis=1)
    inside = alone & np.roll(alone, 1) & np.roll(alone, -1)
    return np.gradient(gait_events.ball_track(m, side), m.times, axis=0)[inside]


def uneven(walk: tuple[Motion, Job], far: float = 0.03) -> tuple[Motion, Job]:
    """Return the walk with hips that wander and a chest that leans, out of step with the strides."""
    motion, job = walk
    t = motion.times
    wander = far * np.stack((np.sin(1.3 * t), np.cos(0.9 * t), 0.3 * np.sin(1.1 * t)), axis=1)
    lean = axis_angle_quaternion([0.0, 1.0, 0.0], 5.0 * far * np.sin(0.8 * t))
    rotations = motion.rotations.copy()
    chest = motion.character.index("chest")
    rotations[:, chest] = quaternion_product(rotations[:, chest], lean)
    return replace(motion, root=motion.root + wander, rotations=rotations), job


# --- an even walk, whose stride is known ------------------------------------------------------------------------------


@pytest.mark.parametrize("rate", [24.0, 25.0, 30.0 / 1.001, 60.0])
def test_an_even_walk_gives_its_stride(rate: float) -> None:
    cycle = one_stride(*walked(STRAIGHT, Walk(speed=1.0, step_time=0.5)), rate)
    assert cycle.frames == round(rate)
    assert cycle.travel == pytest.approx(1.0, abs=1e-6)
    assert cycle.duration == pytest.approx(cycle.frames / rate)
    assert cycle.stretch == pytest.approx(cycle.duration / 1.0)
    assert cycle.speed == pytest.approx(1.0 / cycle.duration, abs=1e-6)
    assert max(abs(cycle.turn), cycle.gap, cycle.gap_turn, cycle.blend, cycle.blend_turn) < 1e-6
    assert cycle.motion.strikes == pytest.approx(np.array([(0.0, 0.0), (0.5 * cycle.duration, 1.0)]), abs=1e-6)
    assert cycle.motion.lifts == pytest.approx(np.array([(0.12, 1.0), (0.62, 0.0)]) * (cycle.duration, 1.0), abs=1e-6)


def test_every_frame_has_a_sample() -> None:
    cycle = one_stride(*walked(STRAIGHT, Walk(step_time=0.53)), 25.0)
    assert cycle.frames == 26  # of 26.5
    frames = np.arange(cycle.frames + 1) / 25.0
    assert np.abs(cycle.motion.times - frames[:, None]).min(axis=1) == pytest.approx(0.0, abs=1e-12)
    assert cycle.stretch == pytest.approx(1.04 / 1.06)


@pytest.mark.parametrize("heading", [0.0, 0.7, 3.0])
def test_it_stays_at_the_origin_and_faces_x(heading: float) -> None:
    motion, job = walked(STRAIGHT, Walk(bob=0.04))
    cycle = one_stride(moved(motion, (20.0, -9.0), heading), job, 24.0)
    assert cycle.motion.root[:-1, :2].mean(axis=0) == pytest.approx(0.0, abs=1e-9)
    assert np.abs(cycle.motion.root[:, :2]).max() < 0.06
    assert yaw(cycle.motion.rotations[:, 0]) == pytest.approx(0.0, abs=1e-6)
    assert np.ptp(cycle.motion.root[:, 2]) == pytest.approx(0.04, rel=0.02)
    assert cycle.motion.character is motion.character


@pytest.mark.parametrize("side", [0, 1])
def test_a_foot_that_stands_slides_back_at_the_cycles_speed(side: int) -> None:
    cycle = one_stride(*walked(STRAIGHT, Walk(step_time=0.53)), 24.0)
    found = slides(cycle, side)
    assert len(found) > 20
    assert found == pytest.approx(np.tile((-cycle.speed, 0.0, 0.0), (len(found), 1)), abs=1e-3)


# --- an uneven one ---------------------------------------------------------------------------------------------------


def test_the_ends_of_an_uneven_walk_are_the_same() -> None:
    cycle = one_stride(*uneven(walked(STRAIGHT)), 24.0)
    m = cycle.motion
    assert cycle.gap > 0.005  # there was something to match
    assert np.array_equal(m.root[0], m.root[-1]) and np.array_equal(m.rotations[0], m.rotations[-1])
    # Played twice, the seam is no place where anything jumps: neither in speed nor, much, in acceleration.
    twice = np.concatenate((m.origins[:-1], m.origins))
    change = np.linalg.norm(np.diff(twice, 2, axis=0), axis=-1).max(axis=1)
    seam = len(m.times) - 2
    assert change[seam - 1 : seam + 2].max() <= 1.05 * change.max() and change[seam] < 2.0 * np.median(change)


def test_the_blend_is_told_and_no_larger_than_need_be() -> None:
    motion, job = uneven(walked(STRAIGHT))
    cycle = one_stride(motion, job, 24.0)
    assert cycle.gap <= cycle.blend < 4.0 * cycle.gap
    assert cycle.gap_turn <= cycle.blend_turn < 4.0 * cycle.gap_turn
    less = one_stride(*uneven(walked(STRAIGHT), 0.01), 24.0)
    assert less.blend < 0.5 * cycle.blend


def test_an_uneven_walks_feet_slide_almost_evenly() -> None:
    motion, job = uneven(walked(STRAIGHT), 0.01)
    cycle = one_stride(motion, job, 24.0)
    wander = 1.3 * 0.01  # m/s; the feet go with the hips
    for side in (0, 1):
        assert np.abs(slides(cycle, side) - np.array([-cycle.speed, 0.0, 0.0])).max() < 2.0 * wander + 0.01


def test_the_straightest_stretch_is_taken() -> None:
    bend = np.linspace(0.0, np.pi / 2.0, 40)
    corner = np.column_stack((3.0 * np.sin(bend), 3.0 - 3.0 * np.cos(bend)))
    path = Path(np.concatenate((corner, [[3.0, 12.0]])))
    motion, job = walked(path, Walk(speed=0.8))
    assert abs(np.degrees(one_stride(motion, job, 24.0).turn)) < 1.0


def test_the_stride_most_like_its_neighbour_is_taken() -> None:
    motion, job = walked(Path([[0.0, 0.0], [12.0, 0.0]]))
    early = (motion.times < 7.0)[:, None] * (0.0, 0.05, 0.0)
    shaken = replace(motion, root=motion.root + early * np.sin(2.0 * motion.times)[:, None])
    assert one_stride(shaken, job, 24.0).blend < 1e-3


# --- what cannot be cut ----------------------------------------------------------------------------------------------


def test_a_short_walk_is_refused() -> None:
    with pytest.raises(DataError, match=r"no two steady strides .* walk further"):
        one_stride(*walked(Path([[0.0, 0.0], [2.0, 0.0]])), 24.0)


@pytest.mark.parametrize("length", [2.0, 3.0, 4.0])
def test_a_path_that_is_longer_by_what_is_said_is_long_enough(length: float) -> None:
    with pytest.raises(DataError, match="walk further") as refused:
        one_stride(*walked(Path([[0.0, 0.0], [length, 0.0]])), 24.0)
    more = float(str(refused.value).split("longer by ")[1].split(" m")[0])
    assert one_stride(*walked(Path([[0.0, 0.0], [length + more + 0.1, 0.0]])), 24.0).travel > 0.0


def test_a_walk_without_steps_is_refused() -> None:
    motion, job = walked(STRAIGHT)
    nothing = np.zeros((0, 2))
    with pytest.raises(DataError, match="no two steady strides"):
        one_stride(replace(motion, strikes=nothing, lifts=nothing), job, 24.0)


def test_a_walk_that_turns_all_the_way_is_refused() -> None:
    round_about = np.linspace(0.0, 2.0 * np.pi, 100)
    circle = Path(2.0 * np.column_stack((np.cos(round_about), np.sin(round_about))))
    with pytest.raises(DataError, match=r"turns by \d\d degrees or more in each stride: .* straight stretch"):
        one_stride(*walked(circle, Walk(speed=0.8)), 24.0)


def test_too_low_a_frame_rate_is_refused() -> None:
    with pytest.raises(DataError, match="too few frames: choose a higher frame rate"):
        one_stride(*walked(STRAIGHT), 2.0)
