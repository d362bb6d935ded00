"""What the panels of the tab share: where they are, and text that is broken to fit."""

from __future__ import annotations

import blf
import bpy

from ..base.language import CONTEXT, translated

_TABS = 60.0  # pixels that tabs and margins take of the sidebar, at a user interface scale of 1
BOX = 40.0  # what a box and an icon take in addition
CELL = 20.0  # what the cells of a row take in addition


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
    scale = context.preferences.system.ui_scale
    room = share * (context.region.width - (_TABS + taken) * scale)
    blf.size(0, context.preferences.ui_styles[0].widget.points * scale)
    found: list[str] = []
    for word in filter(None, translated(text).replace("\n", " ").split(" ")):
        longer = f"{found[-1]} {word}" if found else word
        if found and blf.dimensions(0, longer)[0] <= room:
            found[-1] = longer
        else:
            found.append(word)
    return found
