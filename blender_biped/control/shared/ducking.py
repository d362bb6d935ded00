"""Ducking under what is above the way (Coros 2010, section 5.2): the body bends as a linear function of the distance.

Trunk, pelvis and head bend forward and the hips are carried lower, so far that the highest part of the body passes. It
does not touch how the legs step, so a walk may duck under one thing while it steps over another.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ...base.spatial import Array, axis_angle_quaternion, quaternion_matrix
from ...character.model import Character
from ...world.course import Crossed
from .state import BodyState
from .steering import Command

BENDS = {"pelvis": 30.0, "abdomen": 65.0, "chest": 90.0, "head": 70.0}
"""Degrees by which a body that ducks in full is bent forward, in the heading frame."""
LOWER = 0.18  # of the leg's length by which hips are lower then
MARGIN = 0.04  # of the leg's length between the highest part and what is above
DEEPEST = 0.7  # of its standing height: lower it does not duck
LOOKS = 20  # at how it ducks, between not at all and in full
BOWED = 0.75  # of the leg's length that a bowed head is before the hips
RAMP = 0.8  # of the leg's length over which it bends, and rises again
BEHIND = 0.25  # of the leg's length that a back is behind the hips
STEPPING = (0.65, 0.55)
"""Of the leg's length that hips are before and behind what is stepped over as that begins and ends."""
SPEED = 0.45  # m/s, of a body that is bent in full
_LEGS = ("thigh", "shin", "foot", "toes")


def heights(character: Character) -> Array:
    """Return how tall a character is (LOOKS + 1,), m, from standing (first) to ducked in full (last)."""
    return np.array([_height(character, share) for share in np.linspace(0.0, 1.0, LOOKS + 1).tolist()])


def lowest(character: Character) -> float:
    """Return the height, m, of what a character ducks under: not lower than DEEPEST of its own."""
    table = heights(character)
    return max(float(table.min()) + MARGIN * character.leg_length, DEEPEST * float(table[0]))


def _height(character: Character, share: float) -> float:
    """Return the height of the highest part, m, of a body that ducks by a share, 0..1."""
    rotations = character.standing()[1].copy()
    for i, link in enumerate(character.links):
        if link.role in BENDS:
            rotations[i] = axis_angle_quaternion([0.0, 1.0, 0.0], share * math.radians(BENDS[link.role]))
        elif link.role.partition(".")[0] not in _LEGS:
            rotations[i] = rotations[link.parent]
    root = np.array((0.0, 0.0, character.stand_height - share * LOWER * character.leg_length))
    origins = character.forward_kinematics(root, rotations)
    tops = [
        at[2] - float(link.shape.lowest(-quaternion_matrix(turn)[2]))
        for at, turn, link in zip(origins, rotations, character.links, strict=True)
    ]
    return float(max(tops))


class Ducking:
    """How far one walk ducks under each thing above its way. ``command`` looks, once each control step."""

    def __init__(
        self, lintels: Sequence[Crossed], character: Character, hurdles: Sequence[Crossed] = ()
    ) -> None:  # fmt: skip
        """lintels: what is above the way. character: of reference size. hurdles: over which it goes as low as it is."""
        self._size = character.leg_length
        table = heights(character)
        self._lintels = [
            (lintel, _share(table, lintel.bottom - MARGIN * self._size), self._low(lintel, hurdles))
            for lintel in lintels
        ]
        self.leans = [
            (character.index(role), math.radians(bend)) for role, bend in BENDS.items() if character.has(role)
        ]
        """The links that lean as it ducks, and how far in full, rad."""
        self.share = 0.0
        """How far it ducks now, 0..1."""

    @property
    def lower(self) -> float:
        """How much lower the hips are carried now, m."""
        return self.share * LOWER * self._size

    def command(self, command: Command, state: BodyState) -> Command:
        """Look how far to duck now; return the command, slower where it is bent."""
        x, y, _ = state.origins[0].tolist()
        self.share = max(share * self._near(low, lintel.along(x, y)) for lintel, share, low in self._lintels)
        if not self.share:
            return command
        return replace(command, speed=min(command.speed, (1.0 - self.share) * command.speed + self.share * SPEED))

    def _low(self, lintel: Crossed, hurdles: Sequence[Crossed]) -> tuple[float, float]:
        """Return between which places of the path the hips are as low as a lintel needs them, m.

        A body does not bend while it steps over something: it is bent before, and stays so until both feet are over.
        """
        ramp, (before, after) = RAMP * self._size, (share * self._size for share in STEPPING)
        begin, end = lintel.near - BOWED * self._size, lintel.far + BEHIND * self._size
        beside = [one for one in hurdles if one.near - before < end + ramp and one.far + after > begin - ramp]
        return min([begin, *(one.near - before for one in beside)]), max([end, *(one.far + after for one in beside)])

    def _near(self, low: tuple[float, float], hips: float) -> float:
        begin, end = low
        before = (hips - (begin - RAMP * self._size)) / (RAMP * self._size)
        after = (end + RAMP * self._size - hips) / (RAMP * self._size)
        return min(max(min(before, after), 0.0), 1.0)


def _share(table: Array, height: float) -> float:
    """Return how far to duck, 0..1, for a height, m. table (LOOKS + 1,): see ``heights``."""
    low = np.flatnonzero(table <= height)
    return float(low[0]) / LOOKS if len(low) else 1.0
