"""A body's state, read from PyBullet, and whether it is upright."""

from __future__ import annotations

from struct import Struct
from typing import NamedTuple

import numpy as np

from ..base.spatial import Array, quaternion_matrix
from ..character.fallen import grounds, is_upright, trunk_top
from ..character.model import Character
from ..control.shared.state import BodyState
from ..world.floor import Floor
from .body_builder import Built
from .bound import Bound

_WXYZ = np.array((6, 3, 4, 5))  # columns of a quaternion in PyBullet's rows: position, orientation x, y, z, w, ...


class Reading(NamedTuple):
    """How a body's links move, as ``BodyState`` has it, and their orientations (L, 4), w, x, y, z."""

    origins: Array
    rotations: Array
    matrices: Array
    coms: Array
    velocities: Array
    angular_velocities: Array

    def state(self, time: float, loads: Array) -> BodyState:
        """Return it as the state at a time, s, with the load of each link (L,), N."""
        return BodyState(time, self.origins, self.matrices, self.coms, self.velocities, self.angular_velocities, loads)


class StateReader:
    """Reads a body's state."""

    def __init__(self, physics: Bound, built: Built, character: Character) -> None:
        self._physics, self._body, self._planar = physics, built.body, built.planar
        self._frames = built.joints[0 if built.planar else 1 :]
        self._local_coms = character.coms[:, :, None]
        self._packed = Struct(f"{13 * len(built.joints)}d")

    def read(self) -> Reading:
        """Return how the links move now."""
        p, body = self._physics, self._body
        numbers: list[float] = []
        if not self._planar:
            for part in (*p.getBasePositionAndOrientation(body), *p.getBaseVelocity(body)):
                numbers += part
        # One list, packed at once: faster than arrays of rows, and than to iterate. With velocities, of the pose now.
        for place, turn, _, _, _, _, goes, turns in p.getLinkStates(body, self._frames, 1, 1):
            numbers += place
            numbers += turn
            numbers += goes
            numbers += turns
        data = np.frombuffer(self._packed.pack(*numbers)).reshape(-1, 13)
        q, coms = data.take(_WXYZ, axis=1), data[:, 0:3]
        matrices = quaternion_matrix(q)
        origins = coms - (matrices @ self._local_coms)[:, :, 0]
        return Reading(origins, q, matrices, coms, data[:, 7:10], data[:, 10:13])


class Upright:
    """Whether a character is upright on its ground."""

    def __init__(self, character: Character, floor: Floor, ground: float) -> None:
        """ground: height of a flat floor, m."""
        self._character, self._floor, self._ground, self._top = character, floor, ground, trunk_top(character)

    def __call__(self, origins: Array, matrices: Array) -> bool:
        """Return whether it is. origins (L, 3), m, matrices (L, 3, 3): of its links."""
        height, vertical = float(origins[0, 2]), float(matrices[self._top, 2, 2])
        if self._floor.flat:
            return bool(is_upright(self._character, height - self._ground, vertical))
        under = self._floor.height(*origins[0, :2].tolist())
        if is_upright(self._character, height - under, vertical):
            return True
        under = float(grounds(self._character, self._floor.heights(origins))[0])  # on stairs it is between its feet's
        return bool(is_upright(self._character, height - under, vertical))
