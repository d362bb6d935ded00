"""Rows of the points along the path (``Object.biped.walk.points``): a speed, a frame, a wait, a style."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import bpy

from ...base.reading import frame_rate
from ...base.styles import can, styles
from ...settings.fields import gives_speed
from ...settings.path_points import give_style, too_many
from ..points_plan import STEPS_SET, no_change, point_text
from .row import Offer, Removal, Row, RowKind, ShownWalk

SAYS = (
    ("SPEED", "Speed", "From the point on the walk has another speed", "MOD_TIME"),
    ("FRAME", "Frame", "The walk is at the point at a frame", "TIME"),
    ("WAIT", "Wait", "The character stands at the point for a while, and walks on", "PAUSE"),
    ("STYLE", "Style", "From the point on the walk has another style", "ARMATURE_DATA"),
)
"""What a new point may say: name, label, what it is, icon."""

_WAIT = 2.0  # s, of a new wait


class Points(RowKind):
    """The points along the path."""

    name = "point"
    color = (0.95, 0.75, 0.15)
    moves = True
    handles = False  # they have others, which can be dragged

    def rows(self, shown: ShownWalk) -> Iterator[Row]:
        """Give a row for each point."""
        points = shown.walk.points
        wrong = {} if too_many(points) else shown.plan.wrong
        for i, point in enumerate(points):
            place = point.place * shown.unit
            said = (wrong[i],) if i in wrong else ()
            yield Row(self, str(i), shown.coming.time(place), place, data=point, wrong=said)

    def text(self, shown: ShownWalk, row: Row) -> str:
        """Return what the point says."""
        return point_text(row.data, shown.scene)

    def icon(self, row: Row) -> str:
        """Return a sign of the first thing that the point says."""
        point, icons = row.data, {name: icon for name, _, _, icon in SAYS}
        if point.timing in icons:
            return icons[point.timing]
        if point.wait > 0.0:
            return icons["WAIT"]
        return icons["STYLE"] if point.style_name else "DOT"

    def draw_place(self, layout: bpy.types.UILayout, shown: ShownWalk, row: Row) -> None:
        """Draw the place, to be typed."""
        layout.prop(row.data, "place", text="", emboss=False)

    def draw(self, column: bpy.types.UILayout, shown: ShownWalk, row: Row) -> None:
        """Draw the point's values that count."""
        point, able = row.data, can(shown.walk.controller_name)
        column.prop(point, "place")
        column.prop(point, "timing")
        if point.timing == "SPEED":
            column.prop(point, "speed")
            column.prop(point, "ease")
        elif point.timing == "FRAME":
            column.prop(point, "frame")
        if able.wait or point.wait > 0.0:
            column.prop(point, "wait")
        if able.change or point.style_name:
            column.prop(point, "style")
        if able.mix and point.style_name:
            column.prop(point, "change_over")

    def offers(self, shown: ShownWalk) -> Sequence[Offer]:
        """Return a point of each kind."""
        return [
            Offer(label, icon, "biped.add_path_point", about, {"says": name}, why_not(shown, name))
            for name, label, about, icon in SAYS
        ]

    def removal(self, row: Row) -> Removal:
        """Return the button for the active point: the row's, since it is drawn for the active row."""
        return Removal("biped.remove_path_point")

    def notes(self, shown: ShownWalk) -> Sequence[str]:
        """Return that there are too many."""
        return tuple(filter(None, (too_many(shown.walk.points),)))


def why_not(shown: ShownWalk, says: str) -> str:
    """Return why a walk cannot do what a new point would say, "" where it can. says: a name of ``SAYS``."""
    kind = shown.kind
    if kind is None:
        return ""
    if says in ("SPEED", "FRAME") and not gives_speed(shown.walk):
        return STEPS_SET
    if says == "WAIT" and not kind.can.wait:
        return f"{kind.label} cannot stand on the way and walk on."
    return no_change(kind) if says == "STYLE" and not kind.can.change else ""


def say(shown: ShownWalk, point: Any, says: str) -> None:
    """Let a new point say something, so that little changes until its values are set. says: a name of ``SAYS``."""
    walk, time = shown.walk, shown.coming.time(point.place * shown.unit)
    point.timing = says if says in ("SPEED", "FRAME") else "SAME"
    if says == "FRAME":
        point.frame = walk.frame_start + round(time * frame_rate(shown.scene))
    elif says == "WAIT":
        point.wait = _WAIT
    elif says == "STYLE":
        give_style(point, next((name for name in styles(walk.controller_name) if name != walk.preset_name), ""))
