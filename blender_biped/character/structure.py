"""Body parts by the shape of a skeleton: hierarchy, symmetry, and places above the ground. Names do not count.

A leg is one of a mirrored pair of bone chains that comes down from the middle of the body to the ground; an arm is
one that does not. The knee is the joint that halves a leg best, whatever twist bones or extra segments it has; the
foot begins at the last joint near the ground. The pelvis is the bone that carries both legs, the spine the way from
there to the arms, the head what goes on beyond them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np

from ..base.errors import RigError
from ..base.spatial import Array, normalized
from .armature import Armature
from .conventions import Names
from .mapping import REQUIRED
from .model import SIDES
from .naming import canonical, is_helper, words

_MIRRORED = 0.04  # of the height: how far a bone may be from its partner's mirror image
_ROUGHLY = 0.12  # of the height: the same where the hierarchy says that it is the partner
_OFF_CENTER = 0.01  # of the height: a bone nearer to the middle has no side
_SYMMETRIC = 0.4  # share of the bones beside the middle that must have a partner
_GROUND = 0.16  # of the height: a limb that ends below reaches the ground
_LIMB = 0.25  # of the height: a chain so long below a bone is a limb
_DROP = 0.15  # of the height: the least that a leg comes down
_FOOT = 0.23  # of a leg's height: its foot is below
_NEAR = 0.5  # of the leg: how far the bone that carries the legs may be from the hips
_STEEP = 0.5  # cosine: a bone from the middle to a hip that comes down more is a thigh
_APART = 0.35  # of the height, fore and aft: limbs that stand so far apart are those of an animal on four legs
_SHORT_CLAVICLE = 0.75  # of the upper arm
_CLAVICLE_INSIDE = 0.4  # of the shoulder's distance from the middle: where a clavicle begins
_ARM = re.compile(
    r"arm(?!at|or)|hand|finger|thumb|wrist|elbow|clavicle|shoulder|wing|jaw|^fins?$"
)  # names that no leg has
_FINGERS = 0.2  # of the arm to the wrist: bones beyond it


class FourLegsError(RigError):
    """An animal on four legs or more."""


@dataclass(frozen=True)
class Found:
    """What the shape tells. bones: role -> bone names, as in RigMap. reasons: role -> why. doubts: sentences."""

    bones: dict[str, Names]
    reasons: dict[str, str]
    doubts: Names
    symmetry: float


def find(armature: Armature) -> Found:
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
            found = _Skeleton(armature, up).found(sure=place == 0)
            return found if place == 0 else replace(found, doubts=(*found.doubts, _LYING))
        except FourLegsError:
            raise
        except RigError as error:
            refusal = refusal or error
    raise refusal or RigError(f"Armature {armature.name!r} has no size; choose the armature of a character.")


_FEWEST = 5
_LYING = "It does not stand upright in the scene: up was taken along its legs. Check the arrow, or set Up."


def _ups(armature: Armature) -> list[Array]:
    """Return directions (3,), armature space, that may be up: the world's vertical first, then the own axes."""
    vertical = normalized(np.linalg.pinv(armature.world[:3, :3]) @ (0.0, 0.0, 1.0))
    own = [np.array(axis) for axis in ((0.0, 0.0, 1.0), (0.0, 1.0, 0.0), (1.0, 0.0, 0.0))]
    return [vertical, *(a for a in own if abs(a @ vertical) < 0.99)]


@dataclass(frozen=True)
class _Limb:
    """A chain of bones from the body outwards. bones: their places; points (N, 3): their heads, and the end if known.

    foot: the place in ``bones`` of one that hangs elsewhere (an IK target), -1 for none.
    """

    bones: tuple[int, ...]
    points: Array
    foot: int = -1


