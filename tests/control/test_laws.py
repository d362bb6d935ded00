"""What holds for every walk on legs, whatever its controller.

It has no favourite side and no favourite direction of the world; no torque comes from outside the body, so that joints
alone change no momentum; a small body walks as a large one does; and steps are taken in turn, on feet that stand still.
KLAW has no torques: what it has are motions, and the same is asked of them.
"""

import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from blender_biped.base.spatial import quaternion_matrix, yaw_quaternion
from blender_biped.character.standard import standard_character
from blender_biped.control.limit_cycle.leading import Taken
from blender_biped.control.registry import kind_of, kinds, preset
from blender_biped.control.shared.legs import LEFT, RIGHT
from blender_biped.job import Job
from blender_biped.motion.motion import RATE
from blender_biped.motion.similarity import Similarity
from blender_biped.simulate import simulate
from blender_biped.world.path import Path
from tests.control.bodies import CHARACTER, COUNT, command, standing
from tests.marks import long_but

STEP = 1.0 / 360.0
STEPS = 40
STYLES = {"generalized": "default", "simbicon": "walk", "limit_cycle": "default", "natural": "default", "klaw": "walk"}
SPEEDS = {"generalized": 1.0, "simbicon": 1.0, "limit_cycle": 0.4, "natural": 1.0, "klaw": 1.2}
"""Of each controller that walks in space, m/s."""
DRIVEN = [name for name in STYLES if name != "klaw"]
CONTROLLERS = pytest.mark.parametrize("controller", DRIVEN)
SIDES = {"natural": 2e-3}
"""How much torques may differ from mirrored ones, as a share of the largest one.

Natural walking's tables are two steps of KLAW, one with each leg, as KLAW has walked them one after the other: they
differ by up to 0.15 degrees and 0.6 mm. Others have one table, or none, that is mirrored.
"""
QUARTER = 0.25
"""Size of a small body. Its times and lengths differ by powers of two: nothing is rounded otherwise."""


def test_every_controller_that_walks_in_space_is_here():
    assert {kind.name for kind in kinds()} - {"planar"} == set(STYLES)


def of(name):
    """Return a controller. Limit-cycle control takes its steps as they are, without trying them."""
    steps = ((0.0,) * 4,) * 20 if name == "limit_cycle" else ()
    job = Job(CHARACTER, Path([(0, 0), (40, 0)]), preset(name, STYLES[name]), SPEEDS[name], perturbations=steps)
    made = kind_of(name).controller
    assert made is not None
    walk = made(job, STEP)
    walk.props = lambda: np.zeros((0, 7))  # as the simulation gives it: there are none
    return walk


def last_torque(walk, loads, velocity, heading=0.0, left=10.0):
    """Return the torques (L, 3) after some steps on a body that is held so; velocity: ahead and to the left, m/s.

    left: of the path, m.
    """
    c, s = math.cos(heading), math.sin(heading)
    x, y = velocity
    for count in range(STEPS):
        state = standing(loads, (c * x - s * y, s * x + c * y, 0.0), heading, time=count * STEP)
        torque = walk.torques(state, command(heading=heading, left=left))
    return torque


def walking(name, side):
    """Return a walk that has stood before and topples to ``side``: it steps at once, with that leg."""
    walk = of(name)
    walk.strikes.append((0.0, LEFT))
    if name == "limit_cycle":
        walk.steps.append(Taken(0.0, LEFT, np.zeros(4), np.zeros(4), 0.0, 0, 0))
    walk.torques(standing(velocity=(0.0, 0.8 if side == LEFT else -0.8, 0.0)), command(speed=0.0))
    assert walk.walking
    return walk


def mirrored(torque):
    found = np.empty_like(torque)
    for i, other in enumerate(others()):
        found[other] = torque[i] * (-1.0, 1.0, -1.0)
    return found


@cache
def others():
    """Return the link on the other side for each link, itself where it has no side."""
    sides = {"L": "R", "R": "L"}
    roles = [link.role for link in CHARACTER.links]
    return [CHARACTER.index(role[:-1] + sides[role[-1]] if role[-2:-1] == "." else role) for role in roles]


def assert_mirrored(name, one, other, least):
    assert np.abs(one).max() > least
    assert np.allclose(other, mirrored(one), rtol=0.0, atol=max(SIDES.get(name, 0.0) * np.abs(one).max(), 1e-6))


@CONTROLLERS
def test_a_standing_body_in_a_mirror_has_mirrored_torques(controller):
    """Where there is nothing to walk: a walk from standing begins with the same leg whichever is loaded."""
    one = last_torque(of(controller), (0.6, 0.4), (0.05, 0.03), left=0.0)
    other = last_torque(of(controller), (0.4, 0.6), (0.05, -0.03), left=0.0)
    assert_mirrored(controller, one, other, 1.0)


@CONTROLLERS
def test_a_walking_body_in_a_mirror_has_mirrored_torques(controller):
    one = last_torque(walking(controller, RIGHT), (1.0, 0.0), (0.6, 0.1))
    other = last_torque(walking(controller, LEFT), (0.0, 1.0), (0.6, -0.1))
    assert_mirrored(controller, one, other, 10.0)


@CONTROLLERS
@pytest.mark.parametrize("heading", long_but([1.0, -2.8], -2.8))
def test_a_body_that_faces_elsewhere_has_turned_torques(controller, heading):
    turn = quaternion_matrix(yaw_quaternion(heading))
    for loads, velocity in (((0.6, 0.4), (0.05, 0.03)), ((0.2, 0.8), (0.1, 0.0))):
        one, other = (last_torque(of(controller), loads, velocity, angle) for angle in (0.0, heading))
        assert one.shape == (COUNT, 3)
        assert np.allclose(other, one @ turn.T, atol=1e-6)


