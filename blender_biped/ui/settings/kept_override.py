"""What a library override keeps of a character where Blender would lose it as the file is opened again.

Blender 5 reads no override of a group of settings of which the library has nothing: "RNA_property_pointer_set: expected
ID type". It does read that of a text. So what an overridden armature has in its ``biped`` beyond its library's goes
into such a text, as JSON, as the file is saved, and back as it is opened. Earlier Blenders do read the groups, but also
set what is computed from others, such as the speed of a small body, in an order of their own, before bones are known.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

import bpy
from bpy.app.handlers import persistent

from .stored import put, stored

TEXT = "biped_kept"
"""The text's name among an object's properties."""

_NAMED = "object"  # the only key of what stands for an object, before its name and its library's file
_DEEPEST = 20
_LONGEST = 10_000_000  # characters that are read


@persistent  # type: ignore[untyped-decorator]
def keep(*_: Any) -> None:
    """Keep what Blender would lose: as it calls it before a file is saved."""
    for armature in _overridden():
        text = _text(armature)
        if getattr(armature, TEXT) != text:
            setattr(armature, TEXT, text)


@persistent  # type: ignore[untyped-decorator]
def give_back(*_: Any) -> None:
    """Give back what was kept: as Blender calls it after a file was opened."""
    for armature in _overridden():
        kept = _read(getattr(armature, TEXT))
        if kept:
            put(stored(armature, make=True), kept)


def _overridden() -> list[bpy.types.Object]:
    return [o for o in bpy.data.objects if o.type == "ARMATURE" and o.override_library and not o.library]


def _text(armature: bpy.types.Object) -> str:
    reference = armature.override_library.reference
    own, theirs = (_plain(stored(owner, make=False) or {}) for owner in (armature, reference))
    beyond = _beyond(own, theirs)
    return json.dumps(beyond, allow_nan=False) if beyond else ""


def _beyond(own: Mapping[str, Any], theirs: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a group has that its library's has not, or otherwise."""
    found = {}
    for name, value in own.items():
        other = theirs.get(name)
        if isinstance(value, dict) and _NAMED not in value:
            value = _beyond(value, other if isinstance(other, dict) else {})
            if not value:
                continue
        elif name in theirs and value == other:
            continue
        found[name] = value
    return found


def _plain(value: Any) -> Any:
    """Return a stored value as JSON data, None for what cannot be."""
    if isinstance(value, bpy.types.Object):
        return {_NAMED: [value.name, value.library.filepath if value.library else ""]}
    if isinstance(value, (bool, int, str)) or (isinstance(value, float) and math.isfinite(value)):
        return value
    if hasattr(value, "items"):
        found = {name: _plain(each) for name, each in value.items()}
        return {name: each for name, each in found.items() if each is not None}
    if hasattr(value, "__len__") and not isinstance(value, bytes):
        return [_plain(each) for each in value]
    return None


def _read(text: str) -> dict[str, Any]:
    """Return what a text keeps; nothing of one that is no such text."""
    try:
        found = json.loads(text) if 0 < len(text) <= _LONGEST else None
    except (ValueError, RecursionError):
        return {}
    return _stored_of(found, _DEEPEST) if isinstance(found, dict) and _NAMED not in found else {}


def _stored_of(value: Any, deepest: int) -> Any:
    """Return JSON data as Blender stores it, None for what it cannot, or what is too deep."""
    if isinstance(value, dict) and _NAMED in value:
        return _object(value[_NAMED])
    if isinstance(value, dict) and deepest:
        found = {name: _stored_of(each, deepest - 1) for name, each in value.items()}
        return {name: each for name, each in found.items() if each is not None}
    if isinstance(value, list) and deepest:
        items = [_stored_of(each, deepest - 1) for each in value]
        alike = len({type(each) for each in items}) == 1 and isinstance(items[0], (bool, int, float, dict))
        return items if alike or not items else None
    if isinstance(value, int) and not -(2**31) <= value < 2**31:
        return None
    return value if isinstance(value, (int, str)) or (isinstance(value, float) and math.isfinite(value)) else None


def _object(named: Any) -> bpy.types.Object | None:
    if not isinstance(named, list) or len(named) != 2 or not all(isinstance(each, str) for each in named):
        return None
    name, library = named
    found = (o for o in bpy.data.objects if o.name == name)
    return next((o for o in found if (o.library.filepath if o.library else "") == library), None)
