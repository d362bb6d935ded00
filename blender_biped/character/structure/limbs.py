"""Limbs: the chains of bones that begin at the middle of the body, on one side."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...base.spatial import Array
from ..naming import words
from .skeleton import Skeleton
from .symmetry import Symmetry

_FOOT = re.compile(r"^(?:foot|feet|ankle|toes?|ball|paw|hoof|fuss|fuesse|pie|tobillo)$|足首|脚|腳|つま先")
_SPUR = re.compile(r"^(?:spur|heel|hallux|dewclaw|ferse|sporn|espolon)$|かかと|踵")
_LEAST_SKIN = 0.1  # of the skin of the limb that carries most: one with less only lies beside it
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
    bones = chain_from(skeleton, root)
    points = [skeleton.heads[i] for i in bones]
    end = skeleton.end(bones[-1])
    if end is not None:
        points.append(end)
    return Limb(bones, np.array(points))


def with_skin(skeleton: Skeleton, limbs: Sequence[Limb]) -> list[Limb]:
    """Return the limbs without those that carry next to nothing of the skin of the one that carries most."""
    amounts = [sum(skeleton.skin(i) for i in limb.bones) for limb in limbs]
    return [limb for limb, own in zip(limbs, amounts, strict=True) if own >= _LEAST_SKIN * max(amounts)]


def chain_from(skeleton: Skeleton, root: int) -> tuple[int, ...]:
    """Return the bones from one to the farthest below; those named as a foot go before, spurs and heels behind."""
    bones, at = [root], root
    while below := skeleton.children(at):
        at = max(below, key=lambda c: (_is_foot(skeleton.name(c)), float(skeleton.reaches[c])))
        bones.append(at)
    return tuple(bones)


def _is_foot(name: str) -> int:
    """Return 1 for the name of a foot, -1 for that of a spur or a heel, which goes on behind it, else 0."""
    found = words(name)
    if any(_SPUR.search(word) for word in found):
        return -1
    return int(any(_FOOT.search(word) for word in found))
