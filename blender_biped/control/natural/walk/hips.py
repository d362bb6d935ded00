"""How high the hips are carried: as the style has them, lower to reach footholds, higher for ankles at their limit."""

from __future__ import annotations

import cmath
import math
from collections.abc import Sequence
from dataclasses import dataclass

from ....base.curves import ramp, softly
from ...shared.ducking import Ducking, NoDucking
from ...shared.legs import Leg
from ...shared.state import BodyState
from ..ground.ground import Ground
from ..hands.hands import Hands
from ..steps.settings import Settings
from ..steps.step_table import Moment, between
from .step_state import Felt, StepState


@dataclass(frozen=True)
class HeightGain:
    """How hard hips are kept at their height. stiffness: 1/s2. damping: 1/s."""

    stiffness: float
    damping: float


SOFT, FIRM = HeightGain(250.0, 30.0), HeightGain(600.0, 46.0)
"""Of a body that sets off, stands or is pushed: its legs have other things to do; and of one that walks."""


@dataclass(frozen=True)
class HipRules:
    """How hips rise and sink.

    fall, rise: of gravity, that they are accelerated by at most downwards and upwards: in free fall nothing would hold
    the body. lowest_over: m that they are lowered by at most to reach a foothold behind an obstacle. raised: m that
    they are raised by at most for an ankle to bend no farther than it can. yields, stiff: rad short of that, from which
    the heel comes up, and from which the hips are raised. sag: m that they are carried lower for each m that they are
    behind the centre of mass of body and load. settling: s in which what differs from the style's height goes.
    lowest_disturbed: m that those of a disturbed body are lowered by at most; begins_disturbed: the phase from which
    they are; lowest_aimed, begins_aimed: likewise, in a step whose foothold is desired. crouch: m that they are
    lowered by in urgency where they are high; slow: m/s under which they are.
    gliding: how firmly, a share, they are carried where feet glide in, and strike softly.
    """

    fall: float = 0.45
    rise: float = 0.8
    lowest_over: float = 0.1
    raised: float = 0.08
    yields: float = 0.04
    stiff: float = 0.08
    sag: float = 0.35
    settling: float = 0.1
    lowest_disturbed: float = 0.12
    begins_disturbed: float = 0.2
    lowest_aimed: float = 0.1
    begins_aimed: float = 0.3
    crouch: float = 0.04
    slow: float = 0.5
    gliding: float = 0.3


@dataclass(frozen=True)
class Straightness:
    """How straight legs that bear may be, as shares of a leg: longer, a knee is all but straight.

    moving: of a body that leans on its hands, whose hips are far ahead of its feet. disturbed: how much shorter that
    of a disturbed body is kept.
    """

    usual: float = 0.997
    moving: float = 0.985
    disturbed: float = 0.015


@dataclass(frozen=True)
class SoftKnees:
    """How much less soft knees are in quick steps, which yield anyway. begins, ends: m/s. less: m.

    gliding: m, likewise, of steps whose feet glide in.
    """

    begins: float = 1.2
    ends: float = 1.4
    less: float = 0.0166
    gliding: float = 0.0065


HIPS, STRAIGHT, KNEES = HipRules(), Straightness(), SoftKnees()


