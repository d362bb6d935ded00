"""How link torques become joint torques: the root torque (Yin 2007, section 3.2; Coros 2010, section 3.5).

Every controller that stands on legs shares it: the pelvis has its own world-frame torque, which no joint drives, so
the hips of legs that bear weight make up what is missing for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np

from ...base.spatial import Array
from ...character.model import Character
from .legs import Leg
from .tracking import subtrees

Pair = tuple[float, float]


class RootTorque:
    """One character's ways from link torques (L, 3) to joint torques (L, 3); world axes, N m."""

    def __init__(self, character: Character, legs: tuple[Leg, Leg]) -> None:
        self._legs = legs
        self._felt = {
            loaded: _felt(character, [leg for leg, down in zip(legs, loaded, strict=True) if down])
            for loaded in product((False, True), repeat=2)
        }
        thighs = {leg.thigh for leg in legs}
        hanging = [parent == 0 and i not in thighs for i, parent in enumerate(character.parents)]
        self._hanging = np.array(hanging, dtype=float)
        self._made: dict[tuple[Pair, Pair], Array] = {}
        self._rows = np.eye(len(character.links))
        self._rows[0, 0] = 0.0

    def assembled(self, tracking: Array, weights: Pair, tracked: Pair) -> Array:
        """Return joint torques (..., L, 3) with which each link feels its own tracking torque (..., L, 3); linear.

        On one leg tau_A = -tau_torso - tau_B: the stance hip A gives what torso and swing hip B have (Yin 2007, 3.2).
        What a joint gives its link it takes from the parent, so each joint also gives what its subtree takes. A
        leg that carries weight pushes against the ground instead, and its hip gives what is missing for the
        pelvis to have its torque. weights: how the legs share that, sum 1. tracked: how much of each thigh's own
        tracking torque stays.
        """
        felt = self._felt[weights[0] > 0.0, weights[1] > 0.0] @ tracking
        return np.asarray(self.made_up(weights, tracked) @ felt)

    def made_up(self, weights: Pair, tracked: Pair) -> Array:
        """Return (L, L): from joint torques whose first row is the pelvis' own to those that give it to the pelvis.

        What is missing for that is shared among the loaded hips; the pelvis' row becomes zero.
        """
        found = self._made.get((weights, tracked))
        if found is None:
            found = self._rows.copy()
            left, right = (leg.thigh for leg in self._legs)
            missing = -self._hanging
            missing[0], missing[left], missing[right] = -1.0, -tracked[0], -tracked[1]
            for thigh, weight, kept in zip((left, right), weights, tracked, strict=True):
                if weight > 0.0:
                    found[thigh] = weight * missing
                    found[thigh, thigh] += kept
            if 1.0 in weights:  # of other shares there is no end
                self._made[weights, tracked] = found
        return found


def _felt(character: Character, loaded: Sequence[Leg]) -> Array:
    """Return (L, L): from tracking torques to what the joints give; loaded legs push against the ground instead.

    The pelvis' row has its own torque alone: that is what the hips still have to make up.
    """
    table = subtrees(character)
    links = [0, *(i for leg in loaded for i in leg.links)]
    table[links] = np.eye(len(table))[links]
    return table
