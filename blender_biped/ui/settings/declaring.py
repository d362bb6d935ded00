"""What declarations of properties share: the scene's units, library overrides, and who hears of changes."""

from __future__ import annotations

from collections.abc import Callable

import bpy
from bpy.props import CollectionProperty

from ..base.changes import changed
from ..base.language import CONTEXT
from .picking import BIPED_PG_pickers


def in_scene_units(name: str, power: int) -> dict[str, Callable[..., object]]:
    """Return get and set of a property with a unit whose value is kept in SI units as ``name``.

    Blender shows such a number times the scene's unit scale to the ``power`` of lengths in its unit. Kept as
    it is, the same walk would have another speed and mass in a scene that is modelled in centimetres.
    """

    def scale() -> float:
        scene = bpy.context.scene  # there is none while a file is being opened, when values go from one to the other
        return scene.unit_settings.scale_length**power if scene else 1.0

    return {
        "get": lambda self: getattr(self, name) / scale(),
        "set": lambda self, value: setattr(self, name, value * scale()),
    }


def overridable(group: type[bpy.types.PropertyGroup]) -> type[bpy.types.PropertyGroup]:
    """Let a library override keep its own values of a group's properties, and its own items in its collections.

    Also of those that keep nothing themselves: Blender lets nobody change others. Their labels are translated by our
    own texts, since Blender's German has "Undo" for Reverse.
    """
    for deferred in group.__annotations__.values():
        keywords = deferred.keywords
        keywords["translation_context"] = CONTEXT
        if keywords.get("type") is not BIPED_PG_pickers:
            insertion = {"USE_INSERTION"} if deferred.function is CollectionProperty else set()
            keywords["override"] = {"LIBRARY_OVERRIDABLE", *insertion}
    return group


def noticed(group: type[bpy.types.PropertyGroup]) -> type[bpy.types.PropertyGroup]:
    """Let those who listen to ``changes`` hear of every value that is set in a group, by whomever.

    Blender's own handlers are not called where a script sets a property that has no update callback.
    """
    for deferred in group.__annotations__.values():
        keywords = deferred.keywords
        holds_value = deferred.function is not CollectionProperty and keywords.get("type") in (None, bpy.types.Object)
        if holds_value and "get" not in keywords:
            keywords.setdefault("update", changed)
    return group
