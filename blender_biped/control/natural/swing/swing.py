"""The leg that swings: where its foot is set down, and what thigh, shin, foot and toes do on the way there."""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass

import numpy as np

from ....base.curves import eased, ramp
from ....base.spatial import Array, faced
from ...shared.legs import LEFT, Leg
from ...shared.limb import STRAIGHT, angular_velocity, drop, leg_rotations
from ...shared.state import BodyState
from ..steps.com_reference import gone
from ..steps.planner import Plan
from ..steps.step_table import Moment, bent_up, between
from .leaving import Leaving
from .swing_step import LiftOff, SwingStep, SwingTarget

TOES_DOWN = 0.15  # rad that toes point down at most in a swing, or they catch on the ground
GLIDE = 0.03  # s in which a foot in a captured style follows a foothold, twice over


@dataclass(frozen=True)
class WidestStep:
    """How far aside of the stance foot a foot is set down at most. calm: m. disturbed: m, where the body is."""

    calm: float = 0.6
    disturbed: float = 0.8


@dataclass(frozen=True)
class SoleRange:
    """How far off its reference the sole alone catches a body, without another foothold. ahead, aside: m."""

    ahead: float = 0.03
    aside: float = 0.012


@dataclass(frozen=True)
class LastStep:
    """How far apart feet are set down to stand.

    caught: m aside that a last step takes up. width: m apart at least. sway: times the sway's end, likewise.
    """

    caught: float = 0.2
    width: float = 0.14
    sway: float = 1.7


@dataclass(frozen=True)
class Clearing:
    """When a foot gets off the ground in its swing. rises, sinks: shares of it in which it gets up, and comes down."""

    rises: float = 0.2
    sinks: float = 0.15


@dataclass(frozen=True)
class GroundSearch:
    """How a late foot searches downwards for the ground.

    calm, urgent: how fast, m for a phase of 1, in a calm step and in an urgent one. deepest_calm, deepest_urgent: m
    that it searches at most.
    """

    calm: float = 0.25
    urgent: float = 1.5
    deepest_calm: float = 0.045
    deepest_urgent: float = 0.1


@dataclass(frozen=True)
class LettingDown:
    """How a foot is let down onto the ground.

    height: m above the ground from which it is. slow, fast: m/s at most where there is time for it, and where there is
    none. soft: m/s, in place of slow, of the first steps and the last one: their feet come down harder. less_time,
    no_time: m/s of a step from which there is less time for it, and none.
    """

    height: float = 0.03
    slow: float = 0.45
    fast: float = 5.0
    soft: float = 0.3
    less_time: float = 0.3
    no_time: float = 0.6


@dataclass(frozen=True)
class RateRules:
    """How rates of thigh and shin are felt, beside the style's.

    soft: s in which what differs from the style is felt; led: s, likewise of a foot that glides in, or goes as a clip
    or a tread has it. fastest: rad/s of it at most. bend: s in which accelerations are felt in a captured style.
    fiercest: rad/s2 of these at most.
    """

    soft: float = 0.03
    led: float = 0.015
    fastest: float = 8.0
    bend: float = 0.02
    fiercest: float = 400.0


@dataclass(frozen=True)
class LegReach:
    """How far a leg reaches, in shares of its length: the longest step, and how far from its hip a foothold may be.

    step: from foot to foot at most. least: how far from under its hip it reaches at least. stretch: how far from the
    hip a foothold may be before the hips are lowered. on_toes: likewise, of a body on its toes: as it comes down, steps
    are longer by what its feet are. aimed: how much less that is, in a step whose foothold is desired and that is
    longer than its style's, in full from ``longer``, m.
    """

    step: float = 0.95
    least: float = 0.3
    stretch: float = 1.02
    on_toes: float = 0.97
    aimed: float = 0.02
    longer: float = 0.05


@dataclass(frozen=True)
class FreeToes:
    """How toes go once their foot has left the ground: those of a person spring straight.

    straight: share of the swing by which they are as straight as in its middle, where there is room below them. rests:
    the middle, as a share. raised: m that a foot that does not glide in is lifted higher than the style has it for
    that, at most, and rises: the share of the swing at which it is.
    """

    straight: float = 0.15
    rests: float = 0.5
    raised: float = 0.015
    rises: float = 0.25


