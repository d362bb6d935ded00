"""Natural walking on paths, speeds, bodies and starts; each from several slightly different starts."""

from dataclasses import replace
from functools import cache
from statistics import median

import numpy as np
import pytest

from blender_biped.base.errors import DataError
from blender_biped.character.standard import standard_character
from blender_biped.control.natural.walk.walk import NaturalWalk
from blender_biped.control.registry import preset, presets, stops_of
from blender_biped.job import Job, Push
from blender_biped.motion import measures
from blender_biped.motion.measures.motion_view import MotionView
from blender_biped.preset.cue import Cue
from blender_biped.preset.declared import with_values
from blender_biped.simulate import simulate
from blender_biped.world.path import Path
from blender_biped.world.path_points import PathPoint
from blender_biped.world.targets import Target
from blender_biped.world.world import World
from tests.shared import shared
from tests.walks import enough, seeded, simulated, steady
from tools.base.paths import paths
from tools.measure.person import pelvis_rotation_r
from tools.measure.styles import captured, farther

SIMULATED = ("proud", "sad", "old", "shy", "heavy", "toddler")
"""Captured styles that are farthest from the usual walk, each in its way; KLAW's tests walk all of them."""
OTHERWISE = {"old": {"cadence", "arm"}, "heavy": {"step"}, "toddler": {"step", "arm"}, "sad": {"trunk"}}
"""In what styles go farther than their actor, so that they are read as what they are."""
NATURAL = preset("natural", "default")
WALKS = (
    ("straight", 0.6), ("straight", 1.2), ("s-curve", 1.2), ("circle", 1.0), ("corner", 1.2), ("turn", 1.0),
    ("s-curve", 0.9),
)  # fmt: skip
FEW, ALL = (2,), tuple(range(len(WALKS)))
"""Which of WALKS say it without the long tests, and with them."""


@cache
def walk_of(case):
    """Return the path's name, the motion, the report and the job of one of WALKS; each has a start of its own."""
    path, speed = WALKS[case]
    ways = {**paths(), "straight": Path([(0.0, 0.0), (6.5, 0.0)])}
    job = Job(standard_character(), ways[path], NATURAL, speed, seed=case + 1)
    motion = simulate(job)
    return path, motion, measures.report(motion, job), job


@pytest.fixture(scope="module", params=[FEW, pytest.param(ALL, marks=pytest.mark.long)], ids=["few", "all"])
def walked(request):
    """Return what walk_of returns of some of WALKS."""
    return [walk_of(case) for case in request.param]


def test_it_comes_to_the_end_of_every_path_and_stands(walked):
    assert [motion.outcome for _, motion, _, _ in walked] == ["arrived"] * len(walked)
    assert max(report["arrival_m"] for *_, report, _ in walked) < 0.2


def test_it_keeps_to_its_paths(walked):
    assert max(report["path_deviation_mean_m"] for *_, report, _ in walked) < 0.12


def test_feet_hardly_slide_nor_sink(walked):
    assert median(report["foot_slip_median_mm"] for *_, report, _ in walked) < 1.5
    assert median(report["foot_slip_worst_mm"] for *_, report, _ in walked) < 10.0
    assert median(report["penetration_mm"] for *_, report, _ in walked) < 4.5


def test_it_walks_like_adults(walked):
    figures = [report for path, _, report, _ in walked if path == "s-curve" and report["hip_r"] is not None]
    assert figures
    for report in figures:
        assert report["hip_r"] > 0.9 and report["knee_r"] > 0.8 and report["ankle_r"] > 0.7
        assert 16.0 < report["double_support_percent"] < 32.0
        assert abs(report["step_length_error_percent"]) < 10.0
        assert report["pelvis_rotation_deg"] < 13.0


def test_heels_strike_with_knees_nearly_straight(walked):
    struck = [
        float(measures.cycles(motion, job, "knee").mean(axis=0)[0])
        for path, motion, _, job in walked
        if path in ("straight", "s-curve") and job.speed == 1.2
    ]
    assert len(struck) == (2 if len(walked) == len(WALKS) else 1) and max(struck) < 12.0


def test_the_pelvis_keeps_its_course_as_feet_strike(walked):
    quick = [(motion, report, job) for path, motion, report, job in walked if path == "s-curve" and job.speed == 1.2]
    for motion, report, job in quick:
        assert (pelvis_rotation_r(MotionView(motion, job)) or 0.0) > 0.75
        assert report["pelvis_list_deg"] < 13.0
    assert quick


