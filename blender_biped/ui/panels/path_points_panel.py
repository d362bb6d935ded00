"""The points along the path in the sidebar: their list, the active one, and what of them cannot be done."""

from __future__ import annotations

from typing import Any

import bpy

from ..base.styles import can, styles
from ..job.body import body_of
from ..job.gait_plan import first_style
from ..job.mapping import character_object
from ..job.points_plan import PointsPlan, point_text, points_plan
from ..settings.path_points import too_many
from ..view.way import shown_way
from .layout import Sidebar, paragraph

_PLACE = 0.35  # share of a row for the place


class BIPED_UL_path_points(bpy.types.UIList):
    """The points in the order of their places."""

    def draw_item(
        self, context: bpy.types.Context, layout: bpy.types.UILayout, _data: Any, item: Any, _icon: int,
        _active: Any, _name: str,
    ) -> None:  # fmt: skip
        """Draw a point: where it is, and what it says."""
        split = layout.split(factor=_PLACE)
        split.prop(item, "place", text="", emboss=False)
        split.label(text=point_text(item, context.scene))

    def filter_items(self, _context: bpy.types.Context, data: Any, name: str) -> tuple[list[int], list[int]]:
        """Return nothing filtered out, and where each point stands in the list."""
        places = [(i, point.place) for i, point in enumerate(getattr(data, name))]
        return [], bpy.types.UI_UL_list.sort_items_helper(places, key=lambda pair: pair[1])


class BIPED_PT_path_points(Sidebar, bpy.types.Panel):
    """What happens along the path."""

    bl_label = "Points Along the Path"
    bl_parent_id = "BIPED_PT_path"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Return whether there is a path."""
        armature = character_object(context)
        return armature is not None and armature.biped.walk.path is not None

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the panel."""
        walk = character_object(context).biped.walk
        row = self.layout.row()
        row.template_list("BIPED_UL_path_points", "", walk, "points", walk, "active_point", rows=4)
        buttons = row.column(align=True)
        buttons.operator("biped.add_path_point", text="", icon="ADD")
        buttons.operator("biped.remove_path_point", text="", icon="REMOVE")
        buttons.separator()
        buttons.operator("biped.move_path_point", text="", icon="TRIA_UP").direction = "UP"
        buttons.operator("biped.move_path_point", text="", icon="TRIA_DOWN").direction = "DOWN"
        if 0 <= walk.active_point < len(walk.points):
            self._active(walk, walk.points[walk.active_point])
        notes = self.layout.column(align=True)
        if wrong := too_many(walk.points):
            paragraph(notes, context, wrong, "ERROR")
            return
        for text in panel_plan(context).notes(walk.points, context.scene):
            paragraph(notes, context, text, "ERROR")

    def _active(self, walk: Any, point: Any) -> None:
        """Draw the active point's values."""
        column, able = self.rows(), can(walk.controller_name)
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


def panel_plan(context: bpy.types.Context) -> PointsPlan:
    """Return what the points of the panel's character say, as far as it is known while a panel is drawn."""
    armature = character_object(context)
    walk = armature.biped.walk
    chosen = styles(walk.controller_name).get(walk.preset_name)
    if chosen is None or not walk.points:
        return PointsPlan()
    body, way = body_of(armature, context.scene), shown_way(context)
    style = first_style(context.scene, armature, chosen)
    return points_plan(
        context.scene, armature, style, body.character if body else None, way.path.length if way else None
    )