@dataclass(frozen=True)
class GlideRules:
    """How a foot is led whose step has it glide in over the ground.

    height: share of the clearance that it is over the ground late in its swing, between low and full, shares of it.
    straight: share of the leg's length that it is led at most from its hip: where its leg does not reach yet it is
    nearer, not higher. ahead: s that it is led ahead of its time at the end, for a leg follows later. settles: s before
    the strike in which it is led into the ground: a foot that is late lets the body run ahead of its steps.
    """

    height: float = 0.25
    low: float = 0.3
    full: float = 0.6
    straight: float = 0.998
    ahead: float = 0.006
    settles: float = 0.06


WIDEST, LAST, REACH, GLIDES = WidestStep(), LastStep(), LegReach(), GlideRules()
CLEARING, SEARCH, DOWN, RATES, TOES = Clearing(), GroundSearch(), LettingDown(), RateRules(), FreeToes()
IN_SOLE, NO_SOLE = SoleRange(), SoleRange(0.0, 0.0)
"""Of a step, and of the last one, which has to be right by itself."""


class Follower:
    """How fast something goes that is only seen from step to step: its rate, felt over a time."""

    def __init__(self) -> None:
        self.begun = False
        """Whether it was seen before."""
        self.rate: Array = np.zeros((2, 3))
        self.last: Array = self.rate


