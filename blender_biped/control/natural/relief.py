"""Ground that is not flat: what a body walks on, seen under its feet, under itself and where its foot comes down.

The pendulum's course stays as it is on level ground: a centre of mass that keeps its height above a sloping plane goes
along the ground as one above level ground does, whatever the slope (Kajita and others 2001, the three-dimensional
linear inverted pendulum mode). So hips and feet are carried over the ground's line as they are over a floor, and feet
are turned to what is under them.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ...base.spatial import Array
from ...world.floor import Floor
from ..shared.legs import Leg
from ..shared.slope import Normal, Slope, normal
from ..shared.sole import NEAR, Sole, sole_of
from ..shared.state import BodyState
from .strides import Moment
from .swing import Step, Swing, Target, aloft_at

ALONG, ASIDE = (-0.4, -0.2, 0.0, 0.2, 0.4), (-0.15, 0.0, 0.15)
"""m ahead and to the left of the body: places whose ground carries it, on average."""
LOWER = 0.5  # of what one foot of a step is higher than the other: how much lower the hips are carried
CALM = 2.0, 3.0  # of a slope, up and down it: how much less the hips go up and down in steps that are quicker there
LEANS = 0.4  # rad for a slope of 1 that the body leans uphill
QUICKER, QUICKEST = 1.0, 0.6  # of a slope: how much quicker steps are; the least share of their usual time
FASTEST, SLOWEST = (1.6, 3.3, 3.0), 0.3  # m/s on level ground, less for a slope of 1 up and down, at most; at least
LOOKS = 6  # control steps after which the ground under the body is looked at anew
AHEAD = 0.9  # m ahead of the body at which a slope is seen
SOLE_LOOKS = (0.0, 0.25, 0.5, 0.75, 1.0)  # of the way from heel to ball: where it looks what touches the ground
HIGHEST = (
    0.5  # of what a place under a sole is higher than the plane through all of them: the foot stands so much higher
)


@dataclass(frozen=True)
class Lie:
    """How the ground lies: the plane through a place, m, world. slope: how much it rises along x and y, m/m."""

    place: complex
    height: float
    slope: Slope

    def at(self, place: complex) -> float:
        """Return its height at a place, m."""
        gx, gy = self.slope
        off = place - self.place
        return self.height + gx * off.real + gy * off.imag

    def rise(self, way: complex) -> float:
        """Return how much it rises over a way along the ground, m."""
        return self.slope[0] * way.real + self.slope[1] * way.imag

    def pitch(self, yaw: float) -> float:
        """Return how far it is turned up ahead of who looks that way, rad."""
        return math.atan(self.rise(cmath.exp(1j * yaw)))

    @cached_property
    def normal(self) -> Normal:
        """The unit vector that is upright on it."""
        return normal(self.slope)

    @cached_property
    def turn(self) -> Array:
        """The rotation (3, 3) from level ground to it, by the shortest arc."""
        x, y, z = self.normal
        k = 1.0 / (1.0 + z)
        return np.array((1.0 - k * x * x, -k * x * y, x, -k * x * y, 1.0 - k * y * y, y, -x, -y, z)).reshape(3, 3)


def between_lies(first: Lie, last: Lie, share: float) -> Lie:
    """Return the plane between two, ``share`` of the last one."""
    (ax, ay), (bx, by) = first.slope, last.slope
    return Lie(
        first.place + share * (last.place - first.place),
        first.height + share * (last.height - first.height),
        (ax + share * (bx - ax), ay + share * (by - ay)),
    )


class Looks:
    """The ground at places about a point, and the plane through them."""

    def __init__(self, places: Sequence[complex]) -> None:
        """places: ahead + i to the left, m."""
        self._places = tuple(places)
        table = np.array([(1.0, p.real, p.imag) for p in places])
        self._solved, self._table = np.linalg.pinv(table), table

    def lie(self, floor: Floor, place: complex, yaw: float, highest: float = 0.0) -> Lie:
        """Return how the ground lies about a place, m, seen along yaw, rad.

        highest: share of what one of the places is above the plane through all of them, that it is raised by.
        """
        way = cmath.exp(1j * yaw)
        heights = np.array([floor.height((at := place + p * way).real, at.imag) for p in self._places])
        found = self._solved @ heights
        height, along, aside = found.tolist()
        if highest:
            height += highest * max(float((heights - self._table @ found).max()), 0.0)
        slope = complex(along, aside) * way
        return Lie(place, height, (slope.real, slope.imag))


def sole_on(lie: Lie, state: BodyState, leg: Leg, toe_drop: float, bearing: float) -> Sole:
    """Return a foot's sole on ground that lies so: its tilt is that from the ground; see ``sole_of``.

    Places are the world's, and so is the direction in which it points: as long as a metre along the sole is seen from
    above.
    """
    turn, ankle = lie.turn, state.origins[leg.foot]
    seen = replace(state, matrices=turn.T @ state.matrices, origins=(state.origins - ankle) @ turn)
    own = sole_of(seen, leg, toe_drop, bearing)
    (zx, _, zz) = seen.matrices[leg.foot, 2].tolist()
    below = max(leg.heel * -zx, leg.ball * -zx) + leg.ankle_height * zz
    x, y, _ = (ankle + turn @ (own.anchor.real, own.anchor.imag, -below)).tolist()
    u, v, _ = (turn @ (own.ahead.real, own.ahead.imag, 0.0)).tolist()
    own.anchor, own.ahead = complex(x, y), complex(u, v)
    return own


class Relief:
    """The ground of one walk, as one body feels it."""

    def __init__(self, floor: Floor, legs: tuple[Leg, Leg]) -> None:
        self._floor, self._legs = floor, legs
        self._body = Looks([complex(along, aside) for along in ALONG for aside in ASIDE])
        self._soles = [
            Looks([complex(a, b * leg.half_width) for a in (leg.heel, leg.middle, leg.ball) for b in (-1.0, 1.0)])
            for leg in legs
        ]
        self._count, self._way = 0, 1.0 + 0.0j
        self.lies: list[Lie] = []
        """Of the ground under each foot, where it stands or is about to."""
        self.body = Lie(0j, 0.0, (0.0, 0.0))
        """Of the ground under the body."""
        self.ahead = self.body
        """Of the ground that it comes to."""

    def feel(self, state: BodyState, heading: float) -> float:
        """Look at the ground; return its height under the hips, m. heading: rad."""
        place = complex(*state.origins[0, :2].tolist())
        self._way = cmath.exp(1j * heading)
        if not self._count:
            self.body = self._body.lie(self._floor, place, heading)
            self.ahead = self._body.lie(self._floor, place + AHEAD * cmath.exp(1j * heading), heading)
        self._count = (self._count + 1) % LOOKS
        if not self.lies:
            for side, leg in enumerate(self._legs):
                x, y, _ = state.origins[leg.foot].tolist()
                xy, yy = state.matrices[leg.foot, :2, 1].tolist()
                self.lies.append(self.under(side, complex(x, y), math.atan2(-xy, yy)))
        return self.body.at(place)

    @property
    def grade(self) -> float:
        """How much the ground under the body rises ahead, m/m."""
        return self.body.rise(self._way)

    def sinking(self, length: float) -> float:
        """Return how much lower than over a floor the hips are carried, m, in steps of a length, m.

        One foot is higher than the other as it strikes, and the leg of the lower one has to reach it.
        """
        return 0.5 * LOWER * abs(self.grade) * length

    @property
    def leaning(self) -> float:
        """How far the body leans ahead, rad: uphill alone."""
        return LEANS * max(self.grade, 0.0)

    @property
    def calm(self) -> float:
        """Share of how the style's hips go up and down: on slopes quick steps would throw the body with it."""
        return max(1.0 - CALM[self.grade < 0.0] * abs(self.grade), 0.0)

    @property
    def quick(self) -> float:
        """Share of its usual time that a step takes: on slopes people step shorter."""
        return max(1.0 - QUICKER * abs(self.grade), QUICKEST)

    @property
    def fastest(self) -> float:
        """How fast, m/s, it goes here and where it comes to."""
        if not self.lies:
            return math.inf
        level, up, down = FASTEST
        grades = self.grade, self.ahead.rise(self._way)
        return max(level - max(up * max(*grades, 0.0), down * max(-min(grades), 0.0)), SLOWEST)

    def under(self, side: int, anchor: complex, yaw: float) -> Lie:
        """Return how the ground lies under a foot whose ankle is above a place, m, and that points along yaw, rad."""
        return self._soles[side].lie(self._floor, anchor, yaw, HIGHEST)

    def sole(self, side: int, state: BodyState, toe_drop: float, bearing: float) -> Sole:
        """Return a foot's sole where it is: it is pressed between what of it touches the ground; see ``sole_of``."""
        leg = self._legs[side]
        own = sole_on(self.lies[side], state, leg, toe_drop, bearing)
        places = [leg.heel + share * (leg.ball - leg.heel) for share in SOLE_LOOKS]
        sole = np.array([(at, 0.0, -leg.ankle_height) for at in places])
        touches = (state.origins[leg.foot] + sole @ state.matrices[leg.foot].T).tolist()
        gaps = [z - self._floor.height(x, y) for x, y, z in touches]
        lowest = min(gaps)
        bears = [max(0.0, 1.0 - (gap - lowest) / NEAR) for gap in gaps]
        tip = state.origins[leg.toes] + state.matrices[leg.toes] @ (leg.toe_length, 0.0, -toe_drop)
        x, y, z = tip.tolist()
        on_tip = max(0.0, 1.0 - max(z - self._floor.height(x, y) - lowest, 0.0) / NEAR, bearing)
        beyond = on_tip * max(own.high - leg.ball, 0.0)  # on the toes
        own.low = min(leg.ball + on * (at - leg.ball) for at, on in zip(places, bears, strict=True))
        front = max(leg.heel + on * (at - leg.heel) for at, on in zip(places, bears, strict=True))
        own.high = leg.ball + beyond if beyond > 0.0 else max(front, own.low)
        return own

    def above(self, side: int, lie: Lie, yaw: float) -> float:
        """Return how much higher, m, the ground is anywhere under a foot and its toes than a plane; 0 where it is not.

        lie: through the place below its ankle. yaw: where it points, rad.
        """
        leg, way = self._legs[side], cmath.exp(1j * yaw)
        places = [lie.place + along * way for along in (leg.heel, leg.ball, leg.ball + leg.toe_length)]
        return max(0.0, *(self._floor.height(at.real, at.imag) - lie.at(at) for at in places))


