"""When a walk was where the points of its path wanted it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..world.path_points import PathPoint
from .motion import Motion

_STANDS = 0.2  # m before a point where it waits, at which it may stand already


@dataclass(frozen=True)
class Arrival:
    """How a walk kept the time of a point. time: when its mid-hip was there, s; None if it never was.

    ahead: how far beyond the point it was at the desired time, m along the path; negative before it.
    """

    point: PathPoint
    time: float | None
    ahead: float

    @property
    def late(self) -> float | None:
        """By how much it came late, s; negative if early."""
        return None if self.time is None else self.time - self.point.time


def arrivals(motion: Motion, points: Sequence[PathPoint]) -> list[Arrival]:
    """Return how a motion kept the times of a path's points, in their order; those without a time are left out.

    At a point where it waits it is in time when it is as near then as it stands.
    """
    reached = np.maximum.accumulate(motion.command[:, 2])
    found = []
    for point in points:
        if point.time <= 0.0:
            continue
        ahead = float(np.interp(point.time, motion.times, motion.command[:, 2])) - point.place
        stands = _STANDS if point.wait else 0.0
        i = int(np.searchsorted(reached, point.place - stands))
        time = None if i == len(reached) else float(motion.times[i])
        found.append(Arrival(point, point.time if abs(ahead) < stands else time, ahead))
    return found
