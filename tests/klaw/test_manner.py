"""Each of an animator's words changes what it says, the way it says, and nothing that stands slides or jumps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from blender_biped.base.spatial import Array, quaternion_matrix, rotate
from blender_biped.character.body import build_character
from blender_biped.character.natural_speed import natural_speed
from blender_biped.character.roles import map_bones
from blender_biped.job import Job
from blender_biped.klaw.attributes import Style
from blender_biped.klaw.manner import Manner, chance, looking, uneven
from blender_biped.klaw.preview import Previewer
from blender_biped.klaw.walk import walk, walked
from blender_biped.motion import gait_events, measures
from blender_biped.motion.motion import Motion
from blender_biped.preset.declared import Number, declared_fields, sliders, with_values
from blender_biped.preset.preset import Preset
from blender_biped.world.path import Path
from blender_biped.world.path_points import PathPoint
from tests.character.strange import strange
from tests.klaw.walks import job_of, sole_heights, style
from tests.marks import long_but

WORDS = {name: found.number for name, found in declared_fields(Manner).items() if found.number}
PACE = {"sf_accdec", "sf_max", "sf_norm", "sl_max", "sl_norm", "v_acc", "v_dec"}  # what may refuse a speed
SPEED, LENGTH = 4.0, 9.0  # km/h, m
Probe = Callable[[Motion, Job], float]


def mannered(**words: float) -> Preset:
    own = style()
    return replace(own, values=with_values(own.values, {f"manner.{name}": value for name, value in words.items()}))


@cache
def walked_so(word: str = "bounce", value: float = 0.0) -> tuple[Motion, Job]:
    job = job_of(SPEED, LENGTH, mannered(**{word: value}))
    return walk(job), job


def steady(motion: Motion, job: Job) -> NDArray[np.bool_]:
    span = measures.steady_span(motion, job)
    assert span is not None
    return np.array((motion.times >= span[0]) & (motion.times <= span[1]))


def pitch(role: str) -> Probe:
    """Return how far a part leans forward on average, degrees."""

    def probe(motion: Motion, job: Job) -> float:
        up = rotate(motion.rotations[:, motion.character.index(role)], np.array([0.0, 0.0, 1.0]))
        return float(np.degrees(np.arctan2(up[:, 0], up[:, 2]))[steady(motion, job)].mean())

    return probe


def hips(motion: Motion, job: Job) -> float:
    """Return how high the hips are on average, in legs."""
    return float(motion.root[steady(motion, job), 2].mean()) / motion.character.leg_length


def bob(motion: Motion, job: Job) -> float:
    return float(np.mean([np.ptp(measures.cycle(motion, motion.root[:, 2], s)) for s in strides(motion, job)]))


def strides(motion: Motion, job: Job) -> list[gait_events.Stride]:
    return measures.steady_strides(motion, job)


def heels(motion: Motion, job: Job) -> float:
    """Return how high the heels of feet that bear are at least, m."""
    found = []
    for side in (0, 1):
        bears = steady(motion, job) & (motion.loads[:, side] > 0.9 * motion.loads.sum(axis=1))
        found.append(sole_heights(motion, side)[0][bears].min())
    return float(min(found))


def turned_out(motion: Motion, job: Job) -> float:
    """Return how far both footprints are turned outwards, degrees."""
    prints = gait_events.footprints(motion)[2:-2]
    return float(np.degrees(np.mean([p.heading * (1.0 if p.side == 0 else -1.0) for p in prints])))


def hands(axis: int) -> Probe:
    """Return how far the hands are ahead of the shoulders (0), or apart (1), on average, m."""

    def probe(motion: Motion, job: Job) -> float:
        body, inside = motion.character, steady(motion, job)
        ends = []
        for side in "LR":
            i = body.index(f"hand.{side}")
            ends.append(motion.origins[:, i] - motion.origins[:, body.index(f"upper_arm.{side}")] * (axis == 0))
        way = 0.5 * (ends[0] + ends[1])[:, 0] if axis == 0 else (ends[0] - ends[1])[:, 1]
        return float(way[inside].mean())

    return probe


def sideways(role: str) -> Probe:
    """Return how far a part goes from side to side in a stride, m."""

    def probe(motion: Motion, job: Job) -> float:
        y = motion.origins[:, motion.character.index(role), 1]
        return float(np.mean([np.ptp(measures.cycle(motion, y, s)) for s in strides(motion, job)]))

    return probe


def sunk(motion: Motion, job: Job) -> float:
    """Return how far the hips sink from each strike on, m."""
    found = []
    for time, _ in motion.strikes[3:-3]:
        inside = (motion.times >= time) & (motion.times < time + 0.25)
        found.append(motion.root[inside, 2][0] - motion.root[inside, 2].min())
    return float(np.mean(found))


def arms_behind(motion: Motion, job: Job) -> float:
    """Return how far the arms' swing lags behind the legs', degrees."""
    phase = measures.arm_phase(motion, job)
    assert phase is not None
    return abs(phase - 180.0)


def shoulder_dip(motion: Motion, job: Job) -> float:
    """Return how far the shoulder above the bearing leg is below the other one, m."""
    body = motion.character
    left, right = (motion.origins[:, body.index(f"upper_arm.{side}"), 2] for side in "LR")
    on_left = motion.loads[:, 0] - motion.loads[:, 1]
    inside = steady(motion, job) & (np.abs(on_left) > 0.5 * np.abs(on_left).max())
    return float(((right - left) * np.sign(on_left))[inside].mean())


def head_to_the_left(motion: Motion, job: Job) -> float:
    """Return how far the head is tilted to the left on average, degrees."""
    up = rotate(motion.rotations[:, motion.character.index("head")], np.array([0.0, 0.0, 1.0]))
    return float(np.degrees(np.arctan2(up[:, 1], up[:, 2]))[steady(motion, job)].mean())


def over(side: int) -> Probe:
    """Return how far the trunk, from hips to neck, leans over the leg that bears alone, 0 left, 1 right, degrees."""

    def probe(motion: Motion, job: Job) -> float:
        way = motion.origins[:, motion.character.index("head")] - motion.root
        left = np.degrees(np.arctan2(way[:, 1], way[:, 2]))
        alone = steady(motion, job) & (motion.loads[:, 1 - side] <= 0.0)
        return float(left[alone].mean()) * (1.0, -1.0)[side]

    return probe


def looked(motion: Motion, job: Job) -> float:
    """Return how far the head turns from side to side, degrees."""
    ahead = rotate(motion.rotations[:, motion.character.index("head")], np.array([1.0, 0.0, 0.0]))
    return float(np.ptp(np.degrees(np.arctan2(ahead[:, 1], ahead[:, 0]))[steady(motion, job)]))


def lifted(part: str) -> Probe:
    """Return how high a part of the legs is lifted, m."""

    def probe(motion: Motion, job: Job) -> float:
        inside = steady(motion, job)
        return float(max(motion.origins[inside, motion.character.index(f"{part}.{s}"), 2].max() for s in "LR"))

    return probe


def clearance(motion: Motion, job: Job) -> float:
    """Return how high the soles are on average while they swing, m."""
    found = []
    for side in (0, 1):
        lowest = np.minimum(*sole_heights(motion, side))
        bears = motion.loads[:, side] > 0.0
        found.append(lowest[steady(motion, job) & ~bears].mean())
    return float(np.mean(found))


def spared(motion: Motion, job: Job) -> float:
    """Return how much longer the right leg bears alone than the left one, as a share of both."""
    alone = [(motion.loads[:, side] <= 0.0) & steady(motion, job) for side in (1, 0)]
    return float(alone[1].sum() - alone[0].sum()) / float(alone[0].sum() + alone[1].sum())


def longer_left(motion: Motion, job: Job) -> float:
    """Return how much longer the left foot's steps are than the right one's, as a share of both."""
    prints = gait_events.footprints(motion)[2:-3]
    lengths = [(b.place[0] - a.place[0], b.side) for a, b in pairwise(prints)]
    left, right = (np.mean([length for length, side in lengths if side == s]) for s in (0, 1))
    return float((left - right) / (left + right))


def irregular(motion: Motion, job: Job) -> float:
    """Return how much the steps' lengths and times differ from one to the next, as shares, and the places, m."""
    steps = walked(job, 60.0).placed[1:-4]
    sizes = np.array([(p.goal.length, p.goal.time) for p in steps])
    places = [p.place[1] * (1.0 if p.side == 0 else -1.0) for p in gait_events.footprints(motion)[2:-3]]
    return float((sizes.std(axis=0) / sizes.mean(axis=0)).min() + np.std(places))


