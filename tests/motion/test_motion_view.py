"""A view finds what measures share once, and its figures are those of each measure alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from blender_biped.base.spatial import Array
from blender_biped.job import Job
from blender_biped.motion import gait_events, measures, summary
from blender_biped.motion.measures import motion_view, whole_report
from blender_biped.motion.measures.motion_view import MotionView
from blender_biped.motion.motion import Motion
from blender_biped.world.path import Path
from tests.motion.synthetic import Walk, walked

SHARED = {
    "down_samples": 1, "progress": 1, "stances": 2, "ball_track": 2, "strikes_of": 1, "strides_of": 2,
    "spans_between": 1, "longest": 1, "bend": 6,
}  # fmt: skip
"""How often each may be found for a report: the feet's by foot, the joints' by joint and foot."""


@pytest.fixture
def walk() -> tuple[Motion, Job]:
    return walked(Path([[0.0, 0.0], [6.0, 0.0]]), Walk(bob=0.03))


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Count the calls of what finds what is shared, and of the rotations of each link."""
    counts: Counter[str] = Counter()

    def counted(owner: Any, name: str) -> None:
        function: Callable[..., Any] = getattr(owner, name)

        def call(*given: Any) -> Any:
            counts[name] += 1
            return function(*given)

        monkeypatch.setattr(owner, name, call)

    for name in SHARED:
        counted(motion_view if hasattr(motion_view, name) else gait_events, name)
    counted(motion_view, "quaternion_matrix")
    return counts


def test_a_report_finds_each_shared_thing_once(walk: tuple[Motion, Job], calls: Counter[str]) -> None:
    view = MotionView(*walk)
    whole_report.report(view)
    assert {name: calls[name] for name in SHARED} == SHARED
    assert 8 < calls["quaternion_matrix"] <= len(walk[0].character.links)  # of each link at most once
    found = Counter(calls)
    whole_report.report(view)
    assert calls == found


def test_a_summary_looks_for_a_fall_once(walk: tuple[Motion, Job], calls: Counter[str]) -> None:
    summary.summarised(*walk)
    assert calls["down_samples"] == calls["progress"] == 1 and calls["stances"] == 2


def test_a_measure_alone_says_what_the_report_says(walk: tuple[Motion, Job]) -> None:
    report = measures.report(*walk)
    assert report["cadence_steps_per_min"] == measures.cadence(*walk)
    assert report["arm_swing_deg"] == measures.arm_swing(*walk)
    assert report["knee_r"] == measures.against_norm(*walk, "knee")[0]
    assert (report["path_deviation_mean_m"], report["path_deviation_worst_m"]) == measures.path_deviation(*walk)


def test_what_comes_after_a_fall_is_not_in_view(walk: tuple[Motion, Job]) -> None:
    motion, job = walk
    sunk: Array = motion.root - np.outer(motion.times >= 4.0, [0.0, 0.0, 0.7])
    view = MotionView(replace(motion, root=sunk), job)
    assert view.fell_at == pytest.approx(4.0)
    assert view.walk.duration < 4.0 <= view.motion.duration
    assert len(view.rotation(0)) == len(view.stride_times) == len(view.walk.times) == len(view.progress[1])
    assert max(stance.end for stances in view.stances for stance in stances) < 4.0


def test_the_centre_of_mass_is_the_same_whether_the_links_places_are_known(walk: tuple[Motion, Job]) -> None:
    known, unknown = walk[0], replace(walk[0])
    assert len(known.origins) == len(known.times)
    assert "origins" not in unknown.__dict__
    assert np.array_equal(known.com, unknown.com)
