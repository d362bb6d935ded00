# SPDX-License-Identifier: GPL-3.0-or-later
"""Mischief with the process that simulates: killed, held up, cut off from memory, disk and files, or talking odd."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from blender_biped import worker
from blender_biped.base.temporary import remove_stale
from blender_biped.job import write_job
from blender_biped.worker import READER, Worker, library_folders
from tools.attack.mutation import mutated_bytes, mutated_text
from tools.attack.readers import broken, check_motion, some_job
from tools.attack.verdict import Rng, demand
from tools.base.command_table import ROOT
from tools.base.processor import cpu_seconds

_FOLLOWED = 4.0  # s after which a worker that goes on is cancelled
_CANCEL = 1.0  # s that a cancel may take on a busy machine
_GONE = 10.0  # s of the processor's time, and s on the clock where others have that, after which an orphan must be gone
_GONE_BUSY = 120.0
_TALK = 15.0  # s that a process may take to say much
_LATEST = 1.2  # s after its begin that something happens to a worker
Mischief = Callable[[Worker, Rng], None]


def attack_worker(rng: Rng, folder: Path) -> str:
    """Run a worker under which something happens; nothing of it may be left."""
    if rng.random() < 0.25:
        return _orphaned(rng, folder)
    if rng.random() < 0.35:
        return _odd_talk(rng, folder)
    return _followed(rng, folder, _MISCHIEF[int(rng.integers(len(_MISCHIEF)))])


def _followed(rng: Rng, folder: Path, mischief: Mischief) -> str:
    """Simulate a walk in a worker, with mischief meanwhile; return what came of it. Raises BipedError, FaultError."""
    job = replace(some_job(rng), duration=float(rng.choice((0.3, 30.0))))
    own = folder / "temporary"
    own.mkdir()
    with _temporary(own):
        handle = Worker.ready(folders=library_folders())
        try:
            if rng.random() < 0.3:
                time.sleep(float(rng.uniform(0.0, 0.4)))
                mischief(handle, rng)
            handle.begin(job, parts=bool(rng.integers(2)))
            time.sleep(float(rng.uniform(0.0, _LATEST)))
            mischief(handle, rng)
            until = time.monotonic() + _FOLLOWED
            while handle.poll().state == "running" and time.monotonic() < until:
                handle.parts()
                time.sleep(0.02)
            if handle.poll().state == "running":
                began = time.monotonic()
                handle.cancel()
                demand(time.monotonic() - began < _CANCEL, f"a cancel took {time.monotonic() - began:.1f} s")
            check_motion(handle.result())
            return "walked"
        finally:
            handle.cancel()
            _nothing_left(handle.process_id, own)


def _nothing_left(process: int, folder: Path) -> None:
    """Raise FaultError unless a worker's process, threads and files are gone."""
    demand(not alive(process), "a process is left")
    left = [file.name for file in folder.iterdir()]
    demand(not left, f"files are left: {left}")
    demand(not [t for t in threading.enumerate() if t.name.startswith(READER)], "a thread is left")


def alive(process: int) -> bool:
    """Return whether a process runs; one that has ended and that nobody has waited for does not."""
    status = Path(f"/proc/{process}/stat")
    try:
        return status.read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


@contextmanager
def _temporary(folder: Path) -> Iterator[None]:
    """Let temporary folders be made in a folder while the context lasts."""
    before, tempfile.tempdir = tempfile.tempdir, str(folder)
    try:
        yield
    finally:
        tempfile.tempdir = before


# --- what happens to a worker ----------------------------------------------------------------------------------------


def _signal(number: int) -> Mischief:
    def send(handle: Worker, _rng: Rng) -> None:
        if alive(handle.process_id):
            os.kill(handle.process_id, number)

    return send


def _held_up(handle: Worker, rng: Rng) -> None:
    _signal(signal.SIGSTOP)(handle, rng)
    time.sleep(float(rng.uniform(0.0, 0.5)))
    if rng.random() < 0.5:
        _signal(signal.SIGCONT)(handle, rng)


def _limited(name: str) -> Mischief:
    """Return what lets the worker have no more of something: RLIMIT_AS memory, RLIMIT_FSIZE space in files."""

    def limit(handle: Worker, rng: Rng) -> None:
        import resource

        if alive(handle.process_id):
            which, most = getattr(resource, name), int(rng.choice((0, 1000, 10**6, 10**8)))
            _, hard = resource.prlimit(handle.process_id, which)
            most = most if hard == resource.RLIM_INFINITY else min(most, hard)  # no more than it was left before
            resource.prlimit(handle.process_id, which, (most, most))

    return limit


def _folder_gone(handle: Worker, _rng: Rng) -> None:
    shutil.rmtree(handle.folder, ignore_errors=True)


def _job_broken(handle: Worker, rng: Rng) -> None:
    if handle.folder.exists():
        (handle.folder / "job.json").write_bytes(broken(some_job(rng).as_json(), rng))


