# SPDX-License-Identifier: GPL-3.0-or-later
"""The whole grid, or a part of it: simulated in parallel, measured, written as a report and a page."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tools.base import comparison, processes
from tools.base.columns import (
    COLUMNS,
    OTHER,
    summaries,
)
from tools.base.kept import finished, kept_task, source_hash
from tools.base.progress import Say
from tools.measure.grid import Case
from tools.measure.selection import DIRECTIONS, Grid, chosen, parsed, pushes, whole_grid
from tools.measure.table import table, troubles
from tools.scene.characters import own_characters


@dataclass(frozen=True)
class MeasureOptions:
    """What is to be measured. only, armature: as on the command line. compare: an earlier report, None for none."""

    only: Sequence[str]
    quick: bool
    push: bool
    seeds: int
    compare: Path | None
    armature: Sequence[str]
    jobs: int
    out: Path


@dataclass(frozen=True)
class Results:
    """What is known of each case, in the grid's order. raw: by the case's place, None for one that crashed."""

    cases: tuple[Case, ...]
    figures: tuple[dict[str, Any], ...]
    raw: tuple[dict[str, Any] | None, ...]


def walked_cases(cases: Sequence[Case], whole: Grid, out: Path, jobs: int, say: Say) -> Results:
    """Simulate and measure the cases whose result is not there yet; return the results of all. Raises OSError."""
    folder = out / "cases"
    folder.mkdir(parents=True, exist_ok=True)
    sources = source_hash("tools/measure/measured.py")
    tasks = []
    for case in cases:
        data = {"path": case.path, "job": whole.job(case).as_json()}
        tasks.append(kept_task(case.name, "tools.measure.measured", data, folder, sources))
    errors, found = finished(tasks, jobs, "walks", say, lambda r: bool(r["figures"]["fell"]))
    figures, raw = [], []
    for case, task in zip(cases, tasks, strict=True):
        result = found.get(task.name)
        figures.append(result["figures"] if result else crashed(case, errors[task.name]))
        raw.append(result["raw"] if result else None)
    return Results(tuple(cases), tuple(figures), tuple(raw))


def with_pushes(results: Results, cases: Sequence[Case], whole: Grid, out: Path, jobs: int, say: Say) -> Results:
    """Return the results with the push figures of some of the cases. Raises OSError."""
    folder = out / "pushes"
    folder.mkdir(parents=True, exist_ok=True)
    sources = source_hash("tools/measure/pushed.py")
    tasks = {
        (case, direction): kept_task(f"{case.name}.{direction}", "tools.measure.pushed",
                                 {"direction": direction, "job": whole.job(case).as_json()}, folder, sources)
        for case in cases for direction in DIRECTIONS
    }  # fmt: skip
    errors, found = finished(list(tasks.values()), jobs, "pushes", say)
    figures = list(results.figures)
    for case in cases:
        i = results.cases.index(case)
        limits = {d: found.get(tasks[case, d].name, {}).get("limit_n") for d in DIRECTIONS}
        broken = [f"push {d}: {errors[tasks[case, d].name]}" for d in limits if tasks[case, d].name in errors]
        known = [v for v in limits.values() if v is not None]
        figures[i] = {
            **figures[i],
            **{f"push_{d}_n": v for d, v in limits.items()},
            "push_n": min(known) if len(known) == len(limits) else None,
            "error": figures[i]["error"] or "; ".join(broken) or None,
        }
    return replace(results, figures=tuple(figures))


def crashed(case: Case, error: str) -> dict[str, Any]:
    """Return the figures of a case that gave no result."""
    known = {
        "controller": case.controller, "preset": case.preset, "character": case.character, "path": case.path,
        "speed_mps": case.speed, "seed": case.seed, "outcome": "crashed", "error": error,
    }  # fmt: skip
    return {**dict.fromkeys((*OTHER, *(c.name for c in COLUMNS))), **known}


def measure(wanted: MeasureOptions, say: Say) -> Results:
    """Run what is wanted, write the files and say the table; return the results.

    Raises BipedError that says what is wrong, OSError when a file cannot be written.
    """
    only = parsed(wanted.only)
    old = comparison.read_cases(wanted.compare) if wanted.compare else None
    whole = whole_grid()
    own = own_characters(wanted.armature, tuple(whole.characters), say)
    whole = whole_grid(own) if own else whole
    cases = chosen(whole, only, wanted.quick, wanted.seeds)
    pushed_cases = pushes(cases, whole, only) if wanted.push else []
    results = walked_cases(cases, whole, wanted.out, wanted.jobs, say)
    if pushed_cases:
        results = with_pushes(results, pushed_cases, whole, wanted.out, wanted.jobs, say)
    report = json.dumps({"version": comparison.VERSION, "cases": results.figures}, indent=1, allow_nan=False)
    processes.write_text(wanted.out / "report.json", report + "\n")
    say("")
    for summary in summaries(results.figures):
        say("\n".join(table(summary)))
    say("\n".join(troubles(results.figures)))
    if old is not None:
        say("\n".join([*comparison.lines(old, results.figures), ""]))
    from tools.measure import page  # not before: matplotlib takes its time to start

    page.write_page(results.cases, results.figures, results.raw, whole.job, wanted.out / "page.html", wanted.jobs, say)
    return results
