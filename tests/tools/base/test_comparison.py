"""Two reports against each other: what counts as better, worse and the same, and which cases are named."""

from __future__ import annotations

from typing import Any

import pytest

from tools.base import comparison
from tools.base.columns import BY_NAME, COLUMNS


def walk(path: str = "straight", **figures: Any) -> dict[str, Any]:
    known = {"controller": "c", "preset": "p", "character": "x", "path": path, "speed_mps": 1.0, "seed": 0}
    ended = {"fell": False, "fell_at_s": None, "outcome": "arrived", "error": None}
    return {**dict.fromkeys(c.name for c in COLUMNS), **known, **ended, **figures}


def fallen(path: str = "straight", **figures: Any) -> dict[str, Any]:
    return walk(path, fell=True, fell_at_s=3.0, outcome="fell", **figures)


@pytest.mark.parametrize(
    ("name", "old", "new", "change"),
    [
        ("foot_slip_worst_mm", 10.0, 12.0, "worse"),
        ("foot_slip_worst_mm", 12.0, 10.0, "better"),
        ("foot_slip_worst_mm", 10.0, 10.19, "same"),
        ("knee_r", 0.80, 0.90, "better"),
        ("knee_r", 0.90, 0.80, "worse"),
        ("arm_phase_deg", 220.0, 190.0, "better"),
        ("arm_phase_deg", 185.0, 160.0, "worse"),
        ("arm_phase_deg", 170.0, 190.0, "same"),
        ("step_length_m", 0.5, 0.6, "changed"),
        ("cpu_s_per_s", 0.25, 0.28, "same"),
        ("cpu_s_per_s", 0.25, 0.12, "better"),
        ("self_intersection_mm", 0.0, 0.01, "same"),
        ("self_intersection_mm", 0.0, 1.0, "worse"),
    ],
)
def test_a_change_is_judged_by_what_is_good(name: str, old: float, new: float, change: str) -> None:
    assert comparison.judged(BY_NAME[name], old, new) == change


def test_medians_are_of_walks_that_stood_both_times() -> None:
    old = [walk("a", knee_r=0.5), walk("b", knee_r=0.7), walk("c", knee_r=0.1), walk("gone", knee_r=0.0)]
    new = [walk("a", knee_r=0.6), walk("b", knee_r=0.9), fallen("c", knee_r=-1.0), walk("new", knee_r=0.0)]
    (row,) = comparison.rows(comparison.pairs(old, new))
    assert row.old == pytest.approx(0.6) and row.new == pytest.approx(0.75)
    assert (row.cases, row.change) == (2, "better")


def test_cases_are_matched_by_what_they_are_not_by_their_order() -> None:
    old, new = [walk("a"), walk("b"), {**walk("a"), "seed": 1}], [walk("b"), walk("a")]
    assert [(a["path"], b["path"]) for a, b in comparison.pairs(old, new)] == [("b", "b"), ("a", "a")]
    without = walk("a")
    del without["seed"]
    assert len(comparison.pairs([without], new)) == 1


def test_falls_are_counted_and_the_worst_cases_named() -> None:
    old = [walk("a"), fallen("b"), walk("d", knee_r=0.9, shake_deg=1.0), walk("e", knee_r=0.9, shake_deg=1.0)]
    new = [fallen("a"), walk("b"), walk("d", knee_r=0.8, shake_deg=3.0), walk("e", knee_r=0.4, shake_deg=1.0)]
    said = "\n".join(comparison.lines(old, new))
    assert "fell: 1 -> 1 (newly 1, no longer 1)" in said
    assert "c/p, x, a, 1 m/s: fell at 3.0 s; before: stood at the end" in said
    assert (
        "e, 1 m/s: knee like adults' (r) 0.90 -> 0.40" in said and "d, 1 m/s: shake above 8 Hz 1.00 -> 3.00 deg" in said
    )
    assert "0.90 -> 0.80" not in said  # only the worst of each measure


def test_the_same_report_has_nothing_better_or_worse() -> None:
    cases = [walk("a", knee_r=0.5, step_length_m=0.4), fallen("b")]
    said = "\n".join(comparison.lines(cases, cases))
    assert not any(word in said for word in ("better", "worse", "changed", "Got worst"))


def test_reports_with_nothing_in_common_say_so() -> None:
    assert "No case" in comparison.lines([walk("a")], [walk("b")])[0]
