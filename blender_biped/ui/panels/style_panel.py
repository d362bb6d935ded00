"""The style in the sidebar: its picture and its name in the Walk panel, and all else about it in a panel of its own."""

from __future__ import annotations

from typing import Any

import bpy

from ..base.styles import can, styles
from ..base.units import speed_text
from ..job import pictures
from ..job.mapping import character_object
from ..job.mix_plan import keyed_mix_trouble
from ..job.own_speed import rule_of_walk
from ..settings import mix_shown
from ..settings.fields import gives_speed
from ..settings.walk_properties import chosen_key
from .layout import Section, paragraph
from .style_list_panel import chosen_title, draw_star

_PICTURE = 4.0  # height of the picture, rows
LARGE = 6.0
"""The same in the menu of pictures."""
_ALIKE = 0.005  # of a speed: what is nearer is not told


def draw_style(layout: bpy.types.UILayout, walk: Any) -> None:
    """Draw what chooses the style of a walk, of all that there are."""
    pictures.request(walk.controller_name)
    column = layout.column(align=True)
    column.template_icon_view(walk, "style", show_labels=True, scale=_PICTURE, scale_popup=LARGE)
    row = column.row(align=True)
    row.operator("biped.show_styles", text=chosen_title(walk), icon="DOWNARROW_HLT", translate=False)
    draw_star(row, chosen_key(walk))


class BIPED_PT_style(Section, bpy.types.Panel):
    """What else can be set of how it walks."""

    bl_label = "Style"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the panel."""
        armature = character_object(context)
        walk, column = armature.biped.walk, self.rows()
        self._mix(column, context, walk)
        column.separator()
        column.prop(walk, "controller")
        row = column.row(align=True)
        row.prop(walk, "preset")
        row.menu("BIPED_MT_style", text="", icon="DOWNARROW_HLT")
        column.separator()
        column.prop(armature.biped, "pace")
        self._size(column, context, walk)
        if can(walk.controller_name).set_steps:
            self._steps(column, walk)
        if can(walk.controller_name).face_aside:
            column.prop(walk, "facing")
            column.prop(walk, "step_width")
        own = self.layout.column(align=True)  # beside each other their names would not fit
        own.operator("biped.make_style", icon="ACTION")
        own.operator("biped.stabilise", icon="ARMATURE_DATA")

    def _mix(self, column: bpy.types.UILayout, context: bpy.types.Context, walk: Any) -> None:
        """Draw the style that is mixed in."""
        known = styles(walk.controller_name)
        if len(known) < 2:
            return
        column.prop(walk, "mix_with")
        if walk.mix_with_name not in known:
            return
        row = column.row(align=True)
        row.prop(walk, "mix", slider=True)
        row.prop_decorator(walk, "mix")

    def _size(self, column: bpy.types.UILayout, context: bpy.types.Context, walk: Any) -> None:
        """Draw the speed of an adult, where the character has another one by its size."""
        if gives_speed(walk) and abs(rule_of_walk(walk).factor - 1.0) > _ALIKE:
            adult = speed_text(walk.speed_mps, context.scene.unit_settings)
            text = f"By its size; an adult with legs of 0.9 m would go at {adult}"
            paragraph(column.column(align=True), context, text, "INFO")

    def _steps(self, column: bpy.types.UILayout, walk: bpy.types.PropertyGroup) -> None:
        """Draw what of speed and steps is set."""
        column.prop(walk, "given")
        if "LENGTH" in walk.given:
            column.prop(walk, "step_length")
        if "FREQUENCY" in walk.given:
            column.prop(walk, "step_frequency")


def mix_trouble(walk: Any) -> str:
    """Return what is wrong with the keys of a mix, and have the sliders follow it; "" for nothing."""
    if walk.mix_with_name not in styles(walk.controller_name):
        return ""
    mix_shown.request(walk)
    return keyed_mix_trouble(walk.id_data)
