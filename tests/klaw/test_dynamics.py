"""The dynamic models: energy and momenta, the integrator's order, and the search for forces."""

import math

import numpy as np
import pytest

from blender_biped.character.reference import GRAVITY
from blender_biped.klaw import stance, swing
from blender_biped.klaw.attributes import Constants
from blender_biped.klaw.body import plane_of, scale_of
from blender_biped.klaw.dynamics import State, ZeroSearch, runge_kutta
from blender_biped.klaw.foot import on_ground, steepest, tip
from blender_biped.klaw.hips import Carrier
from blender_biped.klaw.track import grounded
from tests.klaw.walks import ADULT

PLANE = plane_of(ADULT, scale_of(ADULT, GRAVITY).length)


def stance_energy(u):
    w, a, b, w_rate, a_rate, b_rate = u
    p = PLANE
    x = w_rate * math.sin(a) + w * a_rate * math.cos(a) + p.r2 * b_rate * math.cos(b)
    y = w_rate * math.cos(a) - w * a_rate * math.sin(a) - p.r2 * b_rate * math.sin(b)
    moving = 0.5 * p.m2 * (x * x + y * y) + 0.5 * (p.i1 + p.m1 * p.r1**2) * a_rate**2 + 0.5 * p.i2 * b_rate**2
    height = p.m1 * p.r1 * math.cos(a) + p.m2 * (w * math.cos(a) + p.r2 * math.cos(b))
    return moving + GRAVITY * height


def test_a_leg_without_forces_keeps_its_energy():
    u: State = (0.9, -0.3, 0.1, 0.4, 1.2, -0.3)
    begin = stance_energy(u)
    for _ in range(100):
        u = runge_kutta(lambda t, v: stance.accelerations(PLANE, 0.0, 0.0, 0.0, v), 0.0, u, 0.002)
    assert stance_energy(u) == pytest.approx(begin, rel=1e-8)


def test_a_locked_leg_keeps_its_length_and_energy():
    u: State = (0.9, -0.3, 0.1, 0.0, 1.2, -0.3)
    begin = stance_energy(u)
    for _ in range(100):
        u = runge_kutta(lambda t, v: stance.locked(PLANE, 0.0, 0.0, v), 0.0, u, 0.002)
    assert u[0] == 0.9
    assert stance_energy(u) == pytest.approx(begin, rel=1e-8)


def test_a_swinging_leg_keeps_its_energy_in_a_falling_frame():
    hip = Carrier(0.0, 0.0, 0.0, 0.0)
    leg = swing.pendulum(PLANE)

    def energy(u):
        a, k, a_rate, _ = u
        p, both = PLANE, u[2] + u[3]
        shin = np.array([-p.l3 * a_rate * math.cos(a) - p.r4 * both * math.cos(a + k),
                         p.l3 * a_rate * math.sin(a) + p.r4 * both * math.sin(a + k)])  # fmt: skip
        moving = 0.5 * ((p.i3 + p.m3 * p.r3**2) * a_rate**2 + p.i4 * both**2 + p.m4 * shin @ shin)
        return moving - GRAVITY * (p.m3 * p.r3 * math.cos(a) + p.m4 * (p.l3 * math.cos(a) + p.r4 * math.cos(a + k)))

    u: State = (-0.5, 1.0, 2.0, -3.0)
    begin = energy(u)
    for _ in range(200):
        u = runge_kutta(lambda t, v: swing.accelerations(leg, 0.0, 0.0, hip, v), 0.0, u, 0.002)
    assert energy(u) == pytest.approx(begin, rel=1e-7)


