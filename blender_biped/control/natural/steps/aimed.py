"""Steps that set a foot down where it is desired: which step it is, and the reference that ends there.

A capture point is steered to where a step is to end by where the foot is pressed meanwhile (Englsberger, Ott and
Albu-Schaeffer 2015): that is one number for each direction of the ground, found from the pendulum over the step.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ....base.curves import eased
from ....world.footholds import DesiredFoothold
from .com_reference import PHASES, ComReference, Pendulum, Plane, Swinging
from .planner import Plan

AHEAD = 3  # steps before a desired foothold over which the way to it is made up


@dataclass(frozen=True)
class FootAimRules:
    """How far feet go for what is desired.

    reach: m between where a foot would be set down and where it is desired, at most. passes: m along the path, likewise
    where the path crosses itself. earlier: m that a step before it is longer or shorter at most. eases: share of a step
    in which the pressure is moved. holds: m that balance would have a foot elsewhere at most, for a calm body.
    """

    reach: float = 0.3
    passes: float = 3.0
    earlier: float = 0.08
    holds: float = 0.2
    eases: float = 0.25


AIM = FootAimRules()


class Anywhere:
    """Nothing is desired of where a foot is set down."""

    is_set = False
    """Whether there is a place where it is to be."""

    def ankle(self, free: complex, yaw: float, disturbed: float) -> complex:
        """Return where the flat foot's ankle is to be, m. free: where balance has it. yaw: where it points, rad.

        disturbed: how disturbed the body is, 0..1.
        """
        return free


ANYWHERE = Anywhere()


@dataclass(frozen=True)
class FootAim(Anywhere):
    """Where the ball of a foot is desired.

    place: world, m. ball: how far it is before and beside the ankle, m, ahead + i to the left.
    """

    place: complex
    ball: complex

    is_set = True

    def ankle(self, free: complex, yaw: float, disturbed: float) -> complex:
        """Return where it is to be: as it is desired, where balance would have it no farther than it can go without."""
        desired = self.under(yaw)
        off = free - desired
        room = AIM.holds * (1.0 - disturbed)
        return free - off * min(room / max(abs(off), 1e-9), 1.0)

    def under(self, yaw: float) -> complex:
        """Return where the ankle is as the ball is where it is desired, m."""
        return self.place - self.ball * cmath.exp(1j * yaw)


class DesiredFootholds:
    """The footholds of a walk that are still to come; each is taken by one step."""

    def __init__(self, footholds: Sequence[DesiredFoothold], balls: tuple[complex, complex]) -> None:
        """balls: how far the ball of the left and the right foot is before and beside its ankle, m."""
        self._left, self._balls = list(footholds), balls

    @property
    def any(self) -> bool:
        """Whether there are any to come."""
        return bool(self._left)

    def of(self, side: int, ankle: complex, yaw: float, arc: float, later: int = 0) -> DesiredFoothold | None:
        """Return what is desired of a foot that would be set down with its ankle at a place, m; None for nothing.

        yaw: where it points, rad. arc: of the body, m along the path. later: steps that are before it.
        """
        ball = ankle + self._balls[side] * cmath.exp(1j * yaw)
        near = [
            (abs(complex(*own.place) - ball), i)
            for i, own in enumerate(self._left)
            if own.side == side and abs(own.arc - arc) <= AIM.passes
        ]
        away, i = min(near, default=(math.inf, 0))
        return self._left[i] if away <= AIM.reach + later * AIM.earlier else None

    def aim(self, foothold: DesiredFoothold) -> FootAim:
        """Return how a foot is set down on one."""
        return FootAim(complex(*foothold.place), self._balls[foothold.side])

    def take(self, foothold: DesiredFoothold) -> None:
        """Let a step have one: it is to come no more."""
        self._left.remove(foothold)


def next_foothold(plan: Plan) -> complex:
    """Return where the reference of a step has the next foot, m, in the frame of its stance foot."""
    return complex(plan.reference.capture[-1]) - cmath.exp(1j * plan.turn) * complex(plan.next.capture[0])


def later_foothold(plan: Plan) -> complex:
    """Return where the reference has the foot after that, m, in the next one's frame."""
    return complex(plan.next.capture[-1]) - cmath.exp(1j * plan.turn) * complex(plan.reference.capture[0])


def led_to(
    pendulum: Pendulum, plan: Plan, off: complex, phase: float, room: tuple[complex, complex]
) -> ComReference:  # fmt: skip
    """Return the reference of a step that ends ``off``, m, farther than its own: the foot is pressed elsewhere for it.

    off: in the stance foot's frame. phase: from which it is. room: corners of what the foot can press, m, beyond which
    the pressure is moved no farther.
    """
    own = plan.reference
    swing = Swinging(pendulum, plan.table)
    share = eased(np.clip((PHASES - phase) / AIM.eases, 0.0, 1.0)) * (phase <= PHASES)
    unit = _deviation(swing, share.astype(complex))
    ends = unit[-1, 0] + unit[-1, 1] / own.frequency
    pressed = _held(own.pressure, own.pressure + off / ends * share, room)
    track = _deviation(swing, pressed - own.pressure)
    return replace(own, place=own.place + track[:, 0], velocity=own.velocity + track[:, 1], pressure=pressed)


def _deviation(swing: Swinging, pressure: Plane) -> Plane:
    """Return by how much place and velocity (G + 1, 2) differ where the pressure does by so much (G + 1,), m."""
    return swing.offsets(pressure, 0.0)


def _held(before: Plane, after: Plane, room: tuple[complex, complex]) -> Plane:
    """Return pressures (G + 1,), m, moved from where they were, and no farther beyond the room than they were."""
    low, high = room
    ahead = np.clip(after.real, np.minimum(before.real, low.real), np.maximum(before.real, high.real))
    aside = np.clip(after.imag, np.minimum(before.imag, low.imag), np.maximum(before.imag, high.imag))
    return np.asarray(ahead + 1j * aside)
