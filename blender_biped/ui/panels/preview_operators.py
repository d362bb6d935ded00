"""What the buttons below the preview's switch do: accept the walk that it shows, or discard it."""

from __future__ import annotations

import bpy

from ...base.errors import BipedError
from ..base.language import translated
from ..base.status import status
from ..job.request import read_request
from ..view import preview
from .layout import Sidebar, paragraph


class BIPED_OT_accept_preview(bpy.types.Operator):
    """Bakes the walk that the preview shows."""

    bl_idname = "biped.accept_preview"
    bl_label = "Accept"
    bl_description = "Bake the simulated walk just as the preview shows it, and turn the preview off"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Return whether there is a whole walk to accept."""
        if not context.scene.biped.show_preview:
            cls.poll_message_set("Turn Preview on first")
        elif not preview.is_whole():
            cls.poll_message_set("The walk has not been simulated to its end yet")
        else:
            return True
        return False

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Write the keyframes of the motion that is shown."""
        try:
            job = read_request(context).job
        except BipedError as error:
            self.report({"ERROR"}, translated(str(error)))
            return {"CANCELLED"}
        if preview.finished_motion(job) is None:
            self.report({"WARNING"}, "The walk has changed since it was simulated: wait for the preview")
            return {"CANCELLED"}
        try:
            done: set[str] = bpy.ops.biped.bake_walk()  # it takes the preview's motion; one step of undo with this one
        except RuntimeError:  # what an operator reports as an error
            done = {"CANCELLED"}
        self.report({status.level}, translated(status.message))
        if done == {"FINISHED"}:
            context.scene.biped.show_preview = False
        return done


class BIPED_OT_discard_preview(bpy.types.Operator):
    """Turns the preview off."""

    bl_idname = "biped.discard_preview"
    bl_label = "Discard"
    bl_description = "Turn the preview off and forget its walk. The character stays as it is"
    bl_options = {"UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Return whether there is a preview."""
        if not context.scene.biped.show_preview:
            cls.poll_message_set("There is no preview")
        return bool(context.scene.biped.show_preview)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Turn it off."""
        context.scene.biped.show_preview = False
        return {"FINISHED"}


def draw_preview(panel: Sidebar, context: bpy.types.Context) -> None:
    """Draw the preview's switch, and below it what it says, how far it is, and what can be done with it."""
    panel.rows().prop(context.scene.biped, "show_preview")
    if not context.scene.biped.show_preview:
        return
    said, share = preview.message(context), preview.progress()
    if said.text:
        paragraph(panel.layout.column(align=True), context, said.text, said.icon)
    row = panel.layout.row(align=True)
    if share is not None:
        row.progress(factor=share, text=translated(f"Simulating: {share:.0%}"))
        row.operator("biped.discard_preview", text="", icon="X")
    elif preview.is_whole():
        row.operator("biped.accept_preview", icon="CHECKMARK")
        row.operator("biped.discard_preview", icon="X")
