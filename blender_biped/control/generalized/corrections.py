"""Stable PD for a walk: the corrections of its torques for each way in which it stands on its legs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from ...base.spatial import Array, axis_angle_quaternion
from ...character.model import Character
from ..shared.legs import LEFT, RIGHT, Leg
from ..shared.root_torque import Pair, RootTorque
from ..shared.stable_pd import corrected, correction
from ..shared.standing import tracked_shares
from ..shared.state import BodyState
from ..shared.tracking import Tracker

Stance = Literal["left", "right"]

GRID = 4  # steps of the legs' shares that corrections are made for


class Corrections:
    """Corrections (see ``stable_pd``) for a left stance, a right one, and both feet down with shares in steps."""

    def __init__(
        self, tracker: Tracker, legs: tuple[Leg, Leg], root_torque: RootTorque, upright: Sequence[int], step: float
    ) -> None:
        """upright: links that are tracked in the heading frame. step: s between control steps."""
        self._table: dict[Stance | int, Array] = {}
        character = tracker.character

        def of(pose: Array, leaning: Sequence[int], planted: Sequence[int], weights: Pair) -> Array:
            tracked = tracked_shares(weights, 1.0)
            return correction(
                tracker, pose, leaning, planted,
                lambda tracking: root_torque.assembled(tracking, weights, tracked), step,
            )  # fmt: skip

        for key, stance in (("left", LEFT), ("right", RIGHT)):
            swing = legs[1 - stance]
            weights = (1.0, 0.0) if stance == LEFT else (0.0, 1.0)
            upright_too = [*upright, swing.thigh, swing.foot]
            self._table[key] = of(_bent(character, swing), upright_too, [legs[stance].foot], weights)  # type: ignore[index]
        feet = [leg.foot for leg in legs]
        for i in range(GRID + 1):
            self._table[i] = of(character.standing()[1], upright, feet, (i / GRID, 1.0 - i / GRID))

    def corrected(self, state: BodyState, torque: Array, weights: Pair, alone: int | None) -> Array:
        """Return PD torques (L, 3) as they must be for one control step.

        weights: shares of the legs. alone: the leg that it stands on while the other one swings; None with both down.
        """
        key: Stance | int = round(GRID * weights[0])
        if alone is not None:
            key = "left" if alone == LEFT else "right"
        return corrected(self._table[key], state.matrices, torque)


def _bent(character: Character, leg: Leg) -> Array:
    """Return link rotations (L, 4) of the standing pose with one leg in mid-swing."""
    _, rotations = character.standing()
    for link, pitch in ((leg.thigh, -0.4), (leg.shin, 0.5), (leg.foot, 0.5), (leg.toes, 0.5)):
        rotations[link] = axis_angle_quaternion([0.0, 1.0, 0.0], pitch)
    return rotations
