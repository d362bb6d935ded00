# SPDX-License-Identifier: GPL-3.0-or-later
"""Many tasks in parallel, each in a process of its own, so that the crash of one is that one's only.

A task is JSON data for a module of tools/, which writes a result file: ``python -m MODULE TASK.json RESULT``.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from blender_biped.base.errors import BipedError, DataError
from blender_biped.base.fields import load_json
from blender_biped.base.files import written
from tools.base.command_table import ROOT

VERSION = 1  # of result files
TIME_LIMIT = 1800.0  # s that one task may take, unless it has a limit of its own
_CANNOT_WRITE = 74  # exit code of a child that could not write its result (EX_IOERR of sysexits.h)
_POLL = 0.02  # s between two looks at the children


@dataclass(frozen=True)
class Task:
    """What one process does. module: that runs it. data: JSON data for it. result: the file that it writes.

    limit: s that it may take; None for TIME_LIMIT.
    """

    name: str
    module: str
    data: Any
    result: Path
    limit: float | None = None


@dataclass(frozen=True)
class Ended:
    """A task that is over. error: what went wrong, "" for nothing."""

    task: Task
    error: str


def run(tasks: Sequence[Task], at_once: int) -> Generator[Ended, None, None]:
    """Run the tasks, ``at_once`` at a time, and give each as it ends.

    Raises OSError when a file cannot be written. Whatever ends this, no process is left running.
    """
    waiting, running = list(reversed(tasks)), list[_Running]()
    with tempfile.TemporaryDirectory(prefix="biped-") as folder:
        try:
            while waiting or running:
                while waiting and len(running) < at_once:
                    running.append(_Running(waiting.pop(), Path(folder)))
                over = [r for r in running if r.over()]
                for child in over:
                    running.remove(child)
                    yield child.ended()
                if not over:
                    time.sleep(_POLL)
        finally:
            for child in running:
                child.kill()


class _Running:
    """One process at work; its files are in ``folder``."""

    def __init__(self, task: Task, folder: Path) -> None:
        self._task = task
        given = folder / f"{task.name}.task.json"
        write_json(given, task.data)
        paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
        self._said = folder / f"{task.name}.txt"
        with self._said.open("wb") as said:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", task.module, str(given), str(task.result)],
                stdin=subprocess.DEVNULL, stdout=said, stderr=subprocess.STDOUT, env=environment,
            )  # fmt: skip
        self._limit = TIME_LIMIT if task.limit is None else task.limit
        self._until = time.monotonic() + self._limit
        self._late = False

    def over(self) -> bool:
        if self._process.poll() is None and time.monotonic() > self._until:
            self._late = True
            self.kill()
        return self._process.poll() is not None

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()

    def ended(self) -> Ended:
        lines = self._said.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        last = lines[-1] if lines else "it said nothing"
        code = self._process.returncode
        if code == _CANNOT_WRITE:
            raise OSError(last)
        if self._late:
            return Ended(self._task, f"not done after {self._limit:.0f} s")
        if code < 0:
            return Ended(self._task, f"ended by {_signal_name(-code)}")
        return Ended(self._task, f"ended with code {code}: {last}" if code else "")


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def child(files: Sequence[Path], work: Callable[[dict[str, Any]], Any]) -> int:
    """Do a task in this process, which ``run`` has started: task file in, result file out; return the exit code."""
    return _worked(files, lambda task, result: write_json(result, work(task)))


def drawing_child(files: Sequence[Path], draw: Callable[[dict[str, Any], Path], None]) -> int:
    """Do a task that writes a file of its own; else as ``child``."""

    def whole(task: dict[str, Any], result: Path) -> None:
        unfinished = _unfinished(result)
        draw(task, unfinished)
        os.replace(unfinished, result)

    return _worked(files, whole)


def _worked(files: Sequence[Path], work: Callable[[dict[str, Any], Path], None]) -> int:
    task, result = files
    try:
        work(load_json(task), result)
    except BipedError as error:
        print(error)
        return 1
    except OSError as error:
        print(error.strerror or error)
        return _CANNOT_WRITE
    return 0


def write_json(file: Path, data: Any) -> None:
    """Write JSON data so that the file is the old or the new one, never a part. Raises OSError, DataError."""
    write_text(file, json.dumps(data, allow_nan=False))


def write_text(file: Path, text: str) -> None:
    """Write UTF-8 text so that the file is the old or the new one, never a part. Raises OSError, DataError."""
    with written(file, lasting=False) as part:
        part.write(text.encode("utf-8"))


def _unfinished(file: Path) -> Path:
    return file.with_name(f"unfinished-{os.getpid()}-{file.name}")


def current(file: Path, fingerprint: str) -> dict[str, Any] | None:
    """Return the result in a file, or None when there is none that was made from the same, whole and readable."""
    try:
        found = load_json(file)
    except DataError:
        return None
    same = isinstance(found, dict) and (found.get("version"), found.get("fingerprint")) == (VERSION, fingerprint)
    return found if same else None
