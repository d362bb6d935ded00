"""Runs: a stance that bounces, a foot set down for a speed, a flight by physics, and the way there and back."""

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from blender_biped.base.spatial import quaternion_matrix
from blender_biped.character.standard import standard_character
from blender_biped.control.natural.kind import NATURAL
from blender_biped.control.natural.running.balance import countering, turning_of
from blender_biped.control.natural.running.bounce import Bounce, Roll, stance_map
from blender_biped.control.natural.running.clearance import CLEARANCE, keep_clear
from blender_biped.control.natural.running.plan import LANDING, run_step
from blender_biped.control.natural.running.table import run_table
from blender_biped.control.natural.running.timing import timing
from blender_biped.control.natural.steps.run_settings import Running
from blender_biped.control.natural.steps.settings import read_settings
from blender_biped.control.natural.walk.run import FOLLOWING, Runner
from blender_biped.control.natural.walk.step_state import Felt
from blender_biped.control.natural.walk.style_sequence import StyleSequence, styles_of
from blender_biped.control.natural.walk.walk import NaturalWalk
from blender_biped.control.registry import preset
from blender_biped.control.shared.clock import ControlTime
from blender_biped.control.shared.legs import legs_of
from blender_biped.control.shared.limb import drop, leg_rotations
from blender_biped.job import Job
from blender_biped.preset.cue import Cue
from blender_biped.simulate import simulate
from blender_biped.world.path import Path
from blender_biped.world.path_points import PathPoint
from blender_biped.world.terrain import Terrain
from blender_biped.world.world import World
from tests.marks import long_but

CHARACTER = standard_character()
LEGS = legs_of(CHARACTER)
UPPER = ("chest", "upper_arm", "forearm", "hand")
GRAVITY, OVER_HIPS = 9.81, 0.08
JOG, RUN, HAPPY, NATURAL_STYLE = (preset("natural", name) for name in ("jog", "run", "happy", "default"))


def fallen_through(bounce, times):
    """Height and rate after small steps under the load of a stance."""
    height, rate, step = bounce.height, bounce.rising, times[1] - times[0]
    found = [(height, rate)]
    for time in times[:-1]:
        pull = bounce.load(time + 0.5 * step) - bounce.gravity
        height, rate = height + step * (rate + 0.5 * step * pull), rate + step * pull
        found.append((height, rate))
    return np.array(found)


@pytest.mark.parametrize("first", [0.0, 9.81])
def test_a_stance_goes_from_how_it_lands_to_how_it_takes_off_by_its_load(first):
    bounce = Bounce.between(0.3, (0.95, -0.4), (0.96, 0.35), GRAVITY, first)
    assert bounce.at(0.0) == pytest.approx((0.95, -0.4))
    assert bounce.at(0.3) == pytest.approx((0.96, 0.35), abs=1e-9)
    times = np.linspace(0.0, 0.3, 3001)
    told = np.array([bounce.at(time) for time in times])
    assert np.abs(told - fallen_through(bounce, times)).max() < 1e-5
    assert bounce.load(0.0) == pytest.approx(first) and bounce.load(0.3) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("begins", [0.0, 0.12])
def test_where_a_body_takes_off_follows_from_where_it_lands_by_a_map(begins):
    bounce = Bounce.between(0.3, (0.95, -0.4), (0.955, 0.4), GRAVITY)
    roll, foot = Roll(0.08, 0.16), complex(0.8, 0.6)
    place, rate = complex(-0.25, 0.03), complex(2.4, -0.1)
    told = stance_map(bounce, roll, begins).end(place, rate, foot)
    count = 20000
    step = (0.3 - begins) / count
    for k in range(count):
        at = begins + (k + 0.5) * step
        pulls = bounce.load(at) / bounce.at(at)[0] * (place + 0.5 * step * rate - roll.at(at / 0.3) * foot)
        place, rate = place + step * rate + 0.5 * step * step * pulls, rate + step * pulls
    assert abs(told[0] - place) < 1e-3 and abs(told[1] - rate) < 5e-3


