"""A style on its way: the walks that are tried for it, in processes of their own. Nothing of Blender is kept here."""

from __future__ import annotations

import threading
from collections.abc import Callable

from ...control.kind import Making
from ...job import Job
from ...preset.preset import Preset
from .request import Request
from .runs import Queue, Run, Source


class StyleWork:
    """What is done for a style that is being made; see ``status.Work``. No call blocks for long."""

    exclusive = False

    def __init__(self, making: Making, name: str, begin: Callable[[Job], Source], at_once: int, title: str) -> None:
        """name: of the action. begin: starts a walk. at_once: how many may run at the same time.

        title: what is being done, for people.
        """
        self._title = title
        self._making, self._name, self._begin, self._at_once = making, name, begin, at_once
        self._queue = self._asked()
        self._telling: threading.Thread | None = None
        self.cancelled, self.error = False, ""

    @property
    def settled(self) -> bool:
        """Whether nothing more is to be computed."""
        return self._making.done or self.cancelled or bool(self.error)

    @property
    def progress(self) -> float:
        """The share that is done, 0..1."""
        return 1.0 if self._making.done else self._making.progress + self._making.part * self._queue.progress

    @property
    def text(self) -> str:
        """What is being done, for people, and what has come of it."""
        found = self._making.found
        return f"{self._title} (best so far: {found})" if found else self._title

    def advance(self) -> None:
        """Take what has come, and start what may be."""
        if self.settled:
            return
        if self._telling is not None:
            if not self._telling.is_alive():
                self._telling, self._queue = None, self._asked()
            return
        self._queue.advance()
        if not self._queue.settled:
            return
        if all(run.motion is None for run in self._queue.runs):
            self.error = self._queue.runs[0].error
            return
        self._telling = threading.Thread(target=self._tell, daemon=True)  # it takes a second or two: Blender goes on
        self._telling.start()

    def cancel(self) -> None:
        """End all that is computed, and start nothing more."""
        self.cancelled = not self._making.done
        self.stop()

    def stop(self) -> None:
        """Leave no process."""
        self._queue.stop()

    def style(self) -> Preset:
        """Return the style that was made. Raises DataError before any walk was tried."""
        return self._making.style()

    def _asked(self) -> Queue:
        """Return the walks to simulate now."""
        runs = [Run(self._name, 0, Request(job, ())) for job in self._making.ask()]
        return Queue(runs, self._begin, self._at_once)

    def _tell(self) -> None:
        try:
            self._making.tell([run.motion for run in self._queue.runs])
        except Exception as error:
            self.error = f"The walks could not be judged ({error}). Nothing was changed."
