"""The button and its progress, and the panels about the bake: what is keyed, and how the walk went."""

from __future__ import annotations

import bpy

from ..bake.result import result_lines, result_of
from ..base.fallback_text import fallback_text
from ..base.language import translated
from ..base.status import status
from ..base.units import length_text
from ..job.body_doubts import shown_doubts
from ..job.mapping import character_object, characters, has_controls
from ..job.short_path import path_warning
from ..settings.fields import kind_chosen
from ..view.walk_shown import known_of
from .fall_operators import draw_offer
from .layout import CELL, Sidebar, lines, paragraph
from .try_operators import may_fall

_LARGE = 1.5  # height of the button
_ACROSS = 3  # meshes across the path that are named
_VALUES = 0.65  # share of a row for a figure, beside its name


def draw_bake(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """Draw the button, or how far the bake is, and what the last one of this character said."""
    armature = character_object(context)
    warning = path_warning(context, armature) if armature else ""
    if warning:
        paragraph(layout.column(align=True), context, warning, "ERROR")
    for doubt in shown_doubts(context, armature) if armature else ():
        paragraph(layout.column(align=True), context, doubt, "ERROR")
    if armature:
        if known_of(context).turns:
            paragraph(layout.column(align=True), context, known_of(context).turns, "ERROR")
        for text in known_of(context).stands:
            paragraph(layout.column(align=True), context, text, "INFO")
        draw_across(layout, context)
    row = layout.row(align=True)
    row.scale_y = _LARGE
    if status.work:
        row.progress(factor=status.progress, text=translated(status.text))
        if not status.work.exclusive:
            row.operator("biped.cancel", text="", icon="CANCEL")
    else:
        row.operator("biped.bake_walk", icon="ACTION")
        if len(characters(context.scene)) > 1:
            row.operator("biped.bake_all")
        if armature and may_fall(armature):
            layout.operator("biped.try_strides", icon="CON_FOLLOWPATH")
    if status.on(armature):
        box = layout.box().column(align=True)
        icon = {"INFO": "INFO", "WARNING": "ERROR", "ERROR": "CANCEL"}[status.level]
        paragraph(box, context, status.on(armature), icon)


def draw_across(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """Draw which meshes the walk would go through, since they are in no collection: a button for each of the first."""
    across, units = known_of(context).across, context.scene.unit_settings
    if not across:
        return
    column = layout.column(align=True)
    paragraph(column, context, "What is in the way is in no collection, and walked through:", "ERROR")
    for one in across[:_ACROSS]:
        where = length_text(one.place, units)
        to = f"{one.name}, {where}: to Ground" if one.sort == "ground" else f"{one.name}, {where}: to Obstacles"
        button = column.operator("biped.list_mesh", text=translated(to), icon="ADD", translate=False)
        button.object_name, button.sort = one.name, one.sort
    if len(across) > 1:
        column.operator("biped.list_visible", icon="SCENE_DATA")


class BIPED_PT_bake(Sidebar, bpy.types.Panel):
    """What is keyed."""

    bl_label = "Bake Options"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Return whether there is a character."""
        return character_object(context) is not None

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the panel."""
        column = self.rows()
        armature = character_object(context)
        self._choices(column, armature.biped)
        if has_controls(armature):
            column.prop(armature.biped, "limbs")
        kind = kind_chosen(armature.biped.walk)
        if kind is None or kind.controller is not None:
            column.prop(armature.biped.walk, "ragdoll")
        for name in ("frame_start", "extend", "footprints", "markers"):
            column.prop(armature.biped.walk, name)

    def _choices(self, column: bpy.types.UILayout, settings: bpy.types.PropertyGroup) -> None:
        """Draw what is kept with the character."""
        column.prop(settings, "onto")
        travel = column.row()
        travel.enabled = not settings.one_stride  # it is always in place
        travel.prop(settings, "root")
        column.prop(settings, "one_stride")
        column.row().prop(settings, "body_parts")
        column.prop(settings, "keying")
        for name in ("key_error", "key_turn") if settings.keying == "NEEDED" else ("key_step",):
            column.prop(settings, name)
        own = column.column()
        own.enabled = not has_controls(settings.id_data)  # these spread turns in a way of their own
        own.prop(settings, "spread_turns")
        own.prop(settings, "shoulders")
        column.prop(settings, "relax_hands")


class BIPED_PT_result(Sidebar, bpy.types.Panel):
    """How the walk went that the character has."""

    bl_label = "Result"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Return whether the character has a baked walk."""
        return result_of(character_object(context)) is not None

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the panel."""
        result = result_of(character_object(context))
        if result is None:
            return
        outcome, *figures = result_lines(result, context.scene.unit_settings)
        column = self.layout.column(align=True)
        if not result.active:
            paragraph(column, context, f"Of {result.action.name}, in an NLA strip", "NLA")
        paragraph(column, context, outcome.text, outcome.icon)
        instead = fallback_text(result.summary)
        if instead:
            paragraph(column, context, instead, "ERROR")
        if result.summary.fell_at is not None and result.stride is None:
            self.layout.operator("biped.go_to_fall", icon="TIME")
        draw_offer(self.layout, character_object(context))
        rows = self.layout.column(align=True)
        rows.scale_y = 0.8
        for figure in figures:
            for i, text in enumerate(lines(figure.text, context, CELL, _VALUES)):
                split = rows.split(factor=1.0 - _VALUES)
                split.label(text="" if i else figure.name)
                split.label(text=text)
