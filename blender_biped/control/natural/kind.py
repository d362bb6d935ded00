"""Natural walking as it is known to all others."""

from __future__ import annotations

from ...base.errors import DataError
from ...character.reference import GRAVITY
from ...job import Job
from ...preset.preset import Speeds
from ...world.course import Passing
from ...world.passable import Limits
from ...world.treads import TreadLimits
from ..kind import Can, Kind, Stop
from ..shared.ducking import ducks
from .footholds import footholds_of, on_the_way
from .hands.planning import hand_tasks_of
from .making import Making
from .settings import Settings, read_settings
from .walk import NaturalWalk


def _controller(job: Job, step: float) -> NaturalWalk:
    treads, across = on_the_way(job)
    stairs = None if treads is None else (treads, job.path)
    return NaturalWalk(
        job.character, job.preset.values, GRAVITY, step, job.ground, job.preset.keyed, hand_tasks_of(job), stairs,
        across.hurdles, across.lintels, job.floor if treads is None and job.world.ground is not None else None,
    )  # fmt: skip


def _hand_tasks(job: Job) -> tuple[Stop, ...]:
    _prepared(job)
    return tuple(Stop(task.arc, task.text, task.holds, task.moves) for task in hand_tasks_of(job))


def _prepared(job: Job) -> Job:
    """Return a job as it is.

    Raises DataError for what is done ahead alone, of a style that goes aside or back, and for targets on a relief.
    """
    treads, across = on_the_way(job)
    edges, relief = treads is not None and bool(treads.edges), job.world.ground is not None and treads is None
    passed = across.hurdles or across.lintels or job.world.targets
    if read_settings(job.preset.values).direction and (edges or relief or passed):
        raise DataError(
            f"{job.preset.label} does not go ahead: it takes no stairs and slopes, steps over nothing, ducks under "
            "nothing and takes nothing in its hands. Choose another style, or take these off the way."
        )
    if relief and job.world.targets:
        raise DataError(
            f"The ground is neither level nor stairs; hands of {NATURAL.label} do nothing there: make it level, or "
            "take the targets away."
        )
    return job


NATURAL = Kind(
    name="natural",
    label="Natural Walking",
    description="Walks as people do, in many styles: KLAW says what a step looks like, joint torques of the whole body "
    "walk it, and where the feet are set down keeps the balance",
    paper="Steps: Armin Bruderlin, Goal-Directed, Dynamic Animation of Bipedal Locomotion, 1988. Balance: Stelian "
    "Coros, Philippe Beaudoin, Michiel van de Panne, Generalized Biped Walking Control, SIGGRAPH 2010",
    settings=Settings,
    # Sixteen are not enough for light toes under a body that rolls over them: they sank in by up to 10 mm.
    rate=240.0,
    scene_rate=360.0,  # feet that come down a tread hit the ground too hard for longer steps: they sank in by 30 mm
    iterations=50,
    corners=True,
    can=Can(wait=True),
    controller=_controller,
    prepared=_prepared,
    treads=TreadLimits(rise=0.2, fall=0.15, depth=0.27, before=1.2, after=0.6),  # ``build.py trials --only stairs``
    # ``build.py trials --only stepping`` and ``loaded-stairs``
    passing=Passing(over=0.45, deep=0.15, apart=1.05, before=1.8, after=1.3, still=1.3, loaded=0.3, level=1.0),
    # ``build.py trials --only slopes``
    terrain=Limits(up=20.0, down=18.0, across=15.0, rise=0.06, fall=0.12),
    ducks=ducks,
    speeds=Speeds(0.0, 1.2, 1.6),
    width="gait.wider",
    simpler="generalized",
    making=Making,
    hand_tasks=_hand_tasks,
    footholds=footholds_of,
)
