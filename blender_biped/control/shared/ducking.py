"""Ducking under what is above the way (Coros 2010, section 5.2): the body bends as a linear function of the distance.

Trunk, pelvis and head bend forward and the hips are carried lower, so far that the highest part of the body passes. It
does not touch how the legs step, so a walk may duck under one thing while it steps over another. Where along the way it
has to be low follows from how far the body reaches ahead of its hips, and behind them, at each share of bending.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from ...base.spatial import Array, axis_angle_quaternion, quaternion_matrix
from ...character.figure import stature
from ...character.model import Character
from ...world.obstacles import Crossed, Ducks
from .state import BodyState
from .steering import Command

BENDS = {"pelvis": 30.0, "abdomen": 65.0, "chest": 90.0, "head": 70.0}
"""Degrees by which a body that ducks in full is bent forward, in the heading frame."""
LOWER = 0.18  # of the leg's length by which hips are lower then
MARGIN = 0.04  # of the leg's length between the highest part and what is above
DEEPEST = 0.7  # of its standing height: lower it does not duck
LOOKS = 20  # at how it ducks, between not at all and in full
SPARE = 0.08  # of the leg's length that it is low before what is above comes near, and still is behind it
RAMP = 0.8  # of the leg's length over which it bends, and rises again
STEPPING = (0.65, 0.55)
"""Of the leg's length that hips are before and behind what is stepped over as that begins and ends."""
SPEED = 0.45  # m/s, of a body that is bent in full
_LEGS = ("thigh", "shin", "foot", "toes")


@dataclass(frozen=True)
class Outline:
    """How far the parts of a body reach, L of them, as it ducks, from not at all (first) to in full (last).

    tops (LOOKS + 1, L): heights, m. ahead, behind (LOOKS + 1, L): the foremost and hindmost of each part, m ahead of
    the hips.
    """

    tops: Array
    ahead: Array
    behind: Array

    def reach(self, height: float, share: float, ramp: float) -> tuple[float, float]:
        """Return how far before and behind what leaves a height, m, the hips of a body are to be bent by a share.

        Before it as the body bends over the way ``ramp``, m, behind it as it rises over as much: no part that is too
        high where it stands comes under it sooner.
        """
        high = self.tops[0] > height
        if not high.any() or not share:
            return 0.0, 0.0
        looks = round(share * LOOKS) + 1
        still = ramp * (1.0 - np.linspace(0.0, 1.0, looks))  # m of way on which it bends farther
        ahead, behind = self.ahead[:looks, high].max(axis=1), self.behind[:looks, high].min(axis=1)
        return float((ahead - still).max()), float((-behind - still).max())


@lru_cache(maxsize=4)
def outline(character: Character) -> Outline:
    """Return how far a character's parts reach as it ducks."""
    found = [_reaches(character, share) for share in np.linspace(0.0, 1.0, LOOKS + 1).tolist()]
    tops, ahead, behind = (np.array(rows) for rows in zip(*found, strict=True))
    return Outline(tops, ahead, behind)


def heights(character: Character) -> Array:
    """Return how tall a character is (LOOKS + 1,), m, from standing (first) to ducked in full (last)."""
    return np.asarray(outline(character).tops.max(axis=1))


def headroom(character: Character) -> float:
    """Return the height, m, of what a character passes upright."""
    return stature(character) + MARGIN * character.leg_length


def ducks(character: Character) -> Ducks:
    """Return how a character ducks: under nothing lower than DEEPEST of its own height."""
    own, size = outline(character), character.leg_length
    table = own.tops.max(axis=1)

    def way(height: float) -> tuple[float, float]:
        _, before, behind = _bent(own, height, size)
        return before + RAMP * size, behind + RAMP * size

    return Ducks(max(float(table.min()) + MARGIN * size, DEEPEST * float(table[0])), way)


def _reaches(character: Character, share: float) -> tuple[Array, Array, Array]:
    """Return tops, foremost and hindmost (L,), m, of the parts of a body that ducks by a share, 0..1."""
    rotations = character.standing()[1].copy()
    for i, link in enumerate(character.links):
        if link.role in BENDS:
            rotations[i] = axis_angle_quaternion([0.0, 1.0, 0.0], share * math.radians(BENDS[link.role]))
        elif link.part not in _LEGS:
            rotations[i] = rotations[link.parent]
    root = np.array((0.0, 0.0, character.stand_height - share * LOWER * character.leg_length))
    origins = character.forward_kinematics(root, rotations)
    found = np.array([
        (at[2] - link.shape.lowest(-axes[2]), at[0] - link.shape.lowest(-axes[0]), at[0] + link.shape.lowest(axes[0]))
        for at, axes, link in zip(origins, quaternion_matrix(rotations), character.links, strict=True)
    ])  # fmt: skip
    return found[:, 0], found[:, 1], found[:, 2]


class Ducking:
    """How far one walk ducks under each thing above its way. ``command`` looks, once each control step."""

    def __init__(
        self, beams: Sequence[Crossed], character: Character, hurdles: Sequence[Crossed] = ()
    ) -> None:  # fmt: skip
        """beams: what is above the way. character: of reference size. hurdles: over which it goes as low as it is."""
        self._size = character.leg_length
        self._outline = outline(character)
        self._beams = [(beam, *self._low(beam, hurdles)) for beam in beams]
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
        near = (share * self._near(low, beam.along(x, y)) for beam, share, low in self._beams)
        self.share = max(near, default=0.0)
        if not self.share:
            return command
        return replace(command, speed=min(command.speed, (1.0 - self.share) * command.speed + self.share * SPEED))

    def _low(self, beam: Crossed, hurdles: Sequence[Crossed]) -> tuple[float, tuple[float, float]]:
        """Return how far to duck under a beam, 0..1, and between which places of the path hips are as low, m.

        A body does not bend while it steps over something: it is bent before, and
        stays so until both feet are over.
        """
        ramp, (before, after) = RAMP * self._size, (share * self._size for share in STEPPING)
        share, ahead, behind = _bent(self._outline, beam.bottom, self._size)
        begin, end = beam.near - ahead, beam.far + behind
        beside = [one for one in hurdles if one.near - before < end + ramp and one.far + after > begin - ramp]
        low = min([begin, *(one.near - before for one in beside)]), max([end, *(one.far + after for one in beside)])
        return share, low

    def _near(self, low: tuple[float, float], hips: float) -> float:
        begin, end = low
        before = (hips - (begin - RAMP * self._size)) / (RAMP * self._size)
        after = (end + RAMP * self._size - hips) / (RAMP * self._size)
        return min(max(min(before, after), 0.0), 1.0)


class NoDucking:
    """A walk under nothing: it stays upright."""

    leans: Sequence[tuple[int, float]] = ()
    share = lower = 0.0

    def command(self, command: Command, state: BodyState) -> Command:
        """Return the command as it is."""
        return command


def _bent(own: Outline, bottom: float, size: float) -> tuple[float, float, float]:
    """Return how far to duck, 0..1, under what leaves ``bottom``, m, and how far before and behind it to be bent so, m.

    size: length of the leg, m.
    """
    height = bottom - MARGIN * size
    low = np.flatnonzero(own.tops.max(axis=1) <= height)
    share = float(low[0]) / LOOKS if len(low) else 1.0
    ahead, behind = own.reach(height, share, RAMP * size)
    return share, ahead + SPARE * size, behind + SPARE * size
