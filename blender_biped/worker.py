# SPDX-License-Identifier: GPL-3.0-or-later
"""The process around simulate: starts it, follows it, ends it, and says how it ended. No Blender here.

The simulation runs in a Python of its own, so that Blender stays responsive and survives a crash in the
physics. The job, or a company of several, goes in and the motion of each comes back as files in a temporary folder.
The process loads its libraries and waits for a line on its standard input that says that the job is there:
``{"parts": false, "folder": "...", "versions": false, "tables": "", "work": "", "kept": false}``, whether the motion is
to come in parts, too, the temporary folder, whether the versions of its libraries are to be said, the folder where it
keeps tables for the next one, what the motion is stamped with (see ``motion.stamp``), "" for no stamp, and whether it
waits for another such line once it has walked. When standard input is closed, as it is when Blender has ended in
whatever way, the process ends and takes the temporary folder along. On its standard output come JSON lines:
``{"type": "progress", "value": 0.0 to 1.0}``, ``{"type": "part", "number": 0}``, ``{"type": "versions", "numpy": "...",
...}``, ``{"type": "done"}``, ``{"type": "error", "message": "...", "refused": true}``, whether it is the job that
cannot be walked, and ``{"type": "ready"}`` where it waits for another job.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import math
import os
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import IO, Literal

from .base.errors import DataError, WorkerError, quoted, shortened
from .base.fields import not_finite
from .base.temporary import TemporaryFolder, remove_stale
from .character.model import Character
from .company import Company, motion_file, write_work
from .job import Job
from .motion.motion import Motion, part_file, read_motion, read_part

State = Literal["running", "done", "failed", "cancelled"]

ENTRY = Path(__file__).with_name("worker_entry.py")
READER = "Biped worker"  # name of the threads that read what the process says
_PATIENCE = 0.2  # s a cancelled process may take to end by itself
_KEPT_LINES = 3  # of standard error, for the message: a traceback's last ones say what happened
_SHOWN = 200  # characters of each of these
_LONGEST_LINE = 2**16  # bytes that are kept of what the process says: a line may have no end
_CRASHED = 0xC0000000  # from which exit codes are the errors of Windows that end a process
_POLL = 0.02  # s between two looks of a blocking run
_MOTION = "motion.npz"


class RefusedError(WorkerError):
    """The job cannot be walked, here or elsewhere, now or later; the message says why."""


class CancelledError(WorkerError):
    """The simulation was cancelled by the user."""

    def __init__(self) -> None:
        super().__init__("The walk was cancelled; nothing was changed.")


@dataclass(frozen=True)
class Status:
    """How far a simulation is. progress: 0..1."""

    state: State
    progress: float


class Worker:
    """One simulation in a process of its own. No call blocks for longer than half a second.

    The ``process`` and its temporary folder are gone once ``result`` or ``cancel`` has been called, and at
    the latest when this object or the interpreter goes.
    """

    def __init__(self, process: subprocess.Popen[bytes], own: TemporaryFolder, python: str, tables: str = "") -> None:
        """Follow a process that writes motion.npz into a folder of its own. Use ``start`` or ``ready``."""
        folder = own.path
        self.process, self._folder, self._python, self._tables = process, folder, python, tables
        self._said = _Said()
        assert process.stdout and process.stderr
        self._readers = [
            threading.Thread(target=_read_messages, args=(process.stdout, self._said), name=READER, daemon=True),
            threading.Thread(target=_read_lines, args=(process.stderr, self._said.lines), name=READER, daemon=True),
        ]
        for reader in self._readers:
            reader.start()
        self._cancelled = False
        self._character: Character | None = None
        self._motions: tuple[Motion, ...] = ()
        self._files = [folder / _MOTION]
        self._end = weakref.finalize(self, _end, process, self._readers, own)

    @classmethod
    def start(
        cls, job: Job | Company, python: str = "", folders: Sequence[str] = (), tables: str = ""
    ) -> Worker:  # fmt: skip
        """Start simulating a job, or a company.

        python: whole path of the interpreter, empty for the one that runs this. folders: where it finds
        libraries that it has not itself (see ``library_folders``). tables: the folder in which it keeps what the next
        one need not work out again (see ``disk_cache``), empty for none.
        Raises WorkerError when the process or its files cannot be made.
        """
        worker = cls.ready(python, folders, tables)
        worker.begin(job)
        return worker

    @classmethod
    def ready(cls, python: str = "", folders: Sequence[str] = (), tables: str = "") -> Worker:
        """Start a process that loads its libraries, and then waits for ``begin``.

        python, folders, tables: as for ``start``. Raises WorkerError when the process cannot be made.
        """
        python = _whole_path(python or sys.executable)
        _tidy()
        try:
            own = TemporaryFolder()
        except OSError as error:
            raise WorkerError(f"Cannot make a temporary folder: {_reason(error)}.") from error
        try:
            return cls(_process(python, folders, own.path), own, python, tables)
        except WorkerError:
            own.remove()
            raise

    def begin(
        self, job: Job | Company, parts: bool = False, versions: bool = False, work: str = "", kept: bool = False
    ) -> None:
        """Have a process that is ready simulate a job. parts: whether what is there of its motion is to be had before.

        A company has no parts. versions: whether it says those of its libraries, see ``versions``. work: what the
        motion is stamped with, see ``motion.stamp``; "" for no stamp. kept: whether the process waits for another job
        when it has ended this one; see ``waits``.

        Raises WorkerError when the job cannot be written; then the process has ended.
        """
        if self._said.ready:  # it has walked another one
            for file in self._files:
                file.unlink(missing_ok=True)
            self._said.forget()
        self._motions, self._character, self._files = (), None, [self._folder / _MOTION]
        if isinstance(job, Company):
            self._files = [motion_file(self._folder / _MOTION, place) for place in range(len(job.companions))]
        else:
            self._character = job.character
        try:
            _write(job, self._folder)
        except WorkerError:
            self.cancel()
            raise
        pipe = self.process.stdin
        assert pipe
        try:
            order = {
                "parts": parts, "folder": str(self._folder), "versions": versions, "tables": self._tables, "work": work,
                "kept": kept,
            }  # fmt: skip
            pipe.write(json.dumps(order).encode("ascii") + b"\n")
            pipe.flush()  # it stays open: its end is the end of the process
        except OSError:  # it has ended, and ``result`` says how
            return

    @property
    def process_id(self) -> int:
        """The operating system's number of the process."""
        return self.process.pid

    @property
    def folder(self) -> Path:
        """Where its files are."""
        return self._folder

    @property
    def versions(self) -> Mapping[str, str]:
        """The versions of Python and its libraries by their names, as the process has said; empty before."""
        return self._said.versions

    def poll(self) -> Status:
        """Return how far the simulation is."""
        if self._cancelled:
            return Status("cancelled", self._said.progress)
        code = self._code()
        if code is None:
            return Status("running", self._said.progress)
        return Status("done" if code == 0 else "failed", 1.0 if code == 0 else self._said.progress)

    @property
    def waits(self) -> bool:
        """Whether the process has ended a job, and waits for another one."""
        return self._said.ready and not self._cancelled and self.process.poll() is None

    def _code(self) -> int | None:
        """Return the exit code of the process, or what it would be of one that is kept; None while it simulates."""
        if self._said.ready:
            return 1 if self._said.error else 0
        return self.process.poll()

    def cancel(self) -> None:
        """End the process now; harmless when it has ended."""
        self._cancelled = True
        self._end()

    def parts(self) -> list[Motion]:
        """Return what has come of the motion since the last call, if ``begin`` was called for parts.

        See ``simulate`` and ``motion.joined``.
        """
        found: list[Motion] = []
        while self._said.parts and self._character:
            file = part_file(self._folder, self._said.parts.popleft())
            try:
                found.append(read_part(file, self._character))
                file.unlink()
            except (DataError, OSError):  # what comes after it is of no use either; the motion as a whole comes yet
                self._character = None
        return found

    def result(self) -> Motion:
        """Return the motion of a process that has ended, of a company the first one's; the same one at each call.

        Raises CancelledError, or WorkerError that says how the process ended without a motion.
        """
        return self.results()[0]

    def results(self) -> tuple[Motion, ...]:
        """Return the motions of a company in its order, or the one of a job; see ``result``."""
        if self._motions:
            return self._motions
        try:
            self._motions = tuple(map(read_motion, self.made()))
            return self._motions
        except DataError as error:
            raise WorkerError(f"The simulation ended, but its result cannot be used. {error}") from error
        finally:
            if not self.waits and (self._cancelled or self._code() is not None):
                self._end()

    def made(self) -> tuple[Path, ...]:
        """Return the files of the motions, which are there until ``results``, ``cancel`` or ``begin`` is called.

        Raises as ``results``, of whose errors RefusedError says that it is the job.
        """
        if self._cancelled:
            raise CancelledError
        code = self._code()
        if code is None:
            raise RuntimeError("The simulation is still running.")
        if not self._said.ready:
            for reader in self._readers:  # what is still in the pipes
                reader.join(_PATIENCE)
        if code == 0:
            return tuple(self._files)
        raise (RefusedError if self._said.refused else WorkerError)(self._failure(code))

    def _failure(self, code: int) -> str:
        """Return what happened to a process that ended with an exit code other than 0."""
        if self._said.error:
            return self._said.error
        by_hand = os.name == "nt" and not self._said.lines
        how = ended_from_outside(code, by_hand)
        if how:
            return (
                f"The simulation was ended by the system ({how}). If memory is short, close other "
                "programs or choose a shorter path; then bake again."
            )
        lines = " | ".join(self._said.lines)
        return f"The simulation in {self._python} ended with exit code {code}: {lines or 'it printed nothing'}"


