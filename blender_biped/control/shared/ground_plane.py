"""How the ground lies: planes through what is seen of it, and soles that stand on them."""

from __future__ import annotations

import cmath
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ...base.spatial import Array
from ...world.floor import Floor
from .legs import Leg
from .slope import Normal, Slope, normal
from .sole import Sole, sole_of
from .state import BodyState


@dataclass(frozen=True)
class GroundPlane:
    """The plane through a place of the ground, m, world. slope: how much it rises along x and y, m/m."""

    place: complex
    height: float
    slope: Slope

    def at(self, place: complex) -> float:
        """Return its height at a place, m."""
        gx, gy = self.slope
        off = place - self.place
        return self.height + gx * off.real + gy * off.imag

    def rise(self, way: complex) -> float:
        """Return how much it rises over a way along the ground, m."""
        return self.slope[0] * way.real + self.slope[1] * way.imag

    def pitch(self, yaw: float) -> float:
        """Return how far it is turned up ahead of who looks that way, rad."""
        return math.atan(self.rise(cmath.exp(1j * yaw)))

    @cached_property
    def normal(self) -> Normal:
        """The unit vector that is upright on it."""
        return normal(self.slope)

    @cached_property
    def turn(self) -> Array:
        """The rotation (3, 3) from level ground to it, by the shortest arc."""
        x, y, z = self.normal
        k = 1.0 / (1.0 + z)
        return np.array((1.0 - k * x * x, -k * x * y, x, -k * x * y, 1.0 - k * y * y, y, -x, -y, z)).reshape(3, 3)


def between_planes(first: GroundPlane, last: GroundPlane, share: float) -> GroundPlane:
    """Return the plane between two, ``share`` of the last one."""
    (ax, ay), (bx, by) = first.slope, last.slope
    return GroundPlane(
        first.place + share * (last.place - first.place),
        first.height + share * (last.height - first.height),
        (ax + share * (bx - ax), ay + share * (by - ay)),
    )


class PlaneFit:
    """The ground at places about a point, and the plane through them."""

    def __init__(self, places: Sequence[complex]) -> None:
        """places: ahead + i to the left, m."""
        self._places = tuple(places)
        table = np.array([(1.0, p.real, p.imag) for p in places])
        self._solved, self._table = np.linalg.pinv(table), table

    def plane(self, floor: Floor, place: complex, yaw: float, highest: float = 0.0) -> GroundPlane:
        """Return how the ground lies about a place, m, seen along yaw, rad.

        highest: share of what one of the places is above the plane through all of them, that it is raised by.
        """
        way = cmath.exp(1j * yaw)
        heights = np.array([floor.height((at := place + p * way).real, at.imag) for p in self._places])
        found = self._solved @ heights
        height, along, aside = found.tolist()
        if highest:
            height += highest * max(float((heights - self._table @ found).max()), 0.0)
        slope = complex(along, aside) * way
        return GroundPlane(place, height, (slope.real, slope.imag))


def sole_on(plane: GroundPlane, state: BodyState, leg: Leg, toe_drop: float, bearing: float) -> Sole:
    """Return a foot's sole on ground that lies so: its tilt is that from the ground; see ``sole_of``.

    Places are the world's, and so is the direction in which it points: as long as a metre along the sole is seen from
    above.
    """
    turn, ankle = plane.turn, state.origins[leg.foot]
    seen = replace(state, matrices=turn.T @ state.matrices, origins=(state.origins - ankle) @ turn)
    own = sole_of(seen, leg, toe_drop, bearing)
    (zx, _, zz) = seen.matrices[leg.foot, 2].tolist()
    below = max(leg.heel * -zx, leg.ball * -zx) + leg.ankle_height * zz
    x, y, _ = (ankle + turn @ (own.anchor.real, own.anchor.imag, -below)).tolist()
    u, v, _ = (turn @ (own.ahead.real, own.ahead.imag, 0.0)).tolist()
    own.anchor, own.ahead = complex(x, y), complex(u, v)
    return own
