"""Which Python runs the simulation, as the extension's preferences say, and what it is told of folders."""

from __future__ import annotations

import sys
from pathlib import Path

import bpy

from ...worker import library_folders

PACKAGE = __package__.rsplit(".", 2)[0]  # the extension's own name: "bl_ext.user_default.biped_locomotion"


def worker_python(context: bpy.types.Context) -> tuple[str, list[str], str]:
    """Return the Python that runs the simulation, the folders of libraries that it needs, and that of its tables.

    It is as the preferences have it: the worker refuses a relative one.
    """
    addon = context.preferences.addons.get(PACKAGE)
    chosen = addon.preferences.python if addon and addon.preferences else ""
    if chosen:
        return chosen, [], tables_folder()
    return sys.executable, [*library_folders(), *runtime_folders()], tables_folder()


def tables_folder() -> str:
    """Return where workers keep tables for the next one, "" for nowhere; see ``disk_cache``."""
    try:
        return str(bpy.utils.extension_path_user(PACKAGE, path="tables"))
    except ValueError:  # no extension
        return ""


def runtime_folders() -> list[str]:
    """Return where Blender for Windows has the runtime of C and C++, which not every Windows has; none elsewhere.

    Blender itself finds it by its manifest, and its Python, as a process of its own, does not.
    """
    folder = Path(bpy.app.binary_path).parent / "blender.crt"
    return [str(folder)] if bpy.app.binary_path and folder.is_dir() else []
