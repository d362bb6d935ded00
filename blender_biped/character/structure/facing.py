"""Which way a skeleton faces: where its feet point, else by the names of its sides."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...base.spatial import Array
from .legs import LegParts
from .symmetry import Symmetry, left_by_names

_LONG_FOOT = 0.03  # of the leg: a foot that points less far ahead tells nothing


@dataclass(frozen=True, eq=False)
class Facing:
    """forward (3,): level, unit or nearly. known: whether something tells it; else it is Blender's front."""

    forward: Array
    known: bool


def facing_of(symmetry: Symmetry, parts: LegParts) -> Facing:
    """Return which way a body faces: where its feet point, else across the sides by their names, else -y."""
    skeleton, axis = symmetry.skeleton, symmetry.forward
    if parts.foot:
        start = skeleton.heads[parts.foot[0]]
        end = skeleton.heads[parts.toes[-1]] if parts.toes else skeleton.tip(parts.foot[-1])
        ahead = float((end - start) @ axis) if end is not None else 0.0
        hip = (*parts.spreader, *parts.thigh)[0]
        if abs(ahead) > _LONG_FOOT * (skeleton.heights[hip] - skeleton.ground):
            return Facing(axis if ahead > 0.0 else -axis, True)
    named = left_by_names(skeleton)
    if np.linalg.norm(named) > 0.5:
        return Facing(np.cross(named - (named @ skeleton.up) * skeleton.up, skeleton.up), True)
    front = np.linalg.pinv(skeleton.armature.world[:3, :3]) @ (0.0, -1.0, 0.0)
    return Facing(axis if axis @ front > 0.0 else -axis, False)
