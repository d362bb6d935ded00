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
from ...character.mapping import check_rig_map
from ...character.model import Character
from ..base.reading import metres, read_armature
from ..base.skins import skin_state
from ..settings.kept_mapping import rig_map_of
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


def known_character(armature: bpy.types.Object, scene: bpy.types.Scene) -> Character | None:
    """Return the character that an armature is, None while that is not known."""
    body = body_of(armature, scene)
    return body.character if body else None


def body_of(armature: bpy.types.Object, scene: bpy.types.Scene) -> MappedRig | None:
    """Return the body of an armature, or why it has none; None where nothing is mapped yet."""
    global _last
    if _playing() and _last.armature == armature.session_uid:  # nothing then changes but the pose
        return _last
    rig_map = rig_map_of(armature)
    if rig_map is None:
        return None
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


def _playing() -> bool:
    screen = bpy.context.screen
    return bool(screen and screen.is_animation_playing)


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
