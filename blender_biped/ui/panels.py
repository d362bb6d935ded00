"""The "Biped" tab in the 3D view's sidebar."""

from __future__ import annotations

import blf
import bpy

from ..character.model import ROLES
from .result import result_lines, result_of
from .scene_job import character_object, has_controls
from .status import status

_TABS = 60.0  # pixels that tabs and margins take of the sidebar, at a user interface scale of 1
_BOX = 40.0  # what a box and an icon take in addition
_CELL = 20.0  # what the cells of a row take in addition
_VALUES = 0.65  # share of a row for a figure, beside its name


class _Panel:
    """What all panels of the tab share."""

    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Biped"

    layout: bpy.types.UILayout

    def rows(self) -> bpy.types.UILayout:
        """Return a layout for properties with their names on the left."""
        self.layout.use_property_split = True
        self.layout.use_property_decorate = False
        return self.layout.column()


class BIPED_PT_character(_Panel, bpy.types.Panel):
    """Who walks."""

    bl_label = "Character"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the panel."""
        column = self.rows()
        column.prop(context.scene.biped, "armature")
        armature = character_object(context)
        if armature and not context.scene.biped.armature:
            column.label(text=f"Active: {armature.name}", icon="ARMATURE_DATA")
        column.operator("biped.map_bones", icon="OUTLINER_OB_ARMATURE")
        if armature and armature.biped.parts:
            self._found(armature)

    def _found(self, armature: bpy.types.Object) -> None:
        """Draw what Map Bones has found."""
        settings = armature.biped
        header, body = self.layout.panel("biped_bones", default_closed=True)
        header.label(text=f"{len(settings.parts)} of {len(ROLES)} parts found")
        if body:
            body.use_property_split = False
            body.label(text=f"By {settings.convention} names")
            rows = body.column(align=True)
            rows.scale_y = 0.8
            found = {part.name: [bone.name for bone in part.bones] for part in settings.parts}
            for role in ROLES:
                words = role.replace("_", " ").replace(".", " ").title()
                for i, bone in enumerate(found.get(role, [""])):
                    split = rows.split(factor=0.4)
                    split.label(text="" if i else words)
                    split.label(text=bone or "not there", icon="BONE_DATA" if bone else "BLANK1")
        self.rows().prop(settings, "mass")


class BIPED_PT_walk(_Panel, bpy.types.Panel):
    """How it walks."""

    bl_label = "Walk"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the panel."""
        column = self.rows()
        settings = context.scene.biped
        column.prop(settings, "controller")
        column.prop(settings, "preset")
        column.separator()
        column.prop(settings, "speed")


class BIPED_PT_path(_Panel, bpy.types.Panel):
    """Where it walks."""

    bl_label = "Path"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the panel."""
        column = self.rows()
        settings = context.scene.biped
        column.prop(settings, "path")
        column.separator()
        column.prop(settings, "start")
        column.prop(settings, "reverse")
        if settings.path and any(s.use_cyclic_u for s in settings.path.data.splines):
            column.prop(settings, "laps")
        column.prop(settings, "stop")


class BIPED_PT_bake(_Panel, bpy.types.Panel):
    """The keyframes."""

    bl_label = "Bake"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the panel."""
        column = self.rows()
        armature = character_object(context)
        if armature:
            column.prop(armature.biped, "root")
            if has_controls(armature):
                column.prop(armature.biped, "limbs")
        column.prop(context.scene.biped, "frame_start")
        column.prop(context.scene.biped, "extend")
        column.prop(context.scene.biped, "footprints")
        column.prop(context.scene.biped, "markers")
        column.separator()
        row = self.layout.row(align=True)
        if status.worker:
            row.progress(factor=status.progress, text=f"Simulating: {status.progress:.0%}")
            row.operator("biped.cancel", text="", icon="CANCEL")
        else:
            row.scale_y = 1.5
            row.operator("biped.bake_walk", icon="ACTION")
        if status.message:
            box = self.layout.box().column(align=True)
            icon = {"INFO": "INFO", "WARNING": "ERROR", "ERROR": "CANCEL"}[status.level]
            _paragraph(box, context, status.message, icon)


class BIPED_PT_result(_Panel, bpy.types.Panel):
    """How the walk went that the character has."""

    bl_label = "Result"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Return whether the character has a baked walk."""
        return result_of(character_object(context)) is not None

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the panel."""
        result = result_of(character_object(context))
        if result is None:
            return
        outcome, *figures = result_lines(result, context.scene.unit_settings)
        column = self.layout.column(align=True)
        if not result.active:
            _paragraph(column, context, f"Of {result.action.name}, in an NLA strip", "NLA")
        _paragraph(column, context, outcome.text, outcome.icon)
        if result.summary.fell_at is not None:
            self.layout.operator("biped.go_to_fall", icon="TIME")
        rows = self.layout.column(align=True)
        rows.scale_y = 0.8
        for figure in figures:
            for i, text in enumerate(_lines(figure.text, context, _CELL, _VALUES)):
                split = rows.split(factor=1.0 - _VALUES)
                split.label(text="" if i else figure.name)
                split.label(text=text)


def _paragraph(column: bpy.types.UILayout, context: bpy.types.Context, text: str, icon: str) -> None:
    """Draw a text over as many lines as it needs."""
    rows = column.column(align=True)
    rows.scale_y = 0.8
    for i, line in enumerate(_lines(text, context, _BOX)):
        rows.label(text=line, icon=icon if i == 0 else "BLANK1")


def _lines(text: str, context: bpy.types.Context, taken: float = 0.0, share: float = 1.0) -> list[str]:
    """Return a text broken into lines that fit into a share of the sidebar's width, with some pixels of it taken.

    Not at no-break spaces, such as those between numbers and units.
    """
    scale = context.preferences.system.ui_scale
    room = share * (context.region.width - (_TABS + taken) * scale)
    blf.size(0, context.preferences.ui_styles[0].widget.points * scale)
    lines: list[str] = []
    for word in filter(None, text.replace("\n", " ").split(" ")):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and blf.dimensions(0, longer)[0] <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
