"""Where a walk will set its feet down on stairs and over obstacles, as far as is known before it walks: no physics."""

from __future__ import annotations

import math
from collections.abc import Iterator

from ...character.reference import GRAVITY
from ...job import Job
from ...world.obstacles import Obstacles
from ...world.treads import Tread, Treads, treads_of
from ..kind import Foothold
from ..shared.across import across_way
from ..shared.legs import LEFT, legs_of
from ..shared.steering import speed_from
from .ground.treads import STAIR_SPEED, Stairs
from .steps.planner import FIRST_SPEED, Planner
from .steps.settings import read_settings


def on_the_way(job: Job) -> tuple[Treads | None, Obstacles]:
    """Return the treads of a job's way, None where feet are free, and what is across it. job: at reference size."""
    treads = treads_of(job.world.ground, job.path, job.start) if job.world.ground else None
    across = across_way(job, hands=bool(job.world.targets))
    if across.hurdles and not treads:
        treads = Treads((Tread(-math.inf, math.inf, job.ground),))
    return treads, across


def footholds_of(job: Job) -> tuple[Foothold, ...]:
    """Return where feet are set down from the last steps before a job's first edge to the first one behind its last.

    What is stepped over is an edge, too. Between edges far apart they are free, and left out. job: at reference size.
    """
    treads, across = on_the_way(job)
    if not treads or not (treads.edges or across.hurdles):
        return ()
    own, legs = read_settings(job.preset.values), legs_of(job.character)
    planner = Planner(job.character, legs, own, GRAVITY, level=False)
    width = abs(planner.strides.tables(STAIR_SPEED)[LEFT].width)
    stairs = Stairs(treads, job.path, legs, across.hurdles)
    return tuple(
        Foothold(side, arc, (0.5 - side) * width, height)
        for side, arc, height in _steps(job, stairs, planner, own.steering.acceleration, own.steering.braking)
        if arc <= job.path.length
    )


def _steps(
    job: Job, stairs: Stairs, planner: Planner, acceleration: float, braking: float
) -> Iterator[tuple[int, float, float]]:
    """Give foot, place of the path, m, and height, m, of each step that is no free one, if all go as planned."""
    arc, begin, behind, side = job.start, job.start, stairs.first, LEFT
    while arc <= job.path.length:
        speed = min(speed_from(job.start, arc, acceleration, job.speed), stairs.fastest(arc, braking))
        slow = STAIR_SPEED if stairs.crossed(arc) else min(speed, STAIR_SPEED)
        given = stairs.constrained_step(arc, behind, planner.level_length(slow), 0.0, begin)
        if given.flat and not stairs.edges_ahead(arc):
            return
        side, behind, begin = 1 - side, given.own, arc
        if given.flat:
            arc += planner.level_length(max(speed, FIRST_SPEED if arc == job.start else 0.0))
            continue
        arc = given.foothold.arc
        yield side, arc, given.foothold.height
