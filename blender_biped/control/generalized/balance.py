"""How the legs that bear weight carry the body: velocity tuning and gravity compensation (Coros 2010, 3.3, 3.4).

Plain numbers instead of arrays of three: at this size numpy's calls would cost more than the sums.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...base.spatial import Array
from ...character.model import Character
from ..shared.ground import GroundReaction
from ..shared.legs import Leg
from ..shared.root_torque import Pair, RootTorque
from ..shared.state import BodyState
from .settings import Settings

Vector = tuple[float, float, float]
Floats = Sequence[float]


class Balance:
    """Joint torques with which legs that bear weight carry the body."""

    def __init__(
        self, character: Character, settings: Settings, legs: tuple[Leg, Leg], gravity: float, root_torque: RootTorque,
        ground: GroundReaction, wide: float = 1.0,
    ) -> None:  # fmt: skip
        """``gravity``: m/s2. wide: how much wider hips are than people's, 1 or more.

        What the preset leaves of the weight to the pelvis' tracking, ``1 - support``, rolls it by the hips' lever; of
        wider hips as much less is left, so that it rolls no farther.
        """
        self._less_left = 1.0 - 1.0 / wide
        self.settings, self._legs, self._root_torque, self._ground = settings, legs, root_torque, ground
        self._mass, self._weight = character.mass, character.mass * gravity
        self._count = len(character.links)
        self._without = [_shares_without(character, leg) for leg in legs]
        self._spine = [
            (character.index(role), share)
            for role, share in zip(("abdomen", "chest"), settings.spine_share, strict=True)
            if character.has(role)
        ]

    def carried(
        self, gravity: Array, state: BodyState, com: Vector, rising: float, force: tuple[float, float],
        weights: Pair, tracked: Pair, alone: float = 0.0,
    ) -> tuple[Array, list[Vector]]:  # fmt: skip
        """Return joint torques (L, 3) that carry the body, and what the force needs of each ankle (3,), N m.

        By the Jacobian's transpose, as a leg on the ground gives a force F to the centre of mass c (3.3): its links
        have tau_j = -w (c - o_j) x F at each joint o_j, w the leg's share of the body; the pelvis that of hips negated.

        gravity (L, 3): torques that would carry the weight of each joint's subtree if it hung. com (3,): m. rising: its
        vertical velocity, m/s. force (2,): the virtual force on it, world x, y, N. alone: 0..1, how far one leg bears
        alone in a walk: with both down hips that push harder move the weight instead.
        """
        fx, fy = force
        origins = state.origins
        foot = [0.0, 0.0, 0.0]
        for side, leg in enumerate(self._legs):
            weight, (ahead, aside) = weights[side], self._ground.pressure[side]
            if weight <= 0.0:
                continue
            x, y, z = origins[leg.foot].tolist()
            (xx, yx, _), (xy, yy, _), _ = state.matrices[leg.foot].tolist()
            foot[0] += weight * (x + ahead * xx + aside * yx)
            foot[1] += weight * (y + ahead * xy + aside * yy)
            foot[2] += weight * z
        # The pendulum's own force, from the centre of pressure through the centre of mass: what bears the weight.
        up = self.settings.support * self._weight - self._mass * self.settings.bob_damping * rising
        up = min(max(up, 0.3 * self._weight), 1.7 * self._weight)
        more = self._less_left * (1.0 - self.settings.support) * self._weight * alone
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
            px, py, pz = _cross(*_between(hip, (self._without[side] @ state.coms).tolist()), sx, sy, up + more)
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
        torque = self._root_torque.made_up(weights, tracked) @ torque
        return torque, ankles

    def _hanging_shares(self, weights: Pair) -> Array:
        """Return how much of each link's weight (L, 1) hangs on its joint: a loaded leg stands on the ground."""
        shares = np.ones((self._count, 1))
        for leg, weight in zip(self._legs, weights, strict=True):
            shares[leg.span] = 1.0 - weight
        return shares


def _shares_without(character: Character, leg: Leg) -> Array:
    """Return each link's share (L,) in the mass of all that is not this leg."""
    masses = character.masses.copy()
    masses[leg.links] = 0.0
    return np.asarray(masses / masses.sum())


def _between(start: Floats, end: Floats) -> Vector:
    x, y, z = start
    return (end[0] - x, end[1] - y, end[2] - z)


def _cross(ax: float, ay: float, az: float, bx: float, by: float, bz: float) -> Vector:
    return (ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx)
