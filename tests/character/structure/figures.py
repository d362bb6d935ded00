"""Small skeletons for the tests of single parts: bones given by name, parent and head, in Blender's axes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from blender_biped.base.spatial import Array
from blender_biped.character.armature import Armature, Bone
from blender_biped.character.structure.skeleton import Skeleton
from blender_biped.character.structure.symmetry import Symmetry, symmetry_of

UP = np.array([0.0, 0.0, 1.0])

Place = tuple[str, Sequence[float]]

TRUNK: Mapping[str, Place] = {
    "pelvis": ("", (0.0, 0.0, 1.0)),
    "spine": ("pelvis", (0.0, 0.0, 1.1)),
    "chest": ("spine", (0.0, 0.0, 1.3)),
    "neck": ("chest", (0.0, 0.0, 1.5)),
    "head": ("neck", (0.0, 0.0, 1.6)),
}


def both(bones: Mapping[str, Place]) -> dict[str, Place]:
    """Return bones of the left side (+x) with their mirror images; a parent on the side is named without it."""
    made: dict[str, Place] = {}
    for side, sign in (("L", 1.0), ("R", -1.0)):
        for name, (parent, (x, y, z)) in bones.items():
            made[f"{name}.{side}"] = (f"{parent}.{side}" if parent in bones else parent, (sign * x, y, z))
    return made


LEGS = both({
    "thigh": ("pelvis", (0.1, 0.0, 0.95)), "shin": ("thigh", (0.1, -0.01, 0.5)), "foot": ("shin", (0.1, 0.0, 0.1)),
    "toe": ("foot", (0.1, -0.15, 0.02)),
})  # fmt: skip
ARMS = both({
    "clavicle": ("chest", (0.02, 0.0, 1.45)), "arm": ("clavicle", (0.18, 0.0, 1.45)),
    "elbow": ("arm", (0.45, 0.0, 1.45)), "hand": ("elbow", (0.7, 0.0, 1.45)), "fingers": ("hand", (0.8, 0.0, 1.45)),
})  # fmt: skip
PERSON = {**TRUNK, **LEGS, **ARMS}


def armature(bones: Mapping[str, Place]) -> Armature:
    """Return an armature of bones that are 0.05 long, upwards."""
    names = list(bones)
    made = [
        Bone(name, names.index(parent) if parent else -1, np.array(head), head + 0.05 * UP, np.eye(3))
        for name, (parent, head) in bones.items()
    ]
    return Armature("figure", tuple(made), np.eye(4))


def skeleton(bones: Mapping[str, Place], up: Array = UP) -> Skeleton:
    """Return the skeleton of bones."""
    return Skeleton(armature(bones), up)


def symmetry(bones: Mapping[str, Place] = PERSON) -> Symmetry:
    """Return the symmetry of bones."""
    return symmetry_of(skeleton(bones))


def names(found: Symmetry, bones: Sequence[int]) -> tuple[str, ...]:
    """Return the names of bones."""
    return tuple(found.skeleton.name(i) for i in bones)


def stems(found: Symmetry, bones: Sequence[int]) -> tuple[str, ...]:
    """Return the names of bones without their side: which one is positive is not said."""
    return tuple(name.partition(".")[0] for name in names(found, bones))
