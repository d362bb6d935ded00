# SPDX-License-Identifier: GPL-3.0-or-later
"""The table of people's figures in docs/measures.md, filled in between its marks.

python -m tools.measure.people_table
"""

from __future__ import annotations

import math
import sys
from pathlib import Path

from tools.measure import people, person

PAGE = Path(__file__).resolve().parents[2] / "docs" / "measures.md"
BEGIN, END = "<!-- people -->\n", "<!-- end -->\n"


def rows() -> list[str]:
    """Return the lines of the table, its head first."""
    lines = ["| figure | what it is | people: mean (from, to) | from |", "|---|---|---|---|"]
    for name, row in person.ROWS.items():
        band = people.bands()[name]
        middle, low, high = (f"{value + 0.0:.{row.digits}f}" for value in (band.middle, *band.ends))
        ends = f"at least {low}" if math.isinf(band.ends[1]) else f"{low}, {high}"
        unit = "" if row.unit == "r" else f" {row.unit}"
        lines.append(f"| `{name}` | {row.words} | {middle} ({ends}){unit} | {band.origin} |")
    return lines


def filled(text: str) -> str:
    """Return a page with the table between its marks."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}{chr(10).join(rows())}\n{END}{after}"


def main() -> int:
    """Fill the page in; return the exit code."""
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
