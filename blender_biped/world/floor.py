"""What there is to know of the ground under a walk: height and slope at a place. Controllers see the ground by it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..base.spatial import Array
from .terrain import NO_GROUND, Terrain


@dataclass(frozen=True)
class Floor:
    """The ground: level at the height ``level``, m, or a terrain; where that has a gap, it is taken to be level.

    Heights are world, m. A query costs about a microsecond on a level floor.
    """

    level: float = 0.0
    terrain: Terrain | None = None

    @property
    def flat(self) -> bool:
        """Whether it is level everywhere."""
        return self.terrain is None

    def height(self, x: float, y: float) -> float:
        """Return the height at a place."""
        if self.terrain is None:
            return self.level
        found = self.terrain.height(x, y)
        return self.level if found == NO_GROUND else found

    def heights(self, places: ArrayLike) -> Array:
        """Return the heights (...) at places (..., 2 or more)."""
        given = np.asarray(places, dtype=float)
        if self.terrain is None:
            return np.full(given.shape[:-1], self.level)
        found = self.terrain.heights(given)
        return np.where(found == NO_GROUND, self.level, found)

    def slope(self, x: float, y: float) -> tuple[float, float]:
        """Return how much it rises along x and along y at a place, m/m, as a foot feels it."""
        return (0.0, 0.0) if self.terrain is None else self.terrain.slope(x, y)
