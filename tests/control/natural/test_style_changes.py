"""Natural walks that go over from one style to another: steps between both, where a body faces, whole walks."""

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from blender_biped.base.errors import DataError
from blender_biped.base.spatial import quaternion_matrix
from blender_biped.character.standard import standard_character
from blender_biped.control.natural.ground.ground import Ground
from blender_biped.control.natural.hands.hands import NoHands
from blender_biped.control.natural.steps.planner import Planner
from blender_biped.control.natural.steps.settings import read_settings
from blender_biped.control.natural.steps.step_table import GRID, rates_of
from blender_biped.control.natural.steps.strides import Strides
from blender_biped.control.natural.steps.styled_steps import ALL, WITHIN_A_STEP, StyledSteps, gone_over
from blender_biped.control.natural.walk.style_sequence import FOLLOWS, TURNING, StyleSequence, styles_of
from blender_biped.control.natural.walk.walker import Surroundings, Walker
from blender_biped.control.registry import preset
from blender_biped.control.shared.clock import ControlTime
from blender_biped.control.shared.ducking import NoDucking
from blender_biped.control.shared.legs import LEFT, RIGHT, legs_of
from blender_biped.control.shared.sole import toe_drops
from blender_biped.job import Job, job_from_json
from blender_biped.motion.similarity import at_reference_size, similarity
from blender_biped.preset.cue import Cue
from blender_biped.preset.preset import usual_speed
from blender_biped.simulate import simulate
from blender_biped.world.path import Path
from tests.marks import long_but

CHARACTER = at_reference_size(standard_character())
DEFAULT, HAPPY, SAD, TIPTOE, BACKWARD, ZOMBIE = (
    preset("natural", name) for name in ("default", "happy", "sad", "tiptoe", "backward", "zombie")
)
STEP = 1.0 / 240.0
WALK = Job(standard_character(), Path([(0.0, 0.0), (9.0, 0.0)]), DEFAULT, 1.2)


def usual(style):
    return usual_speed(style) or 1.2


def settings(style):
    return read_settings(style.values)


def steps(style, level=True):
    return StyledSteps(CHARACTER, legs_of(CHARACTER), settings(style), 9.81, level)


def tables(style, speed=1.0):
    return Strides(CHARACTER, settings(style).style, 9.81).tables(speed)


def sequence(*cues, first=DEFAULT):
    return StyleSequence(styles_of(replace(WALK, preset=first, cues=cues)), ControlTime.of(STEP))


# --- steps -----------------------------------------------------------------------------------------------------------


def test_a_step_goes_over_from_one_style_to_the_other_without_a_jump():
    first, second = tables(DEFAULT)[LEFT], tables(ZOMBIE)[LEFT]  # its arms are raised
    found = gone_over(first, second)
    for name in ("rotations", "ankles", "pitches", "pelvis", "com"):
        begins, ends = getattr(found, name)[0], getattr(found, name)[-1]
        assert np.allclose(begins, getattr(first, name)[0], atol=2e-3)
        assert np.allclose(ends, getattr(second, name)[-1], atol=2e-3)
    assert np.allclose(np.linalg.norm(found.rotations, axis=-1), 1.0)
    assert np.allclose(found.angular_velocities, rates_of(found.rotations, 1.0 / GRID))
    assert (found.length, found.width) == (second.length, second.width)


def test_only_the_step_that_begins_comes_from_the_style_before():
    own = steps(DEFAULT)
    own.adopt(settings(HAPPY), goes_over=True)
    new = own.tables(1.0)
    left, right = own.beginning(new, LEFT, 1.0, 0.0, 0.0)
    assert right is new[RIGHT] and not np.allclose(left.rotations[0], new[LEFT].rotations[0], atol=1e-3)
    own.mix(ALL)
    assert own.beginning(new, LEFT, 1.0, 0.0, 0.0) is new


def test_of_a_mix_steps_are_between_both_styles():
    own, share = steps(DEFAULT), 0.4
    own.adopt(settings(HAPPY), goes_over=True)
    own.mix((share, share))
    found, (one, other) = own.tables(1.0), (tables(DEFAULT), tables(HAPPY))
    assert found[LEFT].time == pytest.approx((1.0 - share) * one[LEFT].time + share * other[LEFT].time)
    assert np.allclose(np.linalg.norm(found[LEFT].rotations, axis=-1), 1.0)


