"""What a controller is given each control step: the state of the body as arrays, in world axes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...base.spatial import Array


@dataclass(slots=True)  # made anew for each control step: freezing it would cost as much as all the rest of it
class BodyState:
    """The body at one instant. L links in the order of Character.links; world axes; SI units.

    time: s. origins (L, 3): link origins (proximal joints). matrices (L, 3, 3): link orientations.
    coms (L, 3): link centres of mass. velocities (L, 3): of the coms, m/s. angular_velocities (L, 3): rad/s.
    loads (L,): vertical contact force under each link, N.
    """

    time: float
    origins: Array
    matrices: Array
    coms: Array
    velocities: Array
    angular_velocities: Array
    loads: Array

    def velocity_at(self, link: int, place: Array) -> Array:
        """Return how fast the point of a link at a place (3,), world, m, moves (3,), m/s."""
        (x, y, z), (u, v, w) = self.angular_velocities[link].tolist(), (place - self.coms[link]).tolist()
        return np.asarray(self.velocities[link] + np.array((y * w - z * v, z * u - x * w, x * v - y * u)))
