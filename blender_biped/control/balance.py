"""How the legs that bear weight hold the body up: velocity tuning and the stance hip (Coros 2010, 3.3, 3.5).

Plain numbers instead of arrays of three: at this size numpy's calls would cost more than the sums.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product

import numpy as np

from ..character.model import Character
from ..spatial import Array
from .legs import Leg
from .settings import Settings
from .state import BodyState
from .tracking import REFERENCE_LEG, subtrees

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


class Balance:
    """Joint torques of legs that bear weight: who takes what, what carries, and what the ground can answer."""

    def __init__(
        self, character: Character, settings: Settings, legs: tuple[Leg, Leg], gravity: float, step: float
    ) -> None:
        """``gravity``: m/s2. step: s between calls."""
        self._step = step
        self._bob_damping = settings.bob_damping / math.sqrt(character.leg_length / REFERENCE_LEG)
        self._pressure: list[Pair] = [(0.0, 0.0), (0.0, 0.0)]
        self._settings, self._legs = settings, legs
        self._mass, self._weight = character.mass, character.mass * gravity
        self._slack = [0.0, 0.0, 0.0]
        self._without = [_shares_without(character, leg) for leg in legs]
        self._felt = {
            loaded: _felt(character, [leg for leg, down in zip(legs, loaded, strict=True) if down])
            for loaded in product((False, True), repeat=2)
        }
        self._grip_arms = [settings.grip * 0.5 * (leg.toe - leg.heel) for leg in legs]
        thighs = {leg.thigh for leg in legs}
        hanging = [parent == 0 and i not in thighs for i, parent in enumerate(character.parents)]
        self._hanging = np.array(hanging, dtype=float)
        self._made: dict[tuple[Pair, Pair], Array] = {}
        self._made_up_rows = np.eye(len(character.links))
        self._made_up_rows[0, 0] = 0.0
        self._spine = [
            (character.index(role), share)
            for role, share in zip(("abdomen", "chest"), settings.spine_share, strict=True)
            if character.has(role)
        ]

    def assembled(self, tracking: Array, weights: Pair, tracked: Pair) -> Array:
        """Return joint torques (L, 3) with which each link feels its own tracking torque (L, 3); linear.

        What a joint gives its link it takes from the parent, so each joint also gives what its subtree takes. A
        leg that carries weight pushes against the ground instead, and its hip gives what is missing for the
        pelvis to have its torque (section 3.5; Yin 2007). weights: how the legs share that, sum 1. tracked: how
        much of each thigh's own tracking torque stays.
        """
        felt = self._felt[weights[0] > 0.0, weights[1] > 0.0] @ tracking
        return np.asarray(self._made_up(weights, tracked) @ felt)

    def _made_up(self, weights: Pair, tracked: Pair) -> Array:
        """Return (L, L): from joint torques whose first row is the pelvis' own to those that give it to the pelvis.

        What is missing for that is shared among the loaded hips; the pelvis' row becomes zero.
        """
        found = self._made.get((weights, tracked))
        if found is None:
            found = self._made_up_rows.copy()
            left, right = (leg.thigh for leg in self._legs)
            missing = -self._hanging
            missing[0], missing[left], missing[right] = -1.0, -tracked[0], -tracked[1]
            for thigh, weight, kept in zip((left, right), weights, tracked, strict=True):
                if weight > 0.0:
                    found[thigh] = weight * missing
                    found[thigh, thigh] += kept
            if 1.0 in weights:  # of other shares there is no end
                self._made[weights, tracked] = found
        return found

    def carried(
        self, gravity: Array, state: BodyState, com: Vector, rising: float, force: tuple[float, float],
        weights: Pair, tracked: Pair,
    ) -> tuple[Array, list[Vector]]:  # fmt: skip
        """Return joint torques (L, 3) that carry the body, and what the force asks of each ankle (3,).

        gravity (L, 3): torques that would carry the weight of each joint's subtree if it hung. com (3,): m. rising: its
        vertical velocity, m/s. force (2,): the virtual force on it, world x, y, N.
        """
        fx, fy = force
        origins = state.origins
        foot = [0.0, 0.0, 0.0]
        for side, leg in enumerate(self._legs):
            weight, (ahead, aside) = weights[side], self._pressure[side]
            if weight <= 0.0:
                continue
            x, y, z = origins[leg.foot].tolist()
            (xx, yx, _), (xy, yy, _), _ = state.matrices[leg.foot].tolist()
            foot[0] += weight * (x + ahead * xx + aside * yx)
            foot[1] += weight * (y + ahead * xy + aside * yy)
            foot[2] += weight * z
        # The pendulum's own force, from the centre of pressure through the centre of mass: what bears the weight.
        up = self._settings.support * self._weight - self._mass * self._bob_damping * rising
        up = min(max(up, 0.3 * self._weight), 1.7 * self._weight)
        rise = max(com[2] - foot[2], 0.1)
        sx, sy = up / rise * (com[0] - foot[0]), up / rise * (com[1] - foot[1])
        hx, hy, hz = 0.0, 0.0, 0.0
        torque = self._hanging_shares(weights) * gravity
        ankles = [(0.0, 0.0, 0.0), (0.0, 0.0, 0.0)]
        for side, leg in enumerate(self._legs):
            weight = weights[side]
            if weight <= 0.0:
                continue
            hip = origins[leg.thigh].tolist()
            vx, vy, vz = _cross(*_between(hip, com), fx, fy, 0.0)
            px, py, pz = _cross(*_between(hip, (self._without[side] @ state.coms).tolist()), sx, sy, up)
            share = 1.0 - leg.mass / self._mass
            hx += weight * (vx + share * px)
            hy += weight * (vy + share * py)
            hz += weight * (vz + share * pz)
            kx, ky, kz = _cross(*_between(origins[leg.shin].tolist(), com), fx + sx, fy + sy, up)
            torque[leg.shin] -= (weight * kx, weight * ky, weight * kz)
            ankles[side] = _cross(*_between(origins[leg.foot].tolist(), com), weight * fx, weight * fy, 0.0)
        for link, share in self._spine:
            torque[link] += _cross(*_between(origins[link].tolist(), com), share * fx, share * fy, 0.0)
        torque[0] = (hx, hy, hz)
        torque = self._made_up(weights, tracked) @ torque
        return torque, ankles

    def limit(
        self, torque: Array, state: BodyState, ankles: Sequence[Vector], weights: Pair, loads: Floats, landing: bool,
        edge: float, hip_limit: float, turn: float, brake: float = 1.0,
    ) -> None:  # fmt: skip
        """Hold joint torques (L, 3) of loaded legs to what the ground can answer, in place.

        ankles: what ``carried`` returned. loads: under each foot, N. landing: whether a foot may still be let down
        from its heel. edge: share of the sole within which the centre of pressure is held. hip_limit: N m. turn: wished
        rate of the heading, rad/s; a loaded thigh that turns otherwise is braked (Yin 2007's released code does so),
        ``brake`` times as hard as the preset says.
        """
        slack = [0.0, 0.0, 0.0]
        for side, leg in enumerate(self._legs):
            if weights[side] <= 0.0:
                continue
            rows: Sequence[Floats] = state.matrices[leg.foot].tolist()
            (xx, yx, _), (xy, yy, _), (xz, yz, _) = rows
            pitch, roll = self._ankle(rows, leg, torque[leg.foot].tolist(), ankles[side], loads[side], landing, edge)
            torque[leg.foot] = (pitch * yx + roll * xx, pitch * yy + roll * xy, pitch * yz + roll * xz)
            self._feel(side, leg, pitch, roll, loads[side])
            x, y, z = torque[leg.thigh].tolist()
            grip = self._grip(side, leg, xz) * loads[side]
            held = min(max(z, -grip), grip)
            firm = hip_limit * min(1.0, loads[side] / (FIRM_LOAD * self._weight))  # no ground, nothing to push against
            scale = min(1.0, firm / max(math.sqrt(x * x + y * y + held * held), 1e-9))
            slack = [slack[0] + (1.0 - scale) * x, slack[1] + (1.0 - scale) * y, slack[2] + z - scale * held]
            spin = min(max(float(state.spins[leg.thigh, 2]) - turn, -FASTEST_SPIN), FASTEST_SPIN)
            damping = weights[side] * brake * self._settings.yaw_damping * spin * abs(spin)
            torque[leg.thigh] = (scale * x, scale * y, min(max(scale * held - damping, -grip), grip))
        # What the feet cannot hold, the trunk and its arms do: else the light pelvis would spin.
        share = min(self._step / SLACK_MEMORY, 1.0)
        self._slack = [old + (new - old) * share for old, new in zip(self._slack, slack, strict=True)]
        for link, _ in self._spine:  # up to the chest, which can bear it; the abdomen is lighter still
            torque[link] += self._slack

    def _grip(self, side: int, leg: Leg, tilt: float) -> float:
        """Return the lever, m, at which a sole's friction resists turning: least with the weight on its heel or tip."""
        middle, half = 0.5 * (leg.toe + leg.heel), 0.5 * (leg.toe - leg.heel)
        off = (self._pressure[side][0] - middle) / half
        return self._grip_arms[side] * (1.0 - EDGE_LOSS * off * off) * max(0.0, 1.0 - abs(tilt) / GRIP_TILT)

    def _ankle(
        self, rows: Sequence[Floats], leg: Leg, tracking: Floats, virtual: Vector, load: float, landing: bool,
        edge: float,
    ) -> Pair:  # fmt: skip
        """Return pitch and roll torque on a loaded foot, N m: tracking, less what the virtual force asks of the shank.

        rows: of the foot's matrix. A torque p about the ankle's y puts the centre of pressure p / load ahead of
        it. Pulling the toes up is held inside the sole, and the virtual force (whose ankle part the paper drops
        when the foot tilts) inside a smaller part of it; pushing off over the toes is free.
        """
        (xx, yx, _), (xy, yy, _), (xz, yz, _) = rows
        front = max(0.0, 1.0 - max(-xz, 0.0) / TILT)
        back = max(0.0, 1.0 - max(xz, 0.0) / TILT)
        share = self._settings.sole_share * load
        balance = -(yx * virtual[0] + yy * virtual[1] + yz * virtual[2])
        balance = min(max(balance, share * leg.heel * back), share * leg.toe * front)
        pitch = yx * tracking[0] + yy * tracking[1] + yz * tracking[2] + balance
        if not landing:
            pitch = max(pitch, edge * load * leg.heel * back)
        # Near both edges at once only a corner would be left to stand on: the roll stays inside the narrower part.
        half = edge * load * leg.half_width
        level = max(0.0, 1.0 - abs(yz) / TILT)
        roll = xx * tracking[0] + xy * tracking[1] + xz * tracking[2]
        roll -= level * (xx * virtual[0] + xy * virtual[1] + xz * virtual[2])
        if abs(yz) < TILT:
            roll = min(max(roll, -half), half)
        return pitch, roll

    def _feel(self, side: int, leg: Leg, pitch: float, roll: float, load: float) -> None:
        """Remember where the ankle's torques put the centre of pressure, m ahead and to the left of the ankle."""
        share = min(self._step / PRESSURE_MEMORY, 1.0)
        load = max(load, 0.1 * self._weight)
        ahead, aside = self._pressure[side]
        ahead += (min(max(pitch / load, leg.heel), leg.toe) - ahead) * share
        aside += (min(max(-roll / load, -leg.half_width), leg.half_width) - aside) * share
        self._pressure[side] = (ahead, aside)

    def _hanging_shares(self, weights: Pair) -> Array:
        """Return how much of each link's weight (L, 1) hangs on its joint: a loaded leg stands on the ground."""
        shares = np.ones((len(self._hanging), 1))
        for leg, weight in zip(self._legs, weights, strict=True):
            shares[leg.links] = 1.0 - weight
        return shares


def _shares_without(character: Character, leg: Leg) -> Array:
    """Return each link's share (L,) in the mass of all that is not this leg."""
    masses = character.masses.copy()
    masses[leg.links] = 0.0
    return np.asarray(masses / masses.sum())


def _felt(character: Character, loaded: Sequence[Leg]) -> Array:
    """Return (L, L): from tracking torques to what the joints give; loaded legs push against the ground instead.

    The pelvis' row has its own torque alone: that is what the hips still have to make up.
    """
    table = subtrees(character)
    links = [0, *(i for leg in loaded for i in leg.links)]
    table[links] = np.eye(len(table))[links]
    return table


def _between(start: Floats, end: Floats) -> Vector:
    x, y, z = start
    return (end[0] - x, end[1] - y, end[2] - z)


def _cross(ax: float, ay: float, az: float, bx: float, by: float, bz: float) -> Vector:
    return (ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx)
