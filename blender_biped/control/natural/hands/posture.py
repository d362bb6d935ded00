"""How a body bows to what its hands reach or move: by hips and knees, and by the trunk (Coros 2010, section 5.4)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ....base.spatial import Array, pitched, yawed
from ....character.model import Character
from ...shared.arms import STRETCHED, Arm
from ...shared.legs import Leg, legs_of
from ...shared.limb import leg_rotations

BENDS = {"pelvis": 58.0, "abdomen": 84.0, "chest": 108.0, "head": 60.0}
"""Degrees by which a body that stoops in full leans forward, in the heading frame."""
LEANS = {"pelvis": 14.0, "abdomen": 26.0, "chest": 36.0, "head": 14.0}
"""Degrees by which a body that pushes or pulls leans forward."""
TURNS = {"abdomen": 35.0, "chest": 70.0, "head": 10.0}
"""Degrees by which a body that pulls turns to the side of the hand behind it, and leans to there as far."""
LEFT_AXIS = np.array((0.0, 1.0, 0.0))


@dataclass(frozen=True)
class Stooping:
    """How a body stoops."""

    deepest: float = 0.46
    """Of the leg's length by which its hips are lower in full: with half of it, it would count as fallen."""
    looks: int = 12
    """Shares of stooping that are tried, beyond not at all."""
    room: float = 0.03
    """rad that an ankle keeps of its range."""
    reached: float = 0.93
    """Of a stretched arm: so far it reaches where it can."""
    longest: float = 0.99
    """Of a stretched arm: so far it reaches at most."""
    ahead: float = 0.4
    """Of the way to the balls of the feet that a stooping body is ahead that is laden in full."""
    laden: float = 0.3
    """Of its mass: a load with which it is."""
    rounds: int = 3
    """Of placing the limbs, each from where the last one has put the body."""


STOOPING = Stooping()


@dataclass(frozen=True)
class Bent:
    """How far a body is bowed. share: of the bow in full, 0..1. rate: of it, 1/s."""

    share: float = 0.0
    rate: float = 0.0


@dataclass(frozen=True)
class Bow:
    """How a body is bowed in full.

    leans: links, and how far they lean forward, rad. turned: links, and how far they turn to the left, with what they
    lean, rad. deepest: of the leg's length, m, by which its hips are lower. steps: whether it can step so.
    """

    leans: tuple[tuple[int, float], ...]
    turned: tuple[tuple[int, float], ...]
    deepest: float
    leg_length: float
    steps: bool

    def lower(self, bent: Bent) -> float:
        """Return by how much lower the hips are, m."""
        return bent.share * self.deepest * self.leg_length

    def sinking(self, bent: Bent) -> float:
        """Return how fast the hips sink, m/s."""
        return bent.rate * self.deepest * self.leg_length

    def lean(self, bent: Bent, rotations: Array, angular_velocities: Array, heading: float) -> None:
        """Lean and turn the links: orientations (L, 3, 3), world, and rates (L, 3), rad/s, in place. heading: rad."""
        if bent.share <= 0.0 and not bent.rate:
            return
        facing = yawed(heading)
        for link, angle in self.leans:
            rotations[link] = facing @ pitched(bent.share * angle) @ facing.T @ rotations[link]
            angular_velocities[link] += facing[:, 1] * (bent.rate * angle)
        for link, angle in self.turned:
            rotations[link] = yawed(bent.share * angle) @ rotations[link]
            angular_velocities[link, 2] += bent.rate * angle


def stooping(character: Character) -> Bow:
    """Return how a character stoops to what its hands reach."""
    return Bow(_angles(character, BENDS), (), STOOPING.deepest, character.leg_length, steps=False)


def leaning(character: Character) -> Bow:
    """Return how a character leans ahead to push."""
    return Bow(_angles(character, LEANS), (), 0.0, character.leg_length, steps=True)


def towing(character: Character, side: int) -> Bow:
    """Return how a character leans and turns to pull. side: of the hand that does, 0 left, 1 right."""
    turned = tuple((link, (1.0 - 2.0 * side) * angle) for link, angle in _angles(character, TURNS))
    return Bow(_angles(character, LEANS), turned, 0.0, character.leg_length, steps=True)


def _angles(character: Character, degrees: Mapping[str, float]) -> tuple[tuple[int, float], ...]:
    return tuple((character.index(role), math.radians(own)) for role, own in degrees.items() if character.has(role))


@dataclass(frozen=True)
class BowedPosture:
    """A body that is bowed. share: how far, 0..1. farthest: of its arms' length that the hands are away at most.

    missing: m by which they do not reach; 0 where they do. stands: whether ankles bend so far, and legs reach the
    ground.

    origins (L, 3), m, matrices (L, 3, 3): of its links, facing x, mid-feet above the origin, the ground at z = 0.
    """

    share: float
    farthest: float
    missing: float
    stands: bool
    origins: Array
    matrices: Array


