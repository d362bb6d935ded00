"""The pictures of styles as icons of Blender's, loaded when they are needed and freed when all is unregistered."""

from __future__ import annotations

from typing import Any

import bpy
import bpy.utils.previews

from ..base.styles import picture_file

_collection: Any = None


def icon(controller: str, name: str) -> int:
    """Return the number of the icon with a style's thumbnail; of a neutral one for a style that has none.

    Without a window Blender has no icons: all are 0 there.
    """
    global _collection
    file = picture_file(controller, name)
    if file is None:
        return _neutral()
    if _collection is None:
        _collection = bpy.utils.previews.new()
    key = f"{controller}/{name}/{file.stat().st_mtime_ns}"  # a style that is saved again gets another picture
    if key not in _collection:
        _collection.load(key, str(file), "IMAGE")
    return int(_collection[key].icon_id)


def is_loaded() -> bool:
    """Return whether there is any that is not freed."""
    return _collection is not None


def free() -> None:
    """Free all of them. What shows them must ask for them anew."""
    global _collection
    if _collection is not None:
        bpy.utils.previews.remove(_collection)
        _collection = None


def _neutral() -> int:
    icons = bpy.types.UILayout.bl_rna.functions["prop"].parameters["icon"].enum_items
    return int(icons["ARMATURE_DATA"].value)
