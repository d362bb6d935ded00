"""What the panels of the tab share: where they are, and text that is broken to fit."""

from __future__ import annotations

from typing import ClassVar

import blf
import bpy

from ..base.language import CONTEXT, translated
from ..job.mapping import character_object

_TABS = 60.0  # pixels that tabs and margins take of the sidebar, at a user interface scale of 1
BOX = 40.0  # what a box and an icon take in addition
CELL = 20.0  # what the cells of a row take in addition
HEADER = 55.0  # what the arrow and the icon of a group's header take in addition
ICON = 25.0  # what a small button at the end takes
_CUT = "\N{HORIZONTAL ELLIPSIS}"


class Sidebar:
    """What all panels of the tab share."""

    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Biped"
    bl_translation_context = CONTEXT

    layout: bpy.types.UILayout

    def rows(self) -> bpy.types.UILayout:
        """Return a layout for properties with their names on the left."""
        self.layout.use_property_split = True
        self.layout.use_property_decorate = False
        return self.layout.column()


class Section(Sidebar):
    """A panel below Walk that a character has, closed until somebody opens it."""

    bl_parent_id = "BIPED_PT_walk"
    bl_options: ClassVar[set[str]] = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Return whether there is a character."""
        return character_object(context) is not None


def paragraph(column: bpy.types.UILayout, context: bpy.types.Context, text: str, icon: str) -> None:
    """Draw a text over as many lines as it needs."""
    rows = column.column(align=True)
    rows.scale_y = 0.8
    for i, line in enumerate(lines(text, context, BOX)):
        rows.label(text=line, icon=icon if i == 0 else "BLANK1", translate=False)


def lines(text: str, context: bpy.types.Context, taken: float = 0.0, share: float = 1.0) -> list[str]:
    """Return a text in the interface's language, broken into lines that fit into a share of the sidebar's width.

    taken: pixels of it that something else takes. Not broken at no-break spaces, as between numbers and units.
    """
    room = share * _room(context, taken)
    found: list[str] = []
    for word in filter(None, translated(text).replace("\n", " ").split(" ")):
        longer = f"{found[-1]} {word}" if found else word
        if found and blf.dimensions(0, longer)[0] <= room:
            found[-1] = longer
        else:
            found.append(word)
    return found


def fitted(text: str, context: bpy.types.Context, taken: float = 0.0, end: str = "", share: float = 1.0) -> str:
    """Return the first sentence of a text in the interface's language, as much of it as fits into the sidebar's width.

    taken, share: as in ``lines``. end: what stands behind it.
    """
    room = share * _room(context, taken)
    whole = first_sentence(translated(text).replace("\n", " "))
    words = whole.split(" ")
    while len(words) > 1 and blf.dimensions(0, f"{whole}{end}")[0] > room:
        words.pop()
        whole = f"{' '.join(words).rstrip(',:;')}{_CUT}"
    return f"{whole}{end}"


def first_sentence(text: str) -> str:
    """Return the first sentence of a text, without its full stop."""
    first, stop, _ = text.partition(". ")
    return first if stop else text.removesuffix(".")


def _room(context: bpy.types.Context, taken: float) -> float:
    """Return the pixels that a line of text may have, and let blf measure with the panels' font."""
    scale = context.preferences.system.ui_scale
    blf.size(0, context.preferences.ui_styles[0].widget.points * scale)
    return float(context.region.width - (_TABS + taken) * scale)
