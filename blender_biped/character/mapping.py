"""RigMap: which bones of an armature are which body part, found or set by a user; written and read as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from typing import Any

from ..base.errors import DataError, RigError
from ..base.fields import Fields, load_json
from ..base.files import write_whole
from .armature import Armature
from .conventions import Names
from .model import ROLES, SIDES

VERSION = 1
AXES = ("", "X", "-X", "Y", "-Y", "Z", "-Z")
"""Directions of an armature that can be set; "" lets them be found."""

UNSURE = 0.7
"""A confidence below which a mapping should be looked at."""

REQUIRED = ("pelvis", *(f"{part}.{side}" for side in SIDES for part in ("thigh", "shin")))
"""Roles without which nothing can walk."""


@dataclass(frozen=True)
class RigMap:
    """Which bones are which body part, and why.

    convention: the naming that fitted, or how else it was found. bones: role -> bone names; the first defines
    the link, the others move rigidly with it. heels: side -> bones that mark the back of the sole.
    reasons: role -> why these bones, for the user. missing: roles that the rig does not have.
    confidence: 0..1, how sure the finding is; 1 for what a user set. doubts: sentences about what could also be
    otherwise. controls: role -> the bones that an animator moves in place of the mapped ones, where the rig has such.
    forward, up: the armature's own axes that the character faces and stands along, of AXES.
    """

    convention: str
    bones: Mapping[str, Names]
    heels: Mapping[str, Names]
    reasons: Mapping[str, str]
    missing: Names
    confidence: float = 1.0
    doubts: Names = ()
    controls: Mapping[str, Names] = field(default_factory=dict)
    forward: str = ""
    up: str = ""

    def describe(self) -> list[str]:
        """Return one line for each role: what was found and why, or that it is missing."""
        found = [f"{role}: {', '.join(self.bones[role])} ({self.reasons.get(role, 'given')})" for role in self.bones]
        return found + [f"{role}: missing; its mass is added to the part it is attached to" for role in self.missing]

    def as_json(self) -> dict[str, Any]:
        """Return plain JSON data that ``rig_map_from_json`` reads back."""
        return {
            "version": VERSION, "convention": self.convention,
            "bones": {role: list(names) for role, names in self.bones.items()},
            "heels": {side: list(names) for side, names in self.heels.items()},
            "controls": {role: list(names) for role, names in self.controls.items()},
            "forward": self.forward, "up": self.up,
        }  # fmt: skip


def rig_map_from_json(data: Any, where: str = "mapping") -> RigMap:
    """Return the mapping in JSON data. Raises DataError naming the field that is missing or wrong."""
    f = Fields(data, where)
    f.version(VERSION)
    bones = _names(f.child("bones"), ROLES)
    return RigMap(
        convention=f.text("convention", "a mapping file"),
        bones={role: bones[role] for role in ROLES if role in bones},
        heels=_names(f.child("heels", {}), SIDES),
        reasons=dict.fromkeys(bones, "from a mapping file"),
        missing=tuple(role for role in ROLES if role not in bones),
        controls=_names(f.child("controls", {}), ROLES),
        forward=f.text("forward", "", AXES),
        up=f.text("up", "", AXES),
    )


def write_rig_map(path: FilePath, rig_map: RigMap) -> None:
    """Write a mapping, whole or not at all, so that ``read_rig_map`` reads it again. Raises DataError."""
    text = json.dumps(rig_map.as_json(), indent=2, ensure_ascii=False, allow_nan=False)
    try:
        content = (text + "\n").encode("utf-8")
    except UnicodeError as error:  # a name that an importer made of bytes
        raise DataError("A bone's name is not valid text, so it cannot be written: rename it.") from error
    rig_map_from_json(json.loads(content), path.name)
    write_whole(path, content)


def read_rig_map(path: FilePath) -> RigMap:
    """Return the mapping in a JSON file. Raises DataError."""
    return rig_map_from_json(load_json(path), path.name)


def check_rig_map(rig_map: RigMap, armature: Armature) -> None:
    """Raise RigError when a mapping does not fit an armature: a part or a bone is missing, or a bone has two parts."""
    absent = [role for role in REQUIRED if not rig_map.bones.get(role)]
    if absent:
        raise RigError(f"Armature {armature.name!r}: no bones are mapped to {', '.join(absent)}; map them first.")
    role_of: dict[str, str] = {}
    for role, names in rig_map.bones.items():
        for name in names:
            if name not in armature.index:
                raise RigError(f"Armature {armature.name!r} has no bone {name!r} ({role}); map its bones again.")
            if name in role_of:
                raise RigError(
                    f"Armature {armature.name!r}: the bone {name!r} is mapped to {role_of[name]} and to {role}; "
                    "choose another one for either."
                )
            role_of[name] = role
    for names in (*rig_map.heels.values(), *rig_map.controls.values()):
        for name in names:
            if name not in armature.index:
                raise RigError(f"Armature {armature.name!r} has no bone {name!r}; map its bones again.")


def _names(f: Fields, known: tuple[str, ...]) -> dict[str, Names]:
    found: dict[str, Names] = {}
    for key in f.data:
        if key not in known:
            raise DataError(f"{f.where}: {key!r} is unknown; expected one of {', '.join(known)}.")
        names = f.items(key)
        if not all(isinstance(name, str) and name for name in names):
            raise DataError(f"{f.where}.{key}: expected a list of bone names, found {names!r}.")
        if names:
            found[key] = tuple(names)
    return found
