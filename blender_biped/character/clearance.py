"""What of a body is in the way as it stands: a tail or a head in the ground, and weight that is not over its feet."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..base.spatial import quaternion_matrix
from .armature import Armature
from .build import sole_of
from .mapping import RigMap
from .model import SIDES, Character
from .posture import standing
from .tail import tail_of

_TOUCHING = 0.03  # of the leg: what is no deeper in the ground lies on it


@dataclass(frozen=True)
class BodyClearance:
    """How a body stands, m; 0 where it stands as it should.

    tail, head: how far joints of these are below the ground. beside: how far ahead of its soles its centre of mass is;
    below 0 behind them.
    """

    tail: float = 0.0
    head: float = 0.0
    beside: float = 0.0


STANDS = BodyClearance()
"""A body that stands as it should."""


def clearance_of(armature: Armature, rig_map: RigMap, character: Character) -> BodyClearance:
    """Return how a character stands that was built of an armature and its mapping. Raises RigError as ``standing``."""
    tail = tail_of(armature, rig_map, standing(armature, rig_map))
    heads = armature.below(rig_map.bones["head"], ()) if rig_map.bones.get("head") else ()
    return BodyClearance(
        _depth(armature, character, "pelvis", tail.bones if tail else ()),
        _depth(armature, character, "head", [armature.index[name] for name in heads]) if heads else 0.0,
        _beside(character),
    )


def _depth(armature: Armature, character: Character, role: str, bones: tuple[int, ...] | list[int]) -> float:
    """Return how far the heads of bones that a link carries, by their places, are below the ground, m."""
    if not bones:
        return 0.0
    i = character.index(role)
    link = character.links[i]
    first = armature.bones[armature.index[link.bones[0]]].head
    points = np.array([armature.bones[k].head for k in bones])
    turned = armature.scale * (points - first) @ quaternion_matrix(np.array(link.rest))
    height = float(character.standing()[0][i][2]) + (character.hip_bone_offset[2] if link.parent < 0 else 0.0)
    low = -(height + float(turned[:, 2].min()))
    return low if low > _TOUCHING * character.leg_length else 0.0


def _beside(character: Character) -> float:
    """Return how far ahead of its soles a standing body's centre of mass is, m; below 0 behind them."""
    if not all(character.has(f"{part}.{side}") for part in ("foot", "toes") for side in SIDES):
        return 0.0
    origins, rotations = character.standing()
    ahead = float(character.masses @ character.com_positions(origins, rotations)[:, 0]) / character.mass
    soles = [sole_of(character, side) for side in SIDES]
    ankles = [float(origins[character.index(f"foot.{side}")][0]) for side in SIDES]
    front = max(at + sole.toe for at, sole in zip(ankles, soles, strict=True))
    back = min(at + sole.heel for at, sole in zip(ankles, soles, strict=True))
    return max(ahead - front, 0.0) + min(ahead - back, 0.0)
