"""The Character panel: who walks, the role table, the controls, the body."""

from __future__ import annotations

import bpy

from ...character.conventions import CONVENTIONS, Names
from ...character.figure import stature
from ...character.mapping import REQUIRED, UNSURE
from ...character.model import ARM, ROLES, Character, role_part
from ..base.language import translated
from ..base.status import remark
from ..base.units import SPACE, length_text, mass_text
from ..job.body import body_of, facing
from ..job.mapping import character_object
from ..settings.picking import Table, bones_of, picker
from .layout import Section, paragraph

_ICONS = {"INFO": "INFO", "WARNING": "ERROR", "ERROR": "CANCEL"}
_GROUPS = {
    "Trunk": ROLES[:4],
    "Left Leg": tuple(r for r in ROLES if r.startswith(("thigh", "shin", "foot", "toes")) and r.endswith("L")),
    "Right Leg": tuple(r for r in ROLES if r.startswith(("thigh", "shin", "foot", "toes")) and r.endswith("R")),
    "Left Arm": tuple(r for r in ROLES if r.startswith(ARM) and r.endswith("L")),
    "Right Arm": tuple(r for r in ROLES if r.startswith(ARM) and r.endswith("R")),
}
_SURE = ((0.9, "sure"), (0.7, "fairly sure"), (0.5, "unsure"), (0.0, "a guess"))
_NAMES, _NOT_THERE = 0.38, 0.6  # share of a row for the part's name, and for the text where it has no bone


class BIPED_PT_character(Section, bpy.types.Panel):
    """Who walks."""

    bl_label = "Character"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the panel."""
        armature = character_object(context)
        if armature:
            self.layout.label(text=armature.name, icon="OUTLINER_OB_ARMATURE")
        else:
            paragraph(self.layout.column(align=True), context, "Select an armature", "INFO")
        row = self.layout.row(align=True)
        row.operator("biped.map_bones", icon="OUTLINER_OB_ARMATURE")
        row.prop(context.scene.biped, "show_body", text="", icon="ARMATURE_DATA")
        if not armature:
            return
        if any(part.picked for part in armature.biped.parts) or any(part.picked for part in armature.biped.controls):
            self.layout.prop(armature.biped, "keep_picked")
        _draw_found(self.layout, context, armature)


def _draw_found(layout: bpy.types.UILayout, context: bpy.types.Context, armature: bpy.types.Object) -> None:
    """Draw how sure the mapping is, what is doubtful, and the message of the last button."""
    column = layout.column(align=True)
    message = remark.on(armature)
    if bones_of(armature):
        body = body_of(armature, context.scene)
        wrong = body.error if body else ""
        sure = armature.biped.confidence >= UNSURE
        paragraph(
            column,
            context,
            summary(armature),
            "ERROR" if wrong and armature.mode != "EDIT" else "CHECKMARK" if sure else "QUESTION",
        )
        for doubt in filter(lambda own: own.text, armature.biped.doubts):
            paragraph(column, context, doubt.text, "QUESTION")
        if wrong and wrong != message and armature.mode != "EDIT":
            paragraph(layout.box().column(align=True), context, wrong, "CANCEL")
    if message:
        paragraph(layout.box().column(align=True), context, message, _ICONS[remark.level])


def summary(armature: bpy.types.Object) -> str:
    """Return how the mapping came about, what it has and how sure it is: "By Mixamo names, 18 of 18 parts, sure"."""
    settings = armature.biped
    by = settings.convention or "hand"
    if by in [convention.name for convention in CONVENTIONS] and not by.endswith("names"):
        by = f"{by} names"
    texts = [f"By {by}", f"{len(bones_of(armature))} of {len(ROLES)} parts"]
    picked = sum(part.picked for part in settings.parts)
    if settings.convention and picked < len(settings.parts):
        share = settings.confidence
        texts.append(f"{next(word for least, word in _SURE if share >= least)} ({100.0 * share:.0f}{SPACE}%)")
    if picked:
        texts.append(f"{picked} by hand")
    return ", ".join(texts)


class _Table(Section):
    """A table with a row for each role."""

    bl_parent_id = "BIPED_PT_character"
    table: Table = "parts"

    def draw_table(self, armature: bpy.types.Object) -> None:
        """Draw the groups, each with its rows."""
        found = bones_of(armature, self.table)
        for name, roles in _GROUPS.items():
            header, body = self.layout.panel(f"biped_{self.table}_{name}", default_closed=False)
            absent = [role for role in roles if any(b not in armature.data.bones for b in found.get(role, ()))]
            lacking = self.table == "parts" and any(role in REQUIRED and role not in found for role in roles)
            header.label(text=name, icon="ERROR" if absent or lacking else "NONE")
            count = sum(role in found for role in roles)
            side = header.row()
            side.alignment, side.active = "RIGHT", False
            side.label(text=f"{count} of {len(roles)}" if count else "not there" if self.table == "parts" else "")
            if body:
                column = body.column(align=True)
                for role in roles:
                    self._draw_role(column, armature, role, found.get(role, ()))

    def _draw_role(self, column: bpy.types.UILayout, armature: bpy.types.Object, role: str, names: Names) -> None:
        """Draw one role: its first bone, and, when it is opened, the reason and the further bones."""
        settings = armature.biped
        place = ROLES.index(role)
        opened = settings.details[place]
        split = column.split(factor=_NAMES if names else _NOT_THERE, align=True)
        label = split.row(align=True)
        label.active = bool(names)
        label.prop(
            settings, "details", index=place, text="", icon="DOWNARROW_HLT" if opened else "RIGHTARROW", emboss=False
        )
        title = role_part(role).replace("_", " ").title()
        label.label(text=title if names or self.table == "controls" else f"{title}: not there")
        row = split.row(align=True)
        self._draw_picker(row.row(align=True), armature, role, names[:1])
        if opened or not names:  # else there is more room for the bone's name
            self._button(row, "biped.assign_active_bone", "RESTRICT_SELECT_OFF", role).first = True
        elif len(names) > 1:
            more = row.row()
            more.alignment, more.active = "RIGHT", False
            more.label(text=translated(f"+{len(names) - 1}"))
        if not opened:
            return
        part = getattr(settings, self.table).get(role)
        for bone in names[1:]:
            cells = column.split(factor=_NAMES, align=True)
            cells.label(text="")
            row = cells.row(align=True)
            row.label(text=bone, icon="BONE_DATA" if bone in armature.data.bones else "ERROR")
            self._button(row, "biped.clear_bones", "X", role).bone = bone
        cells = column.split(factor=_NAMES, align=True)
        also = cells.row()
        also.active, also.alignment = False, "RIGHT"
        also.label(text="also")
        row = cells.row(align=True)
        row.prop_search(settings.pickers, picker(role, self.table, False), armature.data, "bones", text="", icon="ADD")
        self._button(row, "biped.assign_active_bone", "RESTRICT_SELECT_OFF", role).first = False
        if self.table == "parts":
            if names:
                why = f"{names[0]}: {part.reason}"
                paragraph(column, bpy.context, why, "VIEW_PAN" if part.picked else "INFO")
            else:
                what = "needed for walking" if role in REQUIRED else "its mass is added to the part it is attached to"
                paragraph(column, bpy.context, f"Not there; {what}", "INFO")
        column.separator()

    def _draw_picker(self, row: bpy.types.UILayout, armature: bpy.types.Object, role: str, first: Names) -> None:
        gone = bool(first) and first[0] not in armature.data.bones
        lacking = self.table == "parts" and role in REQUIRED and not first
        row.alert = gone or lacking
        icon = "ERROR" if gone or lacking else "BONE_DATA"
        name = picker(role, self.table, True)
        row.prop_search(armature.biped.pickers, name, armature.data, "bones", text="", icon=icon)

    def _button(self, row: bpy.types.UILayout, operator: str, icon: str, role: str) -> bpy.types.OperatorProperties:
        made = row.operator(operator, text="", icon=icon)
        made.role, made.table = role, self.table
        return made


class BIPED_PT_parts(_Table, bpy.types.Panel):
    """Which bones are which part."""

    bl_label = "Bones"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the panel."""
        armature = character_object(context)
        row = self.layout.row(align=True)
        row.prop(armature.biped, "mirror", toggle=True, icon="MOD_MIRROR")
        row.operator("biped.load_mapping", text="Load", icon="FILE_FOLDER")
        row.operator("biped.save_mapping", text="Save", icon="FILE_TICK")
        self.draw_table(armature)


