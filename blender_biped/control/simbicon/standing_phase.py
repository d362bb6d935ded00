"""Standing on both feet: when a gait is begun, when a walk may end so, and how the body stands."""

from __future__ import annotations

import math
from dataclasses import replace

from ...base.spatial import Array
from ..shared.controlled_body import ControlledBody
from ..shared.ground import GroundReaction
from ..shared.instant import Instant
from ..shared.legs import LEFT
from ..shared.stand import Aim
from ..shared.standing import STANDING_ROLL, Feet, Mode, StandingMachine, Transitions
from .gait_sequence import GaitSequence
from .physique import STEPS_APART

LONGEST_SHIFT = 1.5  # s that shifting the weight may take before the first step begins anyway
STOP_SPEED = 0.4  # m/s under which a body that shall stop may stand
STOP_DISTANCE = 0.2  # m from the path's end at which it shall
STOP_MARGIN = 0.1  # share of the distance between the feet that a stop must be caught inside of either
STILL = 0.05  # m/s under which a gait on both feet begins


class StandingPhase:
    """How one body stands before, between and after its gaits. heading: where it shall face, rad."""

    def __init__(self, body: ControlledBody, gaits: GaitSequence, feet: Feet, footing: GroundReaction) -> None:
        self._body, self._gaits, self._feet, self._footing = body, gaits, feet, footing
        self._machine = StandingMachine(body.character, feet, body.gravity)

    @property
    def mode(self) -> Mode:
        """Whether the body stands, shifts its weight, or walks."""
        return self._machine.mode

    @property
    def _transitions(self) -> Transitions:
        standing, physique = self._gaits.gait.standing, self._gaits.fit.physique
        shift = standing.shift * (physique.shift if physique else 1.0)
        return Transitions(standing.settle, shift, LONGEST_SHIFT, STOP_DISTANCE, STOP_SPEED, 0.0, STOP_MARGIN)

    def enter(self, mode: Mode, time: float) -> None:
        """Go over to a mode at ``time``, s."""
        self._machine.enter(mode, time)

    def set_off(self, now: Instant, heading: float, rests: bool) -> int | None:
        """Return the leg to stand on where a body must begin to walk now; None while it need not.

        rests: whether it stands for good, or before a gait on both feet: only toppling moves it then.
        """
        state, gaits = now.state, self._gaits
        # In a plane there is nothing to shift, and a hop is from both feet.
        at_once = self._body.character.hinged or gaits.machine.state.support != "stance"
        stance = self._machine.set_off(
            state, heading, now.com, now.velocity, now.command.left, self._transitions, rests, at_once
        )
        if stance is None and gaits.between and self.mode != "walk":  # it may land as a body that topples
            stance = self._feet.saving_stance(state, heading, now.com, now.velocity)
        return stance

    def begin_paused(self, now: Instant, speed: float) -> int | None:
        """Go over to the gait on both feet that it has slowed down for, once it stands still; return its stance leg.

        speed: of the centre of mass, m/s.
        """
        if speed >= STILL or now.state.time - self._machine.since <= self._transitions.settle_time:
            return None
        self._gaits.begin_paused()
        return LEFT

    def stop(self, now: Instant, heading: float) -> bool:
        """Go over to standing if it shall and can; return whether it has arrived."""
        rules, gaits = self._transitions, self._gaits
        arrives = now.command.left < rules.stop_distance
        if not arrives and gaits.pausing is None:
            return False
        speed = self._stopping_speed(now, heading)
        if not self._machine.can_stand(now.state, heading, now.com, now.velocity, speed, rules):
            return False
        self._machine.enter("stand", now.state.time)
        if arrives:
            gaits.pausing = None
        return arrives

    def _stopping_speed(self, now: Instant, heading: float) -> float:
        """Return the speed, m/s, by which a stop is judged: feet farther apart than people's sway as much faster."""
        physique, velocity = self._gaits.fit.physique, now.velocity
        if physique is None or not physique.sways:
            return math.hypot(velocity[0], velocity[1])
        c, s = math.cos(heading), math.sin(heading)
        left, right = (now.state.origins[leg.foot] for leg in self._body.legs)
        apart = abs(float((left[1] - right[1]) * c - (left[0] - right[0]) * s))
        wider = max(apart / (STEPS_APART * self._body.character.leg_length), 1.0)
        return math.hypot(velocity[0] * c + velocity[1] * s, (velocity[1] * c - velocity[0] * s) / wider)

    def torques(self, now: Instant, heading: float) -> Array:
        """Return the torque of each link's joint on it (L, 3), world axes, N m."""
        aim = self.aim(now, heading)
        return self._gaits.fit.stand.torques(now.state, self._feet, self._footing, aim, now.com, now.velocity)

    def aim(self, now: Instant, heading: float) -> Aim:
        """Return how the body shall stand."""
        standing, physique = self._gaits.gait.standing, self._gaits.fit.physique
        aim = Aim(heading, now.command.turn, self._machine.onto(), standing.gain, standing.damping)
        if physique and physique.sways:
            aim = replace(aim, braced=True, roll=STANDING_ROLL / physique.level)
        return aim
