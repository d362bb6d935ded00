"""What the buttons of the Character panel do: map the bones, take the active one, clear, save and load a mapping."""

# Blender reads property definitions from the annotations, so they stay unquoted.

from dataclasses import replace
from pathlib import Path
from typing import Any

import bpy
from bpy.props import BoolProperty, EnumProperty, StringProperty
from bpy_extras.io_utils import ExportHelper, ImportHelper

from ...base.errors import BipedError, DataError, RigError
from ...character.body import build_character
from ...character.conflicts import conflicts
from ...character.conventions import Names
from ...character.mapping import RigMap, check_rig_map, read_rig_map, write_rig_map
from ...character.model import ROLES, role_words
from ..bake.free import with_free_controls
from ..base.chosen_file import chosen_file
from ..base.language import translated
from ..base.reading import metres, read_armature
from ..base.skins import forget_skins
from ..base.status import redraw, remark, status
from ..job.mapping import character_object, found_mapping, keep_mass
from ..job.mass import chosen_mass
from ..settings.kept_mapping import keep_rig_map, rig_map_of, with_kept
from ..settings.picking import Table, bones_of, drop_bones, pick_bone

_FILTER = "*.json"


def armature_ready(cls: Any, context: bpy.types.Context) -> bool:
    """Return whether there is an armature that can be written to; else give Blender the reason."""
    armature = character_object(context)
    why = why_not_writable(armature, context.view_layer) if armature else "Select an armature"
    if not why and status.work:
        why = "A walk is being computed"
    if why:
        cls.poll_message_set(why)
    return not why


def why_not_writable(armature: bpy.types.Object, view_layer: bpy.types.ViewLayer) -> str:
    """Return why an armature cannot be written to, and what to do; "" where it can."""
    if armature.library:
        return "The armature is linked from another file: make a library override of it first"
    if armature.name not in view_layer.objects:
        return "The armature is not in this view layer: include its collection"
    return ""


def walk_ready(cls: Any, context: bpy.types.Context) -> bool:
    """Return whether there is an armature whose walk can be set; else give Blender the reason."""
    armature = character_object(context)
    if armature is None:
        cls.poll_message_set("Select an armature")
    elif armature.library:
        cls.poll_message_set("The armature is linked from another file: make a library override of it first")
    else:
        return True
    return False


def kept_mapping(
    operator: bpy.types.Operator,
    context: bpy.types.Context,
    armature: bpy.types.Object,
    rig_map: RigMap,
    picked: dict[Table, Names],
) -> set[str]:
    """Keep a mapping on its armature and report what it has, and why no body can be made of it if that is so."""
    keep_rig_map(armature, rig_map, picked)
    redraw(views=True)
    text = f"{rig_map.convention}: {len(rig_map.bones)} of {len(ROLES)} body parts found"
    try:
        rig = read_armature(armature, metres(context.scene))
        check_rig_map(rig_map, rig)
        character = build_character(rig, rig_map, chosen_mass(armature, metres(context.scene)))
    except BipedError as error:  # the table is there to put it right
        remark.make(str(error), "ERROR", armature)
        operator.report({"WARNING"}, translated(f"{text}, but: {error}"))
        return {"FINISHED"}
    keep_mass(armature, character)
    remark.make("", "INFO", armature)
    said = " ".join((f"{text}.", *rig_map.doubts))
    operator.report({"WARNING" if rig_map.doubts else "INFO"}, translated(said))
    return {"FINISHED"}


def refused_mapping(operator: bpy.types.Operator, armature: bpy.types.Object, error: BipedError) -> set[str]:
    """Tell the user, in the status bar and above the role table, and change nothing."""
    remark.make(str(error), "ERROR", armature)
    operator.report({"ERROR"}, translated(str(error)))
    return {"CANCELLED"}


