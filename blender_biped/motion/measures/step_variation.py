"""How much a walk's steps differ from each other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .motion_view import MotionView

_FEWEST = 4  # steps of which a spread says something


def step_time_cv(view: MotionView) -> float | None:
    """Return how much the times of steady steps spread: standard deviation over mean, %."""
    span = view.steady_span
    if span is None:
        return None
    return _spread(np.diff([time for time, _ in view.strikes if span[0] <= time <= span[1]]).tolist())


def step_length_cv(view: MotionView) -> float | None:
    """Return how much the lengths of steady steps spread: standard deviation over mean, %. See ``steps``."""
    return _spread([length for length, _ in steps(view)])


def step_width_cv(view: MotionView) -> float | None:
    """Return how much the widths of steady steps spread: standard deviation over mean, %. See ``steps``."""
    return _spread([width for _, width in steps(view)])


def steps(view: MotionView) -> list[tuple[float, float]]:
    """Return length and width of each steady step, m, not scaled.

    Of where a foot stands between two stances of the other one: how far along the line between those it is from the
    first, and how far beside the line, negative where it is on the other foot's side.
    """
    span, found = view.steady_span, []
    if span is None:
        return []
    marks = sorted(
        (0.5 * (s.start + s.end), side)
        for side, stances in enumerate(view.stances) for s in stances if span[0] <= s.start and s.end <= span[1]
    )  # fmt: skip
    places = [_place(view, *mark) for mark in marks]
    for k in range(1, len(marks) - 1):
        line, side = places[k + 1] - places[k - 1], marks[k][1]
        if marks[k - 1][1] == marks[k + 1][1] != side and abs(line) > 0.0:
            way = (places[k] - places[k - 1]) / (line / abs(line))
            found.append((way.real, way.imag * (1.0 - 2.0 * side)))
    return found


def _place(view: MotionView, time: float, side: int) -> complex:
    """Return where the ball of a foot is at a time, x + i y, m."""
    x, y = (float(np.interp(time, view.walk.times, view.ball_track(side)[:, axis])) for axis in (0, 1))
    return complex(x, y)


def _spread(values: Sequence[float]) -> float | None:
    usual = float(np.mean(values)) if len(values) >= _FEWEST else 0.0
    return 100.0 * float(np.std(values, ddof=1)) / usual if usual > 0.0 else None
