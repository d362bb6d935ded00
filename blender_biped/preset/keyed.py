"""Numbers that change along a walk: settings at a time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Generic, TypeVar

from .declared import changed
from .preset import Track

T = TypeVar("T")


def at_time(track: Track, time: float) -> float:
    """Return a track's value at ``time``, s: linear between its points, the first and the last one beyond them."""
    before = track[0]
    for point in track:
        if point[0] > time:
            break
        before = point
    else:
        return track[-1][1]
    if point is before or time <= before[0]:
        return before[1]
    share = (time - before[0]) / (point[0] - before[0])
    return before[1] + share * (point[1] - before[1])


class Keyed(Generic[T]):
    """Settings of which some numbers change along a walk; the same object as long as none of them does."""

    def __init__(self, settings: T, tracks: Mapping[str, Track]) -> None:
        """tracks: of numbers, by their paths (see ``declared``)."""
        self._settings, self._tracks = settings, tracks
        self._values: dict[str, float] = {}
        self._now = settings

    @property
    def last(self) -> float:
        """The time, s, from which nothing changes any more; 0 where nothing does."""
        return max((track[-1][0] for track in self._tracks.values()), default=0.0)

    @property
    def now(self) -> T:
        """The settings that ``at`` returned last; before that as they are without tracks."""
        return self._now

    def at(self, time: float) -> T:
        """Return the settings at ``time``, s. Raises DataError for a path that is no number of theirs."""
        values = {path: at_time(track, time) for path, track in self._tracks.items()}
        if values != self._values:
            self._values, self._now = values, changed(self._settings, values)
        return self._now
