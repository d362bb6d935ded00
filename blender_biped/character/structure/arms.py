"""Arms: the longest mirrored limb on the spine that does not stand, cut at clavicle, elbow and wrist."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from .limbs import Limb, with_skin
from .skeleton import Skeleton
from .standing import four_legs_error, joint_of, rises
from .symmetry import Symmetry

_SHORTEST = 0.12  # of the height: a limb that is shorter is no arm
_SHORT_CLAVICLE = 0.75  # of the upper arm
_CLAVICLE_INSIDE = 0.4  # of the shoulder's distance from the middle: where a clavicle begins
_FINGERS = 0.2  # of the arm to the wrist: bones beyond it
_STANDS = 0.25  # of the hip's height: an arm that comes down lower bears weight


@dataclass(frozen=True)
class ArmBones:
    """The bones of an arm; clavicle, forearm and hand may be none. root: the chain's first bone.

    unsure: whether that one may be a clavicle as well as an upper arm.
    """

    root: int
    clavicle: tuple[int, ...]
    upper_arm: tuple[int, ...]
    forearm: tuple[int, ...] = ()
    hand: tuple[int, ...] = ()
    unsure: bool = False


def find_arm(symmetry: Symmetry, limbs: Sequence[Limb], leg: Limb, pelvis: int) -> ArmBones | None:
    """Return the arm among the limbs of one side, None where there is none. pelvis: a bone that it hangs on."""
    skeleton = symmetry.skeleton
    own = set(leg.bones)
    best: tuple[float, Limb] | None = None
    for limb in with_skin(skeleton, [limb for limb in limbs if not own & set(limb.bones)]):
        if len(limb.bones) < 2:
            continue
        if pelvis not in skeleton.armature.ancestors(limb.bones[0]) or limb.bones[0] not in symmetry.partner:
            continue
        length = float(np.linalg.norm(np.diff(limb.points, axis=0), axis=1).sum())
        if length > _SHORTEST * skeleton.height and (best is None or length > best[0]):
            best = length, limb
    return None if best is None else arm_parts(symmetry, best[1], symmetry.aside(joint_of(symmetry, leg)))


def arm_parts(symmetry: Symmetry, limb: Limb, hip: float) -> ArmBones:
    """Return the parts of an arm: elbow and wrist where they cut it most as they cut people's arms.

    hip: how far a hip is from the middle. A short first bone that begins farther out need not be a clavicle: it is
    one where an arm without it is more like people's.
    """
    skeleton = symmetry.skeleton
    bones = list(limb.bones)
    branch = next((k for k, i in enumerate(bones) if k > 1 and _branches(skeleton, i)), len(bones) - 1)
    chain = bones[: branch + 1]  # up to the hand, or the tip of a single finger
    steps = [float(np.linalg.norm(skeleton.heads[b] - skeleton.heads[a])) for a, b in pairwise(chain)]
    off = [symmetry.aside(skeleton.heads[i]) for i in chain[:2]]
    inside = len(chain) > 3 and off[0] < _CLAVICLE_INSIDE * off[1]
    leads = len(chain) > 2 and (inside or steps[0] < _SHORT_CLAVICLE * max(steps[1:]))
    unsure = leads and not inside and off[0] > hip
    if unsure:
        leads = len(chain) > 3 and _cut(skeleton, chain[1:])[0] < _cut(skeleton, chain)[0]
    own = chain[1:] if leads else chain
    clavicle = tuple(chain[: len(chain) - len(own)])
    if len(own) < 3:  # no hand, or no elbow
        return ArmBones(bones[0], clavicle, tuple(own[:1]), tuple(own[1:]), (), unsure)
    _, elbow, wrist = _cut(skeleton, own)
    return ArmBones(bones[0], clavicle, tuple(own[:elbow]), tuple(own[elbow:wrist]), tuple(own[wrist:]), unsure)


def _cut(skeleton: Skeleton, chain: Sequence[int]) -> tuple[float, int, int]:
    """Return how unlike people's an arm of three bones or more is at best, and the places of its elbow and wrist."""
    steps = [float(np.linalg.norm(skeleton.heads[b] - skeleton.heads[a])) for a, b in pairwise(chain)]
    along = np.concatenate(([0.0], np.cumsum(steps)))

    def unlikeness(joints: tuple[int, int]) -> float:
        elbow, wrist = (float(along[i]) for i in joints)
        return abs(2.0 * elbow - wrist) + abs(float(along[-1]) - (1.0 + _FINGERS) * wrist)

    whole = len(chain) - 1
    wrists = [whole] if _branches(skeleton, chain[-1]) else range(2, whole + 1)
    elbow, wrist = min(((e, w) for w in wrists for e in range(1, w)), key=unlikeness)
    return unlikeness((elbow, wrist)) / max(float(along[-1]), 1e-12), elbow, wrist


def _branches(skeleton: Skeleton, bone: int) -> bool:
    """Return whether several bones go on from one, as a hand's fingers do.

    Ends beside the only one that goes on are twist bones beside a hand, or something that is held.
    """
    going = [skeleton.reaches[c] > 0.0 for c in skeleton.children(bone)]
    return len(going) > 1 and sum(going) != 1


def check_arm_hangs(symmetry: Symmetry, leg: Limb, arm: ArmBones) -> None:
    """Raise FourLegsError for an animal that stands on its arms too: they come down before a trunk that is level."""
    skeleton = symmetry.skeleton
    hips, shoulders = skeleton.heads[leg.bones[0]], skeleton.heads[arm.upper_arm[0]]
    hip = float(hips @ skeleton.up) - skeleton.ground
    lowest = min(skeleton.heights[i] - skeleton.ground for i in (*arm.upper_arm, *arm.forearm, *arm.hand))
    if lowest < _STANDS * hip and not rises(hips, shoulders, skeleton.up):
        raise four_legs_error(skeleton.armature, f"its arms too ({skeleton.name(arm.root)} comes down to the ground)")
