"""The plane that a skeleton is symmetric about, and which bones mirror each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...base.errors import RigError
from ...base.spatial import Array, normalized
from .skeleton import Skeleton

_MIRRORED = 0.04  # of the height: how far a bone may be from its partner's mirror image
_ROUGHLY = 0.12  # of the height: the same where the hierarchy says that it is the partner
_OFF_CENTER = 0.01  # of the height: a bone nearer to the middle has no side
_SYMMETRIC = 0.4  # share of the bones beside the middle that must have a partner
_CLEARLY = 0.05  # by how much more a further axis must mirror to be taken


@dataclass(frozen=True, eq=False)
class Symmetry:
    """A skeleton's two sides.

    across (3,): level, towards the side that is called positive. middle: along it. share: of the bones beside the
    middle that have a partner by place, 0..1. partner: who mirrors whom, both ways.
    """

    skeleton: Skeleton
    across: Array
    middle: float
    share: float
    partner: dict[int, int]

    @property
    def forward(self) -> Array:
        """The level direction (3,) between the sides: ahead or behind."""
        return np.cross(self.across, self.skeleton.up)

    def aside(self, point: Array) -> float:
        """Return how far a point (3,) is from the middle, on either side."""
        return abs(float(point @ self.across) - self.middle)

    def mean_place(self, bone: int) -> float:
        """Return where a bone and all below are across, on average: some pairs begin at one place."""
        return float(np.mean(self.skeleton.heads[self.skeleton.subtree(bone)] @ self.across))

    def opposite(self, bones: Sequence[int]) -> tuple[int, ...]:
        """Return the partners of bones; of one without, the bone at the same place in the partner's chain.

        Empty when one of them has neither.
        """
        bones_of, children = self.skeleton.armature.bones, self.skeleton.children
        found: list[int] = []
        for i in bones:
            if i in self.partner:
                found.append(self.partner[i])
                continue
            above = bones_of[i].parent
            other = self.partner.get(above, -1)
            own = children(above) if above >= 0 else []
            theirs = children(other) if other >= 0 else []
            if len(own) == len(theirs) and i in own and self._roughly_mirrors(i, theirs[own.index(i)]):
                found.append(theirs[own.index(i)])
        return tuple(found) if len(found) == len(bones) else ()

    def _roughly_mirrors(self, bone: int, other: int) -> bool:
        """Return whether two bones are roughly each other's mirror image: legs may differ in length."""
        heads = self.skeleton.heads
        off = float(heads[bone] @ self.across) - self.middle
        image = heads[bone] - 2.0 * off * self.across
        return float(np.linalg.norm(image - heads[other])) < _ROUGHLY * self.skeleton.height


def symmetry_of(skeleton: Skeleton) -> Symmetry:
    """Return the symmetry of a skeleton: about the level axis that gives most bones a partner.

    Raises RigError where too few have one about any axis.
    """
    candidates = [left_by_names(skeleton), *(np.array(a) for a in np.eye(3)), *_principal(skeleton)]
    best: Symmetry | None = None
    for candidate in candidates:
        axis = candidate - (candidate @ skeleton.up) * skeleton.up
        if np.linalg.norm(axis) < 0.3:
            continue
        tried = symmetry_across(skeleton, normalized(axis))
        if best is None or tried.share > best.share + _CLEARLY:
            best = tried
    if best is None or best.share < _SYMMETRIC:
        raise RigError(
            f"Armature {skeleton.armature.name!r}: no two sides mirror each other, so no legs are found. "
            "Pick the bones by hand in the Bones table."
        )
    return best


def left_by_names(skeleton: Skeleton) -> Array:
    """Return the mean direction (3,) from bones named right to those named left; zero when there are none."""
    places: dict[tuple[str, str], int] = {}
    for i, name in enumerate(skeleton.names):
        places.setdefault(name, i)
    ways = [
        normalized(skeleton.heads[i] - skeleton.heads[places[stem, "R"]])
        for (stem, side), i in places.items()
        if side == "L" and (stem, "R") in places
    ]
    return np.asarray(np.mean(ways, axis=0)) if ways else np.zeros(3)


def _principal(skeleton: Skeleton) -> list[Array]:
    """Return the main horizontal directions of the skeleton, the widest first."""
    flat = skeleton.heads - np.outer(skeleton.heights, skeleton.up)
    _, _, rows = np.linalg.svd(flat - flat.mean(axis=0), full_matrices=False)
    return list(rows[:2])


def symmetry_across(skeleton: Skeleton, axis: Array) -> Symmetry:
    """Return the symmetry about one axis (3,), unit: partners are those nearest to each other's image."""
    heads, height = skeleton.heads, skeleton.height
    beside = heads @ axis
    middle = float(np.median(beside))
    off = beside - middle
    sided = [i for i in np.flatnonzero(np.abs(off) > _OFF_CENTER * height) if not skeleton.helper[i]]
    if len(sided) < 2:
        return Symmetry(skeleton, axis, middle, 0.0, {})
    mirrored = heads[sided] - 2.0 * off[sided, None] * axis
    far = np.linalg.norm(mirrored[:, None] - heads[None, sided], axis=2)
    depth = np.array([len(skeleton.armature.ancestors(i)) for i in sided])
    far += 0.5 * _MIRRORED * height * np.abs(depth[:, None] - depth[None])
    stems = np.array([skeleton.names[i][0] for i in sided])
    far += 0.1 * _MIRRORED * height * (stems[:, None] != stems[None])  # where bones begin at one place
    nearest = far.argmin(axis=1)
    partner = {
        int(sided[a]): int(sided[b])
        for a, b in enumerate(nearest)
        if a != b and nearest[b] == a and far[a, b] < _MIRRORED * height
    }
    share = len(partner) / len(sided)
    partner = _named_partners(skeleton, axis, off) | partner
    return Symmetry(skeleton, axis, middle, share, partner | _carrying_partners(skeleton, axis, off, partner))


def _carrying_partners(skeleton: Skeleton, axis: Array, off: Array, partner: dict[int, int]) -> dict[int, int]:
    """Return who mirrors whom of the bones that begin too near to the middle to have a side, by what hangs on them.

    They hang on one bone or on partners, and carry partners: clavicles that begin at the breastbone.
    """
    bones, heads = skeleton.armature.bones, skeleton.heads
    found: dict[int, int] = {}
    waiting = [pair for pair in partner.items() if pair[0] < pair[1]]
    while waiting:
        i, j = (bones[k].parent for k in waiting.pop())
        if min(i, j) < 0 or i == j or i in found or not {i, j}.isdisjoint(partner):
            continue
        above, across = bones[i].parent, bones[j].parent
        image = heads[i] - 2.0 * off[i] * axis
        together = above == across or partner.get(above) == across
        body = not skeleton.helper[i] and not skeleton.helper[j]
        if together and body and np.linalg.norm(image - heads[j]) < _MIRRORED * skeleton.height:
            found |= {i: j, j: i}
            waiting.append((i, j))
    return found


def _named_partners(skeleton: Skeleton, axis: Array, off: Array) -> dict[int, int]:
    """Return who mirrors whom by name and place: bones that begin too near to the middle to tell by place alone."""
    heads = skeleton.heads
    places = {name: i for i, name in reversed(list(enumerate(skeleton.names))) if not skeleton.helper[i]}
    found: dict[int, int] = {}
    for (stem, side), i in places.items():
        j = places.get((stem, "R"), -1) if side == "L" else -1
        if j >= 0 and np.linalg.norm(heads[i] - 2.0 * off[i] * axis - heads[j]) < _MIRRORED * skeleton.height:
            found |= {i: j, j: i}
    return found
