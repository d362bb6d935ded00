"""Where to step: the inverted pendulum model (Coros 2010, section 3.2; Pratt and Tedrake 2006)."""

from __future__ import annotations

import math


def frequency(height: float, gravity: float) -> float:
    """Return how fast the linear pendulum falls, w = sqrt(g / h), rad/s; units as in ``stop_distance``."""
    return math.sqrt(gravity / height)


def stop_distance(velocity: float, height: float, gravity: float) -> float:
    """Return how far ahead, m (signed), a foot must be for the pendulum to come to rest over it.

    d = v sqrt(h / g + v^2 / 4 g^2): the constant-length pendulum's energy at rest. velocity: m/s; height
    of the centre of mass above the foot, m; gravity, m/s2.
    """
    return velocity * math.sqrt(height / gravity + velocity * velocity / (4.0 * gravity * gravity))


def speed_offset(speed: float, step_time: float, height: float, gravity: float) -> float:
    """Return how much nearer than ``stop_distance`` to step, m (signed), so that ``speed`` is held.

    The paper takes a constant times the speed, which holds one speed only for one step time. Here it is
    solved: in the periodic gait of the linear pendulum the feet stand a step length apart, half on either
    side of the centre of mass at the strike, when its velocity is v w t/2 coth(w t/2), w^2 = g / h.
    """
    half = 0.5 * step_time * frequency(height, gravity)
    at_strike = speed * half / math.tanh(half)
    return stop_distance(at_strike, height, gravity) - 0.5 * speed * step_time


def width_offset(width: float, step_time: float, height: float, gravity: float) -> float:
    """Return how far outside the capture point to step, m, for feet ``width`` m apart.

    The linear pendulum's symmetric sideways sway (Hof 2008, constant offset control).
    """
    return 0.5 * width * (1.0 - math.tanh(0.5 * step_time * frequency(height, gravity)))


def swayed(position: float, velocity: float, time: float, height: float, gravity: float) -> tuple[float, float]:
    """Return the linear pendulum's position, m, and velocity, m/s, after ``time`` s; its foot is at 0."""
    w = frequency(height, gravity)
    c, s = math.cosh(w * time), math.sinh(w * time)
    return position * c + velocity / w * s, position * w * s + velocity * c
