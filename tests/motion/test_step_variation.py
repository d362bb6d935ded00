"""How steps differ, on walks whose steps are given."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from blender_biped.motion import measures
from blender_biped.motion.measures.motion_view import MotionView
from blender_biped.motion.measures.step_variation import steps
from blender_biped.world.path import Path
from tests.motion.synthetic import Walk, walked

WALK = Walk(speed=1.0, step_time=0.5, width=0.16)
MOTION, JOB = walked(Path([[0.0, 0.0], [8.0, 0.0]]), WALK)


def spread(by: float, count: int) -> float:
    """Return the standard deviation over the mean, %, of values that are alternately larger and smaller by a share."""
    return float(100.0 * by * math.sqrt(count / (count - 1)))


@pytest.mark.parametrize("heading", [0.0, 2.0])
def test_steps_are_as_long_and_wide_as_feet_are_set_down(heading: float) -> None:
    end = (8.0 * math.cos(heading), 8.0 * math.sin(heading))
    found = np.array(steps(MotionView(*walked(Path([(0.0, 0.0), end]), WALK))), dtype=float)
    assert len(found) > 6
    assert found == pytest.approx(np.tile((WALK.step, WALK.width), (len(found), 1)), abs=1e-3)


def test_steps_that_are_alike_do_not_spread() -> None:
    for measure in (measures.step_time_cv, measures.step_length_cv, measures.step_width_cv):
        assert measure(MOTION, JOB) == pytest.approx(0.0, abs=0.3)


def test_step_times_spread_by_how_they_differ() -> None:
    late = 0.02 * (MOTION.strikes[:, 1:] == 1.0) * (1.0, 0.0)
    limping = replace(
        MOTION, strikes=MOTION.strikes + late, lifts=MOTION.lifts + 0.02 * (MOTION.lifts[:, 1:] == 1.0) * (1.0, 0.0)
    )
    span = MotionView(limping, JOB).steady_span
    assert span is not None
    count = round((span[1] - span[0]) / WALK.step_time)
    assert measures.step_time_cv(limping, JOB) == pytest.approx(spread(0.04, count), rel=0.01)


@pytest.mark.parametrize(
    ("axis", "measure", "of"), [(0, measures.step_length_cv, 0.5), (1, measures.step_width_cv, 0.16)]
)
def test_lengths_and_widths_spread_by_how_they_differ(axis: int, measure: object, of: float) -> None:
    view = MotionView(MOTION, JOB)
    middles = np.array(sorted(0.5 * (s.start + s.end) for stances in view.stances for s in stances))
    sizes = np.where(np.arange(len(middles)) % (2 if axis == 0 else 4) < (1 if axis == 0 else 2), 0.005, -0.005)
    shift = np.zeros_like(MOTION.root)
    shift[:, axis] = sizes[np.abs(MOTION.times[:, None] - middles).argmin(axis=1)]
    moved = replace(MOTION, root=MOTION.root + shift)
    found = np.array(steps(MotionView(moved, JOB)))[:, axis]
    assert np.ptp(found) > 0.009 and found.mean() == pytest.approx(of, abs=0.003)
    assert callable(measure)
    assert measure(moved, JOB) == pytest.approx(100.0 * found.std(ddof=1) / found.mean())
