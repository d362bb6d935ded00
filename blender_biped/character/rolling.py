"""How far before the toes' joint a foot's sole goes on, by the skin that turns with the foot as it rolls over its toes.

Skin goes over from foot to toes beyond the joint: what of it turns with the foot would sink into the ground under toes
that lie flat. A sole that goes on to there rolls over its own end, and the joint is lifted.
"""

from __future__ import annotations

import math

from ..base.spatial import Array, rotate
from .armature import Armature
from .conflicts import moved_with
from .mapping import RigMap
from .posture import StandingRig
from .proportions import Foot

_ROLLS = tuple(math.radians(angle) for angle in (15.0, 25.0, 35.0, 45.0, 55.0))  # heel up, of a foot that pushes off
_SINKS = 0.002  # of the leg: skin that goes no deeper may
_MOST = 0.5  # of the toes: what is left of them bends
_FEWEST_POINTS = 8  # of the toes' skin, below which it does not tell


def beyond(armature: Armature, rig_map: RigMap, pose: StandingRig, foot: Foot, side: str) -> float:
    """Return how far the sole of a foot goes on before its ball, m; 0 where no skin bends there.

    pose: the body's. foot: on that side.
    """
    roles = [f"{part}.{side}" for part in ("foot", "toes")]
    if armature.skin is None or any(role not in rig_map.bones for role in roles):
        return 0.0
    shares = armature.skin.shares([moved_with(rig_map.bones, armature, role) for role in roles])
    own = shares.sum(axis=1) > 0.5
    share = shares[own, 0] / shares[own].sum(axis=1)
    if (share < 0.5).sum() < _FEWEST_POINTS:
        return 0.0
    points = armature.scale * (armature.skin.points[own] @ pose.axes) - pose.heads[roles[1]]
    ahead, _, up = rotate(pose.turns[roles[0]], points).T
    above = up + foot.drop + float(pose.offset(roles[1], roles[0])[2])
    found = max(_needed((ahead, up, above), share, _SINKS * pose.leg, roll) for roll in _ROLLS)
    return min(max(found, 0.0), _MOST * foot.toes)


def _needed(points: tuple[Array, Array, Array], share: Array, sinks: float, roll: float) -> float:
    """Return how far a sole must go on, m, for its skin to sink no deeper than ``sinks``, m, once it is rolled up, rad.

    points: how far they are before and above the toes' joint, and above the sole (N,), m. share (N,): of them that
    turns with the foot. Their other share stays where it is, as toes do that lie flat.
    """
    ahead, up, above = points
    s, c = math.sin(roll), math.cos(roll)
    low = float((above + share * (up * (c - 1.0) - ahead * s)).min())
    joint = float((above - up)[0])
    return (joint * (1.0 - c) - low - sinks) / s