class _Skeleton:
    """An armature seen with one direction as up: heights, sides, partners."""

    def __init__(self, armature: Armature, up: Array) -> None:
        self.armature = armature
        self.heads = np.array([bone.head for bone in armature.bones])
        self.up = up
        self.heights = self.heads @ up
        self.ground, self.top = float(self.heights.min()), float(self.heights.max())
        self.height = self.top - self.ground
        reach = float(np.ptp(self.heads, axis=0).max())
        if not self.height > 0.05 * reach or reach <= 0.0:
            raise RigError(f"Armature {armature.name!r} does not stand: its bones have no height. Choose another one.")
        self.names = [canonical(bone.name) for bone in armature.bones]
        self.helper = [is_helper(bone.name) for bone in armature.bones]
        self.across, self.middle, self.symmetry, self.partner = self._mirror()

    # -- symmetry

    def _mirror(self) -> tuple[Array, float, float, dict[int, int]]:
        """Return the axis (3,) from side to side, the middle along it, how symmetric it is, and who mirrors whom."""
        candidates = [self._by_names(), *(np.array(a) for a in np.eye(3)), *self._principal()]
        best: tuple[Array, float, float, dict[int, int]] | None = None
        for candidate in candidates:
            axis = candidate - (candidate @ self.up) * self.up
            if np.linalg.norm(axis) < 0.3:
                continue
            axis = normalized(axis)
            middle, share, partner = self._partners(axis)
            if best is None or share > best[2] + 0.05:
                best = axis, middle, share, partner
        if best is None or best[2] < _SYMMETRIC:
            raise RigError(
                f"Armature {self.armature.name!r}: no two sides mirror each other, so no legs are found. "
                "Pick the bones by hand in the Bones table."
            )
        return best

    def _by_names(self) -> Array:
        """Return the mean direction (3,) from bones named right to those named left; nothing when there are none."""
        places: dict[tuple[str, str], int] = {}
        for i, name in enumerate(self.names):
            places.setdefault(name, i)
        ways = [
            normalized(self.heads[i] - self.heads[places[stem, "R"]])
            for (stem, side), i in places.items()
            if side == "L" and (stem, "R") in places
        ]
        return np.asarray(np.mean(ways, axis=0)) if ways else np.zeros(3)

    def _principal(self) -> list[Array]:
        """Return the main horizontal directions of the skeleton, the widest first."""
        flat = self.heads - np.outer(self.heights, self.up)
        _, _, rows = np.linalg.svd(flat - flat.mean(axis=0), full_matrices=False)
        return list(rows[:2])

    def _partners(self, axis: Array) -> tuple[float, float, dict[int, int]]:
        beside = self.heads @ axis
        middle = float(np.median(beside))
        off = beside - middle
        sided = [i for i in np.flatnonzero(np.abs(off) > _OFF_CENTER * self.height) if not self.helper[i]]
        if len(sided) < 2:
            return middle, 0.0, {}
        mirrored = self.heads[sided] - 2.0 * off[sided, None] * axis
        far = np.linalg.norm(mirrored[:, None] - self.heads[None, sided], axis=2)
        depth = np.array([len(self.armature.ancestors(i)) for i in sided])
        far += 0.5 * _MIRRORED * self.height * np.abs(depth[:, None] - depth[None])
        stems = np.array([self.names[i][0] for i in sided])
        far += 0.1 * _MIRRORED * self.height * (stems[:, None] != stems[None])  # where bones begin at one place
        nearest = far.argmin(axis=1)
        partner = {
            int(sided[a]): int(sided[b])
            for a, b in enumerate(nearest)
            if a != b and nearest[b] == a and far[a, b] < _MIRRORED * self.height
        }
        return middle, len(partner) / len(sided), self._named_partners(axis, off) | partner

    def _named_partners(self, axis: Array, off: Array) -> dict[int, int]:
        """Return who mirrors whom by name and place: bones that begin too near to the middle to tell by place alone."""
        places = {name: i for i, name in reversed(list(enumerate(self.names))) if not self.helper[i]}
        found: dict[int, int] = {}
        for (stem, side), i in places.items():
            j = places.get((stem, "R"), -1) if side == "L" else -1
            if j >= 0 and np.linalg.norm(self.heads[i] - 2.0 * off[i] * axis - self.heads[j]) < _MIRRORED * self.height:
                found |= {i: j, j: i}
        return found

    # -- limbs

    @cached_property
    def limbs(self) -> list[_Limb]:
        """The chains on the positive side that begin at the middle of the body, or hang on nothing."""
        found: list[_Limb] = []
        for i, other in self.partner.items():
            if self.helper[i] or self._beside(i) <= self._beside(other):
                continue
            parent = self.armature.bones[i].parent
            if parent < 0 or parent not in self.partner:
                found.extend(self._limb(root) for root in self._limb_roots(i))
        return found

    def _beside(self, bone: int) -> float:
        """Return how far a bone and all below are to the positive side, on average: some pairs begin at one place."""
        all_below, stack = [], [bone]
        while stack:
            at = stack.pop()
            all_below.append(at)
            stack.extend(self.armature.children[at])
        return float(np.mean(self.heads[all_below] @ self.across))

    def _limb_roots(self, bone: int) -> list[int]:
        """Return the bone, or its children where it only holds several limbs together."""
        below = [c for c in self._kept_children(bone) if self._reach(c) > _LIMB * self.height]
        return below if len(below) > 1 else [bone]

    def _limb(self, root: int) -> _Limb:
        bones, at = [root], root
        while True:
            below = [c for c in self.armature.children[at] if not self.helper[c]]
            if not below:
                break
            at = max(below, key=self._reach)
            bones.append(at)
        points = [self.heads[i] for i in bones]
        end = self._end(bones[-1])
        if end is not None:
            points.append(end)
        return _Limb(tuple(bones), np.array(points))

    def _reach(self, bone: int) -> float:
        """Return how far the farthest bone below is along the bones, and a little for their number."""
        longest = 0.0
        for child in self.armature.children[bone]:
            longest = max(longest, float(np.linalg.norm(self.heads[child] - self.heads[bone])) + self._reach(child))
        return longest

    def _end(self, bone: int) -> Array | None:
        """Return the end (3,) of a chain's last bone, from a child that marks it; None where only a tail tells."""
        marks = list(self.armature.children[bone])
        return np.asarray(np.mean([self.heads[c] for c in marks], axis=0)) if marks else None

    def legs(self) -> _Limb:
        """Return the leg of the positive side. Raises RigError for none, or for more than two legs."""
        standing = [found for limb in self.limbs if (found := self._as_leg(limb)) is not None]
        if not standing:
            raise RigError(
                f"Armature {self.armature.name!r} ({len(self.armature.bones)} bones): no legs found: no mirrored pair "
                "of bone chains comes down to the ground. Pick the bones by hand in the Bones table."
            )
        forward = np.cross(self.across, self.up)
        places = [float(limb.points[-1] @ forward) for limb in standing]
        if len(standing) > 1 and max(places) - min(places) > _APART * self.height:
            raise FourLegsError(
                f"Armature {self.armature.name!r} stands on {2 * len(standing)} legs "
                f"({', '.join(self._name(limb.bones[0]) for limb in standing[:4])} and those opposite). "
                "Biped Locomotion walks characters on two legs."
            )
        return max(standing, key=lambda limb: float(self.heights[limb.bones[0]] - (limb.points @ self.up).min()))

    def _as_leg(self, limb: _Limb) -> _Limb | None:
        """Return a limb that comes down to the ground, with its foot where that hangs elsewhere; None for others."""
        heights = limb.points @ self.up
        if any(_ARM.search(word) for i in limb.bones for word in words(self._name(i))):
            return None
        if len(limb.bones) < 2 or float(np.ptp(heights)) < 0.5 * _DROP * self.height:
            return None
        with_foot = self._with_foot(limb)
        if with_foot is None and float(heights.min()) - self.ground > _GROUND * self.height:
            return None
        leg = with_foot or limb
        return leg if float(np.ptp(leg.points @ self.up)) > _DROP * self.height else None

    def _with_foot(self, limb: _Limb) -> _Limb | None:
        """Return a limb with the foot below it that hangs on nothing or on a root; None when there is none."""
        last = limb.points[len(limb.bones) - 1]
        gap = float(last @ self.up) - self.ground
        for other in self.limbs:
            head = self.heads[other.bones[0]]
            fall = float((last - head) @ self.up)
            aside = float(np.linalg.norm(last - head - fall * self.up))
            low = float(head @ self.up) - self.ground < _GROUND * self.height
            hangs_on_leg = self.armature.bones[other.bones[0]].parent in limb.bones
            if other is not limb and low and not hangs_on_leg and fall > 0.4 * gap and aside < 0.6 * fall:
                bones = limb.bones + other.bones
                points = np.concatenate((limb.points[: len(limb.bones)], other.points))
                return _Limb(bones, points, len(limb.bones))
        return None

    # -- parts

    def found(self, sure: bool = True) -> Found:
        """Return all parts. sure: whether ``up`` is; else the trunk must rise above the hips. Raises RigError."""
        leg = self.legs()
        doubts: list[str] = []
        spreader, thigh, shin, foot, toes = self._leg_parts(leg)
        if not thigh or not shin:
            raise RigError(
                f"Armature {self.armature.name!r}: its legs have only one bone, so they have no knee: "
                f"{self._name(leg.bones[0])}. Two bones a leg are the least that can walk."
            )
        pelvis = self._pelvis(leg)
        bones: dict[str, tuple[int, ...]] = {"thigh": thigh, "shin": shin, "foot": foot, "toes": toes}
        arm = self._arm(leg, pelvis)
        bones |= arm.parts if arm else {}
        abdomen, chest, head = self._trunk(pelvis, leg, arm)
        self._check_upright(leg, arm)
        upper = (*chest, *head)
        if not sure and not (upper and self.heights[upper[-1]] > self.heights[leg.bones[0]]):
            raise RigError(
                f"Armature {self.armature.name!r} does not stand in its rest pose. "
                "Turn it upright, or pick the bones by hand in the Bones table."
            )
        forward = self._forward(leg, foot, toes)
        left = np.cross(self.up, forward)
        positive = SIDES[0] if left @ self.across > 0.0 else SIDES[1]
        if not self.facing_known:
            doubts.append("Nothing tells which way it faces: check the arrow, or set Facing.")
        roles: dict[str, tuple[int, ...]] = {}
        for part, own in bones.items():
            other = self._opposite(own)
            if own and other:
                for side in SIDES:
                    roles[f"{part}.{side}"] = own if side == positive else other
        clavicles = arm.clavicle if arm else ()
        roles["pelvis"] = (*pelvis, *spreader, *self._opposite(spreader))
        if abdomen:
            roles["abdomen"] = abdomen
        if chest:
            roles["chest"] = (*chest, *clavicles, *self._opposite(clavicles))
        if head:
            roles["head"] = head
        named = {role: tuple(self._name(i) for i in own) for role, own in roles.items()}
        absent = [role for role in REQUIRED if role not in named]
        if absent:
            raise RigError(
                f"Armature {self.armature.name!r}: only one leg is whole; missing are {', '.join(absent)}. "
                "Pick the bones by hand in the Bones table."
            )
        return Found(named, {role: _REASONS[role.partition(".")[0]] for role in named}, tuple(doubts), self.symmetry)

    def _leg_parts(self, leg: _Limb) -> tuple[tuple[int, ...], ...]:
        """Return the bones of spreader, thigh, shin, foot and toes of a leg."""
        bones, points = list(leg.bones), leg.points
        count, first = len(bones), 0
        if count > 3:
            way = points[1] - points[0]
            length = float(np.linalg.norm(way))
            nearer = abs(points[0] @ self.across - self.middle) < 0.6 * abs(points[1] @ self.across - self.middle)
            if nearer and length > 0.0 and -way @ self.up < _STEEP * length:
                first = 1
        heights = points[:count] @ self.up - self.ground
        hip = max(float(heights[first]), 1e-9)
        ankle = leg.foot
        if ankle < 0:
            low = [i for i in range(first + 2, count) if heights[i] < _FOOT * hip]
            ankle = low[0] if low else count
        steps = np.linalg.norm(np.diff(points[: ankle + 1], axis=0), axis=1)
        along = np.concatenate((np.zeros(first + 1), np.cumsum(steps[first:])))
        joints = range(first + 1, min(ankle, count))
        if not joints:
            return tuple(bones[:first]), tuple(bones[first:ankle]), (), (), ()
        knee = min(joints, key=lambda i: abs(2.0 * along[i] - along[-1]))
        foot_end = min(ankle + 1, count)
        toes = bones[foot_end:]
        if toes:
            toes = [*toes, *(c for c in self.armature.children[bones[ankle]] if self._is_toe(c, toes[0]))]
        return (
            tuple(bones[:first]), tuple(bones[first:knee]), tuple(bones[knee:ankle]),
            tuple(bones[ankle:foot_end]), tuple(toes),
        )  # fmt: skip

    def _is_toe(self, bone: int, first: int) -> bool:
        """Return whether a child of the foot is another toe beside its first one."""
        forward = np.cross(self.across, self.up)
        ahead, own = ((self.heads[i] @ forward) for i in (bone, first))
        near = abs(ahead - own) < 0.03 * self.height
        low = self.heights[bone] - self.ground < 0.5 * _GROUND * self.height
        return bone != first and near and low and not self.helper[bone]

    def _pelvis(self, leg: _Limb) -> tuple[int, ...]:
        """Return the bone that carries both legs; where that is a root far from them, the nearest one in the middle."""
        root = leg.bones[0]
        other = self.partner.get(root, root)  # a doubled bone has lost its twin
        above = self.armature.ancestors(other)
        common = [i for i in self.armature.ancestors(root) if i in above]
        hips = 0.5 * (self.heads[root] + self.heads[other])
        leg_length = float(hips @ self.up) - self.ground
        for i in common:
            if float(np.linalg.norm(self.heads[i] - hips)) < _NEAR * leg_length or self._carries_trunk(i, hips):
                return (i,)
        central = [
            i for i in range(len(self.heads))
            if i not in self.partner and not self.helper[i] and self.heights[i] - self.ground > _NEAR * leg_length
        ]  # fmt: skip
        if not central:
            raise RigError(
                f"Armature {self.armature.name!r}: no bone between the legs carries them, so there are no hips. "
                "Pick the bone that moves the whole body as Pelvis in the Bones table."
            )
        nearest = min(central, key=lambda i: (float(np.linalg.norm(self.heads[i] - hips)), -self._reach(i)))
        return (nearest,)

    def _carries_trunk(self, bone: int, hips: Array) -> bool:
        """Return whether a bone above the legs is no root on the ground, but somewhere in the body."""
        return float(self.heights[bone]) - self.ground > 0.5 * (float(hips @ self.up) - self.ground)

    def _arm(self, leg: _Limb, pelvis: tuple[int, ...]) -> _Arm | None:
        """Return the arm of the positive side: of the limbs on the spine that do not stand, the longest."""
        own = set(leg.bones)
        best: tuple[float, _Limb] | None = None
        for limb in self.limbs:
            if own & set(limb.bones) or len(limb.bones) < 2:
                continue
            if pelvis[0] not in self.armature.ancestors(limb.bones[0]) or limb.bones[0] not in self.partner:
                continue
            length = float(np.linalg.norm(np.diff(limb.points, axis=0), axis=1).sum())
            if length > 0.12 * self.height and (best is None or length > best[0]):
                best = length, limb
        return None if best is None else self._arm_parts(best[1])

    def _arm_parts(self, limb: _Limb) -> _Arm:
        bones = list(limb.bones)
        branch = next((k for k, i in enumerate(bones) if len(self._kept_children(i)) > 1 and k > 1), len(bones) - 1)
        chain = bones[: branch + 1]  # up to the hand, or the tip of a single finger
        steps = [float(np.linalg.norm(self.heads[b] - self.heads[a])) for a, b in pairwise(chain)]
        clavicle: list[int] = []
        off = [abs(float(self.heads[i] @ self.across) - self.middle) for i in chain[:2]]
        inside = len(chain) > 3 and off[0] < _CLAVICLE_INSIDE * off[1]
        if len(chain) > 2 and (inside or steps[0] < _SHORT_CLAVICLE * max(steps[1:])):
            clavicle, chain, steps = chain[:1], chain[1:], steps[1:]
        if len(chain) < 3:  # no hand, or no elbow
            parts = {"upper_arm": tuple(chain[:1])}
            if len(chain) > 1:
                parts["forearm"] = tuple(chain[1:])
            return _Arm(tuple(clavicle), parts, bones[0])
        along = np.concatenate(([0.0], np.cumsum(steps)))

        def unlikeness(joints: tuple[int, int]) -> float:
            elbow, wrist = (float(along[i]) for i in joints)
            return abs(2.0 * elbow - wrist) + abs(float(along[-1]) - (1.0 + _FINGERS) * wrist)

        whole = len(chain) - 1
        wrists = [whole] if len(self._kept_children(chain[-1])) > 1 else range(2, whole + 1)
        elbow, wrist = min(((e, w) for w in wrists for e in range(1, w)), key=unlikeness)
        parts = {
            "upper_arm": tuple(chain[:elbow]), "forearm": tuple(chain[elbow:wrist]), "hand": tuple(chain[wrist:]),
        }  # fmt: skip
        return _Arm(tuple(clavicle), parts, bones[0])

    def _kept_children(self, bone: int) -> list[int]:
        return [c for c in self.armature.children[bone] if not self.helper[c]]

    def _trunk(self, pelvis: tuple[int, ...], leg: _Limb, arm: _Arm | None) -> tuple[tuple[int, ...], ...]:
        """Return the bones of abdomen, chest and head (with the neck)."""
        start = pelvis[0]
        spine: list[int] = []
        if arm:
            way = [i for i in self.armature.ancestors(arm.root) if i == start or start in self.armature.ancestors(i)]
            spine = [i for i in reversed(way) if i != start]
        at = spine[-1] if spine else start
        rest: list[int] = []
        while True:
            below = [c for c in self._kept_children(at) if c not in self.partner and c not in leg.bones]
            if not spine:  # of tail and trunk, the trunk goes up
                below = [c for c in below if self._rise(c) > 0.0]
            if not below:
                break
            at = max(below, key=self._rise)
            rest.append(at)
        if not spine:
            named = (k for k, i in enumerate(rest) if not {"neck", "head"}.isdisjoint(words(self._name(i))))
            neck = next(named, max(len(rest) - 1, 1))
            spine, rest = rest[:neck], rest[neck:]
        cut = max(len(spine) - max(len(spine) // 2, 1), 0)
        return tuple(spine[:cut]), tuple(spine[cut:]), tuple(rest)

    def _rise(self, bone: int) -> float:
        """Return how far the highest bone of a subtree is above the bone's parent."""
        parent = self.armature.bones[bone].parent
        highest, stack = -np.inf, [bone]
        while stack:
            at = stack.pop()
            highest = max(highest, float(self.heights[at]))
            stack.extend(self.armature.children[at])
        return highest - float(self.heights[parent])

    def _check_upright(self, leg: _Limb, arm: _Arm | None) -> None:
        """Raise FourLegsError for an animal that stands on its arms too."""
        if arm is None:
            return
        hip = float(self.heights[leg.bones[0]]) - self.ground
        ends = [self.heights[i] - self.ground for part in arm.parts.values() for i in part]
        if min(ends) < 0.25 * hip:
            raise FourLegsError(
                f"Armature {self.armature.name!r} stands on its arms too ({self._name(arm.root)} comes down to the "
                "ground): an animal on four legs. Biped Locomotion walks characters on two legs."
            )

    def _forward(self, leg: _Limb, foot: tuple[int, ...], toes: tuple[int, ...]) -> Array:
        """Return where the feet point (3,), else across the sides, and note whether that is known."""
        axis = np.cross(self.across, self.up)
        self.facing_known = True
        if foot:
            start = self.heads[foot[0]]
            end = self.heads[toes[-1]] if toes else self._tip(foot[-1])
            ahead = float((end - start) @ axis) if end is not None else 0.0
            if abs(ahead) > 0.03 * (self.heights[leg.bones[0]] - self.ground):
                return np.asarray(axis if ahead > 0.0 else -axis)
        named = self._by_names()
        if np.linalg.norm(named) > 0.5:
            return np.asarray(np.cross(named - (named @ self.up) * self.up, self.up))
        self.facing_known = False
        front = np.linalg.pinv(self.armature.world[:3, :3]) @ (0.0, -1.0, 0.0)
        return np.asarray(axis if axis @ front > 0.0 else -axis)

    def _tip(self, bone: int) -> Array | None:
        """Return where a foot's bone ends, when that is believable."""
        end = self._end(bone)
        if end is not None:
            return end
        tail = self.armature.bones[bone].tail
        return tail if np.linalg.norm(tail - self.heads[bone]) < 0.4 * self.height else None

    def _opposite(self, bones: Sequence[int]) -> tuple[int, ...]:
        """Return the partners of bones; of one without, the bone at the same place in the partner's chain."""
        found: list[int] = []
        for i in bones:
            if i in self.partner:
                found.append(self.partner[i])
                continue
            above = self.armature.bones[i].parent
            other = self.partner.get(above, -1)
            own = self._kept_children(above) if above >= 0 else []
            theirs = self._kept_children(other) if other >= 0 else []
            if len(own) == len(theirs) and i in own and self._mirrors(i, theirs[own.index(i)]):
                found.append(theirs[own.index(i)])
        return tuple(found) if len(found) == len(bones) else ()

    def _mirrors(self, bone: int, other: int) -> bool:
        """Return whether two bones are roughly each other's mirror image: legs may differ in length."""
        off = float(self.heads[bone] @ self.across) - self.middle
        image = self.heads[bone] - 2.0 * off * self.across
        return float(np.linalg.norm(image - self.heads[other])) < _ROUGHLY * self.height

    def _name(self, bone: int) -> str:
        return self.armature.bones[bone].name


@dataclass(frozen=True)
class _Arm:
    """An arm: clavicle, role -> bones, and the chain's first bone."""

    clavicle: tuple[int, ...]
    parts: dict[str, tuple[int, ...]]
    root: int


_REASONS = {
    "pelvis": "it carries both legs", "abdomen": "on the way from the pelvis to the arms, lower half",
    "chest": "carries the arms", "head": "above the arms, in the middle",
    "thigh": "first bone of a chain down to the ground", "shin": "from the joint that halves the leg",
    "foot": "begins near the ground", "toes": "on the ground, beyond the foot's bone",
    "upper_arm": "first bone of a mirrored chain on the trunk", "forearm": "from the joint that halves the arm",
    "hand": "end of the arm",
}  # fmt: skip