class Bending:
    """Finds the postures of one character that is bowed."""

    def __init__(self, character: Character, bow: Bow) -> None:
        self.character, self._legs, self._bow = character, legs_of(character), bow
        self._followers = [
            (i, link.parent) for i, link in enumerate(character.links)
            if i and link.role not in BENDS and link.part not in ("thigh", "shin", "foot", "toes")
        ]  # fmt: skip
        self._standing = character.standing()[0]
        self.middle = float(np.mean([leg.middle + self._standing[leg.foot, 0] for leg in self._legs]))
        """How far before the mid-hip the middle of the feet is as it stands, m."""
        self._balls = min(leg.ball - leg.middle for leg in self._legs)
        self._ankles = min((r[0][0] for leg in self._legs if (r := character.joint_ranges(leg.foot))), default=-math.pi)

    def reaching(self, arms: Sequence[Arm], goals: Sequence[Array], load: float = 0.0) -> BowedPosture:
        """Return the least bowed posture in which arms reach goals (3,) with ease; else that which comes nearest.

        goals: m, ahead of and beside the middle of the feet, above the ground. load: kg that the hands bear.
        """
        best = found = self.bent(0.0, arms, goals, load)
        for look in range(1, STOOPING.looks + 1):
            if found.farthest <= STOOPING.reached:
                break
            found = self.bent(look / STOOPING.looks, arms, goals, load)
            if not found.stands:
                break
            if found.farthest < best.farthest - 1e-9:
                best = found
        return best

    def bent(
        self, share: float, arms: Sequence[Arm] = (), goals: Sequence[Array] = (), load: float = 0.0
    ) -> BowedPosture:
        """Return the posture that is bowed by a share. arms, goals (3,), load: as ``reaching`` has them."""
        c = self.character
        matrices = np.tile(np.eye(3), (len(c.links), 1, 1))
        for link, angle in self._bow.leans:
            matrices[link] = pitched(share * angle)
        for link, angle in self._bow.turned:
            matrices[link] = yawed(share * angle) @ matrices[link]
        for link, parent in self._followers:
            matrices[link] = matrices[parent]
        root = np.array((-self.middle, 0.0, c.stand_height - share * self._bow.deepest * c.leg_length))
        origins = c.placed(root, matrices)
        for _ in range(STOOPING.rounds):
            for leg in self._legs:
                ankle = self._standing[leg.foot] - (self.middle, 0.0, 0.0)
                matrices[leg.thigh], matrices[leg.shin] = leg_rotations(
                    leg, origins[leg.thigh].tolist(), ankle.tolist(), 0
                )
            for arm, goal in zip(arms, goals, strict=True):
                upper, fore = arm.orientations(origins[arm.upper], goal, LEFT_AXIS)
                matrices[arm.upper], matrices[arm.fore], matrices[arm.hand] = upper, fore, fore
            origins = c.placed(root, matrices)
            coms = origins[:, 0] + (matrices @ c.coms[:, :, None])[:, 0, 0]
            loads = load * (sum(goal[0] for goal in goals) / len(goals)) if goals else 0.0
            root[0] += self.ahead(share, load) - (float(c.masses @ coms) + loads) / (c.mass + load)
            origins = c.placed(root, matrices)
        pairs = list(zip(arms, goals, strict=True))
        away = [float(np.linalg.norm(goal - origins[arm.upper])) for arm, goal in pairs]
        lengths = [STRETCHED * arm.length for arm in arms]
        farthest = max((far / length for far, length in zip(away, lengths, strict=True)), default=0.0)
        missing = max((far - STOOPING.longest * length for far, length in zip(away, lengths, strict=True)), default=0.0)
        stands = all(self._stands(leg, matrices) for leg in self._legs)
        return BowedPosture(share, farthest, max(missing, 0.0), stands, origins, matrices)

    def ahead(self, share: float, load: float) -> float:
        """Return how far ahead of the middle of the feet body and load are balanced, m. share: that it is bowed by."""
        return share * min(load / (STOOPING.laden * self.character.mass), 1.0) * STOOPING.ahead * self._balls

    def _stands(self, leg: Leg, matrices: Array) -> bool:
        """Return whether a leg can stand so: its ankle bends far enough. matrices (L, 3, 3): of the links."""
        lean = math.atan2(float(matrices[leg.shin][0, 2]), float(matrices[leg.shin][2, 2]))
        return lean < -self._ankles - STOOPING.room
