"""Long work in portions: generators that yield the share that is done, 0..1, and return what came of it."""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeVar

_Made = TypeVar("_Made")


def finished(work: Generator[float, None, _Made]) -> _Made:
    """Do all of it at once, and return what came of it."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            made: _Made = end.value
            return made


def within(work: Generator[float, None, _Made], begin: float, end: float) -> Generator[float, None, _Made]:
    """Do the work as a part of a larger one, from one share of that to another."""
    while True:
        try:
            share = next(work)
        except StopIteration as done:
            made: _Made = done.value
            return made
        try:
            yield begin + (end - begin) * share
        except GeneratorExit:
            work.close()
            raise
