"""The sliders of KLAW's attributes in the sidebar."""

from __future__ import annotations

from dataclasses import fields

import bpy

from ...klaw.attributes import Attributes
from ...klaw.walk import NAME
from .layout import Sidebar

_GROUPS = {"LEGS": "Legs", "SWING": "Swing", "TRUNK": "Trunk", "ARMS": "Arms", "PACE": "From Step to Step, and Limits"}


class BIPED_PT_attributes(Sidebar, bpy.types.Panel):
    """The attributes of KLAW."""

    bl_label = "Attributes"
    bl_parent_id = "BIPED_PT_walk"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Return whether KLAW is chosen."""
        return bool(context.scene.biped.controller_name == NAME)

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the panel."""
        for group, label in _GROUPS.items():
            column = self.layout.column(align=True)  # names within the sliders: beside them there is no room
            column.label(text=label)
            for attribute in fields(Attributes):
                if attribute.metadata["group"] == group:
                    column.prop(context.scene.biped.attributes, attribute.name)
