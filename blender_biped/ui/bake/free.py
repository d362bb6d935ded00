"""Which bones that a bake would key do not move by keys, and which bones move them: tried before anything is simulated.

Drivers that hold constraints on, or channels, let a bone go where the rig has it, whatever is keyed. The bones that
such constraints follow are an animator's controls. Who moves whom is found by moving them a little: no knowledge of
what is inside the rig is needed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix, Vector

from ...base.errors import BipedError, RigError
from ...base.spatial import matrix_quaternion, nearest_rotations, rotation_vector
from ...character.body import build_character
from ...character.mapping import RigMap
from ...character.model import Character
from ..base.hidden import evaluated
from ..base.reading import metres, read_armature
from .accuracy import listed
from .influences import Influences
from .probe import posed_freely
from .rig import Limbs, Rig

_ANGLE = 0.2  # rad that a bone is turned by
_FOLLOWS = 0.5  # of it: what turns by less does not follow
_MOST = 24  # bones that are tried in place of one


def held_bones(armature: bpy.types.Object, character: Character, limbs: Limbs = "FK") -> dict[str, str]:
    """Return the bones that would get keys and do not move by them: name -> the bone that moves it, "" for none found.

    The armature is posed meanwhile, and put back. Raises RigError when Blender does not evaluate it.
    """
    rig, influences = Rig(armature, character, limbs), Influences(armature)
    suspects = influences.driven_on(rig)
    if not suspects:
        return {}
    held, _ = influences.held(rig, False)
    bones = armature.pose.bones
    found: dict[str, str] = {}
    with evaluated(armature), posed_freely(rig, held):
        for name in suspects:
            if _turns(bones[name], bones[name]):
                continue
            taken = {*found.values(), *(node.name for node in rig.nodes if node.column >= 0)}
            free = (other for other in _followed(armature, name) if other not in taken)
            found[name] = next((other for other in free if _turns(bones[other], bones[name])), "")
    return found


def with_free_controls(armature: bpy.types.Object, rig_map: RigMap) -> RigMap:
    """Return a mapping whose parts that do not move by keys have the bones that move them as controls.

    What is held and has no such bone is a doubt. A mapping that no body can be made of stays as it is.
    """
    unit = metres(bpy.context.scene)
    try:
        character = build_character(read_armature(armature, unit), rig_map, None)
        held = held_bones(armature, character)
    except BipedError:  # what is wrong is said where the body is made
        return rig_map
    lost = [name for name, control in held.items() if not control]
    doubts = (*rig_map.doubts, _held_text(lost)) if lost else rig_map.doubts
    return replace(rig_map, controls={**rig_map.controls, **_controls(character, held)}, doubts=doubts)


def with_controls(character: Character, held: dict[str, str]) -> tuple[Character, dict[str, tuple[str, ...]]]:
    """Return a character whose controls move what is held, see ``held_bones``, and the controls of its parts."""
    controls = _controls(character, held)
    links = tuple(replace(link, controls=controls.get(link.role, link.controls)) for link in character.links)
    return replace(character, links=links), controls


def check_free(armature: bpy.types.Object, held: dict[str, str]) -> None:
    """Raise RigError for bones that do not move by keys. held: see ``held_bones``."""
    if not held:
        return
    lost = [name for name, control in held.items() if not control]
    if lost:
        raise RigError(_held_text(lost))
    controls = listed(list(held.values()))
    raise RigError(
        f"Armature {armature.name!r}: drivers hold {listed(list(held))}, which would not move by keys: press Map Bones "
        f"again, which takes {controls} as controls in their place."
    )


def _held_text(names: list[str]) -> str:
    return (
        f"Drivers hold {listed(names)}, so that keys do not move them: pick the bones that an animator moves in their "
        "place as Control in the Bones table."
    )


def _controls(character: Character, held: dict[str, str]) -> dict[str, tuple[str, ...]]:
    """Return role -> the bones to move for the parts of which a bone is held and has one that moves it."""
    found: dict[str, tuple[str, ...]] = {}
    for link in character.links:
        keyed = link.controls or link.bones
        if any(held.get(name) for name in keyed):
            found[link.role] = tuple(dict.fromkeys(held.get(name) or name for name in keyed))
    return found


def _followed(armature: bpy.types.Object, name: str) -> Iterator[str]:
    """Give the bones of the armature that a bone's constraints follow, the nearest first."""
    waiting, seen = [name], {name}
    while waiting and len(seen) <= _MOST:
        bone = armature.pose.bones[waiting.pop(0)]
        for constraint in bone.constraints:
            for target in (constraint, *getattr(constraint, "targets", ())):
                other = getattr(target, "subtarget", "")
                if getattr(target, "target", None) == armature and other in armature.pose.bones and other not in seen:
                    seen.add(other)
                    waiting.append(other)
                    yield other


def _turns(mover: Any, moved: Any) -> bool:
    """Return whether a pose bone turns when another one is turned, or itself."""
    basis, before = mover.matrix_basis.copy(), np.array(moved.matrix)
    mover.matrix_basis = basis @ Matrix.Rotation(_ANGLE, 4, Vector((1.0, 1.0, 1.0)))
    bpy.context.view_layer.update()
    first, now = (nearest_rotations(matrix[:3, :3]) for matrix in (before, np.array(moved.matrix)))
    mover.matrix_basis = basis
    bpy.context.view_layer.update()
    turned = np.linalg.norm(rotation_vector(matrix_quaternion(first.T @ now)))
    return bool(turned > _FOLLOWS * _ANGLE)