@pytest.mark.parametrize("speed", [1.5, 2.5, 4.0])
def test_an_even_step_takes_off_as_fast_as_it_lands_and_falls_to_where_it_lands(speed):
    step = run_step(LEGS[0], Running(), speed, OVER_HIPS, GRAVITY)
    foothold = step.foothold(speed, speed, 1.0)
    assert 0.05 < foothold.real < 0.5
    _, rate = step.map.end(-foothold, speed, 1.0)
    assert rate == pytest.approx(speed)
    height, rises = step.leaves
    flight = step.timing.flight
    assert height + rises * flight - 0.5 * GRAVITY * flight**2 == pytest.approx(step.lands)
    # A body that is to be faster takes off from a foot that is set down farther back.
    assert step.foothold(speed, speed + 0.3, 1.0).real < foothold.real
    sway = step.sway * 1j
    aside = step.foothold(speed + sway, speed - sway, 1.0).imag
    assert 2.0 * aside + step.sway * flight == pytest.approx(Running().width)


def test_a_heel_is_up_as_far_as_its_leg_needs_to_reach_the_hips_that_took_off():
    leg = LEGS[0]
    tilts = [run_step(leg, Running(), speed, OVER_HIPS, GRAVITY).tilted for speed in (1.6, 2.5, 3.2)]
    assert tilts == sorted(tilts) and tilts[0] < math.radians(40.0) < tilts[1] <= LANDING.tilted
    step = run_step(leg, Running(), 2.5, OVER_HIPS, GRAVITY)
    lands = complex(-step.foothold(complex(2.5, 0.0), complex(2.5, 0.0), 1.0 + 0.0j).real, 0.0)
    ahead = step.map.end(lands, complex(2.5, 0.0), 1.0 + 0.0j)[0].real
    s, c = math.sin(step.tilted), math.cos(step.tilted)
    ankle = leg.ball * (1.0 - c) + leg.ankle_height * s, leg.ball * s + leg.ankle_height * c
    reach = math.hypot(ahead - ankle[0], step.leaves[0] - OVER_HIPS - ankle[1])
    knee = math.pi - math.acos(
        (leg.thigh_length**2 + leg.shin_length**2 - reach**2) / (2.0 * leg.thigh_length * leg.shin_length)
    )
    assert knee == pytest.approx(LANDING.takes_off, abs=0.02)


def test_hips_are_lower_where_a_leg_has_to_reach_aside():
    straight, bend = (run_step(LEGS[0], Running(), 2.5, OVER_HIPS, GRAVITY, aside) for aside in (0.0, 0.2))
    shorter = math.sqrt((straight.hips - LEGS[0].ankle_height) ** 2 - 0.2**2)
    assert bend.hips - LEGS[0].ankle_height == pytest.approx(shorter, abs=0.01)


def test_runs_are_quicker_with_the_speed_and_longer_in_the_air_as_an_animator_says():
    own = Running()
    times = [timing(speed, own) for speed in (1.5, 2.5, 3.5, 4.5)]
    for slower, faster in pairwise(times):
        assert slower.time > faster.time and slower.contact > faster.contact and slower.flight < faster.flight
    assert timing(2.5, replace(own, flight=1.5)).flight > times[1].flight
    assert timing(2.5, replace(own, tempo=1.2)).time == pytest.approx(times[1].time / 1.2)


def test_a_stride_is_a_whole_turn_and_its_sides_are_alike():
    own, still = Running(), np.tile(np.eye(3), (len(CHARACTER.links), 1, 1))
    table = run_table(CHARACTER, LEGS, own, 2.5, timing(2.5, own), still)
    assert np.allclose(table.rotations[0], table.rotations[-1])
    left, right = (table.rotations[:, leg.shin] for leg in LEGS)
    assert np.allclose(left[:48], right[48:96])
    assert np.allclose(np.linalg.det(table.rotations.reshape(-1, 3, 3)), 1.0)
    kicked = run_table(CHARACTER, LEGS, replace(own, heels=1.3), 2.5, timing(2.5, own), still)
    assert kicked.rotations[:, LEGS[0].shin, 2, 2].min() < table.rotations[:, LEGS[0].shin, 2, 2].min()
    arm, leg = CHARACTER.index("upper_arm.L"), LEGS[0].thigh
    assert (
        np.corrcoef(table.rotations[:, arm, 0, 2], table.rotations[:, leg, 0, 2])[0, 1] < -0.5
    )  # each against the other


