"""Where and how hard the feet are pressed: one foot at the centre of pressure, two so that it is between them."""

from __future__ import annotations

from dataclasses import dataclass

from ....base.curves import eased, ramp
from ...shared.legs import Leg
from ...shared.sole import FootLoad, pressed
from ...shared.standing import Feet
from ...shared.state import BodyState
from ...shared.whole_body import Contact
from ..ground.ground import Ground
from ..steps.com_reference import rolled_at
from ..steps.step_table import Moment, on_ball
from .step_state import Felt, StepState


@dataclass(frozen=True)
class CopShift:
    """How a foot that is to tilt is pressed. by_pitch: m ahead for a rad; by_rate: m s/rad; most: m."""

    by_pitch: float = 0.3
    by_rate: float = 0.02
    most: float = 0.03


@dataclass(frozen=True)
class Handover:
    """How the load goes from the foot behind to the foot in front, in shares of the whole.

    first: of the foot in front as it strikes. below, above: how far balance takes it below and above the plan; last: at
    most. taking: of the weight that a foot bears, from which it is pressed wherever balance has it. near: m between the
    feet from which on the line between them says the share.
    """

    first: float = 0.12
    below: float = 0.15
    above: float = 0.4
    last: float = 0.98
    taking: float = 0.2
    near: float = 0.1


@dataclass(frozen=True)
class Landing:
    """How a foot comes down.

    toes: share of the load that toes take over what they bear. relied: times the load that a foot bears, that its
    toes may be pressed with their share of. early, late: rad heel down more than planned, from which a foot is
    late, and from which it is in full. airborne: of the weight, under which nothing bears the body. heel: of its own
    way behind the ankle, where a foot that rolls down is pressed; flat: rad of heel down under which it is down.
    """

    toes: float = 0.2
    relied: float = 1.2
    early: float = 0.03
    late: float = 0.09
    airborne: float = 0.03
    heel: float = 0.7
    flat: float = 0.01


SHIFT, HANDOVER, LANDING = CopShift(), Handover(), Landing()
UNLOADED = FootLoad()


class Pressure:
    """The contacts of one body's feet."""

    def __init__(self, legs: tuple[Leg, Leg], ground: Ground, feet: Feet, felt: Felt, step: StepState) -> None:
        self._legs, self._ground, self._feet, self._felt, self._step = legs, ground, feet, felt, step

    def stepping(self, state: BodyState, pressure: complex, now: Moment, rate: float) -> list[Contact]:
        """Return how the feet are pressed in a step for a centre of pressure, world, m. rate: of the phase, 1/s."""
        step = self._step
        stance, behind, plan = step.stance, 1 - step.stance, step.plan

        def foot(side: int, place: complex, share: float) -> Contact:
            going = rate if step.phase <= 1.0 else 0.0
            return self.foot(state, side, place, share, now.pitches[side], now.pitch_rates[side] * going)

        if step.swinging:
            return [foot(stance, pressure, 1.0)]
        soles = self._felt.soles
        places = []
        for phase, side in ((step.phase, stance), (1.0 + step.phase, behind)):
            ahead = rolled_at(self._legs[side], phase, plan.ahead, plan.table.double)
            if plan.table.on_toes:
                ahead = max(ahead, on_ball(now.pitches[side]) * (self._legs[side].ball + plan.table.onto))
            places.append(soles[side].anchor + ahead * soles[side].ahead)
        line = places[0] - places[1]
        bears = self.bears(stance)
        if self._ground.strikes_flat or step.on_toes:
            bears = 1.0
        share = self._shared(pressure - places[1], line, bears)
        rest = pressure - (share * places[0] + (1.0 - share) * places[1])
        # Its ankle would dig the toes of a foot that does not bear yet into the ground.
        front, sole = places[0] + rest, soles[stance]
        if step.urgency <= 0.0 or plan.stops:
            front -= (1.0 - bears) * max(((front - sole.anchor) / sole.ahead).real, 0.0) * sole.ahead
        if self._rolls_down(stance):
            along = (front - sole.anchor) / sole.ahead
            most = LANDING.heel * self._legs[stance].heel
            front = sole.anchor + complex(min(along.real, most), along.imag) * sole.ahead
        return [foot(stance, front, share), foot(behind, places[1] + rest, 1.0 - share)]

    def _rolls_down(self, side: int) -> bool:
        """Whether the foot in front still rolls down on its heel in an even step: pressed ahead of it it would slap."""
        step = self._step
        if step.urgency > 0.0 or step.plan.stops or step.on_toes or not self._ground.level:
            return False
        return self._felt.soles[side].pitch < -LANDING.flat

    def bears(self, side: int) -> float:
        """Return how far a foot bears already, 0..1: from 1 on it is pressed wherever balance has it."""
        return min(self._feet.loads[side] / (HANDOVER.taking * self._feet.weight), 1.0)

    def _shared(self, pressure: complex, line: complex, bears: float) -> float:
        """Return the share of the load on the foot in front, 0..1.

        pressure: the centre of pressure, and line: where the foot in front is pressed, from where the other one is, m.
        bears: how far the foot in front bears already, 0..1.
        """
        step, plan = self._step, self._step.plan
        done = min(step.phase / max(plan.handover * plan.table.double, 1e-3), 1.0)
        planned = float(eased(done))
        share = (pressure / line).real if abs(line) > HANDOVER.near else planned
        above = HANDOVER.above
        above += (1.0 - above) * step.urgency * bears
        least = max(share, planned - HANDOVER.below * (1.0 - step.urgency), HANDOVER.first)
        return min(least, planned + above, HANDOVER.last)

    def foot(
        self, state: BodyState, side: int, place: complex, share: float, pitch: float = 0.0, rate: float = 0.0
    ) -> Contact:  # fmt: skip
        """Return the contact of a foot that shall be pressed at a place and tilted: pitch, rad, and its rate, rad/s."""
        return self._ground.footing(side).laid(self._on_level(state, side, place, share, pitch, rate))

    def _on_level(
        self, state: BodyState, side: int, place: complex, share: float, pitch: float, rate: float
    ) -> Contact:  # fmt: skip
        """Return that contact where the ground is level."""
        leg, sole, under = self._legs[side], self._felt.soles[side], self._ground.under[side]
        if sum(self._feet.now) < LANDING.airborne * self._feet.weight:  # an ankle's torque would but spin the foot
            return pressed(leg, sole, sole.anchor, share, under, UNLOADED)
        turning = float(state.matrices[leg.foot, :, 1] @ state.angular_velocities[leg.foot])
        shift = SHIFT.by_pitch * (pitch - sole.pitch) + SHIFT.by_rate * (rate - turning)
        shift = min(max(shift, -SHIFT.most), SHIFT.most)
        bearing = self._felt.on_toes[side]
        taking = min(bearing + LANDING.toes, 1.0)
        late = ramp(pitch - sole.pitch, LANDING.early, LANDING.late)
        given = self._step.given
        late = 0.0 if given.constrained else late  # feet are set down flat there
        load = LANDING.relied * self._feet.loads[side]
        loaded = FootLoad(shift, bearing, taking, load, late, self._ground.edge(given))
        return pressed(leg, sole, place, share, under, loaded)
