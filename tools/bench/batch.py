# SPDX-License-Identifier: GPL-3.0-or-later
"""What a batch costs beside its walks: its time on the clock times the cores, over its jobs' own time of the processor.

What other programs take makes the time on the clock longer: it is to be measured on a computer that does nothing else.
All that the batch's processes have of the processor, over the same, shows how much of it is their own work.
"""

from __future__ import annotations

import json
import os
import time
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from blender_biped.base.errors import WorkerError
from blender_biped.batch.folder import SUMMARY
from blender_biped.pool import cores
from tools.base.job_folders import walked_folder, write_folder
from tools.bench.section import Section, table_lines

FOLDERS = ((200, 3.0), (20, 60.0))
"""Jobs, and s that each walks."""
WAYS: dict[str, tuple[str, ...]] = {"batch": (), "Dask": ("--scheduler", "local")}


@dataclass(frozen=True)
class BatchCost:
    """What walking a folder took, s: on the clock, of the processor in all processes, and in the jobs' own walks."""

    clock: float
    cpu: float
    own: float

    def ratios(self, at_once: int) -> tuple[float, float]:
        """Return its clock times the cores, and its processor's time, over the jobs' own."""
        return self.clock * at_once / self.own, self.cpu / self.own


def measure_batch() -> Section:
    """Return what each way costs for each folder."""
    at_once = cores()
    figures: list[dict[str, Any]] = []
    ratios: dict[str, float] = {}
    rows = []
    for count, seconds in FOLDERS:
        for way, options in WAYS.items():
            found = cost_of(count, seconds, *options, "--jobs", str(at_once))
            overhead, processor = found.ratios(at_once)
            name = f"{way}, {count} jobs of {seconds:g} s"
            figures.append({"way": way, "jobs": count, "seconds": seconds, "cores": at_once, **vars(found)})
            ratios |= {f"batch: {name}": overhead, f"batch: {name}, processor": processor}
            spent = (f"{own:.1f}" for own in (found.clock, found.cpu, found.own))
            rows.append([name, *spent, f"{overhead:.3f}", f"{processor:.3f}"])
    head = ["", "s on the clock", "CPU s", "jobs' own CPU s", f"clock x {at_once} cores / own", "CPU / own"]
    return Section(figures, ratios, table_lines(head, rows))


def cost_of(count: int, seconds: float, *options: str) -> BatchCost:
    """Return what a batch takes for so many jobs that each walk so long. Raises WorkerError where one is not walked."""
    with TemporaryDirectory() as name:
        folder = Path(name) / "jobs"
        write_folder(folder, count, seconds)
        before, began = os.times(), time.perf_counter()
        code, said = walked_folder(folder, *options)
        after, clock = os.times(), time.perf_counter() - began
        if code:
            raise WorkerError(f"The batch ended with exit code {code}: {said.strip().splitlines()[-1]}")
        own = json.loads((folder / SUMMARY).read_text(encoding="ascii"))["cpu_s"]
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return BatchCost(clock, cpu, own)
