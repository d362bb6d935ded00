"""Choices that objects keep, which a crafted file or an older Blender may have by a number that means nothing."""

from __future__ import annotations

from typing import Any

from ...base.errors import DataError


def choice(group: Any, name: str) -> str:
    """Return which item of an enum property is chosen. Raises DataError, with the object's name, where none is."""
    chosen: str = getattr(group, name)
    if not chosen:
        label = group.bl_rna.properties[name].name
        raise DataError(f"{label} of {group.id_data.name!r} has a value that is no choice here: choose another one.")
    return chosen
