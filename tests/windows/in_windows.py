# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs inside a Windows Python, from the files of the zip: walks jobs through the worker, cancels one, kills one.

    python in_windows.py EXTENSION JOBS TEMPORARY OUT.json LIBRARIES...

EXTENSION: the folder of the installed extension. JOBS: a folder of jobs. TEMPORARY: where the worker's files go.
LIBRARIES: the folders of PyBullet and numpy, which Blender's own Python has.
"""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any


def load_extension(folder: Path) -> None:
    """Make the package in ``folder`` importable, as the worker does it."""
    spec = importlib.util.spec_from_file_location("worker_entry", folder / "worker_entry.py")
    assert spec and spec.loader
    entry = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(entry)
    entry.load_package(folder)


def walked(file: Path, libraries: list[str]) -> dict[str, Any]:
    """Return what came out of a job."""
    from blender_biped.job import read_job
    from blender_biped.worker import run

    shown: list[float] = []
    began = time.monotonic()
    motion = run(read_job(file), folders=libraries, progress=shown.append)
    return {
        "outcome": motion.outcome, "steps": len(motion.strikes), "samples": len(motion.root),
        "end": [float(x) for x in motion.root[-1]], "progress": shown, "seconds": time.monotonic() - began,
    }  # fmt: skip


def in_parts(file: Path, libraries: list[str]) -> dict[str, Any]:
    """Return how a walk comes in parts from a worker that was started ahead, and whether these are the walk."""
    import numpy as np

    from blender_biped.job import read_job
    from blender_biped.motion.motion import joined
    from blender_biped.worker import Worker

    worker = Worker.ready(folders=libraries)
    time.sleep(1.0)
    worker.begin(read_job(file), parts=True)
    parts: list[Any] = []
    while worker.poll().state == "running":
        parts += worker.parts()
        time.sleep(0.02)
    parts += worker.parts()
    begun, whole = joined(parts), worker.result()
    return {"parts": len(parts), "same": bool(np.array_equal(begun.root, whole.root[: len(begun.root)]))}


def unneeded(libraries: list[str]) -> dict[str, Any]:
    """Return what becomes of a worker that was started ahead when this process lets go of it without a word."""
    from blender_biped.worker import Worker

    worker = Worker.ready(folders=libraries)
    process = worker.process
    assert process.stdin
    process.stdin.close()
    code = process.wait(30.0)
    worker.cancel()
    return {"code": code}


_PARENT = """
import importlib.util, os, sys, tempfile, time
from pathlib import Path
spec = importlib.util.spec_from_file_location("worker_entry", Path(sys.argv[1]) / "worker_entry.py")
entry = importlib.util.module_from_spec(spec)
spec.loader.exec_module(entry)
entry.load_package(Path(sys.argv[1]))
sys.path += sys.argv[4:]
tempfile.tempdir = sys.argv[3]
from blender_biped.job import read_job
from blender_biped.worker import Worker
worker = Worker.start(read_job(Path(sys.argv[2])), folders=sys.argv[4:])
while worker.poll().state == "running" and worker.poll().progress < 0.02:
    time.sleep(0.02)
print(worker.process_id, worker.poll().state, len(os.listdir(tempfile.tempdir)), flush=True)
os._exit(1)
"""


def orphaned(extension: str, file: Path, temporary: str, libraries: list[str]) -> dict[str, Any]:
    """Return what is left ten seconds after a Python has ended, without a word, whose worker was walking."""
    own = Path(temporary) / "orphan"
    own.mkdir()
    done = subprocess.run(
        [sys.executable, "-c", _PARENT, extension, str(file), str(own), *libraries], stdout=subprocess.PIPE, text=True
    )
    process, state, folders = done.stdout.split()
    began = time.monotonic()
    while (lives(int(process)) or os.listdir(own)) and time.monotonic() - began < 10.0:
        time.sleep(0.1)
    found = {
        "before": state, "folders": int(folders), "lives": lives(int(process)), "left": os.listdir(own),
        "seconds": time.monotonic() - began,
    }  # fmt: skip
    if not found["left"]:
        own.rmdir()
    return found


_CONSOLE = """
import ctypes, json
system, user = ctypes.WinDLL("kernel32"), ctypes.WinDLL("user32")
system.GetConsoleWindow.restype = ctypes.c_void_p
window = system.GetConsoleWindow()
shown = bool(window and user.IsWindowVisible(ctypes.c_void_p(window)))
print(json.dumps({"type": "error", "message": json.dumps({"page": system.GetConsoleCP(), "shown": shown})}), flush=True)
raise SystemExit(1)
"""


def console(file: Path, temporary: str) -> dict[str, Any]:
    """Return of a worker's console its code page, 0 where it has none of its own, and whether its window is shown."""
    from blender_biped import worker
    from blender_biped.base.errors import WorkerError
    from blender_biped.job import read_job

    entry, usual = Path(temporary) / "entry.py", worker.ENTRY
    entry.write_text(_CONSOLE, encoding="utf-8")
    worker.ENTRY = entry
    try:
        worker.run(read_job(file))
    except WorkerError as error:
        found: dict[str, Any] = json.loads(str(error))
    finally:
        worker.ENTRY = usual
        entry.unlink()
    return found


def lives(process: int) -> bool:
    """Return whether a process of Windows runs."""
    import ctypes

    system = ctypes.WinDLL("kernel32")  # type: ignore[attr-defined]
    system.OpenProcess.restype = ctypes.c_void_p
    handle = system.OpenProcess(0x100000, False, process)  # SYNCHRONIZE
    if not handle:
        return False
    ended = system.WaitForSingleObject(ctypes.c_void_p(handle), 0) == 0
    system.CloseHandle(ctypes.c_void_p(handle))
    return not ended


def ended(file: Path, libraries: list[str], end: Callable[[Any], None]) -> dict[str, Any]:
    """Return how a worker ends that is ended in the middle: the message, and how long it took, s."""
    from blender_biped.base.errors import WorkerError
    from blender_biped.job import read_job
    from blender_biped.worker import Worker

    worker = Worker.start(read_job(file), folders=libraries)
    while worker.poll().state == "running" and worker.poll().progress < 0.05:
        time.sleep(0.02)
    before, began, message = worker.poll().state, time.monotonic(), "no error"
    end(worker)
    while worker.poll().state == "running":
        time.sleep(0.01)
    seconds = time.monotonic() - began
    try:
        worker.result()
    except WorkerError as error:
        message = str(error)
    return {"before": before, "seconds": seconds, "message": message}


def main(extension: str, jobs: str, temporary: str, out: str, *libraries: str) -> None:
    """Try everything, and write what was found."""
    load_extension(Path(extension))
    sys.path += libraries
    tempfile.tempdir = temporary
    files = sorted(Path(jobs).glob("*.json"))
    found: dict[str, Any] = {file.stem: walked(file, list(libraries)) for file in files if file.stem != "long"}
    long = Path(jobs) / "long.json"
    found["cancel"] = ended(long, list(libraries), lambda worker: worker.cancel())
    found["kill"] = ended(long, list(libraries), lambda worker: os.kill(worker.process_id, signal.SIGTERM))
    found["in parts"], found["unneeded"] = in_parts(files[0], list(libraries)), unneeded(list(libraries))
    found["orphan"] = orphaned(extension, long, temporary, list(libraries))
    found["console"] = console(long, temporary)
    found["left"] = os.listdir(temporary)
    Path(out).write_text(json.dumps({"system": sys.platform, "python": sys.version, **found}), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