def test_it_sets_off_at_once(walked):
    assert max(motion.lifts[0][0] for _, motion, _, _ in walked) < 0.4


def test_styles_are_walked_that_klaw_has():
    names = [style.name for style in presets("natural")]
    assert names[0] == "default" and len(names) >= 19
    for name in ("stroll", "sneak"):
        style, model = preset("natural", name), preset("klaw", name)
        assert style.values["attributes"] == model.values["attributes"]


def test_even_walks_have_their_speed(walked):
    errors = [
        abs(report["speed_error_percent"]) for *_, report, _ in walked if report["speed_error_percent"] is not None
    ]
    assert len(errors) >= max(len(walked) - 2, 1) and median(errors) < 2.0


@pytest.mark.long
@pytest.mark.parametrize("name", ["stroll", "zombie"])  # old and heavy ones walk beside captured people
def test_styles_walk_differently(name):
    style = preset("natural", name)
    steady(Job(standard_character(), Path([(0, 0), (5, 0)]), style, style.values["usual"], seed=1))


@pytest.mark.long
def test_on_tiptoe_heels_are_up_while_feet_bear():
    style = preset("natural", "tiptoe")
    body, path = standard_character(), Path([(0.0, 0.0), (2.0, 0.0), (4.0, 0.6)])
    job = Job(body, path, style, style.values["usual"], seed=1)
    motion = steady(job)
    deviation, _ = measures.path_deviation(motion, job)
    assert deviation is not None and deviation < 0.05
    stopping = motion.strikes[-6][0]  # it begins and stands on flat feet
    walks = (motion.times > 2.0) & (motion.times < stopping)
    assert walks.sum() > 100
    for side, name in enumerate("LR"):
        w, x, y, z = motion.rotations[:, body.index(f"foot.{name}")].T
        tilt = np.degrees(np.arcsin(2.0 * (w * y - x * z)))
        bears = walks & (motion.loads[:, side] > 0.5 * body.mass * job.gravity)
        assert bears.any() and np.percentile(tilt[bears], 2) > 20.0


@pytest.mark.parametrize(("name", "direction"), [("backward", 180.0), ("side_step", 90.0)])
@pytest.mark.long
def test_it_goes_back_and_aside_and_stands_again(name, direction):
    style = preset("natural", name)
    path = Path([(0.0, 0.0), (1.0, 0.0), (2.0, 0.27)])
    job = Job(standard_character(), path, style, style.values["usual"], seed=1)
    motion = steady(job)
    deviation, _ = measures.path_deviation(motion, job)
    assert deviation is not None and deviation < 0.12
    w, x, y, z = motion.rotations[:, 0].T
    facing = np.arctan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))
    off = np.angle(np.exp(1j * (facing + np.radians(direction) - motion.command[:, 1])))
    assert abs(np.degrees(off)).max() < 25.0
    feet = [motion.origins[:, motion.character.index(f"foot.{side}")] for side in "LR"]
    left = -np.sin(facing) * (feet[0] - feet[1])[:, 0] + np.cos(facing) * (feet[0] - feet[1])[:, 1]
    assert left.min() > 0.0  # they never cross


@pytest.mark.long
def test_who_goes_back_lands_on_toes():
    style = preset("natural", "backward")
    job = Job(standard_character(), Path([(0.0, 0.0), (3.0, 0.0)]), style, 0.5, seed=1)
    motion = simulate(job)
    tilts = []
    for time, side in motion.strikes[2:-2]:
        at = int(np.searchsorted(motion.times, time))
        w, x, y, z = motion.rotations[at, motion.character.index(f"foot.{'LR'[int(side)]}")]
        tilts.append(np.arcsin(2.0 * (w * y - x * z)))
    assert len(tilts) >= 4 and min(tilts) > np.radians(8.0)


def test_a_style_that_does_not_go_ahead_says_what_it_takes_not():
    world = World(targets=(Target("switch", "reach", (2.0, 0.3, 1.0)),))
    job = Job(standard_character(), Path([(0.0, 0.0), (4.0, 0.0)]), preset("natural", "backward"), 0.5, world=world)
    later = replace(job, preset=preset("natural", "default"), cues=(Cue(9.0, job.preset),))
    with pytest.raises(DataError, match="Backward does not go ahead"):
        stops_of(later)
    with pytest.raises(DataError, match="Backward does not go ahead"):
        simulate(later)


