"""SIMBICON on arrays and on the engine: what its torques do, how it is led, how gaits follow each other."""

import math
from itertools import pairwise

import numpy as np
import pytest

from blender_biped.base.spatial import axis_angle_quaternion, quaternion_matrix
from blender_biped.character.reference import GRAVITY
from blender_biped.character.standard import standard_character
from blender_biped.control.shared.cues import GaitCue
from blender_biped.control.shared.legs import LEFT, RIGHT
from blender_biped.control.shared.stand import planted_feet
from blender_biped.control.shared.state import BodyState
from blender_biped.control.shared.steering import Command
from blender_biped.control.simbicon.fitted import STIFFEST, stiffer
from blender_biped.control.simbicon.kind import SIMBICON
from blender_biped.control.simbicon.settings import read_gait
from blender_biped.control.simbicon.stepping import bearing_shares
from blender_biped.control.simbicon.walk import Simbicon
from blender_biped.motion.similarity import at_reference_size
from blender_biped.physics.engine import Engine
from blender_biped.physics.options import EngineOptions
from blender_biped.preset.preset import preset
from blender_biped.walking import control_step
from tools.measure.grid import characters

CHARACTER = at_reference_size(standard_character())
WALK = read_gait(preset("simbicon", "walk").values)
RUN = read_gait(preset("simbicon", "run").values)
HOP = read_gait(preset("simbicon", "hop").values)
COUNT = len(CHARACTER.links)
STEP = control_step(SIMBICON, [preset("simbicon", "walk").values])


def controller(*cues, ending=(), **options):
    return Simbicon(CHARACTER, cues or [GaitCue(0.0, WALK)], ending, GRAVITY, STEP, **options)


def standing(velocity=(0.0, 0.0, 0.0), place=(0.0, 0.0, 0.0), loads=(0.5, 0.5), time=0.0):
    origins, rotations = CHARACTER.standing()
    origins = origins + place
    velocities = np.tile(velocity, (COUNT, 1)).astype(float)
    forces = np.zeros(COUNT)
    for side, share in zip("LR", loads, strict=True):
        forces[CHARACTER.index(f"foot.{side}")] = share * CHARACTER.mass * GRAVITY
    coms = CHARACTER.com_positions(origins, rotations)
    return BodyState(time, origins, quaternion_matrix(rotations), coms, velocities, np.zeros((COUNT, 3)), forces)


def command(speed=0.8, heading=0.0, drift=0.0, left=10.0):
    return Command(speed, heading, drift, 0.0, 0.0, left)


def walked(walk, seconds, commanded=lambda time: command(min(0.8, max(0.0, 0.4 * (time - 1.0))))):
    """Return the states of a walk from standing, some of them, until it falls."""
    states = []
    with Engine(CHARACTER, options=EngineOptions(step=STEP)) as engine:
        for count in range(int(seconds / STEP)):
            state = engine.state()
            if count % 12 == 0:
                states.append(state)
            if state.origins[0, 2] < 0.5 * CHARACTER.stand_height:
                break
            engine.apply(walk.torques(state, commanded(state.time)), state.matrices)
            engine.step()
    return states


def set_off(walk, state, stance=LEFT):
    """Let a walk begin at once."""
    walk.set_off(state, command(), stance)
    return walk


def test_it_stands_before_it_walks():
    walk = controller()
    assert not walk.walking and not walk.resting
    torque = walk.torques(standing(), command())
    assert torque.shape == (COUNT, 3) and np.isfinite(torque).all()


def test_it_does_not_set_off_where_there_is_nothing_to_walk():
    walk = controller()
    for count in range(720):
        walk.torques(standing(time=count * STEP), command(left=0.0))
    assert not walk.walking


def test_walks_from_standing_and_takes_turns():
    walk = controller()
    states = walked(walk, 6.0)
    assert states[-1].time > 5.9
    assert states[-1].origins[0, 0] > 1.0
    sides = [side for _, side in walk.strikes]
    assert len(sides) > 6
    assert all(a != b for a, b in pairwise(sides))


