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
    bl_parent_id = "BIPED_PT_style"  # open when that is: its groups are closed

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
        looks = [slider for slider in own if not slider.number.advanced]
        for i, (heading, sliders) in enumerate(by_heading(looks).items()):
            body = _group_of(self.layout, f"{kind.name}_{heading}", heading, sliders, other, closed=i > 0)
            if body:
                _draw_sliders(body.column(align=True), group, sliders, other)
        finer = [slider for slider in own if slider.number.advanced]
        body = None
        if finer:
            name = f"{kind.name}_advanced"
            body = _group_of(self.layout, name, heading="Advanced", sliders=finer, other=other, closed=bool(looks))
        for heading, sliders in by_heading(finer).items() if body else ():
            inner = _group_of(body, f"{kind.name}_advanced_{heading}", heading, sliders, other, closed=False)
            if inner:
                _draw_sliders(inner.column(align=True), group, sliders, other)


def by_heading(sliders: Sequence[Slider]) -> dict[str, list[Slider]]:
    """Return sliders by their headings, all in their order."""
    found: dict[str, list[Slider]] = {}
    for slider in sliders:
        found.setdefault(str(slider.number.group), []).append(slider)
    return found


def _group_of(
    layout: bpy.types.UILayout, name: str, heading: str, sliders: Sequence[Slider], other: Collection[str], closed: bool
) -> Any:
    """Draw the header of a group, with a mark where one of its sliders is changed; return what is below, if it is open.

    closed: whether it is until somebody opens it.
    """
    header, body = layout.panel(f"biped_{name}", default_closed=closed)
    marked = any(slider.path in other for slider in sliders)  # seen while the group is closed, too
    header.label(text=heading, icon="GREASEPENCIL" if marked else "NONE")
    return body


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
            cls.poll_message_set("All numbers are the style's own")
        else:
            return True
        return False


class BIPED_OT_reset_field(_OfFields, bpy.types.Operator):
    """Sets one number back."""

    bl_idname = "biped.reset_field"
    bl_label = "Reset to the Style"
    bl_description = "Set this number back to what the style says"
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
    bl_label = "Reset All to the Style"
    bl_description = "Set all numbers back to what the style says"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Set them back."""
        load_sliders(walk_of(context))
        redraw()
        return {"FINISHED"}
