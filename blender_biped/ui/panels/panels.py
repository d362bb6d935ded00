"""The "Biped" tab in the 3D view's sidebar."""

from __future__ import annotations

import bpy

from ...klaw.walk import NAME
from ..bake.result import result_lines, result_of, speed_text
from ..base.layout import CELL, Sidebar, lines, paragraph
from ..base.pace import paced
from ..base.status import status
from ..base.styles import can
from ..job.gait_plan import NOTHING, out_of_range
from ..job.scene_job import character_object, has_controls
from ..settings.attributes import gives_speed
from ..view.preview import told
from .gait_panel import chosen_speeds, known_character, range_text

_VALUES = 0.65  # share of a row for a figure, beside its name


class BIPED_PT_walk(Sidebar, bpy.types.Panel):
    """How it walks."""

    bl_label = "Walk"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the panel."""
        column = self.rows()
        settings = context.scene.biped
        column.prop(settings, "controller")
        column.prop(settings, "preset")
        armature = character_object(context)
        if gives_speed(settings):
            self._range(context, armature)
        column = self.rows()
        self._steps(column, settings)
        if armature:
            column.prop(armature.biped, "pace")
            if gives_speed(settings):
                self._own_speed(context, armature)
        if can(settings.controller_name).face_aside:
            column = self.rows()
            column.prop(settings, "facing")
            column.prop(settings, "step_width")
        self._preview(context)

    def _steps(self, column: bpy.types.UILayout, settings: bpy.types.PropertyGroup) -> None:
        """Draw how fast it walks, and with what steps."""
        if settings.controller_name == NAME:
            column.prop(settings, "given")
        if gives_speed(settings):
            column.prop(settings, "speed")
        if settings.controller_name == NAME and "LENGTH" in settings.given:
            column.prop(settings, "step_length")
        if settings.controller_name == NAME and "FREQUENCY" in settings.given:
            column.prop(settings, "step_frequency")

    def _preview(self, context: bpy.types.Context) -> None:
        """Draw the switch of the preview, and what there is to say about it."""
        self.rows().prop(context.scene.biped, "show_preview")
        text, wrong = told()
        if context.scene.biped.show_preview and text:
            paragraph(self.layout.column(align=True), context, text, "ERROR" if wrong else "TIME")

    def _range(self, context: bpy.types.Context, armature: bpy.types.Object | None) -> None:
        """Draw the speeds that the gait can have, and that the wished one is none of them."""
        settings, units = context.scene.biped, context.scene.unit_settings
        style, speeds = chosen_speeds(context, armature)
        if style is None or speeds is None:
            return
        column = self.layout.column(align=True)
        paragraph(column, context, range_text(style, speeds, units), "INFO")
        held = speeds.held(settings.speed_mps)
        if abs(held - settings.speed_mps) > NOTHING:
            paragraph(column, context, out_of_range(style, held, settings.speed_mps, units), "ERROR")

    def _own_speed(self, context: bpy.types.Context, armature: bpy.types.Object) -> None:
        """Draw the speed that the character itself walks at, where it is another one than the one that is set."""
        character, asked = known_character(context, armature), context.scene.biped.speed_mps
        if character is None:
            return
        _, speeds = chosen_speeds(context, armature)
        asked = speeds.held(asked) if speeds else asked
        speed, _ = paced(armature.biped.pace, asked, character)
        if abs(speed - asked) > 0.005 * asked:
            text = f"Walks at {speed_text(speed, context.scene.unit_settings)}"
            paragraph(self.layout.column(align=True), context, text, "INFO")


class BIPED_PT_path(Sidebar, bpy.types.Panel):
    """Where it walks."""

    bl_label = "Path"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the panel."""
        column = self.rows()
        settings = context.scene.biped
        column.prop(settings, "path")
        column.separator()
        column.prop(settings, "start")
        column.prop(settings, "reverse")
        if settings.path and any(s.use_cyclic_u for s in settings.path.data.splines):
            column.prop(settings, "laps")
        column.prop(settings, "stop")


class BIPED_PT_bake(Sidebar, bpy.types.Panel):
    """The keyframes."""

    bl_label = "Bake"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the panel."""
        column = self.rows()
        armature = character_object(context)
        if armature:
            self._choices(column, armature.biped)
            if has_controls(armature):
                column.prop(armature.biped, "limbs")
        column.prop(context.scene.biped, "frame_start")
        column.prop(context.scene.biped, "extend")
        column.prop(context.scene.biped, "footprints")
        column.prop(context.scene.biped, "markers")
        column.separator()
        row = self.layout.row(align=True)
        if status.worker:
            row.progress(factor=status.progress, text=f"Simulating: {status.progress:.0%}")
            row.operator("biped.cancel", text="", icon="CANCEL")
        else:
            row.scale_y = 1.5
            row.operator("biped.bake_walk", icon="ACTION")
        if status.message:
            box = self.layout.box().column(align=True)
            icon = {"INFO": "INFO", "WARNING": "ERROR", "ERROR": "CANCEL"}[status.level]
            paragraph(box, context, status.message, icon)

    def _choices(self, column: bpy.types.UILayout, settings: bpy.types.PropertyGroup) -> None:
        """Draw what is kept with the character."""
        column.prop(settings, "onto")
        travel = column.row()
        travel.enabled = not settings.one_stride  # it is always in place
        travel.prop(settings, "root")
        column.prop(settings, "one_stride")
        column.row().prop(settings, "body_parts")
        column.prop(settings, "key_step")


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
        if result.summary.fell_at is not None and result.stride is None:
            self.layout.operator("biped.go_to_fall", icon="TIME")
        rows = self.layout.column(align=True)
        rows.scale_y = 0.8
        for figure in figures:
            for i, text in enumerate(lines(figure.text, context, CELL, _VALUES)):
                split = rows.split(factor=1.0 - _VALUES)
                split.label(text="" if i else figure.name)
                split.label(text=text)
