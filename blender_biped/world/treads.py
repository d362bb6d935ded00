"""Ground of level treads with edges between them, stairs and curbs, as it lies along a path. numpy only.

Seen from above: what is below another face is none. A level ground is one tread.
"""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ..base.errors import DataError
from .beside import heights_beside
from .path import Path
from .terrain import NO_GROUND, Terrain

ASIDE = (-0.25, -0.12, 0.0, 0.12, 0.25)
"""m beside the path, for legs of 0.9 m, where a walk sets its feet."""
_GRID = 0.005  # m of path between looks
_LEVEL = 0.012  # m by which a tread may be uneven
_RISER = 0.06  # m: what is less deep is part of an edge, and no edge is deeper
_UP_ON = 0.9  # of a foot: how much of it a tread bears on the way up, where heels may stand out
_STANDING = 0.6  # m that a standing body keeps from edges
_BEYOND = 0.25  # m of path before its start and behind its end that count, too: feet are ahead of the body


@dataclass(frozen=True)
class TreadLimits:
    """The treads that a controller can step on, for a body with legs of 0.9 m.

    rise, fall: of one from the next, m. depth: of a tread, m. before, after: of level way before the first edge, and
    behind the last one, m.
    """

    rise: float
    fall: float
    depth: float
    before: float
    after: float


@dataclass(frozen=True)
class Tread:
    """A level piece of the way. begin, end: m along the path, where all of the way's breadth is on it. height: m."""

    begin: float
    end: float
    height: float


class Treads:
    """The treads of a path, in their order; there is at least one."""

    def __init__(self, treads: tuple[Tread, ...]) -> None:
        self.treads = treads
        self._edges = [0.5 * (a.end + b.begin) for a, b in itertools.pairwise(treads)]

    def place(self, arc: float) -> int:
        """Return which tread is at a place of the path, m; between two, the nearer one."""
        return bisect_right(self._edges, arc)

    def at(self, arc: float) -> Tread:
        """Return the tread at a place of the path, m."""
        return self.treads[self.place(arc)]

    def highest(self, begin: float, end: float) -> float:
        """Return the height of the highest tread that reaches into a stretch of the path, m."""
        first, last = self.place(begin), self.place(end)
        return max(tread.height for tread in self.treads[first : last + 1])

    @property
    def edges(self) -> list[float]:
        """Where along the path, m, one tread ends and the next one begins."""
        return self._edges


@lru_cache(maxsize=4)
def treads_of(ground: Terrain, path: Path, start: float, size: float = 1.0) -> Treads | None:
    """Return the treads of a ground along a path; None where it is not level between its edges, or has none.

    start: m along the path. size: of the body, 1 for legs of 0.9 m. A walk asks for them again and again, from its
    check to its footholds. Raises UnfinishedError.
    """
    grid = _GRID * size
    arcs = np.arange(start - _BEYOND * size, path.length + _BEYOND * size, grid)
    heights = heights_beside(ground, path, arcs, 0.2 * size, tuple(aside * size for aside in ASIDE))
    inside = (arcs >= start) & (arcs <= path.length)
    if (heights[:, inside] == NO_GROUND).any():
        return None
    known = (heights != NO_GROUND).all(axis=0)
    arcs, heights = arcs[known], heights[:, known]
    low, high = heights.min(axis=0).tolist(), heights.max(axis=0).tolist()
    found: list[Tread] = []
    begin: int | None = None
    lowest = highest = 0.0
    for k in range(len(arcs) + 1):
        level = k < len(arcs) and high[k] - low[k] <= _LEVEL * size
        if begin is not None:
            if level and max(highest, high[k]) - min(lowest, low[k]) <= _LEVEL * size:
                lowest, highest = min(lowest, low[k]), max(highest, high[k])
                continue
            found.append(Tread(float(arcs[begin]), float(arcs[k - 1]), 0.5 * (lowest + highest)))
            # A slope is cut into pieces, too, but from one to the next it hardly rises.
            if k < len(arcs) and level and abs(high[k] - high[k - 1]) < 0.5 * _LEVEL * size:
                return None
            begin = None
        if level:
            begin, lowest, highest = k, low[k], high[k]
    treads = [tread for tread in found if tread.end - tread.begin > _RISER * size]
    for a, b in itertools.pairwise(treads):  # between them, what is on neither, beside whichever part of the way
        gap = heights[:, np.searchsorted(arcs, a.end, side="right") : np.searchsorted(arcs, b.begin, side="left")]
        slanted = np.minimum(np.abs(gap - a.height), np.abs(gap - b.height)) > _LEVEL * size
        if slanted.sum(axis=1).max(initial=0) * _GRID > _RISER:
            return None
    return Treads(tuple(treads)) if treads else None


def check_treads(
    treads: Treads, path: Path, start: float, limits: TreadLimits, size: float, label: str, foot: float = 0.0,
    waits: Sequence[float] = (),
) -> None:  # fmt: skip
    """Raise DataError where a path leads over treads that cannot be stepped on; it says which, and what to do.

    start: m along the path. size: of the body, 1 for legs of 0.9 m. label: who walks. foot: how long its
    feet are, m. waits: where it stands, m.
    """
    edges = list(itertools.pairwise(treads.treads))
    for a, b in edges:
        rise, place = b.height - a.height, 0.5 * (a.end + b.begin)
        most = (limits.rise if rise > 0.0 else limits.fall) * size
        if abs(rise) > most + 1e-6:
            how = "up" if rise > 0.0 else "down"
            raise DataError(
                f"The ground has an edge of {abs(rise):.2g} m {how}, {place:.1f} m along the path; {label} steps "
                f"{most:.2f} m {how}: make its steps lower, or lead the path round it."
            )
    for before, tread in itertools.pairwise(treads.treads[:-1]):
        depth, down = tread.end - tread.begin, before.height > tread.height
        needed = max(limits.depth * size, foot if down else _UP_ON * foot)
        if depth < needed - 2.0 * _GRID * size:  # so far its edges may be beyond the last looks
            raise DataError(
                f"The ground has a tread {depth:.2f} m deep, {tread.begin:.1f} m along the path; {label} needs "
                f"{needed:.2f} m square to its way: make it deeper, or lead the path straight up to it."
            )
    if not edges:
        return
    for wait in waits:
        if min(abs(wait - edge) for edge in treads.edges) < _STANDING * size:
            raise DataError(
                f"The walk is to stand on stairs, {wait:.1f} m along the path: let it wait {_STANDING * size:.1f} m "
                "from each edge."
            )
    first, last = treads.treads[0].end - start, path.length - treads.treads[-1].begin
    if first < limits.before * size:
        raise DataError(
            f"The ground has an edge {max(first, 0.0):.1f} m from the walk's start; {label} needs "
            f"{limits.before * size:.1f} m before it: start earlier."
        )
    if last < 0.0:
        raise DataError(
            f"The path ends {-last:.2f} m before an edge of the ground: let it end {_BEYOND * size:.2f} m before it, "
            "or go on behind it."
        )
    if last < limits.after * size:
        raise DataError(
            f"The path ends {last:.1f} m behind an edge of the ground; {label} needs "
            f"{limits.after * size:.1f} m to stop: make the path longer, or let it end before the edge."
        )
