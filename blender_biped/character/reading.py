"""Reads a Character back from JSON data, checking every field."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, cast

from ..base.errors import DataError
from ..base.fields import Fields
from ..base.spatial import off_unit
from .model import DEPTH_FIRST, MORE_ROLES, ROLES, Character, JointKind, Link, Shape, misplaced

_JOINTS = ("free", "spherical", "universal", "hinge", "fixed")
_THIN = 1e-6  # m: a capsule without a radius has no surface
_SHORT = 1e-4  # m: no knee bends a leg of which a part has no length
_LONG = ("shin", "foot")  # that begin at the ends of thigh and shin
_LARGE = 1e4  # m: beyond this a number is a mistake of units
_HEAVY = 1e6  # kg


def character_from_json(data: Mapping[str, Any], where: str = "character") -> Character:
    """Return the Character that ``Character.as_json`` wrote. Raises DataError naming the wrong field."""
    f = Fields(data, where)
    f.only(("name", "stand_height", "hip_bone_offset", "arms_out", "feet_apart", "legs_apart", "links"))
    links: list[Link] = []
    for i, item in enumerate(f.objects("links")):
        link = _link(item, i)
        if any(link.role == other.role for other in links):
            raise DataError(f"{where}.links[{i}].role: {link.role!r} is there twice.")
        links.append(link)
    if not links or links[0].role != "pelvis":
        raise DataError(f"{where}.links: the first link must be the pelvis.")
    wrong = misplaced([link.parent for link in links])
    if wrong is not None:
        raise DataError(f"{where}.links[{wrong}].parent: {DEPTH_FIRST}")
    return Character(
        name=f.text("name"),
        links=tuple(links),
        stand_height=f.number("stand_height", 1e-3, _LARGE),
        hip_bone_offset=_triple(f, "hip_bone_offset"),
        arms_out=f.number("arms_out", 0.0, 0.5 * math.pi, default=0.0),
        feet_apart=f.number("feet_apart", 0.0, _LARGE, default=0.0),
        legs_apart=f.number("legs_apart", 0.0, _LARGE, default=0.0),
    )


def _link(f: Fields, place: int) -> Link:
    f.only(("role", "parent", "joint", "offset", "mass", "com", "inertia", "shape", "bones", "rest", "controls"))
    shape = f.child("shape")
    shape.only(("kind", "center", "half", "radius"))
    kind = shape.text("kind", choices=("box", "capsule"))
    return Link(
        role=f.text("role", choices=(*ROLES, *MORE_ROLES)),
        parent=f.integer("parent", -1 if place == 0 else 0, place - 1),
        joint=cast(JointKind, f.text("joint", choices=_JOINTS)),
        offset=_offset(f),
        mass=f.number("mass", 1e-6, _HEAVY),
        com=_triple(f, "com"),
        inertia=_moments(f, "inertia"),
        shape=Shape(
            kind=cast(Any, kind),
            center=_triple(shape, "center"),
            half=_half(shape, kind),
            radius=shape.number("radius", _THIN if kind == "capsule" else 0.0, _LARGE),
        ),
        bones=tuple(str(b) for b in f.items("bones", ())),
        rest=_rotation(f, "rest"),
        controls=tuple(str(b) for b in f.items("controls", ())),
    )


def _triple(f: Fields, name: str, most: float = _LARGE) -> tuple[float, float, float]:
    found = f.vector(name, 3)
    if max(map(abs, found)) > most:
        raise DataError(f"{f.at(name)}: expected numbers of at most {most:g}, found {list(found)}.")
    return cast(tuple[float, float, float], found)


def _half(f: Fields, kind: str) -> tuple[float, float, float]:
    found = _triple(f, "half")
    if kind == "box" and min(found) < _THIN:
        raise DataError(f"{f.at('half')}: expected a box at least {_THIN:g} m thick, found {list(found)}.")
    return found


def _offset(f: Fields) -> tuple[float, float, float]:
    found = _triple(f, "offset")
    part = f.text("role").partition(".")[0]
    if part in _LONG and math.hypot(found[0], found[2]) < _SHORT:
        raise DataError(f"{f.at('offset')}: a thigh or shin is shorter than {_SHORT:g} m: {list(found)}.")
    return found


def _moments(f: Fields, name: str) -> tuple[float, float, float]:
    found = _triple(f, name, _HEAVY * _LARGE**2)
    if min(found) <= 0.0:
        raise DataError(f"{f.at(name)}: expected moments of inertia above 0, found {list(found)}.")
    return found


def _rotation(f: Fields, name: str) -> tuple[float, float, float, float]:
    found = f.vector(name, 4, (1.0, 0.0, 0.0, 0.0))
    if off_unit(found):
        raise DataError(f"{f.at(name)}: expected a unit quaternion, found {list(found)}.")
    return cast(tuple[float, float, float, float], found)
