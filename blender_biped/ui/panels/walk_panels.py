"""The Walk panel: who walks where, in which style, how fast and how long, Bake and Preview; and that of the path."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import bpy

from ...preset.preset import Preset, Speeds
from ..bake.result import result_of
from ..base.language import translated
from ..base.status import remark
from ..base.styles import broken_styles
from ..base.units import SPACE, length_text, speed_text
from ..job.body_doubts import shown_doubts
from ..job.estimate import estimate
from ..job.gait_plan import NOTHING, out_of_range
from ..job.mapping import character_object, offered_path
from ..job.own_speed import rule_of_walk
from ..job.path_state import path_trouble
from ..job.short_path import path_warning
from ..settings.fields import gives_speed, style_or_none
from ..view import preview
from ..view.walk_shown import known_of
from .bake_panels import across_note, draw_bake
from .layout import Section, Sidebar, paragraph
from .notes import Note, draw_notes
from .preview_operators import draw_preview
from .style_panel import draw_style, mix_trouble


class BIPED_PT_walk(Sidebar, bpy.types.Panel):
    """Who walks where and how, and the button."""

    bl_label = "Walk"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the panel."""
        armature = character_object(context)
        if armature is None:
            text = "Select an armature to make it walk, or add one: Add > Armature"
            paragraph(self.layout.column(align=True), context, text, "INFO")
            draw_bake(self.layout, context)
            return
        self.layout.label(text=armature.name, icon="OUTLINER_OB_ARMATURE", translate=False)
        self._path(context, armature)
        draw_style(self.layout, armature.biped.walk)
        self._speed(context, armature)
        self._estimate(context, armature)
        draw_notes(self.layout, context, [*notes(context, armature)], "notes")
        draw_bake(self.layout, context)
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
        """Draw the speed, and below it what it can be."""
        walk = armature.biped.walk
        if not gives_speed(walk):
            return
        row = self.rows().row(align=True)
        row.prop(walk, "speed")
        row.prop_decorator(walk, "speed")
        rule, style = rule_of_walk(walk), style_or_none(walk)
        if style and rule.speeds:
            text = range_text(style, rule.speeds, context.scene.unit_settings)
            paragraph(self.layout.column(align=True), context, text, "INFO")

    def _estimate(self, context: bpy.types.Context, armature: bpy.types.Object) -> None:
        """Draw how long the walk will be."""
        known = preview.state()
        walked = None if known.old or not context.scene.biped.show_preview else known.summary
        found = estimate(context, armature, known_of(context), walked)
        if found is None:
            return
        text = length_text(found.length, context.scene.unit_settings)
        if found.seconds is not None:
            if found.walked:
                text = f"{text}, {found.seconds:.1f} s, to frame {found.frame}"
            else:
                text = f"{text}, about {found.seconds:.1f} s, to frame {found.frame}"
        paragraph(self.layout.column(align=True), context, text, "CURVE_PATH")


def notes(context: bpy.types.Context, armature: Any) -> Iterator[Note]:
    """Give what is to be known before a bake: what would refuse it, what is doubtful, what is otherwise than set."""
    walk, known = armature.biped.walk, known_of(context)
    if remark.on(armature) and remark.level == "ERROR":
        yield Note(remark.on(armature), "CANCEL")
    trouble = path_trouble(armature, context.scene, context.view_layer) if walk.path else ""
    doubts = (
        trouble,  # as the button says when it is pointed at
        *speed_doubts(walk, context.scene.unit_settings),
        path_warning(context, armature),
        *shown_doubts(context, armature),
        known.turns,
    )
    yield from (Note(text, "ERROR") for text in doubts if text)
    across = across_note(context)
    if across:
        yield across
    far = far_note(context, armature)
    if far:
        yield far
    yield from (Note(f"Left out: {text}", "ERROR") for text in broken_styles(walk.controller_name))
    yield from (Note(text, "INFO") for text in (*known.stands, mix_trouble(walk)) if text)


def far_note(context: bpy.types.Context, armature: Any) -> Note | None:
    """Return that the path begins far from the character, with what brings them together; None where it does not.

    Of a character that has walked already it is known where it walks.
    """
    far = known_of(context).far
    if not far or result_of(armature):
        return None
    away = length_text(far, context.scene.unit_settings)

    def first(row: bpy.types.UILayout) -> None:
        button = row.operator("biped.bring_together", text="", icon="ARMATURE_DATA")
        button.moved = "CHARACTER"

    def both(column: bpy.types.UILayout) -> None:
        button = column.operator("biped.bring_together", text="Move Character to Path", icon="ARMATURE_DATA")
        button.moved = "CHARACTER"
        button = column.operator("biped.bring_together", text="Move Path to Character", icon="CURVE_DATA")
        button.moved = "PATH"

    text = f"The path begins {away} from the character. The walk is there: the character jumps to it."
    return Note(text, "INFO", f"The path begins {away} away", first, both)


def speed_doubts(walk: Any, units: bpy.types.UnitSettings) -> Iterator[str]:
    """Give why the speed is not the one that is kept, or why its style may fall at it."""
    rule, style = rule_of_walk(walk), style_or_none(walk)
    if not gives_speed(walk) or style is None or rule.speeds is None:
        return
    own = rule.factor * walk.speed_mps
    if rule.holds and abs(rule.walked(own) - own) > NOTHING:
        yield out_of_range(style, rule.walked(own), own, units)
    elif not rule.holds and abs(rule.speeds.held(own) - own) > NOTHING:
        how = "slow" if own < rule.speeds.slowest else "fast"
        yield f"{speed_text(own, units)} is too {how} for {style.label}: it may fall."


class BIPED_PT_path(Section, bpy.types.Panel):
    """What of the path is walked, and below it what happens on it."""

    bl_label = "Path and Points"

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
