"""Walks of KLAW: what was set is what comes out, on the ground, along the path, like people."""

import math
from dataclasses import replace

import numpy as np
import pytest

from blender_biped.base.errors import DataError
from blender_biped.base.spatial import quaternion_matrix
from blender_biped.character.standard import standard_character
from blender_biped.job import Push
from blender_biped.klaw.walk import walk, walked
from blender_biped.motion import gait_events, measures
from blender_biped.motion.measures import fell_at
from blender_biped.motion.motion import RATE
from blender_biped.preset.cue import Cue
from blender_biped.simulate import simulate
from blender_biped.world.path import Path
from tests.klaw.walks import KMH, job_of, sole_heights, steady_step, style, walked_with

ASKED = [  # km/h, m: 0 for what people choose
    (2.0, 0.5), (2.0, 0.0), (3.0, 0.6), (3.0, 0.75), (4.0, 0.5), (4.0, 0.9), (5.0, 0.5), (5.0, 0.0), (5.0, 1.05),
    (6.0, 0.7), (7.0, 0.8), (7.0, 1.05),
]  # fmt: skip


@pytest.mark.parametrize(("speed", "length"), ASKED)
def test_speed_step_length_and_cadence_are_as_set(speed, length):
    job = job_of(speed, 14.0, style(step_length=length))
    motion = walk(job)
    desired = length or measures.natural_step_length(speed * KMH, 1.8)
    assert measures.steady_speed(motion, job) == pytest.approx(speed * KMH, rel=0.01)
    assert steady_step(motion, job) == pytest.approx(desired, rel=0.01)
    assert measures.cadence(motion, job) == pytest.approx(60.0 * speed * KMH / desired, rel=0.01)
    assert measures.fell_at(motion, job) is None


def test_angles_are_those_of_adults():
    motion, job = walked_with()
    for joint, r in (("hip", 0.98), ("knee", 0.98), ("ankle", 0.92)):
        correlation, _, rms = measures.against_norm(motion, job, joint)
        assert correlation is not None and correlation >= r
        assert rms is not None and rms <= 4.0
    for side in (0, 1):
        rate = np.gradient(measures.flexion(motion, "knee", side), motion.times)
        for time in [t for t, s in motion.strikes if s == side and 3.0 < t < 8.0]:
            assert np.abs(rate[np.abs(motion.times - time) < 0.03]).max() <= 500.0


@pytest.mark.parametrize("speed", [0.8, 1.2, 1.4])
def test_both_legs_of_an_even_walk_step_alike(speed):
    motion = walk(job_of(speed / KMH, 14.0))
    feet = [motion.character.index(f"foot.{side}") for side in "LR"]
    pitches = [np.arcsin(-quaternion_matrix(motion.rotations[:, foot])[:, 2, 0]) for foot in feet]
    left, right = (
        np.mean([measures.cycle(motion, pitches[s], stride) for stride in gait_events.strides(motion, s)[3:6]], axis=0)
        for s in (0, 1)
    )
    assert np.abs(left - right).max() < 0.03  # rad


def _landing(soonest):
    usual = style().values["constants"]
    return style(constants={**usual, "soonest_flat": soonest})


def test_soles_are_flat_no_sooner_than_they_shall_be():
    soonest = [0.0, 0.09, 0.2]
    jobs = [job_of(5.0, 10.0, _landing(at)) for at in soonest]
    usual, hardly, late = (measures.sole_flat(walk(job), job) for job in jobs)
    assert usual and hardly and late
    assert usual < hardly < late
    one, same = (walk(job_of(2.0, 6.0, _landing(at))).rotations for at in (0.0, 0.05))
    assert np.array_equal(one, same)  # slow steps are later by themselves


@pytest.mark.parametrize(("speed", "length", "frames", "steps"), [(2.0, 3.43, 204, 8), (5.0, 3.42, 108, 6)])
def test_whole_walks_take_the_thesis_frames(speed, length, frames, steps):
    motion = walk(job_of(speed, length, style(name="thesis")))
    assert len(motion.strikes) == steps
    assert 30.0 * motion.strikes[-1, 0] == pytest.approx(frames, abs=3.0)
    assert motion.root[-1, 0] == pytest.approx(length, abs=1e-4)


