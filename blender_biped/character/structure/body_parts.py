"""All body parts that the shape of an armature shows.

A leg is one of a mirrored pair of bone chains that comes down from the middle of the body to the ground; an arm is
one that does not. The knee is the joint that halves a leg best, whatever twist bones or extra segments it has; the
foot begins at the last joint near the ground. The pelvis is the bone that carries both legs, the spine the way from
there to the arms, the head what goes on beyond them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ...base.errors import RigError
from ...base.spatial import Array, normalized
from ..armature import Armature
from ..conventions import Names
from ..mapping import REQUIRED
from ..model import SIDES, role_part
from .arms import ArmBones, check_arm_hangs, find_arm
from .facing import Facing, facing_of
from .legs import LegParts, find_leg, leg_parts, with_foot_ahead
from .limbs import limbs_of
from .skeleton import FourLegsError, Skeleton, UpwardLegsError
from .standing import ON_ALL_FOURS, on_the_ground
from .symmetry import Symmetry, symmetry_of
from .trunk import Trunk, find_pelvis, find_trunk

_FEWEST = 5
LYING = "It does not stand upright in the scene: up was taken along its legs. Check the arrow, or set Up."
"""A doubt about an armature whose rest pose lies or hangs."""

NO_TRUNK = "No trunk was found above the hips: all that is there moves with them."
NO_CLAVICLE = "It cannot be told where the arms begin: what seems to be a clavicle may be an upper arm, or the reverse."
"""A doubt about arms by shape, whose first bone is short and begins beside the trunk."""
_NO_FACING = "It cannot be seen which way the character faces: check the arrow, or set Facing."


@dataclass(frozen=True)
class BodyParts:
    """What the shape shows. bones: role -> bone names, as in RigMap. reasons: role -> why. doubts: sentences.

    symmetry: share of the bones beside the middle that have a partner, 0..1.
    """

    bones: dict[str, Names]
    reasons: dict[str, str]
    doubts: Names
    symmetry: float


def find_body_parts(armature: Armature) -> BodyParts:
    """Return the body parts of an armature by its shape.

    Raises RigError that says why it is no biped: not symmetric, no legs, more than two, or level on four.
    """
    if len(armature.bones) < _FEWEST:
        raise RigError(
            f"Armature {armature.name!r} has too few bones ({len(armature.bones)}) for a body on two legs: "
            "choose the armature of a character."
        )
    refusal: RigError | None = None
    for place, up in enumerate(_ups(armature)):
        try:
            found = _parts(Skeleton(armature, up), sure=place == 0)
            return found if place == 0 else replace(found, doubts=(*found.doubts, LYING))
        except (FourLegsError, UpwardLegsError):
            raise
        except RigError as error:
            refusal = refusal or error
    raise refusal or RigError(f"Armature {armature.name!r} has no size; choose the armature of a character.")


def _ups(armature: Armature) -> list[Array]:
    """Return directions (3,), armature space, that may be up: the world's vertical first, then the own axes."""
    vertical = normalized(np.linalg.pinv(armature.world[:3, :3]) @ (0.0, 0.0, 1.0))
    own = [np.array(axis) for axis in ((0.0, 0.0, 1.0), (0.0, 1.0, 0.0), (1.0, 0.0, 0.0))]
    return [vertical, *(a for a in own if abs(a @ vertical) < 0.99)]


def _parts(skeleton: Skeleton, sure: bool) -> BodyParts:
    """Return all parts. sure: whether ``up`` is; else the trunk must rise above the hips. Raises RigError."""
    symmetry = symmetry_of(skeleton)
    limbs = limbs_of(symmetry)
    besides = on_the_ground(symmetry, limbs)
    leg = find_leg(symmetry, [limb for limb in limbs if limb not in besides.arms])
    legs = leg_parts(symmetry, leg)
    pelvis = find_pelvis(symmetry, leg)
    arm = find_arm(symmetry, limbs, leg, pelvis)
    trunk = find_trunk(symmetry, pelvis, leg, arm)
    if arm and not besides.fours:
        check_arm_hangs(symmetry, leg, arm)
    upper = (*trunk.chest, *trunk.head)
    if not sure and not (upper and skeleton.heights[upper[-1]] > skeleton.heights[leg.bones[0]]):
        raise RigError(
            f"Armature {skeleton.armature.name!r} does not stand in its rest pose. "
            "Turn it upright, or pick the bones by hand in the Bones table."
        )
    facing = facing_of(symmetry, legs)
    legs = with_foot_ahead(symmetry, legs, facing.forward)
    roles = _limb_roles(symmetry, facing, legs, arm) | _middle_roles(symmetry, pelvis, legs, trunk, arm)
    bones = {role: tuple(skeleton.name(i) for i in own) for role, own in roles.items()}
    absent = [role for role in REQUIRED if role not in bones]
    if absent:
        raise RigError(
            f"Armature {skeleton.armature.name!r}: only one leg is whole; missing are {', '.join(absent)}. "
            "Pick the bones by hand in the Bones table."
        )
    reasons = {role: _REASONS[role_part(role)] for role in bones}
    whole = trunk.chest or trunk.head or arm
    said = (
        (_NO_FACING, not facing.known), (NO_TRUNK, not whole), (ON_ALL_FOURS, besides.fours),
        (NO_CLAVICLE, arm is not None and arm.unsure),
    )  # fmt: skip
    doubts = tuple(doubt for doubt, holds in said if holds)
    return BodyParts(bones, reasons, doubts, symmetry.share)


def _limb_roles(symmetry: Symmetry, facing: Facing, legs: LegParts, arm: ArmBones | None) -> dict[str, tuple[int, ...]]:
    """Return the parts of both sides that have a bone on either: role -> bones."""
    left = np.cross(symmetry.skeleton.up, facing.forward)
    positive = SIDES[0] if left @ symmetry.across > 0.0 else SIDES[1]
    parts = {"thigh": legs.thigh, "shin": legs.shin, "foot": legs.foot, "toes": legs.toes}
    if arm:
        parts |= {"upper_arm": arm.upper_arm, "forearm": arm.forearm, "hand": arm.hand}
    roles: dict[str, tuple[int, ...]] = {}
    for part, own in parts.items():
        other = symmetry.opposite(own)
        if own and other:
            roles |= {f"{part}.{side}": own if side == positive else other for side in SIDES}
    return roles


def _middle_roles(
    symmetry: Symmetry, pelvis: int, legs: LegParts, trunk: Trunk, arm: ArmBones | None
) -> dict[str, tuple[int, ...]]:
    """Return the parts in the middle that have a bone, with spreaders and clavicles: role -> bones."""
    clavicle = arm.clavicle if arm else ()
    roles = {
        "pelvis": (pelvis, *legs.spreader, *symmetry.opposite(legs.spreader)),
        "abdomen": trunk.abdomen,
        "chest": (*trunk.chest, *clavicle, *symmetry.opposite(clavicle)) if trunk.chest else (),
        "head": trunk.head,
    }
    return {role: own for role, own in roles.items() if own}


_REASONS = {
    "pelvis": "it carries both legs", "abdomen": "on the way from the pelvis to the arms, lower half",
    "chest": "carries the arms", "head": "above the arms, in the middle",
    "thigh": "first bone of a chain down to the ground", "shin": "from the joint that halves the leg",
    "foot": "begins near the ground", "toes": "on the ground, beyond the foot's bone",
    "upper_arm": "first bone of a mirrored chain on the trunk", "forearm": "from the joint that halves the arm",
    "hand": "end of the arm",
}  # fmt: skip
