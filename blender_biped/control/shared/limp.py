"""A body that lets itself fall: its controller's torques fade, and what is left is damping and the stops of joints.

Joints without an engine's stops, the spherical ones above all, have soft ones here: a cone that the link's long axis
stays in and a range of turns about it, stiff as ligaments shortly before the anatomical end. Torques are taken from
the end of the step (Tan, Liu and Turk 2011, see ``stable_pd``), so that stops may be as stiff as lying bodies need.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...base.spatial import Array, matrix_quaternion, rotation_vector, vector_matrix
from ...character.model import Character
from .stable_pd import mass_matrix
from .state import BodyState
from .tracking import JOINT_OF_ROLE

FADE = 0.3
"""s, of the reference body, in which a controller's torques fade."""

DAMPING = {
    "waist": 12.0, "back": 8.0, "neck": 1.5, "shoulder": 3.0, "elbow": 1.0, "wrist": 0.2,
    "hip": 8.0, "knee": 4.0, "hock": 2.0, "metatarsus": 1.0, "ankle": 1.0, "toe": 0.1,
}  # fmt: skip
"""N m s/rad of the reference body's joints: muscles that are slack, but alive."""

RANGES: dict[str, tuple[tuple[float, float], tuple[float, float], float]] = {
    "waist": ((-0.35, 0.35), (-0.3, 0.8), 0.4),
    "back": ((-0.35, 0.35), (-0.3, 0.8), 0.4),
    "neck": ((-0.7, 0.7), (-0.9, 0.9), 1.1),
    "shoulder": ((-0.8, 2.2), (-2.6, 0.8), 1.5),
    "hip": ((-0.5, 0.8), (-2.1, 0.5), 0.8),
    "knee": ((-0.1, 0.1), (0.0, 2.5), 0.1),
    "hock": ((-0.1, 0.1), (-1.2, 1.2), 0.1),
    "metatarsus": ((-0.1, 0.1), (-1.2, 1.2), 0.1),
    "ankle": ((-0.5, 0.5), (-0.5, 0.9), 0.1),
    "elbow": ((-0.1, 0.1), (-2.5, 0.1), 0.1),
    "wrist": ((-0.5, 0.5), (-1.2, 1.2), 0.1),
    "toe": ((-0.1, 0.1), (-1.1, 0.5), 0.1),
}
"""Of joints without stops: least and largest roll and pitch, of a left limb, and the largest turn about the link's long
axis, rad (American Academy of Orthopaedic Surgeons, rounded; the spine's is shared by waist and back)."""

_TORN = 0.3  # rad beyond its range: no controller that walks turns a joint so far
_STRONG = 250.0  # N m of a controller's torque on a joint that are left as it fades: what walking takes
_SOFT = 0.15  # rad before its end from which a joint's stop is felt
_ANY = 10.0  # rad
_LEAST = 0.6  # of a range that is free
_STOP = 12000.0  # N m/rad: the weight of the body on a leg bends it by 3 degrees
_STOP_DAMPING = 20.0  # times the joint's own; more would leave light hands and feet no stiffness within a step
_EVERY = 6  # control steps for which a mass matrix is good


@dataclass(frozen=True)
class _Stops:
    """Stops of J joints.

    links, parents (J,): on both sides. middles (J, 3, 3): of the cones, relative to the parent. half (J, 3): roll,
    pitch and turn, rad, from there.
    """

    links: Array
    parents: Array
    middles: Array
    half: Array

    def beyond(self, matrices: Array, spare: float = 0.0) -> tuple[Array, Array]:
        """Return how far each joint is beyond its cone and its turn (J, 2), rad, and about which axes (J, 2, 3), world.

        matrices (L, 3, 3): orientations of links. spare: by how much narrower ranges are taken, rad.
        """
        bases = matrices[self.parents] @ self.middles
        q = matrix_quaternion(bases.transpose(0, 2, 1) @ matrices[self.links])
        turn = 2.0 * np.arctan2(q[:, 3], q[:, 0])
        turn = (turn + np.pi) % (2.0 * np.pi) - np.pi
        own = np.stack((np.cos(0.5 * turn), np.sin(0.5 * turn)), axis=1)  # its w and z
        w = q[:, 0] * own[:, 0] + q[:, 3] * own[:, 1]
        x = q[:, 1] * own[:, 0] - q[:, 2] * own[:, 1]
        y = q[:, 1] * own[:, 1] + q[:, 2] * own[:, 0]
        swing = rotation_vector(np.stack((w, x, y, np.zeros_like(w)), axis=1))
        size = np.linalg.norm(swing, axis=1)
        half = np.maximum(self.half - spare, _LEAST * self.half)
        share = np.linalg.norm(swing[:, :2] / half[:, :2], axis=1)
        far = np.empty((len(q), 2))
        far[:, 0] = size * np.maximum(1.0 - 1.0 / np.maximum(share, 1e-9), 0.0)
        far[:, 1] = np.maximum(np.abs(turn) - half[:, 2], 0.0)
        axes = np.empty((len(q), 2, 3))
        axes[:, 0] = (bases @ (swing / np.maximum(size, 1e-9)[:, None])[:, :, None])[:, :, 0]
        axes[:, 1] = matrices[self.links, :, 2] * np.sign(turn)[:, None]
        return far, axes


