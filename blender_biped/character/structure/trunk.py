"""The middle of the body: the pelvis that carries both legs, the spine to the arms, and the head beyond them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...base.errors import RigError
from ..naming import words
from .arms import ArmBones
from .limbs import Limb
from .skeleton import Skeleton
from .symmetry import Symmetry

_ABOVE = 0.01  # of the height: what begins so far above the shoulders is a neck
_LEAST_TRUNK = 0.06  # of the leg: a neck nearer to the hips has no trunk below it
_LEAST_BODY, _LEAST_SHARE = 0.002, 0.1  # of all skin, and of what moves with the bone beside: less is no trunk
_NEAR = 0.5  # of the leg: how far the bone that carries the legs may be from the hips


@dataclass(frozen=True)
class Trunk:
    """The bones between the sides above the pelvis, each from below; any of them may be none. head: with the neck."""

    abdomen: tuple[int, ...]
    chest: tuple[int, ...]
    head: tuple[int, ...]


def find_pelvis(symmetry: Symmetry, leg: Limb) -> int:
    """Return the bone that carries both legs; where that is a root far from them, the nearest one in the middle.

    Raises RigError where there is none.
    """
    skeleton = symmetry.skeleton
    ancestors, heads, heights, ground = skeleton.armature.ancestors, skeleton.heads, skeleton.heights, skeleton.ground
    root = leg.bones[0]
    other = symmetry.partner.get(root, root)  # a doubled bone has lost its twin
    above = ancestors(other)
    hips = 0.5 * (heads[root] + heads[other])
    leg_length = float(hips @ skeleton.up) - ground
    for i in ancestors(root):
        near = float(np.linalg.norm(heads[i] - hips)) < _NEAR * leg_length
        in_body = float(heights[i]) - ground > 0.5 * leg_length  # no root on the ground
        if i in above and (near or in_body):
            return i
    central = [
        i for i in range(len(heads))
        if i not in symmetry.partner and not skeleton.helper[i] and heights[i] - ground > _NEAR * leg_length
    ]  # fmt: skip
    if not central:
        raise RigError(
            f"Armature {skeleton.armature.name!r}: no bone between the legs carries them, so there are no hips. "
            "Pick the bone that moves the whole body as Pelvis in the Bones table."
        )
    return min(central, key=lambda i: (float(np.linalg.norm(heads[i] - hips)), -float(skeleton.reaches[i])))


def find_trunk(symmetry: Symmetry, pelvis: int, leg: Limb, arm: ArmBones | None) -> Trunk:
    """Return the trunk above a pelvis; where no arms end the spine, a bone named neck or head does, or the last one.

    A body without a trunk is all pelvis: then it has none of them.
    """
    skeleton = symmetry.skeleton
    spine = _way_to(symmetry, pelvis, arm) if arm else []
    at = spine[-1] if spine else pelvis
    rest: list[int] = []
    while True:
        below = [c for c in skeleton.children(at) if c not in symmetry.partner and c not in leg.bones]
        if not spine:  # of tail and trunk, the trunk goes up
            below = _with_body(skeleton, [c for c in below if skeleton.rise(c) > 0.0])
        if not below:
            break
        at = max(below, key=skeleton.rise)
        rest.append(at)
    if arm:
        spine, necks = _below_shoulders(symmetry, spine, arm, ends=not rest)
        rest = [*necks, *rest]
    if not spine:
        named = (k for k, i in enumerate(rest) if not {"neck", "head"}.isdisjoint(words(skeleton.name(i))))
        neck = next(named, max(len(rest) - 1, 1))
        spine, rest = rest[:neck], rest[neck:]
    if _at_the_hips(symmetry, leg, rest[0] if rest else spine[-1] if spine else pelvis):
        return Trunk((), (), ())
    cut = max(len(spine) - max(len(spine) // 2, 1), 0)
    return Trunk(tuple(spine[:cut]), tuple(spine[cut:]), tuple(rest))


def _with_body(skeleton: Skeleton, bones: list[int]) -> list[int]:
    """Return those of the bones beside each other that may be a trunk: an eye or a weapon moves next to no skin."""
    shares = {bone: skeleton.moved_skin(bone) for bone in bones}
    least = max(_LEAST_BODY, _LEAST_SHARE * max(shares.values(), default=0.0))
    return [bone for bone in bones if shares[bone] > least]


def _at_the_hips(symmetry: Symmetry, leg: Limb, neck: int) -> bool:
    """Return whether what would be the neck begins at the hips, so that there is no trunk: a ball on legs."""
    heads, root = symmetry.skeleton.heads, leg.bones[0]
    hips = 0.5 * (heads[root] + heads[symmetry.partner.get(root, root)])
    reach = float(np.linalg.norm(np.diff(leg.points, axis=0), axis=1).sum())
    return float(np.linalg.norm(heads[neck] - hips)) < _LEAST_TRUNK * reach


def _below_shoulders(symmetry: Symmetry, spine: list[int], arm: ArmBones, ends: bool) -> tuple[list[int], list[int]]:
    """Return a spine up to the shoulders, and its bones that begin above: arms may hang on a neck.

    ends: whether nothing goes on beyond: then a last bone that reaches higher above the shoulders than it begins
    below them is neck and head.
    """
    skeleton = symmetry.skeleton
    heights = skeleton.heights
    level = max(float(heights[arm.root]), float(heights[arm.upper_arm[0]]))
    end = len(spine)
    while end > 1 and heights[spine[end - 1]] > level + _ABOVE * skeleton.height:
        end -= 1
    if ends and end == len(spine) > 1:
        tail = skeleton.tail(spine[-1])
        end -= tail is not None and float(tail @ skeleton.up) - level > level - heights[spine[-1]]
    return spine[:end], spine[end:]


def _way_to(symmetry: Symmetry, pelvis: int, arm: ArmBones) -> list[int]:
    """Return the bones from a pelvis, without it, to what carries an arm."""
    ancestors = symmetry.skeleton.armature.ancestors
    return [i for i in reversed(ancestors(arm.root)) if pelvis in ancestors(i)]