class ReliefSwing(Swing):
    """A swing over ground that is not flat."""

    def __init__(
        self, leg: Leg, side: int, sole: Sole, ankle: Array, heading: float, phase: float, now: Moment, relief: Relief
    ) -> None:  # fmt: skip
        super().__init__(leg, side, sole, ankle, heading, phase, now)
        own = relief.lies[side]
        self._relief, self._from = relief, replace(own, place=sole.anchor, height=own.at(sole.anchor))
        self._under = self._from.height
        self._above = self._start[2] - self._under  # of the ankle, above where its foot stood
        self.lie = self._from

    def _landing(self, step: Step, foothold: complex) -> tuple[complex, tuple[float, float, float]]:
        """Return where the ankle is as the foot lands: upright on the ground over its foothold."""
        ankle, end = super()._landing(step, foothold)
        x, y, _ = self.lie.normal
        return ankle + self._leg.ankle_height * complex(x, y), end

    def _above_ground(self, low: float) -> float:
        return low - self.lie.height

    def target(self, step: Step) -> Target:
        """Return where the foot is set down."""
        found = super().target(step)
        self.lie = self._relief.under(self._side, found.foothold, step.command.heading + step.lead())
        found.height += self.lie.height
        return found

    def refer(
        self, state: BodyState, step: Step, target: Target, turns: Array, spins: Array, bends: Array
    ) -> None:  # fmt: skip
        """Fill in what the leg's links do, as a swing's ``refer`` does, over the ground's line."""
        leg = self._leg
        here = between_lies(self._from, self.lie, min(max(self._way_done(step.plan, step.now), 0.0), 1.0))
        aloft = aloft_at(self._done(step.phase))
        under = here.height
        if aloft > 0.0:
            under += aloft * self._relief.above(self._side, here, step.command.heading)
        self._start[2], self._up = under + self._above, self._up + under - self._under
        self._under = under
        super().refer(state, replace(step, ground=under), target, turns, spins, bends)
        for link in (leg.foot, leg.toes):
            turns[link], spins[link] = here.turn @ turns[link], here.turn @ spins[link]
