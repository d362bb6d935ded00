"""Puts a body where it shall be, and holds it there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np

from ..base.spatial import Array, quaternion_conjugate, quaternion_matrix, quaternion_product, yaw_quaternion
from ..character.model import Character
from .body_builder import Built
from .bound import Bound, xyzw


class Placing:
    """Puts a body into poses: the mid-hip ``root`` (3,), m, and the links' rotations ``q`` (L, 4), w, x, y, z."""

    def __init__(self, physics: Bound, built: Built, character: Character) -> None:
        self._physics, self._built, self._character = physics, built, character

    def place(self, root: Array, q: Array, velocity: Sequence[float]) -> None:
        """Put it into a pose. velocity (3,): of the whole body, m/s; joint speeds become zero."""
        p, body = self._physics, self._built.body
        if self._built.planar:
            self._on_rail(root, q[0], velocity)
        else:
            p.resetBasePositionAndOrientation(body, self._base(root, q), xyzw(q[0]))
            p.resetBaseVelocity(body, list(velocity), (0.0, 0.0, 0.0))
        for reset in self._joint_resets(q):
            reset()

    def hold(self, root: Array, q: Array) -> Callable[[], None]:
        """Return what keeps the body, which is not planar, still in a pose, to be called before each physics step."""
        p, body = self._physics, self._built.body
        resets: list[Callable[[], None]] = [
            partial(p.resetBasePositionAndOrientation, body, self._base(root, q), xyzw(q[0])),
            partial(p.resetBaseVelocity, body, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
            *self._joint_resets(q),
        ]

        def hold() -> None:
            for reset in resets:
                reset()

        return hold

    def _base(self, root: Array, q: Array) -> list[float]:
        """Return where PyBullet has the base: its centre of mass (3,), m."""
        place: list[float] = (root + quaternion_matrix(q[0]) @ self._character.coms[0]).tolist()
        return place

    def _joint_resets(self, q: Array) -> Iterator[Callable[[], None]]:
        """Give what puts each joint, still, where link rotations (L, 4) have it."""
        p, body = self._physics, self._built.body
        for i, link in enumerate(self._character.links[1:], start=1):
            relative = quaternion_product(quaternion_conjugate(q[link.parent]), q[i])
            joint = self._built.joints[i]
            if link.joint == "spherical":
                yield partial(p.resetJointStateMultiDof, body, joint, xyzw(relative), (0.0, 0.0, 0.0))
            elif link.joint == "hinge":
                angle = 2.0 * float(np.arctan2(relative[2], relative[0]))
                yield partial(p.resetJointState, body, joint, angle, 0.0)
            elif link.joint == "universal":
                m = quaternion_matrix(relative)  # Ry(pitch) Rx(roll)
                pitch, roll = float(np.arctan2(-m[2, 0], m[0, 0])), float(np.arctan2(-m[1, 2], m[1, 1]))
                yield partial(p.resetJointState, body, joint - 1, pitch, 0.0)
                yield partial(p.resetJointState, body, joint, roll, 0.0)

    def _on_rail(self, root: Array, rotation: Array, velocity: Sequence[float]) -> None:
        """Lay the rail of a planar body through ``root`` (3,), m, along the heading of ``rotation`` (4,)."""
        p, body, m = self._physics, self._built.body, quaternion_matrix(rotation)
        heading = float(np.arctan2(-m[0, 1], m[1, 1]))  # of the y axis: a pitch leaves it alone
        c, s = float(np.cos(heading)), float(np.sin(heading))
        pitch = float(np.arctan2(-m[2, 0], m[0, 0] * c + m[1, 0] * s))
        p.resetBasePositionAndOrientation(body, root.tolist(), xyzw(yaw_quaternion(heading)))
        x, y, z = velocity
        for joint, (place, rate) in enumerate(((0.0, c * x + s * y), (0.0, z), (pitch, 0.0))):
            p.resetJointState(body, joint, place, rate)
