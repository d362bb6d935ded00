"""An armature seen with one direction as up: heights, and how far bones reach."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...base.errors import RigError
from ...base.spatial import Array
from ..armature import Armature, ends_at
from ..naming import canonical, is_helper, is_target

_LEAST_HEIGHT = 0.05  # of its extent: a skeleton lower than that does not stand


class FourLegsError(RigError):
    """An animal on four legs or more."""


class KneelessError(RigError):
    """A body whose legs cannot bend: one bone each."""


class UpwardLegsError(RigError):
    """Legs whose bones begin at the foot and end at the hip."""


def check_direction(armature: Armature, upper: int, lower: int) -> None:
    """Raise UpwardLegsError where the lower of a leg's two bones ends where the upper one begins, and not reverse.

    A joint is at the head of its bone, so neither hip nor knee would be where it is.
    """
    above, below = armature.bones[upper], armature.bones[lower]
    if ends_at(below, above) and not ends_at(above, below):
        raise upward_legs_error(armature, below.name, above.name)


def upward_legs_error(armature: Armature, lower: str, upper: str) -> UpwardLegsError:
    """Return the refusal of legs of which a lower bone ends where the upper one begins."""
    return UpwardLegsError(
        f"Armature {armature.name!r}: its leg bones point up, {lower} ends where {upper} begins. In Edit "
        "mode use Armature > Switch Direction on both legs, and parent each bone to the one above it."
    )


@dataclass(frozen=True, eq=False)
class Skeleton:
    """An armature and the direction (3,), armature space, that is up. A bone is given by its place in the armature.

    Raises RigError for one that has no height along ``up``.
    """

    armature: Armature
    up: Array

    def __post_init__(self) -> None:
        reach = float(np.ptp(self.heads, axis=0).max())
        if not self.height > _LEAST_HEIGHT * reach or reach <= 0.0:
            raise RigError(
                f"Armature {self.armature.name!r} does not stand: its bones have no height. Choose another one."
            )

    @cached_property
    def heads(self) -> Array:
        """Head of each bone (N, 3), armature space."""
        return np.array([bone.head for bone in self.armature.bones])

    @cached_property
    def heights(self) -> Array:
        """Head of each bone along ``up`` (N,)."""
        return self.heads @ self.up

    @cached_property
    def ground(self) -> float:
        """The lowest head along ``up``."""
        return float(self.heights.min())

    @cached_property
    def height(self) -> float:
        """From the lowest head to the highest."""
        return float(self.heights.max()) - self.ground

    @cached_property
    def names(self) -> list[tuple[str, str]]:
        """Canonical name and side of each bone."""
        return [canonical(bone.name) for bone in self.armature.bones]

    @cached_property
    def helper(self) -> list[bool]:
        """Whether each bone is no part of the body, by its name; a target that carries skin is one."""
        skin = self.armature.skin
        least = _SKIN * len(skin.points) if skin else 0.0
        carrying = {name for name, amount in skin.amounts.items() if amount > least} if skin else set()
        return [
            is_helper(bone.name) and not (bone.name in carrying and is_target(bone.name))
            for bone in self.armature.bones
        ]

    def skin(self, bone: int) -> float:
        """Return how many points of the skin a bone carries."""
        skin = self.armature.skin
        return skin.amounts.get(self.armature.bones[bone].name, 0.0) if skin else 0.0

    def moved_skin(self, bone: int) -> float:
        """Return which share of the skin moves with a bone, what hangs on it and what follows that; 1 without skin."""
        skin, armature = self.armature.skin, self.armature
        if skin is None or not skin.amounts:
            return 1.0
        own = armature.below([armature.bones[bone].name])
        own |= armature.below(other.name for other in armature.bones if not own.isdisjoint(other.follows))
        return sum(skin.amounts.get(name, 0.0) for name in own) / max(len(skin.points), 1)

    def name(self, bone: int) -> str:
        """Return a bone's own name."""
        return self.armature.bones[bone].name

    def children(self, bone: int) -> list[int]:
        """Return a bone's children that may be parts of the body."""
        return [c for c in self.armature.children[bone] if not self.helper[c]]

    def subtree(self, bone: int) -> list[int]:
        """Return a bone and all that hang on it."""
        found, stack = [], [bone]
        while stack:
            at = stack.pop()
            found.append(at)
            stack.extend(self.armature.children[at])
        return found

    @cached_property
    def reaches(self) -> Array:
        """How far the farthest bone below each bone is (N,), along the bones between."""
        found = np.zeros(len(self.heads))
        outermost_first = [i for root in range(len(self.heads)) if self.armature.bones[root].parent < 0
                           for i in reversed(self.subtree(root))]  # fmt: skip
        for i in outermost_first:
            parent = self.armature.bones[i].parent
            if parent >= 0:
                found[parent] = max(found[parent], float(np.linalg.norm(self.heads[i] - self.heads[parent])) + found[i])
        return found

    def rise(self, bone: int) -> float:
        """Return how far the highest bone of a subtree is above the bone's parent."""
        parent = self.armature.bones[bone].parent
        return max(float(self.heights[i]) for i in self.subtree(bone)) - float(self.heights[parent])

    def end(self, bone: int) -> Array | None:
        """Return the end (3,) of a chain's last bone, from the children that mark it; None where only a tail tells."""
        marks = list(self.armature.children[bone])
        return np.asarray(np.mean([self.heads[c] for c in marks], axis=0)) if marks else None

    def tip(self, bone: int) -> Array | None:
        """Return where a bone ends (3,): its end, else its tail when that is believable."""
        end = self.end(bone)
        return self.tail(bone) if end is None else end

    def tail(self, bone: int) -> Array | None:
        """Return a bone's tail (3,) when that is believable."""
        tail = self.armature.bones[bone].tail
        return tail if np.linalg.norm(tail - self.heads[bone]) < _LONGEST_TAIL * self.height else None

    def low(self, bone: int) -> float:
        """Return how low a last bone reaches along ``up``: where its skin ends, else its tail."""
        skin, own = self.armature.skin, self.armature.bones[bone]
        carried = skin.carried_by((own.name,)) if skin else ()
        return float((carried @ self.up).min() if len(carried) else min(own.tail @ self.up, own.head @ self.up))


_SKIN = 0.002  # of all points: a bone that carries fewer has them by mistake
_LONGEST_TAIL = 0.4  # of the height: importers let last bones end anywhere