class Hips:
    """The height of one body's hips."""

    def __init__(
        self, legs: tuple[Leg, Leg], dorsiflexions: Sequence[float], gravity: float, ground: Ground, hands: Hands,
        ducking: Ducking | NoDucking, felt: Felt, step: StepState,
    ) -> None:  # fmt: skip
        """dorsiflexions: how far each ankle bends up at most, rad. gravity: m/s2."""
        self._legs, self._dorsiflexions, self._gravity = legs, dorsiflexions, gravity
        self._ground, self._hands, self._ducking = ground, hands, ducking
        self._felt, self._step = felt, step
        self.height = 0.0
        """That they are carried at now, m; 0 before the first time."""
        self._raised = self._lowered = 0.0
        self._firm = 0.0

    def begin(self, state: BodyState, settings: Settings, first: bool) -> None:
        """Begin a step: what differs from the style's height goes in time. first: whether it sets off."""
        step, table = self._step, self._step.plan.table
        self._firm = 0.0 if first else 1.0
        target, _, _ = self._carried(settings, *between(table.rows, step.phase)[:3].tolist())
        self._raised = (self.height or float(state.origins[0, 2])) - (target - self._sunk(state))
        self._lowered = 0.0  # that is in it

    def begin_anew(self, state: BodyState, settings: Settings) -> None:
        """Begin a step of a body whose hips are where something else has brought them."""
        self.height = 0.0
        self.begin(state, settings, first=True)

    def stand(self, state: BodyState, height: float, goes: float) -> None:
        """Come to stand at a height, m, by a share of the way, 0..1."""
        self.height += (height - self.height) * (goes if self.height else 1.0)
        if self._hands.pulling:
            self.height = min(self.height, self._stretched(state))  # it still leans: its hips are far from its feet

    def standing_lift(self, state: BodyState, lower: float, rising: float) -> float:
        """Return the vertical acceleration, m/s2, of a standing body. lower: m, for its hands. rising: m/s."""
        lift = SOFT.stiffness * (self.height - lower - float(state.origins[0, 2])) - SOFT.damping * rising
        return self._held(lift)

    def lift(self, state: BodyState, settings: Settings, now: Moment, rate: float, since: float) -> float:
        """Return the vertical acceleration of the hips, m/s2, in a step.

        rate: of the phase, 1/s. since: s, since this was last asked.
        """
        step, urgency = self._step, self._step.urgency
        fade = math.exp(-since / HIPS.settling)
        self._raised *= fade
        own, rise, rising = self._carried(settings, now.height, now.rise, now.rising)
        if step.swinging:  # in urgency hips stay where feet land from in time
            lands = self._lands(settings)
            calm = 1.0 - urgency
            slow = max(1.0 - step.plan.speed / HIPS.slow, 0.0)  # hips are high then, over all but straight legs
            own = min(own, lands + calm * (own - lands)) - HIPS.crouch * slow * urgency
            rise, rising = calm * rise, calm * rising
        height = own - self._sunk(state) + self._raised
        if step.swinging:
            begins = self._ground.hip_range.begins
            begins = min(begins, HIPS.begins_aimed) if step.aim.is_set else begins
            late = softly(step.phase, begins + step.disturbance * (HIPS.begins_disturbed - begins))
            lowest = HIPS.lowest_over if step.given.goes_over else self._lowest
            self._lowered = min(max(height - step.target.height, 0.0), lowest) * late
        else:
            self._lowered *= fade
        self.height = height - self._lowered
        self._bound(state, settings)
        # A body that sets off or is pushed comes to its height as it can: its legs have other things to do.
        share = self._firm * (1.0 - urgency) * (1.0 + step.plan.table.glides * (HIPS.gliding - 1.0))
        kp = SOFT.stiffness + share * (FIRM.stiffness - SOFT.stiffness)
        kd = SOFT.damping + share * (FIRM.damping - SOFT.damping)
        rises = float(state.velocities[0, 2]) - self._climbing(state)
        lift = kp * (self.height - float(state.origins[0, 2])) + kd * (rise * rate - rises)
        return self._held(lift + rising * rate * rate)

    def least(self, state: BodyState, left: float) -> float:
        """Return how high the hips will be at least, m, in ``left`` s: as low as they may be, or as they can fall."""
        height, rises = float(state.origins[0, 2]), float(state.velocities[0, 2])
        lowest = self.height - self._lowest + left * self._climbing(state)
        return max(lowest, height + left * rises + 0.5 * -HIPS.fall * self._gravity * left**2)

    def yielding(self, state: BodyState, side: int) -> float:
        """Return how far, rad, a foot that bears must tilt for its ankle to bend no farther than it can."""
        x, y, z = state.matrices[self._legs[side].shin, :, 2].tolist()
        sole = self._felt.soles[side]
        lean = math.atan2((complex(x, y) / sole.ahead).real, z)
        lean += self._ground.footing(side).tilt(sole.yaw)
        return lean - self._dorsiflexions[side] + HIPS.yields

    # -- what changes the height

    def _held(self, lift: float) -> float:
        return min(max(lift, -HIPS.fall * self._gravity), HIPS.rise * self._gravity)

    def _bound(self, state: BodyState, settings: Settings) -> None:
        """Keep the height where ankles and knees can be."""
        step, hands = self._step, self._hands
        bent = step.given.goes_over and self._ducking.share > 0.0
        # Who steps down, or over something while the hips are low, lets the heel come up instead.
        if not bent and not self._ground.sinks(step.stance, step.swinging, step.given):
            self.height += min(max(self._reached(state) - self.height, 0.0), HIPS.raised)
        if hands.burdened or step.disturbance > 0.0 or settings.is_captured:
            self.height = min(self.height, self._stretched(state))

    def _carried(
        self, settings: Settings, height: float, rise: float = 0.0, rising: float = 0.0, phase: float = math.nan
    ) -> tuple[float, float, float]:  # fmt: skip
        """Return how high the hips are to be carried, m, and its derivatives to the phase, by what the style has.

        Knees are soft where legs change: a leg that bears alone is as straight as the style has it. phase: the step's
        own, if no other one is given.
        """
        plan, ground = self._step.plan, self._ground
        phase = self._step.phase if math.isnan(phase) else phase
        soft, angle = settings.sink, math.pi * min(phase, 1.0)
        less = KNEES.less + plan.table.glides * (KNEES.gliding - KNEES.less)
        soft -= less * ramp(plan.speed, KNEES.begins, KNEES.ends)
        height += ground.height - soft * math.cos(angle) ** 2
        rise += soft * math.pi * math.sin(2.0 * angle)
        rising += 2.0 * soft * math.pi**2 * math.cos(2.0 * angle)
        mean = plan.table.mean_height + ground.height - 0.5 * soft
        return ground.calmed(mean, height, rise, rising)

    def _lands(self, settings: Settings) -> float:
        """Return the height of the hips as the step ends, m, by what the style has."""
        return self._carried(settings, float(self._step.plan.table.pelvis[-1, 2]), phase=1.0)[0]

    @property
    def _lowest(self) -> float:
        """How far, m, the hips are lowered at most to reach a foothold."""
        calm = self._ground.hip_range.lowest
        calm = max(calm, HIPS.lowest_aimed) if self._step.aim.is_set else calm
        return calm + self._step.disturbance * (HIPS.lowest_disturbed - calm)

    def _climbing(self, state: BodyState) -> float:
        """Return how fast the ground rises under the hips, m/s."""
        return self._ground.rise(complex(*state.velocities[0, :2].tolist()))

    def _sunk(self, state: BodyState) -> float:
        """Return how much lower, m, the hips are carried than the style has them."""
        plan = self._step.plan
        sunk = self._sagging(state)
        sunk += self._ground.sinking(plan.speed * plan.table.time)
        return sunk + self._ducking.lower

    def _sagging(self, state: BodyState) -> float:
        """Return how much lower, m, the hips of a body are carried that holds something before it.

        They are behind the centre of mass then, and so farther from the foot in front: as much lower its leg reaches.
        """
        if not self._hands.load > 0.0:
            return 0.0
        place = complex(*state.origins[0, :2].tolist())
        behind = max(((self._felt.place - place) / cmath.exp(1j * self._step.plan.frame)).real, 0.0)
        return HIPS.sag * behind

    def _stretched(self, state: BodyState) -> float:
        """Return how high, m, the hips can be for no leg that bears to be straight: knees at their limit throw a body.

        KLAW's steps keep their knees bent by what they are; those of another body need not.
        """
        highest, leans = math.inf, self._hands.burdened
        straight = STRAIGHT.moving if leans else STRAIGHT.usual
        straight -= self._step.disturbance * STRAIGHT.disturbed
        for side in self._step.down:
            leg = self._legs[side]
            (hx, hy, hz), (ax, ay, az) = state.origins[leg.thigh].tolist(), state.origins[leg.foot].tolist()
            up = math.sqrt(max((straight * leg.length) ** 2 - (hx - ax) ** 2 - (hy - ay) ** 2, 0.0))
            highest = min(highest, az + up + float(state.origins[0, 2]) - hz)
        return highest

    def _reached(self, state: BodyState) -> float:
        """Return how high, m, the hips must be at least for the stance ankle to bend no farther than it can.

        At its limit it would push the shin, and throw the pelvis off.
        """
        side = self._step.stance
        leg, sole, dorsiflexion = self._legs[side], self._felt.soles[side], self._dorsiflexions[side]
        if not math.isfinite(dorsiflexion):
            return -math.inf
        (hx, hy, hz), (ax, ay, az) = state.origins[leg.thigh].tolist(), state.origins[leg.foot].tolist()
        tilt = self._ground.footing(side).tilt(sole.yaw)
        shin = dorsiflexion - HIPS.stiff + max(sole.pitch, 0.0) - tilt  # how far it leans ahead
        short = (complex(hx - ax, hy - ay) / sole.ahead).real - leg.shin_length * math.sin(shin)
        if abs(short) > leg.thigh_length:
            return -math.inf
        up = az + leg.shin_length * math.cos(shin) + math.sqrt(leg.thigh_length**2 - short**2)
        return up + float(state.origins[0, 2]) - hz
