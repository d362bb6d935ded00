"""What the panel says: the walk being computed now, and how the last one ended. Not saved, not undone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import bpy
from bpy.app.handlers import persistent

Level = Literal["INFO", "WARNING", "ERROR"]


class BakeWork(Protocol):
    """What is being done for a bake.

    progress: 0..1. text: what it is, as "Simulating Hero". exclusive: whether it takes all input until it ends.
    """

    @property
    def progress(self) -> float:
        """Return the share that is done."""

    @property
    def text(self) -> str:
        """Return what it is."""

    @property
    def exclusive(self) -> bool:
        """Return whether it takes all input."""

    def cancel(self) -> None:
        """End it: who does it sees that at the next look."""


@dataclass(frozen=True)
class Said:
    """What became of one character's walk. armature: its session_uid. text: all of it; line: the point, in a line."""

    name: str
    armature: int
    text: str
    line: str
    level: Level


@dataclass
class BakeStatus:
    """work: what is being done now, if anything is. message, level: about what was done last.

    about: the armatures (session_uid) that the message is of; of any where there are none. said: what of it is about
    which of several.
    """

    work: BakeWork | None = None
    message: str = ""
    level: Level = "INFO"
    about: frozenset[int] = frozenset()
    said: tuple[Said, ...] = ()
    _shown: str = ""

    @property
    def progress(self) -> float:
        """How far it is, 0..1; 0 where nothing is being done."""
        return self.work.progress if self.work else 0.0

    @property
    def text(self) -> str:
        """What is being done and how far it is, "" for nothing."""
        return f"{self.work.text}: {self.work.progress:.0%}" if self.work else ""

    def begin(self, work: BakeWork) -> None:
        """Note that something is being done."""
        self.work = work
        self.forget()

    def advance(self) -> None:
        """Show how far it is."""
        if self.text != self._shown:
            self._shown = self.text
            redraw()
            redraw_status_bar()

    def end(self, message: str, level: Level, about: Iterable[int] = (), said: Iterable[Said] = ()) -> None:
        """End what is being done if anything is, and keep a message for the panel, about armatures (session_uid).

        said: what of it is about which of them.
        """
        if self.work:
            self.work.cancel()
        self.work, self.message, self.level, self.about, self._shown = None, message, level, frozenset(about), ""
        self.said = tuple(said)
        redraw()
        redraw_status_bar()

    def forget(self) -> None:
        """Take the message away: it is about something that is no longer so."""
        self.message, self.level, self.about, self.said = "", "INFO", frozenset(), ()
        redraw()

    def doubt(self) -> None:
        """Take a refusal away after a change of settings: its cause may be gone. What became of a walk stays."""
        if self.level == "ERROR" and self.message and not self.work:
            self.forget()

    def said_of(self, armature: bpy.types.Object | None) -> Said:
        """Return what of the message is about this armature: all of it where it does not say."""
        uid = armature.session_uid if armature else 0
        whole = Said("", uid, self.message, "", self.level)
        return next((own for own in self.said if own.armature == uid), whole)

    def on(self, armature: bpy.types.Object | None) -> str:
        """Return the message where it is about this armature, "" for none."""
        return self.message if not self.about or (armature and armature.session_uid in self.about) else ""


@dataclass
class Remark:
    """A message about the mapping of one armature (its session_uid), beside its table."""

    message: str = ""
    level: Level = "INFO"
    armature: int = 0

    def make(self, message: str, level: Level, armature: bpy.types.Object) -> None:
        """Keep a message about an armature in place of the last one; "" for none."""
        self.message, self.level, self.armature = message, level, armature.session_uid
        status.forget()  # it was about a walk with another mapping

    def on(self, armature: bpy.types.Object) -> str:
        """Return the message about an armature, "" for none."""
        return self.message if self.armature == armature.session_uid else ""


status = BakeStatus()
remark = Remark()


@persistent  # type: ignore[untyped-decorator]
def forget_message(*_: Any) -> None:
    """Take the messages away after an undo, a redo, or another file: as Blender calls it."""
    status.forget()
    remark.message = ""


def redraw_status_bar() -> None:
    """Draw the status bar again: it is drawn when the name of a view layer changes, and cannot be tagged."""
    bpy.msgbus.publish_rna(key=(bpy.types.ViewLayer, "name"))


def redraw(views: bool = False) -> None:
    """Draw the sidebars of all 3D views again, without their views, which may be heavy, unless these are included."""
    kinds = ("UI", "WINDOW") if views else ("UI",)
    for window in bpy.context.window_manager.windows:
        for area in window.screen.areas:
            if area.type == "VIEW_3D":
                for region in area.regions:
                    if region.type in kinds:
                        region.tag_redraw()
