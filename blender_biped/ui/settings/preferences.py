"""Which Python runs the simulation, as the extension's preferences say."""

from __future__ import annotations

import sys

import bpy

from ...worker import library_folders

PACKAGE = __package__.rsplit(".", 2)[0]  # the extension's own name: "bl_ext.user_default.biped_locomotion"


def worker_python(context: bpy.types.Context) -> tuple[str, list[str]]:
    """Return the Python that runs the simulation, and the folders of libraries that it needs."""
    addon = context.preferences.addons.get(PACKAGE)
    chosen = addon.preferences.python if addon and addon.preferences else ""
    if chosen:
        return bpy.path.abspath(chosen), []
    return sys.executable, library_folders()
