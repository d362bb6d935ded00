"""How long feet stay on the ground, and how long and how many the steps are."""

from __future__ import annotations

from itertools import product

import numpy as np

from .motion_view import MotionView
from .path_following import steady_speed
from .stride_means import mean

LEG_SHARE = 0.53  # leg length over body height (Winter 2009, figure 4.1)


def stance_percent(view: MotionView) -> float | None:
    """Return how much of a stride a foot is on the ground, %, over steady strides."""
    return mean(100.0 * (s.toe_off - s.start) / (s.end - s.start) for s in view.steady_strides)


def double_support_percent(view: MotionView) -> float | None:
    """Return how much of the time both feet are on the ground, %, over steady walking."""
    span = view.steady_span
    if span is None:
        return None
    both = sum(max(0.0, min(a.end, b.end, span[1]) - max(a.start, b.start, span[0])) for a, b in product(*view.stances))
    return 100.0 * both / (span[1] - span[0])


def flight_percent(view: MotionView) -> float | None:
    """Return how much of the time no foot is on the ground, %, over steady walking: running has flight."""
    span = view.steady_span
    if span is None:
        return None
    flight, down = 0.0, span[0]
    for start, end in sorted((s.start, s.end) for stances in view.stances for s in stances):
        flight += max(0.0, min(start, span[1]) - down)
        down = max(down, min(end, span[1]))
    return 100.0 * (flight + span[1] - down) / (span[1] - span[0])


def step_length(view: MotionView) -> float | None:
    """Return how far it comes along the path with a step, m, mean of steady steps: speed over cadence.

    Ankles are 8 % nearer than feet are set down apart: the foot behind is on its toes as the other one strikes.
    """
    length = _step_length(view)
    return None if length is None else view.scale * length


def cadence(view: MotionView) -> float | None:
    """Return the steps a minute over steady walking."""
    span = view.steady_span
    if span is None:
        return None
    count = sum(span[0] < time <= span[1] for time, _ in view.strikes)
    return 60.0 * count / (span[1] - span[0])


def step_length_error(view: MotionView) -> float | None:
    """Return how far the step length is from what people choose at the walker's own speed, %.

    See ``natural_step_length``; the body's height is taken from the leg's length.
    """
    length, speed = _step_length(view), steady_speed(view)
    if length is None or speed is None or speed <= 0.0:
        return None
    return 100.0 * abs(length / natural_step_length(speed, view.walk.character.leg_length / LEG_SHARE) - 1.0)


def natural_step_length(speed: float, height: float) -> float:
    """Return the step length, m, that people of a body height, m, choose at a speed, m/s.

    The normalising formula, step length / (steps a minute x height) = 0.004, up to 132 steps a minute, and a constant
    length beyond (Bruderlin 1988, section 5.1, after Inman 1981).
    """
    longest = 0.004 * 132.0 * height
    return float(min(np.sqrt(60.0 * speed * 0.004 * height), longest))


def _step_length(view: MotionView) -> float | None:
    speed, steps = steady_speed(view), cadence(view)
    return 60.0 * speed / steps if speed is not None and steps else None
