"""The gaits over time in the sidebar: what the timeline markers mean, and what may be wrong with them."""

from __future__ import annotations

import bpy

from ...character.model import Character
from ...preset.markers import GaitChange
from ...preset.preset import Preset, Speeds
from ..base.frames import stretching
from ..base.styles import can, styles
from ..base.units import SPACE, speed_text
from ..job.body import body_of
from ..job.gait_plan import NOTHING, desired_speed, out_of_range, timeline_of
from ..job.mapping import character_object, walk_of
from ..job.pace import speed_rule
from ..settings.fields import gives_speed, style_or_none
from .layout import Sidebar, paragraph

_FRAME = 0.25  # share of a row for the frame
_LABEL = 0.55  # share of the rest for the gait


class BIPED_PT_gaits(Sidebar, bpy.types.Panel):
    """Which gait it has when."""

    bl_label = "Gaits"
    bl_parent_id = "BIPED_PT_walk"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Return whether the controller has gaits that can follow each other."""
        walk = walk_of(context)
        return walk is not None and can(walk.controller_name).change

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the panel."""
        scene, armature = context.scene, character_object(context)
        walk = armature.biped.walk
        gaits, start = styles(walk.controller_name), walk.frame_start * stretching(scene)
        timeline = timeline_of(scene, armature, gaits.values())
        begun = timeline.begun(start)
        column, wrong = self.layout.column(align=True), []
        if begun is None:
            wrong += self._row(context, column, None, style_or_none(walk))
        for change in timeline.changes:
            rows = column.column(align=True)
            rows.active = change.frame > start or change is begun  # those before do not count
            wrong += self._row(context, rows, change, gaits[change.gait])
        notes = self.layout.column(align=True)
        for text in (*wrong, *timeline.doubts):
            paragraph(notes, context, text, "ERROR")
        self.layout.operator_menu_enum("biped.add_gait_marker", "gait", text="Add Gait Marker", icon="MARKER_HLT")

    def _row(
        self, context: bpy.types.Context, column: bpy.types.UILayout, change: GaitChange | None, gait: Preset | None
    ) -> list[str]:
        """Draw a gait: of a marker, or the one that the panel begins with. Return what is wrong with its speed."""
        if gait is None:
            return []
        scene, armature = context.scene, character_object(context)
        walk, character = armature.biped.walk, known_character(context, armature)
        rule = speed_rule(gait, armature.biped.pace, character)
        desired = desired_speed(change, gait, armature, character)
        goes = rule.shown(desired)
        row = column.row(align=True)
        split = row.split(factor=_FRAME)
        split.label(text=str(change.frame if change else walk.frame_start))
        split = split.split(factor=_LABEL)
        split.label(text=gait.label)
        known = change is not None or gives_speed(walk)
        split.label(text=speed_text(goes, scene.unit_settings) if known else "")
        if change:
            remove = row.operator("biped.remove_gait_marker", text="", icon="X", emboss=False)
            remove.frame, remove.marker = change.frame, change.marker
        else:
            row.label(text="", icon="BLANK1")
        if change is None or abs(goes - rule.factor * desired) <= NOTHING:
            return []
        return [f"Frame {change.frame}: {out_of_range(gait, goes, rule.factor * desired, scene.unit_settings)}"]


def known_character(context: bpy.types.Context, armature: bpy.types.Object) -> Character | None:
    """Return the character that an armature is, None while that is not known."""
    body = body_of(armature, context.scene)
    return body.character if body else None


def range_text(gait: Preset, speeds: Speeds, units: bpy.types.UnitSettings) -> str:
    """Return the speeds of a gait, m/s, in words."""
    slowest, usual, fastest = (speed_text(v, units) for v in (speeds.slowest, speeds.usual, speeds.fastest))
    if slowest == fastest:
        return f"{gait.label} goes at {fastest}"
    number, _, unit = slowest.partition(SPACE)
    slowest = number if fastest.endswith(unit) else slowest
    return f"{gait.label} goes at {slowest} to {fastest}, usually {usual}"
