"""On the Way: one list of all that happens on the way, the active row's settings, and what of it cannot be done."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import bpy

from ..base.language import translated
from ..base.solids import MESHES
from ..job.on_way.row import Row, ShownWalk
from ..job.on_way.rows import OnWay, active_row, offers, on_way
from ..job.on_way.targets import HandTargets, draw_target
from ..view.walk_shown import shown_walk
from .layout import Section, fitted, paragraph

_PLACE = 0.35  # share of a row for the place
_BESIDE = 60.0  # pixels of the sidebar that the buttons beside the list take, with an icon
_ROWS = 12  # that are drawn at a time, the active one among them


class BIPED_PT_on_way(Section, bpy.types.Panel):
    """What happens on the way.

    The rows are buttons and no list of Blender's: such a list draws a collection that somebody has to fill, and these
    rows are of the walk, the timeline and the objects of the scene, as they are at this moment.
    """

    bl_label = "On the Way"
    bl_parent_id = "BIPED_PT_path"
    bl_options: ClassVar[set[str]] = set()

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the panel."""
        shown = shown_walk(context)
        if shown is None:
            return
        found = on_way(shown)
        active = active_row(shown.walk, found.rows)
        beside = self.layout.row()
        self._list(beside.box().column(align=True), context, shown, found, active)
        self._buttons(beside.column(align=True), active)
        if active is not None:
            active.kind.draw(self.rows(), shown, active)
        notes = self.layout.column(align=True)
        for text in found.notes:
            paragraph(notes, context, text, "ERROR")
        self._object(context, active)

    def _list(
        self, box: bpy.types.UILayout, context: bpy.types.Context, shown: ShownWalk, found: OnWay, active: Row | None
    ) -> None:
        """Draw the rows, each with what is wrong with it below; of many some, and a way to the others."""
        first, last = window(found.rows, active)
        self._others(box, found.rows[:first], -1)
        for row in found.rows[first:last]:
            line = box.row(align=True)
            line.active = row.counts
            split = line.split(factor=_PLACE, align=True)
            row.kind.draw_place(split, shown, row)
            about, icon, chosen = row.kind.text(shown, row), row.kind.icon(row), row is active
            text = fitted(about, context, _BESIDE, share=1.0 - _PLACE)
            button = split.operator(
                "biped.choose_row", text=text, icon=icon, depress=chosen, emboss=chosen, translate=False
            )
            button.row, button.about = row.called, translated(about)
            for text in row.wrong:
                paragraph(box, context, text, "ERROR")
        self._others(box, found.rows[last:], 0)
        wrong = sum(bool(row.wrong) for row in (*found.rows[:first], *found.rows[last:]))
        if wrong:
            paragraph(box, context, f"There is something wrong with {wrong} more rows.", "ERROR")

    def _others(self, box: bpy.types.UILayout, rows: Sequence[Row], nearest: int) -> None:
        """Draw how many rows are not drawn: a button that goes to the nearest of them."""
        if rows:
            icon = "TRIA_UP" if nearest else "TRIA_DOWN"
            button = box.operator("biped.choose_row", text=str(len(rows)), icon=icon, emboss=False, translate=False)
            button.row = rows[nearest].called

    def _buttons(self, column: bpy.types.UILayout, active: Row | None) -> None:
        """Draw the buttons beside the list: of the active row those of its kind."""
        column.menu("BIPED_MT_on_way", text="", icon="ADD")
        removal = active.kind.removal(active) if active is not None else None
        row = column.row()
        row.enabled = active is None or removal is not None
        button = row.operator(removal.operator if removal else "biped.remove_path_point", text="", icon="REMOVE")
        for name, value in removal.settings.items() if removal else ():
            setattr(button, name, value)
        column.separator()
        moves = column.column(align=True)
        moves.enabled = active is not None and active.kind.moves
        for direction in ("UP", "DOWN"):
            moves.operator("biped.move_path_point", text="", icon=f"TRIA_{direction}").direction = direction

    def _object(self, context: bpy.types.Context, active: Row | None) -> None:
        """Draw whether the active object is a target, and its settings unless they are drawn for the active row."""
        thing = context.active_object
        if thing is None or not (thing.type == "EMPTY" or thing.type in MESHES):
            return
        column = self.rows()
        column.prop(thing.biped.target, "active", text=thing.name, translate=False)
        shown_above = active is not None and isinstance(active.kind, HandTargets) and active.data == thing
        if thing.biped.target.active and not shown_above:
            draw_target(column, thing)


class BIPED_MT_on_way(bpy.types.Menu):
    """What can be added to what happens on the way."""

    bl_label = "Add to the Way"
    bl_description = (
        "Add something that happens on the way: at a place of the path, at the current frame, or with an object of the "
        "scene"
    )

    def draw(self, context: bpy.types.Context) -> None:
        """Draw all that there is; what the controller cannot do is grey, and says why when it is pointed at."""
        shown = shown_walk(context, foresee=False)
        for i, own in enumerate(offers(shown) if shown else ()):
            if i:
                self.layout.separator()
            for offer in own:
                row = self.layout.row()
                row.enabled = not offer.why
                if offer.choice:
                    row.operator_menu_enum(offer.operator, offer.choice, text=offer.text, icon=offer.icon)
                    continue
                button = row.operator(offer.operator, text=offer.text, icon=offer.icon)
                for name, value in offer.settings.items():
                    setattr(button, name, value)


def window(rows: Sequence[Row], active: Row | None) -> tuple[int, int]:
    """Return the first of the rows that are drawn, and the one behind the last."""
    middle = rows.index(active) if active in rows else 0
    first = max(min(middle - _ROWS // 2, len(rows) - _ROWS), 0)
    return first, min(first + _ROWS, len(rows))
