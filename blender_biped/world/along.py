"""The speed that a path's points desire, by place and time: closed-loop, so that the walk is where it shall be in time.

Between points with times the speeds that are set there keep their proportions; one factor for all of them brings the
walk to the next such point in time. It is found anew from where the body is, so that what it lacks is made up for.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..base.curves import eased
from ..base.spatial import Array
from .path import LIMITS_GRID
from .path_points import PathPoint

_GRID = 0.1  # m between places at which a speed is planned
_MOST = 400  # of these
_SLOWEST = 0.05  # m/s
_CREEPING = 0.2  # m/s at which it comes up to where it stands
_FACTORS = (1e-3, 1e3)  # within which the factor of speeds is searched
_HALVINGS = 28
_NEAR = (0.5, 0.35)  # s and m before a point with a time from which the speed stays: it could only become restless


@dataclass(frozen=True)
class Means:
    """How a walk can change its speed: slowest and fastest, m/s, acceleration and braking, m/s2.

    bends (K,): highest speed, m/s, at every LIMITS_GRID m of the path; None for a straight one. setting_off: s that it
    takes from the end of a wait to its first step. lag: s by which it is late when it brakes to stand.
    """

    slowest: float
    fastest: float
    acceleration: float
    braking: float
    bends: Array | None = None
    setting_off: float = 0.0
    lag: float = 0.0

    def stopping(self, left: Array) -> Array:
        """Return the highest speeds (N,), m/s, from which it stands after ``left`` (N,) m."""
        late = self.braking * self.lag
        return np.asarray(np.sqrt(late * late + 2.0 * self.braking * np.maximum(left, 0.0)) - late)


class Along:
    """The desired speed along a path. One walk asks it, from its start to its end."""

    def __init__(self, points: Sequence[PathPoint]) -> None:
        """points: in the order of their places."""
        self._points = tuple(points)
        self._timed = [point for point in points if point.time > 0.0]
        self._waits = [point for point in points if point.wait > 0.0]
        self._factor = 1.0

    def profile(self, arcs: Array, base: float) -> Array:
        """Return the speeds (N,), m/s, that are set at arc lengths (N,), m. base: before the first point, m/s."""
        found = np.full(len(arcs), base)
        for point in self._points:
            if point.speed > 0.0:
                share = np.clip((arcs - point.place) / max(point.ease, 1e-6), 0.0, 1.0)
                found += (point.speed - found) * eased(share)
        return found

    def speed(self, arc: float, time: float, base: float, now: float, means: Means) -> float:
        """Return the desired speed, m/s, at arc length ``arc``, m, and ``time``, s.

        base: as of ``profile``. now: the speed that it is led at, m/s.
        """
        own = float(self.profile(np.array([arc]), base)[0])
        target = next((point for point in self._timed if point.place > arc), None)
        if target is None:
            return own
        left = target.time - time
        if left > _NEAR[0] and target.place - arc > _NEAR[1]:
            self._factor = self._found(arc, left, target.place, base, now, means)
        elif left <= 0.0 and target.place - arc > _NEAR[1]:
            self._factor = _FACTORS[1]  # late: as fast as it can
        return min(max(self._factor * own, means.slowest), means.fastest)

    def _found(self, arc: float, left: float, end: float, base: float, now: float, means: Means) -> float:
        """Return the factor of all speeds by which the walk is at ``end``, m, in ``left`` s, as nearly as it can."""
        waits = [point for point in self._waits if arc < point.place <= end]
        count = min(math.ceil((end - arc) / _GRID), _MOST) + 1
        arcs = np.union1d(np.linspace(arc, end, count), [point.place for point in waits])
        stands = np.isin(arcs, [point.place for point in waits])
        standing = sum(point.wait + means.setting_off for point in waits if point.place < end)
        speeds = self.profile(arcs, base)
        limits = np.full(len(arcs), np.inf)
        if means.bends is not None:
            limits = np.interp(arcs, LIMITS_GRID * np.arange(len(means.bends)), means.bends)
        for point in waits:
            before = arcs <= point.place
            stop = np.maximum(means.stopping(point.place - arcs[before]), _CREEPING)
            limits[before] = np.minimum(limits[before], stop)

        def late(factor: float) -> bool:
            held = np.minimum(np.clip(factor * speeds, means.slowest, means.fastest), limits)
            held[0] = min(held[0], max(now, 0.0))
            return standing + _duration(arcs, held, stands, means) > left

        low, high = _FACTORS
        for _ in range(_HALVINGS):
            middle = math.sqrt(low * high)
            low, high = (middle, high) if late(middle) else (low, middle)
        return high


def _duration(arcs: Array, speeds: Array, stands: NDArray[np.bool_], means: Means) -> float:
    """Return the time, s, for a way at no more than the speeds (N,), m/s, at arc lengths (N,), m, rising.

    It gains and loses speed no faster than the means let it. stands (N,): where it begins anew from standing.
    """
    up, down = 2.0 * means.acceleration * arcs, 2.0 * means.braking * arcs
    squares = np.minimum.accumulate(np.where(stands, 0.0, speeds**2) - up) + up
    squares = np.minimum.accumulate((squares + down)[::-1])[::-1] - down
    begin = np.sqrt(np.maximum(squares, 0.0))
    end = np.where(stands, np.minimum(speeds, _CREEPING), begin)
    return float(np.sum(2.0 * np.diff(arcs) / np.maximum(begin[:-1] + end[1:], _SLOWEST)))
