"""Natural walking as it is known to all others."""

from __future__ import annotations

import math

from ...character.reference import GRAVITY
from ...job import Job
from ...preset.preset import Speeds
from ...world.course import CLEAR, Passing, course
from ...world.treads import Tread, TreadLimits, Treads, treads_of
from ..kind import Can, Kind, Stop
from ..shared.ducking import lowest
from .errands import errands_of, told
from .making import Making
from .settings import Settings
from .walk import NaturalWalk


def _controller(job: Job, step: float) -> NaturalWalk:
    treads = None if job.world.ground is None else treads_of(job.world.ground, job.path, job.start)
    across = CLEAR if job.world.targets else course(job.world.things, job.path, job.start, job.floor, 1.0)
    hurdles = across.hurdles
    if hurdles and treads is None:
        treads = Treads((Tread(-math.inf, math.inf, job.ground),))
    stairs = None if treads is None else (treads, job.path)
    return NaturalWalk(
        job.character,
        job.preset.values,
        GRAVITY,
        step,
        job.ground,
        job.preset.keyed,
        errands_of(job),
        stairs,
        hurdles,
        across.lintels,
    )


def _errands(job: Job) -> tuple[Stop, ...]:
    errands = errands_of(job)
    return tuple(Stop(errand.arc, text) for errand, text in zip(errands, told(errands), strict=True))


NATURAL = Kind(
    name="natural",
    label="Natural Walking",
    description="Walks as people do, in many styles: KLAW says what a step looks like, joint torques of the whole body "
    "walk it, and where the feet are set down keeps the balance",
    paper="Steps: Armin Bruderlin, Goal-Directed, Dynamic Animation of Bipedal Locomotion, 1988. Balance: Stelian "
    "Coros, Philippe Beaudoin, Michiel van de Panne, Generalized Biped Walking Control, SIGGRAPH 2010",
    settings=Settings,
    can=Can(wait=True),
    controller=_controller,
    treads=TreadLimits(rise=0.2, fall=0.15, depth=0.27, before=1.2, after=0.6),  # ``build.py trials --only stairs``
    passing=Passing(
        over=0.45, deep=0.15, apart=1.05, before=1.8, after=1.3, still=1.3
    ),  # ``build.py trials --only stepping``
    lowest=lowest,
    speeds=Speeds(0.0, 1.2, 1.6),
    width="gait.wider",
    simpler="generalized",
    making=Making,
    errands=_errands,
)