def run(
    job: Job,
    python: str = "",
    folders: Sequence[str] = (),
    tables: str = "",
    progress: Callable[[float], None] | None = None,
) -> Motion:
    """Return the motion of a job, simulated in a worker process; blocks until it has ended.

    python, folders, tables: as for ``Worker.start``. progress: called with 0..1 whenever it has grown.
    Raises WorkerError that says how the process ended without a motion.
    """
    worker = Worker.start(job, python, folders, tables)
    told = 0.0
    try:
        while True:
            status = worker.poll()
            if progress and status.progress > told:
                told = status.progress
                progress(told)
            if status.state != "running":
                return worker.result()
            time.sleep(_POLL)
    except BaseException:
        worker.cancel()
        raise


def library_folders() -> list[str]:
    """Return the folder of PyBullet that this Python would import, or none; without importing it."""
    spec = importlib.util.find_spec("pybullet")
    return [str(Path(spec.origin).parent)] if spec and spec.origin else []


@dataclass
class _Said:
    """What the process has said so far; written by the reader threads."""

    progress: float = 0.0
    error: str = ""
    refused: bool = False
    ready: bool = False
    parts: deque[int] = field(default_factory=deque)
    versions: Mapping[str, str] = field(default_factory=dict)
    lines: deque[str] = field(default_factory=lambda: deque(maxlen=_KEPT_LINES))

    def forget(self) -> None:
        """Forget what was said of a job before."""
        self.progress, self.error, self.refused, self.ready = 0.0, "", False, False
        self.parts.clear()
        self.lines.clear()


