# SPDX-License-Identifier: GPL-3.0-or-later
"""CPU time by parts: clocks that are put on functions while a walk is simulated."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

REST = "rest"  # of simulate: its loop, and what no clock is on
STEPPED = ("physics", "control", "reading", "writing", "steering", "recording")  # parts that come with each step
TIMED = (*STEPPED, "building")
_CALIBRATION = 20_000  # calls that the clocks' own cost is measured with


Patch = tuple[Any, str, Callable[[Any], Any]]
"""A class or module, the name of a function in it, and what makes the new one of the old."""


@contextlib.contextmanager
def patched(places: Sequence[Patch]) -> Iterator[None]:
    """Replace functions while the context lasts, however it ends."""
    kept: list[tuple[Any, str, Any]] = []
    try:
        for owner, name, make in places:
            function = owner.__dict__[name]
            setattr(owner, name, make(function))
            kept.append((owner, name, function))
        yield
    finally:
        for owner, name, function in reversed(kept):
            setattr(owner, name, function)


class Clocks:
    """CPU time and calls of functions, by part. What a timed function calls belongs to its part."""

    def __init__(self) -> None:
        self.spent = dict.fromkeys(TIMED, 0)  # ns, with the clocks' own cost
        self.calls = dict.fromkeys(TIMED, 0)
        self._running = False

    def on(self, part: str) -> Callable[[Any], Any]:
        """Return what puts a clock of ``part`` on a function."""
        clock, spent, calls = time.process_time_ns, self.spent, self.calls

        def make(function: Any) -> Any:
            def timed(*arguments: Any, **named: Any) -> Any:
                if self._running:
                    return function(*arguments, **named)
                self._running = True
                began = clock()
                try:
                    return function(*arguments, **named)
                finally:
                    spent[part] += clock() - began
                    calls[part] += 1
                    self._running = False

            return timed

        return make

    def seconds(self, own: ClockCost) -> dict[str, float]:
        """Return the CPU seconds of each of TIMED, the clocks' own cost taken off."""
        return {p: max(0.0, 1e-9 * self.spent[p] - own.inside * self.calls[p]) for p in TIMED}


@dataclass(frozen=True)
class ClockCost:
    """What a clock costs a call, s: ``inside`` what it measures, ``outside`` the rest of it."""

    inside: float
    outside: float


def clock_cost() -> ClockCost:
    """Return what a clock costs here, from calls of a function that does nothing."""

    def nothing() -> None:
        pass

    def loop(function: Callable[[], None]) -> float:
        began = time.process_time()
        for _ in range(_CALIBRATION):
            function()
        return (time.process_time() - began) / _CALIBRATION

    clocks = Clocks()
    bare, clocked = loop(nothing), loop(clocks.on(TIMED[0])(nothing))
    inside = 1e-9 * clocks.spent[TIMED[0]] / _CALIBRATION
    return ClockCost(max(0.0, inside - bare), max(0.0, clocked - inside))
