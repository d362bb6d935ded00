"""What the button beside another character's line does: it becomes the one that the tab is about."""

# Blender reads property definitions from the annotations, so they stay unquoted.

import bpy
from bpy.props import StringProperty

from ..base.language import translated


class BIPED_OT_show_character(bpy.types.Operator):
    """Makes another character the one that the panel is about."""

    bl_idname = "biped.show_character"
    bl_label = "Show Character"
    bl_description = "Select this character, so that the tab shows its walk and its result"
    bl_options = {"UNDO", "INTERNAL"}

    character: StringProperty(name="Character", description="The armature's name")

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Select it alone."""
        found = context.view_layer.objects.get(self.character)
        if found is None:
            self.report({"ERROR"}, translated(f"{self.character!r} is not in this view layer any more."))
            return {"CANCELLED"}
        for other in context.selected_objects:
            other.select_set(False)
        found.select_set(True)
        context.view_layer.objects.active = found
        return {"FINISHED"}
