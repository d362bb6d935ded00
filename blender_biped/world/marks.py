"""What of a world is drawn, as lines and faces: bounds of things, crosses at places, arrows of forces. numpy only."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from ..base.box import unit_box
from ..base.spatial import Array, normalized, quaternion_matrix
from .path import Path
from .things import Thing
from .winds import Wind

_BARB = (0.25, 0.12)  # of an arrow: how far its barbs reach back, and to the side
_MOST_ARROWS = 30  # of a wind


def bounds(thing: Thing) -> tuple[Array, Array]:
    """Return the edges (12, 2, 3) and triangles (12, 3, 3), m, world, of the box about a thing, as it is turned."""
    corners = thing.solid.corners
    low, high = corners.min(axis=0) - thing.solid.radius, corners.max(axis=0) + thing.solid.radius
    middle, half = 0.5 * (low + high), 0.5 * (high - low)
    turn = quaternion_matrix(np.array(thing.rotation))
    edges, triangles = ((middle + part * half) @ turn.T + np.array(thing.place) for part in unit_box())
    return edges, triangles


def cross(place: ArrayLike, reach: float) -> Array:
    """Return three lines (3, 2, 3), m, through a place (3,), along the axes. reach: from it to their ends, m."""
    return np.asarray(place) + reach * np.stack((-np.eye(3), np.eye(3)), axis=1)


def arrow(start: ArrayLike, way: ArrayLike) -> Array:
    """Return the arrow (5, 2, 3), m, from a place (3,) along a way (3,) that has a length."""
    begin, along = np.asarray(start, dtype=float), np.asarray(way, dtype=float)
    tip, length = begin + along, float(np.linalg.norm(along))
    aside = normalized(np.cross(along, np.eye(3)[int(np.argmin(np.abs(along)))]))
    back, out = _BARB
    sides = [aside, -aside, np.cross(along / length, aside), -np.cross(along / length, aside)]
    return np.array([(begin, tip), *((tip - back * along + out * length * side, tip) for side in sides)])


def blown(winds: Sequence[Wind], path: Path, start: float, height: float, apart: float) -> list[tuple[Array, Array]]:
    """Return where along a path each wind blows (3,), m, and how hard (3,), N, when it is strongest; where it does.

    start: m along the path. height: of the places, world, m. apart: m of path between two of them; more on long paths.
    """
    found = []
    arcs = np.linspace(start, path.length, int(np.clip((path.length - start) / apart, 1, _MOST_ARROWS - 1)) + 1)
    for wind in winds:
        time, _ = max(wind.strengths, key=lambda row: abs(row[1]))
        for x, y in path.position(arcs).tolist():
            force = np.array(wind.force((x, y, height), time))
            if force.any():
                found.append((np.array([x, y, height]), force))
    return found
