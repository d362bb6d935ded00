"""The Walk and Path panels: how and where it walks."""

from __future__ import annotations

import bpy

from ..base.styles import can
from ..base.units import speed_text
from ..job.gait_plan import NOTHING, out_of_range
from ..job.mapping import character_object
from ..job.pace import paced
from ..settings.fields import gives_speed
from .gait_panel import chosen_speeds, known_character, range_text
from .layout import Sidebar, paragraph
from .preview_operators import draw_preview
from .style_panel import draw_style


class BIPED_PT_walk(Sidebar, bpy.types.Panel):
    """How it walks."""

    bl_label = "Walk"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Return whether there is a character."""
        return character_object(context) is not None

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the panel."""
        column = self.rows()
        armature = character_object(context)
        settings = armature.biped.walk
        column.prop(settings, "controller")
        draw_style(column, context, settings)
        if gives_speed(settings):
            self._range(context, armature)
        column = self.rows()
        self._steps(column, settings)
        column.prop(armature.biped, "pace")
        if gives_speed(settings):
            self._own_speed(context, armature)
        if can(settings.controller_name).face_aside:
            column = self.rows()
            column.prop(settings, "facing")
            column.prop(settings, "step_width")
        draw_preview(self, context)

    def _steps(self, column: bpy.types.UILayout, settings: bpy.types.PropertyGroup) -> None:
        """Draw how fast it walks, and with what steps."""
        steps = can(settings.controller_name).set_steps
        if steps:
            column.prop(settings, "given")
        if gives_speed(settings):
            column.prop(settings, "speed")
        if steps and "LENGTH" in settings.given:
            column.prop(settings, "step_length")
        if steps and "FREQUENCY" in settings.given:
            column.prop(settings, "step_frequency")

    def _range(self, context: bpy.types.Context, armature: bpy.types.Object) -> None:
        """Draw the speeds that the gait can have, and that the speed set is none of them."""
        settings, units = armature.biped.walk, context.scene.unit_settings
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
        character, desired = known_character(context, armature), armature.biped.walk.speed_mps
        if character is None:
            return
        _, speeds = chosen_speeds(context, armature)
        desired = speeds.held(desired) if speeds else desired
        speed, _ = paced(armature.biped.pace, desired, character)
        if abs(speed - desired) > 0.005 * desired:
            text = f"Walks at {speed_text(speed, context.scene.unit_settings)}"
            paragraph(self.layout.column(align=True), context, text, "INFO")


class BIPED_PT_path(Sidebar, bpy.types.Panel):
    """Where it walks."""

    bl_label = "Path"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Return whether there is a character."""
        return character_object(context) is not None

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the panel."""
        column = self.rows()
        settings = character_object(context).biped.walk
        column.prop(settings, "path")
        column.separator()
        column.prop(settings, "start")
        column.prop(settings, "reverse")
        if settings.path and any(s.use_cyclic_u for s in settings.path.data.splines):
            column.prop(settings, "laps")
        column.prop(settings, "stop")
