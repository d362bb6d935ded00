"""Where a walk will set its feet down on stairs, as far as that is known before it is walked: no physics."""

from __future__ import annotations

from collections.abc import Iterator

from ...character.reference import GRAVITY
from ...job import Job
from ...world.treads import treads_of
from ..kind import Foothold
from ..shared.legs import LEFT, legs_of
from ..shared.steering import speed_from
from .planner import FIRST_SPEED, Planner
from .settings import read_settings
from .stairs import STAIR_SPEED, Stairs


def footholds_of(job: Job) -> tuple[Foothold, ...]:
    """Return where feet are set down from the last steps before a job's first edge to the first one behind its last.

    Between edges far apart they are free, and left out. job: at reference size.
    """
    ground = job.world.ground
    treads = None if ground is None else treads_of(ground, job.path, job.start)
    if treads is None or not treads.edges:
        return ()
    own, legs = read_settings(job.preset.values), legs_of(job.character)
    planner = Planner(job.character, legs, own, GRAVITY)
    width = abs(planner.strides.tables(STAIR_SPEED)[LEFT].width)
    stairs = Stairs(treads, job.path, legs)
    return tuple(
        Foothold(side, arc, (0.5 - side) * width, height)
        for side, arc, height in _steps(job, stairs, planner, own.steering.acceleration, own.steering.braking)
        if arc <= job.path.length
    )


def _steps(
    job: Job, stairs: Stairs, planner: Planner, acceleration: float, braking: float
) -> Iterator[tuple[int, float, float]]:
    """Give foot, place of the path, m, and height, m, of each step that is no free one, if all go as planned."""
    arc, behind, side = job.start, stairs.first, LEFT
    while stairs.edges_ahead(arc) or behind != stairs.height(arc):
        speed = min(speed_from(job.start, arc, acceleration, job.speed), stairs.fastest(arc, braking))
        climb = stairs.climb(arc, behind, planner.level_length(min(speed, STAIR_SPEED)), 0.0)
        side, behind = 1 - side, climb.own
        if climb.flat:
            arc += planner.level_length(max(speed, FIRST_SPEED if arc == job.start else 0.0))
            continue
        arc = climb.foothold.arc
        yield side, arc, climb.foothold.height
