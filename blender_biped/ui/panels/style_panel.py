"""The style in the sidebar: its menu, its picture, and another style that is mixed in."""

from __future__ import annotations

from typing import Any

import bpy

from ..base.styles import broken_styles, styles
from ..job import pictures
from ..job.mix_plan import keyed_mix_trouble
from ..settings import mix_shown
from .layout import paragraph

_PICTURE = 4.0  # height of the picture, rows
LARGE = 6.0
"""The same in the menu of pictures."""


def draw_style(layout: bpy.types.UILayout, context: bpy.types.Context, walk: Any) -> None:
    """Draw what chooses the style of a walk."""
    pictures.request(walk.controller_name)
    row = layout.row(align=True)
    row.prop(walk, "preset")
    row.menu("BIPED_MT_style", text="", icon="DOWNARROW_HLT")
    layout.template_icon_view(walk, "picture", show_labels=True, scale=_PICTURE, scale_popup=LARGE)
    column = layout.column(align=True)  # beside each other their names would not fit
    column.operator("biped.make_style", icon="ACTION")
    column.operator("biped.stabilise", icon="ARMATURE_DATA")
    known = styles(walk.controller_name)
    if len(known) > 1:
        layout.prop(walk, "mix_with")
        if walk.mix_with_name in known:
            mix_shown.request(walk)
            row = layout.row(align=True)
            row.prop(walk, "mix", slider=True)
            row.prop_decorator(walk, "mix")
            trouble = keyed_mix_trouble(walk.id_data)
            if trouble:
                paragraph(layout, context, trouble, "INFO")
    for text in broken_styles(walk.controller_name):
        paragraph(layout, context, f"Left out: {text}", "ERROR")
