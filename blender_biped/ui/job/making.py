"""A style on its way: the walks that are tried for it, in processes of their own. Nothing of Blender is kept here."""

from __future__ import annotations

import threading
from collections.abc import Callable

from ...base.errors import BipedError
from ...control.kind import Making
from ...job import Job
from ...motion.motion import Motion
from ...preset.preset import Preset
from .runs import Source


class StyleWork:
    """What is done for a style that is being made; see ``status.Work``. No call blocks for long."""

    exclusive = False

    def __init__(self, making: Making, name: str, begin: Callable[[Job], Source], at_once: int) -> None:
        """name: of the action. begin: starts a walk. at_once: how many may run at the same time."""
        self._making, self._name, self._begin, self._at_once = making, name, begin, at_once
        self._jobs = making.ask()
        self._sources: dict[int, Source] = {}
        self._motions: dict[int, Motion | None] = {}
        self._shares: dict[int, float] = {}
        self._telling: threading.Thread | None = None
        self.cancelled, self.error = False, ""

    @property
    def settled(self) -> bool:
        """Whether nothing more is to be computed."""
        return self._making.done or self.cancelled or bool(self.error)

    @property
    def progress(self) -> float:
        """The share that is done, 0..1."""
        if self._making.done:
            return 1.0
        walks = [1.0 if i in self._motions else self._shares.get(i, 0.0) for i in range(len(self._jobs))]
        return self._making.progress + 0.5 * sum(walks) / max(len(walks), 1)

    @property
    def text(self) -> str:
        """What is being done, for people."""
        return f"Making a Style from {self._name}"

    def advance(self) -> None:
        """Take what has come, and start what may be."""
        if self.settled:
            return
        if self._telling is not None:
            if self._telling.is_alive():
                return
            self._telling = None
            self._jobs = [] if self._making.done or self.error else self._making.ask()
            self._motions, self._shares = {}, {}
            return
        for i, source in list(self._sources.items()):
            self._take(i, source)
        waiting = [i for i in range(len(self._jobs)) if i not in self._motions and i not in self._sources]
        for i in waiting[: max(self._at_once - len(self._sources), 0)]:
            try:
                self._sources[i] = self._begin(self._jobs[i])
            except BipedError as error:
                self.error = str(error)
                self.stop()
                return
        if len(self._motions) == len(self._jobs):  # judging takes a second or two: Blender goes on meanwhile
            self._telling = threading.Thread(target=self._tell, daemon=True)
            self._telling.start()

    def cancel(self) -> None:
        """End all that is computed, and start nothing more."""
        self.cancelled = not self._making.done
        self.stop()

    def stop(self) -> None:
        """Leave no process."""
        for source in self._sources.values():
            source.cancel()
        self._sources = {}

    def style(self) -> Preset:
        """Return the style that was made. Raises DataError before any walk was tried."""
        return self._making.style()

    def _take(self, i: int, source: Source) -> None:
        now = source.poll()
        self._shares[i] = now.progress
        if now.state == "running":
            return
        del self._sources[i]
        try:
            self._motions[i] = source.result()
        except BipedError as error:
            self._motions[i] = None
            if all(motion is None for motion in self._motions.values()) and len(self._motions) == len(self._jobs):
                self.error = str(error)

    def _tell(self) -> None:
        try:
            self._making.tell([self._motions[i] for i in range(len(self._jobs))])
        except Exception as error:
            self.error = f"The walks could not be judged ({error}). Nothing was changed."
