# SPDX-License-Identifier: GPL-3.0-or-later
"""Two reports of many walks against each other: what got better and what got worse."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any, Literal

from blender_biped.base.errors import DataError
from blender_biped.base.fields import Fields, load_json
from tools.base.columns import COLUMNS, IDENTITY, Column, Figures, ending, identity, stood, title, verdict

VERSION = 1
_LISTED = 12  # single cases that are named

Change = Literal["better", "worse", "same", "changed"]


@dataclass(frozen=True)
class ComparedMeasure:
    """One measure's medians over the walks that stood in both reports. cases: how many walks."""

    column: Column
    old: float
    new: float
    cases: int

    @property
    def change(self) -> Change:
        """Return what became of it."""
        return judged(self.column, self.old, self.new)


def read_cases(file: Path) -> list[dict[str, Any]]:
    """Return the cases of a report file. Raises DataError when it is none that this program reads."""
    f = Fields(load_json(file), file.name)
    f.version(VERSION)
    cases = [Fields(c, f"{file.name}.cases[{i}]") for i, c in enumerate(f.items("cases"))]
    for case in cases:
        for name in (*(n for n in IDENTITY if n != "seed"), "fell", "path_deviation_worst_m"):
            if name not in case.data:
                raise DataError(f"{case.where}.{name} is missing: this is no report of build.py measure.")
    return [dict(case.data) for case in cases]


def judged(column: Column, old: float, new: float) -> Change:
    """Return whether a measure got better or worse; "same" within its tolerance and where digits show no difference."""
    if abs(new - old) <= column.tolerance * max(abs(old), abs(new)) or column.text(old) == column.text(new):
        return "same"
    if column.good is None:
        return "changed"
    before, after = column.badness(old), column.badness(new)
    return "same" if before == after else "worse" if after > before else "better"


def pairs(old: Sequence[Figures], new: Sequence[Figures]) -> list[tuple[Figures, Figures]]:
    """Return the cases that both reports have, old and new."""
    there = {identity(f): f for f in old}
    return [(there[identity(f)], f) for f in new if identity(f) in there]


def rows(both: Sequence[tuple[Figures, Figures]]) -> list[ComparedMeasure]:
    """Return the medians of each measure, old and new, over the pairs in which neither fell and both have it."""
    upright = [(a, b) for a, b in both if len(stood((a, b))) == 2]
    found = []
    for column in COLUMNS:
        values = [
            (a[column.name], b[column.name]) for a, b in upright
            if a.get(column.name) is not None and b.get(column.name) is not None
        ]  # fmt: skip
        if values:
            before, after = zip(*values, strict=True)
            found.append(ComparedMeasure(column, median(before), median(after), len(values)))
    return found


def got_worst(both: Sequence[tuple[Figures, Figures]]) -> list[str]:
    """Return lines about the single cases that got worst: new falls, new strays, then the largest relative change."""
    lines = []
    for how in ("crashed", "fell", "strayed"):
        new = [(a, b) for a, b in both if verdict(b) == how and verdict(a) in ("fine", "late")]
        lines += [f"{title(b)}: {ending(b)}; before: {ending(a)}" for a, b in new]
    changes = []
    for a, b in both:
        if len(stood((a, b))) == 2:
            for column in COLUMNS:
                old, fresh = a.get(column.name), b.get(column.name)
                if old is not None and fresh is not None and judged(column, old, fresh) == "worse":
                    by = abs(fresh - old) / max(abs(old), 10.0**-column.digits)
                    changes.append((by, column, old, fresh, b))
    worst: dict[str, str] = {}
    for _, column, old, fresh, figures in sorted(changes, key=lambda c: -c[0]):
        text = f"{title(figures)}: {column.words} {column.text(old)} -> {column.text(fresh)} {column.unit}"
        worst.setdefault(column.name, text.rstrip())  # one for each measure, or one measure would fill the list
    return lines + list(worst.values())[:_LISTED]


def lines(old: Sequence[Figures], new: Sequence[Figures]) -> list[str]:
    """Return the comparison for people."""
    both = pairs(old, new)
    if not both:
        return ["No case is in both reports: nothing to compare."]
    said = [f"Compared: {len(both)} in both ({len(old) - len(both)} only before, "
            f"{len(new) - len(both)} only now)."]  # fmt: skip
    for how, words in (("fell", "fell"), ("strayed", "strayed"), ("crashed", "crashed")):
        before, after = ([verdict(f) == how for f in side] for side in zip(*both, strict=True))
        newly = sum(b and not a for a, b in zip(before, after, strict=True))
        no_more = sum(a and not b for a, b in zip(before, after, strict=True))
        said.append(f"  {words}: {sum(before)} -> {sum(after)} (newly {newly}, no longer {no_more})")
    table = rows(both)
    if table:
        said += ["", f"  {'medians of walks that stood in both':<38} {'before':>10} {'now':>10}"]
    for row in table:
        words = f"{row.column.words}, {row.column.unit}" if row.column.unit else row.column.words
        mark = "" if row.change == "same" else row.change
        said.append(f"  {words:<38} {row.column.text(row.old):>10} {row.column.text(row.new):>10}  {mark}".rstrip())
    worst = got_worst(both)
    if worst:
        said += ["", "  Got worst:", *(f"    {line}" for line in worst)]
    return said
