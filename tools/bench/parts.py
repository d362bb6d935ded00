# SPDX-License-Identifier: GPL-3.0-or-later
"""The parts of the bench."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tools.bench.bake import measure_bake
from tools.bench.batch import measure_batch
from tools.bench.characters import measure_characters
from tools.bench.length import measure_length
from tools.bench.preview import measure_preview
from tools.bench.report import measure_report
from tools.bench.section import Section
from tools.bench.split import measure_split
from tools.bench.worker import measure_worker
from tools.bench.world import measure_world

PARTS: Mapping[str, tuple[str, Callable[[], Section]]] = {
    "split": ("where the time of a walk goes", measure_split),
    "length": ("cost against length", measure_length),
    "characters": ("several characters", measure_characters),
    "worker": ("starting the worker", measure_worker),
    "bake": ("baking", measure_bake),
    "preview": ("the live preview", measure_preview),
    "report": ("the report of a walk", measure_report),
    "world": ("what is in the world", measure_world),
    "batch": ("what a batch costs beside its walks", measure_batch),
}
