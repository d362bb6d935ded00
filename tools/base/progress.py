# SPDX-License-Identifier: GPL-3.0-or-later
"""A line that says how far many tasks are."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

Say = Callable[[str], None]


class Progress:
    """A line that says how far many tasks are: rewritten on a terminal, else printed now and then."""

    def __init__(self, what: str, total: int, done: int = 0) -> None:
        self.falls: int | None = None
        self._what, self._total, self._done, self._taken = what, total, done, done
        self._began = self._shown = time.monotonic()
        self._live = sys.stdout.isatty()

    def step(self, crashed: int) -> None:
        """One more task is done."""
        self._done += 1
        now = time.monotonic()
        if self._live or now - self._shown > 15.0 or self._done == self._total:
            self._shown = now
            print(self.line(crashed, now - self._began).ljust(78), end="\r" if self._live else "\n", flush=True)

    def line(self, crashed: int, passed: float) -> str:
        """Return the line. passed: s since the beginning."""
        left = passed / max(1, self._done - self._taken) * (self._total - self._done)
        parts = [f"{self._what}: {self._done} of {self._total}"]
        parts += [] if self.falls is None else [f"{self.falls} fell"]
        parts += [f"{crashed} crashed"] if crashed else []
        parts += [f"{left // 60:.0f} min {left % 60:.0f} s left"] if self._done < self._total else [f"{passed:.0f} s"]
        return "  " + ", ".join(parts)

    def end(self) -> None:
        """Leave the line as it is."""
        if self._live and self._done > self._taken:
            print(flush=True)
