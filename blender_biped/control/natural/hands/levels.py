"""The level ground of a job: where a body may stand for what its hands do."""

from __future__ import annotations

import numpy as np

from ....base.errors import DataError
from ....base.spatial import Array
from ....job import Job
from ....world.treads import Treads, treads_of
from .limits import ROOM


class Level:
    """Ground of one level."""

    even = True
    """Whether it has no edges."""

    def __init__(self, job: Job) -> None:
        self._job = job

    def height(self, arc: float) -> float:
        """Return the height, m, that a body stands on at a place of the path, m."""
        return self._job.ground

    def before(self, name: str, place: Array, arcs: Array) -> Array:
        """Return those of places of the path (K,), m, where a body stands on the level of a target, all of them.

        name: of the target, for people. place (3,): of it, m. Raises DataError where there is none near it.
        """
        return arcs


class TreadLevels(Level):
    """Treads with edges between them."""

    def __init__(self, job: Job, treads: Treads, size: float) -> None:
        """size: of the body, 1 for legs of 0.9 m."""
        super().__init__(job)
        self._treads, self._size = treads, size
        self.even = not treads.edges

    def height(self, arc: float) -> float:
        """Return the height, m, of the tread at a place of the path, m."""
        return self._treads.at(arc).height

    def before(self, name: str, place: Array, arcs: Array) -> Array:
        """Return those of places of the path (K,), m, on the level of a target and clear of edges, if there are any.

        Raises DataError where there is none near it.
        """
        x, y, _ = place.tolist()
        room, within = ROOM.edges * self._size, ROOM.level * self._size
        level = self._job.floor.height(x, y)
        edges = np.array(self._treads.edges)
        own = np.array([self._treads.at(arc).height for arc in arcs.tolist()])
        clear = np.ones(len(arcs), dtype=bool)
        if len(edges):
            clear = np.abs(arcs[:, None] - edges).min(axis=1) > room
        away = np.hypot(*(self._job.path.position(arcs) - (x, y)).T)
        near = (away < ROOM.farthest * room / ROOM.edges) & (arcs < arcs[int(np.argmin(away))])
        stands = clear & (np.abs(own - level) < within)
        if near.any() and not (near & stands).any():
            raise DataError(
                f"{name!r} is on stairs, or too near to an edge of the ground: the walk must stand on its "
                f"level, {room:.1f} m or more from each edge. Move it away from the edge."
            )
        return np.asarray(arcs[stands] if stands.any() else arcs)


def levels_of(job: Job, size: float) -> Level:
    """Return where a body may stand. size: 1 for legs of 0.9 m. Raises DataError for other ground."""
    ground = job.world.ground
    if not ground:
        return Level(job)
    treads = treads_of(ground, job.path, job.start, size)
    if not treads:
        raise DataError(
            f"{job.world.targets[0].name!r} cannot be reached on this ground of the scene, only on level "
            "ground and beside stairs: make it level along the path, or take the ground's collection, or the "
            "target, away."
        )
    return TreadLevels(job, treads, size)
