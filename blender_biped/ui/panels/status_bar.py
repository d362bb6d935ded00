"""The status bar: what is being computed, how far it is, and how to cancel it. Nothing is left there when it ends."""

from __future__ import annotations

from typing import Any

import bpy

from ..base.language import translated
from ..base.status import status

_WIDTH = 14.0  # of the bar, in Blender's widget units


def start() -> None:
    """Add to Blender's status bar."""
    bpy.types.STATUSBAR_HT_header.prepend(_draw)


def stop() -> None:
    """Take it away again."""
    bpy.types.STATUSBAR_HT_header.remove(_draw)


def _draw(header: Any, _context: bpy.types.Context) -> None:
    """Draw how far it is, and nothing while nothing is being done."""
    if not status.work:
        return
    row = header.layout.row(align=True)
    bar = row.row(align=True)
    bar.ui_units_x = _WIDTH
    bar.progress(factor=status.progress, text=translated(status.text))
    if status.work.exclusive:
        header.layout.label(text="Cancel", icon="EVENT_ESC")
    else:
        row.operator("biped.cancel", text="", icon="CANCEL")
        header.layout.label(text="Cancel: over the Biped tab", icon="EVENT_ESC")
