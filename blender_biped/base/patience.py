"""Work that somebody waits for: what takes long in it is done a part at a time, and asked for again.

Who waits says ``with patient()``; what takes long, and keeps what it finds, says ``with costly()`` around each part.
Where nobody waits, as in a worker, nothing is ever left for later.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TypeVar

One = TypeVar("One")
Found = TypeVar("Found")

PORTION = 0.1
"""s of the thread's own time, of what is costly: with all the rest of it Blender stands still for less than 0.5."""


class UnfinishedError(Exception):
    """Not all is found yet. What was found is kept: asked for again, it goes on from there."""


@dataclass
class _Patience:
    """left: s."""

    left: float


_patience: ContextVar[_Patience | None] = ContextVar("patience", default=None)


@contextmanager
def patient(seconds: float = PORTION) -> Iterator[None]:
    """Let what is costly take so many seconds of this thread, and at least one part of it be done.

    Raises UnfinishedError where there is more to do.
    """
    before = _patience.set(_Patience(seconds))
    try:
        yield
    finally:
        _patience.reset(before)


@contextmanager
def costly() -> Iterator[None]:
    """Do a part of something whose result is kept. Raises UnfinishedError where it has to wait for the next time."""
    own = _patience.get()
    if own is None:
        yield
        return
    if own.left <= 0.0:
        raise UnfinishedError
    began = time.thread_time()
    try:
        yield
    finally:
        own.left -= time.thread_time() - began


def finish(done: list[Found], of: Sequence[One], work: Callable[[One], Found]) -> None:
    """Do costly work on those of some that come after what is done, and keep what it finds with that.

    done: changed in place. Raises UnfinishedError.
    """
    for one in of[len(done) :]:
        with costly():
            done.append(work(one))