@pytest.mark.parametrize("name", ["walk", "thesis", "sneak"])
def test_feet_neither_slide_nor_sink_and_clear_the_ground(name):
    bend = Path(np.stack((np.linspace(0.0, 8.0, 80), np.sin(np.linspace(0.0, 3.0, 80))), axis=1))
    own = style(name=name)
    job = job_of(3.0, preset=own, path=bend)
    motion = walk(job)
    assert measures.foot_slip(motion, job)[1] == pytest.approx(0.0, abs=1e-6)
    assert measures.penetration(motion, job) == pytest.approx(0.0, abs=1e-6)
    clear = own.values["attributes"]["toe_clear"] * motion.character.leg_length / (0.53 * 1.8)
    for side in (0, 1):
        _, tip = sole_heights(motion, side)
        for lift, strike in zip(motion.lifts, motion.strikes, strict=True):
            if int(lift[1]) != side:
                continue
            share = (motion.times - lift[0]) / (strike[0] - lift[0])
            middle = tip[(share > 0.4) & (share < 0.85)]
            assert middle.min() >= clear - 1e-4 or strike[0] == motion.strikes[-1, 0]


def test_the_same_job_gives_the_same_motion_bit_for_bit():
    job = job_of(4.0, 6.0)
    one, other = simulate(job), simulate(job)
    for name in ("root", "rotations", "loads", "strikes", "command"):
        assert np.array_equal(getattr(one, name), getattr(other, name))
    assert one.outcome == "arrived"


def test_links_stay_joined_and_legs_reach_their_feet():
    motion, _ = walked_with()
    body = motion.character
    for side, name in enumerate(gait_events.SIDES):
        shin, foot = body.index(f"shin.{name}"), body.index(f"foot.{name}")
        shank = quaternion_matrix(motion.rotations[:, shin])
        assert motion.origins[:, shin] + shank @ body.offsets[foot] == pytest.approx(motion.origins[:, foot], abs=1e-9)
        # Where the foot is flat its sole is on the ground: the leg ends where the foot was set down.
        stance = next(s for s in gait_events.stances(motion, side) if s.opened and s.closed)
        middle = int(np.searchsorted(motion.times, 0.5 * (stance.start + stance.end) - 0.1))
        heel, tip = sole_heights(motion, side)
        assert max(abs(heel[middle]), abs(tip[middle])) < 1e-6


@pytest.mark.parametrize("shape", ["circle", "corner", "hairpin"])
def test_a_walk_keeps_to_its_path_and_arrives(shape):
    angle = np.linspace(0.0, 2.0 * math.pi, 100)
    paths = {
        "circle": Path(np.stack((2.0 * np.sin(angle), 2.0 - 2.0 * np.cos(angle)), axis=1)),
        "corner": Path([[0.0, 0.0], [5.0, 0.0], [5.0, 5.0]]),
        "hairpin": Path([[0.0, 0.0], *np.stack((5.0 + 0.5 * np.sin(angle[:51]), 0.5 - 0.5 * np.cos(angle[:51])), 1),
                         [0.0, 1.0]]),
    }  # fmt: skip
    job = job_of(4.0, path=paths[shape])
    motion = walk(job)
    mean, _ = measures.path_deviation(motion, job)
    arrived = measures.arrival(motion, job)
    assert mean is not None and mean <= 0.03
    assert arrived is not None and arrived <= 0.05
    if shape == "hairpin":
        assert measures.self_intersection(motion, job) < 15.0  # legs pass each other
    assert measures.fell_at(motion, job) is None


def test_speed_changes_from_step_to_step_within_its_bounds():
    own = style({"v_acc": 1.0, "v_dec": 1.5})
    job = job_of(2.0, 14.0, own, cues=(Cue(4.0, own, 0, 5.0 * KMH), Cue(8.0, own, 0, 3.0 * KMH)))
    motion = walk(job)
    speeds = motion.command[np.searchsorted(motion.times, motion.strikes[:, 0] - 0.05), 0] / KMH
    change = np.diff(speeds)
    assert change.max() == pytest.approx(1.0, abs=0.01)
    assert change.min() >= -1.5 * 1.3  # the last steps share out what is left of the way
    assert speeds.max() == pytest.approx(5.0, rel=0.01)
    times = motion.strikes[:, 0]
    assert speeds[times < 4.0].max() <= 2.01
    assert np.abs(speeds[(times > 11.0) & (times < times[-5])] - 3.0).max() < 0.05


def test_a_foot_that_stands_does_not_move_when_the_style_changes():
    wide = style({"stride_width_factor": 1.4})
    motion = walk(job_of(3.0, 8.0, cues=(Cue(3.0, wide),)))
    for side in (0, 1):
        ball = gait_events.ball_track(motion, side)
        for stance in filter(lambda s: s.opened, gait_events.stances(motion, side)):
            inside = (motion.times > stance.start + 0.15) & (motion.times < min(stance.end, stance.start + 0.3))
            assert np.ptp(ball[inside, :2], axis=0).max() < 1e-6


