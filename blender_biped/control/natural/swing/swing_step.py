"""A step that is under way, as the leg that swings has to know it, and how its foot left the ground."""

from __future__ import annotations

from dataclasses import dataclass

from ....base.curves import ramp
from ....base.spatial import Array
from ...shared.legs import Leg
from ...shared.sole import Sole
from ...shared.steering import Command
from ..steps.aimed import ANYWHERE, Anywhere
from ..steps.crossing import CROSSING, clear_of_skin
from ..steps.planner import Plan
from ..steps.settings import Settings
from ..steps.step_table import Moment

TURNING = (0.5, 1.2)  # rad/s of a bend from which steps in it are less even, and over which none is


@dataclass(slots=True)
class SwingTarget:
    """Where the swing foot is going.

    foothold: m, on the ground below the flat foot's ankle. share: of the style's step length, 0..1. height: of the
    hips, m, that it can be reached from.
    """

    foothold: complex
    share: float
    height: float


@dataclass(slots=True)
class SwingStep:
    """A step that is under way, as the leg that swings has to know it.

    phase, and its rate, 1/s. now: what the style has at it. left: of the step, s. since: s, since this was last
    described. origin: the stance foot's anchor, m, and ground: its height, m. capture_error: how far the capture point
    is off its reference, m, in that foot's frame. hip: where the swing leg's will be as the step ends, m, and low: how
    high it will be at least, m, above the ground, or in the world where that slopes. reach: longest step, m. early:
    whether it is one of the first steps, which are slower than those that they lead to. urgency, disturbance: how
    urgent the step is, and how disturbed the body, 0..1: feet cross over and are set down wider the more. burdened:
    whether hands carry or move something: such a body leans, and needs its foot as soon as it is planned. aim: what is
    desired of where the foot is set down.
    """

    plan: Plan
    settings: Settings
    command: Command
    phase: float
    rate: float
    now: Moment
    left: float
    since: float
    origin: complex
    ground: float
    capture_error: complex
    hip: complex
    low: float
    reach: float
    early: bool
    urgency: float
    disturbance: float
    burdened: bool
    aim: Anywhere = ANYWHERE

    def nearest(self, ahead: float, leg: Leg) -> float:
        """Return how near to the stance foot's line a foot that is ``ahead`` of it may come, m; below 0: beyond it.

        As the style has it, and so that the skin of the legs is clear of the other's as long as feet are beside each
        other; a body that is off its reference is caught first.
        """
        own = self.settings
        urgent = self.urgency * CROSSING.urgent + self.disturbance * CROSSING.disturbed
        crossing = own.crossing + urgent
        near = own.apart - crossing * ramp(abs(ahead) - CROSSING.begins, 0.0, CROSSING.within)
        clear = clear_of_skin(leg, ahead, self.plan.speed, own.crossing)
        return max(near, clear - urgent - CROSSING.yields * max(abs(self.capture_error) - CROSSING.sure, 0.0))

    def at(self, phase: float) -> SwingStep:
        """Return the step as it is at another phase."""
        return SwingStep(
            self.plan, self.settings, self.command, phase, self.rate, self.plan.table.at(phase), self.left, self.since,
            self.origin, self.ground, self.capture_error, self.hip, self.low, self.reach, self.early, self.urgency,
            self.disturbance, self.burdened, self.aim,
        )  # fmt: skip

    @property
    def even(self) -> float:
        """How far, 0..1, it is an even step: in others feet do not glide in, but come down as they can."""
        if self.early or self.plan.stops:
            return 0.0
        return (1.0 - max(self.urgency, self.disturbance)) * (1.0 - ramp(abs(self.command.turn), *TURNING))

    def lead(self) -> float:
        """Return how far a foot is set down turned ahead, rad: for the heading in the middle of its stance."""
        return self.command.turn * (self.left + 0.5 * self.plan.table.time)


@dataclass(frozen=True, slots=True)
class LiftOff:
    """A foot as it leaves the ground.

    ankle (3,): its place, world, m; moves (3,): how fast that goes, m/s. turns: how fast its heel rises, rad/s.
    heading: of the walk, rad. phase: of the step. now: what the style has at it.
    origin: the anchor of the stance foot, m. hip (3,): of the swing leg, world, m. ducks: how far the body ducks, 0..1.
    """

    leg: Leg
    side: int
    sole: Sole
    ankle: Array
    heading: float
    phase: float
    now: Moment
    plan: Plan
    origin: complex
    hip: Array
    ducks: float
    moves: Array
    turns: float