@pytest.mark.parametrize("plane", [0, 1])
def test_the_swing_hip_answers_a_body_that_moves(plane):
    """Equation 1: a faster body has its foot put further in the way that it moves."""
    thigh = CHARACTER.index("thigh.R")
    torques = []
    for speed in (0.0, 0.5):
        velocity = [0.0, 0.0, 0.0]
        velocity[plane] = speed
        walk = set_off(controller(), standing(loads=(1.0, 0.0)))
        for count in range(60):
            torque = walk.torques(standing(velocity, loads=(1.0, 0.0), time=count * STEP), command())
        torques.append(torque[thigh])
    more = torques[1] - torques[0]
    assert more[1] < -1.0 if plane == 0 else more[0] > 1.0  # flexion is a negative pitch, to the left a positive roll


@pytest.mark.parametrize("stance", [LEFT, RIGHT])
def test_the_stance_hip_alone_makes_up_the_root_torque(stance):
    loads = [1000.0 * (side == stance) for side in (LEFT, RIGHT)]
    assert bearing_shares(loads, 700.0, stance, 1.0) == (1.0 - stance, float(stance))


def test_in_the_air_no_hip_makes_up_for_anything():
    assert bearing_shares((0.0, 0.0), 700.0, LEFT, 1.0) == (0.0, 0.0)


@pytest.mark.parametrize("loads", [(350.0, 350.0), (600.0, 100.0), (60.0, 700.0), (100.0, 20.0)])
def test_hips_share_the_root_torque_by_their_loads_and_mirrored_loads_give_mirrored_shares(loads):
    left, right = bearing_shares(loads, 700.0, None, 1.0)
    assert bearing_shares(loads[::-1], 700.0, None, 1.0) == (right, left)
    assert 0.0 <= left + right <= 1.0 and (left > right) == (loads[0] > loads[1])


@pytest.mark.parametrize("side", [LEFT, RIGHT])
def test_a_foot_that_swings_is_free_though_its_load_lasts(side):
    assert planted_feet((350.0, 350.0), 700.0, side) == (side == LEFT, side == RIGHT)
    assert planted_feet((350.0, 350.0), 700.0, None) == (True, True)


@pytest.mark.long
def test_it_slows_down_and_stands_before_it_hops():
    walk = controller(GaitCue(0.0, WALK), GaitCue(3.0, HOP, 0, HOP.usual))
    seen, speed = [], [0.0]

    def commanded(time):
        seen.append((time, walk.mode, walk.gait, walk.resting))
        speed[0] = min(speed[0] + 0.4 * STEP, walk.desired_speed(0.8)) if walk.walking else 0.0
        return command(speed[0])

    states = walked(walk, 11.0, commanded)
    assert states[-1].time > 10.9
    stood = [time for time, mode, _, _ in seen if mode == "stand" and time > 3.0]
    assert stood and all(gait is WALK for time, _, gait, _ in seen if time <= stood[-1])
    assert not any(resting for *_, resting in seen)  # its walk has not come to its end
    assert walk.gait is HOP and stood[-1] < 9.0
    landings = [time for time, _ in walk.strikes if time > stood[-1] + 0.5]
    assert len(landings) > 2


def test_a_gait_follows_when_its_cue_is_due():
    walk = controller(GaitCue(0.0, WALK), GaitCue(3.0, RUN, 0, RUN.usual))
    seen = {}
    with Engine(CHARACTER, options=EngineOptions(step=STEP)) as engine:
        for _ in range(int(4.0 / STEP)):
            state = engine.state()
            engine.apply(walk.torques(state, command(0.5)), state.matrices)
            seen[walk.gait is RUN] = state.time
            engine.step()
    assert 3.0 <= seen[False] < 3.7 and True in seen


@pytest.mark.parametrize(("faster", "gait"), [(0.1, RUN), (-0.1, WALK)])
def test_too_slow_for_its_gait_it_goes_on_in_one_that_can_stop(faster, gait):
    walk = set_off(controller(GaitCue(0.0, RUN), ending=[WALK]), standing())
    for count in range(round(0.5 / STEP)):
        state = standing(loads=(1.0, 0.0), time=count * STEP)
        walk.torques(state, command(speed=RUN.slowest + faster, left=1.0))
    assert walk.gait is gait


