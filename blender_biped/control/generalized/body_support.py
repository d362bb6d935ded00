"""What carries the body, planned every few control steps: it follows from the body as a whole, which moves slowly."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ..shared.clock import step_policy
from ..shared.controlled_body import ControlledBody
from ..shared.ground import NO_FORCE, GroundReaction
from ..shared.instant import Instant
from ..shared.legs import LEFT, RIGHT
from ..shared.root_torque import Pair, RootTorque
from ..shared.tracking import Tracker
from .balance import Balance
from .fitted import FittedSettings
from .settings import Settings
from .virtual_force import VirtualForce

Vector = tuple[float, float, float]


class BodySupport:
    """Joint torques that carry the body: velocity tuning (3.3) and gravity compensation (3.4)."""

    def __init__(
        self, body: ControlledBody, settings: FittedSettings, tracker: Tracker, root_torque: RootTorque,
        ground: GroundReaction,
    ) -> None:  # fmt: skip
        """ground: where it feels the pressure under the feet."""
        self.torque = np.zeros((len(body.character.links), 3))
        """Joint torques (L, 3), N m."""
        self.ankles: Sequence[Vector] = NO_FORCE
        """What the virtual force needs of each ankle (3,), N m."""
        self.aside = 0.0
        """The force to the left, N, that standing hips make."""
        character, gravity, legs = body.character, body.gravity, body.legs
        self._force = VirtualForce(settings.now, character.mass, gravity)
        self._balance = Balance(character, settings.now, legs, gravity, root_torque, ground, settings.fit.wide)
        self._tracker, self._gravity, self._legs = tracker, gravity, legs
        self._plan_steps, self._age = step_policy(body.step).plan_steps, 0
        self._planned_for: tuple[object, ...] | None = None

    def follow(self, own: Settings) -> None:
        """Take settings that have changed along the walk."""
        self._force.settings = self._balance.settings = own

    def is_due(self, *carried_by: object) -> bool:
        """Return whether to plan anew: every few control steps, and when other legs carry."""
        self._age += 1
        if self._age < self._plan_steps and carried_by == self._planned_for:
            return False
        self._age, self._planned_for = 0, carried_by
        return True

    def walk(self, now: Instant, stance: int, climb: float, weights: Pair, tracked: Pair) -> None:
        """Carry a body that steps. climb: how fast the ground rises under it, m/s. weights, tracked: of the legs."""
        px, py, pz = now.state.origins[self._legs[stance].foot].tolist()
        command = now.command
        force = self._force.walking(command.heading, command.speed, stance, (px, py, pz), now.com, now.velocity)
        self.aside = 0.0
        self._carry(now, force, climb, (weights, tracked), abs(weights[LEFT] - weights[RIGHT]))

    def stand(
        self, now: Instant, acceleration: Pair, falling: float, climb: float, weights: Pair, tracked: Pair
    ) -> None:
        """Carry a body that stands; what its hips push it aside with is not part of the torques.

        acceleration: of the centre of mass, desired, world x, y, m/s2. falling: with which it topples ahead, m/s2.
        """
        force = self._force.standing(now.command.heading, acceleration, falling)
        c, sn = math.cos(now.command.heading), math.sin(now.command.heading)
        self.aside = aside = -force[0] * sn + force[1] * c
        self._carry(now, (force[0] + aside * sn, force[1] - aside * c), climb, (weights, tracked), 0.0)

    def _carry(self, now: Instant, force: Pair, climb: float, shares: tuple[Pair, Pair], alone: float) -> None:
        gravity = self._tracker.gravity(now.state, self._gravity)
        rising = now.velocity[2] - climb
        self.torque, self.ankles = self._balance.carried(gravity, now.state, now.com, rising, force, *shares, alone)
