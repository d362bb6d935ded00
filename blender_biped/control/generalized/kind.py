"""Generalized walking as it is known to all others."""

from __future__ import annotations

from ...character.reference import GRAVITY
from ...job import Job
from ...preset.preset import Speeds
from ...world.obstacles import Passing
from ...world.passable import GroundLimits
from ..kind import Can, Foothold, Kind, Pauses
from ..shared.across import across_way
from ..shared.ducking import ducks
from ..shared.legs import LEFT, legs_of
from ..shared.steering import speed_from
from .crossing import planned_steps
from .fitted import Fit
from .settings import Settings, read_settings
from .walk import GeneralizedWalk


def _controller(job: Job, step: float) -> GeneralizedWalk:
    across = across_way(job)
    return GeneralizedWalk(
        job.character, job.preset.values, GRAVITY, step, job.ground, job.preset.keyed, job.world.ground, across
    )


def _footholds(job: Job) -> tuple[Foothold, ...]:
    """Return where feet are set down before and behind obstacles that are stepped over."""
    hurdles = across_way(job).hurdles
    if not hurdles:
        return ()
    fit, legs = Fit(job.character), legs_of(job.character)
    own = fit.fitted(read_settings(job.preset.values))
    gain = own.steering.acceleration
    steps = planned_steps(
        hurdles, legs, job.start, LEFT, lambda arc: speed_from(job.start, arc, gain, job.speed),
        lambda speed: fit.step_time(own, speed),
    )  # fmt: skip
    return tuple(
        Foothold(step.side, step.arc, (0.5 - step.side) * own.width, job.floor.height(*job.path.point(step.arc)))
        for step in steps
        if step.fits
    )


GENERALIZED = Kind(
    name="generalized",
    label="Generalized Walking",
    description="Plans where each foot goes and which joint torques take it there: one natural walk at any speed "
    "(Coros, Beaudoin and van de Panne 2010)",
    paper="Stelian Coros, Philippe Beaudoin, Michiel van de Panne: Generalized Biped Walking Control. SIGGRAPH 2010",
    settings=Settings,
    can=Can(wait=True, any_speed=True),
    controller=_controller,
    speeds=Speeds(0.0, 1.2, 1.4),  # at 1.5 m/s it goes at 1.36, from 1.6 m/s it falls on some straight paths of 20 m
    width="gait.width",
    terrain=GroundLimits(up=12.0, down=8.0, across=5.0, rise=0.06, fall=0.12),  # see ``build.py trials --only scenes``
    passing=Passing(
        over=0.35, deep=0.25, apart=1.05, before=1.5, after=1.0, upright=1.35
    ),  # see ``build.py trials --only obstacles``
    ducks=ducks,
    footholds=_footholds,
    pauses=Pauses(off=1.0, rest=2.6),
)
