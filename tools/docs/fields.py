# SPDX-License-Identifier: GPL-3.0-or-later
"""The tables of fields on the controllers' pages, as each controller declares them.

    python -m tools.docs.fields

A page has ``<!-- fields: NAME -->`` and ``<!-- end -->`` where the table of a controller goes.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from blender_biped.control.kind import Kind
from blender_biped.control.registry import kind_of, presets
from blender_biped.preset.declared import Slider

PAGES = Path(__file__).parents[2] / "docs" / "controllers"
_PLACE = re.compile(r"(<!-- fields: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
_HEAD = ("field", "in the panel", "what it is", "range", "default", "keyed")


def filled(page: str) -> str:
    """Return the text of a page with its tables. Raises DataError for a controller that is not known."""
    return _PLACE.sub(lambda place: f"{place[1]}{table(kind_of(place[2]))}\n{place[3]}", page)


def table(kind: Kind) -> str:
    """Return a controller's fields as a table, a group after the other as in the panel; defaults of its first style."""
    usual = kind.numbers(presets(kind.name)[0].values)
    lines = [_row(*_HEAD), "|---" * len(_HEAD) + "|"]
    for group in dict.fromkeys(slider.number.group for slider in kind.sliders):
        lines.append(_row(f"**{group}**", *[""] * (len(_HEAD) - 1)))
        lines += [_line(s, usual.get(s.path, s.default)) for s in kind.sliders if s.number.group == group]
    return "\n".join(lines)


def _line(slider: Slider, usual: float) -> str:
    own = slider.number
    ends = f"{own.low:g} to {own.high:g} {own.unit}".rstrip()
    return _row(f"`{slider.path}`", own.label, own.text, ends, f"{usual:g}", "yes" if own.keyed else "")


def _row(*cells: str) -> str:
    return "|" + "|".join(f" {cell} " if cell else " " for cell in cells) + "|"


def main() -> int:
    """Fill the tables of all pages; return the exit code."""
    for file in sorted(PAGES.glob("*.md")):
        file.write_text(filled(file.read_text(encoding="utf-8")), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