@pytest.mark.long
@pytest.mark.parametrize("name", SIMULATED)
def test_a_style_is_nearer_to_captured_people_than_the_usual_walk(name):
    assert farther(name, captured(shared("facts/styles.md")), "natural").keys() <= OTHERWISE.get(name, set())


@pytest.mark.long
def test_a_lean_is_walked_as_it_is_set():
    def lean(values):
        style = NATURAL.__class__(**{**NATURAL.__dict__, "values": values})
        job = Job(standard_character(), Path([(0, 0), (5, 0)]), style, 1.0)
        motion = simulate(job)
        assert motion.outcome == "arrived"
        chest = job.character.index("chest")
        middle = slice(int(0.35 * len(motion.times)), int(0.65 * len(motion.times)))
        w, x, y, z = np.moveaxis(motion.rotations[middle, chest], -1, 0)
        return float(np.degrees(np.mean(2.0 * (w * y - x * z))))

    usual = lean(NATURAL.values)
    bent = lean(with_values(NATURAL.values, {"manner.slouch": 12.0}))
    assert bent - usual == pytest.approx(12.0, abs=4.0)


@pytest.mark.long
def test_a_crouch_that_bends_ankles_to_their_limit_is_walked():
    style = replace(NATURAL, values=with_values(NATURAL.values, {"manner.crouch": 0.15}))
    steady(Job(standard_character(), paths()["straight"], style, 0.8, seed=1))


@pytest.mark.long
def test_a_half_turn_takes_little_more_than_two_seconds():
    """At 0.6 m/s, on a path that leads back beside itself: from the first turn commanded until within 0.2 rad.

    From then on it faces where it goes.
    """
    there, back = 3.0, 0.1
    arc = np.radians(np.arange(-90.0, 91.0, 15.0))
    around = [(there + 0.5 * back * np.cos(a), 0.5 * back * (1.0 + np.sin(a))) for a in arc]
    path = Path([(0.0, 0.0), *around, (0.0, back)])
    for motion in simulated(seeded(Job(standard_character(), path, NATURAL, 0.6), 5)):
        assert motion.outcome == "arrived"
        w, x, y, z = motion.rotations[:, 0].T
        facing = np.unwrap(np.arctan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z)))
        begins = motion.times[int(np.argmax(motion.command[:, 1] > 0.05))]
        turned = int(np.argmax(facing > np.pi - 0.2))
        assert motion.times[turned] - begins < 2.3
        after = slice(turned, len(facing) - 120)
        assert abs(facing - motion.command[:, 1])[after].max() < 0.25
        assert abs(motion.command[after, 1] - np.pi).max() < 0.5  # it comes back to its way, and not to where it came


@pytest.mark.long
def test_a_push_while_it_walks_is_caught_by_steps():
    forces = (0.0, 60.0, 0.0), (0.0, -60.0, 0.0), (80.0, 0.0, 0.0), (-80.0, 0.0, 0.0)
    job = Job(standard_character(), Path([(0, 0), (4.5, 0)]), NATURAL, 1.0)
    pushed = [
        Job(job.character, job.path, job.preset, 1.0, seed=seed, pushes=(Push("chest", 3.0, 0.1, force),))
        for seed, force in enumerate(forces)
    ]
    moved, *_ = enough(pushed, len(forces) - 1)
    assert abs(moved[0].root[:, 1]).max() > 0.03


@pytest.mark.long
def test_blows_from_the_side_at_any_phase_are_caught():
    """300 N for 0.1 s at the chest of a body of 70 kg while it walks at 1.2 m/s; a stride takes 1.18 s."""
    job = Job(standard_character(), Path([(0, 0), (40, 0)]), NATURAL, 1.2, duration=5.8)
    push = 300.0 * job.character.mass / 70.0
    blows = [(2.3 + 0.3 * k, sign * push) for k in range(4) for sign in (1.0, -1.0)]
    jobs = [
        replace(job, seed=seed, pushes=(Push("chest", time, 0.1, (0.0, force, 0.0)),))
        for seed, (time, force) in enumerate(blows, start=1)
    ]
    assert [motion.outcome for motion in simulated(jobs)].count("fell") == 0


