"""Standing between both feet, and shifting the weight onto the one that the first step is on."""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ....base.spatial import Array, nearest_rotations, yawed
from ...shared.legs import LEFT, RIGHT
from ...shared.limb import leg_rotations
from ...shared.state import BodyState
from ...shared.steering import Command
from .beginning import begin_first
from .phase import Phase, phase
from .step_state import Desired, LegUse
from .walker import ANYWHERE, Walker


@dataclass(frozen=True)
class StandingRules:
    """How a body stands.

    lower: m that it stands lower than on straight legs; among: likewise on other than level ground, or among things.
    relaxing: s in which it comes to stand upright from how it walked. bearing: of the weight: a foot that bears less is
    held where it stands. hold: how hard a body is pushed back to between its feet. least: share of the load that a foot
    keeps. left: m of path under which it need not walk. bent: share of bending from which no step would save a body.
    """

    lower: float = 0.0005
    among: float = 0.006
    relaxing: float = 0.22
    bearing: float = 0.04
    hold: float = 1.5
    least: float = 0.03
    left: float = 0.1
    bent: float = 0.1


@dataclass(frozen=True)
class ShiftRules:
    """How the weight is shifted.

    onto: share of the way to the stance foot that the body goes. leaning: m ahead of it. shortest: s that it takes
    at least: a foot that is lifted sooner throws the body, and it slides. patience: s at most. replanned: s after
    which the first step is planned anew. within: m: a step can begin once the stance foot can hold it but for this.
    aside: share of its way to the left from which its left foot steps first.
    """

    onto: float = 0.8
    leaning: float = 0.06
    shortest: float = 0.2
    patience: float = 0.45
    replanned: float = 0.0125
    within: float = 0.01
    aside: float = 0.3


STANDING, SHIFT = StandingRules(), ShiftRules()


class OnBothFeet(Phase):
    """A body on both feet that does not step."""

    def goal(self, middles: list[complex], heading: float) -> complex:
        """Return where the body is to be, m. middles: of both soles, m. heading: rad."""
        return 0.5 * (middles[0] + middles[1])

    def desired(self, state: BodyState, command: Command, since: float) -> Desired:
        """Return what the links shall do to keep it over its goal."""
        w = self.walker
        felt, ground, hands = w.felt, w.around.ground, w.around.hands
        middles = [sole.middle(leg) for sole, leg in zip(felt.soles, w.legs, strict=True)]
        capture = felt.place + felt.velocity / felt.frequency
        pressure = capture + STANDING.hold * (capture - self.goal(middles, command.heading))
        share = ((pressure - middles[1]) / (middles[0] - middles[1])).real
        left = min(max(share, STANDING.least), 1.0 - STANDING.least)
        rest = pressure - (left * middles[0] + (1.0 - left) * middles[1])
        contacts = [w.pressure.foot(state, side, middles[side] + rest, (left, 1.0 - left)[side]) for side in (0, 1)]
        goes = min(since / STANDING.relaxing, 1.0)
        low = STANDING.lower if w.around.clear else STANDING.among
        w.hips.stand(state, w.standing + ground.lowest - low, goes)
        facing = yawed(command.heading)
        rotations = np.tile(facing, (len(w.posture.rotations), 1, 1))
        w.posture.rotations += (w.carriage - w.posture.rotations) * goes
        rotations[w.carried] = facing @ nearest_rotations(w.posture.rotations[w.carried])
        ground.lay_feet(rotations, facing)
        angular_velocities = np.zeros((len(rotations), 3))
        lower = w.lean(state, command, rotations, angular_velocities)
        rising = float(state.velocities[0, 2]) + hands.sinking if lower else felt.rising
        lift = w.hips.standing_lift(state, lower, rising)
        return Desired(
            rotations,
            angular_velocities,
            np.zeros((len(rotations), 3)),
            lift,
            contacts,
            self._kept_in_place(state, rotations),
        )

    def _kept_in_place(self, state: BodyState, rotations: Array) -> tuple[LegUse, LegUse]:
        """Keep a foot that bears nothing where it stood, or it would drift away; return what the legs do.

        rotations (L, 3, 3): desired orientations, changed in place.
        """
        w, uses = self.walker, [LegUse.BEARS, LegUse.BEARS]
        places = w.posture.stood
        for side, leg in enumerate(w.legs):
            stood = places[side]
            if w.feet.now[side] > STANDING.bearing * w.feet.weight or math.isnan(stood[0]):
                x, y, _ = state.origins[leg.foot].tolist()
                places[side] = (x, y, w.around.ground.under[side] + leg.ankle_height)
                continue
            hip, yaw = state.origins[leg.thigh].tolist(), w.felt.soles[side].yaw
            rotations[leg.thigh], rotations[leg.shin] = leg_rotations(leg, hip, stood, yaw)
            w.around.ground.keep_foot(rotations, leg, yaw)
            uses[side] = LegUse.FREE
        return uses[0], uses[1]


