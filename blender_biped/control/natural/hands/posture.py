"""How a standing body bends to what its hands reach: by hips and knees, and by the trunk (Coros 2010, section 5.4)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ....base.spatial import Array, pitched, yawed
from ....character.model import Character
from ...shared.arms import STRETCHED, Arm
from ...shared.legs import Leg, legs_of
from ...shared.limb import leg_turns

BENDS = {"pelvis": 58.0, "abdomen": 84.0, "chest": 108.0, "head": 60.0}
"""Degrees by which a body that bends in full leans forward, in the heading frame."""
DEEPEST = 0.46  # of the leg's length by which its hips are lower then: with half of it, it would count as fallen
LOOKS = 12  # at how it bends, between not at all and in full
ROOM = 0.03  # rad that an ankle keeps of its range
BENT, LONGEST = 0.93, 0.99  # of a stretched arm: so far it reaches where it can, and at most
AHEAD, LADEN = 0.4, 0.3  # of the way to the balls of the feet that a bent body is ahead, with so much of its mass
LEFT_AXIS = np.array((0.0, 1.0, 0.0))
_ROUNDS = 3


@dataclass(frozen=True)
class Posture:
    """A body that has bent. share: how far, 0..1. farthest: of its arms' length that the hands are away at most.

    missing: m by which they do not reach; 0 where they do.

    origins (L, 3), m, matrices (L, 3, 3): of its links, facing x, mid-feet above the origin, the ground at z = 0.
    """

    share: float
    farthest: float
    missing: float
    origins: Array
    matrices: Array


def leans(character: Character, bends: Mapping[str, float] = BENDS) -> list[tuple[int, float]]:
    """Return the links that lean as a body bends, and how far, rad, in full."""
    return [(character.index(role), math.radians(bend)) for role, bend in bends.items() if character.has(role)]


class Bending:
    """How one character bends."""

    def __init__(
        self, character: Character, bends: Mapping[str, float] = BENDS, deepest: float = DEEPEST,
        turned: Sequence[tuple[int, float]] = (),
    ) -> None:  # fmt: skip
        """bends, deepest: how it leans, and sinks, in full, as BENDS and DEEPEST have it.

        turned: links that turn to the left then, with what they lean, and how far, rad.
        """
        self.character, self._legs, self._leans = character, legs_of(character), leans(character, bends)
        self._turned = turned
        self._deepest = deepest
        self._followers = [
            (i, link.parent) for i, link in enumerate(character.links)
            if i and link.role not in BENDS and link.part not in ("thigh", "shin", "foot", "toes")
        ]  # fmt: skip
        self._standing = character.standing()[0]
        self.middle = float(np.mean([leg.middle + self._standing[leg.foot, 0] for leg in self._legs]))
        """How far before the mid-hip the middle of the feet is as it stands, m."""
        self._balls = min(leg.ball - leg.middle for leg in self._legs)
        self._ankles = min((r[0][0] for leg in self._legs if (r := character.joint_ranges(leg.foot))), default=-math.pi)

    def reaching(self, arms: Sequence[Arm], goals: Sequence[Array], load: float = 0.0) -> Posture:
        """Return the least bent posture in which arms reach goals (3,) with ease; else that which comes nearest.

        goals: m, ahead of and beside the middle of the feet, above the ground. load: kg that the hands bear.
        """
        best: Posture | None = None
        for look in range(LOOKS + 1):
            found = self.bent(look / LOOKS, arms, goals, load)
            if found is None:
                break
            if best is None or found.farthest < best.farthest - 1e-9:
                best = found
            if found.farthest <= BENT:
                break
        assert best is not None  # it can always stand
        return best

    def bent(self, share: float, arms: Sequence[Arm], goals: Sequence[Array], load: float) -> Posture | None:
        """Return the posture that is bent by a share; None where ankles do not bend so far, or legs reach no ground."""
        c = self.character
        matrices = np.tile(np.eye(3), (len(c.links), 1, 1))
        for link, angle in self._leans:
            matrices[link] = pitched(share * angle)
        for link, angle in self._turned:
            matrices[link] = yawed(share * angle) @ matrices[link]
        for link, parent in self._followers:
            matrices[link] = matrices[parent]
        root = np.array((-self.middle, 0.0, c.stand_height - share * self._deepest * c.leg_length))
        origins = c.placed(root, matrices)
        for _ in range(_ROUNDS):
            for leg in self._legs:
                ankle = self._standing[leg.foot] - (self.middle, 0.0, 0.0)
                matrices[leg.thigh], matrices[leg.shin] = leg_turns(leg, origins[leg.thigh].tolist(), ankle.tolist(), 0)
            for arm, goal in zip(arms, goals, strict=True):
                upper, fore = arm.turns(origins[arm.upper], goal, LEFT_AXIS)
                matrices[arm.upper], matrices[arm.fore], matrices[arm.hand] = upper, fore, fore
            origins = c.placed(root, matrices)
            coms = origins[:, 0] + (matrices @ c.coms[:, :, None])[:, 0, 0]
            loads = load * (sum(goal[0] for goal in goals) / len(goals)) if goals else 0.0
            root[0] += self.ahead(share, load) - (float(c.masses @ coms) + loads) / (c.mass + load)
            origins = c.placed(root, matrices)
        if any(not self._stands(leg, origins, matrices) for leg in self._legs):
            return None
        pairs = list(zip(arms, goals, strict=True))
        away = [float(np.linalg.norm(goal - origins[arm.upper])) for arm, goal in pairs]
        lengths = [STRETCHED * arm.length for arm in arms]
        farthest = max((far / length for far, length in zip(away, lengths, strict=True)), default=0.0)
        missing = max((far - LONGEST * length for far, length in zip(away, lengths, strict=True)), default=0.0)
        return Posture(share, farthest, max(missing, 0.0), origins, matrices)

    def ahead(self, share: float, load: float) -> float:
        """Return how far ahead of the middle of the feet body and load are balanced, m. share: that it is bent by."""
        return share * min(load / (LADEN * self.character.mass), 1.0) * AHEAD * self._balls

    def _stands(self, leg: Leg, origins: Array, matrices: Array) -> bool:
        lean = math.atan2(float(matrices[leg.shin][0, 2]), float(matrices[leg.shin][2, 2]))
        return lean < -self._ankles - ROOM
