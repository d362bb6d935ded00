"""Which way a skeleton faces: where its feet point, by skin or bones, else by the names of its sides."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...base.spatial import Array
from ..heading import skin_ahead
from .legs import LegParts
from .symmetry import Symmetry, left_by_names

_BOTH_WAYS = 0.4  # of how far a foot reaches: a toe that reaches out so far on the other side is no heel
_LONG_FOOT = 0.03  # of the leg: a foot that points less far ahead tells nothing


@dataclass(frozen=True, eq=False)
class Facing:
    """forward (3,): level, unit or nearly. known: whether something tells it; else it is Blender's front."""

    forward: Array
    known: bool


def facing_of(symmetry: Symmetry, parts: LegParts) -> Facing:
    """Return which way a body faces.

    That is where its feet point, by skin and bones; else across the sides by their names, else -y. Names go before
    feet of which skin and bones say different, or with toes on both sides of the ankle, as birds have them.
    """
    skeleton, axis = symmetry.skeleton, symmetry.forward
    sides = left_by_names(skeleton)
    tells = float(np.linalg.norm(sides)) > 0.5
    skin, (bones, both_ways) = _by_skin(symmetry, parts), _by_bones(symmetry, parts)
    if (skin and skin == bones) or (skin and not tells):
        return Facing(skin * axis, True)
    if bones and not skin and not (tells and both_ways):
        return Facing(bones * axis, True)
    if tells:
        return Facing(np.cross(sides - (sides @ skeleton.up) * skeleton.up, skeleton.up), True)
    front = np.linalg.pinv(skeleton.armature.world[:3, :3]) @ (0.0, -1.0, 0.0)
    return Facing(axis if axis @ front > 0.0 else -axis, False)


def _by_skin(symmetry: Symmetry, parts: LegParts) -> int:
    """Return 1 where the feet reach farther ahead, along the symmetry's forward, by their skin, -1 back, else 0."""
    if not parts.foot:
        return 0
    name = symmetry.skeleton.name
    feet, shins = (
        [tuple(name(i) for i in bones) for bones in (part, symmetry.opposite(part))]
        for part in ((*parts.foot, *parts.toes), parts.shin)
    )
    share = skin_ahead(symmetry.skeleton.armature, feet, shins, symmetry.forward, symmetry.skeleton.up)
    return int(np.sign(share))


def _by_bones(symmetry: Symmetry, parts: LegParts) -> tuple[int, bool]:
    """Return 1 where the foot's bones point ahead, along the symmetry's forward, -1 back, else 0; and whether both.

    A bird's toes reach out on both sides of the ankle, the last joint of the leg that a spur may hang on, too.
    """
    if not parts.foot:
        return 0, False
    skeleton, forward = symmetry.skeleton, symmetry.forward
    start = skeleton.heads[parts.foot[0]]
    end = skeleton.heads[parts.toes[-1]] if parts.toes else skeleton.tip(parts.foot[-1])
    ahead = float((end - start) @ forward) if end is not None else 0.0
    hip = (*parts.spreader, *parts.thigh)[0]
    if abs(ahead) <= _LONG_FOOT * (skeleton.heights[hip] - skeleton.ground):
        return 0, False
    level = skeleton.heights[parts.foot[0]] + _LONG_FOOT * skeleton.height
    low = [i for i in skeleton.subtree(parts.shin[-1]) if i != parts.shin[-1] and skeleton.heights[i] <= level]
    ends = [end for i in low if (end := skeleton.tip(i)) is not None]
    sign = int(np.sign(ahead))
    farthest = max((-sign * float((p - start) @ forward) for p in (*skeleton.heads[low], *ends)), default=0.0)
    return sign, farthest > _BOTH_WAYS * abs(ahead)