def test_a_mix_goes_on_over_several_steps():
    own = Planner(CHARACTER, legs_of(CHARACTER), settings(DEFAULT), 9.81)
    own.follow(settings(SAD), goes_over=True, shares=(0.0, 0.3))
    times = [own.styled.tables(0.8)[LEFT].time]
    for k in range(1, 3):  # its balance changes with the share, and so its settings
        own.follow(replace(settings(SAD), wider=0.01 * k), shares=(0.3 * k, 0.3 + 0.3 * k))
        times.append(own.styled.tables(0.8)[LEFT].time)
    shares = [(time - tables(DEFAULT, 0.8)[LEFT].time) / (tables(SAD, 0.8)[LEFT].time - tables(DEFAULT, 0.8)[LEFT].time)
              for time in times]  # fmt: skip
    assert shares == pytest.approx([0.3, 0.6, 0.9])


def test_a_mix_goes_on_where_the_numbers_of_its_style_are_keyed():
    own, one, other = Planner(CHARACTER, legs_of(CHARACTER), settings(DEFAULT), 9.81), settings(DEFAULT), settings(SAD)
    own.follow(other, goes_over=True, shares=(0.0, 0.3))
    keyed = replace(other, manner=replace(other.manner, head=other.manner.head + 1.0))
    own.follow(keyed, shares=(0.3, 0.6))
    first, second = (Strides(CHARACTER, style.style, 9.81).tables(0.8)[LEFT].time for style in (one, keyed))
    assert own.styled.tables(0.8)[LEFT].time == pytest.approx(0.4 * first + 0.6 * second)


def test_legs_that_go_back_do_nothing_as_those_that_go_ahead():
    own = steps(DEFAULT)
    own.adopt(settings(BACKWARD), goes_over=True)
    back = own.tables(0.5)
    begins = own.beginning(back, LEFT, 0.5, 0.0, 0.0)[LEFT]
    legs = [link for leg in legs_of(CHARACTER) for link in leg.links]
    assert np.array_equal(begins.rotations[:, legs], back[LEFT].rotations[:, legs])
    arm = CHARACTER.index("upper_arm.L")
    assert not np.allclose(begins.rotations[0, arm], back[LEFT].rotations[0, arm], atol=1e-3)


# --- the order of styles ---------------------------------------------------------------------------------------------


def test_a_style_is_due_at_its_place_and_its_time():
    own = sequence(Cue(2.0, HAPPY, place=3.0))
    assert not own.due(1.0, 5.0, 1.2) and not own.due(5.0, 1.0, 1.2) and own.due(2.5, 3.5, 1.2)
    assert own.begin_step(2.5, 3.5, 1.2, goes_over=True).manner == settings(HAPPY).manner
    assert own.shares == WITHIN_A_STEP
    own.begin_step(3.0, 4.0, 1.2, goes_over=False)
    assert own.shares == ALL


def test_a_style_comes_little_by_little_over_a_stretch_of_the_path():
    own = sequence(Cue(0.0, SAD, place=2.0, ease=4.0))
    shares = [own.shares for k in range(8) if own.begin_step(k, 2.0 + 0.6 * k, 1.0, goes_over=not k)]
    assert [begins for begins, _ in shares[1:]] == [ends for _, ends in shares[:-1]]
    assert shares[0][0] == 0.0 and 0.0 < shares[0][1] < 0.3 and shares[-1][1] == 1.0


def test_a_share_over_time_goes_up_and_down():
    own = sequence(Cue(0.0, SAD, shares=((0.0, 0.0), (4.0, 1.0), (8.0, 0.5))))
    ends = [own.shares[1] for k in range(12) if own.begin_step(float(k), float(k), 1.0, goes_over=not k)]
    assert ends[0] < 0.2 and max(ends) > 0.9 and ends[-1] == 0.5


def test_the_balance_of_a_mix_is_between_both_styles():
    wide = replace(SAD, values={**SAD.values, "gait": {"wider": 0.1}})
    own = sequence(Cue(0.0, wide, shares=((0.0, 0.5),)))
    assert own.begin_step(0.0, 0.0, 1.0, goes_over=True).wider == pytest.approx(0.5 * settings(DEFAULT).wider + 0.05)


def walker(job):
    legs = legs_of(CHARACTER)
    ground = Ground(0.0, legs, toe_drops(CHARACTER, legs))
    surroundings = Surroundings(ground, NoHands(CHARACTER), NoDucking(), True, True, job.path, stop=True)
    return Walker(CHARACTER, styles_of(job), 9.81, STEP, surroundings)


def keyed_mix(*shares, second=SAD, first=DEFAULT, speed=0.0):
    return sequence(Cue(0.0, second, speed=speed, shares=shares), first=first)


def test_a_walk_begins_in_the_mix_that_it_is_keyed_to_begin_with():
    own = keyed_mix((0.0, 0.4), (2.0, 1.0))
    assert own.begin() and own.shares == (0.4, 0.4)
    own.begin_step(0.0, 0.0, 1.0, goes_over=False)
    assert own.shares == (0.4, pytest.approx(0.4 + 0.3 * 0.55))
    for cues in ((), (Cue(0.0, SAD, ease=2.0),), (Cue(1.0, SAD, shares=((1.0, 0.5),)),)):
        later = sequence(*cues)
        assert not later.begin() and later.shares == ALL and later.settings == settings(DEFAULT)


