# SPDX-License-Identifier: GPL-3.0-or-later
"""What a part of the bench gives: figures, ratios, lines; and tables of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Section:
    """What one part of the bench found. figures: for the file. ratios: by name, for comparing. lines: for people."""

    figures: list[dict[str, Any]]
    ratios: dict[str, float]
    lines: list[str]


def table_lines(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of a table, its first column to the left, the others to the right."""
    widths = [max(len(row[i]) for row in (head, *rows)) for i in range(len(head))]

    def line(row: Sequence[str]) -> str:
        rest = (cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))
        return "  ".join((row[0].ljust(widths[0]), *rest)).rstrip()

    return [line(row) for row in (head, *rows)]


def fall_words(*outcomes: str) -> str:
    """Return what is to be said of walks that fell, "" when none did."""
    fell = outcomes.count("fell")
    return f", FELL{f' ({fell} of {len(outcomes)})' if len(outcomes) > 1 else ''}" if fell else ""


def digits(value: float | None) -> str:
    """Return a number for people, without decimals."""
    return "-" if value is None else f"{value:.0f}"
