"""People's angles in a run by speed, and what all poses of a run share."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ....base.spatial import Array

GRID = 96
"""Pieces of a stride between the samples of its table."""
LEANS = 2.5
"""m/s from which a body leans as much as its style says."""
_SPEEDS = (1.0, 2.5, 3.5, 6.0)
Angles = tuple[float, float, float, float]
"""Degrees at those speeds, m/s."""


@dataclass(frozen=True)
class RunAngles:
    """How people's limbs go in a run, degrees (Novacheck 1998; Mann and Hagy 1980).

    thigh: ahead of the vertical at most in a swing; behind: behind it at most; lands: ahead as it lands. knee: at most
    in a swing; in_stance: at most in a stance; takes_off, straight: as it takes off, and least before it lands.
    arm: of arms each way; arm_behind: that they hang behind on average; arms_more: times that, at most, where it takes
    as much to hold against the legs; before: how much sooner than the legs' own turn. list: of the pelvis, up on the
    side of the foot that is down; twist: of the pelvis each way; chest: times that, of the chest against it;
    chest_more: at most, likewise. elbow: that elbows are bent already as a body stands.
    """

    thigh: Angles = (24.0, 36.0, 44.0, 66.0)
    behind: Angles = (14.0, 23.0, 27.0, 34.0)
    lands: Angles = (16.0, 23.0, 28.0, 36.0)
    knee: Angles = (90.0, 92.0, 101.0, 124.0)
    knee_lands: float = 20.0
    in_stance: float = 44.0
    takes_off: float = 20.0
    straight: float = 12.0
    arm: Angles = (18.0, 27.0, 33.0, 45.0)
    arm_behind: float = 12.0
    arms_more: float = 1.5
    before: float = 12.0
    list: Angles = (1.0, 2.5, 0.5, 0.5)
    twist: Angles = (4.0, 5.5, 4.5, 4.0)
    chest: float = 1.1
    chest_more: float = 2.4
    elbow: float = 22.0


ANGLES = RunAngles()


class People:
    """People's angles at a speed."""

    def __init__(self, speed: float) -> None:
        """speed: m/s."""
        self.speed = speed

    def __call__(self, degrees: Angles) -> float:
        """Return an angle, rad."""
        return math.radians(float(np.interp(self.speed, _SPEEDS, degrees)))


def turned(yaw: Array | float, pitch: Array | float, roll: Array | float) -> Array:
    """Return rotations (T, 3, 3): roll about ahead first, then pitch, then yaw, rad (T,) or one for all."""
    y, p, r = np.broadcast_arrays(*(np.atleast_1d(np.asarray(angle, dtype=float)) for angle in (yaw, pitch, roll)))
    cy, sy, cp, sp, cr, sr = np.cos(y), np.sin(y), np.cos(p), np.sin(p), np.cos(r), np.sin(r)
    rows = (
        (cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr),
        (sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr),
        (-sp, cp * sr, cp * cr),
    )
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)