class _OfRole:
    """What the buttons in a row of the role table share."""

    role: EnumProperty(name="Part", description="The body part", items=[(r, role_words(r), "") for r in ROLES])
    table: EnumProperty(
        name="Table",
        description="What the bone is picked for",
        items=(
            ("parts", "Part", "To be the body part"),
            ("controls", "Control", "To be keyed in place of the body part's own bones"),
        ),
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Return whether there is an armature."""
        return armature_ready(cls, context)


class BIPED_OT_map_bones(bpy.types.Operator):
    """Finds the body parts among the armature's bones."""

    bl_idname = "biped.map_bones"
    bl_label = "Map Bones"
    bl_description = "Find the hips, legs, trunk, head and arms among the armature's bones by their names"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Return whether there is an armature."""
        return armature_ready(cls, context)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Keep the mapping on the armature, with what was picked by hand, and the usual mass if none was given."""
        armature = character_object(context)
        context.view_layer.update()
        forget_skins()
        try:
            found = with_free_controls(armature, found_mapping(read_armature(armature, metres(context.scene))))
            found, picked = with_kept(armature, found)
        except BipedError as error:
            return refused_mapping(self, armature, error)
        context.scene.biped.armature = armature
        return kept_mapping(self, context, armature, found, picked)


class BIPED_OT_assign_active_bone(_OfRole, bpy.types.Operator):
    """Picks the active bone for a body part."""

    bl_idname = "biped.assign_active_bone"
    bl_label = "Assign Active Bone"
    bl_description = "Pick the armature's active bone, the one clicked last in Pose or Edit mode"
    bl_options = {"UNDO", "INTERNAL"}

    first: BoolProperty(
        name="First", description="Make it the bone that defines the part, not one that moves with it", default=True
    )

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Pick it."""
        armature = character_object(context)
        try:
            note = pick_bone(armature, self.role, active_bone(armature), self.table, self.first)
        except RigError as error:
            return refused_mapping(self, armature, error)
        remark.make(note, "INFO", armature)
        return {"FINISHED"}


class BIPED_OT_clear_bones(_OfRole, bpy.types.Operator):
    """Takes a bone, or all of them, from a body part."""

    bl_idname = "biped.clear_bones"
    bl_label = "Clear"
    bl_description = "Take this bone from the part; with Mirror, its twin from the other side too"
    bl_options = {"UNDO", "INTERNAL"}

    bone: StringProperty(name="Bone", description="The bone to take away; all of them when empty")

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Take it away."""
        armature = character_object(context)
        remark.make(drop_bones(armature, self.role, self.bone, self.table), "INFO", armature)
        return {"FINISHED"}


class BIPED_OT_save_mapping(bpy.types.Operator, ExportHelper):
    """Writes the mapping to a file."""

    bl_idname = "biped.save_mapping"
    bl_label = "Save Mapping"
    bl_description = "Write the role table, with controls and facing, as JSON: for other files with the same rig"

    filename_ext = ".json"
    filter_glob: StringProperty(name="Filter", description="The kind of files", default=_FILTER, options={"HIDDEN"})

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Return whether there is a mapping."""
        armature = character_object(context)
        if armature is None or not bones_of(armature):
            cls.poll_message_set("The armature has no mapping yet: press Map Bones, or pick bones in the table")
            return False
        return True

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Choose a file, named after the armature."""
        if not self.properties.filepath:
            name = bpy.path.clean_name(character_object(context).name)
            self.properties.filepath = str(Path(bpy.path.abspath("//")) / f"{name}{self.filename_ext}")
        return super().invoke(context, event)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Write it."""
        rig_map = rig_map_of(character_object(context))
        if rig_map is None:
            return {"CANCELLED"}
        try:
            file = chosen_file(self.properties.filepath)
            write_rig_map(file, rig_map)
        except DataError as error:
            self.report({"ERROR"}, translated(str(error)))
            return {"CANCELLED"}
        self.report({"INFO"}, translated(f"Mapping written to {file.name}."))
        return {"FINISHED"}


class BIPED_OT_load_mapping(bpy.types.Operator, ImportHelper):
    """Reads the mapping from a file."""

    bl_idname = "biped.load_mapping"
    bl_label = "Load Mapping"
    bl_description = "Read a role table that Save Mapping wrote in place of this armature's"
    bl_options = {"UNDO"}

    filter_glob: StringProperty(name="Filter", description="The kind of files", default=_FILTER, options={"HIDDEN"})

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Return whether there is an armature."""
        return armature_ready(cls, context)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Read it and keep it, as if it were picked by hand."""
        armature = character_object(context)
        try:
            loaded = read_rig_map(chosen_file(self.properties.filepath))
            _check_names(loaded, armature)
            rig = read_armature(armature, metres(context.scene))
            loaded = replace(loaded, doubts=tuple(conflicts(loaded.bones, rig)))
        except BipedError as error:
            return refused_mapping(self, armature, error)
        context.scene.biped.armature = armature
        picked: dict[Table, Names] = {"parts": tuple(loaded.bones), "controls": tuple(loaded.controls)}
        return kept_mapping(self, context, armature, loaded, picked)


def active_bone(armature: bpy.types.Object) -> str:
    """Return the name of an armature's active bone. Raises RigError when there is none, or it is new in Edit mode."""
    bones = armature.data.edit_bones if armature.mode == "EDIT" else armature.data.bones
    if bones.active is None:
        raise RigError(f"Armature {armature.name!r} has no active bone: click one in Pose or Edit mode.")
    name: str = bones.active.name
    if name not in armature.data.bones:
        raise RigError(f"The bone {name!r} is new: leave Edit mode (Tab) first.")
    return name


def _check_names(rig_map: RigMap, armature: bpy.types.Object) -> None:
    """Raise RigError that names the bones of a mapping that an armature does not have."""
    named = {n for group in (rig_map.bones, rig_map.heels, rig_map.controls) for names in group.values() for n in names}
    absent = sorted(named - set(armature.data.bones.keys()))
    if absent:
        some = ", ".join(repr(name) for name in absent[:5]) + (f" and {len(absent) - 5} more" if absent[5:] else "")
        raise RigError(
            f"The mapping is for another rig: armature {armature.name!r} has no bones {some}. Nothing was loaded."
        )
