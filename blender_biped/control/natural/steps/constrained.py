"""Steps whose footholds are given, on stairs and over obstacles: their height profile, time and tables.

One step a stair, as KLAW's rule has it (Bruderlin 1988, chapter 8). The reference of the centre of mass stays the
pendulum's: hips rise and sink with the feet.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from ....base.curves import cubic, eased
from ....base.spatial import Array
from ....world.obstacles import Crossed
from ...shared.legs import Leg
from .step_table import GRID, StepTable

HANDED = 0.95  # share of the double support over which the weight goes to the foot in front
HEEL = 0.7  # of a level step's: how far the heel of a foot comes up before it lifts
LANDED = 0.03  # m by which hips are lower as a foot strikes that has stepped down
WAITS = 0.05  # m behind its reference from which a body waits for it before it is handed over
OVER = 0.02  # m ahead of the middle between the feet that the hips are in the middle of a step
ROUNDS = 12  # in which a heel's tilt is found
SPARE = 0.06  # rad that an ankle keeps of its range in a swing: a foot under a shin that leans is tilted, too


@dataclass(frozen=True)
class StairStep:
    """A step on stairs. time: s that it takes. double: phase at which the foot behind lifts."""

    time: float = 0.8
    double: float = 0.25


@dataclass(frozen=True)
class OverStep:
    """A step over an obstacle.

    time: s that it takes, and longer: s more for each m of the obstacle's height. double: phase at which the foot
    behind lifts: the legs are far apart, and the body goes on. straight: of a leg that lands behind it.
    """

    time: float = 0.8
    longer: float = 0.9
    double: float = 0.12
    straight: float = 0.98


ON_STAIRS, ACROSS = StairStep(), OverStep()


class FreeStep:
    """A step whose foothold balance alone chooses."""

    constrained = goes_over = sinks = False
    speed = math.inf
    """m/s at most."""
    end_slope = 0.0
    """How fast the hips rise as it ends, for a phase of 1, m."""


FREE = FreeStep()


@dataclass(frozen=True)
class GivenFoothold:
    """Where the next foot is to be set down. arc: m along the path, of its ankle; low, high: bounds. height: m.

    beyond: the height of the foothold after it, m.
    """

    arc: float
    low: float
    high: float
    height: float
    beyond: float


@dataclass(frozen=True)
class ConstrainedStep:
    """One step on stairs, or over an obstacle.

    arc: of the stance foot, m. behind, own: heights of the feet as it begins, m. slope: how fast the hips
    rise there, for a phase of 1, m. flat: whether it is a step as on level ground that only keeps short of the next
    edge. over: the obstacle that its swing foot goes over, if it does. begin: where that foot stands, m.
    """

    arc: float
    behind: float
    own: float
    slope: float
    foothold: GivenFoothold
    flat: bool
    over: Crossed | None = None
    begin: float = 0.0

    constrained = True

    @property
    def goes_over(self) -> bool:
        """Whether its swing foot goes over an obstacle."""
        return bool(self.over)

    @property
    def end_slope(self) -> float:
        """How fast the hips rise as it ends, for a phase of 1, m."""
        return hip_rises(self)[3]

    @property
    def time(self) -> float:
        """How long it takes, s."""
        return ACROSS.time + ACROSS.longer * self.over.top if self.over else ON_STAIRS.time

    @property
    def speed(self) -> float:
        """How fast it goes, m/s."""
        return (self.foothold.arc - self.arc) / self.time

    @property
    def leads(self) -> bool:
        """Whether its swing foot is the first one over an obstacle."""
        return self.arc < self.over.near if self.over else False

    @property
    def double(self) -> float:
        """The phase at which the foot behind lifts."""
        return ACROSS.double if self.over else ON_STAIRS.double

    @property
    def sinks(self) -> bool:
        """Whether it goes down in this step."""
        return self.foothold.height < self.own


def hip_rises(given: ConstrainedStep) -> tuple[float, float, float, float]:
    """Return how high the hips are above the stance foot's ground beyond a level walk's as the step begins and ends, m.

    And how fast they rise there, for a phase of 1. Legs reach down to the lower foot at each change of feet.
    """
    own, to, beyond = given.own, given.foothold.height, given.foothold.beyond
    first, last, after = carried(given.behind, own) - own, carried(own, to) - own, carried(to, beyond) - own
    now, later = last - first, after - last
    slope = 0.5 * (now + later) if now * later > 0.0 else 0.0
    return first, last, given.slope, slope


def carried(behind: float, ahead: float) -> float:
    """Return the height, m, that the hips are carried above as on level ground as a foot strikes.

    behind, ahead: heights of both feet. Who steps down lands on a knee that is bent: a straight leg would bear all at
    once, and stop the body.
    """
    return min(behind, ahead) - (LANDED if ahead < behind else 0.0)


@dataclass(frozen=True)
class StanceLeg:
    """What of a leg limits how low the hips go over it. leg: itself. high: of the mid-hip above its hip, m.

    dorsiflexion: how far its ankle bends up at most, rad.
    """

    leg: Leg
    high: float
    dorsiflexion: float

    def heel_up(self, ahead: Array, height: Array) -> Array:
        """Return how far (K,) the heel must come up, rad, for its ankle to bend no farther than it can.

        ahead, height (K,): of the mid-hip, from the ground below the flat foot's ankle, m.
        """
        leg, pitch = self.leg, np.zeros(len(ahead))
        if not math.isfinite(self.dorsiflexion):
            return pitch
        for _ in range(ROUNDS):
            s, c = np.sin(pitch), np.cos(pitch)
            x = ahead - leg.ball * (1.0 - c) - leg.ankle_height * s
            z = height - self.high - leg.ball * s - leg.ankle_height * c
            away = np.hypot(x, z)
            inner = (leg.shin_length**2 + away**2 - leg.thigh_length**2) / (2.0 * leg.shin_length * away)
            lean = np.arctan2(x, z) + np.arccos(np.clip(inner, -1.0, 1.0))
            pitch = np.maximum(pitch + 0.7 * (lean - pitch - self.dorsiflexion + SPARE), 0.0)
        return pitch


def constrained_table(
    table: StepTable, side: int, given: ConstrainedStep, length: float, stance: StanceLeg, ducked: float = 0.0,
    sunk: float = 0.0,
) -> StepTable:  # fmt: skip
    """Return the table of a constrained step on a foot. length: from foot to foot, m. stance: of that leg.

    ducked, sunk: how much lower than in the table the hips and the centre of mass are carried anyway, m.
    """
    first, last, begins, ends = hip_rises(given)
    if given.over:
        first, last = (
            -lowered(stance, away, float(table.pelvis[-1, 2]) - ducked) for away in (given.arc - given.begin, length)
        )
    u = np.linspace(0.0, 1.0, GRID + 1)
    rise = cubic(u, np.ones_like(u), (first, last), (begins, ends))
    pelvis, com, ankles = table.pelvis.copy(), table.com.copy(), table.ankles.copy()
    pelvis[:, 2] += rise
    com[:, 2] += rise - sunk
    swing = 1 - side
    level = eased(u)
    ankles[:, swing, 2] += level * (given.foothold.height - given.own) + (1.0 - level) * (given.behind - given.own)
    ankles[-1, swing, 0] = length
    pitches = HEEL * np.maximum(table.pitches, 0.0)
    pitches[:, side] = 0.0
    if given.sinks:
        pitches[:, side] = stance.heel_up(length * (u - 0.5) + OVER, pelvis[:, 2])
    return replace(
        table,
        time=given.time,
        double=given.double,
        length=length,
        pelvis=pelvis,
        com=com,
        ankles=ankles,
        pitches=pitches,
        rolls=1.0 if given.sinks else table.rolls,
        trails=1.0 if given.behind > given.own else 0.0,
    )


def lowered(stance: StanceLeg, length: float, height: float) -> float:
    """Return how much lower than ``height``, m, hips must be as a step of a length, m, ends, for its leg to reach."""
    leg = stance.leg
    down = (ACROSS.straight * leg.length) ** 2 - (0.5 * length) ** 2
    up = leg.ankle_height + math.sqrt(max(down, (0.5 * leg.length) ** 2))
    return max(height - stance.high - up, 0.0)


def handing_over(ahead: float) -> float:
    """Return how fast, beside the plan, the weight is handed over to a foot that has struck.

    ahead: how far the body is ahead of its reference, m. While it is behind, the foot behind pushes it on: once on the
    other one alone, whose place is given, little could.
    """
    return min(max(1.0 + ahead / WAITS, 0.0), 1.0)


def level_stance(table: StepTable, side: int) -> StepTable:
    """Return the table of a step whose reference is known, its foot flat: its heel comes up as the body needs it."""
    pitches = table.pitches.copy()
    pitches[:, side] = 0.0
    return replace(table, pitches=pitches)
