"""Trials of captured styles: what is written and said of them, where there are clips and where there are none."""

from __future__ import annotations

import json
from pathlib import Path

from tests.shared import shared
from tools.trials import authoring

WALKED = {
    "name": "mine", "fell": False, "walks": 6, "falls": 0, "hip_r": 0.98, "knee_r": 0.95, "ankle_r": None,
    "speed_mps": 1.2, "s_curve_deviation_mean_m": 0.1, "making_s": 60.0, "making_cpu_s": 50.0,
}  # fmt: skip


def test_each_style_is_a_case(tmp_path: Path) -> None:
    authoring.finish([WALKED, {**WALKED, "name": "other", "fell": True}], tmp_path)
    data = json.loads((tmp_path / "authoring.json").read_text())
    assert data["version"] == 1
    assert [(case["name"], case["fell"]) for case in data["cases"]] == [("mine", False), ("other", True)]


def test_it_says_where_there_are_no_clips(tmp_path: Path) -> None:
    authoring.finish([], tmp_path)
    data = json.loads((tmp_path / "authoring.json").read_text())
    assert data["cases"] == [] and str(authoring.FOLDER) in data["skipped"]
    assert "skipped" in authoring.report_lines("authoring", [])[0]


def test_what_is_not_like_its_clip_or_falls_is_said() -> None:
    good, unlike, fallen = (
        authoring.report_lines("authoring", [{**WALKED, **change}])[0]
        for change in ({}, {"knee_r": 0.8}, {"fell": True, "falls": 2, "hip_r": None})
    )
    assert "walks 6 of 6;" in good and "ankle -" in good
    assert "under 0.9" in unlike and "falls in 2 of 6" in fallen


def test_there_is_a_trial_for_each_clip() -> None:
    shared("mocap/cmu_02_01.bvh")
    names = [trial.name for trial in authoring.PARTS["authoring"]()]
    assert {"cmu_02_01", "cmu_12_01", "humanoid"} <= set(names) and len(names) == 7
