"""An hour's walk, here of seconds: what is told of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from blender_biped.control.registry import kinds
from blender_biped.motion import measures
from blender_biped.simulate import simulate
from tools.trials import hours
from tools.trials.hours import HourTrial


def test_every_controller_walks_its_hour():
    assert [trial.controller for trial in hours.hour_trials()] == [kind.name for kind in kinds()]


@pytest.mark.parametrize("controller", [kind.name for kind in kinds()])
def test_its_way_is_long_enough(controller):
    job = hours.hour_job(controller, 3600.0)
    assert job.path.length > 1.5 * job.speed * job.duration and not job.stop


def test_what_is_told(tmp_path):
    told = hours.run(HourTrial("klaw"), tmp_path, 10.0)
    assert (told["seconds"], told["fell"]) == (pytest.approx(10.0, abs=0.1), False)
    assert len(told["slip_mm"]) == hours.PARTS_OF_IT and 20.0 < told["memory_mb"] < 500.0
    (line,) = hours.report_lines("hours", [told])
    assert line.startswith("  klaw         10 s, ") and "slip by tenth" in line
    told.update(fell=True, seconds=7.2, slip_mm=[], memory_mb=None)
    (line,) = hours.report_lines("hours", [told])
    assert "fell after 7 s, memory not known" in line and "slip" not in line


def test_slip_is_that_of_its_part():
    job = hours.hour_job("klaw", 12.0)
    motion = simulate(job)
    slid = motion.root.copy()
    late = motion.times > 6.0
    slid[late, 0] += 0.05 * np.sin(20.0 * motion.times[late])  # feet and all
    early, later = hours.of_parts(replace(motion, root=slid), job, 2)
    assert early is not None and later is not None and later > early + 20.0
    assert early == pytest.approx(measures.foot_slip(motion, job)[0], abs=0.5)