class BIPED_PT_controls(_Table, bpy.types.Panel):
    """Which bones are keyed in place of the parts' own."""

    bl_label = "Controls"
    table: Table = "controls"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the panel."""
        column = self.layout.column(align=True)
        paragraph(column, context, "Bones to key in place of the parts' own, on a rig with controls", "INFO")
        self.draw_table(character_object(context))


class BIPED_PT_body(Section, bpy.types.Panel):
    """What body the mapping gives."""

    bl_label = "Body"
    bl_parent_id = "BIPED_PT_character"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the panel."""
        armature = character_object(context)
        settings = armature.biped
        column = self.rows()
        column.prop(context.scene.biped, "show_body")
        column.separator()
        column.prop(settings, "forward")
        column.prop(settings, "up")
        column.separator()
        column.prop(settings, "mass_from")
        if settings.mass_from == "TYPED":
            column.prop(settings, "mass")
        if settings.mass_from == "MESH":
            column.prop(settings, "density", text="Density kg/m³")
        body = body_of(armature, context.scene)
        if body and body.character:
            self._figures(context, body.character, body.clearance.top)
        elif body is None:
            paragraph(self.layout.column(align=True), context, "Map the bones to see its figures", "INFO")

    def _figures(self, context: bpy.types.Context, character: Character, top: float) -> None:
        """Draw what follows from the bones and the settings. top: how high its skin reaches, m, 0 for no skin."""
        units = context.scene.unit_settings
        rows = self.layout.column(align=True)
        rows.scale_y = 0.8
        for name, text in (
            ("Faces", facing(character)),
            ("Stature", length_text(top or stature(character), units)),
            ("Legs", length_text(character.leg_length, units)),
            ("Mass", mass_text(character.mass, units)),
        ):
            split = rows.split(factor=0.35)
            split.label(text=name)
            split.label(text=text)
