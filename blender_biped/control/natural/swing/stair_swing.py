"""The swing from tread to tread."""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass

import numpy as np

from ....base.curves import eased, gently
from ....base.spatial import Array, pitched, yawed
from ....world.treads import Treads
from ...shared.legs import Leg
from ...shared.limb import drop, leg_rotations
from ...shared.state import BodyState
from ..steps.constrained import SPARE, ConstrainedStep
from .swing import RATES, TOES_DOWN, Swing, aloft_at, searched
from .swing_step import LiftOff, SwingStep, SwingTarget

AHEAD = ((0.1, 0.9), (0.2, 0.95), (0.3, 1.0), (0.0, 0.7), (0.0, 0.6), (0.0, 0.8))
"""Shares of the swing between which a foot goes ahead, that are tried."""
RISES, SINKS = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8), (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
"""Shares of the swing in which it rises, and from which it comes down, that are tried."""
OVERLAP = 0.2  # of the swing that it may do both
CLEARS = 0.03  # m that a sole passes over what is below it
LEAD = 0.02  # s by which the foot is led ahead: so late is what a leg does of what it shall
PASSES = 0.02  # m beside heel and tip that count as below the sole
LOOKS = 41  # places of a swing at which it looks what is below


@dataclass(frozen=True)
class TreadLanding:
    """From where a foot is set down on its tread. height: m above it. begins: share of the swing."""

    height: float = 0.02
    begins: float = 0.7


@dataclass(frozen=True)
class TiltRules:
    """How the foot is tilted. levels: share of a swing in which it becomes level.

    follows: s in which it follows the tilt that its ankle needs.
    """

    levels: float = 0.6
    follows: float = 0.03


LANDS, TILT = TreadLanding(), TiltRules()


def ahead_of(done: Array, window: tuple[float, float]) -> Array:
    """Return how far (K,), 0..1, a foot has gone ahead at shares (K,) of its swing. window: between which it does."""
    return gently(np.clip((done - window[0]) / (window[1] - window[0]), 0.0, 1.0))


def rolled_ahead(leg: Leg, pitch: float) -> float:
    """Return how far the ankle of a foot that has rolled onto its ball is ahead of where it stood flat, m."""
    return leg.ball * (1.0 - math.cos(pitch)) + leg.ankle_height * math.sin(pitch) if pitch > 0.0 else 0.0


class StairSwing(Swing):
    """A swing from tread to tread."""

    def __init__(
        self, lift: LiftOff, given: ConstrainedStep, treads: Treads, begin: float, dorsiflexion: float
    ) -> None:
        """begin: where along the path it left the ground, m. dorsiflexion: how far its ankle bends up at most, rad."""
        super().__init__(lift)
        leg, sole = lift.leg, lift.sole
        self._given, self._from, self._dorsiflexion = given, sole.pitch, dorsiflexion
        self._tilt, self._tilted = 0.0, sole.pitch
        self._anchor = sole.anchor
        self._off = complex(*lift.ankle[:2].tolist()) - sole.anchor - rolled_ahead(leg, sole.pitch) * sole.ahead
        self._over, self._window = self._way(treads, leg, begin, given)

    def _way(self, treads: Treads, leg: Leg, begin: float, given: ConstrainedStep) -> tuple[Array, tuple[float, float]]:
        """Return how high (K,) the sole is to be over the swing, m, and between which shares of it it goes ahead.

        As slowly up and down as what is below it allows: a leg that is thrown up takes from the ground what is to bear
        the body.
        """
        done = np.linspace(0.0, 1.0, LOOKS)
        length, rise, end = given.foothold.arc - begin, given.behind, given.foothold.height
        # It comes down to near its tread, and onto it at the step's end: sooner, the body would not yet be as far.
        late = np.clip((done - LANDS.begins) / (1.0 - LANDS.begins), 0.0, 1.0)
        land, lands = end + LANDS.height, LANDS.height * late**2
        tip = leg.tip
        ends = [(treads.at(at), at) for at in (begin, given.foothold.arc)]
        back = leg.heel - min(PASSES, *(at + leg.heel - tread.begin for tread, at in ends))
        front = tip + min(PASSES, *(tread.end - at - tip for tread, at in ends))
        best, least = list[tuple[Array, tuple[float, float]]](), math.inf
        for ahead in AHEAD:
            at = begin + length * ahead_of(done, ahead)
            below = np.array([treads.highest(x + back, x + front) for x in at.tolist()])
            below[0], below[-1] = rise, end
            top = float(below.max()) + CLEARS
            for rises in RISES:
                up = rise + (top - rise) * gently(np.clip(done / rises, 0.0, 1.0))
                for sinks in SINKS:
                    ways = (
                        (top - rise) / rises**2,
                        (top - land) / (1.0 - sinks) ** 2,
                        length / (ahead[1] - ahead[0]) ** 2,
                    )
                    if sinks < rises - OVERLAP or max(ways) >= least:
                        continue
                    found = up - (top - land) * gently(np.clip((done - sinks) / (1.0 - sinks), 0.0, 1.0)) - lands
                    if (found >= below - 1e-9).all():
                        best, least = [(found, ahead)], max(ways)
        if best:
            return best[0]
        up = rise + (top - rise) * gently(np.clip(done / RISES[0], 0.0, 1.0))
        return up - (top - land) * gently(np.clip((done - SINKS[-1]) / (1.0 - SINKS[-1]), 0.0, 1.0)) - lands, AHEAD[0]

    def target(self, step: SwingStep) -> SwingTarget:
        """Return where the foot is set down: on its tread, aside where it catches the body."""
        found = super().target(step)
        frame = cmath.exp(1j * step.plan.frame)
        own, given = (found.foothold - step.origin) / frame, self._given
        ahead = min(max(own.real, given.foothold.low - given.arc), given.foothold.high - given.arc)
        found.foothold = step.origin + complex(ahead, own.imag) * frame
        found.share = 1.0
        return found

    def refer(
        self, state: BodyState, step: SwingStep, target: SwingTarget, rotations: Array, angular_velocities: Array,
        angular_accelerations: Array,
    ) -> None:  # fmt: skip
        """Fill in what the leg's links do, (L, 3, 3), (L, 3), (L, 3), as a swing's ``refer`` does."""
        leg, side, plan, heading = self._leg, self._side, step.plan, step.command.heading
        done = self._done(step.phase + step.rate * LEAD)
        fade = 1.0 - gently(min(done / TILT.levels, 1.0))
        goes = float(ahead_of(np.array(done), self._window))
        foothold = self._gliding(target.foothold, step.since)
        soft = float(eased(done))
        bulge = step.now.ankles[side][1] - (1.0 - soft) * self._begun[1] - soft * float(plan.table.ankles[-1, side, 1])
        pitch = max(fade * self._from, self._tilt)
        at = self._anchor + goes * (foothold - self._anchor) + 1j * bulge * cmath.exp(1j * plan.frame)
        at += rolled_ahead(leg, pitch) * cmath.exp(1j * (heading + self._yaw))  # the tip stays behind a riser
        at += fade * self._off
        aloft = aloft_at(done)
        tip = min(pitch, TOES_DOWN * aloft)
        place = done * (LOOKS - 1)
        k = min(int(place), LOOKS - 2)
        sole = float(self._over[k] + (place - k) * (self._over[k + 1] - self._over[k]))
        up = sole + drop(leg, pitch) + leg.toe_length * math.sin(max(tip, 0.0)) * (pitch > 0.0)
        own = self._given.behind + drop(leg, self._from)
        up += fade * (self._start[2] - own)
        up -= searched(step.phase, step.urgency)
        yaw = self._yaw_at(step, soft)
        facing = yawed(yaw)
        rotations[leg.foot], rotations[leg.toes] = facing @ pitched(pitch), facing @ pitched(tip)
        turning = min(max((pitch - self._tilted) / step.since, -RATES.fastest), RATES.fastest)
        self._tilted = pitch
        angular_velocities[leg.foot] = angular_velocities[leg.toes] = facing[:, 1] * turning
        angular_accelerations[[leg.foot, leg.toes]] = 0.0
        links = [leg.thigh, leg.shin]
        legs = leg_rotations(leg, state.origins[leg.thigh].tolist(), (at.real, at.imag, up), yaw)
        lean = math.atan2(float(facing[:, 0] @ legs[1][:, 2]), float(legs[1][2, 2]))
        needed = max(lean - self._dorsiflexion + SPARE, 0.0) if math.isfinite(self._dorsiflexion) else 0.0
        self._tilt += min(step.since / TILT.follows, 1.0) * (needed - self._tilt)
        rotations[links], angular_velocities[links] = (
            legs,
            self._differing(state, legs, np.zeros((2, 3)), RATES.led, step.since),
        )
        angular_accelerations[links] = self._bent(angular_velocities[links], step.since, facing[:, 1])
