# SPDX-License-Identifier: GPL-3.0-or-later
"""Every walk of a grid judged by the same figures: simulated in parallel, as a table, a report and a page.

    python -m tools.commands.measure [--quick] [--only KEY=VALUE[,VALUE...]]... [--out DIR] ...

A development program: needs matplotlib; Blender as a module (bpy) for the user's own characters only.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import os
import platform
import re
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

import blender_biped
from blender_biped.base.errors import BipedError
from blender_biped.character.model import Character
from tools.base import comparison, processes
from tools.base.columns import (
    COLUMNS,
    OTHER,
    Column,
    Figures,
    Summary,
    ending,
    measured_columns,
    stood,
    summaries,
    title,
    troubled,
)
from tools.base.processes import Task
from tools.measure.grid import Case
from tools.measure.selection import DIRECTIONS, Grid, chosen, parsed, pushes, whole_grid

Say = Callable[[str], None]
_LISTED = 40  # cases that fell or strayed, told on the terminal


@dataclass(frozen=True)
class Options:
    """What was asked for on the command line. compare, armature, maps: as given; rigs: None for the grid."""

    only: tuple[str, ...]
    out: Path
    quick: bool
    push: bool
    seeds: int
    compare: Path | None
    armature: tuple[str, ...]
    jobs: int
    rigs: Path | None = None
    maps: Path | None = None
    rendered: bool = False
    gaits: str | None = None


def options(arguments: Sequence[str] | None = None) -> Options:
    """Return what the command line asks for. Ends the program with a message when it cannot be understood."""
    parser = argparse.ArgumentParser(prog="measure", description="Measure walks on a grid of cases.")
    parser.add_argument(
        "--only", action="append", default=[], metavar="KEY=VALUE[,VALUE...]",
        help="pick cases by controller, preset, speed, path or character (repeatable)",
    )  # fmt: skip
    parser.add_argument("--out", default=Path("out/measure"), type=Path, metavar="DIR", help="default: out/measure")
    parser.add_argument("--quick", action="store_true", help="a subset of about three minutes")
    parser.add_argument("--push", action="store_true", help="also find the largest push that is survived")
    parser.add_argument("--seeds", default=0, type=_count(0), metavar="N", help="also N perturbed starts of each case")
    parser.add_argument("--compare", default=None, type=Path, metavar="OLD.json", help="an earlier report.json")
    parser.add_argument(
        "--armature", action="append", default=[], metavar="FILE[:OBJECT]",
        help="measure this character instead of the grid's own (repeatable)",
    )  # fmt: skip
    parser.add_argument(
        "--jobs",
        default=os.cpu_count() or 1,
        type=_count(1),
        metavar="N",
        help="processes at once (default: all cores)",
    )
    parser.add_argument("--rigs", default=None, type=Path, metavar="DIR", help="map, walk and bake every rig in it")
    parser.add_argument("--maps", default=None, type=Path, metavar="DIR", help="mapping files of rigs, FILE-STEM.json")
    parser.add_argument("--rendered", action="store_true", help="also render the rigs' skins; needs an EGL driver")
    parser.add_argument("--gaits", default=None, metavar="CONTROLLER", help="each gait for a minute, on all bodies")
    given = vars(parser.parse_args(arguments))
    return Options(**{**given, "only": tuple(given["only"]), "armature": tuple(given["armature"])})


def _count(least: int) -> Callable[[str], int]:
    def count(text: str) -> int:
        value = int(text)
        if not least <= value <= 10_000:
            raise argparse.ArgumentTypeError(f"{text}: give a number from {least} to 10000")
        return value

    return count


# --- who walks ---------------------------------------------------------------------------------------------------


def own_characters(armatures: Sequence[str], taken: Sequence[str], say: Say) -> dict[str, Character]:
    """Return the characters of FILE[:OBJECT] texts by names fit for files, none of those ``taken``.

    Raises BipedError when one cannot be read.
    """
    if not armatures:
        return {}
    import bpy

    from blender_biped.character.body import build_character
    from blender_biped.ui.base.reading import metres, read_armature
    from blender_biped.ui.job.mapping import mapping
    from blender_biped.ui.job.mass import chosen_mass
    from tools.commands.demo import chosen_armature

    found: dict[str, Character] = {}
    blender_biped.register()
    try:
        for asked in armatures:
            armature = chosen_armature(asked, say)
            bpy.context.view_layer.update()
            unit = metres(bpy.context.scene)
            body = build_character(read_armature(armature, unit), mapping(armature, unit), chosen_mass(armature, unit))
            name = free_name(armature.name, (*taken, *found))
            found[name] = replace(body, name=name)
    finally:
        blender_biped.unregister()
    return found


def free_name(name: str, taken: Sequence[str]) -> str:
    """Return a name like ``name`` that is fit for a file and for ``--only`` and none of those ``taken``."""
    plain = re.sub(r"[^\w.+-]+", "-", name).strip("-.") or "character"
    names = (plain if k == 1 else f"{plain}-{k}" for k in range(1, len(taken) + 2))
    return next(n for n in names if n not in taken)


# --- running -----------------------------------------------------------------------------------------------------


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
        tasks.append(_task(case.name, "tools.measure.measured", data, folder, sources))
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
        (case, direction): _task(f"{case.name}.{direction}", "tools.measure.pushed",
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


def finished(
    tasks: Sequence[Task], jobs: int, what: str, say: Say,
    fell: Callable[[Mapping[str, Any]], bool] | None = None,
) -> tuple[dict[str, str], dict[str, dict[str, Any]]]:  # fmt: skip
    """Run the tasks whose result is not current; return errors and results by the task's name. Raises OSError.

    what: the tasks, for the progress line. fell: whether a result is a fall, to be counted in it.
    """

    def result(task: Task) -> dict[str, Any] | None:
        return processes.current(task.result, task.data["fingerprint"])

    found = {task.name: there for task in tasks if (there := result(task)) is not None}
    if found:
        say(f"{len(found)} of {len(tasks)} {what} are taken over from before.")
    progress = Progress(what, len(tasks), len(found))
    progress.falls = sum(map(fell, found.values())) if fell else None
    errors: dict[str, str] = {}
    with contextlib.closing(processes.run([t for t in tasks if t.name not in found], jobs)) as running:
        for ended in running:
            made = None if ended.error else result(ended.task)
            if made is None:
                errors[ended.task.name] = ended.error or "left no result"
            else:
                found[ended.task.name] = made
                if fell and fell(made):
                    progress.falls = (progress.falls or 0) + 1
            progress.step(len(errors))
    progress.end()
    return errors, found


class Progress:
    """A line that says how far many tasks are: rewritten on a terminal, else printed now and then."""

    def __init__(self, what: str, total: int, done: int = 0) -> None:
        self.falls: int | None = None
        self._what, self._total, self._done, self._taken = what, total, done, done
        self._began = self._told = time.monotonic()
        self._live = sys.stdout.isatty()

    def step(self, crashed: int) -> None:
        """One more task is done."""
        self._done += 1
        now = time.monotonic()
        if self._live or now - self._told > 15.0 or self._done == self._total:
            self._told = now
            print(self.line(crashed, now - self._began).ljust(78), end="\r" if self._live else "\n", flush=True)

    def line(self, crashed: int, passed: float) -> str:
        """Return the line. passed: s since the beginning."""
        left = passed / max(1, self._done - self._taken) * (self._total - self._done)
        parts = [f"{self._what}: {self._done} of {self._total}"]
        parts += [] if self.falls is None else [f"{self.falls} fell"]
        parts += [f"{crashed} crashed"] if crashed else []
        parts += [f"{left // 60:.0f} min {left % 60:.0f} s left"] if self._done < self._total else [f"{passed:.0f} s"]
        return "  " + ", ".join(parts)

    def end(self) -> None:
        """Leave the line as it is."""
        if self._live and self._done > self._taken:
            print(flush=True)


def crashed(case: Case, error: str) -> dict[str, Any]:
    """Return the figures of a case that gave no result."""
    known = {
        "controller": case.controller, "preset": case.preset, "character": case.character, "path": case.path,
        "speed_mps": case.speed, "seed": case.seed, "outcome": "crashed", "error": error,
    }  # fmt: skip
    return {**dict.fromkeys((*OTHER, *(c.name for c in COLUMNS))), **known}


def source_hash(*tools: str, ui: bool = False) -> str:
    """Return a hash of all that a result is made by: the package (without ui, or with), some tools, Python, numpy."""
    package = Path(blender_biped.__file__).parent
    files = [p for p in sorted(package.rglob("*")) if p.suffix in (".py", ".csv") and (ui or "ui" not in p.parts)]
    files += [package.parent / tool for tool in tools]
    digest = hashlib.sha256(f"{platform.python_version()} {np.__version__}".encode())
    for file in files:
        digest.update(file.relative_to(package.parent).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()


def _task(name: str, module: str, data: dict[str, Any], folder: Path, sources: str) -> Task:
    fingerprint = hashlib.sha256(json.dumps([sources, data], sort_keys=True).encode()).hexdigest()
    return Task(name, module, {**data, "fingerprint": fingerprint}, folder / f"{name}.json")


# --- the table ---------------------------------------------------------------------------------------------------


def table(summary: Summary) -> list[str]:
    """Return the table of one controller and preset for the terminal, line by line."""
    s = summary
    arrived = sum(f["outcome"] == "arrived" for f in s.cases)
    lines = [
        f"{s.style}: {len(s.cases)} cases: {s.fell} fell, {s.strayed} strayed, {arrived} arrived, {s.crashed} crashed; "
        f"{s.share:.0f} % neither fell nor strayed."
    ]
    columns = measured_columns(stood(s.cases))
    if columns:
        lines += ["", f"  {'of the walks that did not fall':<36} {'median':>9} {'worst':>9}  of"]
    for column in columns:
        worst = s.worst(column)
        bad = "-" if worst is None else column.text(worst[column.name])
        where = "" if worst is None else title(worst, short=True)
        lines.append(f"  {_words(column):<36} {column.text(s.median(column)):>9} {bad:>9}  {where}".rstrip())
    return [*lines, ""]


def _words(column: Column) -> str:
    return f"{column.words}, {column.unit}" if column.unit else column.words


def troubles(cases: Sequence[Figures]) -> list[str]:
    """Return a line for each case that crashed, fell or strayed, worst first."""
    found = troubled(cases)
    lines = [f"  {title(f)}: {ending(f)}" for f in found[:_LISTED]]
    more = [f"  ... and {len(found) - _LISTED} more, on the page."] if len(found) > _LISTED else []
    broken = [f"  {title(f)}: {f['error']}" for f in cases if f["error"] and f not in found]
    listed = [*lines, *more, *broken]
    return ["Crashed, fell or strayed, worst first:", *listed, ""] if listed else []


# --- all of it ---------------------------------------------------------------------------------------------------


def measure(asked: Options, say: Say) -> Results:
    """Run what is asked for, write the files and tell the table; return the results.

    Raises BipedError that says what is wrong, OSError when a file cannot be written.
    """
    only = parsed(asked.only)
    old = comparison.read_cases(asked.compare) if asked.compare else None
    whole = whole_grid()
    own = own_characters(asked.armature, tuple(whole.characters), say)
    whole = whole_grid(own) if own else whole
    cases = chosen(whole, only, asked.quick, asked.seeds)
    pushed_cases = pushes(cases, whole, only) if asked.push else []
    results = walked_cases(cases, whole, asked.out, asked.jobs, say)
    if pushed_cases:
        results = with_pushes(results, pushed_cases, whole, asked.out, asked.jobs, say)
    report = json.dumps({"version": comparison.VERSION, "cases": results.figures}, indent=1, allow_nan=False)
    processes.write_text(asked.out / "report.json", report + "\n")
    say("")
    for summary in summaries(results.figures):
        say("\n".join(table(summary)))
    say("\n".join(troubles(results.figures)))
    if old is not None:
        say("\n".join([*comparison.lines(old, results.figures), ""]))
    from tools.measure import page  # not before: matplotlib takes its time to start

    page.write_page(results.cases, results.figures, results.raw, whole.job, asked.out / "page.html", asked.jobs, say)
    return results


def measured_rigs(asked: Options, folder: Path) -> int:
    """Measure the rigs of a folder in place of the grid; return 0, or 1 when one had an unhandled error.

    Raises BipedError, OSError.
    """
    from tools.rigs import rigs

    cases = rigs.measure_rigs(folder, asked.maps, asked.out, asked.jobs, asked.rendered, print)
    print(f"  {asked.out / 'rigs.json'}  all measures of all rigs")
    return 1 if any(f["error"] for f in cases) else 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return 0, 1 when a case crashed, 2 when it could not run."""
    asked = options(arguments)
    began = time.monotonic()
    try:
        if asked.gaits:
            from tools.measure import gaits

            gaits.run(asked.gaits, asked.out, asked.jobs)
            return 0
        if asked.rigs:
            return measured_rigs(asked, asked.rigs)
        results = measure(asked, print)
    except BipedError as error:
        print(f"measure: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"measure: cannot write into {asked.out}: {error.strerror or error}.", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(
            f"\nmeasure: stopped; what was finished is kept in {asked.out} and taken over next time.", file=sys.stderr
        )
        return 130
    print(f"  {asked.out / 'report.json'}  all measures of all cases")
    print(f"  {asked.out / 'page.html'}  tables and pictures; opens in any browser")
    print(f"Done in {time.monotonic() - began:.0f} s.")
    return 1 if any(f["error"] for f in results.figures) else 0


if __name__ == "__main__":
    sys.exit(main())
