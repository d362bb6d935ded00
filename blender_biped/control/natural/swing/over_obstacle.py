"""The swing over an obstacle: on a way that is searched as the foot lifts, followed from where the hip really is."""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass

import numpy as np

from ....base.curves import eased, gently
from ....base.spatial import Array, nearest_rotations, pitched, yawed
from ....world.obstacles import Crossed
from ...shared.limb import angular_velocity, leg_rotations
from ...shared.state import BodyState
from ..steps.constrained import ConstrainedStep
from ..steps.planner import Plan
from ..steps.step_table import between
from .leg_way import SAMPLES, Bar, FootPose, LegShape, LegWay, LegWaySearch
from .swing import Follower, Swing, searched
from .swing_step import LiftOff, SwingStep, SwingTarget

APART = 0.05  # m that the ankle keeps from the line of the stance foot
LEAD = 0.04  # s by which the foot is led ahead: so late is what a leg does of what it shall
STRAIGHT = 0.985  # of the leg with which the foot lands
ENDS = 0.2  # share of the swing at its beginning and end over which the foot turns from, and to, the ground


@dataclass(frozen=True)
class LinkRates:
    """How the rates of the leg's links are felt. soft: s in which they are. fastest: rad/s of them at most."""

    soft: float = 0.015
    fastest: float = 20.0


RATES = LinkRates()


class OverSwing(Swing):
    """A swing over an obstacle."""

    def __init__(
        self, lift: LiftOff, given: ConstrainedStep, over: Crossed, shape: LegShape, ground: float, aside: float
    ) -> None:  # fmt: skip
        """Take the step, and the obstacle that it goes over. shape: of the leg.

        ground: height under the stance foot, m. aside: how far the leg's hip is to the left of the mid-hip, m. A body
        that ducks keeps its hips low and behind.
        """
        super().__init__(lift)
        leg, sole, phase, plan, origin, ducks = lift.leg, lift.sole, lift.phase, lift.plan, lift.origin, lift.ducks
        self._given, self._heading, self._turn = given, over.heading, cmath.exp(1j * over.heading)
        self._middle = complex(over.x, over.y) + 0.5 * (over.far - over.near) * self._turn
        frame = cmath.exp(1j * plan.frame)
        hips = self._hips(plan, origin, phase, aside)
        stays = ducks + (1.0 - ducks) * np.linspace(1.0, 0.0, SAMPLES)[:, None] ** 2
        hips += stays * (self._placed(lift.hip, ground) - hips[0])
        stands = self._seen(origin)
        width = complex(given.foothold.arc - given.arc, shape.side * abs(plan.table.width))
        self._lands = self._seen(origin + width * frame)
        self.way: LegWay = LegWaySearch(
            shape, Bar(0.5 * (over.far - over.near), over.top), hips,
            FootPose(
                self._placed(lift.ankle, ground), math.remainder(sole.yaw - over.heading, 2.0 * math.pi), sole.pitch
            ),
            FootPose(np.array((self._lands.real, self._lands.imag, leg.ankle_height)), 0.0, 0.0),
            (1.0 - phase) * plan.table.time, shape.side * stands.imag + APART, given.leads,
        ).best()  # fmt: skip
        self._shown = Follower()

    def _seen(self, place: complex) -> complex:
        """Return a place of the ground as it is seen from the obstacle's middle, ahead + i left, m."""
        return (place - self._middle) / self._turn

    def _placed(self, place: Array, ground: float) -> Array:
        """Return a place (3,), world, as it is seen from the ground below the obstacle's middle, m."""
        seen = self._seen(complex(*place[:2].tolist()))
        return np.array((seen.real, seen.imag, float(place[2]) - ground))

    def _hips(self, plan: Plan, origin: complex, phase: float, aside: float) -> Array:
        """Return where the leg's hip will be over the swing (SAMPLES, 3), m, by the reference of the centre of mass."""
        found, frame = [], cmath.exp(1j * plan.frame)
        for at in np.linspace(phase, 1.0, SAMPLES).tolist():
            pelvis, com = between(plan.table.pelvis, at), between(plan.table.com, at)
            away = complex(*(pelvis - com)[:2].tolist()) + 1j * aside
            place = self._seen(origin + (complex(between(plan.reference.place, at)) + away) * frame)
            found.append((place.real, place.imag, float(pelvis[2])))
        return np.array(found)

    def target(self, step: SwingStep) -> SwingTarget:
        """Return where the foot is set down: where the step has it along the way, aside where it catches the body."""
        found = super().target(step)
        frame = cmath.exp(1j * step.plan.frame)
        own = (found.foothold - step.origin) / frame
        found.foothold = step.origin + complex(self._given.foothold.arc - self._given.arc, own.imag) * frame
        found.share = 1.0
        ankle, (_, _, up) = self._landing(step, found.foothold)
        straight = STRAIGHT * self._leg.length
        found.height = math.sqrt(max(straight**2 - abs(ankle - step.hip) ** 2, (0.6 * straight) ** 2)) + up
        return found

    def refer(
        self, state: BodyState, step: SwingStep, target: SwingTarget, rotations: Array, angular_velocities: Array,
        angular_accelerations: Array,
    ) -> None:  # fmt: skip
        """Fill in what the leg's links do, (L, 3, 3), (L, 3), (L, 3), as a swing's ``refer`` does."""
        leg = self._leg
        done = self._done(step.phase + step.rate * LEAD)
        ankle, yaw, bend, pitch = self.way.at(done)
        foothold = self._gliding(target.foothold, step.since)
        at = self._middle + complex(ankle[0], ankle[1]) * self._turn
        at += float(gently(done)) * (foothold - self._middle - self._lands * self._turn)
        up = float(ankle[2]) + step.ground - searched(step.phase, step.urgency)
        facing = self._heading + yaw
        thigh, shin = leg_rotations(leg, state.origins[leg.thigh].tolist(), (at.real, at.imag, up), facing)
        # In the air the foot hangs on its shin; where it stands it is square to the ground.
        free, level = float(eased(min(done / ENDS, (1.0 - done) / ENDS, 1.0))), yawed(facing)
        foot = _between(level @ pitched(pitch), shin @ pitched(bend), free)
        toes = _between(level @ pitched(min(pitch, 0.0)), foot, free)
        links, found = [leg.thigh, leg.shin, leg.foot], np.stack((thigh, shin, foot))
        felt = self._shown
        if felt.begun:
            made = angular_velocity(found, felt.last, step.since)
            felt.rate += min(step.since / RATES.soft, 1.0) * (np.clip(made, -RATES.fastest, RATES.fastest) - felt.rate)
        else:
            felt.rate = state.angular_velocities[links].copy()
        felt.last, felt.begun = found, True
        rotations[links], rotations[leg.toes] = found, toes
        angular_velocities[links], angular_velocities[leg.toes] = felt.rate, felt.rate[2]
        angular_accelerations[leg.span] = 0.0


def _between(first: Array, second: Array, share: float) -> Array:
    """Return the rotation (3, 3) between two, ``share`` of the second."""
    return np.asarray(nearest_rotations(((1.0 - share) * first + share * second)[None])[0])
