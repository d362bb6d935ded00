"""For what comes after the walk: footsteps for sound, decals of the prints, and a treadmill for backgrounds."""

# Blender reads property definitions from the annotations, so they stay unquoted.

import csv
import io
import json
from pathlib import Path
from typing import Any, ClassVar

import bpy
from bpy.props import EnumProperty, StringProperty
from bpy_extras.io_utils import ExportHelper

from ...base.errors import BipedError
from ...base.files import written
from ..bake.footsteps import as_rows
from ..base.chosen_file import chosen_file
from ..base.language import translated
from ..base.reading import frame_rate
from ..job.mapping import character_object
from ..settings.kept_result import baked_actions
from .layout import Sidebar
from .print_operators import draw_prints

_VERSION = 1


class BIPED_OT_export_footsteps(bpy.types.Operator, ExportHelper):
    """Writes the footsteps of a walk to a file."""

    bl_idname = "biped.export_footsteps"
    bl_label = "Export Footsteps"
    bl_description = (
        "Write the footsteps of the baked walk to a file, for sound: frame, time, side, strength in weights of the "
        "body, place, and the object that the foot stands on"
    )

    filename_ext = ".json"
    filter_glob: StringProperty(
        name="Filter", description="The kinds of files", default="*.json;*.csv", options={"HIDDEN"}
    )
    form: EnumProperty(
        name="Format",
        description="What is written",
        items=(
            ("JSON", "JSON", "With the names of character and action"),
            ("CSV", "CSV", "A table, one footstep a line"),
        ),
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Return whether there is a walk with footsteps."""
        if _walk(character_object(context)) is None:
            cls.poll_message_set("The character has no baked walk with footsteps: bake one")
            return False
        return True

    def check(self, _context: bpy.types.Context) -> bool:
        """Give the file the ending of its format."""
        file = Path(self.properties.filepath).with_suffix(f".{self.form.lower()}")
        changed = str(file) != self.properties.filepath
        self.properties.filepath = str(file)
        return changed

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Choose a file, named after the character."""
        self.properties.filepath = (
            f"{bpy.path.clean_name(character_object(context).name)} footsteps.{self.form.lower()}"
        )
        result: set[str] = super().invoke(context, event)
        return result

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Write it."""
        armature = character_object(context)
        try:
            file = chosen_file(self.properties.filepath)
            as_csv = file.suffix.lower() == ".csv" or (self.form == "CSV" and file.suffix.lower() != ".json")
            text = footsteps_csv(armature) if as_csv else footsteps_json(armature, frame_rate(context.scene))
            with written(file) as content:
                content.write(text.encode("utf-8"))
        except BipedError as error:
            self.report({"ERROR"}, translated(str(error)))
            return {"CANCELLED"}
        except OSError as error:
            self.report({"ERROR"}, translated(f"The file could not be written: {error.strerror}."))
            return {"CANCELLED"}
        self.report({"INFO"}, translated(f"Wrote the footsteps to {file.name}."))
        return {"FINISHED"}


def footsteps_json(armature: Any, rate: float) -> str:
    """Return a character's footsteps as JSON. rate: frames a second."""
    action = _walk(armature)
    whole = {
        "version": _VERSION,
        "character": armature.name,
        "action": action.name,
        "frames_per_second": rate,
        "footsteps": as_rows(action.biped.footsteps),
    }
    return json.dumps(whole, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def footsteps_csv(armature: Any) -> str:
    """Return a character's footsteps as a table with a head."""
    rows = as_rows(_walk(armature).biped.footsteps)
    text = io.StringIO()
    table = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    table.writeheader()
    table.writerows(rows)
    return text.getvalue()


def _walk(armature: Any) -> Any:
    """Return the action of a character's walk that has footsteps, None without one."""
    return next((own for own in baked_actions(armature) if own.biped.footsteps), None) if armature else None


class BIPED_PT_footsteps(Sidebar, bpy.types.Panel):
    """What is made for sound, ground and background."""

    bl_label = "Footsteps and Background"
    bl_parent_id = "BIPED_PT_bake"
    bl_options: ClassVar[set[str]] = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Return whether there is a character."""
        return character_object(context) is not None

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the panel."""
        draw_prints(self, context)
        walk = character_object(context).biped.walk
        column = self.rows()
        column.prop(walk, "decals")
        column.prop(walk, "treadmill")
        self.layout.operator("biped.export_footsteps", icon="EXPORT")
