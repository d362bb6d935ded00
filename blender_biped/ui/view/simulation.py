"""The previewed walk, simulated in the worker as soon as nothing has changed for a moment: what the bake would do.

No pointer to Blender's data is kept, so nothing here minds undo, other files and what is deleted meanwhile.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Literal

from ...base.errors import WorkerError
from ...job import Job
from ...motion.motion import Motion, joined, with_parts
from ...worker import CancelledError, Worker

State = Literal["off", "waiting", "running", "done", "failed"]
WorkerPython = tuple[str, list[str], str]
"""The Python that runs the worker, the folders of libraries that it needs, and that of its tables."""

QUIET = 0.5
"""Seconds without a change after which a walk is simulated."""


class Simulation:
    """One walk at a time: waits, is simulated, and is there until another one is desired. No call blocks for long.

    While it waits a worker loads its libraries, which costs nothing where nothing changes.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin with no walk. clock: seconds."""
        self._clock = clock
        self.job: Job | None = None
        self.error = ""
        self.progress = 0.0
        self._due: float | None = None
        self._python: WorkerPython = ("", [], "")
        self._ready: Worker | None = None
        self._run: Worker | None = None
        self._lent = False
        self._parts: list[Motion] = []
        self._motion: Motion | None = None

    @property
    def state(self) -> State:
        """Where it is: "off" without a job, "failed" where ``error`` says why there is no motion."""
        if self.job is None:
            return "off"
        if self.error:
            return "failed"
        if self._motion is not None:
            return "done"
        return "running" if self._run else "waiting"

    @property
    def busy(self) -> bool:
        """Whether ``advance`` has something to do."""
        return self.state in ("waiting", "running")

    @property
    def motion(self) -> Motion | None:
        """The motion, or so much of it as has come; None where nothing has."""
        if self._motion is None and self._parts:
            self._parts = [joined(self._parts)] if len(self._parts) > 1 else self._parts
            return self._parts[0]
        return self._motion

    def desire(self, job: Job, python: WorkerPython) -> None:
        """Have a job simulated soon. The same one goes on; for another one, what there is of it is given up."""
        if job == self.job:
            return
        self._give_up()
        self.job, self._due = job, self._clock() + QUIET
        if self._ready and python != self._python:
            self._ready.cancel()
            self._ready = None
        self._python = python
        if self._ready is None:
            try:
                self._ready = Worker.ready(*python)
            except WorkerError as error:
                self._fail(error)

    def advance(self) -> bool:
        """Go on: begin when it is time, take what has come. Return whether there is something new to show."""
        if self.state == "waiting" and self._due is not None and self._clock() >= self._due:
            self._begin()
            return True
        return self.state == "running" and self._follow()

    def finished(self, job: Job) -> Motion | None:
        """Return the whole motion of a job if that is the one that was simulated, else None."""
        return self._motion if self._motion is not None and job == self.job else None

    def running(self, job: Job) -> Worker | None:
        """Return the worker that simulates a job if one does or is about to, else None.

        Who asks shares it and may cancel it; nothing here ends it any more.
        """
        if job != self.job or not self.busy:
            return None
        if self._run is None:
            self._begin()
        self._lent = self._run is not None
        return self._run

    def stop(self) -> None:
        """Simulate no more, forget the walk and leave no process."""
        self._give_up()
        if self._ready:
            self._ready.cancel()
        self._ready = None

    def _give_up(self) -> None:
        if self._run and not self._lent:
            self._run.cancel()
        self._run, self._lent, self._parts, self._motion = None, False, [], None
        self.job, self._due, self.error, self.progress = None, None, "", 0.0

    def _begin(self) -> None:
        assert self.job and self._ready
        self._run, self._ready, self._due = self._ready, None, None
        try:
            self._run.begin(self.job, parts=True)
        except WorkerError as error:
            self._fail(error)

    def _follow(self) -> bool:
        """Take what has come from the worker; return whether that is something new."""
        assert self.job and self._run
        now = self._run.poll()
        parts = self._run.parts()
        self._parts = with_parts(self._parts, parts)
        if now.state == "running":
            new = bool(parts) or now.progress != self.progress
            self.progress = now.progress
            return new
        try:
            self._motion = self._run.result()
        except CancelledError:  # by who shares it; what is previewed is still desired
            job, self.job = self.job, None
            self.desire(job, self._python)
            return True
        except WorkerError as error:
            self._fail(error)
            return True
        self._run, self._parts = None, []
        return True

    def _fail(self, error: WorkerError) -> None:
        self.error, self._run = str(error), None
