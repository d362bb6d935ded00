# SPDX-License-Identifier: GPL-3.0-or-later
"""The cost of several characters."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from blender_biped.job import Job
from tools.base.children import in_children
from tools.bench.section import Section, digits, fall_words, table_lines
from tools.bench.walks import Walks, straight_job, walks_of

COUNTS = (1, 2, 4)  # characters
CHARACTER_LENGTH = 4.0  # s that each of them walks


def measure_characters() -> Section:
    """Return the cost of COUNTS walks, one after another in one process and each in a process of its own.

    Seconds on the clock are from the start of the first process to the end of the last one.
    """
    figures = []
    for count in COUNTS:
        jobs = [replace(straight_job(CHARACTER_LENGTH), seed=seed) for seed in range(count)]
        for shares in ([jobs], [[job] for job in jobs])[: min(count, 2)]:
            figures.append(min((_together(shares) for _ in range(2)), key=lambda f: float(f["cpu_s"])))
    rows, ratios = [], {}
    for f in figures:
        cost, one = (x["cpu_s"] / x["simulated_s"] for x in (f, figures[0]))
        name = f"{f['count']} in {f['processes']} process{'es' if f['processes'] > 1 else ''}"
        ratios[f"characters: {name}"] = cost / one
        rows.append([name, f"{cost:.4f}", f"{cost / one:.2f}", f"{f['clock_s']:.1f}", digits(f["memory_mb"]),
                     fall_words(*f["outcomes"]).lstrip(", ")])  # fmt: skip
    head = ["characters", "CPU s per s", "times one", "s on the clock", "peak memory MB", ""]
    return Section(figures, ratios, table_lines(head, rows))


def _together(shares: Sequence[Sequence[Job]]) -> dict[str, Any]:
    """Return what some processes at the same time cost, each with its share of walks."""
    began = time.perf_counter()
    found: list[Walks] = in_children(walks_of, [(share,) for share in shares])
    clock = time.perf_counter() - began
    return {
        "count": sum(map(len, shares)), "processes": len(shares), "clock_s": clock,
        "cpu_s": sum(w.cpu_s for w in found), "simulated_s": sum(w.simulated_s for w in found),
        "memory_mb": sum(w.memory_mb or 0.0 for w in found) or None,
        "outcomes": [o for w in found for o in w.outcomes],
    }  # fmt: skip
