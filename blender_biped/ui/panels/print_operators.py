"""What takes edited footprints back: one, or all."""

# Blender reads property definitions from the annotations, so they stay unquoted.

from typing import Any

import bpy
from bpy.props import BoolProperty

from ..base.changes import changed
from ..base.language import translated
from ..base.status import redraw
from ..job.mapping import character_object
from ..job.prints_plan import prints_text
from ..view.shown_prints import states
from .layout import Sidebar, paragraph


class BIPED_OT_reset_prints(bpy.types.Operator):
    """Takes edited footprints back."""

    bl_idname = "biped.reset_prints"
    bl_label = "Reset Footprint"
    bl_description = "Let the walk set this foot down where it would by itself: the footprint that was dragged last"
    bl_options = {"REGISTER", "UNDO"}

    every: BoolProperty(
        name="All", description="All edited footprints, not only the one that was dragged last", options={"SKIP_SAVE"}
    )

    @classmethod
    def description(cls, _context: bpy.types.Context, properties: Any) -> str:
        """Return the tooltip, in the interface's language."""
        every = "Let the walk set its feet down where it would by itself"
        return translated(every if properties.every else cls.bl_description)

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Return whether there is an edited footprint."""
        armature = character_object(context)
        if armature is None:
            cls.poll_message_set("There is no character: select an armature")
        elif not armature.biped.walk.prints:
            cls.poll_message_set("No footprint is edited: turn Edit Footprints on and drag one")
        elif not armature.is_editable:
            cls.poll_message_set("The armature is linked from another file: make a library override of it first")
        else:
            return True
        return False

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Remove them."""
        walk = character_object(context).biped.walk
        count = len(walk.prints)
        if self.every:
            walk.prints.clear()
        else:
            at = walk.active_print
            walk.prints.remove(at if 0 <= at < count else count - 1)
        if len(walk.prints) == count:
            self.report({"ERROR"}, "The footprint is from the linked file: a library override cannot take it away.")
            return {"CANCELLED"}
        walk.active_print = len(walk.prints) - 1
        changed()
        redraw(views=True)
        return {"FINISHED"}


def draw_prints(panel: Sidebar, context: bpy.types.Context) -> None:
    """Draw the switch that edits footprints, and below it what became of those that are."""
    panel.rows().prop(context.scene.biped, "edit_prints")
    armature = character_object(context)
    found = states(context, armature)
    if not found:
        return
    wrong = any(state in ("OFF", "GONE") for state, _ in found)
    column = panel.layout.column(align=True)
    paragraph(column, context, prints_text(found, context.scene.unit_settings), "ERROR" if wrong else "INFO")
    row = column.row(align=True)
    row.operator("biped.reset_prints", icon="LOOP_BACK")
    row.operator("biped.reset_prints", text="Reset All").every = True
