"""A character's arms as controllers need them, and their two-link inverse kinematics (Coros 2010, section 3.5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...base.spatial import Array
from ...character.model import ARM, SIDES, Character
from .inverse_kinematics import leg_orientations

STRETCHED = 0.97
"""Share of the straight arm to which it reaches: a straighter elbow has no defined plane."""
_PALM = 0.9  # of the way from the wrist to the middle of the hand
_ROUNDS = 3  # of correcting for elbows and palms that are not in line with their links


@dataclass(frozen=True)
class Arm:
    """One arm: places of its links in the character; where the palm is.

    side: 0 left, 1 right. hand: the forearm where there is no hand. elbow (3,): in the upper arm's frame, m. palm (3,):
    in the forearm's frame, its wrist straight, m. held (3,): the palm in the hand's frame, m.
    """

    side: int
    upper: int
    fore: int
    hand: int
    elbow: Array
    palm: Array
    held: Array

    @property
    def links(self) -> tuple[int, ...]:
        """Places of its links."""
        return tuple(dict.fromkeys((self.upper, self.fore, self.hand)))

    @property
    def length(self) -> float:
        """Shoulder to palm, straight, m."""
        return float(np.linalg.norm(self.elbow) + np.linalg.norm(self.palm))

    def orientations(self, shoulder: Array, goal: Array, axis: Array) -> tuple[Array, Array]:
        """Return orientations (3, 3) of upper arm and forearm, which the hand follows, with the palm at a place.

        shoulder, goal (3,): world, m. axis (3,): what the elbow's axis should follow, to the left for an elbow that
        points back and down. A place out of reach is approached as far as it goes.
        """
        first, second = float(np.linalg.norm(self.elbow)), float(np.linalg.norm(self.palm))
        x, y, z = shoulder.tolist()
        a, b, c = (-axis).tolist()
        aimed = np.array(goal, dtype=float)
        upper = fore = np.eye(3)
        for _ in range(_ROUNDS):
            u, v, w = aimed.tolist()
            rows = leg_orientations((x, y, z), (u, v, w), first, second, (a, b, c), 0.0, STRETCHED)
            # A knee bends the other way: the same frames, half a turn about their long axes.
            upper, fore = (np.array(own).reshape(3, 3) * (-1.0, -1.0, 1.0) for own in rows[:2])
            aimed += goal - (shoulder + upper @ self.elbow + fore @ self.palm)
        return upper, fore


def arms_of(character: Character) -> tuple[Arm | None, Arm | None]:
    """Return the left and the right arm, None for one that is missing."""
    left, right = (_arm(character, side) for side in range(len(SIDES)))
    return left, right


def _arm(character: Character, side: int) -> Arm | None:
    upper, fore, hand = (f"{part}.{SIDES[side]}" for part in ARM)
    if not (character.has(upper) and character.has(fore)):
        return None
    first, second = character.index(upper), character.index(fore)
    if character.links[second].parent != first:
        return None
    if not character.has(hand):
        palm = 2.0 * np.array(character.links[second].shape.center)
        return Arm(side, first, second, second, character.offsets[second], palm, palm)
    third = character.index(hand)
    held = _PALM * np.array(character.links[third].shape.center)
    return Arm(side, first, second, third, character.offsets[second], character.offsets[third] + held, held)


def palms(arms: Sequence[Arm], origins: Array, matrices: Array) -> list[Array]:
    """Return where the palms of arms are (3,), m. origins (L, 3), matrices (L, 3, 3): of all links."""
    return [origins[arm.hand] + matrices[arm.hand] @ arm.held for arm in arms]
