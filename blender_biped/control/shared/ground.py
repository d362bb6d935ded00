"""What the ground can answer: ankle and hip torques of loaded legs held to what a sole can push against.

Plain numbers instead of arrays of three: at this size numpy's calls would cost more than the sums.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ...base.spatial import Array
from ...character.model import Character
from .legs import Leg
from .state import BodyState

Vector = tuple[float, float, float]
Floats = Sequence[float]
Pair = tuple[float, float]

TILT = 0.06  # rad of the sole at which the virtual force no longer uses the ankle
FIRM_LOAD = 0.25  # share of the body's weight under a foot from which its hip has its full torque
FASTEST_SPIN = 4.0  # rad/s of the thigh up to which its damping grows
PRESSURE_MEMORY = 0.02  # s, smooths the centre of pressure
SLACK_MEMORY = 0.01  # s, smooths what goes to the trunk instead of the ground
EDGE_LOSS = 0.6  # share of a sole's resistance to turning that is lost where the weight is all at one end
GRIP_TILT = 0.3  # rad of the sole at which only its edge is left to resist turning
NO_FORCE = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))  # of the virtual force on the ankles


@dataclass(frozen=True)
class GroundUse:
    """How much of what the ground could answer is used.

    sole_share: of the sole's length, for the virtual force. grip: of the friction that resists turning on the spot.
    yaw_damping: of a loaded thigh that turns otherwise than the heading, N m s2/rad2 (Yin 2007's released code).
    backed: whether hips are held too, and the trunk does what is left.
    """

    sole_share: float
    grip: float
    yaw_damping: float
    backed: bool = True


# Hips do what their feet's loads let them from the first, and there is no virtual force.
ANKLES_ALONE = GroundUse(sole_share=0.0, grip=0.0, yaw_damping=0.0, backed=False)


@dataclass(frozen=True, slots=True)
class Bearing:
    """How two legs (left, right) bear. weights: their shares of the body. loads: under each foot, N.

    landing: whether a foot may still be let down from its heel. normals: of the ground under each foot, where it is not
    level.
    """

    weights: Pair
    loads: Floats
    landing: bool = False
    normals: Sequence[Vector] | None = None


@dataclass(frozen=True, slots=True)
class Bounds:
    """How far legs that bear may push. edge: share of the sole within which the centre of pressure is held.

    hip_limit: N m. turn: of the heading, desired, rad/s; a loaded thigh that turns otherwise is braked (Yin 2007's
    released code does so), ``brake`` times as hard as the preset says.
    """

    edge: float
    hip_limit: float
    turn: float
    brake: float = 1.0


class GroundReaction:
    """Holds the joint torques of one character's loaded legs to what the ground can answer."""

    def __init__(
        self, character: Character, hold: GroundUse, legs: tuple[Leg, Leg], gravity: float, step: float
    ) -> None:
        """``gravity``: m/s2. step: s between calls."""
        self.pressure: list[Pair] = [(0.0, 0.0), (0.0, 0.0)]
        """Where each foot's centre of pressure is, m ahead and to the left of the ankle."""
        self.hold, self._legs, self._step = hold, legs, step
        self._weight = character.mass * gravity
        self._slack = [0.0, 0.0, 0.0]
        self._trunk = [character.index(role) for role in ("abdomen", "chest") if character.has(role)]

    def limit(
        self, torque: Array, state: BodyState, ankles: Sequence[Vector], bearing: Bearing, bounds: Bounds
    ) -> None:
        """Hold joint torques (L, 3) of loaded legs to what the ground can answer, in place.

        ankles: what the virtual force needs of each (3,), N m.
        """
        weights, loads, normals = bearing.weights, bearing.loads, bearing.normals
        slack = [0.0, 0.0, 0.0]
        for side, leg in enumerate(self._legs):
            if weights[side] <= 0.0:
                continue
            rows: Sequence[Floats] = state.matrices[leg.foot].tolist()
            (xx, yx, _), (xy, yy, _), (xz, yz, _) = rows
            tilt = _tilt(rows, None if normals is None else normals[side])
            own = torque[leg.foot].tolist()
            pitch, roll = self._ankle(rows, tilt, leg, own, ankles[side], loads[side], bearing.landing, bounds.edge)
            torque[leg.foot] = (pitch * yx + roll * xx, pitch * yy + roll * xy, pitch * yz + roll * xz)
            self._feel(side, leg, pitch, roll, loads[side])
            if not self.hold.backed:
                continue
            x, y, z = torque[leg.thigh].tolist()
            grip = self._grip(side, leg, tilt[0]) * loads[side]
            held = min(max(z, -grip), grip)
            firm = bounds.hip_limit * min(
                1.0, loads[side] / (FIRM_LOAD * self._weight)
            )  # no ground, nothing to push against
            scale = min(1.0, firm / max(math.sqrt(x * x + y * y + held * held), 1e-9))
            slack = [slack[0] + (1.0 - scale) * x, slack[1] + (1.0 - scale) * y, slack[2] + z - scale * held]
            spin = min(max(float(state.angular_velocities[leg.thigh, 2]) - bounds.turn, -FASTEST_SPIN), FASTEST_SPIN)
            damping = weights[side] * bounds.brake * self.hold.yaw_damping * spin * abs(spin)
            torque[leg.thigh] = (scale * x, scale * y, min(max(scale * held - damping, -grip), grip))
        if not self.hold.backed:
            return
        # What the feet cannot hold, the trunk and its arms do: else the light pelvis would spin.
        share = min(self._step / SLACK_MEMORY, 1.0)
        self._slack = [old + (new - old) * share for old, new in zip(self._slack, slack, strict=True)]
        u, v, w = self._slack
        for link in self._trunk:  # up to the chest, which can bear it; the abdomen is lighter still
            x, y, z = torque[link].tolist()
            torque[link] = (x + u, y + v, z + w)

    def turning(self, state: BodyState, loads: Floats, normals: Sequence[Vector] | None = None) -> float:
        """Return the torque about the vertical, N m, with which hips can turn the pelvis back.

        What the friction of both soles answers; any, where there is a trunk for what is left. loads: under each foot,
        N. normals: of the ground under each foot, where it is not level.
        """
        if self._trunk:
            return math.inf
        answered = 0.0
        for side, leg in enumerate(self._legs):
            ahead, _ = _tilt(state.matrices[leg.foot].tolist(), None if normals is None else normals[side])
            answered += self._grip(side, leg, ahead) * loads[side]
        return answered

    def _grip(self, side: int, leg: Leg, tilt: float) -> float:
        """Return the lever, m, at which a sole's friction resists turning: least with the weight on its heel or tip."""
        middle, half = 0.5 * (leg.toe + leg.heel), 0.5 * (leg.toe - leg.heel)
        off = (self.pressure[side][0] - middle) / half
        return self.hold.grip * half * (1.0 - EDGE_LOSS * off * off) * max(0.0, 1.0 - abs(tilt) / GRIP_TILT)

    def _ankle(
        self, rows: Sequence[Floats], tilt: Pair, leg: Leg, tracking: Floats, virtual: Vector, load: float,
        landing: bool, edge: float,
    ) -> Pair:  # fmt: skip
        """Return pitch and roll torque on a loaded foot, N m: tracking, less what the virtual force needs of the shank.

        rows: of the foot's matrix. tilt: how much its x and y axes point away from the ground. A torque p about the
        ankle's y puts the centre of pressure p / load ahead of it. Pulling the toes up is held inside the sole, and
        the virtual force (whose ankle part the paper drops when the foot tilts) inside a smaller part of it; pushing
        off over the toes is free.
        """
        (xx, yx, _), (xy, yy, _), (xz, yz, _) = rows
        ahead, aside = tilt
        front = max(0.0, 1.0 - max(-ahead, 0.0) / TILT)
        back = max(0.0, 1.0 - max(ahead, 0.0) / TILT)
        share = self.hold.sole_share * load
        balance = -(yx * virtual[0] + yy * virtual[1] + yz * virtual[2])
        balance = min(max(balance, share * leg.heel * back), share * leg.toe * front)
        pitch = yx * tracking[0] + yy * tracking[1] + yz * tracking[2] + balance
        if not landing:
            pitch = max(pitch, edge * load * leg.heel * back)
        # Near both edges at once only a corner would be left to stand on: the roll stays inside the narrower part.
        half = edge * load * leg.half_width
        level = max(0.0, 1.0 - abs(aside) / TILT)
        roll = xx * tracking[0] + xy * tracking[1] + xz * tracking[2]
        roll -= level * (xx * virtual[0] + xy * virtual[1] + xz * virtual[2])
        if abs(aside) < TILT:
            roll = min(max(roll, -half), half)
        return pitch, roll

    def _feel(self, side: int, leg: Leg, pitch: float, roll: float, load: float) -> None:
        """Remember where the ankle's torques put the centre of pressure, m ahead and to the left of the ankle."""
        share = min(self._step / PRESSURE_MEMORY, 1.0)
        load = max(load, 0.1 * self._weight)
        ahead, aside = self.pressure[side]
        ahead += (min(max(pitch / load, leg.heel), leg.toe) - ahead) * share
        aside += (min(max(-roll / load, -leg.half_width), leg.half_width) - aside) * share
        self.pressure[side] = (ahead, aside)


def _tilt(rows: Sequence[Floats], normal: Vector | None) -> Pair:
    """Return how much a foot's x and y axes point away from the ground. rows: of its matrix. normal: None for z."""
    (xx, yx, _), (xy, yy, _), (xz, yz, _) = rows
    if normal is None:
        return xz, yz
    nx, ny, nz = normal
    return xx * nx + xy * ny + xz * nz, yx * nx + yy * ny + yz * nz
