# SPDX-License-Identifier: GPL-3.0-or-later
"""The table in the README of what each controller can do, as the registry has it.

    python -m tools.docs.abilities

The README has ``<!-- abilities -->`` and ``<!-- end -->`` where the table goes.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from blender_biped.company import can_bump
from blender_biped.control.kind import Kind
from blender_biped.control.registry import kinds, presets

PAGE = Path(__file__).parents[2] / "README.md"
YES, NO = "yes", "no"
_PLACE = re.compile(r"(<!-- abilities -->\n).*?(<!-- end -->)", re.DOTALL)


def _whether(able: object) -> str:
    return YES if able else NO


def _slopes(kind: Kind) -> str:
    if kind.terrain is not None:
        return f"{kind.terrain.up:g}, {kind.terrain.down:g}, {kind.terrain.across:g} degrees"
    return "along the path" if kind.can.slopes else NO


def _edges(kind: Kind) -> str:
    limits = kind.treads or kind.terrain
    if limits is not None:
        return f"{_cm(limits.rise)} up, {_cm(limits.fall)} down"
    return "along the path" if kind.can.slopes else NO


def _cm(length: float) -> str:
    return f"{100.0 * length:g} cm"


ABILITIES: Mapping[str, Callable[[Kind], str]] = {
    "is simulated: feels pushes and wind": lambda kind: _whether(kind.controller),
    "bumps into others": lambda kind: _whether(can_bump(kind)),
    "slopes up, down, across": _slopes,
    "stairs and edges": _edges,
    "steps over": lambda kind: NO if kind.passing is None else _cm(kind.passing.over),
    "ducks": lambda kind: _whether(kind.ducks),
    "picks up, carries, pushes, pulls": lambda kind: _whether(kind.hand_tasks),
    "waits on the way": lambda kind: _whether(any(map(kind.can_wait, presets(kind.name)))),
    "changes style on the way": lambda kind: _whether(kind.can.change),
    "looks aside, steps wider": lambda kind: _whether(kind.can.face_aside),
    "walks steps of a set length": lambda kind: _whether(kind.can.set_steps),
    "styles made of an action": lambda kind: _whether(kind.making),
    "styles made of poses": lambda kind: _whether(kind.stabilising),
}
"""What a controller says of each ability."""


def filled(page: str) -> str:
    """Return the text of a page with its table."""
    return _PLACE.sub(lambda place: f"{place[1]}{table()}\n{place[2]}", page)


def table() -> str:
    """Return the table: a row an ability, a column a controller, in the registry's order."""
    every = kinds()
    rows = [("", *(kind.label for kind in every))]
    rows += [(name, *(says(kind) for kind in every)) for name, says in ABILITIES.items()]
    head, *lines = ("|" + "|".join(f" {cell} " if cell else " " for cell in row) + "|" for row in rows)
    return "\n".join([head, "|---" * len(rows[0]) + "|", *lines])


def main() -> int:
    """Fill the table; return the exit code."""
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