def _in_the_way(handle: Worker, _rng: Rng) -> None:
    """Put folders where the worker wants to write files."""
    for name in ("motion.npz", "part-0.unfinished", "part-1.npz"):
        if handle.folder.exists() and not (handle.folder / name).exists():
            (handle.folder / name).mkdir()


def _cancelled(handle: Worker, _rng: Rng) -> None:
    handle.cancel()


def _nothing(_handle: Worker, _rng: Rng) -> None:
    return


_MISCHIEF: Sequence[Mischief] = (
    _signal(signal.SIGKILL), _signal(signal.SIGTERM), _signal(signal.SIGSEGV), _signal(signal.SIGABRT), _held_up,
    _limited("RLIMIT_AS"), _limited("RLIMIT_FSIZE"), _folder_gone, _job_broken, _in_the_way, _cancelled, _nothing,
)  # fmt: skip


# --- a worker that talks nonsense, and one whose parent dies ---------------------------------------------------------


def _odd_talk(rng: Rng, folder: Path) -> str:
    """Follow a process that says anything, and ends anyhow. Raises BipedError, FaultError."""
    said = b'{"type": "progress", "value": 0.5}\n{"type": "part", "number": 0}\n'
    said += b'{"type": "error", "message": "This cannot be walked."}\n'
    entry, spoken, own = folder / "entry.py", folder / "said", folder / "temporary"
    text = said.decode()
    spoken.write_bytes(mutated_bytes(said, rng) if rng.random() < 0.6 else mutated_text(text, rng))
    code = (0, 1, 3, 255)[int(rng.integers(4))]
    entry.write_text(
        "import sys\n"
        "if sys.stdin.readline():\n"
        f"    said = open({str(spoken)!r}, 'rb').read()\n"
        f"    for _ in range({int(rng.choice((1, 2, 3000)))}):\n"
        "        sys.stdout.buffer.write(said)\n"
        "        sys.stderr.buffer.write(said)\n"
        f"sys.exit({code})\n"
    )
    own.mkdir()
    kept, worker.ENTRY = worker.ENTRY, entry
    try:
        with _temporary(own):
            handle = Worker.start(some_job(rng))
            try:
                until = time.monotonic() + _TALK
                while handle.poll().state == "running" and time.monotonic() < until:
                    demand(0.0 <= handle.poll().progress <= 1.0, f"a progress of {handle.poll().progress}")
                    handle.parts()
                    time.sleep(0.01)
                demand(handle.poll().state != "running", "a process that should have ended")
                handle.result()
                return "walked"
            finally:
                handle.cancel()
                _nothing_left(handle.process_id, own)
    finally:
        worker.ENTRY = kept


_PARENT = """
import os, signal, sys, time
from pathlib import Path
from blender_biped.job import read_job
from blender_biped.worker import Worker, library_folders
handle = Worker.ready(folders=library_folders())
print(handle.process_id, flush=True)
if sys.argv[2] != "ready":
    handle.begin(read_job(Path(sys.argv[1])), parts=sys.argv[2] == "parts")
time.sleep(float(sys.argv[3]))
print(handle.poll().state, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


def _orphaned(rng: Rng, folder: Path) -> str:
    """Kill the process that follows a worker; the worker and its files must be gone soon after. Raises FaultError."""
    own, file = folder / "temporary", folder / "job.json"
    own.mkdir()
    write_job(replace(some_job(rng), duration=60.0), file)
    way = ("ready", "whole", "parts")[int(rng.integers(3))]
    done = subprocess.run(
        [sys.executable, "-P", "-c", _PARENT, str(file), way, str(float(rng.uniform(0.0, 1.5)))],
        cwd=ROOT, env={**os.environ, "TMPDIR": str(own)}, stdout=subprocess.PIPE, text=True, check=False,
    )  # fmt: skip
    said = done.stdout.split()
    demand(len(said) == 2, "the process that was to be killed did not start a worker")
    process = int(said[0])
    until, most = time.monotonic() + _GONE_BUSY, cpu_seconds(process) + _GONE
    if said[1] != "running":
        return "ended before its parent"
    while (alive(process) or any(own.iterdir())) and time.monotonic() < until:
        if alive(process) and cpu_seconds(process) > most:
            break
        time.sleep(0.05)
    if alive(process):
        os.kill(process, signal.SIGKILL)
        demand(False, f"a worker goes on after its parent ({way})")
    found = "gone with its parent"
    if any(own.iterdir()):  # it had ended by itself just before: the next program that starts a worker removes it
        found = "left to the next one"
        for made in own.iterdir():
            os.utime(made, (0.0, 0.0))
        with _temporary(own):
            remove_stale()
    left = [str(f.relative_to(own)) for f in own.rglob("*")]
    demand(not left, f"files are left of a worker without a parent ({way}): {left}")
    return found
