"""The file that an operator was given, as a path of the system's."""

from __future__ import annotations

from pathlib import Path

import bpy

from ...base.errors import DataError


def chosen_file(given: str) -> Path:
    """Return the file at a path as Blender writes it, where ``//`` is the folder of the open file.

    Raises DataError where that was never saved and so has no folder, or where there is no path.
    """
    if not given:
        raise DataError("No file was chosen: give its path.")
    if not given.startswith("//"):
        return Path(given)
    if not bpy.data.filepath:
        raise DataError("The path begins at the open file's folder, and that file was never saved: give a whole path.")
    return Path(bpy.path.abspath(given))
