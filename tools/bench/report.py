# SPDX-License-Identifier: GPL-3.0-or-later
"""What the report of a walk costs: all measures of a motion that is there."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass, replace
from typing import Any

from blender_biped import simulate as simulation
from blender_biped.motion import measures
from tools.base.children import in_child
from tools.base.yardstick import yardstick
from tools.bench.section import Section, fall_words, table_lines
from tools.bench.walks import REPEATS, straight_job

LENGTHS = (4.0, 20.0)  # s


@dataclass(frozen=True)
class ReportCost:
    """CPU seconds: of the report of a walk, of the walk's simulation, of a yardstick; the walk's length, s."""

    report_s: float
    walk_s: float
    yardstick_s: float
    simulated_s: float
    outcome: str


def measure_report() -> Section:
    """Return the cost of the reports of walks of LENGTHS."""
    figures: list[dict[str, Any]] = []
    rows, ratios = [], {}
    for length in LENGTHS:
        found = in_child(report_cost, length)
        figures.append({"length_s": length, **asdict(found)})
        share = ratios[f"report: {length:g} s in walks"] = found.report_s / found.walk_s
        pieces = ratios[f"report: {length:g} s in yardsticks"] = found.report_s / found.yardstick_s
        rows.append([f"{length:g} s", f"{1000.0 * found.report_s:.0f}", f"{share:.3f}", f"{pieces:.2f}",
                     f"{found.simulated_s:.1f} s{fall_words(found.outcome)}"])  # fmt: skip
    head = ["walk of", "CPU ms", "of the simulation", "yardsticks", "reached"]
    return Section(figures, ratios, table_lines(head, rows))


def report_cost(length: float) -> ReportCost:
    """Return what the report of a walk of ``length`` s costs: the cheapest of REPEATS, each of a fresh motion."""
    job = straight_job(length)
    motion = simulation.simulate(job)
    costs = []
    for _ in range(REPEATS):
        fresh = replace(motion)
        began = time.process_time()
        measures.report(fresh, job)
        costs.append(time.process_time() - began)
    return ReportCost(min(costs), motion.cpu, yardstick(), motion.duration, motion.outcome)