@pytest.mark.parametrize("size", [0.3, 1.0, 3.0])
def test_bodies_of_one_shape_walk_alike_at_any_size(size):
    small, usual = (standard_character(70.0 * s**3, stature=1.75 * s) for s in (size, 1.0))
    speed = 4.0 * math.sqrt(size)
    one = walk(job_of(speed, 6.0 * size, character=small))
    other = walk(job_of(4.0, 6.0, character=usual))
    assert one.strikes[:, 0] == pytest.approx(other.strikes[:, 0] * math.sqrt(size), rel=1e-6)
    ends = one.root[-1], size * other.root[-1]
    assert ends[0] == pytest.approx(ends[1], abs=1e-6 * size)


def test_a_walk_may_end_in_mid_stride():
    passed = walk(replace(job_of(4.0, 5.0), stop=False))
    assert passed.outcome == "arrived"
    assert passed.root[-1, 0] >= 5.0 and passed.command[-1, 0] > 0.5
    cut = walk(replace(job_of(4.0, 5.0), duration=2.0))
    assert cut.outcome == "time" and cut.duration == pytest.approx(2.0)


def test_the_ground_carries_the_weight_on_average():
    motion, job = walked_with()
    steady = (motion.times > 3.0) & (motion.times < 7.0)
    mean = motion.loads[steady].sum(axis=1).mean()
    assert mean == pytest.approx(motion.character.mass * job.gravity, rel=0.02)
    assert not motion.torques.any()  # none are known


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"attributes": {"pelvic_list_factor": 10.0}}, "pelvic_list_factor: 10.0 is out of range"),
        ({"attributes": {"bounce": 1.0}}, "bounce: there is no such field"),
        ({"attributes": {"toe_clear": "high"}}, "toe_clear: expected a number"),
        ({"knees": 1.0}, "knees: there is no such field"),
        ({"atributes": {}}, "atributes: there is no such field; the nearest is 'attributes'"),
        ({"step_length": 3.0}, "more than this body can walk with"),
        ({"step_length": 0.6, "step_frequency": 90.0}, "leave one of"),
    ],
)
def test_what_cannot_be_walked_is_refused(given, said):
    job = job_of(5.0)
    with pytest.raises(DataError, match=said):
        walk(replace(job, preset=replace(job.preset, values=given)))


def test_a_job_that_is_no_walk_is_refused():
    with pytest.raises(DataError, match="choose a speed above 0"):
        walk(job_of(0.0))
    with pytest.raises(DataError, match="pushes do nothing"):
        walk(replace(job_of(3.0), pushes=(Push("chest", 1.0, 0.1, (100.0, 0.0, 0.0)),)))
    with pytest.raises(DataError, match="less than a step"):
        walk(job_of(1.0, path=Path([[0.0, 0.0], [0.6, 0.0]]), character=standard_character(None, stature=3.0)))


@pytest.mark.parametrize("there", [3.2, 3.4, 4.0])
@pytest.mark.parametrize(
    "back", [[(0.0, 0.0)], [(0.0, 0.05)], [(1.0, 0.0), (3.0, 0.0)]], ids=["line", "narrow", "twice"]
)
def test_on_a_path_that_comes_back_on_itself_it_turns_and_stays_upright(there, back):
    path = Path([(0.0, 0.0), (there, 0.0), *back])
    job = job_of(4.32, path=path)
    motion = walk(job)
    assert motion.outcome == "arrived" and fell_at(motion, job) is None
    assert motion.root[:, 2].min() > 0.85 * motion.character.stand_height  # as on straight ways
    assert motion.root[-1, :2] == pytest.approx(path.position(path.length), abs=0.1)
    assert motion.duration < 3.0 * path.length / job.speed
    headings = np.unwrap(motion.command[:, 1])
    assert np.abs(np.diff(headings)).max() * RATE < 6.0  # rad/s: nobody turns round at once


@pytest.mark.parametrize("manner", [{}, {"looseness": 0.6, "heaviness": 0.4}], ids=["plain", "lagging"])
def test_the_last_steps_are_the_same_alone(manner):
    """Bit for bit: natural walking takes its tables from them."""
    job = replace(job_of(2.0, 8.0, style(manner=manner)), stop=False)
    whole = walked(job, 240.0)
    begins = int(np.searchsorted(whole.track.times, whole.placed[-3].start)) - 1
    for last, least in ((3, begins), (0, len(whole.track.times))):
        part = walked(job, 240.0, last=last)
        assert np.array_equal(part.posed.root, whole.posed.root)
        assert np.array_equal(part.posed.rotations[least:], whole.posed.rotations[least:])
        assert not np.array_equal(part.posed.rotations[:100], whole.posed.rotations[:100])  # nobody looked at these
    assert np.array_equal(walked(job, 240.0, last=99).posed.rotations, whole.posed.rotations)
