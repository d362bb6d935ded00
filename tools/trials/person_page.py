# SPDX-License-Identifier: GPL-3.0-or-later
"""The page of the trial ``person``: one file that opens without a network, a column for each body, speed and clip."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path as FilePath
from typing import Any

from tools.measure import people, person

_STYLE = """
body { font: 14px/1.4 sans-serif; margin: 2em; color: #222 } table { border-collapse: collapse }
td, th { padding: 2px 7px; text-align: right; border-bottom: 1px solid #ddd; font-weight: normal }
th:first-child, td:first-child { text-align: left; white-space: nowrap } .out { background: #f6c7c0 }
.in { background: #dff0dc } .first { border-left: 2px solid #888 } .quiet { color: #777 } pre { color: #444 }
"""


def page(columns: Sequence[Mapping[str, Any]], lines: Sequence[str]) -> str:
    """Return the page. columns: see ``tools.trials.person``. lines: what the terminal is told, below the table."""
    bands = people.bands()
    head = "".join(f'<th class="{_edge(columns, k)}">{_title(one)}</th>' for k, one in enumerate(columns))
    rows = []
    for name, row in person.ROWS.items():
        band = bands[name]
        low, high = (number(value, row.digits) for value in band.ends)
        cells = [
            f"<td>{escape(row.words)} <span class=quiet>{escape(row.unit)}</span></td>",
            f"<td>{number(band.middle, row.digits)}</td><td>{low} to {high}</td>",
            f"<td class=quiet>{escape(band.origin)}</td>",
        ]
        for k, one in enumerate(columns):
            value = one["figures"][name]
            how = "" if value is None else "in" if band.has(value) else "out"
            cells.append(f'<td class="{how} {_edge(columns, k)}">{number(value, row.digits)}</td>')
        rows.append(f"<tr>{''.join(cells)}</tr>")
    return (
        f"<!doctype html><meta charset=utf-8><title>Beside people</title><style>{_STYLE}</style>"
        "<h1>The default walk beside people</h1><p>Red: more than two standard deviations from people's mean. "
        "All as of a body with legs of 0.9 m.</p>"
        f"<table><tr><th></th><th>people</th><th>band</th><th>from</th>{head}</tr>{''.join(rows)}</table>"
        f"<pre>{escape(chr(10).join(lines))}</pre>\n"
    )


def number(value: float | None, digits: int) -> str:
    """Return a figure for people."""
    if value is None:
        return "-"
    return "more" if math.isinf(value) else f"{value + 0.0:.{digits}f}"


def _title(one: Mapping[str, Any]) -> str:
    name = FilePath(one["who"]).stem.partition(":")[0]
    return f"{escape(name.removeprefix('bandai1_walk_'))}<br>{one['speed_mps']:.2g} m/s"


def _edge(columns: Sequence[Mapping[str, Any]], k: int) -> str:
    """Return the class of a column's cells: whether another body, or another group, begins with it."""

    def of(one: Mapping[str, Any]) -> tuple[str, str]:
        return one["group"], one["who"] if one["group"] == "natural" else ""

    return "first" if k == 0 or of(columns[k]) != of(columns[k - 1]) else ""
