"""Torques on a body's joints."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pybullet

from ..base.spatial import Array
from ..character.model import Character
from .body_builder import Built, turning_joints
from .bound import Bound


class Torques:
    """Torques on a body's joints, for one physics step each.

    What was measured of PyBullet and is relied on here: a spherical joint's torque is given in the child's frame.
    """

    def __init__(
        self, physics: Bound, built: Built, character: Character, fastest: Mapping[tuple[int, int], float]
    ) -> None:
        """fastest: see ``EngineOptions``."""
        self._physics, self._body = physics, built.body
        self._spherical, self._hinges, self._universals = (
            _jointed(character, kind) for kind in ("spherical", "hinge", "universal")
        )
        self._rows = np.array(self._spherical, dtype=np.intp)
        self._hinge_axes = np.array([3 * i + 1 for i in self._hinges], dtype=np.intp)
        self._second_axes = np.array(_second_axes(character, self._universals), dtype=np.intp)
        self._spherical_joints = [built.joints[i] for i in self._spherical]
        turning = turning_joints(character, built.joints)
        axes = [(i, 1) for i in self._hinges] + [(i, axis) for i in self._universals for axis in (1, 0)]
        self._limited = [(k, fastest[axis]) for k, axis in enumerate(axes) if axis in fastest]
        limited = [k for k, _ in self._limited]
        self._limited_joints = [turning[k] for k in limited]
        self._unlimited = [k for k in range(len(turning)) if k not in limited]
        self._unlimited_joints = [turning[k] for k in self._unlimited]
        self._applied: tuple[list[list[float]], list[float]] | None = None

    def apply(self, torques: Array, matrices: Array, remember: bool) -> Array:
        """Set each joint's torque; return what its axes let through (L, 3), in the links' frames.

        torques (L, 3): world axes, N m. matrices (L, 3, 3): orientations. remember: whether ``again`` applies them.
        """
        local = (matrices.transpose(0, 2, 1) @ torques[:, :, None])[:, :, 0]
        forces = local.take(self._rows, axis=0).tolist()
        values = local.take(self._hinge_axes).tolist()
        axes = matrices.take(self._second_axes).tolist()
        for k, i in enumerate(self._universals):
            (x, y, z), (u, v, w) = axes[3 * k : 3 * k + 3], torques[i].tolist()
            values.append(x * u + y * v + z * w)
            values.append(float(local[i, 0]))
        if remember:
            self._applied = forces, values
        self._set(forces, values)
        return local

    def _set(self, forces: list[list[float]], values: list[float]) -> None:
        """Set the torques of spherical joints and of all others until the next physics step."""
        p = self._physics
        if self._spherical:
            p.setJointMotorControlMultiDofArray(
                self._body, self._spherical_joints, pybullet.TORQUE_CONTROL, forces=forces
            )
        # Motors as strong as the torques are solved with the contacts: so light links feel what they are on.
        if self._limited:
            p.setJointMotorControlArray(
                self._body, self._limited_joints, pybullet.VELOCITY_CONTROL,
                targetVelocities=[rate if values[k] > 0.0 else -rate for k, rate in self._limited],
                forces=[abs(values[k]) for k, _ in self._limited],
            )  # fmt: skip
            values = [values[k] for k in self._unlimited]
        p.setJointMotorControlArray(self._body, self._unlimited_joints, pybullet.TORQUE_CONTROL, forces=values)

    def again(self) -> None:
        """Apply the last torques that were remembered for the next physics step, too."""
        if self._applied is not None:
            self._set(*self._applied)


def _jointed(character: Character, kind: str) -> list[int]:
    """Return the links that hang on joints of a kind."""
    return [i for i, link in enumerate(character.links) if link.joint == kind]


def _second_axes(character: Character, universals: list[int]) -> list[int]:
    """Return where in matrices (L, 3, 3) the second axes of universal joints are, x, y, z each: their parents' y."""
    return [9 * character.links[i].parent + k for i in universals for k in (1, 4, 7)]
