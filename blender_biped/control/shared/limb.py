"""Legs as their links' orientations: two-link inverse kinematics, how fast they turn, and leaning."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ...base.spatial import Array, pitched, yawed
from .inverse_kinematics import leg_orientations
from .legs import Leg

STRAIGHT = 0.9995
"""Share of the straight leg that it is stretched to at most: a knee of 4 degrees, as a person's at heel strike."""

SOON = 1.0 / 240.0  # s, over which rates are found


def leg_rotations(leg: Leg, hip: Sequence[float], ankle: Sequence[float], yaw: float) -> Array:
    """Return orientations (2, 3, 3) of thigh and shin. hip, ankle (3,): m. yaw: where knee and foot point, rad."""
    x, y, z = hip
    u, v, w = ankle
    thigh, shin, _ = leg_orientations(
        (x, y, z), (u, v, w), leg.thigh_length, leg.shin_length, (-math.sin(yaw), math.cos(yaw), 0.0), leg.aside,
        STRAIGHT,
    )  # fmt: skip
    return np.array(thigh + shin).reshape(2, 3, 3)


def leg_rates(
    leg: Leg, hip: tuple[Array, Array], ankle: tuple[Array, Array], yaw: float, fastest: float
) -> tuple[Array, Array]:  # fmt: skip
    """Return orientations (2, 3, 3) of thigh and shin, and how fast they turn (2, 3), rad/s, at most ``fastest``.

    hip, ankle: place (3,), m, and velocity (3,), m/s, of each. yaw: see ``leg_rotations``.
    """
    (hip_now, goes), (ankle_now, moves) = hip, ankle
    now = leg_rotations(leg, hip_now.tolist(), ankle_now.tolist(), yaw)
    soon = leg_rotations(leg, (hip_now + SOON * goes).tolist(), (ankle_now + SOON * moves).tolist(), yaw)
    return now, np.clip(angular_velocity(soon, now, SOON), -fastest, fastest)


def angular_velocity(now: Array, last: Array, step: float) -> Array:
    """Return the angular velocity (..., 3), rad/s, that has turned ``last`` (..., 3, 3) to ``now`` in ``step`` s."""
    d = (now @ last.swapaxes(-1, -2)).reshape(*now.shape[:-2], 9)
    return np.asarray((d.take(_PLUS, axis=-1) - d.take(_MINUS, axis=-1)) * (0.5 / step))


_PLUS, _MINUS = np.array((7, 2, 3)), np.array((5, 6, 1))


def drop(leg: Leg, pitch: float) -> float:
    """Return how far the lowest point of a sole is below its ankle, m. pitch: heel up, rad."""
    s, c = math.sin(pitch), math.cos(pitch)
    return max(leg.heel * s, leg.ball * s) + leg.ankle_height * c


def lean(rotations: Array, leans: Sequence[tuple[int, float]], share: float, heading: float) -> None:
    """Let links lean forward, in place: their orientations (L, 3, 3). leans: links, and how far in full, rad."""
    if share > 0.0:
        facing = yawed(heading)
        for link, angle in leans:
            rotations[link] = facing @ pitched(share * angle) @ facing.T @ rotations[link]