class Swing:
    """One swing of one leg, from the place where its foot left the ground."""

    def __init__(self, lift: LiftOff) -> None:
        leg, side, sole, now = lift.leg, lift.side, lift.sole, lift.now
        self._leg, self._side = leg, side
        self._start, self._begin = lift.ankle.tolist(), lift.phase
        self._begun = now.ankles[side]
        self._yaw = math.remainder(sole.yaw - lift.heading, 2.0 * math.pi)
        self._leaving = Leaving(lift)
        self._up, self._tip = -math.inf, math.nan
        middle = lift.phase + TOES.rests * (1.0 - lift.phase)
        self._rest = bent_up(*between(lift.plan.table.rotations[:, [leg.foot, leg.toes]], middle))
        self._differs, self._accelerations = Follower(), Follower()
        self._glides: list[complex] = []

    def target(self, step: SwingStep) -> SwingTarget:
        """Return where the foot is set down: where the next step begins on its reference, however this one ends."""
        own, leg, plan, error = step.settings, self._leg, step.plan, step.capture_error
        reference, sign = plan.reference, 1.0 if self._side == LEFT else -1.0
        in_sole = NO_SOLE if plan.stops else IN_SOLE
        ahead_in, aside_in = in_sole.ahead, in_sole.aside
        if plan.table.on_toes:  # toes are short: they catch none of it for good
            ahead_in = 0.0
        caught = complex(own.step_ahead * _beyond(error.real, ahead_in), own.step_aside * _beyond(error.imag, aside_in))
        planned = max(1.0 - step.phase, 0.0) * plan.table.time
        ends = reference.capture_ahead(step.phase, planned, caught, step.left)
        place = ends - cmath.exp(1j * plan.turn) * complex(plan.next.capture[0])
        if plan.stops and abs(ends.imag) < LAST.caught:  # who is farther off has to be caught first
            apart = max(LAST.width, LAST.sway * sign * ends.imag)
            place = complex(ends.real - leg.middle, sign * apart)
        ahead = min(max(place.real, -0.5 * step.reach), step.reach)
        widest = WIDEST.calm + step.disturbance * (WIDEST.disturbed - WIDEST.calm)
        aside = min(max(sign * place.imag, step.nearest(ahead, leg)), widest)
        foothold = step.origin + complex(ahead, sign * aside) * cmath.exp(1j * plan.frame)
        foothold = step.aim.ankle(foothold, self._landing_yaw(step), step.disturbance)
        ankle, (_, _, up) = self._landing(step, foothold)
        longest = (REACH.on_toes if plan.table.on_toes else REACH.stretch) * leg.length
        if step.aim.is_set:
            longest -= _lower(step, foothold) * leg.length
        straight = STRAIGHT * leg.length
        low = self._above_ground(step.low)
        beyond = abs(ankle - step.hip) - math.sqrt(max(straight**2 - (low - up) ** 2, (REACH.least * straight) ** 2))
        if beyond > 0.0:  # a foot that is led farther than its leg reaches never comes down
            back = beyond * (ankle - step.hip) / abs(ankle - step.hip)
            foothold, ankle = foothold - back, ankle - back
        height = math.sqrt(max(longest**2 - abs(ankle - step.hip) ** 2, (0.6 * longest) ** 2)) + up
        return SwingTarget(foothold, gone(plan.table.length, ahead), height)

    def _above_ground(self, low: float) -> float:
        """Return how high a hip is above the ground that the foot is set down on, m. low: ``SwingStep.low``."""
        return low

    def _turned_out(self, plan: Plan) -> float:
        """Return where the style has the foot point as it stands, to the left of the heading, rad."""
        return plan.tables[self._side].yaw

    def _landing_yaw(self, step: SwingStep) -> float:
        """Return where the foot points as it lands, rad."""
        return step.command.heading + step.lead() + self._turned_out(step.plan)

    def _yaw_at(self, step: SwingStep, soft: float) -> float:
        """Return where the foot points now, rad. soft: how far it is turned, 0..1, from where it stood.

        A bent leg that swings turned out would turn the body: in the middle of its swing it points ahead.
        """
        out = self._turned_out(step.plan)
        yaw = step.command.heading + (1.0 - soft) * self._yaw + soft * (step.lead() + out)
        return yaw - math.sin(math.pi * soft) * out

    def _landing(self, step: SwingStep, foothold: complex) -> tuple[complex, tuple[float, float, float]]:
        """Return where the ankle is as the foot lands, and where the table has it."""
        x, y, z = step.plan.table.ankles[-1, self._side].tolist()
        ahead = cmath.exp(1j * self._landing_yaw(step))
        return foothold + (x - step.plan.table.length) * ahead, (x, y, z)

    def refer(
        self, state: BodyState, step: SwingStep, target: SwingTarget, rotations: Array, angular_velocities: Array,
        angular_accelerations: Array,
    ) -> None:  # fmt: skip
        """Fill in orientations (L, 3, 3), rates (L, 3) and accelerations (L, 3) of the leg's links.

        They hold what the style has.
        """
        even = step.even
        glides = even * step.plan.table.glides
        step = self._led_ahead(step, glides)
        leg, side, plan, now, ground = self._leg, self._side, step.plan, step.now, step.ground
        done = self._done(step.phase)
        soft = float(eased(done))
        foothold = self._gliding(target.foothold, step.since) if step.settings.is_captured else target.foothold
        ankle, end = self._landing(step, foothold)
        off = self._leaving.left(
            step, self._start[2] - self._begun[2] - ground, lambda soon: self._led_to(soon, ankle, end[1])
        )
        at = self._led_to(step, ankle, end[1]) + off.moved
        backs = -1.0 if plan.table.length < 0.0 else 1.0
        short = target.share
        own = now.pitches[side]
        less = short if backs * own < 0.0 else 1.0  # the heel strike of a short step is flat
        pitch = less * own + off.pitch
        drops = drop(leg, pitch)
        up = now.ankles[side][2] + (1.0 - even) * now.lower + ground + off.up + drops - drop(leg, own)
        led = step.settings.is_captured or backs < 0.0 or plan.table.on_toes or self._steep
        bend, clear = bent_up(rotations[leg.foot], rotations[leg.toes]), _clear(step, done, glides)
        if led:
            tip = min(pitch - bend, TOES_DOWN * aloft_at(done))
        else:
            raised = (1.0 - glides) * TOES.raised
            up += raised * float(eased(min(done / TOES.rises, (1.0 - done) / (1.0 - TOES.rises))))
            room = max(up - ground - drops - clear, 0.0) * min(done / TOES.rises, 1.0)  # the foot lags
            most = math.asin(min(room / max(leg.toe_length, 1e-6), 1.0))
            tip = min(pitch - self._straightened(bend, done), most)
        if step.phase < 1.0:
            toes_drop = leg.toe_length * math.sin(max(tip, 0.0)) if pitch > 0.0 else 0.0
            up = max(up, ground + drops + toes_drop + clear)
        up -= searched(step.phase, step.urgency) + glides * settled(step.phase, step.rate)
        up = self._let_down(up, ground + drops, step)
        if glides > 0.0:
            at = _reached(leg, at, up, state.origins[leg.thigh].tolist())
        yaw = self._yaw_at(step, soft)
        aside = np.array((-math.sin(yaw), math.cos(yaw), 0.0))
        rotations[leg.foot], rotations[leg.toes] = faced(yaw, pitch), faced(yaw, tip)
        turns = less * step.rate * now.pitch_rates[side] * (step.phase <= 1.0)
        angular_velocities[leg.foot] = aside * turns
        angular_velocities[leg.toes] = aside * (turns if led else self._tipping(tip, step.since))
        links = leg.bones
        legs = leg_rotations(leg, state.origins[leg.thigh].tolist(), (at.real, at.imag, up), yaw)
        style = short * angular_velocities[links]
        if short < 1.0:
            angular_accelerations[links] *= short
            angular_accelerations[leg.foot] *= short
        rotations[links], angular_velocities[links] = (
            legs,
            style + self._differing(state, legs, style, _felt_in(step, glides), step.since),
        )
        if step.settings.is_captured:  # knees that nearly straighten bend otherwise on another body
            angular_accelerations[links] = self._bent(angular_velocities[links], step.since, aside)

    def _led_to(self, step: SwingStep, ankle: complex, aside: float) -> complex:
        """Return where on its way to where it lands the ankle is, m.

        aside: of the stance foot, as the style has it where it lands, m.
        """
        plan, start, soft = step.plan, complex(self._start[0], self._start[1]), float(eased(self._done(step.phase)))
        share = self._way_done(plan, step.now)
        bulge = step.now.ankles[self._side][1] - (1.0 - soft) * self._begun[1] - soft * aside
        frame, sign = cmath.exp(1j * plan.frame), 1.0 if self._side == LEFT else -1.0
        way = (start + share * (ankle - start) - step.origin) / frame + 1j * bulge
        # It is led round the stance foot, and crosses over where it is ahead of it or behind.
        return step.origin + complex(way.real, sign * max(sign * way.imag, step.nearest(way.real, self._leg))) * frame

    def _led_ahead(self, step: SwingStep, glides: float) -> SwingStep:
        """Return the step as it is a little later, the farther its foot glides in: legs follow later than they are led.

        glides: how far, 0..1, it does.
        """
        if glides <= 0.0 or step.phase >= 1.0:
            return step
        return step.at(min(step.phase + glides * GLIDES.ahead * step.rate * self._done(step.phase), 1.0))

    @property
    def _steep(self) -> bool:
        """Whether it goes over ground so steep that toes are held up: they would catch on it."""
        return False

    def _straightened(self, bend: float, done: float) -> float:
        """Return how far toes are bent up, rad, that the style has bent by ``bend``: they spring straight at once."""
        if done > TOES.rests:
            return bend
        return bend + (self._rest - bend) * ramp(done, 0.0, TOES.straight)

    def _tipping(self, tip: float, since: float) -> float:
        """Return how fast toes turn down, rad/s, that shall point down by ``tip``, rad."""
        rate = 0.0 if math.isnan(self._tip) else (tip - self._tip) / since
        self._tip = tip
        return min(max(rate, -RATES.fastest), RATES.fastest)

    def _done(self, phase: float) -> float:
        """Return how much of its time the swing has taken at a phase of the step, at most 1."""
        return min((phase - self._begin) / max(1.0 - self._begin, 0.05), 1.0)

    def _way_done(self, plan: Plan, now: Moment) -> float:
        """Return how much of its way ahead the foot has gone, as the style has it."""
        x, begun, end = now.ankles[self._side][0], self._begun[0], float(plan.table.ankles[-1, self._side, 0])
        backs = -1.0 if plan.table.length < 0.0 else 1.0
        return backs * (x - begun) / max(backs * (end - begun), 0.05)

    def _pressing(self, step: SwingStep) -> float:
        """Return how little time, 0..1, a step has to let its foot down: none if quick or urgent, all if it stops."""
        plan = step.plan
        if step.burdened or plan.table.length < 0.0:  # who goes back lands on toes, and feels for the ground
            return 1.0
        if plan.stops:
            return 0.0
        own = 0.0 if step.early else ramp(abs(plan.ahead), DOWN.less_time, DOWN.no_time)
        return max(step.urgency, own)

    def _let_down(self, up: float, flat: float, step: SwingStep) -> float:
        """Return how high, m, the ankle shall be where it was to be at ``up``: near the ground feet fall no faster.

        flat: height, m, at which the foot touches level ground.
        """
        if up - flat < DOWN.height:
            slow = DOWN.soft if step.early or step.plan.stops else DOWN.slow
            up = max(up, self._up - (slow + self._pressing(step) * (DOWN.fast - slow)) * step.since)
        self._up = up
        return up

    def _differing(
        self, state: BodyState, legs: Array, style: Array, soft: float, step: float
    ) -> Array:  # fmt: skip
        """Return by how much thigh and shin turn faster (2, 3), rad/s, than the style's rates, on the way they go.

        legs (2, 3, 3): their orientations now. soft: s in which it is felt.
        """
        felt = self._differs
        if not felt.begun:
            felt.rate = state.angular_velocities[self._leg.bones] - style
        else:
            found = angular_velocity(legs, felt.last, step) - style
            np.maximum(np.minimum(found, RATES.fastest, out=found), -RATES.fastest, out=found)
            felt.rate += min(step / soft, 1.0) * (found - felt.rate)
        felt.last, felt.begun = legs, True
        return felt.rate

    def _gliding(self, foothold: complex, step: float) -> complex:
        """Return where the foot is led to: to the foothold, without jumps as that is planned anew."""
        first, second = self._glides or (foothold, foothold)
        share = min(step / GLIDE, 1.0)
        first += share * (foothold - first)
        self._glides = [first, second + share * (first - second)]
        return self._glides[1]

    def _bent(self, angular_velocities: Array, step: float, axis: Array) -> Array:
        """Return the accelerations (2, 3) of a leg that turns with desired rates (2, 3), about its knee's axis (3,).

        About others they would follow how the hip itself sways, and sway it the more.
        """
        felt = self._accelerations
        if felt.begun:
            found = np.clip((angular_velocities - felt.last) / step, -RATES.fiercest, RATES.fiercest)
            felt.rate = felt.rate + min(step / RATES.bend, 1.0) * (found - felt.rate)
        felt.last, felt.begun = angular_velocities.copy(), True
        return np.outer(felt.rate @ axis, axis)