def cadence(motion: Motion, job: Job) -> float:
    return measures.cadence(motion, job) or 0.0


# Each: two values, what is measured, and by how much more it is at the second one at least.
CHANGES: dict[str, tuple[float, float, Probe, float]] = {
    "crouch": (0.2, 0.0, hips, 0.12),
    "slouch": (-10.0, 30.0, pitch("chest"), 39.0),
    "head": (-20.0, 20.0, pitch("head"), 39.0),
    "head_tilt": (-15.0, 15.0, head_to_the_left, 29.0),
    "tiptoe": (0.0, 30.0, heels, 0.08),
    "toe_out": (-15.0, 25.0, turned_out, 39.0),
    "arms_forward": (-10.0, 70.0, hands(0), 0.4),
    "arms_out": (0.0, 60.0, hands(1), 0.6),
    "arms_in": (45.0, -30.0, hands(1), 0.1),
    "tempo": (0.85, 1.2, cadence, 30.0),
    "bounce": (0.0, 1.0, bob, 0.05),
    "heaviness": (0.0, 1.0, sunk, 0.02),
    "looseness": (0.0, 1.0, arms_behind, 25.0),
    "hip_sway": (0.0, 0.08, sideways("pelvis"), 0.1),
    "shoulder_roll": (-10.0, 15.0, shoulder_dip, 0.06),
    "lurch": (0.0, 15.0, over(1), 8.0),
    "look_about": (0.0, 40.0, looked, 30.0),
    "knee_lift": (0.0, 0.25, lifted("shin"), 0.1),
    "drag": (1.0, 0.0, clearance, 0.01),
    "limp": (-0.6, 0.8, spared, 0.2),
    "uneven_steps": (-0.2, 0.2, longer_left, 0.35),
    "stagger": (0.0, 1.0, irregular, 0.1),
}


