"""Walks that pick up, carry and set down, from several starts: walking is chaotic."""

from dataclasses import replace

import numpy as np
import pytest

from blender_biped.base.spatial import quaternion_matrix
from blender_biped.character.standard import standard_character
from blender_biped.control.registry import presets
from blender_biped.control.shared.arms import arms_of
from blender_biped.job import Job, job_from_json
from blender_biped.motion import measures
from blender_biped.simulate import simulate
from blender_biped.world.path import Path
from blender_biped.world.targets import Target
from blender_biped.world.things import Solid, Thing
from blender_biped.world.world import World
from tests.walks import enough, seeded, steady
from tools.trials import loads
from tools.trials.paper import slipped
from tools.trials.stairs import flight

BODY = standard_character()
ARMS = [arm for arm in arms_of(BODY) if arm is not None]
TAKEN = Target("crate", "pick_up", thing="crate")


def job_of(height, *targets, length=2.0, mass=5.0):
    """Return a walk to a crate whose middle is at a height, m, on a stand of its depth."""
    half = (0.08, 0.1, 0.08)
    things = [Thing("crate", Solid("box", half), (2.4, 0.0, height + 0.001), mass=mass)]
    if height > 0.2:
        below = height - half[2]
        things.append(Thing("stand", Solid("box", (0.08, 0.08, 0.5 * below)), (2.4, 0.0, 0.5 * below)))
    world = World(things=tuple(things), targets=(TAKEN, *targets))
    return job_from_json(
        Job(BODY, Path([(0.0, 0.0), (length, 0.0)]), presets("natural")[0], 1.0, world=world).as_json()
    )


def slip(motion, held):
    """Return how far hands move in what they hold, m, at most. held (T,): when they do."""
    return max(slipped(motion, arm, held) for arm in ARMS)


@pytest.mark.long
@pytest.mark.parametrize(("height", "length"), [(0.08, 2.0), (1.65, 2.08)])
def test_it_picks_up_and_stands(height, length):
    def held(motion, job):
        return motion.outcome == "arrived" and lifts(motion)[-1] and abs(motion.props[-1, 0, 2] - 0.97) < 0.1

    ((motion, job),) = enough(seeded(job_of(height, length=length), 2), 1, held)
    assert slip(motion, lifts(motion)) < 0.02
    assert measures.fell_at(motion, job) is None


def lifts(motion):
    """Return when the crate is not where it was (T,)."""
    return np.abs(motion.props[:, 0, :3] - motion.props[0, 0, :3]).max(axis=1) > 0.02


@pytest.mark.long
def test_it_carries_on_and_sets_down_where_it_should():
    job = job_of(0.08, Target("there", "set_down", (3.9, 0.0, 0.0)), length=3.48)
    ((motion, _),) = enough(seeded(job, 2), 1)
    assert np.allclose(motion.props[-1, 0, :3], (3.9, 0.0, 0.08), atol=0.06)
    assert np.ptp(motion.props[-30:, 0, :3], axis=0).max() < 0.002  # it lies still


@pytest.mark.long
def test_it_takes_what_lies_straight_ahead_of_a_corner_and_sets_it_down_behind_it():
    there, bent = Target("there", "set_down", (2.0, 3.42, 0.0)), Path([(0.0, 0.0), (2.0, 0.0), (2.0, 3.0)])
    job = replace(job_of(0.08, there), path=bent)
    ((motion, _),) = enough(seeded(job, 2), 1)
    assert np.allclose(motion.props[-1, 0, :3], (2.0, 3.42, 0.08), atol=0.06)


def left_off(motion, job):
    """Return how far from its target a load lies at the end, m."""
    return loads.left_off(motion, job)["left_off_m"]


@pytest.fixture(scope="module")
def borne():
    """Return the walk with 25 kg from the floor, and its job."""
    job = replace(loads.job_of("25 kg from the floor", BODY), seed=1)
    return steady(job), job


@pytest.mark.long
def test_25_kg_are_lifted_from_the_floor_carried_4_m_and_set_down(borne):
    motion, job = borne
    high = motion.props[:, 0, 2]
    held = high > 0.3
    assert left_off(motion, job) < 0.03 and slip(motion, held) < 0.02
    pelvis = motion.root[held, 2]
    stands = pelvis > 0.85 * BODY.stand_height
    thighs = [motion.origins[held, BODY.index(f"thigh.{side}"), 2].max() for side in "LR"]
    bottom = high[held] - job.world.loose[0].solid.half[2]
    assert np.median(bottom[stands]) > max(thighs) - 0.05  # thighs swing below it


