"""Variations of a character's walk: which there are, and how they are computed. Nothing of Blender is kept here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ...job import Job
from ...motion.motion import Motion, joined, with_parts
from ...motion.summary import Summary, summarised
from ...worker import Status, Worker
from .request import Request
from .runs import Queue, Run, Source


@dataclass(eq=False)
class Take:
    """One variation of a walk.

    number: of the variation, the seed of its job. motion: so much of it as has come. summary: of a whole one, None
    before. locked: whether it stays when variations are made again. hidden: whether it is not drawn.
    """

    number: int
    request: Request
    motion: Motion
    summary: Summary | None = None
    locked: bool = False
    hidden: bool = False

    @property
    def job(self) -> Job:
        """What it was made from."""
        return self.request.job

    @property
    def well(self) -> bool:
        """Whether it is the walk that was set, and came to its end."""
        s = self.summary
        return s is not None and s.outcome in ("arrived", "passed") and not (s.fallback or s.astray)


@dataclass
class Takes:
    """The takes of one character.

    made: those that are there. coming: those that are being computed in place of the ones that are not locked, None
    while none are; expected: how many there will be with the locked ones. first: the number of the next one.
    hidden: whether none is drawn.
    """

    made: list[Take] = field(default_factory=list)
    coming: list[Take] | None = None
    expected: int = 0
    first: int = 1
    hidden: bool = False

    @property
    def locked(self) -> list[Take]:
        """Those that stay."""
        return [take for take in self.made if take.locked]

    @property
    def present(self) -> list[Take]:
        """Those that there are to show now, in the order in which they stand side by side."""
        return self.made if self.coming is None else [*self.locked, *sorted(self.coming, key=lambda own: own.number)]

    @property
    def places(self) -> int:
        """How many stand side by side, those that are still to come among them."""
        return len(self.made) if self.coming is None else self.expected

    def begin(self, count: int) -> list[Take]:
        """Let so many new ones come; return the list that takes them."""
        self.coming, self.expected, self.hidden = [], len(self.locked) + count, False
        return self.coming

    def settle(self) -> list[Take]:
        """Let those that have come whole take the place of the ones that are not locked; return them.

        Where none has, all stays as it was.
        """
        new = sorted((take for take in self.coming or () if take.summary), key=lambda own: own.number)
        if new:
            self.made = [*self.locked, *new]
            self.first = max(self.first, new[-1].number + 1)
        self.coming = None
        return new

    def give_up(self) -> None:
        """Leave those that were there."""
        self.coming = None

    def take(self, number: int) -> Take | None:
        """Return a whole one by its number, None where there is none."""
        return next((own for own in self.made if own.number == number), None)


class GrowingMotion:
    """The source of a motion of which parts are there before it is whole."""

    def __init__(self, worker: Worker) -> None:
        """Follow a worker that was begun for parts."""
        self._worker = worker
        self._parts: list[Motion] = []

    def poll(self) -> Status:
        """Return how far it is."""
        return self._worker.poll()

    def cancel(self) -> None:
        """End it; harmless when it has ended."""
        self._worker.cancel()

    def result(self) -> Motion:
        """Return the motion, once it has ended. Raises WorkerError, CancelledError if it was cancelled."""
        return self._worker.result()

    def begun(self) -> Motion | None:
        """Return so much of the motion as is there."""
        self._parts = with_parts(self._parts, self._worker.parts())
        self._parts = [joined(self._parts)] if len(self._parts) > 1 else self._parts
        return self._parts[0] if self._parts else None


@dataclass
class TakesQueue(Queue):
    """Walks of one character that become takes.

    coming: these, in whatever order they come. news: whether something has come that is not drawn yet.
    """

    coming: list[Take] = field(default_factory=list)
    news: bool = False

    def advance(self) -> None:
        """Take what has come, and start what may be."""
        super().advance()
        for run in self.runs:
            self._note(run, run.motion or _begun(run.source))

    @property
    def text(self) -> str:
        """What is being done, for people."""
        return f"Simulating {len(self.runs)} Takes" if self.runs else super().text

    def _note(self, run: Run, motion: Motion | None) -> None:
        """Let what has come of a walk be a take."""
        if motion is None or run.request is None:
            return
        number = run.request.job.seed
        own = next((take for take in self.coming if take.number == number), None)
        if own is None:
            own = Take(number, run.request, motion)
            self.coming.append(own)
            self.news = True
        if own.motion is not motion:
            own.motion, self.news = motion, True
        if run.motion is not None and own.summary is None:
            own.summary = summarised(run.motion, run.request.job)


def takes_of(character: int) -> Takes:
    """Return the takes of a character, by its object's session_uid; they last until another file is opened."""
    return _book.setdefault(character, Takes())


def forget_takes() -> None:
    """Forget all takes."""
    _book.clear()


def numbers(takes: Takes, count: int) -> Sequence[int]:
    """Return the numbers of those to be made so that there are ``count`` with the locked ones."""
    return range(takes.first, takes.first + max(count - len(takes.locked), 0))


def _begun(source: Source | None) -> Motion | None:
    return source.begun() if isinstance(source, GrowingMotion) else None


_book: dict[int, Takes] = {}
