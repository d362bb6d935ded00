"""What is across a job's way, as every controller that steps over things and ducks sees it."""

from __future__ import annotations

from ...job import Job
from ...world.obstacles import Obstacles, obstacles_across
from .ducking import headroom


def across_way(job: Job, size: float = 1.0, hands: bool = False) -> Obstacles:
    """Return what a walk of a job steps over and ducks under. size: of the body, 1 for legs of 0.9 m.

    hands: whether they do something on the way: such a walk ducks under nothing. What bears a target is not passed.
    """
    found = obstacles_across(job.world.passable(size), job.path, job.start, job.floor, size, headroom(job.character))
    return Obstacles(found.hurdles) if hands else found