def _stops(character: Character) -> _Stops:
    """Return the stops of all joints that the engine has none for."""
    links, middles, half = [], [], []
    for i, link in enumerate(character.links):
        if link.parent < 0 or link.joint == "fixed":
            continue
        role, side = link.part, link.side
        roll, pitch, turn = RANGES[JOINT_OF_ROLE[role]]
        hard = character.joint_ranges(i)
        pitch, roll = hard[0] if hard else pitch, hard[1] if len(hard) > 1 else roll
        turn = turn if link.joint == "spherical" else _ANY  # what it has no axis for
        mirror = -1.0 if side == "R" else 1.0
        links.append(i)
        middles.append((0.5 * mirror * sum(roll), 0.5 * sum(pitch), 0.0))
        half.append((0.5 * (roll[1] - roll[0]), 0.5 * (pitch[1] - pitch[0]), turn))
    places = np.array(links, dtype=int)
    return _Stops(
        places, np.array(character.parents)[places], vector_matrix(np.array(middles).reshape(-1, 3)),
        np.array(half).reshape(-1, 3),
    )  # fmt: skip


def beyond_ranges(character: Character, matrices: Array) -> dict[str, float]:
    """Return by how much, rad, links are turned beyond the ranges of joints without an engine's stops, by their roles.

    matrices (L, 3, 3): orientations of links.
    """
    stops = _stops(character)
    far = stops.beyond(matrices)[0].max(axis=1)
    return {character.links[i].role: float(one) for i, one in zip(stops.links, far, strict=True)}


class Limp:
    """One body that falls. ``torques`` is called once each control step from when it lets itself fall."""

    def __init__(self, character: Character, step: float) -> None:
        """character: of reference size and mass. step: s between calls."""
        self._character, self._step = character, step
        self._stops = _stops(character)
        self._parents = np.maximum(np.array(character.parents), 0)
        self._damping = np.zeros(len(character.links))
        for i, link in enumerate(character.links[1:], start=1):
            if link.joint != "fixed":
                self._damping[i] = DAMPING[JOINT_OF_ROLE[link.part]]
        self._calls = 0
        self._since = 0.0
        self._mass: Array

    @property
    def slack(self) -> bool:
        """Whether nothing is left of the controller's torques."""
        return self._calls * self._step >= FADE

    def torn(self, state: BodyState) -> bool:
        """Return whether a joint is turned so far beyond its range that its controller has lost the body."""
        return bool(self._stops.beyond(state.matrices)[0].max(initial=0.0) > _TORN)

    def torques(self, state: BodyState, controlled: Array) -> Array:
        """Return joint torques (L, 3), N m, world axes. controlled (L, 3): what its controller would apply."""
        strong = np.maximum(np.linalg.norm(controlled, axis=1, keepdims=True) / _STRONG, 1.0)
        left = max(0.0, 1.0 - self._calls * self._step / FADE) / strong
        if self._calls % _EVERY == 0:
            self._mass, _ = mass_matrix(self._character, matrix_quaternion(state.matrices), ())
        self._calls += 1
        return np.asarray(left * controlled + self._resisting(state, self._damping, _SOFT))

    def stopping(self, state: BodyState) -> Array | None:
        """Return the torques (L, 3), N m, world, of stops alone; None where no joint is at one.

        Of a body that still walks, and that something turns by its joints.
        """
        if not self._stops.beyond(state.matrices)[0].any():
            return None
        self._mass, _ = mass_matrix(self._character, matrix_quaternion(state.matrices), ())
        return self._resisting(state, np.zeros_like(self._damping), 0.0)

    def _resisting(self, state: BodyState, damping: Array, soft: float) -> Array:
        """Return the torques (L, 3), N m, world, of damping and stops, as they are at the end of the step.

        damping (L,): N m s/rad, where no stop is felt. soft: rad before its end from which one is.
        """
        stops, links, step = self._stops, self._stops.links, self._step
        angular_velocities = state.angular_velocities - state.angular_velocities[self._parents]
        gains = damping[:, None, None] * np.eye(3)  # (L, 3, 3): of relative angular velocities
        torque = -damping[:, None] * angular_velocities
        far, axes = stops.beyond(state.matrices, soft)
        braking = _STOP_DAMPING * self._damping[links]
        for k in (0, 1):
            felt = (far[:, k] > 0.0)[:, None]
            axis = np.where(felt, axes[:, k], 0.0)
            rate = np.einsum("ij,ij->i", axis, angular_velocities[links])
            torque[links] -= (_STOP * far[:, k] + braking * rate)[:, None] * axis
            gains[links] += (braking + step * _STOP)[:, None, None] * axis[:, :, None] * axis[:, None, :]
        gains[0] = 0.0
        count = len(gains)
        whole = self._mass.copy()
        for i in range(count):
            block = slice(3 + 3 * i, 6 + 3 * i)
            whole[block, block] += step * gains[i]
        forces = np.zeros(len(whole))
        forces[3:] = torque.reshape(-1)
        change = np.linalg.solve(whole, forces)[3:].reshape(count, 3)  # rad/s2
        return np.asarray(torque - step * (gains @ change[:, :, None])[:, :, 0])
