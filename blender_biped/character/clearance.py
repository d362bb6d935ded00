"""How a body stands: how high, what hangs into the ground, and whether its weight is over its feet."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ..base.spatial import Array, quaternion_matrix
from .armature import Armature
from .build import sole_of
from .mapping import RigMap
from .model import SIDES, Character
from .posture import standing
from .tail import tail_of

TOUCHING = 0.03
"""Of the leg: what is no deeper in the ground lies on it."""

Dangling = Literal["tail", "head"]


@dataclass(frozen=True)
class BodyClearance:
    """How a body stands, m; 0 where it stands as it should.

    tail, head: how far joints or skin of these are below the ground. beside: how far ahead of its soles its centre of
    mass is; below 0 behind them. top: how high the skin of its head reaches, 0 where it has none: the ends of head
    bones are guesses of importers.
    """

    tail: float = 0.0
    head: float = 0.0
    beside: float = 0.0
    top: float = 0.0


STANDS = BodyClearance()
"""A body that stands as it should."""


@dataclass(frozen=True)
class Sunk:
    """What of a body goes deepest into the ground as a walk plays, how deep, m, and at which frame."""

    part: Dangling
    depth: float
    frame: int


def clearance_of(armature: Armature, rig_map: RigMap, character: Character) -> BodyClearance:
    """Return how a character stands that was built of an armature and its mapping. Raises RigError as ``standing``."""
    parts = dangling(armature, rig_map)
    skin = _skin_of(armature, parts["head"])
    return BodyClearance(
        _depth(armature, character, "pelvis", parts["tail"]),
        _depth(armature, character, "head", parts["head"]),
        _beside(character),
        float(_heights(armature, character, "head", skin).max()) if len(skin) else 0.0,
    )


def dangling(armature: Armature, rig_map: RigMap) -> Mapping[Dangling, Collection[str]]:
    """Return the bones of tail and head, with what hangs on them; none of what a rig has not.

    Raises RigError as ``standing``.
    """
    tail, heads = tail_of(armature, rig_map, standing(armature, rig_map)), rig_map.bones.get("head", ())
    mapped = {name for names in rig_map.bones.values() for name in names}
    return {
        "tail": armature.below([armature.bones[i].name for i in tail.bones], mapped) if tail else (),
        "head": armature.below(heads, mapped.difference(heads)),
    }


def _depth(armature: Armature, character: Character, role: str, names: Collection[str]) -> float:
    """Return how far bones that a link carries, by their names, and their skin are below the ground, m."""
    if not names:
        return 0.0
    points = np.array([armature.bones[armature.index[name]].head for name in names])
    points = np.concatenate((points, _skin_of(armature, names)))
    low = -float(_heights(armature, character, role, points).min())
    return low if low > TOUCHING * character.leg_length else 0.0


def _skin_of(armature: Armature, names: Collection[str]) -> Array:
    """Return the points (N, 3), armature space, of the skin that bones carry."""
    return armature.skin.carried_by(names) if armature.skin is not None and names else np.zeros((0, 3))


def _heights(armature: Armature, character: Character, role: str, points: Array) -> Array:
    """Return how high above the ground points (N, 3), armature space, are that a link carries as it stands (N,), m."""
    i = character.index(role)
    link = character.links[i]
    first = armature.bones[armature.index[link.bones[0]]].head
    turned = armature.scale * (points - first) @ quaternion_matrix(np.array(link.rest))
    own = float(character.standing()[0][i][2]) + (character.hip_bone_offset[2] if link.parent < 0 else 0.0)
    return np.asarray(own + turned[:, 2])


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
