"""Ground that is not flat: what a body walks on, seen under its feet, under itself and where its foot comes down.

The CoM reference stays as it is on level ground: a centre of mass that keeps its height above a sloping plane goes
along the ground as one above level ground does, whatever the slope (Kajita and others 2001, the three-dimensional
linear inverted pendulum mode). So hips and feet are carried over the ground's line as they are over a floor, and feet
are turned to what is under them.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ....base.spatial import Array
from ....world.floor import Floor
from ...shared.ground_plane import GroundPlane, PlaneFit, sole_on
from ...shared.legs import LEFT, RIGHT, Leg
from ...shared.sole import NEAR, Sole
from ...shared.state import BodyState
from ...shared.whole_body import Contact
from ..swing.slope_swing import SlopeSwing
from ..swing.swing import Swing
from ..swing.swing_step import LiftOff
from .ground import Constraint, Ground, HipRange


@dataclass(frozen=True)
class SlopeRules:
    """How a walk goes on slopes; a slope is what the ground rises over its way, m/m.

    lower: of what one foot of a step is higher than the other, by which the hips are lower. calm_up, calm_down: how
    much less, for a slope of 1, the hips go up and down in steps that are quicker there. leans: rad that the body leans
    uphill for a slope of 1. quicker: how much quicker steps are for a slope of 1, and quickest: the least share of
    their usual time. level: m/s at most on level ground, up and down: less for a slope of 1, slowest: at least.
    ahead: m ahead of the body at which a slope is seen. steps_down: m from one foot to the next from which a body
    steps down. highest: of what a place under a sole is higher than the plane through all of them, that the foot stands
    higher.
    """

    lower: float = 0.5
    calm_up: float = 2.0
    calm_down: float = 3.0
    leans: float = 0.4
    quicker: float = 1.0
    quickest: float = 0.6
    level: float = 1.6
    up: float = 3.3
    down: float = 3.0
    slowest: float = 0.3
    ahead: float = 0.9
    steps_down: float = 0.02
    highest: float = 0.5


RULES = SlopeRules()
ALONG, ASIDE = (-0.4, -0.2, 0.0, 0.2, 0.4), (-0.15, 0.0, 0.15)
"""m ahead and to the left of the body: places whose ground carries it, on average."""
LOOKS = 6  # control steps after which the ground under the body is looked at anew
SOLE_LOOKS = (0.0, 0.25, 0.5, 0.75, 1.0)  # of the way from heel to ball: where it looks what touches the ground


class SlopeView:
    """The ground of one walk, as one body feels it."""

    def __init__(self, floor: Floor, legs: tuple[Leg, Leg]) -> None:
        self._floor, self._legs = floor, legs
        self._body = PlaneFit([complex(along, aside) for along in ALONG for aside in ASIDE])
        self._soles = [
            PlaneFit([complex(a, b * leg.half_width) for a in (leg.heel, leg.middle, leg.ball) for b in (-1.0, 1.0)])
            for leg in legs
        ]
        self._count, self._way = 0, 1.0 + 0.0j
        self.planes: list[GroundPlane] = []
        """Of the ground under each foot, where it stands or is about to."""
        self.body = GroundPlane(0j, 0.0, (0.0, 0.0))
        """Of the ground under the body."""
        self.ahead = self.body
        """Of the ground that it comes to."""

    def feel(self, state: BodyState, heading: float) -> float:
        """Look at the ground; return its height under the hips, m. heading: rad."""
        place = complex(*state.origins[0, :2].tolist())
        self._way = cmath.exp(1j * heading)
        if not self._count:
            self.body = self._body.plane(self._floor, place, heading)
            self.ahead = self._body.plane(self._floor, place + RULES.ahead * cmath.exp(1j * heading), heading)
        self._count = (self._count + 1) % LOOKS
        if not self.planes:
            for side, leg in enumerate(self._legs):
                x, y, _ = state.origins[leg.foot].tolist()
                xy, yy = state.matrices[leg.foot, :2, 1].tolist()
                self.planes.append(self.under_foot(side, complex(x, y), math.atan2(-xy, yy)))
        return self.body.at(place)

    @property
    def grade(self) -> float:
        """How much the ground under the body rises ahead, m/m."""
        return self.body.rise(self._way)

    def sinking(self, length: float) -> float:
        """Return how much lower than over a floor the hips are carried, m, in steps of a length, m.

        One foot is higher than the other as it strikes, and the leg of the lower one has to reach it.
        """
        return 0.5 * RULES.lower * abs(self.grade) * length

    @property
    def leaning(self) -> float:
        """How far the body leans ahead, rad: uphill alone."""
        return RULES.leans * max(self.grade, 0.0)

    @property
    def calm(self) -> float:
        """Share of how the style's hips go up and down: on slopes quick steps would throw the body with it."""
        return max(1.0 - (RULES.calm_down if self.grade < 0.0 else RULES.calm_up) * abs(self.grade), 0.0)

    @property
    def quick(self) -> float:
        """Share of its usual time that a step takes: on slopes people step shorter."""
        return max(1.0 - RULES.quicker * abs(self.grade), RULES.quickest)

    @property
    def fastest(self) -> float:
        """How fast, m/s, it goes here and where it comes to."""
        if not self.planes:
            return math.inf
        grades = self.grade, self.ahead.rise(self._way)
        less = max(RULES.up * max(*grades, 0.0), RULES.down * max(-min(grades), 0.0))
        return max(RULES.level - less, RULES.slowest)

    def under_foot(self, side: int, anchor: complex, yaw: float) -> GroundPlane:
        """Return how the ground lies under a foot whose ankle is above a place, m, and that points along yaw, rad."""
        return self._soles[side].plane(self._floor, anchor, yaw, RULES.highest)

    def sole(self, side: int, state: BodyState, toe_drop: float, bearing: float) -> Sole:
        """Return a foot's sole where it is: it is pressed between what of it touches the ground; see ``sole_of``."""
        leg = self._legs[side]
        own = sole_on(self.planes[side], state, leg, toe_drop, bearing)
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

    def above(self, side: int, plane: GroundPlane, yaw: float) -> float:
        """Return how much higher, m, the ground is anywhere under a foot and its toes than a plane; 0 where it is not.

        plane: through the place below its ankle. yaw: where it points, rad.
        """
        leg, way = self._legs[side], cmath.exp(1j * yaw)
        places = [plane.place + along * way for along in (leg.heel, leg.ball, leg.tip)]
        return max(0.0, *(self._floor.height(at.real, at.imag) - plane.at(at) for at in places))


