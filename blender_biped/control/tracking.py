"""Joint torques that every controller shares: PD tracking, gravity compensation, referral to the root.

All arrays have the links of a Character in front (L), world axes unless said otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..character.model import Character
from ..errors import DataError
from ..spatial import Array
from .state import BodyState

JOINT_OF_ROLE = {
    "pelvis": "root", "abdomen": "waist", "chest": "back", "head": "neck",
    "upper_arm": "shoulder", "forearm": "elbow", "hand": "wrist",
    "thigh": "hip", "shin": "knee", "foot": "ankle", "toes": "toe",
}  # fmt: skip
"""The joint that carries each link, as presets name it."""

REFERENCE_MASS = 70.4  # kg, of the character that published gains are for
REFERENCE_LEG = 0.9  # m


class Tracker:
    """PD control of link orientations, scaled to one character."""

    def __init__(self, character: Character, gains: Mapping[str, tuple[float, float, float]], step: float) -> None:
        """Take gains for the reference body: joint -> (kp N m/rad, kd N m s/rad, limit N m).

        They are scaled by mass times leg length (torque of gravity), and kd also by the square root of
        leg length (time). ``step``: s between control steps; the gains of each axis are divided by
        1 + step kd / I + step^2 kp / I, I its subtree's inertia about the joint: with that, the explicit
        torque never brakes a light link beyond rest in one step. Raises DataError for a joint without gains.
        """
        self.character = character
        parents = np.array(character.parents)
        self.parents = np.where(parents < 0, 0, parents)
        self.subtree = _subtrees(character)
        self.masses = character.masses
        self.shares = character.masses / character.mass
        self._subtree_masses = self.subtree @ self.masses
        size = character.mass / REFERENCE_MASS * character.leg_length / REFERENCE_LEG
        pace = np.sqrt(character.leg_length / REFERENCE_LEG)
        rows = []
        for link in character.links:
            joint = JOINT_OF_ROLE[link.role.partition(".")[0]]
            if joint not in gains:
                raise DataError(f"The preset has no gains for the joint {joint!r}: add [kp, kd, limit].")
            rows.append(gains[joint])
        kp, kd, limit = np.array(rows, dtype=float).T
        kp, kd, self.limit = kp * size, kd * size * pace, limit * size
        inertia = _subtree_inertias(character, self.subtree)
        damping = 1.0 + step * kd[:, None] / inertia + step**2 * kp[:, None] / inertia
        self.kp, self.kd = kp[:, None] / damping, kd[:, None] / damping

    def torques(self, state: BodyState, wished: Array, spins: Array) -> Array:
        """Return each link's tracking torque (L, 3), N m, clipped to its limit.

        wished (L, 3, 3): orientations. spins (L, 3): angular velocities to follow, rad/s.
        """
        turned = state.matrices.transpose(0, 2, 1)
        both = np.empty((len(spins), 3, 2))
        both[:, :, 0] = orientation_error(wished, state.matrices)
        both[:, :, 1] = spins - state.spins
        local = turned @ both
        torque = self.kp * local[:, :, 0] + self.kd * local[:, :, 1]
        size = np.sqrt(np.einsum("ij,ij->i", torque, torque))
        torque *= np.minimum(1.0, self.limit / np.maximum(size, 1e-9))[:, None]
        return np.asarray((state.matrices @ torque[:, :, None])[:, :, 0])

    def gravity(self, state: BodyState, gravity: float) -> Array:
        """Return the torques (L, 3), N m, that carry the weight of each joint's subtree (section 3.4)."""
        moments = self.subtree @ (self.masses[:, None] * state.coms)
        arm = moments - self._subtree_masses[:, None] * state.origins
        torque = np.zeros_like(arm)  # arm cross (0, 0, g)
        torque[:, 0] = gravity * arm[:, 1]
        torque[:, 1] = -gravity * arm[:, 0]
        return torque


def orientation_error(wished: Array, found: Array) -> Array:
    """Return the rotation (L, 3), about 1 rad per rad for small ones, that takes ``found`` to ``wished`` (L, 3, 3).

    Its length is 2 tan(angle / 2): steeper than the angle, so large errors are not forgiven.
    """
    difference = (wished @ found.transpose(0, 2, 1)).reshape(-1, 9)
    sine = difference[:, _UPPER] - difference[:, _LOWER]  # 2 sin(angle) axis
    cosine = difference[:, 0] + difference[:, 4] + difference[:, 8]  # 1 + 2 cos(angle)
    return sine * (2.0 / np.maximum(1.0 + cosine, 0.1))[:, None]


_UPPER, _LOWER = [7, 2, 3], [5, 6, 1]


def _subtrees(character: Character) -> Array:
    """Return (L, L): 1 where the column's link hangs on, or is, the row's."""
    count = len(character.links)
    table = np.eye(count)
    for i in range(count - 1, 0, -1):
        table[character.parents[i]] += table[i]
    return table


def _subtree_inertias(character: Character, subtree: Array) -> Array:
    """Return each subtree's inertia (L, 3), kg m2, about its joint along the link's axes, standing."""
    origins, rotations = character.standing()
    coms = character.com_positions(origins, rotations)
    own = np.array([link.inertia for link in character.links])
    arm = coms[None] - origins[:, None]
    steiner = (arm**2).sum(axis=2, keepdims=True) - arm**2
    inertia = np.asarray(np.einsum("ij,ijk->ik", subtree, own[None] + character.masses[None, :, None] * steiner))
    # What hangs on the root gives way: only the places where it hangs turn with it.
    hanging = [i for i, parent in enumerate(character.parents) if parent == 0]
    at = character.offsets[hanging]
    spread = (at**2).sum(axis=1, keepdims=True) - at**2
    inertia[0] = own[0] + (subtree @ character.masses)[hanging] @ spread
    return inertia