OF_EACH_KIND = ("crouch", "slouch", "toe_out", "arms_out", "tempo", "bounce", "hip_sway", "limp", "stagger")
"""One of CHANGES for hips, trunk, feet, arms, time, height, sides, sparing and chance. The others are long tests."""


def test_every_word_is_tried_and_has_a_slider_with_keys() -> None:
    assert set(CHANGES) == set(WORDS) == {f.name for f in fields(Manner)}
    own = {slider.path: slider.number for slider in sliders(Style)}
    for name in WORDS:
        number = own[f"manner.{name}"]
        assert number.keyed and number.label and number.text and number.group
    labels = [slider.number.label for slider in sliders(Style)]
    assert len(set(labels)) == len(labels)


@pytest.mark.parametrize("word", long_but(CHANGES, *OF_EACH_KIND))
def test_a_word_does_what_it_says(word: str) -> None:
    first, second, probe, least = CHANGES[word]
    assert probe(*walked_so(word, second)) > probe(*walked_so(word, first)) + least


def test_below_zero_a_bounce_is_a_glide() -> None:
    assert bob(*walked_so("bounce", -0.8)) < 0.7 * bob(*walked_so())


def test_who_limps_lurches_over_the_limping_leg_alone() -> None:
    still, job = walked_so("limp", 0.5), job_of(SPEED, LENGTH, mannered(limp=0.5, lurch=15.0))
    motion = walk(job)
    assert over(0)(motion, job) > over(0)(*still) + 5.0
    assert over(1)(motion, job) == pytest.approx(over(1)(*still), abs=0.5)


def test_a_head_looks_softly_to_either_side_each_take_otherwise() -> None:
    times = np.linspace(0.0, 120.0, 12001)
    courses = [looking(times, take) for take in range(4)]
    for course in courses:
        assert course[0] == 0.0 and np.abs(course).max() <= 1.0
        assert (course > 0.4).mean() > 0.15 and (course < -0.4).mean() > 0.15
        assert np.abs(np.diff(course)).max() / 0.01 < 3.2  # from side to side in 1.2 s
        assert np.abs(np.diff(course, n=2)).max() / 0.01**2 < 9.0
    for one, other in pairwise(courses):
        assert np.abs(one - other).max() > 0.3
    assert np.array_equal(looking(times[5000:5100], 2), courses[2][5000:5100])


def test_a_limp_leaves_speed_and_step_length_as_they_are() -> None:
    for word, value in (("limp", 0.8), ("uneven_steps", 0.2)):
        motion, job = walked_so(word, value)
        assert measures.steady_speed(motion, job) == pytest.approx(job.speed, rel=0.01)
        assert cadence(motion, job) == pytest.approx(cadence(*walked_so()), rel=0.01)


