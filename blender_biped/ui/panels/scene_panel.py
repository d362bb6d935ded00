"""The Scene panel: what of the scene a walk answers to."""

from __future__ import annotations

from typing import ClassVar

import bpy

from ..base.language import translated
from ..job.found import found_lines
from ..job.mapping import character_object
from .layout import Sidebar, paragraph


class BIPED_PT_scene(Sidebar, bpy.types.Panel):
    """What was found in the scene that a walk answers to, and the push that is active."""

    bl_label = "Scene"
    bl_parent_id = "BIPED_PT_walk"
    bl_options: ClassVar[set[str]] = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Return whether there is a character."""
        return character_object(context) is not None

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the panel."""
        armature = character_object(context)
        column = self.layout.column(align=True)
        for line in found_lines(context, armature):
            paragraph(column, context, line.text, line.icon)
        column = self.rows()
        column.prop(context.scene.biped, "show_found")
        for name in ("ground", "obstacles", "props"):
            column.prop(context.scene.biped, name)
        self.layout.operator("biped.list_visible", icon="SCENE_DATA")
        column = self.rows()
        column.prop(context.scene.biped, "bump")
        self.layout.operator("biped.add_push", icon="EMPTY_SINGLE_ARROW")
        active = context.active_object
        if active is not None and active.biped.push.active:
            self._push(active)

    def _push(self, thing: bpy.types.Object) -> None:
        """Draw the settings of a push."""
        self.layout.label(text=translated(f"Push: {thing.name}"), icon="EMPTY_SINGLE_ARROW", translate=False)
        column = self.rows()
        for name in ("force", "length", "part", "character"):
            column.prop(thing.biped.push, name)
