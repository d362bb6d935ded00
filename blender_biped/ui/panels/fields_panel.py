"""The sliders of the chosen controller in the sidebar, and what their buttons do."""

# Blender reads property definitions from the annotations, so they stay unquoted.

from collections.abc import Collection, Sequence
from typing import Any

import bpy
from bpy.props import StringProperty

from ...preset.declared import Slider
from ..base.language import translated
from ..base.status import redraw
from ..job.mapping import walk_of
from ..settings.fields import changed_numbers, group_name, kind_chosen, load_sliders, preset_numbers, reset, slider_name
from .layout import Sidebar
from .mapping_operators import walk_ready


class BIPED_PT_fields(Sidebar, bpy.types.Panel):
    """The numbers of the style."""

    bl_label = "Adjust Style"
    bl_parent_id = "BIPED_PT_walk"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Return whether the controller has numbers to set."""
        walk = walk_of(context)
        kind = kind_chosen(walk) if walk else None
        return kind is not None and bool(kind.sliders)

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the panel."""
        settings = walk_of(context)
        kind, other = kind_chosen(settings), changed_numbers(settings)
        usual = preset_numbers(settings)
        if kind is None or usual is None:
            return
        own = [slider for slider in kind.sliders if slider.path in usual]  # a style that does not run has none of a run
        group = getattr(settings, group_name(kind))
        if other:
            row = self.layout.row()
            row.label(text=translated(f"{len(other)} changed"), icon="GREASEPENCIL")
            row.operator("biped.reset_fields", text="Reset All", icon="LOOP_BACK")
        headings = list(dict.fromkeys(slider.number.group for slider in own))
        for heading in headings:
            sliders = [slider for slider in own if slider.number.group == heading]
            header, body = self.layout.panel(f"biped_{kind.name}_{heading}", default_closed=heading != headings[0])
            marked = any(slider.path in other for slider in sliders)  # seen while the group is closed, too
            header.label(text=heading, icon="GREASEPENCIL" if marked else "NONE")
            if body:
                _draw_sliders(body.column(align=True), group, sliders, other)


def _draw_sliders(column: bpy.types.UILayout, group: Any, sliders: Sequence[Slider], other: Collection[str]) -> None:
    """Draw sliders, with a button beside those that are changed. Their names stand within: beside is no room."""
    for slider in sliders:
        row = column.row(align=True)
        row.prop(group, slider_name(slider))
        if slider.path in other:
            row.operator("biped.reset_field", text="", icon="LOOP_BACK").path = slider.path


class _OfFields:
    """What both buttons share."""

    @classmethod
    def poll(cls: Any, context: bpy.types.Context) -> bool:
        """Return whether any slider differs from the preset."""
        if not walk_ready(cls, context):
            return False
        if not changed_numbers(walk_of(context)):
            cls.poll_message_set("All numbers are the preset's own")
        else:
            return True
        return False


class BIPED_OT_reset_field(_OfFields, bpy.types.Operator):
    """Sets one number back."""

    bl_idname = "biped.reset_field"
    bl_label = "Reset to the Preset"
    bl_description = "Set this number back to what the preset says"
    bl_options = {"UNDO", "INTERNAL"}

    path: StringProperty(name="Field", description="Where the number stands in the preset")

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Set it back."""
        if not reset(walk_of(context), self.path):
            self.report({"ERROR"}, translated(f"There is no field {self.path!r} in this controller's presets."))
            return {"CANCELLED"}
        redraw()
        return {"FINISHED"}


class BIPED_OT_reset_fields(_OfFields, bpy.types.Operator):
    """Sets all numbers back."""

    bl_idname = "biped.reset_fields"
    bl_label = "Reset All to the Preset"
    bl_description = "Set all numbers back to what the preset says"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Set them back."""
        load_sliders(walk_of(context))
        redraw()
        return {"FINISHED"}