def heavy_legs():
    """The standard adult, its arms and chest half as heavy: they hold less against the legs."""
    return replace(CHARACTER, links=tuple(lighter(link) for link in CHARACTER.links))


def lighter(link):
    if link.part not in UPPER:
        return link
    x, y, z = link.inertia
    return replace(link, mass=0.5 * link.mass, inertia=(0.5 * x, 0.5 * y, 0.5 * z))


def test_arms_and_chest_hold_against_the_turn_of_the_legs():
    own, still = Running(), np.tile(np.eye(3), (len(CHARACTER.links), 1, 1))
    swings = []
    for body in (CHARACTER, heavy_legs()):
        table = run_table(body, legs_of(body), own, 2.5, timing(2.5, own), still)
        turning = abs(turning_of(body, table.rotations, table.angular_velocities))
        hanging = table.rotations.copy()
        upper = [i for i, link in enumerate(body.links) if link.part in UPPER]
        hanging[:, upper] = table.rotations[:, upper].mean(axis=0)
        stiff = table.angular_velocities.copy()
        stiff[:, upper] = 0.0
        assert turning < 0.5 * abs(turning_of(body, hanging, stiff))
        swings.append(np.ptp(table.rotations[:, body.index("upper_arm.L"), 0, 2]))
    assert swings[1] > 1.1 * swings[0]


def test_it_goes_as_far_as_leaves_least_and_no_farther():
    assert countering(2.0 + 0j, 1.0 + 0j) == 1.0 and countering(1.0 + 0j, 2.0 + 0j) == 0.0
    assert countering(1.0 + 0j, -3.0 + 0j) == pytest.approx(0.25) and countering(1j, 1j) == 0.0


@pytest.mark.parametrize(("share", "lifted"), [(0.0, False), (0.5, True), (1.0, False)])
def test_a_swinging_foot_that_is_too_low_is_lifted_amid_its_swing_alone(share, lifted):
    leg, rotations = LEGS[0], np.tile(np.eye(3), (len(CHARACTER.links), 1, 1))
    hip = (0.0, 0.1, leg.length + leg.ankle_height - 0.02)
    ankle = (0.02, 0.1, drop(leg, 0.0) + 0.001)
    rotations[[leg.thigh, leg.shin]] = leg_rotations(leg, hip, ankle, 0.0)
    before = rotations.copy()
    keep_clear(CHARACTER, leg, hip, share, 0.0, rotations)
    shin, foot = CHARACTER.offsets[leg.shin], CHARACTER.offsets[leg.foot]
    low = hip[2] + (rotations[leg.thigh] @ shin + rotations[leg.shin] @ foot)[2] - drop(leg, 0.0)
    assert low == pytest.approx(CLEARANCE.height, abs=1e-3) if lifted else np.array_equal(before, rotations)


def test_only_styles_that_say_so_run():
    assert read_settings(JOG.values).run.begins == 1.5
    assert read_settings(NATURAL_STYLE.values).run.begins == 1.65
    assert read_settings(HAPPY.values).run.begins == math.inf


WAY = Job(CHARACTER, Path([(0.0, 0.0), (18.0, 0.0)]), JOG, 2.4)


@pytest.fixture(scope="module")
def jogged():
    return simulate(WAY)


def flights(motion):
    """Where no foot bears: first and last sample of each."""
    free = (motion.loads.sum(axis=1) < 1e-6) & (motion.times > 0.5)
    edges = np.flatnonzero(np.diff(np.concatenate(([0], free.astype(int), [0]))))
    return [(a, b - 1) for a, b in edges.reshape(-1, 2).tolist() if b - a > 4]


