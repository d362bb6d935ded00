"""What stands in the way of a walk: solids that reach into the corridor along the path. numpy only."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ..base.once import once_for_each
from ..base.patience import costly
from ..base.spatial import Array, quaternion_matrix
from .floor import Floor
from .path import Path
from .things import Thing

_GRID = 0.05  # m of path between looks
_ROUND = 1e-6  # m
_AT_ONCE = 200_000  # pairs of points and sides that are looked at together


@once_for_each
def world_corners(thing: Thing) -> Array:
    """Return the corners (N, 3), m, world, of the solid of a thing, without its radius."""
    found = np.array(thing.place) + thing.solid.corners @ quaternion_matrix(np.array(thing.rotation)).T
    found.flags.writeable = False
    return np.asarray(found)


@once_for_each
def outline_above(thing: Thing) -> Array:
    """Return the corners (K, 2), m, world, of a thing's outline from above, without its radius, counter-clockwise.

    Raises UnfinishedError.
    """
    with costly():
        found = hull(world_corners(thing)[:, :2])
    found.flags.writeable = False
    return found


def in_the_way(
    thing: Thing, path: Path, start: float, half_width: float, floor: Floor, low: float, high: float
) -> float | None:
    """Return how far along the path, m, a thing is first in the way; None where it is not.

    start: m along the path. half_width: of the corridor, m. low, high: m above the ground, between which it counts.
    """
    corners = world_corners(thing)
    radius = thing.solid.radius
    # Beyond its ends nobody walks: half a step, no more.
    along = looks(path, start, path.length + 0.5 * half_width, _GRID)
    near = near_outline(along.places, outline_above(thing), half_width + radius)
    if not near.any():
        return None
    ground = floor.heights(along.places[near])
    bottom, top = float(corners[:, 2].min()) - radius, float(corners[:, 2].max()) + radius
    hits = np.flatnonzero(near)[(top > ground + low) & (bottom < ground + high)]
    return float(along.arcs[hits[0]]) if len(hits) else None


class Looks:
    """Where along a path it is looked at. arcs (N,): m. places (N, 2): of the path there, m."""

    def __init__(self, path: Path, arcs: Array) -> None:
        self._path, self.arcs, self.places = path, arcs, path.position(arcs)
        self._left: dict[float, Array] = {}
        self.arcs.flags.writeable = self.places.flags.writeable = False

    def left(self, span: float) -> Array:
        """Return the way to the left (N, 2) of where the path leads, over ``span`` m of it."""
        if span not in self._left:
            self._left[span] = self._path.left(self.arcs, span)
        return self._left[span]


@lru_cache(maxsize=4)
def looks(path: Path, start: float, end: float, grid: float) -> Looks:
    """Return where along a path it is looked at, from ``start`` to before ``end``, m, each ``grid`` m.

    Many things are asked for, one after the other, along the same path.
    """
    return Looks(path, np.arange(start, end, grid))


def near_outline(points: Array, outline: Array, reach: float) -> NDArray[np.bool_]:
    """Return which points (N, 2) are nearer than ``reach``, m, to a convex outline (K, 2), counter-clockwise."""
    about = reach + _ROUND
    low, high = outline.min(axis=0) - about, outline.max(axis=0) + about
    x, y = points.T
    near = np.asarray((low[0] <= x) & (x <= high[0]) & (low[1] <= y) & (y <= high[1]))
    some = np.flatnonzero(near)
    if len(some):
        near[some] = distances(points[some], outline) < reach
    return near


def hull(points: Array) -> Array:
    """Return the corners (K, 2) of the convex hull of points (N, 2), counter-clockwise (Andrew's chain)."""
    ordered = sorted({(float(x), float(y)) for x, y in points})
    if len(ordered) < 3:
        return np.array(ordered)

    def chain(row: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
        found: list[tuple[float, float]] = []
        for point in row:
            while len(found) > 1 and _turn(found[-2], found[-1], point) <= 0.0:
                found.pop()
            found.append(point)
        return found[:-1]

    return np.array(chain(ordered) + chain(ordered[::-1]))


def distances(points: Array, outline: Array) -> Array:
    """Return how far (N,), m, points (N, 2) are from a convex outline (K, 2), counter-clockwise; 0 inside of it."""
    if len(points) * len(outline) > _AT_ONCE and len(points) > 1:
        count = max(_AT_ONCE // len(outline), 1)
        return np.concatenate([distances(points[i : i + count], outline) for i in range(0, len(points), count)])
    starts, ends = outline, np.roll(outline, -1, axis=0)
    ways = ends - starts
    offsets = points[:, None] - starts
    squares = np.maximum((ways**2).sum(axis=1), 1e-18)
    share = np.clip((offsets * ways).sum(axis=2) / squares, 0.0, 1.0)
    away = np.linalg.norm(offsets - share[..., None] * ways, axis=2).min(axis=1)
    if len(outline) < 3:
        return np.asarray(away)
    inside = (ways[:, 0] * offsets[..., 1] - ways[:, 1] * offsets[..., 0] >= 0.0).all(axis=1)
    return np.where(inside, 0.0, away)


def _turn(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
