"""Limit-cycle control as it is known to all others."""

from __future__ import annotations

from ...character.reference import GRAVITY
from ...job import Job
from ..kind import Can, Kind
from ..shared.cues import GaitCue
from .settings import LimitCycleFields, read_limit_cycle
from .walk import LimitCycleWalk


def _controller(job: Job, step: float) -> LimitCycleWalk:
    cues = [GaitCue(0.0, read_limit_cycle(job.preset.values, job.preset.keyed))]
    cues += [
        GaitCue(c.time, read_limit_cycle(c.preset.values, c.preset.keyed), c.steps, c.speed, c.place) for c in job.cues
    ]
    return LimitCycleWalk(job.character, cues, GRAVITY, step, job.perturbations, job.ground)


LIMIT_CYCLE = Kind(
    name="limit_cycle",
    label="Limit-Cycle Control",
    description="Tries each step before taking it, and adjusts a cycle of poses so that the character stays upright: "
    "balances any cycle (Laszlo, van de Panne and Fiume 1996)",
    paper="Joseph Laszlo, Michiel van de Panne, Eugene Fiume: Limit Cycle Control and its Application to the Animation "
    "of Balancing and Walking. SIGGRAPH 1996; J. Laszlo: thesis, University of Toronto, 1996",
    settings=LimitCycleFields,
    rate=480.0,
    can=Can(change=True, trials=True),
    controller=_controller,
)
