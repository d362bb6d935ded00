"""Where a foot can be pressed: the part of its sole that touches the ground, as it is tilted and its toes are bent."""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass

from ...base.curves import ramp
from ...character.model import SIDES, Character
from .legs import Leg
from .state import BodyState
from .whole_body import Contact

NEAR = 0.008  # m above the lowest point of the sole under which a point bears a part of it
TOUCHING = 0.002  # m, likewise of the toes' tip: toes that do not touch would be flicked down by what holds them
ONTO_TOES = 0.01  # m ahead of their joint over which the toes come to take their share
EDGE = 0.7  # share of the half width within which it is pressed
TIP = 0.8  # share of the toes' length that can be pressed
FLAT_TOES = 0.5  # of the load: what toes of a flat foot take at most
RISEN = 0.12  # rad of heel up from which the toes are pressed in full
HELD = 0.2  # of the toes' length ahead of their joint, where what they bear acts at least
DOWN = 0.02  # m ahead of the ankle, where a foot that is late to come down is pressed
GRIP = 0.6  # of what loads at the sole's corners could hold of a turn


@dataclass(slots=True)
class Sole:
    """One foot's sole now. low, high: how far ahead of the ankle, m along the sole, it can be pressed.

    yaw: where the foot points, pitch: heel up, rad. ahead: the direction in which it points. anchor: the point of the
    ground below its ankle once it is flat. tip_down: how much the toes' tip touches the ground, 0..1.
    """

    low: float
    high: float
    yaw: float
    pitch: float
    ahead: complex
    anchor: complex
    tip_down: float

    def middle(self, leg: Leg) -> complex:
        """Return the middle between heel and ball, on the ground."""
        return self.anchor + leg.middle * self.ahead


def sole_of(state: BodyState, leg: Leg, toe_drop: float, bearing: float) -> Sole:
    """Return a foot's sole. toe_drop: how far it is below the toes' joint, m. bearing: share of the load on the toes.

    Toes that bear touch the ground, however far they are bent up.
    """
    (xx, xy, xz), (yx, yy, yz), (zx, _, zz) = state.matrices[leg.foot].tolist()
    x, y, z = state.origins[leg.foot].tolist()
    below = -leg.ankle_height
    heel, ball = z + zx * leg.heel + zz * below, z + zx * leg.ball + zz * below
    ahead, _, up = state.matrices[leg.toes, 2].tolist()
    tip = float(state.origins[leg.toes, 2]) + ahead * leg.toe_length - up * toe_drop
    lowest = ball if ball < heel else heel
    lowest = tip if tip < lowest else lowest
    on_heel, on_ball, on_tip = _low(heel - lowest, NEAR), _low(ball - lowest, NEAR), _low(tip - lowest, NEAR)
    on_tip = bearing if bearing > on_tip else on_tip
    yaw = math.atan2(-xy, yy)  # by its y axis: a foot on its toes points at the ground
    pitch = math.atan2(-zx, zz)
    end = leg.ball + TIP * leg.before_ball * ramp(pitch, 0.0, RISEN)
    back = leg.heel * on_heel + leg.ball * (1.0 - on_heel)
    front = leg.heel + (leg.ball - leg.heel) * (on_tip if on_tip > on_ball else on_ball) + on_tip * (end - leg.ball)
    stands_on = leg.heel if heel < ball else leg.ball
    point = complex(x + xx * stands_on + xz * below, y + yx * stands_on + yz * below)
    way = cmath.exp(1j * yaw)
    anchor, low, high = point - stands_on * way, front if front < back else back, front if front > back else back
    return Sole(low, high, yaw, pitch, way, anchor, _low(tip - lowest, TOUCHING))


def _low(above: float, near: float) -> float:
    """Return how much, 0..1, a point of the sole is low that is above its lowest one, m. near: m, where it is not."""
    share = 1.0 - above / near
    return share if share > 0.0 else 0.0


def toe_drops(character: Character, legs: tuple[Leg, Leg]) -> tuple[float, float]:
    """Return how far the sole is below the toes' joint, m, of both feet."""
    left, right = (
        leg.ankle_height + float(character.offsets[character.index(f"toes.{side}")][2])
        for leg, side in zip(legs, SIDES, strict=True)
    )
    return left, right


@dataclass(slots=True)  # made in each control step
class FootLoad:
    """How a foot that is pressed is loaded.

    shift: how much farther ahead it is pressed so that it tilts, m. on_toes: share of the load that the toes bear.
    taking: share that they take where it is to be under them. load: that the foot can be relied on to bear now, N.
    late: how far, 0..1, it is late to come down: an ankle that held it on its heel against a load that is not there
    would keep it up. edge: share of the half width within which it is pressed.
    """

    shift: float = 0.0
    on_toes: float = 0.0
    taking: float = 0.0
    load: float = 0.0
    late: float = 0.0
    edge: float = EDGE


def pressed(leg: Leg, sole: Sole, place: complex, share: float, ground: float, foot: FootLoad) -> Contact:
    """Return the contact of a foot that is to be pressed at a place, m, as near to it as it can be.

    share: of the weight. ground: its height, m. foot: how it is loaded.
    """
    along = (place - sole.anchor) / sole.ahead
    ahead = min(max(along.real, sole.low), sole.high)
    aside = min(max(along.imag, -foot.edge * leg.half_width), foot.edge * leg.half_width)
    borne = sole.anchor + complex(ahead, aside) * sole.ahead
    moved = borne + (foot.shift + foot.late * max(DOWN - ahead - foot.shift, 0.0)) * sole.ahead
    # Toes that bear are held against it wherever the foot is to be pressed, or they would flick up.
    under = max(ahead, leg.ball + HELD * sole.tip_down * leg.before_ball) if foot.on_toes > 0.0 else ahead
    toes = sole.anchor + complex(under, aside) * sole.ahead
    most = FLAT_TOES + (1.0 - FLAT_TOES) * ramp(sole.pitch, 0.0, RISEN)  # a blow on them is no load to answer
    # What is pressed near an edge slips round it: loads far apart hold a turn, one point does not.
    length = max(min(sole.high, leg.ball) - sole.low, 0.0)
    front = ramp(ahead - sole.low, 0.0, max(length, 1e-3))
    side = 0.5 + 0.5 * aside / leg.half_width
    grip = GRIP * math.hypot(2.0 * front * (1.0 - front) * length, 4.0 * side * (1.0 - side) * leg.half_width)
    over = ramp(ahead - leg.ball, 0.0, ONTO_TOES)
    on_toes = over * foot.taking + (1.0 - over) * min(foot.on_toes, most)
    return Contact(
        leg.foot, leg.toes, share, (moved.real, moved.imag, ground), (toes.real, toes.imag, ground), on_toes,
        max(foot.taking, foot.on_toes) * foot.load, grip,
    )  # fmt: skip
