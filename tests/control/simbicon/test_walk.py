"""SIMBICON on arrays and on the engine: what its torques do, how it is led, how gaits follow each other."""

import math
from itertools import pairwise

import numpy as np
import pytest

from blender_biped.base.spatial import axis_angle_quaternion, quaternion_matrix
from blender_biped.character.reference import GRAVITY
from blender_biped.character.standard import standard_character
from blender_biped.control.shared.legs import LEFT, RIGHT
from blender_biped.control.shared.state import BodyState
from blender_biped.control.shared.steering import Command
from blender_biped.control.simbicon.fitted import STIFFEST, stiffer
from blender_biped.control.simbicon.settings import read_gait
from blender_biped.control.simbicon.walk import GaitCue, Simbicon
from blender_biped.motion.similarity import at_reference_size
from blender_biped.physics.engine import Engine
from blender_biped.preset.preset import preset
from blender_biped.simulate import control_step
from tools.measure.grid import characters

CHARACTER = at_reference_size(standard_character())
WALK = read_gait(preset("simbicon", "walk").values)
RUN = read_gait(preset("simbicon", "run").values)
HOP = read_gait(preset("simbicon", "hop").values)
COUNT = len(CHARACTER.links)
STEP = control_step("simbicon", [preset("simbicon", "walk").values])


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


def walked(walk, seconds, told=lambda time: command(min(0.8, max(0.0, 0.4 * (time - 1.0))))):
    """Return the states of a walk from standing, some of them, until it falls."""
    states = []
    with Engine(CHARACTER, step=STEP) as engine:
        for count in range(int(seconds / STEP)):
            state = engine.state()
            if count % 12 == 0:
                states.append(state)
            if state.origins[0, 2] < 0.5 * CHARACTER.stand_height:
                break
            engine.apply(walk.torques(state, told(state.time)), state.matrices)
            engine.step()
    return states


def set_off(walk, state):
    """Let a walk begin at once, on the left leg."""
    walk._set_off(state, command(), LEFT)
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


def test_the_stance_hip_makes_up_for_the_swing_hip():
    walk = set_off(controller(), standing(loads=(1.0, 0.0)))
    for count in range(30):
        walk._feet.feel(standing(loads=(1.0, 0.0), time=count * STEP))
    weights, tracked = walk._weights()
    assert weights == (1.0, 0.0) and tracked == (0.0, 1.0)


@pytest.mark.parametrize("side", [LEFT, RIGHT])
def test_a_foot_that_swings_is_free_though_its_load_lasts(side):
    walk = set_off(controller(), standing(loads=(0.5, 0.5)))
    walk._feet.feel(standing(loads=(0.5, 0.5)))
    walk._machine.stance = side
    assert walk._planted == (side == LEFT, side == RIGHT)
    walk.mode = "stand"
    assert walk._planted == (True, True)


def test_it_slows_down_and_stands_before_it_hops():
    walk = controller(GaitCue(0.0, WALK), GaitCue(3.0, HOP, 0, HOP.usual))
    seen, asked = [], [0.0]

    def told(time):
        seen.append((time, walk.mode, walk.gait, walk.resting))
        asked[0] = min(asked[0] + 0.4 * STEP, walk.wished_speed(0.8)) if walk.walking else 0.0
        return command(asked[0])

    states = walked(walk, 11.0, told)
    assert states[-1].time > 10.9
    stood = [time for time, mode, _, _ in seen if mode == "stand" and time > 3.0]
    assert stood and all(gait is WALK for time, _, gait, _ in seen if time <= stood[-1])
    assert not any(resting for *_, resting in seen)  # its walk has not come to its end
    assert walk.gait is HOP and stood[-1] < 9.0
    landings = [time for time, _ in walk.strikes if time > stood[-1] + 0.5]
    assert len(landings) > 2


def test_in_the_air_no_hip_makes_up_for_anything():
    walk = set_off(controller(), standing(loads=(0.0, 0.0)))
    walk._feet.feel(standing(loads=(0.0, 0.0)))
    assert walk._weights() == ((0.0, 0.0), (1.0, 1.0))


def test_a_gait_follows_when_its_cue_is_due():
    walk = controller(GaitCue(0.0, WALK), GaitCue(3.0, RUN, 0, RUN.usual))
    seen = {}
    with Engine(CHARACTER, step=STEP) as engine:
        for _ in range(int(4.0 / STEP)):
            state = engine.state()
            engine.apply(walk.torques(state, command(0.5)), state.matrices)
            seen[walk.gait is RUN] = state.time
            engine.step()
    assert 3.0 <= seen[False] < 3.7 and True in seen


