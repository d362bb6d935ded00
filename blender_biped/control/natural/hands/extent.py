"""Things as hands see them: how they extend along a heading, where they are held, and where their sides begin."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ....base.spatial import Array, yawed
from ....world.blocked import hull, world_corners
from ....world.things import Thing, Triple
from .limits import ROOM

HIGH = 0.35
"""Of a thing's height above its middle where two hands hold it."""


@dataclass(frozen=True)
class Extent:
    """A thing as it is seen along a heading. middle (3,): world, m. half (3,): its sizes ahead, aside and up, m."""

    middle: Array
    half: Array


def extent(thing: Thing, heading: float) -> Extent:
    """Return how a thing extends along a heading, rad."""
    corners, radius = world_corners(thing) @ yawed(heading), thing.solid.radius
    low, high = corners.min(axis=0) - radius, corners.max(axis=0) + radius
    return Extent(yawed(heading) @ (0.5 * (low + high)), 0.5 * (high - low))


def held_at(seen: Extent, sides: Sequence[int], size: float) -> list[Array]:
    """Return where hands hold a thing (3,), from its middle, m ahead, to the left and up.

    Two at its sides, above its middle; one what is small from above. size: of the body, 1 for legs of 0.9 m.
    """
    if len(sides) > 1:
        return [np.array((0.0, (1.0 - 2.0 * side) * seen.half[1], HIGH * seen.half[2])) for side in sides]
    return [np.array((0.0, 0.0, float(seen.half[2]) + ROOM.palm * size))]


def over_ground(point: Array, height: float, size: float) -> Array:
    """Return a point (3,) for a palm over something at a height, m, high enough above the ground."""
    return np.array((point[0], point[1], max(point[2], ROOM.lowest * size - height)))


def outline(thing: Thing, at: Array, turn: Array) -> Array:
    """Return the outline (K, 2) of a thing seen from above, m, in a frame at a place (3,), turned (3, 3)."""
    return hull(((world_corners(thing) - at) @ turn)[:, :2])


def face(around: Array, aside: float) -> float:
    """Return how far ahead an outline (K, 2) seen from above begins at a place beside the middle, m."""
    following = np.roll(around, -1, axis=0)
    found = []
    for (x, y), (u, v) in zip(around.tolist(), following.tolist(), strict=True):
        if min(y, v) <= aside <= max(y, v) and abs(v - y) > 1e-9:
            found.append(x + (aside - y) / (v - y) * (u - x))
    return min(found, default=math.inf)


def inertia(thing: Thing, seen: Extent) -> float:
    """Return the inertia of a thing about the vertical, kg m2."""
    return thing.mass * float((2.0 * seen.half[0]) ** 2 + (2.0 * seen.half[1]) ** 2) / 12.0


def triple(values: Array) -> Triple:
    """Return the three numbers of an array (3,)."""
    x, y, z = (float(value) for value in values)
    return x, y, z