def test_heel_strike_keeps_the_momenta_about_hip_and_foot():
    before, foot = stance.Entry(0.91, -0.42, 0.05, 0.0, 1.1, -0.2), (0.3, -0.5)
    after = stance.impact(PLANE, before, foot)

    def momenta(state, x, y):
        w, a, b, w_rate, a_rate, b_rate = state
        p = PLANE
        leg = np.array([x + p.r1 * a_rate * math.cos(a), y - p.r1 * a_rate * math.sin(a)])
        hip = np.array([x + w_rate * math.sin(a) + w * a_rate * math.cos(a),
                        y + w_rate * math.cos(a) - w * a_rate * math.sin(a)])  # fmt: skip
        body = hip + p.r2 * b_rate * np.array([math.cos(b), -math.sin(b)])
        arm, along = p.r2 * np.array([math.sin(b), math.cos(b)]), np.array([math.sin(a), math.cos(a)])
        about_hip = p.i2 * b_rate + p.m2 * (arm[1] * body[0] - arm[0] * body[1])
        at = w * along + arm
        about_foot = p.i1 * a_rate + p.m1 * p.r1 * (along[1] * leg[0] - along[0] * leg[1])
        about_foot += p.i2 * b_rate + p.m2 * (at[1] * body[0] - at[0] * body[1])
        return about_hip, about_foot, p.m2 * body @ along

    assert momenta(after, 0.0, 0.0) == pytest.approx(momenta(before, *foot), rel=1e-9)


def test_a_locking_knee_keeps_the_momentum_about_the_hip():
    leg = swing.pendulum(PLANE)
    rate = swing.locking(leg, (-0.4, 0.1, 0.3, -5.0))
    far = leg.far + 2.0 * leg.bent * math.cos(0.1)
    assert far * rate == pytest.approx(far * 0.3 + (leg.own + leg.bent * math.cos(0.1)) * -5.0)


def test_a_foot_on_the_ground_is_the_same_one_by_one_and_in_arrays():
    pitches, most = np.linspace(-0.6, 1.2, 37), math.radians(50.0)
    x, y, meta = grounded(PLANE, pitches, np.full(37, most))
    ones = np.array([on_ground(PLANE, pitch, most) for pitch in pitches])
    assert np.stack((x, y, pitches, meta), axis=1) == pytest.approx(ones, abs=1e-12)


def test_the_integrator_is_of_fourth_order():
    def error(steps):
        u: State = (1.0, 0.0)
        h = 1.0 / steps
        for i in range(steps):
            u = runge_kutta(lambda t, v: (-v[0] * 9.0,), i * h, u, h)
        return abs(u[0] - math.cos(3.0))

    assert error(100) / error(200) == pytest.approx(16.0, rel=0.1)


def test_the_search_finds_a_root_and_begins_there_the_next_time():
    search = ZeroSearch((0.0, 0.0), (0.1, 0.1), (1e-9, 1e-9))
    assert search.find(lambda x, y: (x * x + y - 3.0, x - y + 1.0))
    assert search.root == pytest.approx((1.0, 2.0), abs=1e-6)
    spent = search.evaluations
    assert search.find(lambda x, y: (x * x + y - 3.0, x - y + 1.0))
    assert search.evaluations == spent + 1


@pytest.mark.parametrize("speed", [0.6, 1.4])
def test_a_stance_comes_to_its_goal_in_time(speed):
    model = stance.StanceModel(PLANE, Constants())
    entry = stance.Entry(0.91, -0.3, 0.0, -0.3, speed, 0.0)
    solved = model.solved(entry, stance.StanceGoal(0.6, 0.91, 0.3, 0.3))
    assert solved.exact
    assert (solved.hips[-1].theta1, solved.hips[-1].length) == pytest.approx((0.3, 0.91), abs=1e-3)
    assert [h.time for h in solved.hips] == sorted(h.time for h in solved.hips)


def test_a_stance_without_a_way_is_led_to_its_goal():
    model = stance.StanceModel(PLANE, Constants())
    goal = stance.StanceGoal(0.4, 0.91, 0.3, 0.2)
    solved = model.solved(stance.Entry(0.91, 0.25, 0.0, 0.0, 60.0, 0.0), goal)  # far too fast
    assert not solved.exact
    assert (solved.hips[0].theta1, solved.hips[-1].theta1) == pytest.approx((0.25, 0.3))
    assert solved.hips[-1].time == pytest.approx(0.4) and solved.exit.w == pytest.approx(0.91)


@pytest.mark.parametrize("height", [-1.0, -0.05, 0.03, 0.1])
def test_a_foot_is_pitched_no_more_than_its_height_allows(height):
    pitch = steepest(PLANE, height, 0.2)
    x, y = tip(PLANE, 0.2)
    below = x * math.sin(pitch) - y * math.cos(pitch)
    assert below == pytest.approx(max(height, -math.hypot(x, y)))
    assert below <= x * math.sin(pitch + 0.01) - y * math.cos(pitch + 0.01)
