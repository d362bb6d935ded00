"""Results that are kept: what makes another one."""

from __future__ import annotations

from pathlib import Path

from tools.base.kept import kept_task
from tools.measure.selection import chosen, parsed, whole_grid


def test_a_changed_job_is_another_fingerprint(tmp_path: Path) -> None:
    whole = whole_grid()
    jobs = [whole.job(c).as_json() for c in chosen(whole, parsed(["path=turn", "character=light"]), seeds=1)[:2]]
    made = [kept_task("a", "m", {"path": "turn", "job": j}, tmp_path, s).data["fingerprint"]
            for j in jobs for s in ("x", "y")]  # fmt: skip
    assert len(set(made)) == 4
