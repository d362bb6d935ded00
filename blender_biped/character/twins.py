"""A second skeleton in the first: an outfit's bones, each at the place of one of the body's, joined to its armature."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from .armature import Armature, Bone
from .conventions import Names

_AT = 2e-3  # of the armature's size: how far from each other bones at one place may be
_NUMBER = re.compile(r"\.\d{3,}$")  # with which Blender tells the second bone of a name from the first


def without_twins(armature: Armature) -> Armature:
    """Return an armature without the bones that are there again under the same name with a number, at one place.

    What hangs on such a bone hangs on the first one of the name.
    """
    first = {i: armature.index[name] for i, name in _numbered(armature).items()}
    near = _AT * _size(armature)
    gone = {i: k for i, k in first.items() if _at_one_place(armature.bones[i], armature.bones[k], near)}
    gone = {i: k for i, k in gone.items() if k not in gone and k not in armature.ancestors(i)}
    if not gone:
        return armature
    kept = [i for i in range(len(armature.bones)) if i not in gone]
    places = {i: place for place, i in enumerate(kept)} | {-1: -1}
    parents = (gone.get(armature.bones[i].parent, armature.bones[i].parent) for i in kept)
    bones = (replace(armature.bones[i], parent=places[k]) for i, k in zip(kept, parents, strict=True))
    return replace(armature, bones=tuple(bones))


def twins_of(armature: Armature, bones: Mapping[str, Names]) -> dict[str, Names]:
    """Return the bones with skin that lie where a mapped bone lies and do not move with it: role -> bones.

    bones: role -> the mapped ones.
    """
    amounts = armature.skin.amounts if armature.skin else {}
    role_of = {name: role for role, names in bones.items() for name in names}
    near = _AT * _size(armature)
    found: dict[str, Names] = {}
    for i, bone in enumerate(armature.bones):
        if bone.name not in amounts or bone.name in role_of or bone.follows:
            continue
        carried_with = next((role_of[n] for k in armature.carriers(i) if (n := armature.bones[k].name) in role_of), "")
        for name, role in role_of.items():
            if role != carried_with and _at_one_place(bone, armature.bones[armature.index[name]], near):
                found[role] = (*found.get(role, ()), bone.name)
                break
    return found


def _numbered(armature: Armature) -> dict[int, str]:
    """Return the bones whose names are another one's with a number behind: place -> the other's name."""
    stems = {i: _NUMBER.sub("", bone.name) for i, bone in enumerate(armature.bones)}
    return {i: stem for i, stem in stems.items() if stem != armature.bones[i].name and stem in armature.index}


def _at_one_place(bone: Bone, other: Bone, near: float) -> bool:
    return bool(np.abs(bone.head - other.head).max() < near and np.abs(bone.tail - other.tail).max() < near)


def _size(armature: Armature) -> float:
    """Return the longest extent of an armature's joints, armature units."""
    return float(np.ptp([bone.head for bone in armature.bones], axis=0).max())
