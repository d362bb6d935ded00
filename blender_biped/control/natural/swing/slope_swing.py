"""The swing over ground that slopes."""

from __future__ import annotations

from dataclasses import replace
from math import hypot
from typing import Protocol

from ....base.curves import ramp
from ....base.spatial import Array
from ...shared.ground_plane import GroundPlane, between_planes
from ...shared.state import BodyState
from ..steps.planner import Plan
from .swing import Swing, aloft_at
from .swing_step import LiftOff, SwingStep, SwingTarget

AHEAD = (0.1, 0.2)
"""Slope, m/m: from which on feet turn out less, and do not: an ankle that climbs bends all it can, along the way."""
STEEP = 0.25
"""Slope, m/m, over which toes are held up in a swing."""


class SlopeSeen(Protocol):
    """The ground as a swing asks for it. planes: of the ground under each foot, where it stands or is about to."""

    planes: list[GroundPlane]

    def under_foot(self, side: int, anchor: complex, yaw: float) -> GroundPlane:
        """Return how the ground lies under a foot whose ankle is above a place, m, and that points along yaw, rad."""

    def above(self, side: int, plane: GroundPlane, yaw: float) -> float:
        """Return how much higher than a plane, m, the ground is anywhere under a foot that points along yaw, rad."""


class SlopeSwing(Swing):
    """A swing over ground that slopes."""

    def __init__(self, lift: LiftOff, ground: SlopeSeen) -> None:
        super().__init__(lift)
        own, sole = ground.planes[lift.side], lift.sole
        self._ground, self._from = ground, replace(own, place=sole.anchor, height=own.at(sole.anchor))
        self._under = self._from.height
        self._above = self._start[2] - self._under  # of the ankle, above where its foot stood
        self._plane = self._from

    def _landing(self, step: SwingStep, foothold: complex) -> tuple[complex, tuple[float, float, float]]:
        """Return where the ankle is as the foot lands: upright on the ground over its foothold."""
        ankle, end = super()._landing(step, foothold)
        x, y, _ = self._plane.normal
        return ankle + self._leg.ankle_height * complex(x, y), end

    def _above_ground(self, low: float) -> float:
        return low - self._plane.height

    def _turned_out(self, plan: Plan) -> float:
        return (1.0 - ramp(hypot(*self._plane.slope), *AHEAD)) * super()._turned_out(plan)

    @property
    def _steep(self) -> bool:
        return hypot(*self._from.slope) > STEEP

    def target(self, step: SwingStep) -> SwingTarget:
        """Return where the foot is set down."""
        found = super().target(step)
        self._plane = self._ground.under_foot(self._side, found.foothold, self._landing_yaw(step))
        self._ground.planes[self._side] = self._plane
        found.height += self._plane.height
        return found

    def refer(
        self, state: BodyState, step: SwingStep, target: SwingTarget, rotations: Array, angular_velocities: Array,
        angular_accelerations: Array,
    ) -> None:  # fmt: skip
        """Fill in what the leg's links do, (L, 3, 3), (L, 3), (L, 3), as a swing's does, over the ground's line."""
        leg = self._leg
        here = between_planes(self._from, self._plane, min(max(self._way_done(step.plan, step.now), 0.0), 1.0))
        aloft = aloft_at(self._done(step.phase))
        under = here.height
        if aloft > 0.0:
            under += aloft * self._ground.above(self._side, here, step.command.heading)
        self._start[2], self._up = under + self._above, self._up + under - self._under
        self._under = under
        super().refer(state, replace(step, ground=under), target, rotations, angular_velocities, angular_accelerations)
        for link in (leg.foot, leg.toes):
            rotations[link], angular_velocities[link] = (
                here.turn @ rotations[link],
                here.turn @ angular_velocities[link],
            )
