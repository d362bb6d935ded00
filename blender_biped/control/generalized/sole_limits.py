"""What the ground answers to a walk: how its soles hold on, and how hard hips may turn the body on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ...base.spatial import Array
from ..shared.controlled_body import ControlledBody
from ..shared.ground import Bearing, Bounds, GroundReaction, GroundUse
from ..shared.instant import Instant
from ..shared.legs import LEFT
from ..shared.tracking import Tracker
from .fitted import FittedSettings
from .speed_bias import share_of_full

Vector = tuple[float, float, float]

WIDE_BRAKE = 8.0  # how much harder a turning thigh is braked where hips twice as wide twist the foot on the ground
WALKING_EDGE, STANDING_EDGE = 0.4, 0.8  # share of the sole within which the centre of pressure is held


class SoleLimits:
    """Holds the joint torques of one walk's legs to what the ground can answer."""

    def __init__(self, body: ControlledBody, settings: FittedSettings, tracker: Tracker) -> None:
        s, fit, legs = settings.now, settings.fit, body.legs
        self._hold = self._standing_hold = GroundUse(s.sole_share, s.grip, s.yaw_damping)
        if fit.unlike_people:  # a sole that neither lands nor pushes off is there to be used
            self._standing_hold = replace(self._hold, sole_share=max(s.sole_share, STANDING_EDGE))
        self.ground = GroundReaction(body.character, self._hold, legs, body.gravity, body.step)
        self._hip_limit = float(tracker.limit[legs[LEFT].thigh]) + body.weight * fit.hips_farther
        self._hips_wide = fit.hips_wide

    def limit(
        self, torque: Array, now: Instant, ankles: Sequence[Vector], bearing: Bearing, walking: bool, resting: bool
    ) -> None:
        """Hold joint torques (L, 3), in place. ankles: what the virtual force needs of each (3,), N m.

        walking: whether it steps. resting: whether it has walked and stands.
        """
        self.ground.hold = self._standing_hold if resting else self._hold
        brake = 1.0 + self._hips_wide * WIDE_BRAKE * share_of_full(now.command.speed)
        edge = WALKING_EDGE if walking else STANDING_EDGE
        bounds = Bounds(edge, self._hip_limit, now.command.turn, brake)
        self.ground.limit(torque, now.state, ankles, bearing, bounds)