def _read_messages(pipe: IO[bytes], said: _Said) -> None:
    for line in iter(lambda: pipe.readline(_LONGEST_LINE), b""):
        try:
            message = json.loads(line)
            kind = message["type"]
            if kind == "progress":
                share = float(message["value"])
                said.progress = min(max(share, said.progress), 1.0) if math.isfinite(share) else said.progress
            elif kind == "part":
                said.parts.append(int(message["number"]))
            elif kind == "versions":
                said.versions = {str(name): str(value) for name, value in message.items() if name != "type"}
            elif kind == "error":
                said.error, said.refused = str(message["message"]), message.get("refused") is True
            elif kind == "ready":
                said.ready = True
        except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
            continue  # a library's own print


def _write(job: Job | Company, folder: Path) -> None:
    """Write the job's file. Raises WorkerError when it cannot be written."""
    try:
        write_work(job, folder / "job.json")
    except DataError as error:
        raise WorkerError(str(error)) from error
    except OSError as error:
        raise WorkerError(
            f"Cannot write the job into {folder}: {_reason(error)}. Free some space there, or choose another "
            "temporary folder in the system's settings."
        ) from error
    except ValueError as error:  # it says neither which nor where
        where = not_finite(job.as_json(), "company" if isinstance(job, Company) else "job") or str(error)
        raise WorkerError(f"The job has a value that is not a finite number: {where}. Set it again.") from error


