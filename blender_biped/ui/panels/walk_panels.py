"""The Walk panel, with the bake on top of all else; below it what else can be set of a walk and its path."""

from __future__ import annotations

from typing import ClassVar

import bpy

from ...preset.preset import Preset, Speeds
from ..base.language import translated
from ..base.status import remark
from ..base.styles import can
from ..base.units import SPACE, length_text, speed_text
from ..job.estimate import estimate
from ..job.gait_plan import NOTHING, out_of_range
from ..job.mapping import character_object, offered_path
from ..job.own_speed import rule_of_walk
from ..job.path_state import path_trouble
from ..settings.fields import gives_speed, kind_chosen, style_or_none
from ..settings.speed_rule import SpeedRule
from ..view import preview
from ..view.walk_shown import known_of
from .bake_panels import draw_bake
from .layout import Sidebar, paragraph
from .preview_operators import draw_preview
from .style_panel import draw_style

_ALIKE = 0.005  # of a speed: what is nearer is not told


class BIPED_PT_walk(Sidebar, bpy.types.Panel):
    """Who walks where and how, and the button."""

    bl_label = "Walk"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the panel."""
        armature = character_object(context)
        if armature is None:
            text = "Select an armature to make it walk, or add one: Add > Armature"
            paragraph(self.layout.column(align=True), context, text, "INFO")
        else:
            self.layout.label(text=armature.name, icon="OUTLINER_OB_ARMATURE")
            self._path(context, armature)
            column = self.rows()
            column.prop(armature.biped.walk, "controller")
            draw_style(column, context, armature.biped.walk)
            self._speed(context, armature)
            self._estimate(context, armature)
        draw_bake(self.layout, context)
        if armature is not None:
            if remark.on(armature) and remark.level == "ERROR":
                paragraph(self.layout.box().column(align=True), context, remark.on(armature), "CANCEL")
            draw_preview(self, context)

    def _path(self, context: bpy.types.Context, armature: bpy.types.Object) -> None:
        """Draw the path, and what could be one."""
        walk = armature.biped.walk
        row = self.rows().row(align=True)
        row.prop(walk, "path", text="Path")
        if walk.path:
            row.operator("biped.add_path", text="", icon="ADD")
        offered = offered_path(context, armature)
        if offered:
            self.layout.operator("biped.use_path", text=translated(f"Use {offered.name!r} as Path"), icon="CURVE_DATA")
        elif not walk.path:
            self.layout.operator("biped.add_path", text="New Path", icon="ADD")

    def _speed(self, context: bpy.types.Context, armature: bpy.types.Object) -> None:
        """Draw the speed, and below it what it can be, and why it is not the one that is kept."""
        walk, units = armature.biped.walk, context.scene.unit_settings
        if not gives_speed(walk):
            return
        row = self.rows().row(align=True)
        row.prop(walk, "speed")
        row.prop_decorator(walk, "speed")
        rule, style = rule_of_walk(walk), style_or_none(walk)
        column = self.layout.column(align=True)
        if style and rule.speeds:
            paragraph(column, context, range_text(style, rule.speeds, units), "INFO")
            own = rule.factor * walk.speed_mps
            if rule.holds and abs(rule.walked(own) - own) > NOTHING:
                paragraph(column, context, out_of_range(style, rule.walked(own), own, units), "ERROR")
                return
            if not rule.holds and abs(rule.speeds.held(own) - own) > NOTHING:
                how = "slow" if own < rule.speeds.slowest else "fast"
                text = f"{speed_text(own, units)} is too {how} for {style.label}: it may fall."
                paragraph(column, context, text, "ERROR")
                return
        self._size(context, armature, rule)

    def _size(self, context: bpy.types.Context, armature: bpy.types.Object, rule: SpeedRule) -> None:
        """Draw the speed of an adult, where the character has another one by its size."""
        if abs(rule.factor - 1.0) > _ALIKE:
            adult = speed_text(armature.biped.walk.speed_mps, context.scene.unit_settings)
            text = f"By its size; an adult with legs of 0.9 m would go at {adult}"
            paragraph(self.layout.column(align=True), context, text, "INFO")

    def _estimate(self, context: bpy.types.Context, armature: bpy.types.Object) -> None:
        """Draw how long the walk will be."""
        known = preview.state()
        walked = None if known.old or not context.scene.biped.show_preview else known.summary
        found = estimate(context, armature, known_of(context), walked)
        if found is None:
            trouble = path_trouble(armature, context.scene, context.view_layer) if armature.biped.walk.path else ""
            if trouble:  # as the button says when it is pointed at
                paragraph(self.layout.column(align=True), context, trouble, "ERROR")
            return
        text = length_text(found.length, context.scene.unit_settings)
        if found.seconds is not None:
            if found.walked:
                text = f"{text}, {found.seconds:.1f} s, to frame {found.frame}"
            else:
                text = f"{text}, about {found.seconds:.1f} s, to frame {found.frame}"
        paragraph(self.layout.column(align=True), context, text, "CURVE_PATH")


class _OfCharacter(Sidebar):
    """A panel below Walk that a character has."""

    bl_parent_id = "BIPED_PT_walk"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Return whether there is a character."""
        return character_object(context) is not None


class BIPED_PT_details(_OfCharacter, bpy.types.Panel):
    """Steps, pace, where it faces, and what is done when it falls."""

    bl_label = "Walk Details"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the panel."""
        column = self.rows()
        armature = character_object(context)
        walk = armature.biped.walk
        if can(walk.controller_name).set_steps:
            self._steps(column, walk)
        column.prop(armature.biped, "pace")
        if can(walk.controller_name).face_aside:
            column.prop(walk, "facing")
            column.prop(walk, "step_width")
        kind = kind_chosen(walk)
        if kind is None or kind.controller is not None:
            column.prop(walk, "fall_back")

    def _steps(self, column: bpy.types.UILayout, walk: bpy.types.PropertyGroup) -> None:
        """Draw what of speed and steps is set."""
        column.prop(walk, "given")
        if "LENGTH" in walk.given:
            column.prop(walk, "step_length")
        if "FREQUENCY" in walk.given:
            column.prop(walk, "step_frequency")


class BIPED_PT_path(_OfCharacter, bpy.types.Panel):
    """Where on its path a walk begins, which way it goes, and how it ends."""

    bl_label = "Start and End"
    bl_options: ClassVar[set[str]] = set()

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the panel."""
        column = self.rows()
        walk = character_object(context).biped.walk
        column.prop(walk, "start")
        column.prop(walk, "reverse")
        if walk.path and walk.path.type == "CURVE" and any(spline.use_cyclic_u for spline in walk.path.data.splines):
            column.prop(walk, "laps")
        column.prop(walk, "stop")


def range_text(gait: Preset, speeds: Speeds, units: bpy.types.UnitSettings) -> str:
    """Return the speeds of a gait, m/s, in words."""
    slowest, usual, fastest = (speed_text(v, units) for v in (speeds.slowest, speeds.usual, speeds.fastest))
    if slowest == fastest:
        return f"{gait.label} goes at {fastest}"
    number, _, unit = slowest.partition(SPACE)
    slowest = number if fastest.endswith(unit) else slowest
    return f"{gait.label} goes at {slowest} to {fastest}, usually {usual}"
