"""Joint torques that every controller shares: PD tracking, gravity compensation.

All arrays have the links of a Character in front (L), world axes unless said otherwise.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from ...base.errors import DataError
from ...base.spatial import Array
from ...character.model import Character
from .state import BodyState

Vector = tuple[float, float, float]

JOINT_OF_ROLE = {
    "pelvis": "root", "abdomen": "waist", "chest": "back", "head": "neck",
    "upper_arm": "shoulder", "forearm": "elbow", "hand": "wrist",
    "thigh": "hip", "shin": "knee", "hock": "hock", "metatarsus": "metatarsus",
    "foot": "ankle", "toes": "toe",
}  # fmt: skip
"""The joint that carries each link, as presets name it."""

OWN_GAINS = {"ankle": ("ankle_roll", "ankle", "ankle"), "root": ("root", "root", "root_yaw")}
"""Joints with gains of their own about single axes (roll, pitch, yaw).

The sole's narrow edge cannot answer what its length can, nor its friction what its weight can.
"""


class Tracker:
    """PD control of link orientations of one character, of reference size and mass (see ``similarity``)."""

    def __init__(
        self, character: Character, gains: Mapping[str, tuple[float, float, float]], stiffer: Array | None = None
    ) -> None:
        """Take gains for the reference body: joint -> (kp N m/rad, kd N m s/rad, limit N m).

        A joint that is weaker in roll has these as "<joint>_roll".

        ``kp``, ``kd`` (L, 3) are about the link's own axes. stiffer: (L,), a factor on them all.

        Raises DataError for a joint without gains.
        """
        self.character = character
        parents = np.array(character.parents)
        self.parents = np.where(parents < 0, 0, parents)
        self.subtree = subtrees(character)
        self.masses = character.masses
        self.shares = character.masses / character.mass
        self._subtree_masses = (self.subtree @ self.masses)[:, None]
        self._moments = self.subtree * self.masses
        rows = []
        for link in character.links:
            joint = JOINT_OF_ROLE[link.part]
            axes = OWN_GAINS.get(joint, (joint, joint, joint))
            for name in axes:
                if name not in gains:
                    raise DataError(
                        f"The preset has no gains for the joint {name!r}, since it is made for a body without it: "
                        "choose another style, or add [kp, kd, limit] to its file."
                    )
            rolling = f"{joint}_roll" if f"{joint}_roll" in gains else axes[0]
            rows.append([gains[name] for name in (rolling, *axes[1:])])
        table = np.array(rows, dtype=float)
        if stiffer is not None:
            table *= stiffer[:, None, None]
        self.kp, self.kd = table[:, :, 0], table[:, :, 1]
        self.limit = table[:, 1, 2]

    def scale(self, by: Array) -> None:
        """Make links stiffer, damped the harder and as much stronger, in place. by (L, 1): factors."""
        self.kp, self.kd, self.limit = self.kp * by, self.kd * by, self.limit * by[:, 0]

    def torques(self, state: BodyState, reference: Array, turning: float = math.inf) -> Array:
        """Return each link's tracking torque (L, 3), N m, world, clipped to its limit.

        tau = k_p e + k_d (w_d - w), about the link's own axes: e the rotation that is missing (see
        ``missing_rotation``), w_d and w the desired and the present angular velocity, rad/s. reference (L, 3, 4):
        desired orientation and, in the last column, w_d; world axes. It is changed in place. turning: N m about the
        vertical that the ground can answer; the pelvis is turned back by no more, but braked in full.
        """
        reference[:, :, 3] -= state.angular_velocities
        local = state.matrices.transpose(0, 2, 1) @ reference  # the error's axis is the same in the link's own axes
        torque = self.kp * missing_rotation(local)
        if turning < math.inf:
            torque[0] = turned_back(state.matrices[0, 2], torque[0], turning)
        torque += self.kd * local[:, :, 3]
        parts = torque * torque
        square = parts[:, 0] + parts[:, 2] + parts[:, 1]  # added up as einsum does, in a third of its time
        if np.logical_or.reduce(square > self.limit * self.limit):
            torque *= np.minimum(1.0, self.limit / np.sqrt(np.maximum(square, 1e-18)))[:, None]
        return np.asarray((state.matrices @ torque[:, :, None])[:, :, 0])

    def centre_of_mass(self, state: BodyState) -> tuple[Vector, Vector]:
        """Return place, m, and velocity, m/s, of the body's centre of mass, world axes."""
        x, y, z = (self.shares @ state.coms).tolist()
        u, v, w = (self.shares @ state.velocities).tolist()
        return (x, y, z), (u, v, w)

    def gravity(self, state: BodyState, gravity: float) -> Array:
        """Return the torques (L, 3), N m, that carry the weight of each joint's subtree (Coros 2010, section 3.4).

        tau_j = sum over links i of its subtree of (c_i - o_j) x m_i g up, with c_i their centres of mass and o_j the
        joint, world, m; ``gravity``: g, m/s2.
        """
        arm = self._moments @ state.coms - self._subtree_masses * state.origins
        torque = np.empty_like(arm)  # arm cross (0, 0, g)
        np.multiply(arm[:, 1::-1], (gravity, -gravity), out=torque[:, :2])
        torque[:, 2] = 0.0
        return torque


def moments(character: Character) -> Array:
    """Return the moment of inertia (L,) of what hangs on each joint, about it, standing, of m l2 of body and legs."""
    origins, rotations = character.standing()
    coms = character.com_positions(origins, rotations)
    arms = coms[None] - origins[:, None]  # row: joint; column: link
    own = character.masses * np.einsum("ijk,ijk->ij", arms, arms)
    size = character.mass * character.leg_length**2
    return np.asarray((subtrees(character) * own).sum(axis=1) / size)


def turned_back(axis: Array, torque: Array, most: float) -> Array:
    """Return what turns the pelvis back (3,), held to ``most``, N m either way, about the vertical.

    A spring that pulls harder than the ground can answer, and is cut together with its damping, would speed the
    pelvis up all the way back, and beyond. torque (3,): of the spring alone, about the pelvis' own axes. axis (3,):
    the vertical, in these.
    """
    about = float(axis @ torque)
    return torque + (min(max(about, -most), most) - about) * axis


def missing_rotation(rotations: Array) -> Array:
    """Return the vectors (K, 3), about 1 rad per rad for small ones, of rotations (K, 3, 4), whose last column is none.

    Their length is 2 tan(angle / 2): steeper than the angle, so large errors are not forgiven.
    """
    parts = rotations.reshape(-1, 12) @ _SINE_AND_TRACE
    steep = parts[:, 3:] + 1.0
    return np.asarray(parts[:, :3] / np.maximum(steep, 0.1, out=steep))


def _sine_and_trace() -> Array:
    """Return the table (12, 4) from the elements of ``missing_rotation``'s rows to 4 sin(angle) axis and the trace."""
    table = np.zeros((3, 4, 4))
    for axis, (i, j) in enumerate(((2, 1), (0, 2), (1, 0))):
        table[i, j, axis], table[j, i, axis] = 2.0, -2.0
    table[[0, 1, 2], [0, 1, 2], 3] = 1.0
    return table.reshape(12, 4)


_SINE_AND_TRACE = _sine_and_trace()


def subtrees(character: Character) -> Array:
    """Return (L, L): 1 where the column's link hangs on, or is, the row's."""
    count = len(character.links)
    table = np.eye(count)
    for i in range(count - 1, 0, -1):
        table[character.parents[i]] += table[i]
    return table
