# SPDX-License-Identifier: GPL-3.0-or-later
"""Two results of the bench against each other, by their ratios."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from blender_biped.base.fields import Fields, load_json
from tools.bench.section import table_lines

VERSION = 1


def comparison(old: Mapping[str, float], new: Mapping[str, float]) -> list[str]:
    """Return what became of each ratio that both runs have, as lines of a table."""
    rows = [
        [name, f"{old[name]:.2f}", f"{new[name]:.2f}", f"{100.0 * (new[name] / old[name] - 1.0):+.0f} %"]
        for name in new
        if old.get(name, 0.0) > 0.0
    ]
    if not rows:
        return ["The two runs have no ratio in common."]
    return table_lines(["ratio", "before", "now", "change"], rows)


def old_ratios(file: Path) -> dict[str, float]:
    """Return the ratios in an older result. Raises DataError when it is none that this version reads."""
    found = Fields(load_json(file), file.name)
    found.version(VERSION)
    ratios = found.child("ratios")
    return {name: ratios.number(name) for name in ratios.data}
