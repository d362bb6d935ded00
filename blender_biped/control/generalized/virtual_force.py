"""Velocity tuning: the virtual force on the centre of mass (Coros 2010, section 3.3)."""

from __future__ import annotations

from ...base.spatial import Heading
from ..shared.legs import RIGHT
from .settings import Settings

Vector = tuple[float, float, float]
Pair = tuple[float, float]


class VirtualForce:
    """The force, world x, y, N, that legs on the ground shall put on the centre of mass.

    Along the heading f = m k_v (v_d - v); across it f = m (k_y (y_d - y) - d_y v_y), with v_d the desired speed, m/s, y
    the place of the centre of mass beside the stance ankle and y_d its desired one, half the walk's width towards the
    swing leg, m; each is held to a share of the body's weight.
    """

    def __init__(self, settings: Settings, mass: float, gravity: float) -> None:
        """``mass``: kg. ``gravity``: m/s2."""
        self.settings, self._mass = settings, mass
        self._most = settings.force_limit[0] * gravity, settings.force_limit[1] * gravity

    def walking(self, heading: float, speed: float, stance: int, pivot: Vector, com: Vector, velocity: Vector) -> Pair:
        """Return it on one leg. heading: rad. speed: desired, m/s. pivot: the stance ankle, m."""
        s, facing = self.settings, Heading(heading)
        forward, sideways = facing.seen(velocity[0], velocity[1])
        _, offset = facing.seen(com[0] - pivot[0], com[1] - pivot[1])
        desired = (0.5 if stance == RIGHT else -0.5) * s.width
        ahead = s.speed_gain * (speed - forward)
        aside = s.sway_gain * (desired - offset) - s.sway_damping * sideways
        return self._held(ahead, aside, facing)

    def standing(self, heading: float, acceleration: Pair, falling: float = 0.0) -> Pair:
        """Return it on both feet, for an acceleration of the centre of mass, world x, y, m/s2.

        falling: that with which a body that leans topples ahead, m/s2. What holds it there comes on top of what the
        force may be at most; else who leans farther than that cannot come back.
        """
        facing = Heading(heading)
        return self._held(*facing.seen(*acceleration), facing, falling)

    def _held(self, ahead: float, aside: float, facing: Heading, falling: float = 0.0) -> Pair:
        along, across = self._most
        fx = self._mass * min(max(ahead, -along - max(falling, 0.0)), along - min(falling, 0.0))
        fy = self._mass * min(max(aside, -across), across)
        return facing.along(fx, fy)
