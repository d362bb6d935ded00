"""The columns: none is missing, and each knows what is bad."""

from __future__ import annotations

import pytest

from blender_biped.motion.measures import report
from blender_biped.world.path import Path
from tests.motion.synthetic import walked
from tools.base.columns import BY_NAME, COLUMNS, IDENTITY, OTHER, ending, troubled, verdict


def test_the_columns_are_the_measures() -> None:
    names = {c.name for c in COLUMNS}
    assert len(names) == len(COLUMNS)
    assert set(report(*walked(Path([[0.0, 0.0], [4.0, 0.0]])))) | {"seed", "outcome", "error"} == names | {
        *IDENTITY,
        *OTHER,
    }


@pytest.mark.parametrize(
    ("name", "values", "worst"),
    [("foot_slip_worst_mm", (3.0, 9.0, 1.0), 9.0), ("knee_r", (0.9, -0.2, 0.5), -0.2),
     ("arm_phase_deg", (100.0, 185.0, 270.0), 270.0), ("cadence_steps_per_min", (90.0, 110.0), None),
     ("push_n", (), None)],
)  # fmt: skip
def test_worst_is_by_what_is_good(name: str, values: tuple[float, ...], worst: float | None) -> None:
    found = BY_NAME[name].worst([{name: None}, *({name: value} for value in values), {}])
    assert (found and found[name]) == worst


def test_verdicts_and_their_order() -> None:
    fine = {"fell": False, "fell_at_s": None, "path_deviation_worst_m": 0.2, "outcome": "arrived", "error": None}
    far, farther = {**fine, "path_deviation_worst_m": 0.6}, {**fine, "path_deviation_worst_m": 3.0}
    early, late = {**far, "fell": True, "fell_at_s": 2.0}, {**fine, "fell": True, "fell_at_s": 9.0}
    slow, stays = {**fine, "outcome": "unfinished", "duration_s": 40.0}, {**fine, "path_deviation_worst_m": None}
    gone = {**fine, "fell": None, "outcome": "crashed", "error": "ended by SIGSEGV"}
    words = [verdict(f) for f in (fine, far, early, late, slow, stays, gone)]
    assert words == ["fine", "strayed", "fell", "fell", "late", "fine", "crashed"]
    assert troubled([fine, far, late, farther, early, gone, slow]) == [gone, early, late, farther, far]
    assert [ending(f) for f in (gone, early, farther)] == [
        "crashed: ended by SIGSEGV", "fell at 2.0 s", "strayed 3.00 m from the path"]  # fmt: skip
