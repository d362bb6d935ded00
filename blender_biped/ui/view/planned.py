"""Where a walk is to set its feet down on stairs and before obstacles, as outlines: known before it is simulated."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...base.errors import BipedError
from ...base.spatial import Array
from ...control.registry import kind_in
from ...job import Job
from ...motion.gait_events import Footprint, ball, sole_outline
from ...motion.similarity import similarity
from ...motion.trail import Trail
from ...world.path import Path

_SPAN = 0.2  # of the leg: of path over which its direction is taken
_BESIDE = 0.35  # of the leg: so near to a planned print along the path no other walk's is shown


@dataclass(frozen=True, eq=False)
class PlannedPrint:
    """One print. outline (N, 3): m, world. side: 0 left, 1 right. arc: of its middle, m along the path."""

    outline: Array
    side: int
    arc: float


def planned_prints(job: Job) -> tuple[PlannedPrint, ...]:
    """Return the prints that a job's controller plans before it walks; none where it plans none."""
    kind = kind_in(job)
    if kind.footholds is None:
        return ()
    scale, body = similarity(job), job.character
    try:
        holds = kind.footholds(kind.prepared(scale.job(job)))
    except BipedError:  # the simulation says what is wrong
        return ()
    found = []
    for hold in holds:
        heading = job.path.direction(scale.length * hold.arc, _SPAN * body.leg_length)
        ahead = np.array([math.cos(heading), math.sin(heading)])
        left = np.array([-ahead[1], ahead[0]])
        x, y, _ = ball(body, hold.side).tolist()
        at = np.array(job.path.point(scale.length * hold.arc)) + (scale.length * hold.aside + y) * left + x * ahead
        outline = sole_outline(body, Footprint(hold.side, 0.0, at, heading))
        flat = np.column_stack((outline, np.full(len(outline), scale.length * hold.height)))
        found.append(PlannedPrint(flat, hold.side, job.path.nearest(flat[:, :2].mean(axis=0))))
    return tuple(found)


def to_come(planned: Sequence[PlannedPrint], walk: Trail, path: Path) -> list[PlannedPrint]:
    """Return those of planned prints that are ahead of so much of the walk as is known."""
    reached = path.nearest(walk.line[-1, :2])
    return [one for one in planned if one.arc > reached]


def without_planned(walk: Trail, planned: Sequence[PlannedPrint], path: Path) -> list[tuple[Array, int]]:
    """Return the prints of another walk along a path, but for those where others are planned."""
    if not planned:
        return walk.prints
    arcs, near = np.array([one.arc for one in planned]), _BESIDE * walk.character.leg_length
    middles = [path.nearest(outline[:, :2].mean(axis=0)) for outline, _ in walk.prints]
    return [one for one, arc in zip(walk.prints, middles, strict=True) if np.abs(arcs - arc).min() > near]
