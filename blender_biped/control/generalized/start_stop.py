"""Standing on both feet: when a body sets off, and when a walk may end so (Coros 2010, section 5.1)."""

from __future__ import annotations

import math

from ..shared.controlled_body import ControlledBody
from ..shared.instant import Instant
from ..shared.root_torque import Pair
from ..shared.standing import Feet, Mode, StandingMachine, Transitions
from .fitted import FittedSettings

LONGEST_SHIFT = 2.0  # s that shifting the weight may take before the first step begins anyway
STOP_LOAD = 0.3  # share of the body's weight under either foot from which it can stand
STOP_MARGIN = 0.3  # share of the distance between the feet that a stop must be caught inside of either


class StartStop:
    """How one body stands, before its walk and after it."""

    def __init__(self, body: ControlledBody, settings: FittedSettings, feet: Feet) -> None:
        self._settings, self._feet = settings, feet
        self._fit, self._gravity = settings.fit, body.gravity
        self._machine = StandingMachine(body.character, feet, body.gravity)
        s, caught = settings.now, settings.fit.caught
        self._transitions = Transitions(
            s.settle_time, caught * s.shift_share, LONGEST_SHIFT, s.stop_distance, s.stop_speed,
            caught * STOP_LOAD, caught * STOP_MARGIN,
        )  # fmt: skip

    @property
    def mode(self) -> Mode:
        """Whether the body stands, shifts its weight, or walks."""
        return self._machine.mode

    @property
    def since(self) -> float:
        """Time, s, of the last change of ``mode``."""
        return self._machine.since

    def set_off(self, now: Instant, rests: bool) -> int | None:
        """Go over to walking where a standing body must; return its stance leg, None while it stands on.

        rests: whether it has walked and stands for good: only toppling moves it then.
        """
        state, command = now.state, now.command
        stance = self._machine.set_off(
            state, command.heading, now.com, now.velocity, command.left, self._transitions, rests
        )
        if stance is not None:
            self._machine.enter("walk", state.time)
        return stance

    def stop(self, now: Instant, step_speed: float) -> bool:
        """Go over to standing where a walk shall end, and can on both feet now; return whether it does.

        step_speed: of the hips over the last step, m/s.
        """
        if now.command.left >= self._transitions.stop_distance:
            return False
        state, velocity = now.state, now.velocity
        speed = min(step_speed, math.hypot(velocity[0], velocity[1]))
        if not self._machine.can_stand(state, now.command.heading, now.com, velocity, speed, self._transitions):
            return False
        self._machine.enter("stand", state.time)
        return True

    def acceleration(self, now: Instant, resting: bool) -> Pair:
        """Return the acceleration, world x, y, m/s2, that brings the centre of mass to where it should stand.

        resting: whether it has walked.
        """
        s = self._settings.now
        gain, damping = (s.stand_gain, s.stand_damping) if resting else (s.shift_gain, s.shift_damping)
        return self._feet.acceleration(now.state, self._machine.onto(), gain, damping, now.com, now.velocity)

    def falling(self, now: Instant, resting: bool) -> float:
        """Return the acceleration, m/s2, with which a leaning body topples ahead; 0 where none is to be held.

        resting: whether it has walked. A body that is built as people are does not lean so far.
        """
        if not (self._fit.unlike_people and resting):
            return 0.0
        lean, _ = self._feet.lean(now.state, now.command.heading, now.com)
        return self._gravity * lean / max(now.com[2] - self._feet.ground, 0.1)
