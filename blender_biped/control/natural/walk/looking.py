"""A head that looks about: where it is to be turned beyond what the step has, softly, whatever begins or ends."""

from __future__ import annotations

import math

import numpy as np

from ....base.spatial import Array, yawed
from ....klaw.manner import looking

_SOFT = 0.25  # s, in which the head is where it looks
_LEVEL = 1e-4  # rad: of a head that looks no more about, and is as the step has it


class LookingAbout:
    """The turn of one body's head."""

    def __init__(self, head: int, take: int) -> None:
        """head: its link; below 0 where there is none. take: which of the courses its glances have."""
        self._head, self._take = head, take
        self._yaw, self._time = 0.0, 0.0

    def turn(self, time: float, most: float, rotations: Array, angular_velocities: Array) -> None:
        """Turn the head in what the links shall do (L, 3, 3) and (L, 3), changed in place.

        time: s. most: rad to either side; 0 where it does not look about, or no more.
        """
        since, self._time = time - self._time, time
        if self._head < 0 or (not most and abs(self._yaw) < _LEVEL):
            self._yaw = 0.0
            return
        aim = most * float(looking(np.array([time]), self._take)[0]) if most else 0.0
        share = 1.0 - math.exp(-max(since, 0.0) / _SOFT)
        self._yaw += share * (aim - self._yaw)
        rotations[self._head] = yawed(self._yaw) @ rotations[self._head]
        angular_velocities[self._head, 2] += (aim - self._yaw) / _SOFT
