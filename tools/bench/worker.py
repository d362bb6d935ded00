# SPDX-License-Identifier: GPL-3.0-or-later
"""What starting a worker costs."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from statistics import median

from blender_biped import worker
from tools.bench.section import Section, table_lines
from tools.bench.walks import straight_job

WORKER_LENGTH = 0.1  # s of the walk for which a worker is started
WORKER_RUNS = 5


def measure_worker() -> Section:
    """Return what starting a worker costs beside its simulation, and as the limit a Python that loads its libraries."""
    job = straight_job(WORKER_LENGTH)
    found: dict[str, list[tuple[float, float]]] = {"worker": [], "Python": []}
    for _ in range(WORKER_RUNS):
        simulated: list[float] = []
        cpu, clock = _costs_of_children(
            lambda: simulated.append(worker.run(job, folders=worker.library_folders()).cpu)  # noqa: B023 (called now)
        )
        found["worker"].append((cpu - simulated[0], clock - simulated[0]))
        found["Python"].append(_costs_of_children(_bare_python))
    (cpu, clock), (bare_cpu, bare_clock) = (
        (median(c for c, _ in costs), median(t for _, t in costs)) for costs in found.values()
    )
    figures = {"cpu_s": cpu, "clock_s": clock, "bare_cpu_s": bare_cpu, "bare_clock_s": bare_clock}
    ratio = cpu / bare_cpu if bare_cpu > 0.0 else clock / bare_clock  # Windows does not count children's
    rows = [
        ["a worker, without its simulation", f"{cpu:.2f}", f"{clock:.2f}", f"{ratio:.2f}"],
        ["Python with numpy and PyBullet", f"{bare_cpu:.2f}", f"{bare_clock:.2f}", "1.00"],
    ]
    lines = table_lines(["start of", "CPU s", "s on the clock", "ratio"], rows)
    return Section([figures], {"worker: start": ratio}, lines)


def _bare_python() -> None:
    subprocess.run([sys.executable, "-c", "import numpy, pybullet"], check=True, stderr=subprocess.DEVNULL)


def _costs_of_children(work: Callable[[], None]) -> tuple[float, float]:
    """Return CPU seconds of the processes that ``work`` starts and ends, and its seconds on the clock."""
    before, began = os.times(), time.perf_counter()
    work()
    after = os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return cpu, time.perf_counter() - began