@pytest.mark.long
def test_a_load_is_borne_before_it_is_lifted(borne):
    motion, job = borne
    high = motion.props[:, 0, 2] - motion.props[0, 0, 2]
    lifted = int(np.argmax(high > 0.005))
    coms = BODY.com_positions(motion.origins[lifted], motion.rotations[lifted])
    crate = job.world.loose[0]
    both = BODY.masses @ coms + crate.mass * motion.props[lifted, 0, :3]
    feet = [motion.origins[lifted, BODY.index(f"foot.{side}"), 0] for side in "LR"]
    ahead = both[0] / (BODY.mass + crate.mass) - np.mean(feet)
    assert -0.05 < ahead < 0.13  # over the soles, heel to ball, with what it is about to lift


@pytest.mark.long
def test_15_kg_are_carried_up_steps_and_over_an_obstacle_and_set_down_behind_it():
    """Coros 2010, figure 12."""
    job = loads.laden_job(loads.LoadedWay(15.0, flight(3, 0.15), (0.2,)), BODY)
    motion = simulate(replace(job, seed=1))
    assert motion.outcome == "arrived" and measures.fell_at(motion, job) is None
    assert left_off(motion, job) < 0.03
    assert motion.props[-1, 0, 2] - motion.props[0, 0, 2] == pytest.approx(0.15 * 3 * BODY.leg_length / 0.9, abs=0.02)


@pytest.mark.long
def test_a_switch_is_reached_and_a_walk_without_targets_is_as_it_was():
    job = job_of(0.08, length=3.0)
    free = replace(job, world=World())
    reaching = replace(free, world=World(targets=(Target("switch", "reach", (2.0, -0.35, 1.1)),)))
    motion = simulate(reaching)
    turns = quaternion_matrix(motion.rotations)
    palms = [motion.origins[:, arm.hand] + np.einsum("tij,j->ti", turns[:, arm.hand], arm.held) for arm in ARMS]
    nearest = [np.linalg.norm(palm - (2.0, -0.35, 1.1), axis=1).min() for palm in palms]
    assert motion.outcome == "arrived" and nearest[1] < 0.02 < nearest[0]


@pytest.mark.long
def test_a_heavy_crate_is_pushed_over_the_ground_and_left_where_it_should():
    crate = Thing("crate", Solid("box", (0.4, 0.4, 0.55)), (2.4, 0.0, 0.55), mass=80.0, friction=0.2)
    targets = (Target("crate", "push", thing="crate"), Target("there", "set_down", (3.6, 0.0, 0.0)))
    world = World(things=(crate,), targets=targets)
    job = job_from_json(Job(BODY, Path([(0.0, 0.0), (2.58, 0.0)]), presets("natural")[0], 1.0, world=world).as_json())
    ((motion, _),) = enough(seeded(job, 2), 1)
    track = motion.props[:, 0]
    assert np.allclose(track[-1, :2], (3.6, 0.0), atol=0.06)
    assert np.ptp(track[:, 2]) < 0.01  # it slides: nobody lifts it
    moving = np.gradient(track[:, 0], motion.times) > 0.1
    assert moving.sum() > 60 and slip(motion, moving) < 0.02
    lean = np.degrees(np.arctan2(*quaternion_matrix(motion.rotations[moving, BODY.index("chest")])[:, [0, 2], 2].T))
    assert 15.0 < lean.mean() < 60.0


@pytest.mark.long
def test_a_heavy_crate_behind_is_pulled_over_the_ground_and_left_where_it_should_and_the_walk_goes_on():
    crate = Thing("crate", Solid("box", (0.4, 0.4, 0.55)), (-0.98, 0.0, 0.55), mass=80.0, friction=0.2)
    targets = (Target("crate", "pull", thing="crate"), Target("there", "set_down", (1.02, 0.0, 0.0)))
    world = World(things=(crate,), targets=targets)
    job = job_from_json(Job(BODY, Path([(0.0, 0.0), (3.0, 0.0)]), presets("natural")[0], 1.0, world=world).as_json())
    motion = steady(replace(job, seed=1))
    arm = next(arm for arm in ARMS if arm.side == 1)
    track = motion.props[:, 0]
    assert np.allclose(track[-1, :2], (1.02, 0.0), atol=0.12) and motion.root[-1, 0] > 2.8
    assert np.ptp(track[:, 2]) < 0.01  # it slides: nobody lifts it
    moving = np.gradient(track[:, 0], motion.times) > 0.1
    turns = quaternion_matrix(motion.rotations[moving])
    palm = motion.origins[moving, arm.hand] + np.einsum("tij,j->ti", turns[:, arm.hand], arm.held)
    assert moving.sum() > 600 and np.ptp(palm - track[moving, :3], axis=0).max() < 0.02  # by its hand
    for side in "LR":  # neither foot is in it
        ankles = motion.origins[moving, BODY.index(f"foot.{side}"), 0]
        assert np.all(ankles - (track[moving, 0] + 0.4) > 0.08)
