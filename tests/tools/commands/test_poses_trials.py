"""Trials of styles made of poses: what is written and said of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tools.trials import poses

WALKED = {
    "name": "mine", "fell": False, "walks": 10, "falls": 0, "speed_mps": 0.7, "leg_m": 0.9,
    "s_curve_deviation_mean_m": 0.1, "making_s": 60.0, "making_cpu_s": 50.0,
}  # fmt: skip


def test_each_style_is_a_case(tmp_path: Path) -> None:
    poses.finish([WALKED, {**WALKED, "name": "other", "fell": True}], tmp_path)
    data = json.loads((tmp_path / "poses.json").read_text())
    assert data["version"] == 1
    assert [(case["name"], case["fell"]) for case in data["cases"]] == [("mine", False), ("other", True)]


def test_falls_are_counted_and_missing_rigs_are_told() -> None:
    good, fallen, missing = poses.report_lines("poses", [WALKED, {**WALKED, "fell": True, "falls": 3}])
    assert "walks 10 of 10 walks" in good and "falls in 3 of 10 walks" in fallen and "2 left out" in missing


def test_the_limping_adult_needs_no_rig(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(poses, "FOLDER", tmp_path)
    (only,) = poses.PARTS["poses"]()
    assert len(only.poses) == 4 and only.body().leg_length == pytest.approx(0.9, abs=0.1)
