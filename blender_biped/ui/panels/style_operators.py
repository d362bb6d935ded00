"""What the Style menu does: save the style that the sliders show, delete one of one's own, import and export."""

# Blender reads property definitions from the annotations, so they stay unquoted.

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import bpy
from bpy.props import BoolProperty, StringProperty
from bpy_extras.io_utils import ExportHelper, ImportHelper

from ...base.errors import DataError
from ...control.registry import own_style, write_own_style
from ...preset.own import (
    MAX_DESCRIPTION,
    MAX_LABEL,
    checked_label,
    file_of,
    free_label,
    name_of,
    remove_style,
    taken,
)
from ...preset.preset import Preset, preset_files
from ..base.chosen_file import chosen_file
from ..base.language import translated
from ..base.status import redraw
from ..base.styles import is_own, own_folder, styles
from ..job.body import known_character
from ..job.mapping import character_object, walk_of
from ..job.pace import usual_to_keep
from ..settings import menus
from ..settings.fields import changed_numbers, chosen_style, gives_speed, load_sliders, shown_style
from .mapping_operators import walk_ready

_FILTER = "*.json"
NO_FOLDER = "Styles can be saved only where Biped Locomotion is installed as an extension."


class _OfStyle:
    """What all of these share: there is a walk with a style, and what goes wrong is reported."""

    @classmethod
    def poll(cls: Any, context: bpy.types.Context) -> bool:
        """Return whether there is a style that is chosen."""
        if not walk_ready(cls, context):
            return False
        walk = walk_of(context)
        if walk.preset_name not in styles(walk.controller_name):
            cls.poll_message_set("The style is not installed here: import it, or choose another one")
            return False
        return True


def _tried(operator: Any, do: Callable[[], str]) -> set[str]:
    """Do something and report what it returns, or why it cannot be done."""
    try:
        text = do()
    except (DataError, OSError) as error:
        operator.report({"ERROR"}, translated(str(error)))
        return {"CANCELLED"}
    operator.report({"INFO"}, translated(text))
    redraw()
    return {"FINISHED"}


def _own_chosen(cls: Any, context: bpy.types.Context) -> bool:
    """Return whether the chosen style is one of one's own; else give Blender the reason."""
    walk = walk_of(context)
    if is_own(walk.controller_name, walk.preset_name):
        return True
    cls.poll_message_set("This style comes with Biped Locomotion and stays as it is: use Save Style As")
    return False


