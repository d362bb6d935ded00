"""What Blender keeps of an owner's ``biped``, as it keeps it: groups within groups, without what was never set."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import bpy


def stored(owner: Any, make: bool) -> Any:
    """Return the group that Blender keeps an owner's ``biped`` in, None where there is none, or something else."""
    whole = owner.bl_system_properties_get(do_create=make) if bpy.app.version >= (5, 0, 0) else owner
    if whole is None:
        return None
    if "biped" not in whole:
        if not make:
            return None
        whole["biped"] = {}
    found = whole["biped"]  # a number or a text, where a script or a crafted file put one there
    return found if hasattr(found, "to_dict") else None


def put(group: Any, values: Mapping[str, Any]) -> None:
    """Put values into a group that Blender keeps, and those that are groups themselves into its own."""
    for name, value in values.items():
        if isinstance(value, dict) or hasattr(value, "to_dict"):  # objects have items of their own
            if not hasattr(group.get(name), "to_dict"):
                group.pop(name, None)
                group[name] = {}
            put(group[name], dict(value.items()))
        else:
            with suppress(TypeError):  # what is there of another kind stays
                group[name] = value
