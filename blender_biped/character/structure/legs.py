"""Legs: a mirrored limb that comes down to the ground, cut at knee and ankle."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from ...base.errors import RigError
from ...base.spatial import Array
from ..naming import words
from .limbs import Limb, chain_from, with_skin
from .skeleton import KneelessError, Skeleton, check_direction, upward_legs_error
from .symmetry import Symmetry

_GROUND = 0.16  # of the height: a limb that ends below reaches the ground
_DROP = 0.15  # of the height: the least that a leg comes down
_HIGH = 0.7  # of the height: what ends above has no foot
_FOOT = 0.23  # of a leg's height: its foot is below
_KNEE = 0.1  # of a leg: what begins lower above its end is a foot, and no knee
_SHIN = 0.5  # of the bone before: what a leg's last bone comes down at least where it is no foot
_STEEP = 0.5  # cosine: a bone from the middle to a hip that comes down more is a thigh
_BESIDE = 0.03  # of the height, fore and aft: toes that begin so near to each other are beside one another
_NO_LEG = re.compile(
    r"arm(?!at|or)|hand|finger|thumb|wrist|elbow|clavicle|shoulder|wing|jaw|^fins?$"
    r"|^(?:hair|ponytail|pigtail|braid|skirt|dress|cape|cloak|ribbon|sleeve)|髪|毛|スカート|マント|リボン|袖|头发|裙|披风"
)  # words that no leg has


@dataclass(frozen=True)
class LegParts:
    """The bones of a leg; spreader (from the middle to the hip, rigid with the pelvis), foot and toes may be none."""

    spreader: tuple[int, ...]
    thigh: tuple[int, ...]
    shin: tuple[int, ...]
    foot: tuple[int, ...] = ()
    toes: tuple[int, ...] = ()


def find_leg(symmetry: Symmetry, limbs: Sequence[Limb]) -> Limb:
    """Return the leg among the limbs of one side: of those that stand, the one that comes down farthest.

    Raises RigError for none, KneelessError where single bones stand in their place, UpwardLegsError for bones that
    begin below.
    """
    skeleton = symmetry.skeleton
    standing = [found for limb in limbs if (found := _as_leg(skeleton, limb, limbs)) is not None]
    standing = with_skin(skeleton, standing)
    if not standing:
        stiff = _stiff_leg(skeleton, limbs)
        if stiff is not None:
            raise _kneeless(symmetry, stiff)
        raise RigError(
            f"Armature {skeleton.armature.name!r} ({len(skeleton.armature.bones)} bones): no legs found: no mirrored "
            "pair of bone chains comes down to the ground. Pick the bones by hand in the Bones table."
        )
    best = max(standing, key=lambda limb: float(skeleton.heights[limb.bones[0]] - (limb.points @ skeleton.up).min()))
    _check_downwards(skeleton, best)
    return best


def _check_downwards(skeleton: Skeleton, leg: Limb) -> None:
    """Raise UpwardLegsError for a leg whose bones begin at the lower end, or that begins at the foot."""
    for upper, lower in pairwise(leg.bones):
        check_direction(skeleton.armature, upper, lower)
    if _rises(skeleton, leg):
        raise upward_legs_error(skeleton.armature, *(skeleton.name(i) for i in leg.bones[:2]))


def _rises(skeleton: Skeleton, limb: Limb) -> bool:
    """Return whether a limb goes up from its first bone as far as a leg comes down at least."""
    return bool(skeleton.heights[limb.bones[-1]] - skeleton.heights[limb.bones[0]] > _DROP * skeleton.height)


def with_foot_ahead(symmetry: Symmetry, parts: LegParts, forward: Array) -> LegParts:
    """Return a leg with the foot that points along ``forward`` (3,), where the one that was found points back.

    That one was a spur, and the other one hangs on the same joint.
    """
    skeleton = symmetry.skeleton

    def ahead(bones: tuple[int, ...]) -> float:
        end = skeleton.tip(bones[-1])
        return float(((skeleton.heads[bones[-1]] if end is None else end) - skeleton.heads[bones[0]]) @ forward)

    if not parts.foot or ahead((*parts.foot, *parts.toes)) >= 0.0:
        return parts
    others = [c for c in skeleton.children(parts.shin[-1]) if c not in parts.foot]
    found = [chain for c in others if ahead(chain := chain_from(skeleton, c)) > 0.0]
    if not found:
        return parts
    best = max(found, key=ahead)
    return replace(parts, foot=best[:1], toes=best[1:])


def _stiff_leg(skeleton: Skeleton, limbs: Sequence[Limb]) -> int | None:
    """Return the bone that alone comes down to the ground as a leg does; None where there is none."""
    lasts = [i for i in range(len(skeleton.heads)) if not skeleton.children(i) and not skeleton.helper[i]]
    ground = min([skeleton.ground, *(skeleton.low(i) for i in lasts)])
    height = skeleton.height + skeleton.ground - ground
    drops = {}
    for limb in limbs:
        bone, low = limb.bones[0], skeleton.low(limb.bones[-1])
        named_otherwise = any(_NO_LEG.search(word) for word in words(skeleton.name(bone)))
        if len(limb.bones) == 1 and not named_otherwise and low - ground < _GROUND * height:
            drops[bone] = float(skeleton.heights[bone]) - low
    longest = max(drops, key=lambda i: drops[i], default=None)
    return longest if longest is not None and drops[longest] > _DROP * height else None


def _kneeless(symmetry: Symmetry, bone: int) -> KneelessError:
    """Return the refusal of legs that have only one bone each."""
    skeleton = symmetry.skeleton
    pair = ", ".join(skeleton.name(i) for i in (bone, *symmetry.opposite((bone,))))
    return KneelessError(
        f"Armature {skeleton.armature.name!r}: its legs have only one bone each, so they have no knee: {pair}. "
        "Cut each in two in Edit mode (Subdivide), and give the lower half the skin below the knee."
    )


def _as_leg(skeleton: Skeleton, limb: Limb, limbs: Sequence[Limb]) -> Limb | None:
    """Return a limb that comes down to the ground, with its foot where that hangs elsewhere; None for others."""
    heights = limb.points @ skeleton.up
    if any(_NO_LEG.search(word) for i in limb.bones for word in words(skeleton.name(i))):
        return None
    if len(limb.bones) < 2 or float(np.ptp(heights)) < 0.5 * _DROP * skeleton.height:
        return None
    with_foot = _with_foot(skeleton, limb, limbs)
    if with_foot is None and float(heights.min()) - skeleton.ground > _GROUND * skeleton.height:
        return None
    leg = with_foot or limb
    return leg if float(np.ptp(leg.points @ skeleton.up)) > _DROP * skeleton.height else None


def _with_foot(skeleton: Skeleton, limb: Limb, limbs: Sequence[Limb]) -> Limb | None:
    """Return a limb with the foot below it that hangs on nothing or on a root; None when there is none."""
    last = limb.points[len(limb.bones) - 1]
    gap = float(last @ skeleton.up) - skeleton.ground
    for other in limbs if gap < _HIGH * skeleton.height else ():
        head = skeleton.heads[other.bones[0]]
        fall = float((last - head) @ skeleton.up)
        aside = float(np.linalg.norm(last - head - fall * skeleton.up))
        low = float(head @ skeleton.up) - skeleton.ground < _GROUND * skeleton.height
        hangs_on_leg = skeleton.armature.bones[other.bones[0]].parent in limb.bones
        if (
            other is not limb
            and low
            and not _rises(skeleton, other)
            and not hangs_on_leg
            and fall > 0.4 * gap
            and aside < 0.6 * fall
        ):
            bones = limb.bones + other.bones
            points = np.concatenate((limb.points[: len(limb.bones)], other.points))
            return Limb(bones, points, len(limb.bones))
    return None


def leg_parts(symmetry: Symmetry, leg: Limb) -> LegParts:
    """Return the parts of a leg: the foot begins at the last joint near the ground, the knee halves what is above.

    Raises KneelessError for a leg without a knee.
    """
    skeleton = symmetry.skeleton
    bones, points = list(leg.bones), leg.points
    count, first = len(bones), int(_has_spreader(symmetry, leg))
    heights = points[:count] @ skeleton.up - skeleton.ground
    hip = max(float(heights[first]), 1e-9)
    ankle = leg.foot
    if ankle < 0:
        low = [i for i in range(first + 2, count) if heights[i] < _FOOT * hip]
        ankle = low[0] if low else count
    steps = np.linalg.norm(np.diff(points[: ankle + 1], axis=0), axis=1)
    along = np.concatenate((np.zeros(first + 1), np.cumsum(steps[first:])))
    joints = range(first + 1, min(ankle, count))
    if not joints:
        raise _kneeless(symmetry, bones[first])
    knee = min(joints, key=lambda i: abs(2.0 * along[i] - along[-1]))
    if ankle == count:
        end = skeleton.low(bones[-1])
        if float(points[knee] @ skeleton.up) - end < _KNEE * (float(points[first] @ skeleton.up) - end):  # it is a foot
            raise _kneeless(symmetry, bones[first])
    foot_end = min(ankle + 1, count)
    toes = bones[foot_end:]
    if toes:
        toes += [c for c in skeleton.armature.children[bones[ankle]] if _is_toe(symmetry, c, toes[0])]
    return LegParts(*(tuple(part) for part in (
        bones[:first], bones[first:knee], bones[knee:ankle], bones[ankle:foot_end], toes,
    )))  # fmt: skip


def _has_spreader(symmetry: Symmetry, leg: Limb) -> bool:
    """Return whether a leg's first bone only leads from the middle to the hip."""
    if len(leg.bones) < 3 or (len(leg.bones) == 3 and not _ends_in_a_shin(symmetry.skeleton, leg)):
        return False
    way = leg.points[1] - leg.points[0]
    length = float(np.linalg.norm(way))
    nearer = symmetry.aside(leg.points[0]) < 0.6 * symmetry.aside(leg.points[1])
    return nearer and length > 0.0 and bool(-way @ symmetry.skeleton.up < _STEEP * length)


def _ends_in_a_shin(skeleton: Skeleton, leg: Limb) -> bool:
    """Return whether a leg has no foot: its last bone comes down as far as a shin under its thigh does."""
    before, last = leg.bones[-2:]
    thigh = float(np.linalg.norm(skeleton.heads[last] - skeleton.heads[before]))
    return leg.foot < 0 and float(skeleton.heights[last]) - skeleton.low(last) > _SHIN * thigh


def _is_toe(symmetry: Symmetry, bone: int, first: int) -> bool:
    """Return whether a child of the foot is another toe beside its first one."""
    skeleton = symmetry.skeleton
    ahead, own = ((skeleton.heads[i] @ symmetry.forward) for i in (bone, first))
    near = abs(ahead - own) < _BESIDE * skeleton.height
    low = skeleton.heights[bone] - skeleton.ground < 0.5 * _GROUND * skeleton.height
    return bone != first and bool(near) and bool(low) and not skeleton.helper[bone]
