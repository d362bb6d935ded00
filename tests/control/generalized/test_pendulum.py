"""The inverted pendulum: against its energy, and against a simulated linear pendulum."""

import math

import pytest

from blender_biped.control.generalized import pendulum

G, H = 9.81, 0.9


@pytest.mark.parametrize("velocity", [0.3, 1.2, 2.5])
def test_stop_distance_balances_the_energy(velocity):
    d = pendulum.stop_distance(velocity, H, G)
    assert 0.5 * velocity**2 + G * H == pytest.approx(G * math.hypot(H, d))
    assert pendulum.stop_distance(-velocity, H, G) == pytest.approx(-d)


def test_sway_solves_the_linear_pendulum():
    x, v, step = 0.05, -0.3, 1e-5
    for _ in range(40000):
        v += G / H * x * step
        x += v * step
    found = pendulum.swayed(0.05, -0.3, 0.4, H, G)
    assert found == pytest.approx((x, v), abs=1e-4)


@pytest.mark.parametrize("speed", [0.4, 1.0, 1.6])
@pytest.mark.parametrize("step_time", [0.4, 0.6])
def test_stepping_by_the_offset_holds_the_speed(speed, step_time):
    """A linear pendulum, started too slow, ends at the desired mean speed."""
    x, v = 0.0, 0.5 * speed
    for _ in range(60):
        begin = x
        x, v = pendulum.swayed(x, v, step_time, H, G)
        travelled = x - begin
        ahead = pendulum.stop_distance(v, H, G) - pendulum.speed_offset(speed, step_time, H, G)
        x = -ahead
    assert travelled / step_time == pytest.approx(speed, rel=1e-3)


@pytest.mark.parametrize("width", [0.1, 0.2])
def test_stepping_by_the_width_offset_keeps_the_feet_apart(width):
    y, v, side = 0.02, 0.0, 1.0
    for _ in range(60):
        y, v = pendulum.swayed(y, v, 0.5, H, G)
        foot = y + v / math.sqrt(G / H) + side * pendulum.width_offset(width, 0.5, H, G)
        y, side = y - foot, -side
    assert abs(foot) == pytest.approx(width, rel=1e-3)