@phase
class Standing(OnBothFeet):
    """Standing between both feet. It ends where it is to walk on, or must step so as not to topple."""

    name, mode = "standing", "stand"

    def begin(self, state: BodyState, command: Command) -> None:
        """Stand where it is."""
        self.walker.posture.stood = [ANYWHERE, ANYWHERE]

    @property
    def holds(self) -> bool:
        """It stands as it stood."""
        return True

    def goal(self, middles: list[complex], heading: float) -> complex:
        """Return where the body is to be, m: between its feet, ahead of that where it bends down with a load."""
        return super().goal(middles, heading) + self.walker.around.hands.ahead * cmath.exp(1j * heading)

    def advance(self, state: BodyState, command: Command) -> str:
        """Return whether it stands on, shifts its weight, or steps at once."""
        w, rests = self.walker, bool(self.walker.log.strikes)
        if not rests or command.onward:
            return self.name if command.left <= STANDING.left else Shifting.name
        felt = w.felt
        com = (felt.place.real, felt.place.imag, w.senses.height(state))
        velocity = (felt.velocity.real, felt.velocity.imag, felt.rising)
        saved = w.feet.saving_stance(state, command.heading, com, velocity)
        if saved is None or w.around.hands.squats > STANDING.bent:
            return self.name
        begin_first(w, state, command, saved, saves=True)
        return "single_support"


@phase
class Shifting(OnBothFeet):
    """Shifting the weight onto the first stance foot. It ends once that foot can hold the step that is planned."""

    name, mode = "shifting", "shift"
    leaning: ClassVar[float] = SHIFT.leaning

    def __init__(self, walker: Walker) -> None:
        super().__init__(walker)
        self._due = 0.0  # s, when the first step is planned anew
        self._since = 0.0  # s, when it began

    def begin(self, state: BodyState, command: Command) -> None:
        """Plan the first step."""
        self._since = state.time
        self._plan(state, command)

    def goal(self, middles: list[complex], heading: float) -> complex:
        """Return where the body is to be, m: over the stance foot, and ahead."""
        goal = super().goal(middles, heading)
        onward = self.walker.settings.way * cmath.exp(1j * heading)
        goal += SHIFT.onto * (middles[self.walker.step.stance] - goal) + self.leaning * onward
        return goal

    def advance(self, state: BodyState, command: Command) -> str:
        """Plan the step anew; return whether it begins."""
        if state.time < self._due:
            return self.name
        self._plan(state, command)
        since = state.time - self._since
        shifted = since > SHIFT.shortest and abs(self.walker.step.short_of.imag) < SHIFT.within
        return "single_support" if shifted or since > SHIFT.patience else self.name

    def _plan(self, state: BodyState, command: Command) -> None:
        self._due = state.time + SHIFT.replanned
        self._begin_step(state, command)

    def _begin_step(self, state: BodyState, command: Command) -> None:
        w = self.walker
        stance = w.around.hands.first_stance(RIGHT if w.settings.way.imag > SHIFT.aside else LEFT)
        begin_first(w, state, command, stance)