def test_a_mix_goes_as_fast_as_its_job_or_its_cue_says_whatever_the_second_style_can():
    own = keyed_mix((0.0, 0.0), (9.0, 1.0), second=ZOMBIE)
    own.begin()
    own.go_on(True, 1.5)
    assert own.desired_speed(1.5) == 1.5
    marked = keyed_mix((0.0, 0.0), (9.0, 1.0), second=ZOMBIE, speed=1.1)
    marked.begin()
    assert marked.desired_speed(1.5) == 1.1


def test_of_a_mix_who_goes_on_toes_is_mixed_into_who_does_not():
    first, second = styles_of(replace(WALK, preset=TIPTOE, cues=(Cue(0.0, HAPPY, shares=((0.0, 0.0), (4.0, 0.75))),)))
    assert (first.gait.settings.now, second.gait.settings.now) == (settings(HAPPY), settings(TIPTOE))
    assert second.shares == ((0.0, 1.0), (4.0, 0.25))
    own = keyed_mix((0.0, 0.0), (4.0, 1.0), second=HAPPY, first=TIPTOE)
    assert own.begin() and own.shares == ALL and own.settings.manner.tiptoe > 0.0


def test_of_a_mix_glances_and_steering_are_between_both_styles_too():
    sneak = preset("natural", "sneak")
    quick = replace(sneak, values={**sneak.values, "steering": {"acceleration": 1.9}})
    own = keyed_mix((0.0, 0.5), second=quick)
    own.begin()
    assert own.look_about == pytest.approx(0.5 * settings(sneak).manner.look_about) and own.look_about > 10.0
    slow = settings(DEFAULT).steering.acceleration
    assert own.settings.steering.acceleration == pytest.approx(0.5 * (slow + 1.9))
    eased = sequence(Cue(0.0, quick, ease=4.0))
    eased.begin_step(0.0, 0.0, 1.0, goes_over=True)  # as it was before shares could be keyed
    assert eased.settings.steering.acceleration == 1.9 and eased.look_about == settings(sneak).manner.look_about


@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_who_stands_in_a_mix_is_held_as_it_is_mixed(share):
    job = replace(WALK, preset=SAD, cues=(Cue(0.0, ZOMBIE, shares=((0.0, share),)),))
    mixed = walker(job)
    alone = [walker(replace(WALK, preset=style)) for style in (SAD, ZOMBIE)]
    arm = CHARACTER.index("upper_arm.L")
    found, first, second = (own.carriage[arm] for own in (mixed, *alone))

    def off(one, other):
        return math.acos(min(max(0.5 * (np.trace(one.T @ other) - 1.0), -1.0), 1.0))

    whole = off(first, second)
    assert whole > 0.5 and off(first, found) == pytest.approx(share * whole, abs=0.06 * whole)
    heights = [own.standing for own in (mixed, *alone)]
    assert heights[0] == pytest.approx((1.0 - share) * heights[1] + share * heights[2])


def test_who_is_to_face_elsewhere_slows_down_first_and_turns_no_faster_than_a_body_can():
    own = sequence(Cue(0.0, BACKWARD, place=1.0))
    assert not own.due(1.0, 1.5, 1.2)
    for _ in range(480):
        own.go_on(True, 0.3)
    assert own.desired_speed(1.2) <= TURNING.slow and own.direction == 0.0
    assert own.due(3.0, 2.0, 0.25)
    own.begin_step(3.0, 2.0, 0.25, goes_over=True)
    assert not own.settings.backs  # not before it faces there
    turned = []
    for _ in range(1200):
        own.go_on(True, 0.25)
        turned.append(abs(own.turning))
    assert max(turned) <= FOLLOWS.turn_limit + 1e-9 and own.direction == settings(BACKWARD).direction
    assert own.begin_step(8.0, 3.0, 0.25, goes_over=False).backs


def test_who_stands_does_not_turn():
    own = sequence(Cue(0.0, BACKWARD))
    own.begin_step(0.0, 0.0, 0.0, goes_over=True)
    for _ in range(240):
        own.go_on(False, 0.0)
    assert own.direction == 0.0


def test_a_later_style_goes_no_faster_than_it_can():
    own = sequence(Cue(0.0, ZOMBIE))
    assert own.desired_speed(1.5) == 1.5  # the first style's is the job's
    own.begin_step(0.0, 0.0, 1.2, goes_over=True)
    speeds = ZOMBIE.values["speeds"]
    assert own.desired_speed(1.5) == speeds[1]


# --- jobs ------------------------------------------------------------------------------------------------------------


