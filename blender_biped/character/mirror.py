"""The bone on the other side: by its name, else by its place in the rest pose."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher

import numpy as np

from ..base.spatial import Array
from .armature import Armature
from .naming import canonical

_OTHER = {"L": "R", "R": "L"}
_SAME_PLACE = 0.01  # of the rig's extent: how far a mirrored bone may be from where its twin's image is


def mirrored_role(role: str) -> str:
    """Return the role of the other side: "thigh.L" for "thigh.R"; the same for a role in the middle."""
    part, dot, side = role.partition(".")
    return f"{part}{dot}{_OTHER.get(side, side)}"


def mirrored_name(names: Iterable[str], name: str) -> str | None:
    """Return the name with the same canonical stem and the other side, None where there is none.

    Of several (two namespaces, a copy in other case) it is the one that is spelled most alike.
    """
    stem, side = canonical(name)
    if not side:
        return None
    twins = [other for other in names if canonical(other) == (stem, _OTHER[side])]
    return max(twins, key=lambda other: SequenceMatcher(None, name, other).ratio(), default=None)


def mirrored_bone(armature: Armature, name: str) -> str | None:
    """Return the bone on the other side of a bone: by its name, else by its place in the rest pose, else None.

    A bone in the middle has none. Raises KeyError when the armature has no such bone.
    """
    at = armature.index[name]
    return mirrored_name(armature.index, name) or _mirrored_place(armature, at)


def _mirrored_place(armature: Armature, at: int) -> str | None:
    """Return the bone whose head is the image of a bone's head, and whose tail is nearest to that of its tail."""
    heads = np.array([bone.head for bone in armature.bones])
    extent = float(np.linalg.norm(np.ptp(heads, axis=0)))
    plane = _symmetry(heads, _SAME_PLACE * extent)
    if plane is None:
        return None
    axis, middle = plane
    bone, near = armature.bones[at], _SAME_PLACE * extent
    if abs(bone.head[axis] - middle) <= near and abs(bone.tail[axis] - middle) <= near:
        return None
    off = np.linalg.norm(heads - _image(bone.head, axis, middle), axis=1)
    tails = np.linalg.norm([b.tail - _image(bone.tail, axis, middle) for b in armature.bones], axis=1)
    depth = len(armature.ancestors(at))
    fitting = [i for i in np.flatnonzero(off <= near) if i != at]
    best = min(fitting, key=lambda i: (abs(len(armature.ancestors(i)) - depth), tails[i]), default=None)
    return None if best is None else armature.bones[best].name


def _symmetry(heads: Array, near: float) -> tuple[int, float] | None:
    """Return the axis across, and the middle on it, that most bones (N, 3) beside it have an image for."""
    best, count = None, 0
    for axis in range(3):
        for middle in {0.0, 0.5 * float(heads[:, axis].min() + heads[:, axis].max())}:
            beside = heads[np.abs(heads[:, axis] - middle) > near]
            if not len(beside):
                continue
            images = _image(beside, axis, middle)
            matched = sum(bool((np.linalg.norm(heads - image, axis=1) <= near).any()) for image in images)
            if matched > count:
                best, count = (axis, middle), matched
    return best


def _image(points: Array, axis: int, middle: float) -> Array:
    """Return points (..., 3) mirrored in the plane across an axis."""
    images = np.array(points, dtype=float)
    images[..., axis] = 2.0 * middle - images[..., axis]
    return images
