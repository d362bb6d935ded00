"""Walks on their way from jobs to motions, several at a time. Nothing of Blender is kept here."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from ...base.errors import BipedError
from ...company import Company
from ...job import Job
from ...motion.motion import Motion
from ...pool import Computing, Pool
from ...worker import CancelledError, Status
from .request import Request


class Source(Protocol):
    """What a motion comes from: a worker, or what is there already. No call blocks for long."""

    def poll(self) -> Status:
        """Return how far it is."""

    def cancel(self) -> None:
        """End it; harmless when it has ended."""

    def result(self) -> Motion:
        """Return the motion, once it has ended. Raises WorkerError, CancelledError if it was cancelled."""


@dataclass(frozen=True)
class Simulated:
    """The source of a motion that is there already."""

    motion: Motion

    def poll(self) -> Status:
        """Return that it is done."""
        return Status("done", 1.0)

    def cancel(self) -> None:
        """Do nothing: it has ended."""

    def result(self) -> Motion:
        """Return the motion."""
        return self.motion


class CompanySource(Protocol):
    """What the motions of a company come from: a worker. No call blocks for long."""

    def poll(self) -> Status:
        """Return how far it is."""

    def cancel(self) -> None:
        """End it; harmless when it has ended."""

    def results(self) -> Sequence[Motion]:
        """Return the motions, once it has ended. Raises WorkerError, CancelledError if it was cancelled."""


@dataclass(frozen=True)
class Share:
    """One companion's source: its place in that of all."""

    whole: CompanySource
    place: int

    def poll(self) -> Status:
        """Return how far all are."""
        return self.whole.poll()

    def cancel(self) -> None:
        """End all."""
        self.whole.cancel()

    def result(self) -> Motion:
        """Return its motion."""
        return self.whole.results()[self.place]


@dataclass(frozen=True, eq=False)
class Party:
    """Walks that are computed at once, in one world. company: theirs, in their order."""

    runs: tuple[Run, ...]
    company: Company


@dataclass
class Run:
    """The walk of one character on its way.

    name, armature: the character's, and its object's session_uid: a pointer would not outlive an undo meanwhile.
    request: the job as the settings were when it was queued, None where it could not be read. error: why there is no
    motion, or why it could not be written; cancelled: whether that is because it was. source: while it is computed.
    computed, written: shares, 0..1. party: those that it is computed with, None for nobody.
    """

    name: str
    armature: int
    request: Request | None = None
    error: str = ""
    cancelled: bool = False
    motion: Motion | None = None
    source: Source | None = None
    computed: float = 0.0
    written: float = 0.0
    party: Party | None = None

    @property
    def settled(self) -> bool:
        """Whether nothing more is to be computed."""
        return self.motion is not None or bool(self.error)


@dataclass
class Queue:
    """The walks of one or several characters, of which some are computed at a time.

    begin: starts a job. at_once: how many may run at the same time. begin_company: starts those that are in one world.
    """

    runs: Sequence[Run]
    begin: Callable[[Job], Source]
    at_once: int = 1
    begin_company: Callable[[Company], CompanySource] | None = None
    cancelled: bool = False
    writing: Run | None = None

    def __post_init__(self) -> None:
        self._pool = Pool[Sequence[Run], Computing](self._waiting(), self._begin, _taken, _failed, self.at_once)

    def advance(self) -> None:
        """Take what has come, and start what may be. One walk's error does not stop the others."""
        self._pool.advance()
        for own in self._pool.running:
            for run in own.item:
                run.computed = own.progress

    def cancel(self) -> None:
        """End all that is computed, and start nothing more."""
        self.cancelled = True
        self.stop()
        for run in self.runs:
            if not run.settled:
                run.error, run.cancelled = str(CancelledError()), True

    def stop(self) -> None:
        """Leave no process."""
        self._pool.stop()
        for run in self.runs:
            run.source = None

    @property
    def settled(self) -> bool:
        """Whether nothing more is to be computed."""
        return all(run.settled for run in self.runs)

    @property
    def progress(self) -> float:
        """The share that is computed, 0..1, all walks counting alike; of the keys once these are written."""
        if self.writing:
            return self.writing.written
        return sum(1.0 if run.settled else run.computed for run in self.runs) / max(len(self.runs), 1)

    @property
    def text(self) -> str:
        """What is being done, for people."""
        if self.writing:
            return f"Writing Keys of {self.writing.name}"
        if not self.runs:
            return "Reading the Scene"
        return f"Simulating {self.runs[0].name if len(self.runs) == 1 else f'{len(self.runs)} Characters'}"

    @property
    def exclusive(self) -> bool:
        """Whether nothing may be changed meanwhile: while the scene is read, or keys are written."""
        return self.writing is not None or not self.runs

    def _waiting(self) -> Iterator[Sequence[Run]]:
        """Give the walks that are still to be started, together those that are computed at once."""
        for run in self.runs:
            if run.request and not run.settled and not run.source:
                yield run.party.runs if run.party else (run,)

    def _begin(self, runs: Sequence[Run]) -> Computing:
        """Start walks that are computed at once, or one."""
        first = runs[0]
        assert first.request
        if first.party is None:
            first.source = self.begin(first.request.job)
            return first.source
        assert self.begin_company
        whole = self.begin_company(first.party.company)
        for place, own in enumerate(runs):
            own.source = Share(whole, place)
        return whole


def _taken(runs: Sequence[Run], _: Computing) -> None:
    """Take the motions of walks that have ended; what goes wrong with one is its own error."""
    for run in runs:
        source, run.source = run.source, None
        assert source
        try:
            run.motion = source.result()
        except Exception as error:
            _failed((run,), error)


def _failed(runs: Sequence[Run], error: Exception) -> None:
    """Note what went wrong with walks."""
    if isinstance(error, BipedError):
        said = str(error)
    else:
        traceback.print_exception(error)
        said = f"The walk could not be computed ({error}). What was there is unchanged; see the console."
    for run in runs:
        run.source, run.error, run.cancelled = None, said, isinstance(error, CancelledError)
