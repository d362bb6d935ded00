"""How the legs that bear weight hold the body up: velocity tuning and the stance hip (Coros 2010, 3.3, 3.5).

Plain numbers instead of arrays of three: at this size numpy's calls would cost more than the sums.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..character.model import Character
from ..spatial import Array
from .legs import Leg
from .settings import Settings
from .state import BodyState

Vector = tuple[float, float, float]
Floats = Sequence[float]

TILT = 0.06  # rad of the sole at which the virtual force no longer uses the ankle
SOLE_EDGE = 0.8  # share of the sole within which the centre of pressure is held
GRIP_ARM = 0.045  # m, of a leg of 0.9: friction under a flat foot resists turning with this times its load
GRIP_TILT = 0.3  # rad of the sole at which only its edge is left to resist turning


class Balance:
    """Adds to joint torques what carries the body over its feet."""

    def __init__(self, character: Character, settings: Settings, legs: tuple[Leg, Leg], gravity: float) -> None:
        """``gravity``: m/s2."""
        self._settings, self._legs = settings, legs
        self._mass, self._weight = character.mass, character.mass * gravity
        self._masses = character.masses
        self._grip_arm = GRIP_ARM * character.leg_length / 0.9
        thighs = {leg.thigh for leg in legs}
        self._hanging = [i for i, parent in enumerate(character.parents) if parent == 0 and i not in thighs]
        self._spine = [
            (character.index(role), share)
            for role, share in zip(("abdomen", "chest"), settings.spine_share, strict=True)
            if character.has(role)
        ]

    def add(
        self, torque: Array, state: BodyState, com: Vector, force: tuple[float, float], root: Floats, turn: float,
        weights: tuple[float, float], tracked: tuple[float, float], loads: Floats, landing: bool, hip_limit: float,
    ) -> None:  # fmt: skip
        """Change joint torques (L, 3) in place.

        com (3,): m. force (2,): the virtual force on it, world x, y, N. root (3,): torque that the pelvis is to
        have, N m. turn: wished rate of the heading, rad/s. weights: how the legs share all this, sum 1.
        tracked: how much of each thigh's own tracking torque stays. loads: under each foot, N. landing: whether
        a foot may still be let down from its heel. hip_limit: N m.
        """
        fx, fy = force
        origins = state.origins
        foot = [0.0, 0.0, 0.0]
        for weight, leg in zip(weights, self._legs, strict=True):
            x, y, z = origins[leg.foot].tolist()
            foot = [foot[0] + weight * x, foot[1] + weight * y, foot[2] + weight * z]
        # The pendulum's own force, from the feet through the centre of mass: what bears the weight.
        rise = max(com[2] - foot[2], 0.1)
        up = self._settings.support * self._weight
        sx, sy = up / rise * (com[0] - foot[0]), up / rise * (com[1] - foot[1])
        hx, hy, hz = (float(v) for v in root)
        for side, leg in enumerate(self._legs):
            weight = weights[side]
            if weight <= 0.0:
                continue
            ax, ay, az = _between(origins[leg.thigh], com)
            bx, by, bz = _between(origins[leg.thigh], self._without(state, com, leg))
            share = 1.0 - leg.mass / self._mass
            vx, vy, vz = _cross(ax, ay, az, fx, fy, 0.0)
            px, py, pz = _cross(bx, by, bz, sx, sy, up)
            hx, hy, hz = hx + weight * (vx + share * px), hy + weight * (vy + share * py), hz + weight * (vz + share * pz)
            kx, ky, kz = _cross(*_between(origins[leg.shin], com), fx + sx, fy + sy, up)
            torque[leg.shin] -= (weight * kx, weight * ky, weight * kz)
            virtual = _cross(*_between(origins[leg.foot], com), weight * fx, weight * fy, 0.0)
            torque[leg.foot] = self._ankle(state, leg, torque[leg.foot].tolist(), virtual, loads[side], landing)
        for link, share in self._spine:
            torque[link] += _cross(*_between(origins[link], com), share * fx, share * fy, 0.0)
        self._hips(torque, state, (hx, hy, hz), turn, weights, tracked, loads, hip_limit)

    def _hips(
        self, torque: Array, state: BodyState, pelvis: Vector, turn: float, weights: tuple[float, float],
        tracked: tuple[float, float], loads: Floats, limit: float,
    ) -> None:  # fmt: skip
        """Give the loaded hips what is missing for the pelvis to have its torque (section 3.5; Yin 2007)."""
        thighs = [torque[leg.thigh].tolist() for leg in self._legs]
        nx, ny, nz = -pelvis[0], -pelvis[1], -pelvis[2]
        for link in self._hanging:
            x, y, z = torque[link].tolist()
            nx, ny, nz = nx - x, ny - y, nz - z
        for (x, y, z), part in zip(thighs, tracked, strict=True):
            nx, ny, nz = nx - part * x, ny - part * y, nz - part * z
        slack = 0.0
        for side, leg in enumerate(self._legs):
            weight, part = weights[side], tracked[side]
            if weight <= 0.0:
                continue
            x, y, z = thighs[side]
            x, y, z = weight * nx + part * x, weight * ny + part * y, weight * nz + part * z
            spin = float(state.spins[leg.thigh, 2]) - turn
            z -= weight * self._settings.yaw_damping * spin * abs(spin)
            tilt = abs(float(state.matrices[leg.foot, 2, 0]))
            grip = self._grip_arm * loads[side] * max(0.0, 1.0 - tilt / GRIP_TILT)
            held = min(max(z, -grip), grip)
            slack += z - held
            scale = min(1.0, limit / max(math.sqrt(x * x + y * y + held * held), 1e-9))
            torque[leg.thigh] = (scale * x, scale * y, scale * held)
        # What the feet cannot hold, the trunk and its arms do: else the light pelvis would spin.
        if self._spine:
            torque[self._spine[0][0], 2] += slack
        torque[0] = 0.0

    def _ankle(
        self, state: BodyState, leg: Leg, tracking: Floats, virtual: Vector, load: float, landing: bool
    ) -> Vector:
        """Return the torque on a loaded foot (3,): tracking, less what the virtual force asks of the shank.

        A torque p about the ankle's y puts the centre of pressure p / load ahead of it. Pulling the toes up is
        held inside the sole, and the virtual force (whose ankle part the paper drops when the foot tilts) inside
        a smaller part of it; pushing off over the toes is free.
        """
        (xx, yx, _), (xy, yy, _), (xz, yz, _) = state.matrices[leg.foot].tolist()
        front = max(0.0, 1.0 - max(-xz, 0.0) / TILT)
        back = max(0.0, 1.0 - max(xz, 0.0) / TILT)
        share = self._settings.sole_share * load
        balance = -(yx * virtual[0] + yy * virtual[1] + yz * virtual[2])
        balance = min(max(balance, share * leg.heel * back), share * leg.toe * front)
        pitch = yx * tracking[0] + yy * tracking[1] + yz * tracking[2] + balance
        if not landing:
            pitch = max(pitch, SOLE_EDGE * load * leg.heel * back)
        half = SOLE_EDGE * load * leg.half_width
        roll = -(xx * virtual[0] + xy * virtual[1] + xz * virtual[2])
        roll = min(max(roll, -half), half) + xx * tracking[0] + xy * tracking[1] + xz * tracking[2]
        return (pitch * yx + roll * xx, pitch * yy + roll * xy, pitch * yz + roll * xz)

    def _without(self, state: BodyState, com: Vector, leg: Leg) -> Vector:
        """Return the centre of mass of all that is not this leg, m."""
        x, y, z = (self._masses[leg.links] @ state.coms[leg.links]).tolist()
        rest = self._mass - leg.mass
        return ((self._mass * com[0] - x) / rest, (self._mass * com[1] - y) / rest, (self._mass * com[2] - z) / rest)


def _between(start: Array, end: Vector) -> Vector:
    x, y, z = start.tolist()
    return (end[0] - x, end[1] - y, end[2] - z)


def _cross(ax: float, ay: float, az: float, bx: float, by: float, bz: float) -> Vector:
    return (ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx)
