"""Path: where to walk, a polyline on the ground with arc length. numpy only."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..base.errors import DataError
from ..base.fields import Fields
from ..base.spatial import Array

MIN_LENGTH = 0.5
"""Shortest path that a body of reference size can walk, m: less than one step."""

SHORTEST = 0.01
"""Shortest path, m: less than a step of the smallest body."""

MAX_LENGTH = 1e4
"""Longest path, m, of one lap: what is longer is a mistake of units."""

MAX_WHOLE = 1e6
"""Longest path with all of its laps, m."""

MAX_POINTS = 500_000
"""Of a path with all of its laps."""

LIMITS_GRID = 0.1  # m of path between two speed limits
_BACK, _AHEAD = 0.5, 3.0  # m in which the next place of one that follows the path is looked for
_NOISE = (1000.0, 3.0)  # rad of turning, and for each m, from which a path of many points is noise


class Path:
    """The ground projection of a curve, walked from its first point to its last.

    points (N, 2): world x, y, m, N >= 2, no two neighbours equal. closed: the last point joins the first.
    laps: how many times a closed path is walked round.
    """

    def __init__(self, points: ArrayLike, closed: bool = False, laps: int = 1) -> None:
        """Keep the horizontal part of ``points`` (N, 2 or more), dropping repeated ones.

        Raises DataError when a coordinate is not finite, the path is not SHORTEST to MAX_LENGTH long, is too long or
        has too many points with all laps, or is noise.
        """
        given = np.array(points, dtype=float)
        if given.ndim != 2 or given.shape[1] < 2:
            raise DataError("The path has no points: choose a curve with at least two.")
        given = given[:, :2]
        if not np.isfinite(given).all():
            raise DataError("The path has a point that is not a finite number: check the curve and its modifiers.")
        ring = np.concatenate((given, given[:1])) if closed else given
        keep = np.concatenate(([True], np.linalg.norm(np.diff(ring, axis=0), axis=1) > 1e-6))
        ring = ring[keep]
        lap = float(np.linalg.norm(np.diff(ring, axis=0), axis=1).sum()) if len(ring) > 1 else 0.0
        if lap < SHORTEST:
            raise DataError(f"The path is {lap:.2g} m long on the ground: draw a curve of at least {SHORTEST:.2g} m.")
        if lap > MAX_LENGTH:
            raise DataError(
                f"The path is {lap:.0f} m long; at most {MAX_LENGTH:.0f} m can be walked: check the curve's scale."
            )
        self.source, self.closed, self.laps = given, closed, laps if closed else 1
        _check_laps(len(ring) - 1, lap, self.laps)
        self.points: Array = np.concatenate((np.tile(ring[:-1], (self.laps, 1)), ring[-1:]))
        segments = np.diff(self.points, axis=0)
        self._lengths: Array = np.linalg.norm(segments, axis=1)
        self._directions: Array = segments / self._lengths[:, None]
        self.arc: Array = np.concatenate(([0.0], np.cumsum(self._lengths)))
        """Arc length (N,) at each of ``points``, m."""
        self.length = float(self.arc[-1])
        """Whole length, all laps, m."""
        self._check_turns(lap)

    @cached_property
    def _starts(self) -> list[float]:  # as plain numbers, which a path that is refused, or only told, does not need
        return self.arc.tolist()

    @cached_property
    def _pieces(self) -> list[tuple[float, ...]]:
        """Of each piece: where it begins along the path, and there; the direction in which it goes."""
        steps = zip(self._starts, self._rows, self._steps)  # noqa: B905 (there are more points than pieces)
        return [(start, x, y, dx, dy) for start, (x, y), (dx, dy) in steps]

    @cached_property
    def _rows(self) -> list[list[float]]:
        return self.points.tolist()

    @cached_property
    def _steps(self) -> list[list[float]]:
        return self._directions.tolist()

    @cached_property
    def _spans(self) -> list[float]:
        return self._lengths.tolist()

    def __eq__(self, other: object) -> bool:
        """Return whether the other is the same path."""
        return (
            isinstance(other, Path)
            and (self.closed, self.laps) == (other.closed, other.laps)
            and np.array_equal(self.source, other.source)
        )

    def __hash__(self) -> int:
        """Return a number that is the same for the same path."""
        return hash((self.source.tobytes(), self.closed, self.laps))

    def _check_turns(self, lap: float) -> None:
        """Raise DataError for noise: a way of ``lap`` m that turns on the spot all along takes hours to be walked."""
        turns, often = _NOISE
        if len(self.points) < turns / math.pi:
            return
        headings = self.heading(np.arange(0.0, lap, LIMITS_GRID), 3.0 * LIMITS_GRID)
        turned = float(np.abs(np.diff(np.unwrap(headings))).sum())
        if turned > max(turns, often * lap):
            raise DataError(
                f"The path makes {turned / math.tau:.0f} full turns within {lap:.0f} m, as if it were noise: "
                "smooth the curve, or remove points from it."
            )

    def check_length(self, size: float) -> None:
        """Raise DataError for a path that is shorter than a step of a body. size: of that, the reference's being 1."""
        least, lap = MIN_LENGTH * size, self.length / self.laps
        if lap < least:
            raise DataError(
                f"The path is {lap:.2g} m long on the ground, less than a step of this character: draw a curve "
                f"of at least {least:.2g} m."
            )

    def position(self, s: ArrayLike) -> Array:
        """Return points (..., 2) at arc lengths ``s`` (...), m; beyond the ends along the end directions."""
        s = np.asarray(s, dtype=float)
        i = self._segment(s)
        return self.points[i] + self._directions[i] * (s - self.arc[i])[..., None]

    def heading(self, s: ArrayLike, window: float = 0.0) -> Array:
        """Return the direction (...) rad of the path at ``s``, averaged over ``window`` m around it."""
        s = np.asarray(s, dtype=float)
        if window > 0.0:
            d = self.position(s + 0.5 * window) - self.position(s - 0.5 * window)
        else:
            d = self._directions[self._segment(s)]
        return np.arctan2(d[..., 1], d[..., 0])

    def left(self, s: ArrayLike, window: float = 0.0) -> Array:
        """Return the unit vector (..., 2) to the left of the path at ``s``; see ``heading``."""
        headings = self.heading(s, window)
        return np.stack((-np.sin(headings), np.cos(headings)), axis=-1)

    def point(self, s: float) -> tuple[float, float]:
        """Return ``position`` of one arc length, m, as plain numbers: many times faster."""
        pieces = self._pieces
        start, x, y, dx, dy = pieces[bisect_right(self._starts, s, 1, len(pieces)) - 1]
        rest = s - start
        return x + dx * rest, y + dy * rest

    def direction(self, s: float, window: float) -> float:
        """Return ``heading`` at one arc length, m, averaged over ``window`` m, above 0, as a plain number."""
        (ax, ay), (bx, by) = self.point(s - 0.5 * window), self.point(s + 0.5 * window)
        return math.atan2(by - ay, bx - ax)

    def nearest(self, point: Sequence[float] | Array, low: float = 0.0, high: float = np.inf) -> float:
        """Return the arc length in low..high whose point is nearest to ``point`` (2,), m."""
        px, py = float(point[0]), float(point[1])
        first = min(max(bisect_right(self._starts, low) - 1, 0), len(self._steps) - 1)
        last = max(min(bisect_left(self._starts, high), len(self._steps)), first + 1)
        best, found = math.inf, low
        for k in range(first, last):  # a window holds few segments: plain numbers are faster than arrays
            (x, y), (dx, dy) = self._rows[k], self._steps[k]
            ox, oy = px - x, py - y
            along = min(max(ox * dx + oy * dy, 0.0), self._spans[k])
            bx, by = ox - along * dx, oy - along * dy
            square = bx * bx + by * by
            if square < best:
                best, found = square, self._starts[k] + along
        return min(max(found, low), high, self.length)

    def followed(self, places: Iterable[Array]) -> list[float]:
        """Return the arc lengths nearest to places (2,) or (3,), m, of who goes along a path that may cross itself."""
        at, found = math.nan, []
        for place in places:
            near = (0.0, np.inf) if math.isnan(at) else (max(at - _BACK, 0.0), at + _AHEAD)
            at = self.nearest(place, *near)
            found.append(at)
        return found

    def nearest_each(self, points: Array, low: Array, high: Array) -> Array:
        """Return ``nearest`` of each of ``points`` (K, 2) between its own low and high (K,): the same (K,), sooner."""
        first = np.maximum(np.searchsorted(self.arc, low, side="right") - 1, 0)
        first = np.minimum(first, len(self._lengths) - 1)
        last = np.minimum(np.searchsorted(self.arc, high, side="left"), len(self._lengths))
        last = np.maximum(last, first + 1)
        best, found = np.full(len(points), np.inf), np.array(low, dtype=float)
        for k in range(int((last - first).max(initial=0))):
            i = np.minimum(first + k, len(self._lengths) - 1)
            offset, ahead = points - self.points[i], self._directions[i]
            along = np.maximum(offset[:, 0] * ahead[:, 0] + offset[:, 1] * ahead[:, 1], 0.0)
            along = np.minimum(along, self._lengths[i])
            away = offset - along[:, None] * ahead
            square = away[:, 0] * away[:, 0] + away[:, 1] * away[:, 1]
            nearer = (first + k < last) & (square < best)
            best = np.where(nearer, square, best)
            found = np.where(nearer, self.arc[i] + along, found)
        return np.minimum(np.minimum(np.maximum(found, low), high), self.length)

    def distance(self, points: ArrayLike) -> Array:
        """Return the horizontal distance (K,) of ``points`` (K, 2 or more) to the path, m."""
        points = np.asarray(points, dtype=float)[:, :2]
        offset = points[:, None] - self.points[None, :-1]
        along = np.clip(np.sum(offset * self._directions, axis=2), 0.0, self._lengths)
        return np.linalg.norm(offset - along[..., None] * self._directions, axis=2).min(axis=1)

    def speed_limits(self, sideways: float, swivel: float, window: float) -> Array:
        """Return the highest speed, m/s, at every LIMITS_GRID m, to beyond the end: slow enough in bends.

        sideways: m/s2 towards the inside of a bend. swivel: rad/s. window: m over which the direction is averaged.
        """
        arcs = np.arange(0.0, self.length + 2.0 * LIMITS_GRID, LIMITS_GRID)
        headings = np.unwrap(self.heading(arcs, window))
        bend = np.maximum(np.abs(np.gradient(headings, arcs)), 1e-6)  # rad/m
        return np.asarray(np.minimum(np.sqrt(sideways / bend), swivel / bend))

    def as_json(self) -> dict[str, Any]:
        """Return plain JSON data that ``from_json`` reads back."""
        return {"points": self.source.tolist(), "closed": self.closed, "laps": self.laps}

    @classmethod
    def from_json(cls, data: Mapping[str, Any], where: str = "path") -> Path:
        """Return the path that ``as_json`` wrote. Raises DataError naming the wrong field."""
        f = Fields(data, where)
        f.only(("points", "closed", "laps"))
        return cls(f.rows("points", 2), f.flag("closed", False), f.integer("laps", 1, 1000, 1))

    def _segment(self, s: Array) -> Any:
        return np.minimum(np.maximum(np.searchsorted(self.arc, s, side="right") - 1, 0), len(self._lengths) - 1)


def _check_laps(points: int, lap: float, laps: int) -> None:
    """Raise DataError for more laps than there is room for, before it is taken. points: of one lap. lap: m."""
    if laps * points > MAX_POINTS:
        raise DataError(
            f"The path has {points} points, {laps * points} with all of its {laps} laps; at most {MAX_POINTS} can be "
            "walked: take fewer laps, or a curve with a lower resolution."
        )
    if laps * lap > MAX_WHOLE:
        raise DataError(
            f"The path is {laps * lap / 1000.0:.0f} km long with all of its {laps} laps; at most "
            f"{MAX_WHOLE / 1000.0:.0f} km can be walked: take fewer laps."
        )
