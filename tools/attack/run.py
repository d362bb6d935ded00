# SPDX-License-Identifier: GPL-3.0-or-later
"""Many attacks in processes of their own: one that hangs, crashes or takes too much memory is noted; others go on."""

from __future__ import annotations

import json
import math
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any

from tools.attack.kinds import LIMITS, SHARES
from tools.attack.verdict import Outcome
from tools.base.command_table import ROOT
from tools.base.processor import cpu_seconds

VERSION = 1  # of reports
BUSY = 30.0
"""Times the limit that an attack may take on the clock where others have the processor."""
KEPT = 5.0
"""s between two reports that are kept."""
_BATCH = 200  # attacks of a process
_START = 30.0  # s in which a process must have loaded its libraries
_SHOWN = 8  # failures of a kind that are printed


@dataclass(frozen=True)
class Batch:
    """Attacks of one kind with consecutive seeds."""

    kind: str
    first: int
    count: int


def batches(kinds: Sequence[str], count: int, first: int) -> list[Batch]:
    """Return ``count`` attacks, shared out among kinds as SHARES says, each kind with seeds from ``first`` on."""
    whole = sum(SHARES[kind] for kind in kinds)
    found = []
    for kind in kinds:
        own = max(1, round(count * SHARES[kind] / whole))
        found += [Batch(kind, first + i, min(_BATCH, own - i)) for i in range(0, own, _BATCH)]
    return found


