"""The button and its progress, and the panels about the bake: what is keyed, and how the walk went."""

from __future__ import annotations

from typing import Any, ClassVar

import bpy

from ..bake.result import Line, Result, result_lines, result_of
from ..base.fallback_text import fallback_text
from ..base.language import translated
from ..base.status import status
from ..base.units import length_text
from ..job.mapping import character_object, characters, has_controls
from ..settings.fields import kind_chosen
from ..view.walk_shown import known_of
from .fall_operators import draw_offer
from .layout import BOX, CELL, ICON, Section, fitted, lines, paragraph
from .notes import Note, draw_notes
from .try_operators import may_fall

_ICONS = {"INFO": "INFO", "WARNING": "ERROR", "ERROR": "CANCEL"}
_LARGE = 1.5  # height of the button
_ACROSS = 3  # meshes across the path that are named
_VALUES = 0.65  # share of a row for a figure, beside its name


def draw_bake(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """Draw the button, or how far the bake is, and what the last one said: a line for each character that it was of."""
    armature = character_object(context)
    row = layout.row(align=True)
    row.scale_y = _LARGE
    if status.work:
        row.progress(factor=status.progress, text=translated(status.text))
        if not status.work.exclusive:
            row.operator("biped.cancel", text="", icon="CANCEL")
    else:
        row.operator("biped.bake_walk", icon="ACTION")
        if armature and may_fall(armature):
            row.operator("biped.try_strides", text="", icon="CON_FOLLOWPATH")
        if len(characters(context.scene)) > 1:
            layout.operator("biped.bake_all", icon="COMMUNITY")
    if status.on(armature):
        _draw_said(layout, context, armature)


def _draw_said(layout: bpy.types.UILayout, context: bpy.types.Context, armature: Any) -> None:
    """Draw what the last bake said: of the panel's character so that it unfolds, of each other one a line, a button."""
    said = status.said_of(armature)
    draw_notes(layout, context, [Note(said.text, _ICONS[said.level], said.line)], "said")
    column = layout.column(align=True)
    for other in status.said:
        if other is not said:
            row = column.row(align=True)
            text = fitted(f"{other.name}: {other.line}", context, BOX + ICON)
            row.label(text=text, icon=_ICONS[other.level], translate=False)
            row.operator("biped.show_character", text="", icon="RESTRICT_SELECT_OFF").character = other.name


def across_note(context: bpy.types.Context) -> Note | None:
    """Return which meshes the walk would go through, since they are in no collection; None where there are none."""
    across = known_of(context).across
    if not across:
        return None

    def first(row: bpy.types.UILayout) -> None:
        button = row.operator("biped.list_mesh", text="", icon="ADD")
        button.object_name, button.sort = across[0].name, across[0].sort

    text = "These meshes are in the way, but in no collection: the walk goes through them."
    line = f"{across[0].name} is in the way, and in no collection"
    return Note(text, "ERROR", line, first, lambda column: _draw_across(column, context))


def _draw_across(column: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """Draw a button for each of the first meshes across the path, and one for all."""
    across, units = known_of(context).across, context.scene.unit_settings
    for one in across[:_ACROSS]:
        where = length_text(one.place, units)
        to = f"{one.name}, {where}: to Ground" if one.sort == "ground" else f"{one.name}, {where}: to Obstacles"
        button = column.operator("biped.list_mesh", text=translated(to), icon="ADD", translate=False)
        button.object_name, button.sort = one.name, one.sort
    if len(across) > 1:
        column.operator("biped.list_visible", icon="SCENE_DATA")


class BIPED_PT_bake(Section, bpy.types.Panel):
    """What is keyed, and what is done when it falls."""

    bl_label = "Baking"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the panel."""
        column = self.rows()
        armature = character_object(context)
        self._choices(column, armature.biped)
        if has_controls(armature):
            column.prop(armature.biped, "limbs")
        kind = kind_chosen(armature.biped.walk)
        if kind is None or kind.controller is not None:
            column.prop(armature.biped.walk, "fall_back")
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


class BIPED_PT_result(Section, bpy.types.Panel):
    """How the walk went that the character has.

    Its own header is hidden, and one is drawn in its place that a bake can open: Blender opens no panel for a script.
    """

    bl_label = "Result"
    bl_options: ClassVar[set[str]] = {"HIDE_HEADER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Return whether the character has a baked walk."""
        return result_of(character_object(context)) is not None

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the panel."""
        armature = character_object(context)
        result = result_of(armature)
        if result is None:
            return
        outcome, *figures = result_lines(result, context.scene.unit_settings)
        header, body = self.layout.panel_prop(armature.biped, "show_result")
        header.label(text="Result", icon="ERROR" if outcome.icon == "ERROR" else "NONE")
        if body:
            self._figures(body, context, result, outcome, figures)

    def _figures(
        self, layout: bpy.types.UILayout, context: bpy.types.Context, result: Result, outcome: Line, figures: list[Line]
    ) -> None:
        """Draw how it ended, what can be done about that, and its figures."""
        column = layout.column(align=True)
        if not result.active:
            paragraph(column, context, f"Of {result.action.name}, in an NLA strip", "NLA")
        paragraph(column, context, outcome.text, outcome.icon)
        instead = fallback_text(result.summary)
        if instead:
            paragraph(column, context, instead, "ERROR")
        if result.summary.fell_at is not None and result.stride is None:
            layout.operator("biped.go_to_fall", icon="TIME")
        draw_offer(layout, character_object(context))
        rows = layout.column(align=True)
        rows.scale_y = 0.8
        for figure in figures:
            for i, text in enumerate(lines(figure.text, context, CELL, _VALUES)):
                split = rows.split(factor=1.0 - _VALUES)
                split.label(text="" if i else translated(figure.name), translate=False)
                split.label(text=text)
