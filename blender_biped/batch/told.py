"""How far a batch is, for people: a bar where the terminal has one, else a line for each job."""

from __future__ import annotations

import importlib
import sys
from typing import Any, Protocol

from ..base.errors import in_one_line
from .folder import JobOutcome

_OUTCOMES = {
    "arrived": "arrived", "passed": "walked to the end", "unfinished": "did not get to the end",
    "stuck": "stepped on the spot", "fell": "fell",
}  # fmt: skip


class Told(Protocol):
    """Who is told how far a batch is."""

    def found(self, outcome: JobOutcome) -> None:
        """Be told what is there already of a job."""

    def ended(self, outcome: JobOutcome) -> None:
        """Be told what became of a job."""

    def progress(self, running: float) -> None:
        """Be told how much is done of the jobs that are walked now: the sum of their shares."""

    def close(self) -> None:
        """Be told that it is over."""


class ProgressLines:
    """A line for each job."""

    def __init__(self, total: int) -> None:
        """total: how many jobs there are."""
        self._total, self._done = total, 0

    def found(self, outcome: JobOutcome) -> None:
        """Print what went wrong before."""
        if outcome.state == "walked":
            self._done += 1
        else:
            self.ended(outcome)

    def ended(self, outcome: JobOutcome) -> None:
        """Print what became of a job."""
        self._done += 1
        print(f"{self._done} of {self._total}  {said(outcome)}", flush=True)

    def progress(self, running: float) -> None:
        """Say nothing."""

    def close(self) -> None:
        """Say nothing."""


class ProgressBar:
    """A bar at the terminal's lower end, and above it what went wrong."""

    def __init__(self, total: int, rich: Any) -> None:
        """rich: its module ``progress``."""
        columns = (rich.BarColumn(), rich.MofNCompleteColumn(), rich.TimeElapsedColumn(), rich.TimeRemainingColumn())
        self._bar = rich.Progress(rich.TextColumn("Walking"), *columns, redirect_stdout=False)
        self._task, self._done, self._running = self._bar.add_task("", total=total), 0, 0.0
        self._bar.start()

    def found(self, outcome: JobOutcome) -> None:
        """Show it, and print what went wrong before."""
        self.ended(outcome)

    def ended(self, outcome: JobOutcome) -> None:
        """Show it, and print what went wrong."""
        self._done += 1
        if outcome.state != "walked":
            self._bar.console.print(said(outcome), markup=False, highlight=False)
        self._show()

    def progress(self, running: float) -> None:
        """Show it."""
        if abs(running - self._running) > 0.01:
            self._running = running
            self._show()

    def close(self) -> None:
        """Leave the bar as it is."""
        self._bar.stop()

    def _show(self) -> None:
        self._bar.update(self._task, completed=self._done + self._running)


def told_at(total: int, bar: bool | None) -> Told:
    """Return who is told. bar: whether there is one, where the library for it is; None where this is a terminal."""
    if bar or (bar is None and sys.stdout.isatty()):
        try:
            return ProgressBar(total, importlib.import_module("rich.progress"))
        except ImportError:
            pass
    return ProgressLines(total)


def said(outcome: JobOutcome) -> str:
    """Return in a line what became of a job."""
    ends = [_ended(figures) for _, figures in outcome.motions]
    return in_one_line(f"{outcome.name}: {'; '.join(ends) or outcome.message or outcome.state}")


def _ended(figures: dict[str, Any]) -> str:
    duration = figures.get("duration_s")
    after = f" after {duration:.1f} s" if isinstance(duration, float | int) else ""
    return f"{_OUTCOMES.get(str(figures.get('outcome')), 'walked')}{after}"