def attack(
    wanted: Sequence[Batch],
    at_once: int,
    say: Callable[[str], None] = lambda _: None,
    keep: Callable[[dict[str, Any]], None] = lambda _: None,
) -> dict[str, Any]:
    """Run all attacks, ``at_once`` processes at a time; return the report as JSON data. No process is left.

    say: is told how far it is. keep: takes the report so far, again and again.
    """
    waiting: queue.SimpleQueue[Batch] = queue.SimpleQueue()
    for batch in wanted:
        waiting.put(batch)
    outcomes: list[Outcome] = []
    memory: list[int] = [0]
    faults: list[BaseException] = []
    began = time.monotonic()
    latest = began - KEPT

    def keep_soon() -> None:
        nonlocal latest
        now = time.monotonic()
        if now - latest > KEPT:
            latest = now
            keep(report(list(outcomes), memory[0], now - began))

    def work() -> None:
        while True:
            try:
                batch = waiting.get_nowait()
            except queue.Empty:
                return
            try:
                for outcome, most in _outcomes(batch):
                    outcomes.append(outcome)
                    memory[0] = max(memory[0], most)
                    keep_soon()
                say(_line(batch, outcomes))
            except BaseException as error:  # for the thread that waits
                faults.append(error)
                return

    threads = [threading.Thread(target=work, daemon=True) for _ in range(at_once)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if faults:
        raise faults[0]
    found = report(outcomes, memory[0], time.monotonic() - began)
    keep(found)
    return found


def report(outcomes: Sequence[Outcome], memory: int, seconds: float) -> dict[str, Any]:
    """Return what came of attacks, by kind, as JSON data. memory: the most that a process took, bytes.

    seconds: on the clock. Those of attacks are the processor's, as their limits are.
    """
    kinds: dict[str, Any] = {}
    for kind in dict.fromkeys(o.kind for o in outcomes):
        own = sorted((o for o in outcomes if o.kind == kind), key=lambda o: o.seed)
        kinds[kind] = {
            "count": len(own),
            "first_seed": own[0].seed,
            **{verdict: sum(o.verdict == verdict for o in own) for verdict in ("done", "refused", "failed")},
            "done_as": dict(Counter(o.what for o in own if o.verdict == "done").most_common()),
            "slowest_s": round(max(o.seconds for o in own), 2),
            "longest_reading_s": round(max(o.reading for o in own), 3),
            "failures": [asdict(o) for o in own if o.verdict == "failed"],
        }
    return {
        "version": VERSION,
        "python": sys.version.split()[0],
        "count": len(outcomes),
        "failed": sum(k["failed"] for k in kinds.values()),
        "memory_mb": round(memory / 2**20),
        "seconds": round(seconds, 1),
        "kinds": kinds,
    }


def lines(found: Mapping[str, Any]) -> list[str]:
    """Return a report for people."""
    text = []
    for kind, own in found["kinds"].items():
        ways = ", ".join(f"{count} {what}" for what, count in own["done_as"].items())
        longest = own["longest_reading_s"]
        reading = f", the longest reading {longest:.2f} s" if longest else ""
        text.append(
            f"{kind:<9}{own['count']:>6} attacks: {own['done']} done ({ways or 'none'}), {own['refused']} refused, "
            f"{own['failed']} FAILED; the slowest took {own['slowest_s']:.1f} s of the processor{reading}"
        )
        text += [f"    seed {one['seed']}: {one['what']}" for one in own["failures"][:_SHOWN]]
    text.append(
        f"{found['count']} attacks in {found['seconds']:.0f} s, at most {found['memory_mb']} MB: "
        f"{found['failed']} failed."
    )
    return text


def _line(batch: Batch, outcomes: Sequence[Outcome]) -> str:
    failed = sum(o.verdict == "failed" for o in list(outcomes))
    return f"  {batch.kind} {batch.first} to {batch.first + batch.count - 1}; {len(outcomes)} so far, {failed} failed"


def _outcomes(batch: Batch) -> Iterator[tuple[Outcome, int]]:
    """Run a batch, in another process from where one ended; yield what came of each, and memory in bytes."""
    next_seed, end = batch.first, batch.first + batch.count
    while next_seed < end:
        with _Child(Batch(batch.kind, next_seed, end - next_seed)) as child:
            for outcome, most in child.outcomes():
                yield outcome, most
                next_seed = outcome.seed + 1


class _Child:
    """A process that attacks."""

    def __init__(self, batch: Batch) -> None:
        self._batch = batch
        paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
        self._folder = tempfile.TemporaryDirectory(prefix="attack-", ignore_cleanup_errors=True)
        self._errors = Path(self._folder.name) / "errors.txt"
        arguments = [batch.kind, str(batch.first), str(batch.count)]
        with self._errors.open("wb") as errors:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "tools.attack.batch", *arguments],
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors, cwd=ROOT,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), "TMPDIR": self._folder.name},
            )  # fmt: skip
        self._said: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        assert self._process.stdout
        self._reader = threading.Thread(target=_read, args=(self._process.stdout, self._said), daemon=True)
        self._reader.start()

    def __enter__(self) -> _Child:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        self._reader.join()
        assert self._process.stdout
        self._process.stdout.close()
        self._folder.cleanup()

    def outcomes(self) -> Iterator[tuple[Outcome, int]]:
        """Yield what came of each attack, up to one that ended the process or did not end."""
        seed, began, ended = self._batch.first, time.monotonic(), False
        limit, used = _START, 0.0
        while True:
            try:
                said = self._said.get(timeout=limit)
            except queue.Empty:
                waited = time.monotonic() - began
                if waited < BUSY * limit and cpu_seconds(self._process.pid) - used < limit:
                    continue  # the processor was others': only what it does itself counts
                took = cpu_seconds(self._process.pid) - used
                yield self._failure(seed, f"not done after {waited:.0f} s", took, began), 0
                return
            if said is None:
                took = cpu_seconds(self._process.pid) - used  # before it is waited for: then nothing is known of it
                self._process.wait()
                if not ended or self._process.returncode:
                    yield self._failure(seed, self._end(), took, began), 0
                return
            if "begins" in said:
                seed, began, ended, limit = said["begins"], time.monotonic(), False, LIMITS[self._batch.kind]
                used = cpu_seconds(self._process.pid)
            else:
                ended, limit = True, _START
                yield Outcome(**said["ends"]), said["memory"]

    def _failure(self, seed: int, what: str, took: float, began: float) -> Outcome:
        """took: s of the processor, if that is known; began: on the clock."""
        seconds = took if math.isfinite(took) else time.monotonic() - began
        return Outcome(self._batch.kind, seed, "failed", what, seconds)

    def _end(self) -> str:
        code = self._process.returncode
        if code < 0:
            return f"the process was ended by {signal.Signals(-code).name}"
        last = self._errors.read_text(encoding="utf-8", errors="replace").strip().splitlines()[-1:]
        return f"the process ended with code {code}: {' '.join(last)[:200]}"


def _read(pipe: IO[bytes], said: queue.SimpleQueue[dict[str, Any] | None]) -> None:
    for line in pipe:
        said.put(json.loads(line))
    said.put(None)