def test_a_job_keeps_how_a_style_comes():
    cues = (Cue(0.0, HAPPY, place=2.0, ease=3.0), Cue(4.0, SAD, shares=((1.0, 0.0), (2.0, 1.0))))
    job = replace(WALK, cues=cues)
    assert job_from_json(job.as_json()).cues == cues
    small = similarity(job).job(job)
    assert small.cues[0].ease == pytest.approx(3.0 / similarity(job).length)
    assert small.cues[1].shares[1][0] == pytest.approx(2.0 / similarity(job).time)
    plain = replace(WALK, cues=(Cue(1.0, HAPPY),)).as_json()["cues"][0]
    assert not {"ease", "shares"} & set(plain)  # older programs read it


@pytest.mark.parametrize(("key", "value"), [("ease", -1.0), ("shares", [[0.0, 1.5]]), ("shares", [["now", 1.0]])])
def test_a_wrong_change_is_named(key, value):
    data = replace(WALK, cues=(Cue(1.0, HAPPY),)).as_json()
    data["cues"][0][key] = value
    with pytest.raises(DataError, match=key):
        job_from_json(data)


# --- walks -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second"),
    long_but(
        [(a, b) for a in ("default", "sad", "tiptoe") for b in ("happy", "zombie", "catwalk")], ("default", "happy")
    ),
)
def test_a_walk_goes_over_to_another_style_and_arrives(first, second):
    one, other = preset("natural", first), preset("natural", second)
    job = replace(WALK, preset=one, speed=usual(one), seed=5, cues=(Cue(0.0, other, speed=usual(other), place=4.0),))
    motion = simulate(job)
    assert motion.outcome == "arrived"
    root = np.stack([np.convolve(row, np.ones(9) / 9.0, mode="same") for row in motion.root.T], axis=1)
    dt = motion.times[1] - motion.times[0]
    pulled = np.linalg.norm(np.gradient(np.gradient(root, dt, axis=0), dt, axis=0), axis=1)
    at = np.searchsorted(motion.root[:, 0], 4.0)
    around, before = pulled[at : at + 150], pulled[at - 250 : at]
    after = pulled[at + 250 : at + 400]
    assert around.max() <= 1.5 * max(before.max(), after.max())
    parts = slice(at - 250, at), slice(at + 250, at + 400)
    held = [quaternion_matrix(motion.rotations[part]).mean(axis=0) for part in parts]
    assert np.abs(held[1] - held[0]).max() > 0.1


def test_a_walk_goes_from_one_style_to_another_as_its_mix_is_keyed():
    shares, speeds = ((2.5, 0.0), (7.5, 1.0)), ((2.5, 0.7), (7.5, 1.3))
    job = replace(WALK, preset=SAD, speed=0.7, speeds=speeds, cues=(Cue(0.0, HAPPY, shares=shares),), seed=3)
    motion = simulate(job)
    assert motion.outcome == "arrived"
    chest = quaternion_matrix(motion.rotations[:, motion.character.index("chest")])
    lean = np.degrees(np.arcsin(chest[:, 0, 2]))  # ahead
    each = [float(lean[(motion.times >= t) & (motion.times < t + 1.0)].mean()) for t in np.arange(1.5, 8.5)]
    assert each[0] - each[-1] > 10.0 and all(b < a + 0.5 for a, b in pairwise(each))
    assert max(a - b for a, b in pairwise(each)) < 0.45 * (each[0] - each[-1])


@pytest.mark.long
@pytest.mark.parametrize(
    ("first", "second"), [("default", "backward"), ("backward", "default"), ("side_step", "backward")]
)
def test_a_body_turns_round_while_it_walks_on(first, second):
    one, other = preset("natural", first), preset("natural", second)
    cues = (Cue(0.0, other, speed=usual(other), place=2.0),)
    job = replace(WALK, path=Path([(0.0, 0.0), (5.0, 0.0)]), preset=one, speed=usual(one), cues=cues)
    motion = simulate(job)
    assert motion.outcome == "arrived"
    faces = quaternion_matrix(motion.rotations[:, 0])[:, :2, 0]
    for part, style in ((slice(60, 120), one), (slice(-240, -120), other)):
        way = settings(style).direction
        mean = faces[part].mean(axis=0)
        assert mean @ (math.cos(way), -math.sin(way)) > 0.95
    turned = np.unwrap(np.arctan2(faces[:, 1], faces[:, 0]))
    assert np.abs(np.diff(turned)).max() * 120.0 < 5.0  # rad/s: it does not spin


def test_styles_that_are_none_of_naturals_are_refused():
    other = preset("simbicon", "walk")
    with pytest.raises(DataError, match="choose gaits of one controller"):
        simulate(replace(WALK, cues=(Cue(1.0, other),)))