@CONTROLLERS
def test_no_torque_comes_from_outside(controller):
    """What a joint does to a link it does to its parent the other way. The pelvis has no parent, and no joint."""
    standing_still = last_torque(of(controller), (0.6, 0.4), (0.05, 0.03), left=0.0)
    stepping = last_torque(walking(controller, RIGHT), (1.0, 0.0), (0.6, 0.1))
    for torque in (standing_still, stepping):
        assert np.abs(torque[0]).max() < 1e-6 < 1.0 < np.abs(torque).max()


def short_walk(name, character, size, seconds):
    """Return a walk ahead of so many seconds of a body of full size, or of the same of a smaller one."""
    path, pace = Path([(0.0, 0.0), (6.0 * size, 0.0)]), size**0.5
    return simulate(
        Job(character, path, preset(name, STYLES[name]), SPEEDS[name] * pace, duration=seconds * pace)
    )  # fmt: skip


@pytest.mark.parametrize("name", long_but(STYLES, "natural", "klaw"))
def test_a_small_body_walks_as_a_large_one_does(name):
    """Twice as quickly, for it falls twice as quickly: bit for bit, where the engine's steps are as many."""
    body = standard_character()
    small = Similarity(1.0 / QUARTER, 1.0 / QUARTER**0.5, 1.0 / QUARTER**3).character(body)
    large, little = short_walk(name, body, 1.0, 1.25), short_walk(name, small, QUARTER, 1.25)
    count = len(little.times)
    assert np.array_equal(large.times[::2][:count], 2.0 * little.times) and count > 70
    if name == "klaw":  # smooths over the samples that it gives, of which a small body has half as many
        assert np.allclose(little.root / QUARTER, large.root[::2], atol=2e-3)
        assert np.allclose(2.0 * little.strikes[:, 0], large.strikes[:, 0]) and len(large.strikes)
    else:
        assert np.array_equal(little.root / QUARTER, large.root[::2][:count])
        assert np.array_equal(little.rotations, large.rotations[::2][:count])
        assert np.abs(little.torques).max() > 0.0


# --- motions ---------------------------------------------------------------------------------------------------------


def mirror_image(rotations):
    """Return links' rotations (L, 4) as a mirror shows them that stands along x."""
    found = np.empty_like(rotations)
    found[others()] = rotations * (1.0, -1.0, 1.0, -1.0)
    return found


def test_klaw_s_step_with_one_leg_is_that_with_the_other_in_a_mirror():
    body = standard_character()
    motion = simulate(Job(body, Path([(0, 0), (12, 0)]), preset("klaw", "walk"), SPEEDS["klaw"]))
    assert [link.role for link in body.links] == [link.role for link in CHARACTER.links]
    steady = motion.strikes[(motion.strikes[:, 0] > 4.0) & (motion.strikes[:, 0] < 7.0), 0]
    step = float(np.diff(steady).mean())

    def at(time):
        rows = motion.rotations.reshape(len(motion.times), -1)
        return np.array([np.interp(time, motion.times, column) for column in rows.T]).reshape(-1, 4)

    for time in np.linspace(4.0, 4.0 + 2.0 * step, 9):
        assert np.abs(at(time)).max() > 0.9 and np.abs(at(time) - at(time + step)).max() > 0.1
        assert np.abs(at(time + step) - mirror_image(at(time))).max() < 3e-3


def test_klaw_s_bend_to_one_side_is_that_to_the_other_in_a_mirror():
    """Within 2 cm: whichever way the path bends, the walk begins with the same leg."""
    job = Job(standard_character(), Path([(0, 0), (4, 0), (8, 2)]), preset("klaw", "walk"), SPEEDS["klaw"])
    left, right = simulate(job), simulate(replace(job, path=Path([(0, 0), (4, 0), (8, -2)])))
    assert np.array_equal(left.strikes, right.strikes) and abs(left.root[-1, 1]) > 1.5
    assert np.abs(left.root * (1.0, -1.0, 1.0) - right.root).max() < 0.02


@pytest.mark.parametrize("name", long_but(STYLES, "natural", "klaw"))
def test_feet_step_in_turn_each_beyond_the_other_and_stand_where_they_came_down(name):
    length = 2.0 if name == "limit_cycle" else 3.5
    path = Path([(0.0, 0.0), (length, 0.0)])
    motion = simulate(Job(standard_character(), path, preset(name, STYLES[name]), SPEEDS[name], stop=False))
    # As limit-cycle control sets off, the foot of its first step touches the ground twice.
    times, sides = motion.strikes[name == "limit_cycle" :].T
    assert len(times) > 4 and (np.diff(sides) != 0.0).all()
    roles = [motion.character.index(f"toes.{side}") for side in "LR"]
    places = []
    for begin, end, side in zip(times, times[1:], sides, strict=False):
        late = (motion.times > 0.5 * (begin + end)) & (motion.times < end - 2.0 / RATE)
        toes = motion.origins[late, roles[int(side)]]
        assert np.ptp(toes, axis=0)[:2].max() < 0.005
        places.append(float(toes[:, 0].mean()))
    steps = np.diff(places)
    # It comes from rest into its cycle by two steps about on the spot; others set off ahead.
    spot = 2 if name == "limit_cycle" else 0
    assert (np.abs(steps[:spot]) < 0.05).all() and (steps[spot:] > 0.0).all()
    assert (steps[-2:] > 0.2 * length / len(steps)).all()
