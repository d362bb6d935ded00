"""The body that an armature's mapping gives, for the panel and the overlay: built again only when something changed."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable
from dataclasses import dataclass

import bpy
import numpy as np

from ...base.errors import BipedError
from ...base.spatial import Array, quaternion_matrix
from ...character.armature import Armature
from ...character.body import build_character
from ...character.clearance import STANDS, BodyClearance, clearance_of
from ...character.mapping import RigMap, check_rig_map
from ...character.model import Character
from ..base.reading import metres, read_armature
from ..base.skins import skin_state
from ..settings.kept_mapping import rig_map_of
from .mapping import mapping
from .mass import chosen_mass, mesh_state

_NEAR = 0.996  # cosine of 5 degrees: a direction is named after an axis


@dataclass(frozen=True, eq=False)
class MappedRig:
    """A mapped armature in its rest pose and the character that it is.

    error: why it is none, or why its mass is not the one that is set. armature: its session_uid. clearance: how it
    stands.
    state: everything that it was built from.
    """

    armature: int
    state: Hashable
    rig: Armature | None = None
    character: Character | None = None
    error: str = ""
    clearance: BodyClearance = STANDS


_last = MappedRig(0, None)
_found: tuple[Hashable, RigMap | str] = (None, "")
"""Of the last armature that keeps no mapping: what it follows from, and the mapping, or why there is none."""


def known_character(armature: bpy.types.Object, scene: bpy.types.Scene) -> Character | None:
    """Return the character that an armature walks as, None while that is not known."""
    return walking_body(armature, scene).character


def body_of(armature: bpy.types.Object, scene: bpy.types.Scene) -> MappedRig | None:
    """Return the body of an armature, or why it has none; None where nothing is mapped yet."""
    rig_map = rig_map_of(armature)
    return None if rig_map is None else _body(armature, scene, rig_map)


def walking_body(armature: bpy.types.Object, scene: bpy.types.Scene) -> MappedRig:
    """Return the body that a bake would walk, or why it has none: where nothing is mapped yet, as the bake maps it."""
    global _found
    if _known_while_playing(armature):
        return _last
    known = body_of(armature, scene)
    if known is not None:
        return known
    axes = (armature.biped.forward, armature.biped.up, armature.biped.root)
    state = (armature.session_uid, *_rest_state(armature), skin_state(armature), axes, metres(scene))
    if _found[0] != state:
        try:
            _found = state, mapping(armature, metres(scene))
        except BipedError as error:
            _found = state, str(error)
    found = _found[1]
    if isinstance(found, str):
        return MappedRig(armature.session_uid, state, error=found)
    return _body(armature, scene, found)


def _body(armature: bpy.types.Object, scene: bpy.types.Scene, rig_map: RigMap) -> MappedRig:
    """Return the body of an armature by a mapping, or why it has none."""
    global _last
    if _known_while_playing(armature):
        return _last
    rest, skin = _rest_state(armature), skin_state(armature)
    state = (armature.session_uid, repr(rig_map), *rest, skin, *_mass_state(armature), metres(scene))
    if _last.state == state:
        return _last
    mass, wrong = None, ""
    try:
        mass = chosen_mass(armature, metres(scene))
    except BipedError as error:  # the rest of the body can be seen all the same
        wrong = str(error)
    try:
        rig = read_armature(armature, metres(scene))
        check_rig_map(rig_map, rig)
        character = build_character(rig, rig_map, mass)
        stands = clearance_of(rig, rig_map, character)
        _last = MappedRig(armature.session_uid, state, rig, character, wrong, stands)
    except BipedError as error:
        _last = MappedRig(armature.session_uid, state, error=str(error))
    return _last


def _known_while_playing(armature: bpy.types.Object) -> bool:
    """Return whether the last body is an armature's, and stays so: while it plays nothing changes but the pose."""
    screen = bpy.context.screen
    return bool(screen and screen.is_animation_playing) and _last.armature == armature.session_uid


def facing(character: Character) -> str:
    """Return along which of the armature's own axes a character faces and stands, in words."""
    axes = quaternion_matrix(character.links[0].rest)
    return f"{_axis(axes[:, 0])}, up is {_axis(axes[:, 2])}"


def _axis(direction: Array) -> str:
    i = int(np.argmax(np.abs(direction)))
    name = f"{'-' if direction[i] < 0.0 else ''}{'XYZ'[i]}"
    off = np.degrees(np.arccos(min(abs(direction[i]), 1.0)))
    return name if abs(direction[i]) > _NEAR else f"{off:.0f}° off {name}"


def _rest_state(armature: bpy.types.Object) -> tuple[Hashable, ...]:
    world = tuple(v for row in armature.matrix_world for v in row)
    return armature.name, armature.mode == "EDIT", bones_state(armature), str(world)


def bones_state(armature: bpy.types.Object) -> str:
    """Return a digest of an armature's bones at rest."""
    bones = armature.data.bones
    numbers = []
    for name, size in (("head_local", 3), ("tail_local", 3), ("matrix_local", 16)):
        values = np.empty(size * len(bones), dtype=np.float32)
        bones.foreach_get(name, values)
        numbers.append(values.tobytes())
    names = "\0".join(bones.keys()).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(b"".join(numbers) + names, digest_size=16).hexdigest()


def _mass_state(armature: bpy.types.Object) -> tuple[Hashable, ...]:
    settings = armature.biped
    meshes = mesh_state(armature) if settings.mass_from == "MESH" else ""
    return settings.mass_from, settings.mass_kg, settings.density, meshes
