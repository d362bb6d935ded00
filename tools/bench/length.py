# SPDX-License-Identifier: GPL-3.0-or-later
"""Cost against length."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from tools.base.children import in_child
from tools.bench.section import Section, digits, fall_words, table_lines
from tools.bench.walks import REPEATS, straight_job, walks_of

LENGTHS = (10.0, 60.0, 300.0)  # s


def measure_length() -> Section:
    """Return the cost of walks of LENGTHS on a straight way that does not end."""
    figures: list[dict[str, Any]] = []
    rows, ratios = [], {}
    for length in LENGTHS:
        runs = [in_child(walks_of, [straight_job(length)]) for _ in range(REPEATS if length == LENGTHS[0] else 1)]
        found = min(runs, key=lambda r: r.cpu_s)
        figures.append({"length_s": length, **asdict(found)})
        cost = found.cpu_s / found.simulated_s
        ratios[f"length: {length:g} s"] = cost / (figures[0]["cpu_s"] / figures[0]["simulated_s"])
        rows.append([f"{length:g} s", f"{cost:.4f}", f"{ratios[f'length: {length:g} s']:.2f}", digits(found.memory_mb),
                     f"{found.simulated_s:.1f} s{fall_words(*found.outcomes)}"])  # fmt: skip
    lines = table_lines(["walk of", "CPU s per s", f"times {LENGTHS[0]:g} s", "peak memory MB", "reached"], rows)
    first, last = figures[0], figures[-1]
    minutes = (last["simulated_s"] - first["simulated_s"]) / 60.0
    if first["memory_mb"] and last["memory_mb"] and minutes > 0.0:
        lines.append(f"memory: {(last['memory_mb'] - first['memory_mb']) / minutes:.1f} MB for each minute of motion")
    return Section(figures, ratios, lines)
