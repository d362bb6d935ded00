"""How a walk kept the times of its points, of motions that are known."""

from dataclasses import replace

import numpy as np
import pytest

from blender_biped.motion.arrivals import arrivals
from blender_biped.world.path import Path
from blender_biped.world.path_points import PathPoint
from tests.motion.synthetic import walked


def at_one_metre_a_second(duration=10.0):
    motion, _ = walked(Path([[0.0, 0.0], [6.0, 0.0]]))
    times = np.arange(round(duration * 120)) / 120
    command = np.stack((np.ones(len(times)), np.zeros(len(times)), times - 0.5), axis=1)
    return replace(motion, times=times, command=command)


def test_early_late_and_never():
    points = (PathPoint(2.0, time=2.0), PathPoint(3.0, speed=1.0), PathPoint(4.0, time=5.0), PathPoint(50.0, time=9.0))
    late, early, never = arrivals(at_one_metre_a_second(), points)
    assert late.time == pytest.approx(2.5, abs=0.01) and late.late == pytest.approx(0.5, abs=0.01)
    assert late.ahead == pytest.approx(-0.5, abs=0.01) and early.ahead == pytest.approx(0.5, abs=0.01)
    assert early.late == pytest.approx(-0.5, abs=0.01)
    assert never.time is None and never.late is None and never.ahead == pytest.approx(-41.5, abs=0.01)


def test_who_stands_before_a_point_where_it_waits_is_there():
    motion = at_one_metre_a_second()
    motion = replace(motion, command=np.minimum(motion.command, 2.9))
    assert arrivals(motion, [PathPoint(3.0, time=3.4, wait=1.0)])[0].late == 0.0
    assert arrivals(motion, [PathPoint(3.0, time=3.1, wait=1.0)])[0].late == pytest.approx(0.2, abs=0.02)
    assert arrivals(motion, [PathPoint(3.0, time=3.4)])[0].time is None
