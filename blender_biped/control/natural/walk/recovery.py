"""How far a walk is off its reference, and what that asks of the step: its pace, its urgency, how disturbed it is."""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass

from ....base.curves import ramp
from ...shared.state import BodyState
from ...shared.whole_body import LEAST_RISE, WholeBody
from ..ground.ground import Ground
from ..hands.hands import Hands
from ..steps.settings import Settings
from ..steps.step_table import Moment
from .senses import Senses
from .step_state import StepState


@dataclass(frozen=True)
class Pace:
    """How a step follows the body.

    slowest, fastest: times as fast as planned. steady: m/s under which a body counts as that fast.
    """

    slowest: float = 0.75
    fastest: float = 1.3
    steady: float = 0.3


@dataclass(frozen=True)
class Urgency:
    """When a step must go on faster than planned. ahead, aside: m that it catches. most: times as fast as planned.

    due: s within which a foot that is due shall be down; least: s that any takes. calming: s in which a body whose step
    was urgent is calm again.
    """

    ahead: float = 0.35
    aside: float = 0.2
    most: float = 1.8
    due: float = 0.1
    least: float = 0.02
    calming: float = 0.3


@dataclass(frozen=True)
class Disturbance:
    """When a body is disturbed.

    ahead, aside: m that it is off from which it begins to be; ahead_full, aside_full: from which it is in full.
    recovering: s in which it is calm again.
    """

    ahead: float = 0.15
    ahead_full: float = 0.3
    aside: float = 0.12
    aside_full: float = 0.22
    recovering: float = 0.5


PACE, URGENCY, DISTURBANCE = Pace(), Urgency(), Disturbance()


class Recovery:
    """Follows how far one body is off its reference."""

    def __init__(self, senses: Senses, ground: Ground, hands: Hands, body: WholeBody, step: StepState) -> None:
        self._senses, self._ground, self._hands, self._body, self._step = senses, ground, hands, body, step

    def feel(self, state: BodyState, settings: Settings, now: Moment, since: float) -> complex:
        """Find capture error, pace, urgency and disturbance; return where the reference has the sole pressed, m.

        In the stance foot's frame. since: s, since this was last asked.
        """
        step, felt = self._step, self._senses.felt
        plan, reference = step.plan, step.plan.reference
        frame = cmath.exp(1j * plan.frame)
        place, moving = (felt.place - felt.soles[step.stance].anchor) / frame, felt.velocity / frame
        own, velocity, pressed_at, _ = reference.at(step.phase)
        moving += self._swing_momentum(state, now)
        step.capture_error = error = place + moving / reference.frequency - (own + velocity / reference.frequency)
        free = not step.given.constrained
        if free:
            step.ahead.append(error.real)
        late = (place - own).real / max(abs(velocity.real), PACE.steady)
        late = -late if settings.backs else late  # a body that is farther ahead than planned is late
        pace = min(max(1.0 + settings.pull * late / plan.table.time, PACE.slowest), PACE.fastest)
        self._be_disturbed(error, since)
        falls = self._falls(error, (place + moving / reference.frequency).real, settings.backs)
        hurried = self._hurried(complex(falls if free else 0.0, error.imag))  # on stairs no step catches what is ahead
        step.pace = max(pace, hurried)
        step.urgency = max((hurried - 1.0) / (URGENCY.most - 1.0), step.urgency - since / URGENCY.calming)
        return pressed_at

    def _swing_momentum(self, state: BodyState, now: Moment) -> complex:
        """Return the velocity, m/s, in the stance foot's frame, that limbs will give back beyond what the style has.

        A leg that is thrown ahead harder than the style throws it pushes the body ahead, and takes that back as it
        comes to rest: what is off by that alone calls for no longer step, which would be thrown harder still.
        """
        plan = self._step.plan
        x, y, _ = self._body.momentum(state)
        u, v, _ = now.momentum
        off = complex(x, y) / cmath.exp(1j * plan.frame) - complex(u, v) * plan.reference.share / plan.table.time
        height = max(self._senses.height(state) - self._ground.height, LEAST_RISE)
        return -1j * off / (self._body.mass * height)

    def _falls(self, error: complex, capture: float, backs: bool) -> float:
        """Return how far, m, a body is off its reference ahead or back that only a step catches.

        capture: where its capture point is, m. Who lags behind it and is over its foot does not fall: that foot sets
        it going again, and a quick step would but be shorter still.
        """
        if backs or error.real >= 0.0:
            return error.real
        heel = self._senses.legs[self._step.stance].heel
        return max(min(capture - heel, 0.0), error.real)

    def _hurried(self, error: complex) -> float:
        """Return how much faster than planned the step must go on so that the next foot catches what is off.

        error: the capture error, m, which grows until the foot is down.
        """
        step, plan = self._step, self._step.plan
        if not (step.swinging or not plan.stops) or step.given.goes_over:
            return self._saving(1.0)  # who stops has both feet down; only its whole way brings a foot over an obstacle
        planned = max(1.0 - step.phase, 0.0) * plan.table.time
        off = max(abs(error.real) / URGENCY.ahead, abs(error.imag) / URGENCY.aside)
        time, left = -math.log(max(off, 1e-6)) / plan.reference.frequency, max(planned, URGENCY.due)
        return self._saving(min(left / max(time, URGENCY.least), URGENCY.most) if time < left else 1.0)

    def _saving(self, hurried: float) -> float:
        """Return the pace of a step that is only to stand again: nothing but the time until it is down decides it."""
        return URGENCY.most if self._step.saves and self._step.swinging else hurried

    def _be_disturbed(self, error: complex, since: float) -> None:
        """Feel how disturbed the body is by how far, m, it is off its reference, in the stance foot's frame.

        None is on stairs or over obstacles, where feet have their places, or that holds something.
        """
        step, rules = self._step, DISTURBANCE
        if step.given.constrained or self._hands.burdened:
            step.disturbance = 0.0
            return
        ahead = ramp(abs(error.real), rules.ahead, rules.ahead_full)
        now = max(ahead, ramp(abs(error.imag), rules.aside, rules.aside_full))
        step.disturbance = max(now, step.disturbance - since / rules.recovering)
