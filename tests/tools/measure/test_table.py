"""The grid's table for the terminal."""

from __future__ import annotations

from tools.base.columns import BY_NAME, COLUMNS, OTHER, Figures, summaries
from tools.measure.table import table, troubles


def test_the_table_has_median_and_worst_by_what_is_good() -> None:
    def walk(r: float, phase: float, fell: bool = False) -> Figures:
        known = {"controller": "c", "preset": "p", "character": "x", "path": "y", "speed_mps": r, "seed": 0}
        figures = {**dict.fromkeys((*OTHER, *(c.name for c in COLUMNS))), **known, "outcome": "arrived"}
        return {**figures, "fell": fell, "fell_at_s": 3.0 if fell else None, "hip_r": r, "arm_phase_deg": phase}

    cases = [walk(0.9, 170.0), walk(0.5, 200.0), walk(0.7, 181.0), walk(0.1, 0.0, fell=True)]
    (summary,) = summaries(cases)
    assert (summary.fell, summary.fine, summary.share) == (1, 3, 75.0)
    for name, middle, worst in (("hip_r", 0.7, 0.5), ("arm_phase_deg", 181.0, 200.0)):
        column = BY_NAME[name]
        found = summary.worst(column)
        assert summary.median(column) == middle and found is not None and found[name] == worst
    lines = table(summary)
    assert any("(r) " in line and "0.70" in line and "0.50" in line for line in lines)
    assert troubles(cases)[1].strip() == "c/p, x, y, 0.1 m/s: fell at 3.0 s"
