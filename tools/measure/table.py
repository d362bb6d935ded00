# SPDX-License-Identifier: GPL-3.0-or-later
"""What was measured on the grid, as lines for the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from tools.base.columns import (
    ARRIVED,
    Column,
    Figures,
    StyleSummary,
    ending,
    measured_columns,
    stood,
    title,
    troubled,
)

_LISTED = 40  # cases that fell or strayed, named on the terminal


def table(summary: StyleSummary) -> list[str]:
    """Return the table of one controller and preset for the terminal, line by line."""
    s = summary
    arrived = sum(f["outcome"] in ARRIVED for f in s.cases)
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
