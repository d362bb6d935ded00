"""The Scene panel: what of the scene a walk answers to."""

from __future__ import annotations

import bpy

from ..base.language import translated
from ..job.found import found_lines
from ..job.mapping import character_object
from ..job.on_way.targets import HandTargets
from ..view.walk_shown import shown_walk
from .layout import Section, paragraph
from .scene_operators import SORTS


class BIPED_PT_scene(Section, bpy.types.Panel):
    """What was found in the scene that a walk answers to, and the push that is active."""

    bl_label = "Scene"

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
        row = self.layout.row()
        row.use_property_split = False  # else its name is cut off
        row.prop(context.scene.biped, "bump")
        self.layout.menu("BIPED_MT_scene_add", icon="ADD")
        active = context.active_object
        if active is not None and active.biped.push.active:
            self._push(active)

    def _push(self, thing: bpy.types.Object) -> None:
        """Draw the settings of a push."""
        self.layout.label(text=translated(f"Push: {thing.name}"), icon="EMPTY_SINGLE_ARROW", translate=False)
        column = self.rows()
        column.prop(thing.biped.push, "force", text="Force (N)")  # their whole names are cut off
        column.prop(thing.biped.push, "length", text="Length (s)")
        column.prop(thing.biped.push, "part")
        column.prop(thing.biped.push, "character")


class BIPED_MT_scene_add(bpy.types.Menu):
    """What can be added to the scene for the walk: what cannot be now is grey, and says what to select."""

    bl_label = "Add"
    bl_description = (
        "Add something that the walk answers to: a push, a wind, what the selected meshes are, what hands do"
    )

    def draw(self, context: bpy.types.Context) -> None:
        """Draw all that there is."""
        layout = self.layout
        layout.operator("biped.add_push", text="Push", icon="EMPTY_SINGLE_ARROW")
        layout.operator("object.effector_add", text="Wind", icon="FORCE_WIND").type = "WIND"
        layout.separator()
        for (sort, label, _), icon in zip(SORTS, ("MESH_GRID", "MESH_CUBE", "PHYSICS"), strict=True):
            layout.operator("biped.list_selected", text=label, icon=icon).sort = sort
        shown = shown_walk(context, foresee=False)
        layout.separator()
        for offer in HandTargets().offers(shown) if shown else ():
            row = layout.row()
            row.enabled = not offer.why
            button = row.operator(offer.operator, text=offer.text, icon=offer.icon)
            for name, value in offer.settings.items():
                setattr(button, name, value)
