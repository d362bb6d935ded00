"""Generalized walking as it is known to all others."""

from __future__ import annotations

from ...character.reference import GRAVITY
from ...job import Job
from ...preset.preset import Speeds
from ...world.course import Passing, course
from ...world.passable import Limits
from ..kind import Can, Kind
from ..shared.ducking import lowest
from .settings import Settings
from .walk import GeneralizedWalk


def _controller(job: Job, step: float) -> GeneralizedWalk:
    across = course(job.world.things, job.path, job.start, job.floor, 1.0)
    return GeneralizedWalk(
        job.character, job.preset.values, GRAVITY, step, job.ground, job.preset.keyed, job.world.ground, across
    )


GENERALIZED = Kind(
    name="generalized",
    label="Generalized Walking",
    description="Plans where each foot goes and which joint torques take it there: one natural walk at any speed "
    "(Coros, Beaudoin and van de Panne 2010)",
    paper="Stelian Coros, Philippe Beaudoin, Michiel van de Panne: Generalized Biped Walking Control. SIGGRAPH 2010",
    settings=Settings,
    can=Can(wait=True),
    controller=_controller,
    speeds=Speeds(0.0, 1.2, 1.4),  # at 1.5 m/s it goes at 1.36, from 1.6 m/s it falls on some straight paths of 20 m
    width="gait.width",
    terrain=Limits(up=12.0, down=8.0, across=5.0, rise=0.06, fall=0.12),  # see ``build.py trials --only scenes``
    passing=Passing(
        over=0.35, deep=0.25, apart=1.05, before=1.5, after=1.0, upright=1.35
    ),  # see ``build.py trials --only obstacles``
    lowest=lowest,
)
