"""Armatures for the tests: a standard adult, posed, moved, renamed and cut as rigs in the wild are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from blender_biped.base.spatial import (
    IDENTITY,
    Array,
    axis_angle_quaternion,
    quaternion_conjugate,
    quaternion_matrix,
    quaternion_product,
    rotate,
)
from blender_biped.character.armature import Armature, Bone
from blender_biped.character.body import build_character
from blender_biped.character.model import Character
from blender_biped.character.roles import map_bones

# Blender's axes of a character who faces -y.
LEFT, BACK, UP = np.eye(3)


def turn(axis: ArrayLike, degrees: float) -> Array:
    """Return a rotation (4,) about an axis (3,)."""
    return axis_angle_quaternion(axis, np.radians(degrees))


def character(armature: Armature, mass: float | None = 70.0) -> Character:
    """Return the character of an armature, as a user gets it."""
    return build_character(armature, map_bones(armature), mass)


def posed(armature: Armature, turns: Mapping[str, Array]) -> Armature:
    """Return an armature whose bones are turned (armature space) about their heads, children with them."""
    spins: dict[int, Array] = {}
    bones: dict[int, Bone] = {}

    def place(i: int) -> None:
        bone = armature.bones[i]
        above, head = IDENTITY, bone.head
        if bone.parent >= 0:
            if bone.parent not in bones:
                place(bone.parent)
            above = spins[bone.parent]
            head = bones[bone.parent].head + rotate(above, bone.head - armature.bones[bone.parent].head)
        spins[i] = quaternion_product(turns.get(bone.name, IDENTITY), above)
        bones[i] = replace(
            bone,
            head=head,
            tail=head + rotate(spins[i], bone.tail - bone.head),
            matrix=quaternion_matrix(spins[i]) @ bone.matrix,
        )

    for i in range(len(armature.bones)):
        if i not in bones:
            place(i)
    return replace(armature, bones=tuple(bones[i] for i in range(len(bones))))


def with_feet_kept(turns: Mapping[str, Array]) -> dict[str, Array]:
    """Return turns of thighs and shins, with feet that turn back: they stay as flat as they were."""
    kept = dict(turns)
    for side in ("L", "R"):
        leg = quaternion_product(turns.get(f"shin.{side}", IDENTITY), turns.get(f"thigh.{side}", IDENTITY))
        kept[f"foot.{side}"] = quaternion_conjugate(leg)
    return kept


def grounded(armature: Armature) -> Armature:
    """Return the armature lowered or raised until its lowest heel is at z = 0."""
    low = min(bone.head[2] for bone in armature.bones if bone.name.startswith("heel"))
    return remade(armature, lambda point: point - low * UP)


def remade(armature: Armature, move: Callable[[Array], Array], spin: Array | None = None) -> Armature:
    """Return the armature with every point moved, and rest orientations turned by ``spin`` (3, 3)."""
    matrix = np.eye(3) if spin is None else spin
    return replace(
        armature,
        bones=tuple(
            replace(bone, head=move(bone.head), tail=move(bone.tail), matrix=matrix @ bone.matrix)
            for bone in armature.bones
        ),
    )


def in_world(armature: Armature, rotation: Array, scale: float = 1.0, place: ArrayLike = (0.0, 0.0, 0.0)) -> Armature:
    """Return the armature with its object turned (4,), scaled and moved."""
    world = np.eye(4)
    world[:3, :3] = scale * quaternion_matrix(rotation)
    world[:3, 3] = place
    return replace(armature, world=world)


def renamed(armature: Armature, names: Mapping[str, str] | Callable[[str], str]) -> Armature:
    """Return the armature with other bone names; a mapping may leave bones out."""
    new = names if callable(names) else lambda name: names.get(name, name)
    return replace(armature, bones=tuple(replace(bone, name=new(bone.name)) for bone in armature.bones))


def without(armature: Armature, *stems: str) -> Armature:
    """Return the armature without the bones whose names begin so, their children kept on what is left."""
    keep = [i for i, bone in enumerate(armature.bones) if not bone.name.startswith(stems)]
    kept_above = {}
    for i in keep:
        kept_above[i] = next((keep.index(a) for a in armature.ancestors(i) if a in keep), -1)
    return replace(armature, bones=tuple(replace(armature.bones[i], parent=kept_above[i]) for i in keep))


def moved_bone(armature: Armature, name: str, head: ArrayLike | None = None, tail: ArrayLike | None = None) -> Armature:
    """Return the armature with other ends of one bone."""
    bones = list(armature.bones)
    i = armature.index[name]
    bones[i] = replace(
        bones[i],
        head=bones[i].head if head is None else np.asarray(head, dtype=float),
        tail=bones[i].tail if tail is None else np.asarray(tail, dtype=float),
    )
    return replace(armature, bones=tuple(bones))
