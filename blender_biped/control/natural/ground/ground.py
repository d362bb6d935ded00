"""The ground of one walk: one protocol, whose base is level ground; treads and slopes say what differs on them.

The walk's phases ask it and know no kind of ground: how high and how the ground lies, where soles are on it, how the
swing foot goes over it, which step fits it, how fast it may be walked on, and how much lower hips go there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from ....base.spatial import Array, yawed
from ...shared.ducking import Ducking, NoDucking
from ...shared.legs import LEFT, RIGHT, Leg
from ...shared.sole import EDGE, Sole, sole_of
from ...shared.state import BodyState
from ...shared.steering import Command
from ...shared.whole_body import Contact
from ..steps.constrained import FREE, ConstrainedStep, FreeStep
from ..steps.planner import Plan, Planner
from ..swing.swing import Swing
from ..swing.swing_step import LiftOff

Constraint = FreeStep | ConstrainedStep
"""What is given of a step's foothold."""


@dataclass(frozen=True)
class HipRange:
    """How low hips go to reach a foothold. lowest: at most, m. begins: the phase of a step from which they do."""

    lowest: float
    begins: float


@dataclass(frozen=True)
class StepRequest:
    """What is known as a step begins on a foot, which the ground plans it by.

    last: the plan of the step before, and before: what was given of it. early: whether it is one of the first steps.
    over_hips: how high the centre of mass is above the hips, m. foothold: where the ankle of the other foot is
    desired, m; empty for nowhere.
    """

    planner: Planner
    command: Command
    stance: int
    last: Plan
    before: Constraint
    soles: Sequence[Sole]
    early: bool
    ducking: Ducking | NoDucking
    over_hips: float
    foothold: tuple[complex, ...] = ()


class Footing(Protocol):
    """The ground under one foot."""

    def at(self, place: complex) -> float:
        """Return the height, m, of the ground at a place near the foot."""

    def tilt(self, yaw: float) -> float:
        """Return how far it is turned up ahead of who looks along yaw, rad."""

    def turned(self, rotation: Array) -> Array:
        """Return an orientation (3, 3) on level ground as it is on this."""

    def laid(self, contact: Contact) -> Contact:
        """Return the contact of a foot on level ground as it is on this."""


class LevelFooting:
    """Level ground under one foot."""

    def __init__(self, ground: Ground, side: int) -> None:
        self._ground, self._side = ground, side

    def at(self, place: complex) -> float:
        """Return the height, m, of the ground at a place near the foot."""
        return self._ground.under[self._side]

    def tilt(self, yaw: float) -> float:
        """Return that it is turned up by nothing, rad."""
        return 0.0

    def turned(self, rotation: Array) -> Array:
        """Return an orientation (3, 3) as it is."""
        return rotation

    def laid(self, contact: Contact) -> Contact:
        """Return a contact as it is."""
        return contact


class Ground:
    """Level ground, and the protocol of every other kind. Places are complex numbers, world, m."""

    hip_range = HipRange(lowest=0.04, begins=0.6)
    takes_toes = True
    """Whether a style that goes on its toes may do so."""
    strikes_flat = False
    """Whether feet come down flat, and bear their full load as soon as they land."""
    quick = 1.0
    """Share of its usual time that a step takes."""
    level = True
    """Whether it is level all over: steps are smoother there, for feet need not look for it."""

    def __init__(self, height: float, legs: tuple[Leg, Leg], drops: Sequence[float]) -> None:
        """height: m, where the walk begins. drops: how far each sole is below the toes' joint, m."""
        self.height = height
        """Of the ground under the body, m."""
        self.under = [height, height]
        """Height below each foot's anchor, m."""
        self._legs, self._drops = legs, drops
        self._footings = LevelFooting(self, LEFT), LevelFooting(self, RIGHT)

    # -- each control step

    def feel(self, state: BodyState, heading: float) -> None:
        """Look at the ground under the body. heading: rad."""

    def soles(self, state: BodyState, bearing: Sequence[float]) -> list[Sole]:
        """Return both feet's soles. bearing: share of each foot's load on its toes."""
        return [sole_of(state, self._legs[side], self._drops[side], bearing[side]) for side in (LEFT, RIGHT)]

    def hold(self, arc: float, soles: Sequence[Sole], standing: Sequence[int]) -> None:
        """Limit where standing soles may be pressed to what is under them; in place. arc: of the body, m."""

    def desired_speed(self, speed: float, arc: float, braking: float, given: Constraint) -> float:
        """Return the speed, m/s, to walk at where ``speed`` is desired. arc: m along the path. braking: m/s2."""
        return speed

    def level_near(self, arc: float) -> bool:
        """Return whether a body may run at a place of the path, m: it is level there, and on from there."""
        return True

    # -- a step

    def step_on(self, side: int, sole: Sole) -> None:
        """Let a step begin on a foot."""

    def plan(self, request: StepRequest) -> tuple[Plan, Constraint]:
        """Return the plan of the step that begins, and what is given of it."""
        plan = request.planner.step(request.command, request.stance, request.last, request.early)
        return plan, FREE

    def swing(self, lift: LiftOff, given: Constraint) -> Swing:
        """Return the swing of a foot that leaves the ground."""
        return Swing(lift)

    # -- how it lies

    def footing(self, side: int) -> Footing:
        """Return how the ground lies under a foot."""
        return self._footings[side]

    @property
    def lowest(self) -> float:
        """The height of the ground that a standing body is carried over, m."""
        return self.height

    @property
    def datum(self) -> float:
        """The height, m, that hip heights in ``SwingStep`` are measured from."""
        return self.height

    def rise(self, way: complex) -> float:
        """Return how much the ground under the body rises over a way, m."""
        return 0.0

    def sinks(self, stance: int, swinging: bool, given: Constraint) -> bool:
        """Return whether the step goes down. swinging: whether the other foot is in the air."""
        return given.sinks

    def sinking(self, length: float) -> float:
        """Return how much lower the hips are carried in steps of a length, m."""
        return 0.0

    def calmed(self, mean: float, height: float, rise: float, rising: float) -> tuple[float, float, float]:
        """Return the hips' height, m, and its derivatives to the phase, as far as this ground lets them go up and down.

        mean: of the height over a step, m.
        """
        return height, rise, rising

    # -- what the links do

    def leans(self, free: Sequence[int]) -> tuple[list[tuple[int, float]], float]:
        """Return the links that lean ahead, each with how far in full, rad, and the share, 0..1. free: who may."""
        return [], 0.0

    def lay_feet(self, rotations: Array, facing: Array) -> None:
        """Turn the feet of a standing body, whose links are (L, 3, 3), to what is under them; in place."""

    def keep_foot(self, rotations: Array, leg: Leg, yaw: float) -> None:
        """Keep a foot that bears nothing as it stands: its links in rotations (L, 3, 3), in place. yaw: rad."""
        rotations[leg.foot] = rotations[leg.toes] = yawed(yaw)

    def edge(self, given: Constraint) -> float:
        """Return the share of a sole's half width within which it is pressed."""
        return EDGE