def test_it_walks_up_to_speed_runs_and_walks_to_stop(jogged):
    assert jogged.outcome == "arrived"
    found = flights(jogged)
    assert len(found) > 6
    speeds = np.linalg.norm(np.gradient(jogged.com[:, :2], jogged.times, axis=0), axis=1)
    first, last = jogged.times[found[0][0]], jogged.times[found[-1][1]]
    assert jogged.strikes[0, 0] < first and jogged.strikes[-1, 0] > last  # steps on the ground before and behind
    amid = speeds[(jogged.times > first + 2.0) & (jogged.times < last - 3.0)]
    assert np.median(amid) == pytest.approx(2.4, abs=0.2)


def test_in_the_air_it_has_gravity_alone(jogged):
    step, seen = jogged.times[1] - jogged.times[0], 0
    for first, last in flights(jogged):
        moved = np.diff(jogged.com[first + 2 : last - 1], 2, axis=0) / step**2
        seen += len(moved)
        assert np.allclose(moved, (0.0, 0.0, -GRAVITY), atol=1.0)
    assert seen > 20


RADIUS = 12.0
BEND = Path(
    [(RADIUS * math.sin(a), RADIUS * (1.0 - math.cos(a))) for a in np.linspace(0.0, 1.6, 100)]
)  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize(("style", "speed", "path"), [(JOG, 2.5, BEND), (RUN, 3.0, WAY.path), (RUN, 3.0, BEND)])
def test_runs_arrive_straight_and_in_a_bend(style, speed, path, seed):
    motion = simulate(replace(WAY, preset=style, speed=speed, path=path, seed=seed))
    assert motion.outcome == "arrived" and len(flights(motion)) > 8


@pytest.mark.parametrize("seed", long_but((1, 2, 3), 1))
def test_a_walk_goes_over_to_a_run_and_back_where_styles_follow_one_another(seed):
    walk = NATURAL_STYLE
    cues = Cue(0.0, JOG, speed=2.4, place=4.0), Cue(0.0, walk, speed=1.2, place=14.0)
    job = replace(WAY, preset=walk, speed=1.2, path=Path([(0.0, 0.0), (22.0, 0.0)]), cues=cues, seed=seed)
    motion = simulate(job)
    assert motion.outcome == "arrived"
    arcs = [motion.command[first, 2] for first, _ in flights(motion)]
    assert len(arcs) > 4 and min(arcs) > 4.0 and max(arcs) < 20.0


@pytest.mark.parametrize("seed", long_but((1, 2, 3), 2))
def test_one_style_runs_where_it_is_to_be_faster_than_a_walk(seed):
    along = PathPoint(4.0, 2.4, ease=1.0), PathPoint(12.0, 1.2, ease=1.0)
    path = Path([(0.0, 0.0), (20.0, 0.0)])
    motion = simulate(replace(WAY, preset=NATURAL_STYLE, speed=1.2, path=path, along=along, seed=seed))
    assert motion.outcome == "arrived"
    arcs = [motion.command[first, 2] for first, _ in flights(motion)]
    assert len(arcs) > 4 and min(arcs) > 4.0 and max(arcs) < 18.0


@pytest.mark.parametrize("seed", long_but((1, 2), 1))
def test_it_walks_as_fast_as_a_walk_may_be(seed):
    motion = simulate(replace(WAY, preset=NATURAL_STYLE, speed=1.6, path=Path([(0.0, 0.0), (10.0, 0.0)]), seed=seed))
    assert motion.outcome == "arrived" and not flights(motion)


def test_a_run_follows_its_path_at_least_as_boldly_as_runs_do():
    walks = read_settings(NATURAL_STYLE.values).steering
    runner = Runner(CHARACTER, LEGS, Felt(), GRAVITY)
    assert runner.steering(walks) is walks
    runner.now.runs = True
    runs = runner.steering(walks)
    assert (runs.acceleration, runs.sideways) == (FOLLOWING.acceleration, FOLLOWING.sideways)
    bold = replace(walks, acceleration=3.0)
    assert runner.steering(bold).acceleration == 3.0 and runs.lag == walks.lag + FOLLOWING.lag


@pytest.mark.parametrize(
    ("first", "second", "mixes"), [(NATURAL_STYLE, HAPPY, True), (JOG, HAPPY, False), (HAPPY, RUN, False)]
)
def test_a_walk_that_can_run_becomes_another_walk_little_by_little(first, second, mixes):
    assert NATURAL.unlike(first, second) != mixes


