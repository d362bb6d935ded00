"""What there is to know of a method of walking: each controller declares it once, and everyone else reads it there."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from ..base.errors import DataError
from ..base.fields import Fields
from ..character.model import Character
from ..job import Job
from ..motion.motion import Motion
from ..motion.recorded import Recorded
from ..motion.watch import Watch
from ..preset.declared import Slider, has_number, number_at, number_of, read, sliders
from ..preset.preset import COMMON, Preset, Speeds, speeds_of
from ..world.obstacles import Ducks, Passing
from ..world.passable import GroundLimits
from ..world.treads import TreadLimits
from .shared.clock import ITERATIONS
from .shared.controller import Controller

HANDS_AHEAD = 0.40
"""m, for legs of 0.9 m, that what hands take is best ahead of the hips."""

RATES = (120.0, 10_000.0)
"""How often a second control and physics may step, by a preset."""


@dataclass(frozen=True)
class Can:
    """What a controller can do.

    change: go over from one style to another in a walk; mix: and little by little, over a stretch of it. face_aside:
    look otherwise than where it goes, and set its feet down farther apart. set_steps: walk with steps of a given length
    or frequency. slopes: walk on a height profile. plane: its bodies move in the sagittal plane alone. trials: it tries
    torques before it takes them. wait: stand amid a path, and walk on. What comes to rest at a path's end depends on
    the style: ``Controller.can_rest``. any_speed: walk at speeds beyond those that a style keeps, at the user's risk.
    set_feet: set its feet down where they are desired.
    """

    change: bool = False
    mix: bool = False
    face_aside: bool = False
    set_steps: bool = False
    slopes: bool = False
    plane: bool = False
    trials: bool = False
    wait: bool = False
    any_speed: bool = False
    set_feet: bool = False


@dataclass(frozen=True)
class Stop:
    """A place where a walk stands for something. place: m along the path. text: what it does there, for people.

    holds: the name of what its hands hold from there on, "" for nothing. moves: whether over the ground. takes: how
    long a body with legs of 0.9 m stands there, s, about.
    """

    place: float
    text: str
    holds: str = ""
    moves: bool = False
    takes: float = 0.0


@dataclass(frozen=True)
class Foothold:
    """A place where a foot will be set down, as far as that is planned before a walk. side: 0 left, 1 right.

    arc: of its ankle, m along the path. aside: of its ankle, m to the left of the path, where nothing throws the body
    to a side. height: of the ground there, m.
    """

    side: int
    arc: float
    aside: float
    height: float


@dataclass(frozen=True)
class Pauses:
    """How long a body with legs of 0.9 m takes beside the time in which steering leads it along its way: for estimates.

    off, rest, stands: s, to set off from standing, to come to rest at the path's end, and on the way. crossing: m/s
    over edges and obstacles, from so many m before to as many behind them as ``edges`` and ``obstacles`` say. moving:
    m/s, with what is pushed or pulled. turning: m/s, while it turns to face elsewhere than before, at ``turns``, rad/s.
    """

    off: float
    rest: float
    stands: float = 0.0
    crossing: float = 1.0
    edges: float = 0.0
    obstacles: float = 0.0
    moving: float = 1.0
    turning: float = 1.0
    turns: float = math.inf


class Making(Protocol):
    """A style that is being made: ask which walks to simulate, tell what became of them, until it is done."""

    @property
    def done(self) -> bool:
        """Whether there is nothing more to try."""

    @property
    def progress(self) -> float:
        """The share that is done, 0..1, without the walks that were asked for last."""

    @property
    def part(self) -> float:
        """The share that those are."""

    @property
    def found(self) -> str:
        """How good the best one is so far, for people; "" before anything was tried."""

    def ask(self) -> list[Job]:
        """Return the walks to simulate now; the same until ``tell`` is called."""

    def tell(self, motions: Sequence[Motion | None]) -> None:
        """Take what became of them, in their order; None for one that could not be walked."""

    def style(self) -> Preset:
        """Return the best style so far. Raises DataError before anything was tried."""


def as_it_is(job: Job) -> Job:
    """Return a job as it is."""
    return job


def _nowhere(_job: Job) -> tuple[float, ...]:
    return ()


def _never(_first: Preset, _second: Preset) -> bool:
    return False


@dataclass(frozen=True)
class Kind:
    """One controller. name: as presets and jobs have it, and the folder of its presets. paper: its source.

    settings: the declared class of its presets' values. rate: how often a second control and physics step, if a preset
    does not say; scene_rate: likewise among things, targets and ground that is not flat, 0.0 for the same.
    iterations: of the contact solver in a step, at most. corners: whether soles touch flat ground with all their
    corners at once (see ``EngineOptions``); the others are tuned on one more in each step. All functions raise
    DataError for a job that they cannot do.

    A simulated one has ``controller``, which makes it from a job at reference size and the time between two control
    steps, s, and ``prepared``: such a job as it walks it. One that needs no physics has ``walk``: from a job, whatever
    its size, and who follows it (``Watch``), to what is recorded of it. One whose steps can be set has
    ``speed_of_steps``: from a preset's values, a character and gravity, m/s2, to the speed, m/s.

    shelf: RESEARCH for one that shows a method, and is not for an animator; it stands below the others in lists.
    speeds: of a body with legs of 0.9 m, that it is tried at, where presets keep no range; walks may be at others.
    width: path of the number that says how far apart its feet are set down, m; "" where there is none. chance: of the
    numbers that say how much strides differ by chance. varied: of the one of these that is 1 where steps differ as
    people's do; "" for none. take: of the number that says which of the walks it is that differ by chance alone, up to
    ``takes``; "" for none.
    terrain: the ground that it can walk on; None for level ground alone. treads: the level treads that it can step on,
    one after the other; None for none. passing: what it steps over; None for nothing.
    ducks: how it ducks a character; None where it does not.
    simpler: name of the simulated one that walks in its place where it falls however calm it is; "" for none.
    making: makes a style of a captured walk: from the motion, the style's label, what the motion is called, who tries
    it, and gravity, m/s2; None where it can make none. Raises DataError for a motion that is no such walk.
    stabilising: likewise of poses, the samples of a motion, that an animator has set.
    hand_tasks: where the walk of a job stands to reach, pick up and set down; None where its hands do nothing.
    doubt: why its walk of a body may fall by itself, and what to do, for people; "" for a body that it walks.
    unlike: whether a walk cannot go from one style to another little by little; for one that can mix. Raises DataError.
    stand_ins: for people, where another style stands in for one of a job that cannot go there; None for one whose
    styles all can, or none. Raises DataError.
    turns_back: where along a job's path, m, its walk stands and turns because the path doubles back within a step.
    footholds: where the walk of a job at reference size is to set its feet down where it may not anywhere, as on treads
    and before obstacles, in its order; None for one that plans none before it walks. Without physics, and quickly.
    pauses: how long it takes beside its way; None where that is not known.
    """

    name: str
    label: str
    description: str
    paper: str
    settings: type[Any]
    rate: float = 360.0
    scene_rate: float = 0.0
    iterations: int = ITERATIONS
    corners: bool = False
    can: Can = Can()
    controller: Callable[[Job, float], Controller] | None = None
    prepared: Callable[[Job], Job] = as_it_is
    walk: Callable[[Job, Watch], Recorded] | None = None
    speed_of_steps: Callable[[Mapping[str, Any], Character, float], float] | None = None
    shelf: str = ""
    speeds: Speeds | None = None
    width: str = ""
    chance: tuple[str, ...] = ()
    varied: str = ""
    take: str = ""
    takes: int = 999
    terrain: GroundLimits | None = None
    treads: TreadLimits | None = None
    passing: Passing | None = None
    ducks: Callable[[Character], Ducks] | None = None
    simpler: str = ""
    making: Callable[[Motion, str, str, Character, float], Making] | None = None
    stabilising: Callable[[Motion, str, str, Character, float], Making] | None = None
    hand_tasks: Callable[[Job], tuple[Stop, ...]] | None = None
    doubt: Callable[[Character], str] | None = None
    unlike: Callable[[Preset, Preset], bool] = _never
    footholds: Callable[[Job], tuple[Foothold, ...]] | None = None
    pauses: Pauses | None = None
    stand_ins: Callable[[Job], tuple[str, ...]] | None = None
    turns_back: Callable[[Job], tuple[float, ...]] = _nowhere

    def __post_init__(self) -> None:
        if (self.controller is None) == (self.walk is None):
            raise ValueError(f"{self.name}: a controller has either torques or a walk of its own.")

    @property
    def sliders(self) -> tuple[Slider, ...]:
        """The numbers of its presets that people may set."""
        return sliders(self.settings)

    def read(self, values: Mapping[str, Any], where: str = "preset.values") -> Any:
        """Return the settings in a preset's values. Raises DataError naming the wrong field or an unknown key."""
        return read(self.settings, Fields(values, where), COMMON)

    def check_keyed(self, preset: Preset) -> None:
        """Raise DataError for a number of a preset that shall change along a walk and cannot."""
        own = self.read(preset.values) if preset.keyed else None
        for path in preset.keyed:
            if not (number_of(self.settings, path).keyed and has_number(own, path)):
                raise DataError(
                    f"{preset.label}: {path} cannot change along a walk of {self.label}; take its keys away."
                )

    def can_wait(self, style: Preset) -> bool:
        """Return whether a walk in a style can stand in the midst of a path, and go on. Raises DataError.

        What is simulated can where its speeds go down to none.
        """
        speeds = speeds_of(style) if self.controller is not None else None
        return self.can.wait and (speeds is None or speeds.slowest <= 0.0)

    def numbers(self, values: Mapping[str, Any]) -> dict[str, float]:
        """Return the numbers in a preset's values, in its units, by the sliders' paths. Raises DataError.

        A part that is optional and not in them has none.
        """
        own = self.read(values)
        return {slider.path: number_at(own, slider.path) for slider in self.sliders if has_number(own, slider.path)}

    @property
    def plain(self) -> Preset:
        """The style of a controller without presets: all of its fields as they are declared."""
        return Preset("default", self.name, self.label, self.description, {})
