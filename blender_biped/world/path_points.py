"""Points along a path: a speed from there on, a time to be there, a wait."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from ..base.errors import DataError
from ..base.fields import Fields
from ..base.limits import MAX_DURATION, MAX_EVENTS

FACED = 0.3
"""m of path over which its direction is taken where hands have work, for legs of 0.9 m."""

LONGEST_WAIT = 600.0
"""s that a walk may stand at one point."""


@dataclass(frozen=True)
class PathPoint:
    """What is desired at a place of the path, ``place`` m along it.

    speed: m/s, from there on; 0 for the one before. ease: m of path over which the speed changes to that, softly at
    both ends; 0 for at once. time: s, at which the walk is to be there; 0 for whenever it gets there. wait: s that it
    stands there before it goes on.
    """

    place: float
    speed: float = 0.0
    ease: float = 0.0
    time: float = 0.0
    wait: float = 0.0

    def as_json(self) -> dict[str, Any]:
        """Return plain JSON data."""
        return {
            "place": self.place, "speed": self.speed, "ease": self.ease, "time": self.time, "wait": self.wait,
        }  # fmt: skip

    def scaled(self, length: float, time: float) -> PathPoint:
        """Return the point for a walk whose lengths and times are so many times smaller."""
        return replace(
            self, place=self.place / length, speed=self.speed * time / length, ease=self.ease / length,
            time=self.time / time, wait=self.wait / time,
        )  # fmt: skip


@dataclass(frozen=True)
class FacedPoint(PathPoint):
    """Where hands have work: a body that stands there faces as the path goes, however it turns behind that."""

    @property
    def span(self) -> float:
        """The length of path about it, m, for legs of 0.9 m, over which its direction is taken."""
        return FACED

    @property
    def faced(self) -> float:
        """Where along the path the direction is taken, m, for legs of 0.9 m."""
        return self.place


@dataclass(frozen=True)
class TurningPoint(FacedPoint):
    """Where the path doubles back: a body that has stood there turns before it walks on."""

    @property
    def faced(self) -> float:
        """Where along the path the direction is taken, m: before it turns."""
        return self.place - self.span


def read_points(f: Fields, name: str, length: float, fastest: float) -> tuple[PathPoint, ...]:
    """Return the points of a path in JSON data, none by default.

    length: the path's, m. fastest: m/s. Raises DataError naming the wrong field, points that are not in the order of
    their places, and times that do not rise.
    """
    rows = f.objects(name, (), MAX_EVENTS)
    points = tuple(_point(row, length, fastest) for row in rows)
    for row, (before, point) in zip(rows[1:], pairwise(points), strict=True):
        if point.place < before.place:
            raise DataError(f"{row.where}.place: points must be in the order of their places along the path.")
    timed = [(row, point) for row, point in zip(rows, points, strict=True) if point.time]
    for (_, before), (row, point) in pairwise(timed):
        if point.time < before.time + before.wait or point.time == before.time:
            raise DataError(
                f"{row.where}.time: {point.time:g} s is not after the point before it, which is left at "
                f"{before.time + before.wait:g} s."
            )
    return points


def _point(f: Fields, length: float, fastest: float) -> PathPoint:
    f.only(("place", "speed", "ease", "time", "wait"))
    return PathPoint(
        f.number("place", 0.0, length),
        f.number("speed", 0.0, fastest, 0.0),
        f.number("ease", 0.0, length, 0.0),
        f.number("time", 0.0, MAX_DURATION, 0.0),
        f.number("wait", 0.0, LONGEST_WAIT, 0.0),
    )


def waits_of(points: Sequence[PathPoint], start: float) -> list[PathPoint]:
    """Return the points from ``start``, m, on at which a walk stands, one for each place, in order."""
    found: list[PathPoint] = []
    for point in points:
        if point.wait <= 0.0 or point.place < start:
            continue
        if found and point.place == found[-1].place:
            found[-1] = replace(found[-1], wait=found[-1].wait + point.wait)
        else:
            found.append(point)
    return found