def test_a_cue_waits_for_the_steps_of_the_gait_before():
    walk = set_off(controller(GaitCue(0.0, WALK, steps=3), GaitCue(0.0, RUN)), standing())
    for steps in range(5):
        walk._cue_steps = steps
        walk._change_gait(standing(time=1.0), command())
        assert (walk.gait is RUN) == (steps >= 3)


def test_too_slow_for_its_gait_it_goes_on_in_one_that_can_stop():
    walk = set_off(controller(GaitCue(0.0, RUN), ending=[WALK]), standing())
    walk._change_gait(standing(time=1.0), command(speed=RUN.slowest + 0.1, left=1.0))
    assert walk.gait is RUN
    walk._change_gait(standing(time=1.0), command(speed=RUN.slowest - 0.1, left=1.0))
    assert walk.gait is WALK


def test_a_speed_beyond_its_range_is_not_asked_of_a_gait():
    walk = controller()
    assert walk.wished_speed(99.0) == pytest.approx(WALK.fastest)
    assert walk.wished_speed(0.0) == pytest.approx(WALK.slowest)
    cued = controller(GaitCue(0.0, WALK, 0, 0.5 * WALK.fastest))
    assert cued.wished_speed(99.0) == pytest.approx(0.5 * WALK.fastest)


def test_strides_that_are_too_slow_are_answered():
    walk = controller()
    walk._lead(0.5, 0.0, True)
    assert walk._answer[0] > 0.0 and walk._answer[1] == 0.0
    for _ in range(1000):
        walk._lead(0.5, -0.5, True)
    assert walk._answer[0] == pytest.approx(-walk._answer[1])
    assert walk._answer[0] <= 2.0 * WALK.leading.most


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
    right = controller()
    right._set_off(standing(loads=(0.0, 1.0)), command(), RIGHT)
    for count in range(20):
        time = count * STEP
        a = left.torques(standing(loads=(1.0, 0.0), time=time), command())
        b = right.torques(standing(loads=(0.0, 1.0), time=time), command())
    for part in ("thigh", "shin", "foot"):
        one, other = a[CHARACTER.index(f"{part}.R")], b[CHARACTER.index(f"{part}.L")]
        assert np.allclose(one, other * (-1.0, 1.0, -1.0), atol=1e-6)


def test_it_faces_where_it_is_told():
    assert controller(facing=math.radians(90.0)).facing == pytest.approx(math.radians(90.0))


def test_a_hop_begins_from_both_feet_at_once():
    walk, hop = controller(), controller(GaitCue(0.0, HOP))
    for time in (0.0, 1.0, 1.0 + STEP):
        for each in (walk, hop):
            each.torques(standing(time=time), command())
    assert walk.mode == "shift" and hop.mode == "walk"


def test_a_hop_is_balanced_about_the_middle_of_both_feet():
    swing, stance = CHARACTER.index("thigh.R"), CHARACTER.index("thigh.L")
    told = []
    for place in (0.0, 0.05):
        hop = set_off(controller(GaitCue(0.0, HOP)), standing())
        hop._machine.index = 2  # in the air, where its feedback is
        state = standing(place=(0.0, place, 0.0))
        feet = [CHARACTER.index(f"foot.{side}") for side in "LR"]
        state.origins[feet] -= (0.0, place, 0.0)  # the body leans, its feet stay
        wished = hop._wished(state, command(), 0.0, hop._fit.bases[LEFT], np.zeros((COUNT, 3, 4)), 1.0)
        com = (0.0, float(CHARACTER.masses @ state.coms[:, 1]) / CHARACTER.mass, 1.0)
        hop._feed_back(wished, state, 0.0, hop._fit.told(0, 2, LEFT), com, (0.0, 0.0, 0.0))
        told.append([float(wished[link][2, 1]) for link in (stance, swing)])
    (left, right), (left_lean, right_lean) = told
    assert left == pytest.approx(-right, abs=1e-6)  # upright: the legs alike
    assert left_lean - left == pytest.approx(right_lean - right, rel=0.05)  # both follow to the side
    assert left_lean > left


def test_one_loaded_foot_alone_holds_the_pelvis_level(monkeypatch):
    tilt = quaternion_matrix(axis_angle_quaternion(np.array((1.0, 0.0, 0.0)), 0.1))
    found = []
    for loads in ((0.5, 0.5), (1.0, 0.0)):
        walk = controller()
        asked: list[float] = []
        whole = walk._fit.assembled

        def told(tracking, weights, tracked, asked=asked, whole=whole):
            asked.append(float(tracking[..., 0, 0].flat[0]))
            return whole(tracking, weights, tracked)

        monkeypatch.setattr(walk._fit, "assembled", told)
        for count in range(20):  # loads are followed a little late
            walk._feet.feel(standing(loads=loads, time=count * STEP))
        state = standing(loads=loads)
        state.matrices[0] = tilt
        walk.torques(state, command(left=0.0))
        found.append(abs(asked[0]))
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
