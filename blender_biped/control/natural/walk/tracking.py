"""From what the links shall do to joint torques: gains by part, and the equations of the whole body."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ....base.spatial import Array
from ....character.model import Character
from ...shared.legs import Leg
from ...shared.sole import Sole
from ...shared.state import BodyState
from ...shared.tracking import missing_rotation
from ...shared.whole_body import ExternalForce, WholeBody
from .step_state import Desired, LegUse


@dataclass(frozen=True)
class Gain:
    """How a part makes up what is missing of its orientation. stiffness: 1/s2. damping: 1/s. most: rad/s2 of that."""

    stiffness: float
    damping: float
    most: float


_TRUNK, _ARM, _LEG = Gain(200.0, 28.0, 400.0), Gain(150.0, 24.0, 400.0), Gain(450.0, 42.5, 400.0)
GAINS = {
    "pelvis": _TRUNK, "abdomen": _TRUNK, "chest": _TRUNK, "head": _TRUNK, "upper_arm": _ARM, "forearm": _ARM,
    "hand": _TRUNK, "thigh": _LEG, "shin": _LEG, "foot": Gain(1300.0, 72.0, 1200.0),
    "toes": Gain(6000.0, 150.0, 6000.0),
}  # fmt: skip
UPPER = ("chest", "head", "upper_arm", "forearm", "hand")
CARRIED = ("abdomen", *UPPER)
"""The parts that are carried as the style has them where it stands."""
SWIVEL = 0.3
"""The upper parts turn back to their heading that much less hard than they lean: feet hold little of a turn."""
YIELDING = 0.4
"""So much of its gains leads a leg in front whose foot comes down: harder, it would tilt the pelvis by itself."""


class Tracking:
    """Makes one body's links do what they shall."""

    def __init__(self, character: Character, legs: tuple[Leg, Leg], body: WholeBody) -> None:
        gains = [GAINS[link.part] for link in character.links]
        self._kp = np.array([[gain.stiffness] for gain in gains])
        self._kd = np.array([[gain.damping] for gain in gains])
        self._most = np.array([[gain.most] for gain in gains])
        swivels = [SWIVEL if link.part in UPPER else 1.0 for link in character.links]
        self._swivels = np.array([(1.0, 1.0, swivel) for swivel in swivels])
        self._least = -self._most
        self._legs, self._body = legs, body
        self._reference = np.empty((len(gains), 3, 4))  # written anew in each control step
        self._since, self._onward = 0.0, np.ones_like(self._kp)

    def torques(
        self, state: BodyState, desired: Desired, since: float, soles: Sequence[Sole], pulls: Sequence[ExternalForce]
    ) -> Array:  # fmt: skip
        """Return torques (L, 3) by which the links come to what they shall do. since: s, since that was found."""
        reference, matrices, rates = self._reference, state.matrices, desired.angular_velocities
        if since:
            # They have turned on since then, and what is missing of that is made up like what is missing of the rates.
            if since != self._since:
                self._since, self._onward = since, 1.0 + since * self._kp / self._kd
            rates = rates * self._onward
        reference[:, :, :3] = desired.rotations
        np.subtract(rates, state.angular_velocities, out=reference[:, :, 3])
        local = matrices.transpose(0, 2, 1) @ reference
        turning = self._kp * missing_rotation(local)
        turning += self._kd * local[:, :, 3]
        np.maximum(np.minimum(turning, self._most, out=turning), self._least, out=turning)
        found = (matrices @ turning[:, :, None])[:, :, 0]
        found *= self._swivels
        found += desired.angular_accelerations
        for leg, use, sole in zip(self._legs, desired.legs, soles, strict=True):
            if use is LegUse.BEARS:
                found[leg.thigh] = found[leg.shin] = 0.0
            elif use is not LegUse.FREE:
                share = YIELDING if use is LegUse.YIELDS else 1.0
                for link in (leg.thigh, leg.shin):
                    x, y, _ = found[link].tolist()
                    about = share * (y * sole.ahead.real - x * sole.ahead.imag)
                    found[link] = -about * sole.ahead.imag, about * sole.ahead.real, 0.0
        self._body.project(state, found)
        return self._body.torques(state, found, desired.lift, desired.contacts, pulls, desired.bounces)
