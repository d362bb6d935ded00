"""Natural walking as it is known to all others."""

from __future__ import annotations

from collections.abc import Sequence

from ...base.errors import DataError
from ...character.reference import GRAVITY
from ...job import Job
from ...motion.gait_events import ball
from ...preset.preset import Preset, Speeds, usual_speed
from ...world.obstacles import Crossed, Passing
from ...world.passable import GroundLimits
from ...world.treads import TreadLimits, Treads
from ..kind import Can, Kind, Pauses, Stop
from ..shared.ducking import Ducking, NoDucking, ducks
from ..shared.legs import LEFT, RIGHT, legs_of
from ..shared.sole import toe_drops
from .doubt import doubt
from .footholds import footholds_of, on_the_way
from .ground.ground import Ground
from .ground.slope import SlopedGround, SlopeView
from .ground.treads import Stairs, TreadGround
from .hands.planning import hand_tasks_of
from .hands.working import hands_of
from .making import making_of
from .standing_in import stand_ins, stood_in
from .steps.aimed import DesiredFootholds
from .steps.constrained import StanceLeg
from .steps.settings import Settings, read_settings
from .swing.leg_way import leg_shape
from .turning_back import turned_back, turning_points
from .walk.style_sequence import TURNING, styles_of
from .walk.walk import NaturalWalk
from .walk.walker import Surroundings, dorsiflexion


def _controller(job: Job, step: float) -> NaturalWalk:
    return NaturalWalk(job.character, styles_of(job), GRAVITY, step, _surroundings(job, step))


def _surroundings(job: Job, step: float) -> Surroundings:
    """Return where a job's body walks, and what it does on the way. step: s between control steps."""
    treads, across = on_the_way(job)
    tasks = hand_tasks_of(job)
    hands = hands_of(job.character, tasks, job.ground, step, climbs=bool(treads))
    ducking = Ducking(across.beams, job.character, across.hurdles) if across.beams else NoDucking()
    ground = _ground(job, treads, across.hurdles)
    clear = type(ground) is Ground and not across.beams and not tasks
    left, right = (complex(*ball(job.character, side)[:2].tolist()) for side in (LEFT, RIGHT))
    footholds = DesiredFootholds(job.footholds, (left, right))
    return Surroundings(ground, hands, ducking, clear, not across.beams, job.path, job.stop, footholds)


def _ground(job: Job, treads: Treads | None, hurdles: Sequence[Crossed]) -> Ground:
    """Return the ground of a job's way: treads, a slope, or level."""
    body, legs = job.character, legs_of(job.character)
    drops = toe_drops(body, legs)
    if treads:
        stairs = Stairs(treads, job.path, legs, hurdles)
        stances = [
            StanceLeg(leg, body.stand_height - leg.ankle_height - leg.length, dorsiflexion(body, leg)) for leg in legs
        ]
        leg_shapes = [leg_shape(body, leg, side) for side, leg in enumerate(legs)] if hurdles else []
        return TreadGround(
            stairs, legs, drops, stances, leg_shapes, [float(body.offsets[leg.thigh][1]) for leg in legs]
        )
    if job.world.ground:
        return SlopedGround(SlopeView(job.floor, legs), job.ground, legs, drops)
    return Ground(job.ground, legs, drops)


def _hand_tasks(job: Job) -> tuple[Stop, ...]:
    _prepared(job)
    return tuple(Stop(task.arc, task.text, task.holds, task.moves, task.takes) for task in hand_tasks_of(job))


def _prepared(job: Job) -> Job:
    """Check a job, and return it with styles that stand in for those that cannot go there, and where it turns back.

    Raises DataError where none can, and for targets on a slope.
    """
    treads, _ = on_the_way(job)
    if job.world.ground and not treads and job.world.targets:
        raise DataError(
            f"The ground is neither level nor stairs; hands of {NATURAL.label} do nothing there: make it level, or "
            "take the targets away."
        )
    return turned_back(stood_in(job)[0])


def _unlike(first: Preset, second: Preset) -> bool:
    """Return whether they go elsewhere from where they face, or one of them is a run: there is no walk between."""
    one, other = (read_settings(own.values) for own in (first, second))
    return one.direction != other.direction or _is_run(first, one) or _is_run(second, other)


def _is_run(style: Preset, own: Settings) -> bool:
    """Return whether a style runs by itself, and not where it is to be faster than a walk alone."""
    return (usual_speed(style) or 0.0) > own.run.begins


NATURAL = Kind(
    name="natural",
    label="Natural Walking",
    description="Walks as people do, in many styles: KLAW says what a step looks like, joint torques of the whole body "
    "walk it, and where the feet are set down keeps the balance",
    paper="Steps: Armin Bruderlin, Goal-Directed, Dynamic Animation of Bipedal Locomotion, 1988. Balance: Stelian "
    "Coros, Philippe Beaudoin, Michiel van de Panne, Generalized Biped Walking Control, SIGGRAPH 2010",
    settings=Settings,
    rate=240.0,
    scene_rate=360.0,  # feet that come down a tread hit the ground too hard for longer steps: they sank in by 30 mm
    iterations=50,  # with 16, light toes under a body that rolls over them sink in by up to 10 mm
    corners=True,
    can=Can(change=True, mix=True, wait=True, any_speed=True, set_feet=True),
    controller=_controller,
    prepared=_prepared,
    treads=TreadLimits(rise=0.2, fall=0.15, depth=0.27, before=1.2, after=0.6),  # ``build.py trials --only stairs``
    # ``build.py trials --only stepping`` and ``loaded-stairs``
    passing=Passing(over=0.45, deep=0.15, apart=1.05, before=1.8, after=1.3, still=1.3, loaded=0.3, level=1.0),
    # ``build.py trials --only slopes``
    terrain=GroundLimits(up=20.0, down=18.0, across=15.0, rise=0.06, fall=0.12),
    ducks=ducks,
    speeds=Speeds(0.0, 1.2, 1.6),
    width="gait.wider",
    chance=("gait.variation", "manner.look_about"),
    varied="gait.variation",
    take="gait.take",
    simpler="generalized",
    making=making_of,
    hand_tasks=_hand_tasks,
    doubt=doubt,
    stand_ins=stand_ins,
    turns_back=turning_points,
    unlike=_unlike,
    footholds=footholds_of,
    pauses=Pauses(
        off=0.8,
        rest=1.6,
        stands=0.4,
        crossing=0.38,
        edges=0.5,
        obstacles=0.95,
        moving=0.4,
        turning=TURNING.slow,
        turns=0.65,  # steps and all, as measured where another style stands in for Backward
    ),
)