@pytest.mark.parametrize("reverse", [False, True])
def test_amid_a_mix_with_a_walk_nobody_runs(reverse):
    first, second = (NATURAL_STYLE, HAPPY)[:: -1 if reverse else 1]
    cue = Cue(0.0, second, shares=((0.0, 0.5), (9.0, 0.5)))
    sequence = StyleSequence(styles_of(replace(WAY, preset=first, cues=(cue,))), ControlTime.of(1.0 / 240.0))
    assert sequence.begin() and sequence.settings.run.begins == math.inf


@pytest.mark.long
def test_a_fast_run_stops_where_its_path_ends():
    motion = simulate(replace(WAY, preset=RUN, speed=3.3, path=Path([(0.0, 0.0), (24.0, 0.0)])))
    assert motion.outcome == "arrived"
    assert abs(float(motion.root[-1, 0]) - 24.0) < 0.5


def stairs(rise):
    """A way over three steps 14 m ahead, and its ground."""
    x, z, profile = 14.0, 0.0, [(-1.0, 0.0)]
    for _ in range(3):
        profile += [(x, z), (x, z + rise)]
        x, z = x + 0.4, z + rise
    profile.append((x + 4.0, z))
    points = [(at, side, high) for at, high in profile for side in (-1.0, 1.0)]
    triangles = [
        (k + a, k + b, k + c) for k in range(0, len(points) - 2, 2) for a, b, c in ((0, 2, 1), (1, 2, 3))
    ]  # fmt: skip
    return World(ground=Terrain(points, triangles)), Path([(0.0, 0.0), (17.0, 0.0)])


@pytest.mark.long
def test_it_runs_where_it_is_level_and_walks_up_the_stairs():
    world, path = stairs(0.12)
    motion = simulate(replace(WAY, path=path, world=world))
    assert motion.outcome == "arrived" and motion.root[-1, 2] > motion.root[0, 2] + 0.3
    flown = flights(motion)
    assert len(flown) > 5
    assert all(motion.root[last, 0] < 14.0 - 1.5 for _, last in flown)


def test_nobody_runs_close_to_an_edge():
    world, path = stairs(0.12)
    assert NATURAL.controller is not None
    controller = NATURAL.controller(replace(WAY, path=path, world=world), 1.0 / 240.0)
    assert isinstance(controller, NaturalWalk)
    ground = controller._walker.around.ground
    assert [ground.level_near(arc) for arc in (3.0, 11.5, 12.5, 14.0, 15.2, 15.6)] == [
        True, True, False, False, False, True,
    ]  # fmt: skip


def bent(motion, side, time):
    """Return how far a knee is bent at a time, s, degrees."""
    at = min(int(np.searchsorted(motion.times, time)), len(motion.times) - 1)
    c = motion.character
    turns = quaternion_matrix(motion.rotations[at, [c.index(f"{part}.{'LR'[side]}") for part in ("thigh", "shin")]])
    across = turns[0].T @ turns[1]
    return math.degrees(math.atan2(across[0, 2], across[2, 2]))


def test_no_leg_is_straight_as_it_takes_off_while_a_body_comes_up_to_speed():
    motion = simulate(replace(WAY, preset=RUN, path=Path([(0.0, 0.0), (40.0, 0.0)]), speed=4.0, duration=6.5))
    knees = [bent(motion, int(side), time) for time, side in motion.lifts if time > 2.0]
    assert motion.outcome == "time" and len(knees) > 8
    assert min(knees) > 1.0  # a straight one stops the body with a jerk, which turns its pelvis over


def test_a_run_ends_without_a_squat():
    path, slower = Path([(0.0, 0.0), (16.0, 0.0)]), (PathPoint(9.0, speed=1.3),)
    motion = simulate(replace(WAY, preset=JOG, path=path, speed=2.5, along=slower))
    last = max(time for time, load in zip(motion.times, motion.loads.sum(axis=1), strict=True) if not load)
    after = (motion.times > last) & (motion.times < last + 1.0)
    assert motion.outcome == "arrived"
    assert motion.root[after, 2].min() > 0.9 * motion.root[0, 2]
