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

OWN_GAINS = {"ankle": ("ankle_roll", "ankle", "ankle"), "root": ("root", "root", "root_yaw")}
"""Joints with gains of their own about single axes (roll, pitch, yaw).

The sole's narrow edge cannot answer what its length can, nor its friction what its weight can.
"""

REFERENCE_MASS = 70.4  # kg, of the character that published gains are for
REFERENCE_LEG = 0.9  # m


class Tracker:
    """PD control of link orientations, scaled to one character."""

    def __init__(self, character: Character, gains: Mapping[str, tuple[float, float, float]]) -> None:
        """Take gains for the reference body: joint -> (kp N m/rad, kd N m s/rad, limit N m).

        They are scaled by mass times leg length (torque of gravity), and kd also by the square root of
        leg length (time). ``kp``, ``kd`` (L, 3) are about the link's own axes.

        Raises DataError for a joint without gains.
        """
        self.character = character
        parents = np.array(character.parents)
        self.parents = np.where(parents < 0, 0, parents)
        self.subtree = subtrees(character)
        self.masses = character.masses
        self.shares = character.masses / character.mass
        self._subtree_masses = self.subtree @ self.masses
        size = character.mass / REFERENCE_MASS * character.leg_length / REFERENCE_LEG
        pace = float(np.sqrt(character.leg_length / REFERENCE_LEG))
        rows = []
        for link in character.links:
            joint = JOINT_OF_ROLE[link.role.partition(".")[0]]
            axes = OWN_GAINS.get(joint, (joint, joint, joint))
            for name in axes:
                if name not in gains:
                    raise DataError(f"The preset has no gains for the joint {name!r}: add [kp, kd, limit].")
            rows.append([gains[name] for name in axes])
        table = np.array(rows, dtype=float) * (size, size * pace, size)
        self.kp, self.kd = table[:, :, 0], table[:, :, 1]
        self.limit = table[:, 1, 2]

    def torques(self, state: BodyState, wished: Array, spins: Array) -> Array:
        """Return each link's tracking torque (L, 3), N m, world, clipped to its limit.

        wished (L, 3, 3): orientations. spins (L, 3): angular velocities to follow, rad/s.
        """
        both = np.empty((len(spins), 3, 2))
        both[:, :, 0] = orientation_error(wished, state.matrices)
        both[:, :, 1] = spins - state.spins
        local = state.matrices.transpose(0, 2, 1) @ both
        torque = self.kp * local[:, :, 0] + self.kd * local[:, :, 1]
        size = np.sqrt((torque * torque).sum(axis=1))
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
    parts = sine_and_trace(wished, found)
    return np.asarray(parts[:, :3] * (2.0 / np.maximum(1.0 + parts[:, 3:], 0.1)))


def sine_and_trace(wished: Array, found: Array) -> Array:
    """Return 2 sin(angle) axis and 1 + 2 cos(angle), (L, 4), of the rotation that takes ``found`` to ``wished``."""
    return np.asarray((wished @ found.transpose(0, 2, 1)).reshape(-1, 9) @ _SINE_AND_TRACE)


_SINE_AND_TRACE = np.zeros((9, 4))
"""From a rotation matrix's elements to ``sine_and_trace``."""
_SINE_AND_TRACE[[7, 2, 3], [0, 1, 2]], _SINE_AND_TRACE[[5, 6, 1], [0, 1, 2]] = 1.0, -1.0
_SINE_AND_TRACE[[0, 4, 8], 3] = 1.0


def subtrees(character: Character) -> Array:
    """Return (L, L): 1 where the column's link hangs on, or is, the row's."""
    count = len(character.links)
    table = np.eye(count)
    for i in range(count - 1, 0, -1):
        table[character.parents[i]] += table[i]
    return table