@pytest.mark.long
def test_a_blow_as_a_foot_is_about_to_land_is_caught():
    """The hurried leg that was to land tipped the pelvis, and felled the body whichever its start."""
    job = Job(standard_character(), Path([(0, 0), (40, 0)]), NATURAL, 1.2, duration=6.0)
    push = 300.0 * job.character.mass / 70.0
    jobs = [
        replace(job, seed=seed, pushes=(Push("chest", time, 0.1, (0.0, force, 0.0)),))
        for seed, (time, force) in enumerate(((4.08, -push), (4.11, -push), (3.52, push), (3.55, push)), start=1)
    ]
    assert [motion.outcome for motion in simulated(jobs)].count("fell") == 0


@pytest.mark.long
def test_a_hard_blow_on_the_shoulder_is_staggered_off():
    """250 N for 0.2 s on the left shoulder of a body of 70 kg at 1.2 m/s, about once in a quarter of a stride.

    Feet have to cross over, and to be set down wide, step after step.
    """
    job = Job(standard_character(), Path([(0, 0), (40, 0)]), NATURAL, 1.2, duration=7.0)
    x, y, z = job.character.links[job.character.index("upper_arm.L")].offset
    push = 250.0 * job.character.mass / 70.0
    blows = [(3.7 + 0.3 * k, sign * push) for k in range(4) for sign in (1.0, -1.0)]
    jobs = [
        replace(job, seed=seed, pushes=(Push("chest", time, 0.2, (0.0, force, 0.0), (x, y, z)),))
        for seed, (time, force) in enumerate(blows, start=1)
    ]
    enough(jobs, 7, lambda motion, _: motion.outcome != "fell")


@pytest.mark.long
def test_a_blow_from_the_side_while_it_stands_is_walked_off():
    """250 N for 0.1 s at the chest of a body of 70 kg; it waits from some 4 s on."""
    points = (PathPoint(1.5, wait=4.0),)
    job = Job(standard_character(), Path([(0, 0), (2.5, 0)]), NATURAL, 1.0, along=points)
    push = 250.0 * job.character.mass / 70.0
    jobs = [
        replace(job, seed=seed, pushes=(Push("chest", 6.0, 0.1, (0.0, force, 0.0)),))
        for seed, force in enumerate((push, -push), start=1)
    ]
    assert [motion.outcome for motion in simulated(jobs)] == ["arrived", "arrived"]


@pytest.mark.long
def test_who_stands_again_keeps_feet_and_carriage():
    style = preset("natural", "zombie")
    job = Job(standard_character(), Path([(0, 0), (3, 0)]), style, 0.6, seed=1)
    motion = steady(job)
    end, still = len(motion.times) - 1, len(motion.times) - 40  # of 120 samples a second
    for role in ("foot.L", "foot.R"):
        foot = motion.origins[[still, end], job.character.index(role)]
        assert np.linalg.norm(foot[1] - foot[0]) < 0.01
    hand, shoulder = (motion.origins[end, job.character.index(f"{role}.L")] for role in ("hand", "upper_arm"))
    facing = motion.root[end] - motion.root[0]
    assert (hand - shoulder)[:2] @ facing[:2] / np.linalg.norm(facing[:2]) > 0.2  # arms are stretched out


@pytest.mark.long
def test_it_waits_in_the_midst_of_a_path_and_goes_on():
    steady(Job(standard_character(), Path([(0, 0), (5, 0)]), NATURAL, 1.0, along=(PathPoint(2.5, wait=1.0),), seed=1))


@pytest.mark.long
def test_an_even_walk_is_where_its_reference_has_it(monkeypatch):
    ahead = []
    torques = NaturalWalk.torques

    def noted(walk, state, command):
        found = torques(walk, state, command)
        ahead.append((len(walk.strikes), walk.step.capture_error.real))
        return found

    monkeypatch.setattr(NaturalWalk, "torques", noted)
    simulate(Job(standard_character(), Path([(0, 0), (12, 0)]), NATURAL, 1.2))
    steps, wrong = np.array(ahead).T
    even = (steps >= 9) & (steps < 15)  # without what it learns, 7 mm
    assert abs(wrong[even].mean()) < 0.004
