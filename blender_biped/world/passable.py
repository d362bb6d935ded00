"""Which ground a walk can take: slopes, edges and holes along its path, against what a controller can. numpy only."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from ..base.errors import DataError
from ..base.spatial import Array
from .beside import heights_beside
from .path import Path
from .terrain import NO_GROUND, Terrain

_GRID = 0.02  # m of path between looks
_EVERY = 5  # looks of which one is kept where there is no edge
_EDGE = 0.6  # m/m: what is steeper between two looks is an edge and no slope
_WINDOW = 0.8  # m over which slopes count
_ASIDE = (-0.25, -0.12, 0.0, 0.12, 0.25)  # m beside the path where a walk sets its feet
_SPAN = 0.2  # m over which the path's direction is taken
_FLIGHT = 1.0  # m in which all edges together are a flight of steps


@dataclass(frozen=True)
class GroundLimits:
    """The ground that a controller can walk on, for a body with legs of 0.9 m.

    up, down, across: slopes, degrees. rise, fall: of an edge, m.
    """

    up: float
    down: float
    across: float
    rise: float
    fall: float


def check_ground(ground: Terrain, path: Path, start: float, limits: GroundLimits, size: float, label: str) -> None:
    """Raise DataError where a path leads over ground that cannot be walked on; it says what is there, and where.

    start: m along the path. size: of the body, 1 for legs of 0.9 m. label: who walks. Raises UnfinishedError.
    """
    wrong = wrong_with(ground, path, start, limits, size, label)
    if wrong:
        raise DataError(wrong)


@lru_cache(maxsize=8)
def wrong_with(ground: Terrain, path: Path, start: float, limits: GroundLimits, size: float, label: str) -> str:
    """Return why ground cannot be walked on, "" where it can."""
    arcs = np.arange(start, path.length + 1e-9, _GRID * size)
    heights = heights_beside(ground, path, arcs, _SPAN, tuple(aside * size for aside in _ASIDE))
    if not np.isfinite(heights).all():
        place = arcs[int(np.argmin(np.isfinite(heights).all(axis=0)))]
        return f"The ground has a hole, or ends, {place:.1f} m along the path: close it, or lead the path round it."
    if len(arcs) < 3:
        return ""
    steps = np.diff(heights, axis=1)
    edges = np.where(np.abs(steps) > _EDGE * _GRID * size, steps, 0.0)
    reach = max(round(_FLIGHT / _GRID), 1)
    sums = np.cumsum(np.pad(edges, ((0, 0), (1, 0))), axis=1)
    flights = sums[:, np.minimum(np.arange(1, sums.shape[1]) + reach, sums.shape[1] - 1)] - sums[:, :-1]
    for rises, most in ((True, limits.rise * size), (False, limits.fall * size)):
        worst = flights.max(axis=0) if rises else -flights.min(axis=0)
        how = "up" if rises else "down"
        if worst.max() > most + 1e-6:
            place = arcs[int(np.argmax(worst > most + 1e-6))]
            return (
                f"The ground has steps of {worst.max():.3g} m {how} within {_FLIGHT * size:.1f} m, {place:.1f} m along "
                f"the path; {label} takes {most:.2f}: lead the path round them, or make a ramp of them."
            )
    even = heights - sums
    window = max(round(_WINDOW / _GRID), 2)
    grades = np.degrees(np.arctan(_slopes(even[len(_ASIDE) // 2], window, _GRID * size)))
    tilts = np.polyfit(np.array(_ASIDE) * size, heights, 1)[0]
    leans = np.degrees(np.arctan(_mean(tilts, window)))
    for turn, (angles, most) in enumerate(
        ((grades, limits.up), (-grades, limits.down), (np.abs(leans), limits.across))
    ):
        how = "across" if turn == 2 else "up" if turn == 0 else "down"
        if angles.max() > most + 0.1:
            place = arcs[min(int(np.argmax(angles > most + 0.1)), len(arcs) - 1)]
            return (
                f"The ground slopes {angles.max():.3g} degrees {how}, {place:.1f} m along the path; {label} walks on "
                f"slopes of {most:.0f} degrees {how}: make it gentler, or lead the path elsewhere."
            )
    return ""


@lru_cache(maxsize=2)
def profile(ground: Terrain, path: Path, level: float) -> tuple[tuple[float, float], ...]:
    """Return the ground along a path as points of arc length and height above ``level``, m: edges are upright.

    Where there is no ground it is level. Raises UnfinishedError.
    """
    arcs = np.arange(0.0, path.length + _GRID, _GRID)
    (heights,) = heights_beside(ground, path, arcs, _SPAN, (0.0,))
    heights = np.where(heights == NO_GROUND, level, heights) - level
    upright = np.abs(np.diff(heights, prepend=heights[0])) > 0.4 * _GRID
    order = np.arange(len(arcs))
    counts = np.where(upright, 2, (order % _EVERY == 0) | (order == order[-1]))
    levels = np.repeat(heights, counts)
    below = (np.cumsum(counts) - counts)[upright]
    levels[below] = heights[np.flatnonzero(upright) - 1]
    return tuple(zip(np.repeat(arcs, counts).tolist(), levels.tolist(), strict=True))


def _slopes(heights: Array, window: int, grid: float) -> Array:
    """Return slopes (K,), m/m, over a window of looks."""
    window = min(window, len(heights) - 1)
    return np.asarray((heights[window:] - heights[:-window]) / (window * grid))


def _mean(values: Array, window: int) -> Any:
    window = min(window, len(values))
    return np.convolve(values, np.full(window, 1.0 / window), mode="valid")
