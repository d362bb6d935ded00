"""Natural walking on ground that is not flat: what it sees of it, and that it walks there, from several starts."""

import cmath
import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from blender_biped.base.errors import DataError
from blender_biped.base.spatial import quaternion_matrix
from blender_biped.character.standard import standard_character
from blender_biped.control.natural.ground.slope import SlopeView
from blender_biped.control.natural.walk.walk import NaturalWalk
from blender_biped.control.registry import check_terrain, preset
from blender_biped.control.shared.ground_plane import GroundPlane, between_planes, sole_on
from blender_biped.control.shared.legs import legs_of
from blender_biped.control.shared.sole import sole_of, toe_drops
from blender_biped.control.shared.state import BodyState
from blender_biped.control.shared.whole_body import FRICTION, _holding
from blender_biped.control.way import check_way
from blender_biped.motion.measures import fell_at, penetration
from blender_biped.simulate import simulate
from blender_biped.world.floor import Floor
from blender_biped.world.targets import Target
from blender_biped.world.things import Solid, Thing
from blender_biped.world.world import World
from tests.walks import steady
from tools.trials.slopes import ground_of, hill, job_of, mesh, sloping

BODY = standard_character()
LEGS = legs_of(BODY)
SLOPE = (0.2, -0.1)


def standing(turn=None):
    """Return a state of the standing body, turned as a whole about its left ankle."""
    origins, _ = BODY.standing()
    turn = np.eye(3) if turn is None else turn
    ankle = origins[LEGS[0].foot]
    count = len(origins)
    zeros = np.zeros((count, 3))
    placed = ankle + (origins - ankle) @ turn.T
    return BodyState(0.0, placed, np.tile(turn, (count, 1, 1)), placed, zeros, zeros, np.zeros(count))


def test_a_plane_of_ground_is_seen_as_it_is_from_any_side():
    view = SlopeView(Floor(0.0, ground_of("10 degrees up and across")), LEGS)
    for yaw in (0.0, 1.0, -2.5):
        found = view.under_foot(0, complex(3.0, 0.2), yaw)
        assert found.slope == pytest.approx((math.tan(math.radians(10.0)),) * 2)
        assert found.height == pytest.approx(math.tan(math.radians(10.0)) * (3.0 - 1.2 + 0.2))


def test_between_two_planes_the_ground_goes_from_one_to_the_other():
    first, last = GroundPlane(0j, 0.0, (0.0, 0.0)), GroundPlane(1 + 0j, 0.2, SLOPE)
    assert between_planes(first, last, 0.0) == first and between_planes(first, last, 1.0) == last
    assert between_planes(first, last, 0.5).height == pytest.approx(0.1)


def test_a_plane_turns_the_vertical_to_its_normal():
    plane = GroundPlane(0j, 0.0, SLOPE)
    assert plane.turn @ (0.0, 0.0, 1.0) == pytest.approx(plane.normal)
    assert plane.turn @ plane.turn.T == pytest.approx(np.eye(3))
    assert plane.at(1 + 2j) == pytest.approx(0.2 * 1.0 - 0.1 * 2.0)


def test_a_foot_that_lies_on_a_slope_is_as_flat_as_one_on_a_floor():
    plane, leg = GroundPlane(0j, 0.0, SLOPE), LEGS[0]
    floor = sole_of(standing(), leg, 0.02, 0.0)
    found = sole_on(plane, standing(plane.turn), leg, 0.02, 0.0)
    assert found.pitch == pytest.approx(floor.pitch, abs=1e-9) and found.yaw == pytest.approx(floor.yaw, abs=1e-9)
    assert (found.low, found.high) == pytest.approx((floor.low, floor.high))
    ankle = standing().origins[leg.foot]
    x, y, _ = ankle - leg.ankle_height * np.array(plane.normal)
    assert found.anchor == pytest.approx(complex(x, y))


def test_a_sole_over_a_ridge_is_pressed_no_farther_than_it_touches():
    top, leg = 3.6, LEGS[0]
    ridge = mesh((-2.0, 1.2, top, 6.0, 12.0), (-3.0, 3.0), hill(10.0))
    view = SlopeView(Floor(0.0, ridge), LEGS)
    state = standing()
    height = Floor(0.0, ridge).height(top, 0.0)
    at = np.array((top - 0.5 * leg.ball, 0.0, height + leg.ankle_height))
    state.origins += at - state.origins[leg.foot]
    view.planes = [view.under_foot(side, complex(at[0], at[1]), 0.0) for side in (0, 1)]
    found = view.sole(0, state, toe_drops(BODY, LEGS)[0], 0.0)
    # Level over the ridge: neither heel nor ball is on the ground, what is near the ridge is.
    assert leg.heel < found.low < found.high < leg.ball


def test_friction_holds_what_lies_in_its_cone_about_the_normal():
    slope = (0.3, 0.0)
    plane = GroundPlane(0j, 0.0, slope)
    for way in (0.0, 1.0, 2.0, math.pi):
        level = cmath.rect(2000.0, way)
        share = _holding((level.real, level.imag, 700.0), slope)
        assert 0.0 < share < 1.0
        force = np.array((share * level.real, share * level.imag, 700.0))
        pressing = float(force @ plane.normal)
        lying = float(np.linalg.norm(force - pressing * np.array(plane.normal)))
        assert lying == pytest.approx(FRICTION * pressing)
    assert _holding((50.0, 0.0, 700.0), slope) == 1.0