@dataclass(frozen=True, slots=True)
class PlaneFooting:
    """The ground under a foot on a slope."""

    plane: GroundPlane

    def at(self, place: complex) -> float:
        """Return the height, m, of the ground at a place near the foot."""
        return self.plane.at(place)

    def tilt(self, yaw: float) -> float:
        """Return how far it is turned up ahead of who looks along yaw, rad."""
        return self.plane.pitch(yaw)

    def turned(self, rotation: Array) -> Array:
        """Return an orientation (3, 3) on level ground as it is on this."""
        return self.plane.turn @ rotation

    def laid(self, contact: Contact) -> Contact:
        """Return the contact of a foot on level ground as it is on this."""
        (x, y, _), (u, v, _) = contact.place, contact.borne
        contact.place, contact.borne = (x, y, self.at(complex(x, y))), (u, v, self.at(complex(u, v)))
        contact.slope = self.plane.slope
        return contact


class SlopedGround(Ground):
    """Ground that is neither level nor made of treads."""

    hip_range = HipRange(lowest=0.1, begins=0.3)
    level = False
    takes_toes = False  # slopes are walked on whole soles

    def __init__(self, view: SlopeView, height: float, legs: tuple[Leg, Leg], drops: Sequence[float]) -> None:
        super().__init__(height, legs, drops)
        self._view = view

    def feel(self, state: BodyState, heading: float) -> None:
        """Look at the ground under the body. heading: rad."""
        self.height = self._view.feel(state, heading)
        self.quick = self._view.quick

    def soles(self, state: BodyState, bearing: Sequence[float]) -> list[Sole]:
        """Return both feet's soles. bearing: share of each foot's load on its toes."""
        found = [self._view.sole(side, state, self._drops[side], bearing[side]) for side in (LEFT, RIGHT)]
        self.under = [plane.at(sole.anchor) for plane, sole in zip(self._view.planes, found, strict=True)]
        return found

    def desired_speed(self, speed: float, arc: float, braking: float, given: Constraint) -> float:
        """Return the speed, m/s, to walk at: slower up and down slopes."""
        return min(speed, self._view.fastest)

    def level_near(self, arc: float) -> bool:
        """Return whether a body may run at a place of the path, m: it walks on slopes and rough ground."""
        return False

    def step_on(self, side: int, sole: Sole) -> None:
        """Let a step begin on a foot: it stands on the ground as that is now."""
        self._view.planes[side] = self._view.under_foot(side, sole.anchor, sole.yaw)

    def swing(self, lift: LiftOff, given: Constraint) -> Swing:
        """Return the swing of a foot that leaves the ground."""
        return SlopeSwing(lift, self._view)

    def footing(self, side: int) -> PlaneFooting:
        """Return how the ground lies under a foot."""
        return PlaneFooting(self._view.planes[side])

    @property
    def lowest(self) -> float:
        """The height of the ground that a standing body is carried over, m: under its lower foot."""
        return min(self.under)

    @property
    def datum(self) -> float:
        """The height, m, above which the height of a swing's hip is given: the world's own."""
        return 0.0

    def rise(self, way: complex) -> float:
        """Return how much the ground under the body rises over a way, m."""
        return self._view.body.rise(way)

    def sinks(self, stance: int, swinging: bool, given: Constraint) -> bool:
        """Return whether the step goes down. swinging: whether the other foot is in the air."""
        lower = self.under[stance] - self.under[1 - stance]
        return (lower if swinging else -lower) > RULES.steps_down

    def sinking(self, length: float) -> float:
        """Return how much lower the hips are carried in steps of a length, m."""
        return self._view.sinking(length)

    def calmed(self, mean: float, height: float, rise: float, rising: float) -> tuple[float, float, float]:
        """Return the hips' height, m, and its derivatives to the phase: less up and down than on level ground."""
        calm = self._view.calm
        return mean + calm * (height - mean), calm * rise, calm * rising

    def leans(self, free: Sequence[int]) -> tuple[list[tuple[int, float]], float]:
        """Return the links that lean uphill, each with how far in full, rad, and the share, 0..1. free: who may."""
        return [(i, 1.0) for i in free], self._view.leaning

    def lay_feet(self, rotations: Array, facing: Array) -> None:
        """Turn the feet of a standing body, whose links are (L, 3, 3), to what is under them; in place."""
        for leg, plane in zip(self._legs, self._view.planes, strict=True):
            rotations[leg.foot] = rotations[leg.toes] = plane.turn @ facing

    def keep_foot(self, rotations: Array, leg: Leg, yaw: float) -> None:
        """Leave rotations (L, 3, 3) as they are: ``lay_feet`` has turned the foot already."""
