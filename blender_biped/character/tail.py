"""Tails: bones behind the pelvis that are no mapped part, but weigh."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..base.spatial import Array
from .armature import Armature
from .mapping import RigMap
from .naming import is_helper
from .posture import StandingRig

_FEWEST = 3  # bones of a tail
_LONG = 0.5  # of the leg: a tail is at least so long
_CENTER = 0.25  # of its length from its root: a cone's


@dataclass(frozen=True)
class Tail:
    """A tail that is carried rigidly by the pelvis. center (3,): its centre of mass from the mid-hip, body axes, m.

    length: m. share: of the body's mass. bones: places of its bones in the armature, from its root on.
    """

    center: Array
    length: float
    share: float = 0.0
    bones: tuple[int, ...] = ()


def tail_of(armature: Armature, rig_map: RigMap, pose: StandingRig) -> Tail | None:
    """Return the longest chain of unmapped bones that points back from the pelvis, None where there is none."""
    mapped = {name for names in rig_map.bones.values() for name in names}
    pelvis = armature.index[rig_map.bones["pelvis"][0]]
    stack = [(c, [c]) for c in armature.children[pelvis]]
    best: Tail | None = None
    while stack:
        at, chain = stack.pop()
        bone = armature.bones[at]
        if bone.name in mapped or is_helper(bone.name):
            continue
        stack.extend((c, [*chain, c]) for c in armature.children[at])
        tail = _tail(armature, pose, chain)
        if tail and (best is None or tail.length > best.length):
            best = tail
    return best


def _tail(armature: Armature, pose: StandingRig, chain: list[int]) -> Tail | None:
    if len(chain) < _FEWEST:
        return None
    points = armature.scale * np.array([armature.bones[i].head for i in chain]) @ pose.axes - pose.heads["pelvis"]
    length = float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())
    if length < _LONG * pose.leg or points[-1, 0] - points[0, 0] > -0.5 * length:
        return None
    along = np.concatenate(([0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))))
    center = np.array([np.interp(_CENTER * length, along, column) for column in points.T])
    return Tail(center, length, bones=tuple(chain))
