"""Height profile: how high the ground is along a path: slopes and stairs. numpy only."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..base.errors import DataError
from ..base.spatial import Array

STEEPEST = 0.5
"""Slope, m/m, of ground that can be walked on; what is steeper must be a stair's riser, which is upright."""


class HeightProfile:
    """The height of the ground over the arc length of a path: straight between points, upright where two share a place.

    points (N, 2): arc length m, rising, and height m. Before the first and after the last one the ground is level.
    """

    def __init__(self, points: Sequence[tuple[float, float]], scale: float = 1.0) -> None:
        """Keep the points, made ``scale`` times smaller. Raises DataError when they go back or are too steep."""
        table = np.array(points, dtype=float).reshape(-1, 2) / scale
        if not np.isfinite(table).all():
            raise DataError("job.relief has a number that is not finite.")
        widths, rises = np.diff(table, axis=0).T
        if (widths < 0.0).any():
            raise DataError("job.relief: arc lengths must rise from point to point.")
        if (np.abs(rises) > STEEPEST * widths)[widths > 0.0].any():
            raise DataError(f"job.relief is steeper than {STEEPEST:g}: make a slope gentler, or a riser upright.")
        self._arcs, self._heights = (table if len(table) else np.zeros((1, 2))).T
        self.risers: list[float] = sorted(set(self._arcs[1:][(widths == 0.0) & (rises != 0.0)].tolist()))
        """Arc lengths, m, of upright steps."""

    def height(self, s: Array) -> Array:
        """Return heights (...), m, at arc lengths (...), m; at a riser that of what follows."""
        return self._sides(np.asarray(s, dtype=float))[0]

    def slope(self, s: Array) -> Array:
        """Return slopes (...), m/m, at arc lengths (...), m."""
        return self._sides(np.asarray(s, dtype=float))[1]

    def _sides(self, s: Array) -> tuple[Array, Array]:
        arcs, heights = self._arcs, self._heights
        if len(arcs) < 2:
            return np.full(s.shape, heights[0]), np.zeros(s.shape)
        i = np.clip(np.searchsorted(arcs, s, side="right") - 1, 0, len(arcs) - 2)
        width = arcs[i + 1] - arcs[i]
        slope = np.where(width > 0.0, (heights[i + 1] - heights[i]) / np.where(width > 0.0, width, 1.0), 0.0)
        beyond = (s < arcs[0]) | (s >= arcs[-1])
        level = np.where(s < arcs[0], heights[0], heights[-1])
        return np.where(beyond, level, heights[i] + slope * (s - arcs[i])), np.where(beyond, 0.0, slope)

    def landing(self, stance: float, desired: float, back: float, front: float) -> float:
        """Return where a foot comes down instead of at ``desired`` m: whole on a tread, at most one riser further on.

        stance: where the other foot stands; back, front: how far the foot reaches behind and before that place, m.
        """
        ahead = [r for r in self.risers if r > stance]
        if len(ahead) > 1:
            desired = min(desired, ahead[1] - front)
        for i, riser in enumerate(ahead[:2]):
            tread = ahead[i + 1] - riser if i + 1 < len(ahead) else np.inf
            heel = min(back, max(tread - front, 0.0))  # of a foot longer than the tread, the heel stands out
            if riser - front < desired < riser + heel:
                below, above = riser - front, riser + heel
                desired = above if above - desired < desired - below or below < stance + back else below
        return max(desired, stance)
