# SPDX-License-Identifier: GPL-3.0-or-later
"""Batches that are killed (``tools.trials``): the same motions as in one go, none walked twice, nothing else left.

A folder of jobs of four controllers is walked in one go; by batches that are killed at random, with all their processes
or alone, until one has come to the end; and by two workers of Dask of which one is killed again and again.
"""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from blender_biped.batch.cluster import LOCAL, connected
from blender_biped.batch.folder import SUMMARY, JobOutcome, pieces
from blender_biped.batch.run import BatchRun
from blender_biped.batch.told import ProgressLines
from tools.base.command_table import ROOT
from tools.base.job_folders import batch_line, motion_hashes, walked_folder, write_folder

Figures = dict[str, Any]
_MORE = 2.0  # times the jobs of an even share: so many may be walked until the next kill
_LATER = 0.5  # s, at most, from a motion to the kill
_PATIENCE = 600.0  # s for the next motion
_LOOK = 0.02  # s
_SAID = re.compile(r"^\d+ of \d+  ([\w-]+): ", re.MULTILINE)  # a line of a batch about a job that it has walked


@dataclass(frozen=True)
class BatchTrial:
    """A folder. count: its jobs. seconds: that each of them walks. kills: of the batch, and of Dask's workers."""

    count: int
    seconds: float
    kills: int
    dask_kills: int
    seed: int = 1


PARTS: Mapping[str, Callable[[], list[BatchTrial]]] = {
    "batch": lambda: [BatchTrial(200, 0.5, 10, 3)],
    "some-batch": lambda: [BatchTrial(16, 0.2, 10, 1)],
}


@dataclass
class Resumed:
    """What was seen of batches that were killed and started again.

    code: the last one's exit code. walks: how often each job was walked to the end. replaced: motions that were there
    at one kill and were other files at the next.
    """

    code: int = 0
    kills: int = 0
    walks: Counter[str] = field(default_factory=Counter)
    replaced: set[str] = field(default_factory=set)
    _known: dict[str, int] = field(default_factory=dict)

    def note(self, folder: Path, said: str) -> None:
        """Note what a batch has said until its end, and the motions that are there."""
        self.walks.update(_SAID.findall(said))
        now = {file.name: file.stat().st_ino for file in folder.glob("*.npz")}
        self.replaced |= {name for name, number in self._known.items() if now.get(name) != number}
        self._known = now


def run(trial: BatchTrial, out: Path) -> Figures:
    """Walk a folder in each way; return what is the same and what is not."""
    with TemporaryDirectory(dir=out, prefix="batch-") as name:
        once, killed, dask = (Path(name) / own for own in ("once", "killed", "dask"))
        for folder in (once, killed, dask):
            write_folder(folder, trial.count, trial.seconds)
        code, _ = walked_folder(once)
        wanted, there = motion_hashes(once), _names(once)
        resumed = killed_and_resumed(killed, trial.kills, trial.seed)
        states, lost = walked_by_dask(dask, trial.dask_kills, trial.seed)
        return {
            "jobs": trial.count, "seconds": trial.seconds, "code": code, "motions": len(wanted),
            "distinct": len(set(wanted.values())),
            "killed": {
                "code": resumed.code, "kills": resumed.kills, "walks": dict(Counter(resumed.walks.values())),
                "replaced": len(resumed.replaced), "same": _same(wanted, motion_hashes(killed)),
                "stray": sorted(_names(killed) ^ there),
            },
            "dask": {
                "kills": lost, "states": dict(Counter(states)), "same": _same(wanted, motion_hashes(dask)),
                "stray": sorted(_names(dask) ^ (there - {SUMMARY})),
            },
        }  # fmt: skip


def killed_and_resumed(folder: Path, kills: int, seed: int, *options: str) -> Resumed:
    """Walk a folder by batches of which so many are killed, after so many motions more as chance has it."""
    chance, seen = random.Random(seed), Resumed()
    share = _MORE * len(pieces(folder)) / max(kills, 1)
    while seen.kills < kills:
        code, said = _killed(folder, chance, chance.randrange(int(share) + 1), options)
        seen.note(folder, said)
        seen.kills += 1
        if code == 0:  # it had come to the end
            break
    seen.code, said = walked_folder(folder, *options)
    seen.note(folder, said)
    return seen


def _killed(folder: Path, chance: random.Random, more: int, options: Sequence[str]) -> tuple[int, str]:
    """Kill a batch once it has walked so many jobs more; return its exit code, and what it said until then."""
    until, signals = len(list(folder.glob("*.npz"))) + more, (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
    with TemporaryDirectory() as name:
        file = Path(name) / "said"
        with file.open("wb") as said:
            running = subprocess.Popen(batch_line(folder, *options), cwd=ROOT, stdout=said, start_new_session=True)
        latest = time.monotonic() + _PATIENCE
        while running.poll() is None and len(list(folder.glob("*.npz"))) < until and time.monotonic() < latest:
            time.sleep(_LOOK)
        time.sleep(chance.uniform(0.0, _LATER))
        kill, how = chance.choice((os.kill, os.killpg)), chance.choice(signals)
        if running.poll() is None:
            kill(running.pid, how)
        return running.wait(), file.read_text(encoding="utf-8")


def walked_by_dask(folder: Path, kills: int, seed: int) -> tuple[list[str], int]:
    """Walk a folder by two workers of Dask, of which one is killed now and then; return states, and kills."""
    chance, killed = random.Random(seed), list[int]()
    every = len(pieces(folder)) / (kills + 1)
    with connected(LOCAL, False, 2) as cluster:

        def look() -> None:
            if len(killed) < kills and len(batch.outcomes) > every * len(killed):
                workers = [worker.pid for worker in cluster.client.cluster.workers.values() if worker.pid]
                if workers and (own := chance.choice(workers)) not in killed:
                    os.kill(own, signal.SIGKILL)
                    killed.append(own)

        batch = BatchRun(folder, pieces(folder), cluster.begin, _Silent(0), cluster.at_once)
        batch.run(look)
    return [own.state for own in batch.outcomes.values()], len(killed)


class _Silent(ProgressLines):
    """Nobody is told."""

    def ended(self, outcome: JobOutcome) -> None:
        """Say nothing."""


def _names(folder: Path) -> set[str]:
    return {file.name for file in folder.iterdir()}


def _same(wanted: Mapping[str, str], found: Mapping[str, str]) -> int:
    return sum(found.get(name) == own for name, own in wanted.items())


def report_lines(part: str, found: Sequence[Figures]) -> list[str]:
    """Return lines for people of each folder."""
    return [line for one in found for line in _lines(one)]


def _lines(one: Figures) -> list[str]:
    killed, dask = one["killed"], one["dask"]
    walks = ", ".join(f"{jobs} jobs {times} times" for times, jobs in sorted(killed["walks"].items()))
    return [
        f"  in one go: exit code {one['code']}, {one['motions']} motions of {one['jobs']} jobs of {one['seconds']:g} s",
        f"  killed {killed['kills']} times: exit code {killed['code']}, {killed['same']} motions the same bit for bit; "
        f"walked to the end: {walks}; {killed['replaced']} replaced; stray files: {killed['stray'] or 'none'}",
        f"  by Dask, {dask['kills']} workers killed: {dask['states']}, {dask['same']} motions the same bit for bit; "
        f"stray files: {dask['stray'] or 'none'}",
    ]  # fmt: skip
