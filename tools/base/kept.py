# SPDX-License-Identifier: GPL-3.0-or-later
"""Results of tasks that are kept in files: what is current is taken over, the rest is made."""

from __future__ import annotations

import contextlib
import hashlib
import json
import platform
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import blender_biped
from tools.base import processes
from tools.base.processes import Task
from tools.base.progress import Progress, Say


def finished(
    tasks: Sequence[Task], jobs: int, what: str, say: Say,
    fell: Callable[[Mapping[str, Any]], bool] | None = None,
) -> tuple[dict[str, str], dict[str, dict[str, Any]]]:  # fmt: skip
    """Run the tasks whose result is not current; return errors and results by the task's name. Raises OSError.

    what: the tasks, for the progress line. fell: whether a result is a fall, to be counted in it.
    """

    def result(task: Task) -> dict[str, Any] | None:
        return processes.current(task.result, task.data["fingerprint"])

    found = {task.name: there for task in tasks if (there := result(task)) is not None}
    if found:
        say(f"{len(found)} of {len(tasks)} {what} are taken over from before.")
    progress = Progress(what, len(tasks), len(found))
    progress.falls = sum(map(fell, found.values())) if fell else None
    errors: dict[str, str] = {}
    with contextlib.closing(processes.run([t for t in tasks if t.name not in found], jobs)) as running:
        for ended in running:
            made = None if ended.error else result(ended.task)
            if made is None:
                errors[ended.task.name] = ended.error or "left no result"
            else:
                found[ended.task.name] = made
                if fell and fell(made):
                    progress.falls = (progress.falls or 0) + 1
            progress.step(len(errors))
    progress.end()
    return errors, found


def source_hash(*tools: str, ui: bool = False) -> str:
    """Return a hash of all that a result is made by: the package (without ui, or with), some tools, Python, numpy."""
    package = Path(blender_biped.__file__).parent
    files = [p for p in sorted(package.rglob("*")) if p.suffix in (".py", ".csv") and (ui or "ui" not in p.parts)]
    files += [package.parent / tool for tool in tools]
    digest = hashlib.sha256(f"{platform.python_version()} {np.__version__}".encode())
    for file in files:
        digest.update(file.relative_to(package.parent).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()


def kept_task(name: str, module: str, data: dict[str, Any], folder: Path, sources: str) -> Task:
    """Return a task whose result is kept in ``folder``. sources: what it is made by, see ``source_hash``."""
    fingerprint = hashlib.sha256(json.dumps([sources, data], sort_keys=True).encode()).hexdigest()
    return Task(name, module, {**data, "fingerprint": fingerprint}, folder / f"{name}.json")