class BIPED_OT_save_style(_OfStyle, bpy.types.Operator):
    """Writes what the sliders show into the chosen style."""

    bl_idname = "biped.save_style"
    bl_label = "Save Style"
    bl_description = (
        "Keep the numbers that the sliders show, and the speed, in this style of your own. Other characters with this "
        "style follow, except for the numbers that they have changed themselves"
    )
    bl_options = {"UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Return whether the chosen style is one of one's own."""
        return super().poll(context) and _own_chosen(cls, context)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Write it."""

        def save() -> str:
            made = _shown(context)
            _write(made)
            file_of(_folder(), made, ".png").unlink(missing_ok=True)  # the panel has another one drawn
            unchanged = [walk for walk in _walks(made) if not changed_numbers(walk)]
            menus.forget()
            walk_of(context).mix_with_name = ""
            for walk in (walk_of(context), *unchanged):
                load_sliders(walk)
            return f"Saved the style {made.label}."

        return _tried(self, save)


class BIPED_OT_save_style_as(_OfStyle, bpy.types.Operator):
    """Writes what the sliders show as a new style."""

    bl_idname = "biped.save_style_as"
    bl_label = "Save Style As"
    bl_description = (
        "Keep the numbers that the sliders show, and the speed, as a new style of your own. It is in the menu of all "
        "files from now on"
    )
    bl_options = {"UNDO"}

    label: StringProperty(name="Name", description="The name in menus and for timeline markers", maxlen=MAX_LABEL)
    description: StringProperty(
        name="Description", description="How it looks and when to use it", maxlen=MAX_DESCRIPTION
    )

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Have a name typed."""
        walk = walk_of(context)
        known = styles(walk.controller_name)
        style = known[walk.preset_name]
        self.label = free_label(style.label, known.values())
        self.description = style.description if is_own(walk.controller_name, style.name) else ""
        return context.window_manager.invoke_props_dialog(self, width=360)

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the dialog, with what is wrong about the name."""
        self.layout.use_property_split = True
        self.layout.prop(self, "label")
        self.layout.prop(self, "description")
        try:
            _free(self.label, walk_of(context).controller_name)
        except DataError as error:
            self.layout.label(text=str(error), icon="ERROR")

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Write it, and choose it."""

        def save() -> str:
            walk = walk_of(context)
            controller = walk.controller_name
            label = _free(self.label, controller)
            made = replace(_shown(context), label=label, description=self.description.strip())
            made = replace(made, name=_new_name(label, controller))
            _write(made)
            menus.forget()
            walk.mix_with_name = ""
            walk.preset_name = made.name
            load_sliders(walk)
            return f"Saved the style {label}."

        return _tried(self, save)


class BIPED_OT_delete_style(_OfStyle, bpy.types.Operator):
    """Deletes the chosen style."""

    bl_idname = "biped.delete_style"
    bl_label = "Delete Style"
    bl_description = "Delete the file of this style of your own. Characters that use it keep what is baked"
    bl_options = {"UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Return whether the chosen style is one of one's own."""
        return super().poll(context) and _own_chosen(cls, context)

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Ask first."""
        walk = walk_of(context)
        return context.window_manager.invoke_confirm(
            self, event, title=f"Delete the Style {styles(walk.controller_name)[walk.preset_name].label}?",
            message="Its file is deleted, and undo does not bring it back", confirm_text="Delete", icon="WARNING",
        )  # fmt: skip

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Delete it."""

        def delete() -> str:
            walk = walk_of(context)
            style = styles(walk.controller_name)[walk.preset_name]
            remove_style(_folder(), style)
            menus.forget()
            return f"Deleted the style {style.label}: choose another one."

        return _tried(self, delete)


class BIPED_OT_import_style(bpy.types.Operator, ImportHelper):
    """Reads a style from a file."""

    bl_idname = "biped.import_style"
    bl_label = "Import Style"
    bl_description = "Add a style from a file that Export Style wrote to your own, and choose it for this character"
    bl_options = {"UNDO"}

    filename_ext = ".json"
    filter_glob: StringProperty(name="Filter", description="The kind of files", default=_FILTER, options={"HIDDEN"})
    replace_own: BoolProperty(
        name="Replace Style of the Same Name",
        description="Overwrite a style of your own that has the same name. Otherwise the new one gets a number",
        options={"SKIP_SAVE"},
    )

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Read it, keep it, and choose it where there is a character."""

        def read() -> str:
            made = _imported(own_style(chosen_file(self.properties.filepath)), self.replace_own)
            _write(made)
            file_of(_folder(), made, ".png").unlink(missing_ok=True)
            menus.forget()
            walk = walk_of(context)
            if walk is not None and not character_object(context).library:
                walk.controller_name, walk.preset_name = made.controller, made.name
                load_sliders(walk)
            return f"Imported the style {made.label}."

        return _tried(self, read)


class BIPED_OT_export_style(_OfStyle, bpy.types.Operator, ExportHelper):
    """Writes what the sliders show to a file."""

    bl_idname = "biped.export_style"
    bl_label = "Export Style"
    bl_description = "Write the style with the numbers that the sliders show to a file, for other people and computers"

    filename_ext = ".json"
    filter_glob: StringProperty(name="Filter", description="The kind of files", default=_FILTER, options={"HIDDEN"})

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Choose a file, named after the style, where the last one went."""
        last = self.properties.filepath
        folder = Path(last).parent if last else Path(bpy.path.abspath("//"))
        self.properties.filepath = str(folder / f"{walk_of(context).preset_name}{self.filename_ext}")
        return super().invoke(context, event)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Write it."""

        def write() -> str:
            file = chosen_file(self.properties.filepath)
            write_own_style(file, _shown(context))
            return f"Wrote the style to {file.name}."

        return _tried(self, write)


class BIPED_MT_style(bpy.types.Menu):
    """What can be done with styles."""

    bl_idname = "BIPED_MT_style"
    bl_label = "Style"
    bl_description = "Save, delete, import and export styles of your own"

    def draw(self, _context: bpy.types.Context) -> None:
        """Draw the menu."""
        layout = self.layout
        layout.operator_context = "INVOKE_DEFAULT"
        layout.operator("biped.save_style", icon="FILE_TICK")
        layout.operator("biped.save_style_as", text="Save Style As...")
        layout.separator()
        layout.operator("biped.make_style", icon="ACTION")
        layout.operator("biped.stabilise", icon="ARMATURE_DATA")
        layout.operator("biped.import_style", text="Import Style...", icon="IMPORT")
        layout.operator("biped.export_style", text="Export Style...", icon="EXPORT")
        layout.separator()
        layout.operator("biped.delete_style", text="Delete Style...", icon="TRASH")


def _folder() -> Path:
    """Return the folder of the styles of one's own. Raises DataError where there can be none."""
    folder = own_folder()
    if folder is None:
        raise DataError(NO_FOLDER)
    return folder


def _write(style: Preset) -> None:
    """Write a style of one's own. Raises DataError that says why it cannot be written."""
    write_own_style(file_of(_folder(), style), style)


def kept_style(style: Preset, label: str) -> Preset:
    """Write a style as a new one of one's own, and return it. label: that no style has. Raises DataError."""
    made = replace(style, label=label, name=_new_name(label, style.controller))
    _write(made)
    return made


def _shown(context: bpy.types.Context) -> Preset:
    """Return the style that the sliders and the speed show, as one of one's own. Raises DataError."""
    armature = character_object(context)
    walk = armature.biped.walk
    style = chosen_style(walk)
    made = shown_style(walk)
    values = dict(made.values)
    if gives_speed(walk):
        character = known_character(armature, context.scene)
        values["usual"] = round(usual_to_keep(made, armature.biped.pace, walk.speed_mps, character), 4)
    origin = style.origin if is_own(style.controller, style.name) else style.name
    return replace(made, values=values, origin=origin, shelf="")


def _free(label: str, controller: str) -> str:
    """Return a label as it is kept. Raises DataError for one that cannot be, or that another style has."""
    found = checked_label(label)
    other = taken(found, styles(controller).values())
    if other:
        raise DataError(f"There is a style {other.label!r} already: choose another name.")
    return found


def _new_name(label: str, controller: str) -> str:
    """Return the name of a new style's file. Raises DataError when there is such a file, usable or not."""
    there = {file.stem for file in preset_files(controller, _folder())}
    name = name_of(label, {*styles(controller), *there})
    if name in there:
        raise DataError(f"There is a file {name}.json already among your styles: choose another name.")
    return name


def _imported(style: Preset, replacing: bool) -> Preset:
    """Return a style that was read from a file as it is kept here. Raises DataError."""
    known = styles(style.controller)
    other = taken(style.label, known.values())
    if other and replacing and is_own(style.controller, other.name):
        return replace(style, name=other.name, label=other.label)
    label = free_label(style.label, known.values())
    return replace(style, name=_new_name(label, style.controller), label=label)


def _walks(style: Preset) -> list[Any]:
    """Return the walks with a style of all characters that can be set here."""
    walks = [thing.biped.walk for thing in bpy.data.objects if thing.type == "ARMATURE" and not thing.library]
    return [
        w for w in walks if w.controller_name == style.controller and style.name in (w.preset_name, w.mix_with_name)
    ]
