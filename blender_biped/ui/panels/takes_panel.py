"""The Takes panel: variations of the walk to choose from."""

from __future__ import annotations

import bpy

from ..base.language import translated
from ..base.units import SPACE
from ..job.mapping import character_object
from ..job.takes import Take, Takes, takes_of
from .layout import Sidebar


class BIPED_PT_takes(Sidebar, bpy.types.Panel):
    """Several variations of the walk, of which one is kept."""

    bl_label = "Takes"
    bl_parent_id = "BIPED_PT_walk"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Return whether there is a character."""
        return character_object(context) is not None

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the panel."""
        armature = character_object(context)
        takes = takes_of(armature.session_uid)
        self.rows().prop(context.scene.biped, "variations")
        row = self.layout.row(align=True)
        row.operator("biped.make_takes", icon="FILE_REFRESH" if takes.made else "ADD")
        if takes.made:
            row.operator(
                "biped.show_take", text="", icon="HIDE_ON" if takes.hidden else "HIDE_OFF", depress=not takes.hidden
            )
            self._takes(context, takes)
        self.rows().prop(armature.biped.walk, "take")

    def _takes(self, context: bpy.types.Context, takes: Takes) -> None:
        """Draw a row for each take, and what else Keep does."""
        column = self.layout.column(align=True)
        for take in takes.made:
            row = column.row(align=True)
            row.label(text=take_text(take), icon="CHECKMARK" if take.well else "ERROR", translate=False)
            hide = "HIDE_ON" if take.hidden else "HIDE_OFF"
            row.operator("biped.show_take", text="", icon=hide, emboss=False).take = take.number
            lock = "LOCKED" if take.locked else "UNLOCKED"
            row.operator("biped.lock_take", text="", icon=lock, emboss=False).take = take.number
            keep = row.operator("biped.keep_take")
            keep.take, keep.strips = take.number, context.scene.biped.others_as_strips
        row = self.layout.row()
        row.use_property_split = False  # else its name is cut off
        row.prop(context.scene.biped, "others_as_strips")


def take_text(take: Take) -> str:
    """Return how a take went, in a few words."""
    summary = take.summary
    if summary is None:
        return f"{take.number}"
    if summary.fell_at is not None:
        return translated(f"{take.number}: falls at {summary.fell_at:.1f}{SPACE}s")
    return f"{take.number}: {summary.duration:.1f}{SPACE}s"