def test_a_gait_that_still_gets_up_to_its_speed_does_not_end_for_that():
    walk = set_off(controller(GaitCue(0.0, RUN), ending=[WALK]), standing())
    for count in range(round(0.5 / STEP)):
        state = standing(loads=(1.0, 0.0), time=count * STEP)
        walk.torques(state, command(speed=0.5 * RUN.slowest, left=7.0))
    assert walk.gait is RUN


def test_a_speed_beyond_its_range_is_not_desired_of_a_gait():
    walk = controller()
    assert walk.desired_speed(99.0) == pytest.approx(WALK.fastest)
    assert walk.desired_speed(0.0) == pytest.approx(WALK.slowest)
    cued = controller(GaitCue(0.0, WALK, 0, 0.5 * WALK.fastest))
    assert cued.desired_speed(99.0) == pytest.approx(0.5 * WALK.fastest)


def test_a_wider_walk_spreads_both_legs():
    rolls = []
    for width in (0.0, 0.1):
        walk = set_off(controller(width=width), standing(loads=(1.0, 0.0)))
        for count in range(30):
            torque = walk.torques(standing(loads=(1.0, 0.0), time=count * STEP), command())
        rolls.append(torque[CHARACTER.index("thigh.R"), 0])
    assert rolls[1] < rolls[0] - 1.0  # the right leg, to the right


def test_mirrored_states_give_mirrored_torques():
    left = set_off(controller(), standing(loads=(1.0, 0.0)))
    right = set_off(controller(), standing(loads=(0.0, 1.0)), RIGHT)
    for count in range(20):
        time = count * STEP
        a = left.torques(standing(loads=(1.0, 0.0), time=time), command())
        b = right.torques(standing(loads=(0.0, 1.0), time=time), command())
    for part in ("thigh", "shin", "foot"):
        one, other = a[CHARACTER.index(f"{part}.R")], b[CHARACTER.index(f"{part}.L")]
        assert np.allclose(one, other * (-1.0, 1.0, -1.0), atol=1e-6)


def test_it_faces_as_it_is_set():
    assert controller(facing=math.radians(90.0)).facing == pytest.approx(math.radians(90.0))


def test_a_hop_begins_from_both_feet_at_once():
    walk, hop = controller(), controller(GaitCue(0.0, HOP))
    for time in (0.0, 1.0, 1.0 + STEP):
        for each in (walk, hop):
            each.torques(standing(time=time), command())
    assert walk.mode == "shift" and hop.mode == "walk"


def test_one_loaded_foot_alone_holds_the_pelvis_level():
    """With both feet down, the hips' roll would move load from foot to foot: that is left to the sway."""
    tilt = quaternion_matrix(axis_angle_quaternion(np.array((1.0, 0.0, 0.0)), 0.1))
    thighs = [CHARACTER.index(f"thigh.{side}") for side in "LR"]
    found = []
    for loads, bearing in (((0.5, 0.5), thighs), ((1.0, 0.0), thighs[:1])):
        rolls = []
        for turn in (np.eye(3), tilt):
            walk = controller()
            for count in range(20):  # loads are followed a little late
                state = standing(loads=loads, time=count * STEP)
                state.matrices[:] = turn
                torque = walk.torques(state, command(left=0.0))
            rolls.append(float(torque[bearing, 0].sum()))
        found.append(abs(rolls[1] - rolls[0]))
    both, one = found
    assert one > 5.0 * both > 0.0


def test_a_spine_is_stiffer_under_a_big_head_and_the_standard_one_as_it_is():
    assert stiffer(CHARACTER).tolist() == [1.0] * COUNT
    body = characters()["big-head"]
    factors = stiffer(body)
    assert factors[body.index("head")] > factors[body.index("abdomen")] > 1.5
    assert factors[body.index("thigh.L")] == factors[0] == 1.0
    assert factors.max() <= STIFFEST
    assert stiffer(characters()["heavy"]) == pytest.approx(1.0)  # heavier all over is no reason
