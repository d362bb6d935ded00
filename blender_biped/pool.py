"""Work that is computed elsewhere, several pieces at a time: what starts them and takes what has come.

Walks of the scene (``ui``) and jobs of a folder (``batch``) go through the same pool, whatever computes them: worker
processes of this machine, those of others, or nobody where a motion is there already.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from .company import Company
from .job import Job
from .worker import Status, Worker

Item = TypeVar("Item")


class Computing(Protocol):
    """What is computed elsewhere. No call blocks for long."""

    def poll(self) -> Status:
        """Return how far it is."""

    def cancel(self) -> None:
        """End it; harmless when it has ended."""


Source = TypeVar("Source", bound=Computing)


@dataclass(eq=False)
class OnTheWay(Generic[Item, Source]):
    """A piece of work that is being computed. progress: 0..1, which never falls."""

    item: Item
    source: Source
    progress: float = 0.0


class Pool(Generic[Item, Source]):
    """Pieces of work, of which so many are computed at a time.

    One's error does not stop the others. ``at_once`` may change on the way, ``running`` is to be looked at.
    """

    def __init__(
        self,
        waiting: Iterable[Item],
        begin: Callable[[Item], Source],
        take: Callable[[Item, Source], None],
        failed: Callable[[Item, Exception], None],
        at_once: int = 1,
    ) -> None:
        """waiting: asked for the next piece when it can be begun, not before.

        begin: starts a piece. take: is given one that has ended. failed: is told what either of these has raised.
        """
        self._waiting, self._begin, self._take, self._failed = iter(waiting), begin, take, failed
        self.at_once, self.running, self.settled = at_once, list[OnTheWay[Item, Source]](), False

    def advance(self) -> None:
        """Take what has come, and start what may be."""
        for own in list(self.running):
            self._look(own)
        while not self.settled and len(self.running) < self.at_once:
            item = next(self._waiting, None)
            if item is None:
                self.settled = not self.running
                break
            try:
                own = OnTheWay(item, self._begin(item))
            except Exception as error:
                self._failed(item, error)
                continue
            self.running.append(own)
            self._look(own)  # it may be there already

    def stop(self) -> None:
        """End all that is computed, and start nothing more."""
        self._waiting = iter(())
        for own in self.running:
            own.source.cancel()
        self.running.clear()
        self.settled = True

    def _look(self, own: OnTheWay[Item, Source]) -> None:
        now = own.source.poll()
        own.progress = max(own.progress, now.progress)
        if now.state == "running":
            return
        self.running.remove(own)
        try:
            self._take(own.item, own.source)
        except Exception as error:
            self._failed(own.item, error)


class Crew:
    """Worker processes that are kept: who has walked a job walks the next one. May be used by several threads."""

    def __init__(self, python: str = "", folders: Sequence[str] = (), tables: str = "") -> None:
        """See ``Worker.start``."""
        self._python, self._folders, self._tables = python, folders, tables
        self._idle, self._lock = list[Worker](), threading.Lock()

    def begin(self, work: Job | Company, digest: str) -> CrewWalk:
        """Start the walk of a job or a company. digest: what its motions are stamped with. Raises WorkerError."""
        worker = self._free() or Worker.ready(self._python, self._folders, self._tables)
        worker.begin(work, work=digest, kept=True)
        return CrewWalk(self, worker)

    def take_back(self, worker: Worker) -> None:
        """Keep a worker that waits for another job; end another one."""
        if not worker.waits:
            worker.cancel()
            return
        with self._lock:
            self._idle.append(worker)

    def stop(self) -> None:
        """Leave no process but those that walk."""
        while worker := self._free():
            worker.cancel()

    def _free(self) -> Worker | None:
        """Return a worker that waits for a job, None where there is none."""
        while True:
            with self._lock:
                worker = self._idle.pop() if self._idle else None
            if worker is None or worker.waits:
                return worker
            worker.cancel()


class CrewWalk:
    """The walk of one job by a crew."""

    def __init__(self, crew: Crew, worker: Worker) -> None:
        self._crew, self._worker = crew, worker

    def poll(self) -> Status:
        """Return how far it is."""
        return self._worker.poll()

    def cancel(self) -> None:
        """End it, with its process."""
        self._worker.cancel()

    @property
    def process_id(self) -> int:
        """The operating system's number of its process."""
        return self._worker.process_id

    def files(self) -> Sequence[Path]:
        """Return the files of its motions, which are there until ``end``. Raises as ``Worker.made``."""
        return self._worker.made()

    def end(self) -> None:
        """Let the process walk another job."""
        self._crew.take_back(self._worker)


def cores() -> int:
    """Return how many walks may be computed at the same time: the cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return os.cpu_count() or 1
