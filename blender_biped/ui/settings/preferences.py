"""The extension's preferences: which Python runs the simulation."""

import sys

import bpy
from bpy.props import StringProperty

from ...worker import library_folders

PACKAGE = __package__.rsplit(".", 2)[0]  # the extension's own name: "bl_ext.user_default.biped_locomotion"


class BIPED_AP_preferences(bpy.types.AddonPreferences):
    """Preferences of the extension."""

    bl_idname = PACKAGE

    python: StringProperty(
        name="Python for the Worker",
        description="The Python interpreter that runs the simulation, with NumPy and PyBullet. "
        "Empty takes Blender's own with the PyBullet that comes with the extension",
        subtype="FILE_PATH",
    )

    def draw(self, _context: bpy.types.Context) -> None:
        """Draw the preferences."""
        layout = self.layout
        layout.use_property_split = True
        layout.prop(self, "python")
        if self.python:
            layout.label(text="This Python needs NumPy and PyBullet installed", icon="INFO")
        elif not library_folders():
            layout.label(text="Blender's own Python has no PyBullet: choose one that has it", icon="ERROR")


def worker_python(context: bpy.types.Context) -> tuple[str, list[str]]:
    """Return the Python that runs the simulation, and the folders of libraries that it needs."""
    addon = context.preferences.addons.get(PACKAGE)
    chosen = addon.preferences.python if addon and addon.preferences else ""
    if chosen:
        return bpy.path.abspath(chosen), []
    return sys.executable, library_folders()
