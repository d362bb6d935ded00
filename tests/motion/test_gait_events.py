"""Steps, strides and footprints of walks whose steps are known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from blender_biped.motion import gait_events
from blender_biped.motion.motion import Motion
from blender_biped.world.path import Path
from tests.motion.synthetic import Walk, walked

STRAIGHT = Path([[0.0, 0.0], [10.0, 0.0]])
WALK = Walk()


@pytest.fixture(scope="module")
def walk() -> Motion:
    return walked(STRAIGHT, WALK)[0]


def test_strikes_alternate_at_the_step_time(walk: Motion) -> None:
    times, feet = zip(*gait_events.strikes(walk), strict=True)
    assert times == pytest.approx(WALK.pause + WALK.step_time * np.arange(1, 22))
    assert set(feet[::2]) == {1} and set(feet[1::2]) == {0}


def test_stances_show_where_the_motion_cuts_them(walk: Motion) -> None:
    left = gait_events.stances(walk, 0)
    assert (left[0].opened, left[0].closed, left[0].start) == (False, True, 0.0)
    assert all(s.opened and s.closed for s in left[1:-1])
    assert (left[-1].opened, left[-1].closed, left[-1].end) == (True, False, walk.duration)


def test_a_foot_that_never_lifts_has_one_stance_and_one_in_the_air_none(walk: Motion) -> None:
    none = np.empty((0, 2))
    standing = replace(walk, strikes=none, lifts=none, loads=np.tile([300.0, 0.0], (len(walk.times), 1)))
    assert gait_events.stances(standing, 0) == [gait_events.Stance(0, 0.0, walk.duration, False, False)]
    assert gait_events.stances(standing, 1) == []


@pytest.mark.parametrize(("gap", "steps"), [(0.03, 0), (0.10, 1)])
def test_a_short_gap_is_a_bounce_and_a_long_one_a_step(walk: Motion, gap: float, steps: int) -> None:
    strike = walk.strikes[4, 0]
    bounced = replace(
        walk,
        lifts=np.array(sorted([*walk.lifts.tolist(), [strike + 0.1, walk.strikes[4, 1]]])),
        strikes=np.array(sorted([*walk.strikes.tolist(), [strike + 0.1 + gap, walk.strikes[4, 1]]])),
    )
    assert len(gait_events.strikes(bounced)) == len(gait_events.strikes(walk)) + steps


@pytest.mark.parametrize(("length", "steps"), [(0.03, 0), (0.10, 1)])
def test_a_short_touch_in_the_air_is_no_step(walk: Motion, length: float, steps: int) -> None:
    touch = walk.strikes[4, 0] - 0.2
    foot = walk.strikes[4, 1]
    touched = replace(
        walk,
        strikes=np.array(sorted([*walk.strikes.tolist(), [touch, foot]])),
        lifts=np.array(sorted([*walk.lifts.tolist(), [touch + length, foot]])),
    )
    assert len(gait_events.strikes(touched)) == len(gait_events.strikes(walk)) + steps


def test_strides_last_two_steps_and_hold_their_toe_off(walk: Motion) -> None:
    strides = gait_events.strides(walk, 1)
    assert len(strides) == 10
    for stride in strides:
        assert stride.end - stride.start == pytest.approx(2.0 * WALK.step_time)
        assert stride.toe_off - stride.start == pytest.approx(WALK.step_time + WALK.double_support)


def test_footprints_are_where_the_feet_were_put(walk: Motion) -> None:
    prints = gait_events.footprints(walk)
    ball = walk.character.links[walk.character.index("toes.L")].offset[0]
    inner = prints[2:-2]
    assert [p.side for p in inner[:4]] == [1, 0, 1, 0]
    for mark, number in zip(inner, range(1, len(inner) + 1), strict=True):
        side = 0.5 * WALK.width * (1.0 if mark.side == 0 else -1.0)
        assert mark.place == pytest.approx([0.5 * number + ball, side], abs=1e-6)
        assert mark.heading == pytest.approx(0.0, abs=1e-9)


def test_a_sole_outline_is_as_long_and_wide_as_the_foot_and_lies_where_it_stood(walk: Motion) -> None:
    body, straight = walk.character, gait_events.footprints(walk)[4]
    foot, toes = (body.links[body.index(f"{part}.{gait_events.SIDES[straight.side]}")] for part in ("foot", "toes"))
    outline = gait_events.sole_outline(body, straight) - straight.place
    ball = toes.offset[0]
    back = foot.shape.center[0] - foot.shape.half[0] - ball
    assert outline[:, 0].min() == pytest.approx(back) and back < 0.0
    assert outline[:, 0].max() == pytest.approx(toes.shape.center[0] + toes.shape.half[0])
    assert np.abs(outline[:, 1]).max() == pytest.approx(max(foot.shape.half[1], toes.shape.half[1]))
    turned = gait_events.sole_outline(body, replace(straight, heading=0.5 * np.pi)) - straight.place
    assert turned == pytest.approx(np.column_stack((-outline[:, 1], outline[:, 0])), abs=1e-9)


def test_left_and_right_soles_mirror_each_other_and_run_counter_clockwise(walk: Motion) -> None:
    outlines = [
        gait_events.sole_outline(walk.character, gait_events.Footprint(side, 0.0, np.zeros(2), 0.0)) for side in (0, 1)
    ]
    for x, y in (outline.T for outline in outlines):
        assert np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y) > 0.0
    assert outlines[0][::-1] == pytest.approx(outlines[1] * (1.0, -1.0))
    assert outlines[0] != pytest.approx(outlines[1])


def test_moving_mean_keeps_a_line_and_removes_what_repeats() -> None:
    times = np.arange(481) / 120.0
    line = np.column_stack((times, 2.0 - 3.0 * times))
    assert gait_events.moving_mean(line, times, 1.1) == pytest.approx(line)
    wave = np.sin(2.0 * np.pi * times)
    inner = (times > 0.5) & (times < 3.5)
    assert np.abs(gait_events.moving_mean(wave, times, 1.0)[inner]).max() < 1e-3
    assert np.abs(gait_events.moving_mean(wave, times, 0.3)[inner]).max() > 0.8


def test_heading_follows_the_path_without_a_jump_at_half_a_turn() -> None:
    angle = np.linspace(-0.5 * np.pi, 1.4 * np.pi, 200)
    motion, _ = walked(Path(2.0 * np.column_stack((np.cos(angle), np.sin(angle)))), Walk(speed=0.8))
    heading = gait_events.heading(motion)
    assert np.abs(np.diff(heading)).max() < 0.02
    assert heading[-1] - heading[0] == pytest.approx(1.9 * np.pi, abs=0.35)


def test_steady_walking_leaves_out_ramps_and_ends_with_the_foot_it_began_with(walk: Motion) -> None:
    job = walked(STRAIGHT, WALK)[1]
    command = np.interp(walk.times, [0.0, 3.0, 8.0, 10.0], [0.0, job.speed, job.speed, 0.0])
    ramped = replace(walk, command=np.column_stack((command, walk.command[:, 1:])))
    span = gait_events.steady_span(ramped, job)
    assert span is not None and 3.9 <= span[0] <= 5.0 and 7.0 <= span[1] <= 8.0
    feet = dict(gait_events.strikes(walk))
    assert feet[span[0]] == feet[span[1]]
    whole = gait_events.steady_span(walk, job)
    assert whole is not None and whole[0] < span[0] and whole[1] > span[1]


def test_no_steady_walking_while_the_desired_speed_is_another(walk: Motion) -> None:
    job = walked(STRAIGHT, WALK)[1]
    assert gait_events.steady_span(walk, replace(job, speed=1.1 * job.speed)) is None


def test_each_steady_time_counts_and_the_longest_is_the_span() -> None:
    motion, job = walked(Path([[0.0, 0.0], [20.0, 0.0]]))
    assert gait_events.steady_spans(motion, job) == [gait_events.steady_span(motion, job)]
    slow = (motion.times > 12.0) & (motion.times < 13.0)
    command = motion.command.copy()
    command[slow, 0] *= 0.8
    spans = gait_events.steady_spans(replace(motion, command=command), job)
    assert len(spans) == 2
    assert spans[0][1] <= 12.0 and spans[1][0] > 13.5  # a stride after the command became steady
    assert gait_events.steady_span(replace(motion, command=command), job) == max(
        spans, key=lambda span: span[1] - span[0]
    )