def _whole_path(python: str) -> str:
    """Return the path of a Python. Raises WorkerError for one that is relative, to this folder or an open file's.

    What lies beside a file came with it, so it is never run. ``//`` is Blender's word for the folder of the open file.
    """
    if python.startswith("//") or not Path(python).is_absolute() or "\0" in python:
        raise WorkerError(
            f"The Python {quoted(python)} is not a whole path, and what lies beside an open file is never run: choose "
            "it again in the extension's preferences, with Relative Path off in the file browser."
        )
    return python


def _process(python: str, folders: Sequence[str], folder: Path) -> subprocess.Popen[bytes]:
    """Return a process that waits for the job in ``folder``. Raises WorkerError when it cannot be started."""
    files = [str(folder / "job.json"), str(folder / _MOTION)]
    environment = dict(os.environ)
    if os.name == "nt":  # where the interpreter itself finds the runtime of C; its libraries: see worker_entry
        environment["PATH"] = os.pathsep.join([*folders, environment.get("PATH", "")])
    try:
        return subprocess.Popen(
            [python, "-I", str(ENTRY), *folders, *files],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),  # Windows: no console window
        )
    except OSError as error:
        raise WorkerError(
            f"Cannot start the Python {python}: {_reason(error)}. "
            "Choose another Python for the worker in the extension's preferences."
        ) from error


def _read_lines(pipe: IO[bytes], lines: deque[str]) -> None:
    for line in iter(lambda: pipe.readline(_LONGEST_LINE), b""):
        text = shortened(line.decode("utf-8", "replace").strip(), _SHOWN)
        if text:
            lines.append(text)


@cache
def _tidy() -> None:
    """Remove, once, what Blender and its worker left that were killed together."""
    remove_stale()


def _end(process: subprocess.Popen[bytes], readers: Sequence[threading.Thread], own: TemporaryFolder) -> None:
    """End the process if it runs, reap it, and remove what it leaves."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    if process.stdin:
        with contextlib.suppress(OSError):
            process.stdin.close()
    for reader, pipe in zip(readers, (process.stdout, process.stderr), strict=True):
        reader.join(_PATIENCE)
        if pipe and not reader.is_alive():
            pipe.close()
    own.remove()


def ended_from_outside(code: int, by_hand: bool) -> str:
    """Return what ended a process with an exit code, "" where it ended by itself.

    by_hand: whether a program may have ended it that says nothing but an exit code, as Windows' Task Manager:
    a process that ends by itself, with an error, prints what it is.
    """
    if code < 0:
        return _signal_name(-code)
    if code >= _CRASHED:
        return f"error 0x{code:08X}"
    return f"exit code {code}" if by_hand else ""


def _signal_name(number: int) -> str:
    try:
        return f"signal {number}, {signal.Signals(number).name}"
    except ValueError:
        return f"signal {number}"


def _reason(error: OSError) -> str:
    return error.strerror or str(error)