def aloft_at(done: float) -> float:
    """Return how much, 0..1, a foot is above the ground that has taken a share of the time of its swing."""
    return min(done / CLEARING.rises, (1.0 - done) / CLEARING.sinks, 1.0)


def _felt_in(step: SwingStep, glides: float) -> float:
    """Return in how many s it is felt how thigh and shin turn. glides: how far, 0..1, the foot glides in."""
    led = 1.0 if step.settings.is_captured else glides
    return RATES.soft + led * (RATES.led - RATES.soft)


def _lower(step: SwingStep, foothold: complex) -> float:
    """Return the share of the leg by which hips are carried lower for a foothold, m, that is desired far ahead."""
    ahead = ((foothold - step.origin) / cmath.exp(1j * step.plan.frame)).real
    return REACH.aimed * ramp(ahead - step.plan.table.length, 0.0, REACH.longer)


def _clear(step: SwingStep, done: float, glides: float) -> float:
    """Return how high over the ground a foot is led at least, m. done: share of the swing. glides: how far, 0..1."""
    late = glides * (1.0 - GLIDES.height) * ramp(done, GLIDES.low, GLIDES.full)
    return step.settings.clearance * aloft_at(done) * (1.0 - late)


def _reached(leg: Leg, at: complex, up: float, hip: list[float]) -> complex:
    """Return where a foot that is to be ``at`` is led at a height, m: within its leg's reach. hip (3,): m."""
    under = complex(hip[0], hip[1])
    reach = math.sqrt(max((GLIDES.straight * leg.length) ** 2 - (hip[2] - up) ** 2, 0.0))
    far = abs(at - under)
    return under + (at - under) * reach / far if 0.0 < reach < far else at


def settled(phase: float, rate: float) -> float:
    """Return how far a foot that glides in is led into the ground as its step ends, m. rate: of the phase, 1/s."""
    settles = GLIDES.settles * rate
    return 0.5 * SEARCH.calm * min(max(phase - 1.0 + settles, 0.0), settles) ** 2 / settles


def searched(phase: float, urgency: float) -> float:
    """Return how far a foot that is late searches downwards for the ground, m."""
    calm = 1.0 - urgency
    search = calm * SEARCH.calm + urgency * SEARCH.urgent
    deepest = calm * SEARCH.deepest_calm + urgency * SEARCH.deepest_urgent
    return min(max(phase - 1.0, 0.0) * search, deepest)


def _beyond(value: float, room: float) -> float:
    return math.copysign(max(abs(value) - room, 0.0), value)
