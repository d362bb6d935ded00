"""The line that says how far many tasks are."""

from __future__ import annotations

from tools.base.progress import Progress


def test_progress_says_how_far_and_how_long() -> None:
    progress = Progress("walks", 10, 2)
    progress.falls = 3
    for _ in range(4):
        progress.step(1)
    assert progress.line(1, 100.0) == "  walks: 6 of 10, 3 fell, 1 crashed, 1 min 40 s left"
