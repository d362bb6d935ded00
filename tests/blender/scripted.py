"""Walks that are there at once, or when a test says so, in place of a worker's; and a folder of styles of one's own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bpy
import pytest

from blender_biped.job import Job
from blender_biped.motion.motion import Motion
from blender_biped.ui.panels import bake_operators
from blender_biped.ui.settings import menus
from blender_biped.worker import CancelledError, Status


class Endable:
    """How far a worker is that does what a test says."""

    ended: bool
    progress: float
    cancelled: bool

    def poll(self) -> Status:
        """Return how far it is."""
        if self.cancelled:
            return Status("cancelled", self.progress)
        return Status("done", 1.0) if self.ended else Status("running", self.progress)

    def cancel(self) -> None:
        """End it."""
        self.cancelled = True


@dataclass
class Scripted(Endable):
    """A worker that does what a test says. ended: whether it has a motion yet, which ``answer`` gives or raises."""

    job: Job
    answer: Callable[[Job], Motion]
    ended: bool = True
    progress: float = 0.0
    cancelled: bool = False

    def result(self) -> Motion:
        """Return the motion."""
        if self.cancelled:
            raise CancelledError
        return self.answer(self.job)


def answer_at_once(monkeypatch: pytest.MonkeyPatch, answer: Callable[..., Any]) -> None:
    """Have every walk made by a function of its job, at once."""
    monkeypatch.setattr(bake_operators, "begun", lambda job: Scripted(job, answer))


def styles_in(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the styles of one's own in a folder."""
    monkeypatch.setattr(bpy.utils, "extension_path_user", lambda package, path="", create=False: str(folder))
    menus.forget()
