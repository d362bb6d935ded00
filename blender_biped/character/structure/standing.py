"""On how many legs a skeleton stands: the pairs of limbs whose ends are on the ground in its rest pose.

Two such pairs are those of an animal where the trunk between them is level: without the front ones it would fall.
Where it rises from one pair to the other, the upper ones are arms, however far they hang down. Where it is level and
the front limbs end in hands, it is a person or an ape on all fours.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ...base.spatial import Array
from ..armature import Armature
from ..naming import is_helper, words
from .limbs import Limb, with_skin
from .skeleton import FourLegsError, Skeleton
from .symmetry import Symmetry

_GROUND = 0.16  # of the height: a limb that ends below reaches the ground
_DROP = 0.15  # of the height: the least that a leg comes down
_HIGH = 0.7  # of the height: what ends above has no foot
_FALL, _ASIDE = 0.4, 0.6  # of the way to the ground, of the fall: where the foot of a limb is that hangs elsewhere
_APART = 0.35  # of the height, fore and aft: ends that stand so far apart are those of several legs
_LEVEL = 0.2  # of the height, fore and aft: the same, where the joints that they hang on are as far apart
_TOGETHER = 0.15  # of the height: joints that are nearer to each other have no trunk between them
_LEAST_LEG = 0.4  # of what an arm that hangs to the ground comes down
_JOINT = 0.7  # of how far a limb is from the middle: nearer, its first bones only lead to the joint
_FINGERS = 4  # as many, and more than the feet have toes, are those of a hand
_NO_LIMB = re.compile(
    r"wing|jaw|^fins?$|^(?:hair|ponytail|pigtail|braid|skirt|dress|cape|cloak|ribbon|sleeve|ears?|horns?|tusks?)$"
    r"|髪|毛|スカート|マント|リボン|袖|头发|裙|披风"
)
_THUMB = re.compile(r"^(?:thumbs?|daumen|pulgar|polegar|pouce|pollice|kciuk)$|親指|拇指|엄지|большой")
_CURE = (
    "Biped Locomotion walks characters on two legs: if it has two, make a pose on both its rest pose "
    "(Pose > Apply > Apply Pose as Rest Pose), or pick its bones by hand in the Bones table."
)

ON_ALL_FOURS = "Its hands are on the ground in its rest pose: it walks upright, on its legs."
"""A doubt about a person or an ape on all fours."""


@dataclass(frozen=True, eq=False)
class _Standing:
    """A limb that stands. joint (3,): hip or shoulder. end (3,): the lowest that is known of it."""

    limb: Limb
    joint: Array
    end: Array


@dataclass(frozen=True, eq=False)
class OnGround:
    """What a body has on the ground besides its legs. arms: limbs that hang or reach down to it.

    fours: whether it stands on those, as a person or an ape on all fours.
    """

    arms: tuple[Limb, ...] = ()
    fours: bool = False


def on_the_ground(symmetry: Symmetry, limbs: Sequence[Limb]) -> OnGround:
    """Return what a body on two legs has on the ground besides them. limbs: of one side.

    Raises FourLegsError for an animal that stands on four legs or more.
    """
    skeleton = symmetry.skeleton
    standing = _standing(symmetry, limbs) or _standing(symmetry, limbs, stiff=True)
    legs = _legs(symmetry, standing)
    if len(legs) == 2:
        for arm, leg in (legs, legs[::-1]):
            if has_hands(skeleton.armature, arm.limb.bones[0], leg.limb.bones[0]):
                return OnGround((arm.limb,), True)
    if legs:
        names = ", ".join(skeleton.name(leg.limb.bones[0]) for leg in legs[:4])
        raise FourLegsError(
            f"Armature {skeleton.armature.name!r} stands on {2 * len(legs)} legs ({names} and those opposite). {_CURE}"
        )
    arms = (one.limb for one in standing if any(_hangs_above(skeleton, one, other) for other in standing))
    return OnGround(tuple(arms))


def _hangs_above(skeleton: Skeleton, arm: _Standing, leg: _Standing) -> bool:
    """Return whether the trunk rises from a leg to what may be an arm."""
    drops = [float((one.joint - one.end) @ skeleton.up) for one in (arm, leg)]
    return drops[1] > _LEAST_LEG * drops[0] and rises(leg.joint, arm.joint, skeleton.up, _TOGETHER * skeleton.height)


def four_legs_error(armature: Armature, what: str) -> FourLegsError:
    """Return the refusal of an animal. what: what it stands on."""
    return FourLegsError(f"Armature {armature.name!r} stands on {what}: an animal on four legs. {_CURE}")


def rises(hips: Array, shoulders: Array, up: Array, least: float = 0.0) -> bool:
    """Return whether a trunk rises by ``least`` and more than it reaches ahead, from hips (3,) to shoulders (3,).

    up (3,): unit.
    """
    way = shoulders - hips
    rise = float(way @ up)
    return rise > max(float(np.linalg.norm(way - rise * up)), least)


def joint_of(symmetry: Symmetry, limb: Limb) -> Array:
    """Return the hip or shoulder (3,) of a limb: bones before it lead there from the middle."""
    aside = [symmetry.aside(point) for point in limb.points]
    return np.asarray(next(p for p, far in zip(limb.points, aside, strict=True) if far >= _JOINT * np.median(aside)))


def has_hands(armature: Armature, arm: int, leg: int) -> bool:
    """Return whether an arm ends in a hand: with a thumb by name, or with more fingers than the leg has toes.

    arm, leg: their first bones.
    """
    own, others = (armature.below([armature.bones[i].name]) for i in (arm, leg))
    if any(_THUMB.search(word) for name in own for word in words(name)):
        return True
    fingers, toes = (_digits(armature, names) for names in (own, others))
    return fingers >= _FINGERS and fingers > toes


def _digits(armature: Armature, names: Iterable[str]) -> int:
    """Return how many chains of two bones or more go on from the one of some bones where most do."""

    def going(bone: int) -> list[int]:
        return [c for c in armature.children[bone] if not is_helper(armature.bones[c].name)]

    return max(sum(bool(going(c)) for c in going(armature.index[name])) for name in names)


def _standing(symmetry: Symmetry, limbs: Sequence[Limb], stiff: bool = False) -> list[_Standing]:
    """Return the limbs of one side that come down to the ground, whatever they are called. stiff: of one bone."""
    skeleton = symmetry.skeleton
    own = [limb for limb in limbs if not any(_NO_LIMB.search(w) for i in limb.bones for w in words(skeleton.name(i)))]
    own = [limb for limb in own if len(limb.bones) == 1 or not stiff]
    own = with_skin(skeleton, own) if own else []
    lows = [_lowest(skeleton, limb, stiff) for limb in own]
    ground = min([skeleton.ground, *(float(low @ skeleton.up) for low in lows)])
    height = float(skeleton.heights.max()) - ground
    feet = _feet(symmetry, own, ground)
    found = []
    for limb, low in zip(own, lows, strict=True):
        below = [foot for foot, above in feet if above is limb]
        end = min([low, *below], key=lambda point: float(point @ skeleton.up))
        heights = np.append(limb.points @ skeleton.up, end @ skeleton.up)
        on_ground = float(end @ skeleton.up) - ground < _GROUND * height
        if on_ground and float(np.ptp(heights)) > _DROP * height:
            found.append(_Standing(limb, joint_of(symmetry, limb), end))
    return found


def _lowest(skeleton: Skeleton, limb: Limb, any_tail: bool) -> Array:
    """Return the lowest point (3,) that is known of a limb: of its skin, else of its joints and its tip.

    any_tail: though it is as long as no importer's made-up one would be believed.
    """
    skin = skeleton.armature.skin
    own = [*limb.points]
    carried = skin.carried_by(tuple(skeleton.name(i) for i in limb.bones)) if skin else ()
    tip = skeleton.armature.bones[limb.bones[-1]].tail if any_tail else skeleton.tip(limb.bones[-1])
    own += [*carried] if len(carried) else [tip] if tip is not None else []
    return min(own, key=lambda point: float(point @ skeleton.up))


def _feet(symmetry: Symmetry, limbs: Sequence[Limb], ground: float) -> list[tuple[Array, Limb]]:
    """Return the feet that hang elsewhere, as targets of solvers do, each with the limb that it is below."""
    skeleton = symmetry.skeleton
    up, height = skeleton.up, float(skeleton.heights.max()) - ground
    targets = [i for i in range(len(skeleton.heads)) if skeleton.helper[i]]
    loose = [*targets, *(limb.bones[0] for limb in limbs if len(limb.bones) <= 2)]
    found = []
    for i in loose:
        head = skeleton.heads[i]
        if float(head @ up) - ground > _GROUND * height:
            continue
        above = []
        for limb in limbs:
            last = limb.points[len(limb.bones) - 1]
            gap, fall = float(last @ up) - ground, float((last - head) @ up)
            aside = float(np.linalg.norm(last - head - fall * up))
            near = _FALL * gap < fall and aside < _ASIDE * fall and gap < _HIGH * height
            if near and i not in limb.bones and skeleton.armature.bones[i].parent not in limb.bones:
                above.append((aside, limb))
        if above:
            found.append((head, min(above, key=lambda pair: pair[0])[1]))
    return found


def _legs(symmetry: Symmetry, standing: Sequence[_Standing]) -> list[_Standing]:
    """Return the limbs that stand before or behind another one under a level trunk, from back to front or so."""
    skeleton, ahead = symmetry.skeleton, symmetry.forward
    height = skeleton.height

    def several(one: _Standing, other: _Standing) -> bool:
        way, ends = other.joint - one.joint, abs(float((other.end - one.end) @ ahead))
        level, rise = abs(float(way @ ahead)), abs(float(way @ skeleton.up))
        if rise > max(level, _TOGETHER * height):
            return False
        return ends > _APART * height or min(level, ends) > _LEVEL * height

    found = [one for one in standing if any(several(one, other) for other in standing)]
    return sorted(found, key=lambda one: float(one.end @ ahead))
