"""Limbs: the chains of bones that begin at the middle of the body, on one side."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...base.spatial import Array
from .skeleton import Skeleton
from .symmetry import Symmetry

_LIMB = 0.25  # of the height: a chain so long below a bone is a limb


@dataclass(frozen=True, eq=False)
class Limb:
    """A chain of bones from the body outwards. bones: their places; points (N, 3): their heads, and the end if known.

    foot: the place in ``bones`` of one that hangs elsewhere (an IK target), -1 for none.
    """

    bones: tuple[int, ...]
    points: Array
    foot: int = -1


def limbs_of(symmetry: Symmetry) -> list[Limb]:
    """Return the chains on the positive side that begin at the middle of the body, or hang on nothing."""
    skeleton = symmetry.skeleton
    found: list[Limb] = []
    for i, other in symmetry.partner.items():
        if skeleton.helper[i] or symmetry.mean_place(i) <= symmetry.mean_place(other):
            continue
        parent = skeleton.armature.bones[i].parent
        if parent < 0 or parent not in symmetry.partner:
            found.extend(_limb(skeleton, root) for root in _roots(skeleton, i))
    return found


def _roots(skeleton: Skeleton, bone: int) -> list[int]:
    """Return the bone, or its children where it only holds several limbs together."""
    below = [c for c in skeleton.children(bone) if skeleton.reaches[c] > _LIMB * skeleton.height]
    return below if len(below) > 1 else [bone]


def _limb(skeleton: Skeleton, root: int) -> Limb:
    """Return the chain from a bone to the farthest one below."""
    bones, at = [root], root
    while below := skeleton.children(at):
        at = max(below, key=lambda c: float(skeleton.reaches[c]))
        bones.append(at)
    points = [skeleton.heads[i] for i in bones]
    end = skeleton.end(bones[-1])
    if end is not None:
        points.append(end)
    return Limb(tuple(bones), np.array(points))
