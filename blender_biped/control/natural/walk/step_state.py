"""What the phases of one walk share: the body as it is felt, the step that is under way, what the links shall do."""

from __future__ import annotations

import enum
import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from ....base.spatial import Array
from ...shared.legs import LEFT, RIGHT
from ...shared.sole import Sole
from ...shared.whole_body import Contact
from ..ground.ground import Constraint
from ..steps.aimed import ANYWHERE, Anywhere
from ..steps.constrained import FREE
from ..steps.planner import Plan
from ..swing.swing import Swing
from ..swing.swing_step import SwingTarget

NOWHERE = SwingTarget(complex(math.inf, 0.0), 1.0, math.inf)
"""Where a swing foot goes of which nothing is decided yet."""


BOTH = LEFT, RIGHT
"""The feet that are on the ground where both are."""


@dataclass(slots=True)
class Felt:
    """The body as it is felt in this control step; places are complex numbers, world, x + i y.

    place, m, and velocity, m/s: of the centre of mass; what hands move counts in the place. rising: its velocity
    upwards, m/s. speed: in all, m/s. frequency: of the body as a pendulum, 1/s. over_hips: how high the centre of mass
    is above the mid-hip, m. soles: left, right. on_toes: share of each foot's load that its toes bear, 0..1.
    arc: of the body along its path, m.
    """

    place: complex = 0j
    velocity: complex = 0j
    rising: float = 0.0
    speed: float = 0.0
    frequency: float = 1.0
    over_hips: float = 0.0
    soles: list[Sole] = field(default_factory=list)
    on_toes: list[float] = field(default_factory=lambda: [0.0, 0.0])
    arc: float = 0.0


@dataclass(slots=True)
class StepState:
    """The step that is under way, which all phases read and write.

    stance: the foot that the step is on, 0 left, 1 right. phase: 0 as that foot strikes, 1 as the other one does; pace:
    how much faster than planned it goes on. plan: what was planned as it began; planned: whether there is one,
    for there is none before the first step. given: what is given of its foothold. down: the feet that are on the
    ground: both, one, or, in a flight, none.
    swing: of the foot in the air, once one was; target: where that goes. saves: whether it is only to stand again.
    capture_error: how far the capture point is off its reference, m, in the stance foot's frame. urgency, disturbance:
    how urgent the step is, and how disturbed the body, 0..1.
    short_of: how far the centre of pressure that the first step needs is outside its stance foot, m, likewise.
    flatter: how much less than planned the foot behind is tilted, rad. anchor: of the stance foot where it struck, m.
    ahead: how far ahead the capture point has been of its reference in each control step, m. on_toes: whether it walks
    on its toes. begun: whether it began, or began anew, since what the links shall do was found. aim: what is
    desired of where its foot is set down.
    """

    stance: int = LEFT
    phase: float = 0.0
    pace: float = 1.0
    plan: Plan = field(init=False)
    given: Constraint = FREE
    down: tuple[int, ...] = BOTH
    swing: Swing = field(init=False)
    target: SwingTarget = field(default_factory=lambda: NOWHERE)
    saves: bool = False
    capture_error: complex = 0j
    urgency: float = 0.0
    disturbance: float = 0.0
    short_of: complex = 0j
    flatter: float = 0.0
    anchor: complex = 0j
    ahead: list[float] = field(default_factory=list)
    on_toes: bool = False
    begun: bool = False
    planned: bool = False
    aim: Anywhere = ANYWHERE

    @property
    def recovers(self) -> bool:
        """Whether the body has to catch itself, and no time for what can wait."""
        return self.urgency > 0.0 or self.disturbance > 0.0

    @property
    def swinging(self) -> bool:
        """Whether the foot that the step is not on is in the air."""
        return 1 - self.stance not in self.down

    def take(self, plan: Plan, given: Constraint, aim: Anywhere = ANYWHERE) -> None:
        """Take the plan of a step that begins, and what is given and desired of its foothold."""
        self.plan, self.planned, self.aim = plan, True, aim
        self.given, self.begun, self.on_toes = given, True, plan.table.on_toes


class LegUse(enum.Enum):
    """What a leg's thigh and shin do.

    FREE: what they shall. BEARS: what the body needs. ROLLS: that, but for pitch. YIELDS: likewise, and softly.
    """

    FREE = enum.auto()
    BEARS = enum.auto()
    ROLLS = enum.auto()
    YIELDS = enum.auto()


@dataclass(slots=True)
class Desired:
    """What the links shall do now, world axes.

    rotations (L, 3, 3): their orientations. angular_velocities (L, 3): rad/s. angular_accelerations (L, 3): that the
    style has, rad/s2. lift: vertical acceleration, m/s2. contacts: how the feet are pressed.
    legs: what the left and the right leg do. pitch, pitch_rate: of the stance foot, heel up, rad and rad/s.
    bounces: see ``WholeBody.torques``.
    """

    rotations: Array
    angular_velocities: Array
    angular_accelerations: Array
    lift: float
    contacts: Sequence[Contact]
    legs: tuple[LegUse, LegUse]
    pitch: float = 0.0
    pitch_rate: float = 0.0
    bounces: bool = False