def test_steps_are_shorter_and_slower_and_hips_lower_on_slopes_alone():
    floors = Floor(0.0, ground_of("9 degrees down")), Floor(0.0)
    found = []
    for floor in floors:
        view, state = SlopeView(floor, LEGS), standing()
        state.origins[:, 0] += 4.0
        view.feel(state, 0.0)
        found.append((view.quick, view.fastest, view.sinking(0.6), view.leaning))
    steep, level = found
    assert level[0] == 1.0 and level[2] == level[3] == steep[3] == 0.0
    assert steep[0] < 0.85 and steep[1] < 1.15 < level[1] and steep[2] > 0.02


def test_hips_go_up_and_down_less_the_steeper_it_is():
    calm = []
    for scene in ("10 degrees up", "20 degrees up", "9 degrees down", "18 degrees down"):
        view, state = SlopeView(Floor(0.0, ground_of(scene)), LEGS), standing()
        state.origins[:, 0] += 4.0
        view.feel(state, 0.0)
        calm.append(view.calm)
    assert 1.0 > calm[0] > calm[1] >= 0.0 and 1.0 > calm[2] > calm[3] >= 0.0


@pytest.mark.long
def test_the_hips_are_where_they_were_to_be_as_a_step_begins(monkeypatch):
    """What they are lowered by, on slopes and under beams, is no more because a step begins."""
    heights = []
    torques = NaturalWalk.torques

    def noted(walk, state, command):
        found = torques(walk, state, command)
        heights.append((walk.step.phase, walk.hips_height))
        return found

    monkeypatch.setattr(NaturalWalk, "torques", noted)
    simulate(replace(job_of("18 degrees down, 0.8 m/s", BODY, seed=1), duration=6.0))
    begins = [abs(b[1] - a[1]) for a, b in pairwise(heights[600:]) if b[0] < a[0] - 0.5]
    assert len(begins) > 4 and np.median(begins) < 0.01


@pytest.mark.long
@pytest.mark.parametrize(
    "scene",
    [
        "20 degrees up, 0.8 m/s",
        "18 degrees down, 0.8 m/s",
        "10 degrees up, 1.2 m/s",
        "a hill of 15 degrees, 0.8 m/s",
        "15 degrees across, 0.8 m/s",
        "rough, 0.05 m, 0.8 m/s",
    ],
)
def test_it_walks_on_the_ground_that_it_says_it_walks_on(scene):
    job = job_of(scene, BODY, seed=1)
    motion = steady(job)
    assert fell_at(motion, job) is None and penetration(motion, job) < 12.0
    height = motion.root[-1, 2] - job.floor.height(*motion.root[-1, :2].tolist())
    assert height == pytest.approx(BODY.stand_height, abs=0.06)


@pytest.mark.long
def test_soles_lie_along_the_slope_and_the_trunk_is_upright():
    job = job_of("15 degrees across, 0.8 m/s", BODY, seed=1)
    motion = simulate(replace(job, duration=5.0))
    bears = motion.loads[:, 0] > 0.95 * BODY.mass * 9.81
    flat = np.flatnonzero((motion.times > 2.0) & bears)
    assert len(flat) > 20
    foot, chest = (quaternion_matrix(motion.rotations[flat, BODY.index(role)]) for role in ("foot.L", "chest"))
    up = GroundPlane(0j, 0.0, (0.0, math.tan(math.radians(15.0)))).normal
    assert np.median(foot[:, :, 2] @ up) > math.cos(math.radians(3.0))
    assert np.median(chest[:, 2, 2]) > math.cos(math.radians(6.0))


def test_what_it_cannot_walk_on_is_refused():
    job = job_of("10 degrees up, 0.8 m/s", BODY)
    steep = mesh((-2.0, 1.2, 12.0), (-3.0, 3.0), sloping(22.0))
    with pytest.raises(DataError, match="slopes 22 degrees up"):
        check_terrain(replace(job, world=World(ground=steep)))
    with pytest.raises(DataError, match="takes no stairs and slopes"):
        simulate(replace(job, preset=preset("natural", "backward")))


@pytest.mark.parametrize("high", [0.1, 2.4])
def test_nothing_is_stepped_over_or_ducked_under_on_slopes(high):
    job = job_of("10 degrees up, 0.8 m/s", BODY)
    bar = Thing(
        "bar",
        Solid("box", (0.05, 0.6, 0.05)),
        (3.5, 0.0, job.floor.height(3.5, 0.0) - 0.04 + high - 0.85 * (high > 1.0)),
    )
    with pytest.raises(DataError, match="is on a way that is not level"):
        check_way(replace(job, world=replace(job.world, things=(bar,))))


def test_hands_do_nothing_on_slopes():
    job = job_of("10 degrees up, 0.8 m/s", BODY)
    with pytest.raises(DataError, match="neither level nor stairs"):
        simulate(replace(job, world=replace(job.world, targets=(Target("apple", "reach", (4.0, 0.2, 1.0)),))))
