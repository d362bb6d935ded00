"""What the panel says: the walk being computed now, and how the last one ended. Not saved, not undone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import bpy

from ...worker import Worker

Level = Literal["INFO", "WARNING", "ERROR"]


@dataclass
class BakeStatus:
    """worker: the simulation that runs, if any. progress: 0..1. message, level: about the last one."""

    worker: Worker | None = None
    progress: float = 0.0
    message: str = ""
    level: Level = "INFO"

    def begin(self, worker: Worker) -> None:
        """Note that a simulation runs."""
        self.worker, self.progress, self.message, self.level = worker, 0.0, "", "INFO"
        redraw()

    def advance(self, progress: float) -> None:
        """Note how far the simulation is."""
        if progress != self.progress:
            self.progress = progress
            redraw()

    def end(self, message: str, level: Level) -> None:
        """End the simulation if it runs, and keep a message for the panel."""
        if self.worker:
            self.worker.cancel()
        self.worker, self.progress, self.message, self.level = None, 0.0, message, level
        redraw()


@dataclass
class Remark:
    """A message about the mapping of one armature (its session_uid), beside its table."""

    message: str = ""
    level: Level = "INFO"
    armature: int = 0

    def make(self, message: str, level: Level, armature: bpy.types.Object) -> None:
        """Keep a message about an armature in place of the last one; "" for none."""
        self.message, self.level, self.armature = message, level, armature.session_uid
        redraw()

    def on(self, armature: bpy.types.Object) -> str:
        """Return the message about an armature, "" for none."""
        return self.message if self.armature == armature.session_uid else ""


status = BakeStatus()
remark = Remark()


def redraw(views: bool = False) -> None:
    """Draw the sidebars of all 3D views again, without their views, which may be heavy, unless these are included."""
    kinds = ("UI", "WINDOW") if views else ("UI",)
    for window in bpy.context.window_manager.windows:
        for area in window.screen.areas:
            if area.type == "VIEW_3D":
                for region in area.regions:
                    if region.type in kinds:
                        region.tag_redraw()
