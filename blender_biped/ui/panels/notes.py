"""What a panel has to say, in a line: the gravest of it, a button, and all of it behind a disclosure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import bpy

from .layout import HEADER, ICON, fitted, paragraph

_ORDER = ("CHECKMARK", "INFO", "ERROR", "CANCEL")  # of icons, by how grave it is what they stand beside

Drawing = Callable[[bpy.types.UILayout], None]


@dataclass(frozen=True)
class Note:
    """Something to know. text: sentences in English. icon: Blender's. line: what stands for it where one line is shown.

    button: draws what can be done about it, small; more: likewise below the text, with names.
    """

    text: str
    icon: str
    line: str = ""
    button: Drawing | None = None
    more: Drawing | None = None


def draw_notes(layout: bpy.types.UILayout, context: bpy.types.Context, notes: Sequence[Note], name: str) -> None:
    """Draw the gravest note as a line, with its button; it unfolds to all of them, whole. Nothing for none.

    layout: of a whole panel. name: of what unfolds, in Blender's memory.
    """
    if not notes:
        return
    worst = max(notes, key=lambda note: _ORDER.index(note.icon))
    header, body = layout.panel(f"biped_{name}", default_closed=True)
    others = f" +{len(notes) - 1}" if len(notes) > 1 else ""
    taken = HEADER + (ICON if worst.button else 0.0)
    header.label(text=fitted(worst.line or worst.text, context, taken, others), icon=worst.icon, translate=False)
    if worst.button:
        worst.button(header)
    for note in notes if body else ():
        column = body.column(align=True)
        paragraph(column, context, note.text, note.icon)
        if note.more:
            note.more(column)
