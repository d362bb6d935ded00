"""The row that a walk begins with: the panel's style and speed, where no marker says another one."""

from __future__ import annotations

from collections.abc import Iterator

import bpy

from ...base.language import translated
from ...base.styles import styles
from ...base.units import speed_text
from ...settings.fields import gives_speed, style_or_none
from ..gait_plan import desired_speed, timeline_of
from ..pace import speed_rule
from .row import Row, RowKind, ShownWalk


class Beginning(RowKind):
    """Where the walk begins."""

    name = "begin"
    handles = False

    def rows(self, shown: ShownWalk) -> Iterator[Row]:
        """Give the one, unless a marker begins the walk, or the style is missing."""
        style = style_or_none(shown.walk)
        if style is None:
            return
        if shown.can.change:
            timeline = timeline_of(shown.scene, shown.armature, styles(style.controller).values())
            if timeline.begun(shown.first_frame) is not None:
                return
        place = shown.walk.start * shown.unit if shown.walk.path else None
        yield Row(self, "", 0.0, place, shown.walk.frame_start, names=(style.label,))

    def text(self, shown: ShownWalk, row: Row) -> str:
        """Return the style, and the speed where the panel gives it."""
        style = style_or_none(shown.walk)
        if style is None:
            return ""
        if not gives_speed(shown.walk):
            return style.label
        rule = speed_rule(style, shown.armature.biped.pace, shown.character)
        goes = rule.shown(desired_speed(None, style, shown.armature, shown.character))
        return f"{translated(style.label)}, {speed_text(goes, shown.scene.unit_settings)}"

    def icon(self, row: Row) -> str:
        """Return a sign for the beginning."""
        return "PLAY"

    def draw_place(self, layout: bpy.types.UILayout, shown: ShownWalk, row: Row) -> None:
        """Draw the frame: the place is where the path begins."""
        layout.label(text=str(row.frame), icon="TIME", translate=False)

    def draw(self, column: bpy.types.UILayout, shown: ShownWalk, row: Row) -> None:
        """Draw where the walk begins: its style and speed are above."""
        column.prop(shown.walk, "start")
        column.prop(shown.walk, "frame_start")