def test_staggering_keeps_the_speed_on_average_and_is_the_same_again() -> None:
    job = job_of(SPEED, 25.0, mannered(stagger=1.0))
    motion = walk(job)
    assert measures.steady_speed(motion, job) == pytest.approx(job.speed, rel=0.02)
    short = replace(job, path=Path([(0.0, 0.0), (5.0, 0.0)]))
    assert np.array_equal(walk(short).rotations, walk(short).rotations)
    mean, _ = measures.path_deviation(motion, job)
    assert mean is not None and mean < 0.1
    found = [chance(step, which) for step in range(300) for which in range(8)]
    assert abs(np.mean(found)) < 0.03 and np.std(found) == pytest.approx(1.0 / np.sqrt(3.0), abs=0.03)


def test_what_is_plain_adds_nothing() -> None:
    assert uneven(Manner(), 3, 1) == (1.0, 1.0)
    job = job_of(SPEED, 5.0)
    named = walk(replace(job, preset=mannered(**{name: getattr(Manner(), name) for name in WORDS})))
    assert np.array_equal(named.rotations, walk(job).rotations) and np.array_equal(named.root, walk(job).root)


def standing_toes(motion: Motion, side: int) -> list[Array]:
    """Return where the toes' joint is while heels are up and toes flat on the ground, for each time, (T, 3)."""
    body, name = motion.character, gait_events.SIDES[side]
    toes = quaternion_matrix(motion.rotations[:, body.index(f"toes.{name}")])[:, 2, 2] > 1.0 - 1e-9
    heel_up = quaternion_matrix(motion.rotations[:, body.index(f"foot.{name}")])[:, 0, 2] > np.sin(np.radians(6.0))
    down = motion.loads[:, side] > 0.0
    places = motion.origins[:, body.index(f"toes.{name}")]
    return [places[a:b] for a, b in gait_events.runs(toes & heel_up & down)]


def ends(number: Number, usual: float) -> list[float]:
    return [value for value in (number.low, number.high) if value != usual]


EXTREMES = [(word, value) for word, number in WORDS.items() for value in ends(number, getattr(Manner(), word))]


@pytest.mark.parametrize(("word", "value"), long_but(EXTREMES, *(end for end in EXTREMES if end[0] in OF_EACH_KIND)))
def test_at_its_ends_a_word_neither_slides_nor_sinks_nor_jumps(word: str, value: float) -> None:
    motion, job = walked_so(word, value)
    assert motion.outcome == "arrived"
    if word == "tiptoe":
        found = [place for side in (0, 1) for place in standing_toes(motion, side) if len(place) > 10]
        assert found and max(np.ptp(place, axis=0).max() for place in found) < 1e-6
    else:
        assert measures.foot_slip(motion, job)[1] == pytest.approx(0.0, abs=1e-5)
    assert measures.penetration(motion, job) == pytest.approx(0.0, abs=1e-5)
    step = 1.0 / 120.0
    acceleration = np.abs(np.diff(motion.origins, n=2, axis=0)).max(axis=(0, 2)) / step**2
    parts = [link.role for link in motion.character.links]
    for role, most in zip(parts, acceleration, strict=True):  # a jump by 10 mm would be 144 m/s2
        part = role.partition(".")[0]
        assert most < {"shin": 800.0, "foot": 450.0, "toes": 450.0}.get(part, 100.0), (role, most)


@pytest.mark.parametrize("word", long_but(["bounce", "crouch", "toe_out", "limp", "head"], "bounce"))
def test_a_word_may_be_keyed_along_the_walk(word: str) -> None:
    first, second, probe, least = CHANGES[word]
    tracks = {f"manner.{word}": ((6.0, first), (8.0, second))}
    job = job_of(SPEED, 18.0, replace(mannered(**{word: first}), keyed=tracks))
    motion = walk(job)
    parts = []
    for begin, end in ((2.0, 6.0), (9.0, 14.0)):
        a, b = np.searchsorted(motion.times, (begin, end))
        parts.append((motion.times[a], motion.times[b]))
    (early, late) = (_part(motion, *part) for part in parts)
    assert probe(late, job) > probe(early, job) + 0.8 * least
    assert measures.foot_slip(motion, job)[1] == pytest.approx(0.0, abs=1e-5)
    assert np.abs(np.diff(motion.root, n=2, axis=0)).max() * 120.0**2 < 100.0


def _part(motion: Motion, begin: float, end: float) -> Motion:
    a, b = np.searchsorted(motion.times, (begin, end))

    def events(rows: Array) -> Array:
        inside = rows[(rows[:, 0] > begin) & (rows[:, 0] < end)]
        return np.asarray(inside - (begin, 0.0))

    return replace(
        motion, times=motion.times[a:b] - begin, root=motion.root[a:b], rotations=motion.rotations[a:b],
        loads=motion.loads[a:b], torques=motion.torques[a:b], command=motion.command[a:b],
        strikes=events(motion.strikes), lifts=events(motion.lifts),
    )  # fmt: skip


def test_a_wait_holds_the_feet_as_they_are_and_goes_on_without_a_jump() -> None:
    words = {"toe_out": 20.0, "crouch": 0.1, "stagger": 0.8, "head": 20.0, "tiptoe": 20.0, "arms_forward": 40.0}
    keyed = {"manner.toe_out": ((2.0, 20.0), (9.0, -10.0)), "manner.head": ((2.0, 20.0), (9.0, -20.0))}
    job = job_of(SPEED, 9.0, replace(mannered(**words), keyed=keyed), along=(PathPoint(4.0, wait=2.0),))
    motion = walk(job)
    assert np.abs(np.diff(motion.rotations, axis=0)).max() < 0.06
    assert np.abs(np.diff(motion.root, n=2, axis=0)).max() * 120.0**2 < 60.0
    still = np.linalg.norm(np.diff(motion.root, axis=0), axis=1) < 1e-6
    assert still.sum() / 120.0 > 1.5


LIMPING = {"limp": 0.7, "drag": 0.8, "toe_out": 20.0}


@pytest.mark.parametrize(
    "words",
    long_but(
        [
            {"bounce": 1.0, "knee_lift": 0.2, "arms_out": 30.0}, LIMPING,
            {"tiptoe": 25.0, "crouch": 0.1, "head": 20.0}, {"stagger": 1.0, "looseness": 1.0},
        ],
        LIMPING,
    ),
)  # fmt: skip
def test_the_preview_shows_what_is_baked(words: dict[str, float]) -> None:
    job = job_of(SPEED, 6.0, mannered(**words))
    shown, made = Previewer().preview(job, job.preset), walk(job)
    places = np.stack([np.interp(shown.times, made.times, made.origins[:, i, k])
                       for i in range(len(made.character.links)) for k in range(3)], axis=1)  # fmt: skip
    away = np.abs(shown.origins.reshape(len(shown.times), -1) - places)
    plain_job = job_of(SPEED, 6.0)
    plain, plain_made = Previewer().preview(plain_job, plain_job.preset), walk(plain_job)
    usual = np.abs(plain.origins[:, 0] - np.stack(
        [np.interp(plain.times, plain_made.times, plain_made.root[:, k]) for k in range(3)], axis=1))  # fmt: skip
    assert away.mean() < 0.006 and usual.mean() < 0.006


@pytest.mark.parametrize("seed", long_but(range(12), 0))
def test_all_numbers_at_their_ends_walk_on_any_body(seed: int) -> None:
    generator = np.random.default_rng(seed)
    chosen = {
        slider.path: (slider.number.low, slider.default, slider.number.high)[generator.integers(3)]
        for slider in sliders(Style)
        if slider.path.partition(".")[0] in ("manner", "attributes") and slider.path.partition(".")[2] not in PACE
    }
    armature = strange((2, 8, 16, 22, 28, 36)[seed % 6]).armature()
    body = build_character(armature, map_bones(armature), None)
    size = body.leg_length / 0.9
    path = Path([[0.0, 0.0], [3.0 * size, 0.0], [5.0 * size, 1.5 * size]])
    own = replace(style(), values=with_values(style().values, chosen))
    motion = walk(Job(body, path, own, speed=natural_speed(body, (0.4, 1.0, 1.5)[seed % 3])))
    assert np.isfinite(motion.root).all() and np.isfinite(motion.rotations).all()
    assert np.abs(np.linalg.norm(motion.rotations, axis=2) - 1.0).max() < 1e-9
    assert motion.outcome == "arrived"
