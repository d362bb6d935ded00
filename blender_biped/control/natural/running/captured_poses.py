"""How a body is held in each moment of a captured run's stride, at any speed, as far as its style says.

Its stride is the captured one; how far knees, heels, arms, trunk and shoulders go in it is scaled to what the style's
numbers say for the speed, as people's angles are (``poses``). At the captured speed, with the numbers that were found
in it, it is as it was captured. Its times go with those of the feet: what was held as a foot landed or left the ground
is held as one does.

Legs are so in the air alone, and near the captured speed: as they land and take off they do what the run's laws count
on, and a body that is slower has no time for what was captured at speed. Feet are bent as people's.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ....base.curves import eased, monotone, ramp
from ....base.spatial import Array, matrix_quaternion, rotation_vector, vector_matrix
from ....character.model import SIDES, Character
from ....motion.periodic import summed
from ...shared.legs import Leg
from ..steps.captured import Captured
from ..steps.run_settings import Running
from .angles import ANGLES, GRID, LEANS, People, turned
from .poses import PeoplesPoses

_LEAST = math.radians(4.0)  # that a part moves at least, for its way to be scaled
_SCALED = (0.4, 2.5)  # times that it is scaled, at least and at most
_AMID = math.radians(8.0)  # from the vertical, within which a thigh that is ahead and one that is behind go over
_MOST = 0.93  # of the range of a knee, that it is bent at most
_NEAR = 0.65, 0.95  # of the captured speed, from which legs begin to go as captured, and from which they do
_LEAVES, _LANDS = 0.25, 0.35  # shares of a swing in which they come to do so, and end
_APART = 0.02  # of the stride, between two of its events, at least
_LEAN = {"pelvis": 0.6, "abdomen": 1.0, "chest": 1.0, "head": 0.2}  # of how far the trunk leans, as in ``poses``


def captured_links(character: Character, captured: Captured, phases: Array) -> Array:
    """Return the links' orientations (T, L, 3, 3) in a captured stride, seen from where it goes, at phases (T,)."""
    rotations = np.tile(np.eye(3), (len(phases), len(character.links), 1, 1))
    for i, link in enumerate(character.links):
        turn = captured.joints.get(link.role)
        if turn:
            rotations[:, i] = vector_matrix(turn.mean) @ vector_matrix(summed(turn.waves, phases))
        if link.parent >= 0:
            rotations[:, i] = rotations[:, link.parent] @ rotations[:, i]
    return rotations


def ahead(rotations: Array) -> Array:
    """Return how far the lower ends of links (T, 3, 3) are ahead of the upper ones (T,), rad."""
    return np.arctan2(-rotations[:, 0, 2], rotations[:, 2, 2])


def faces(rotations: Array) -> Array:
    """Return how far links (T, 3, 3) are turned to the left (T,), rad."""
    return np.arctan2(rotations[:, 1, 0], rotations[:, 0, 0])


def bent(parent: Array, link: Array) -> Array:
    """Return the turn (T, 3), rad, of links (T, 3, 3) from their parents."""
    return rotation_vector(matrix_quaternion(np.swapaxes(parent, -1, -2) @ link))


@dataclass(frozen=True)
class CapturedFigures:
    """How far the parts of a body go in a captured stride.

    rotations (T, L, 3, 3): over it, at even phases.
    """

    character: Character
    rotations: Array

    @classmethod
    def of(cls, character: Character, captured: Captured) -> CapturedFigures:
        """Return those of a stride, on a body."""
        phases = np.arange(GRID) / GRID
        return cls(character, captured_links(character, captured, phases))

    def _roles(self, part: str) -> list[int]:
        names = [f"{part}.{side}" for side in SIDES] if not self.character.has(part) else [part]
        return [self.character.index(name) for name in names if self.character.has(name)]

    def _each(self, part: str) -> list[Array]:
        return [self.rotations[:, i] for i in self._roles(part)]

    @cached_property
    def thigh(self) -> float:
        """How far thighs are ahead of the vertical at most, rad."""
        return _mean([float(ahead(turns).max()) for turns in self._each("thigh")])

    @cached_property
    def behind(self) -> float:
        """How far they are behind it at most, rad."""
        return _mean([-float(ahead(turns).min()) for turns in self._each("thigh")])

    @cached_property
    def knee(self) -> float:
        """How far knees are bent at most, rad."""
        return _mean([float(np.linalg.norm(turns, axis=1).max()) for turns in self._bends("shin")])

    @cached_property
    def arm(self) -> float:
        """How far arms swing each way, rad."""
        return _mean([0.5 * float(np.ptp(ahead(turns))) for turns in self._each("upper_arm")])

    @cached_property
    def elbow(self) -> float:
        """How far elbows are bent on average, rad."""
        return _mean([float(np.linalg.norm(turns, axis=1).mean()) for turns in self._bends("forearm")])

    @cached_property
    def lean(self) -> float:
        """How far the trunk leans ahead on average, rad."""
        part = "chest" if self.character.has("chest") else "pelvis"
        return -float(ahead(self._each(part)[0]).mean())

    @cached_property
    def twist(self) -> float:
        """How far shoulders and hips turn against each other each way, rad."""
        if not self.character.has("chest"):
            return 0.0
        return 0.5 * float(np.ptp(faces(self._each("chest")[0]) - faces(self._each("pelvis")[0])))

    def _bends(self, part: str) -> list[Array]:
        """Return the turns (T, 3) of both limbs' part from the one above it, rad."""
        links = self.character.links
        return [bent(self.rotations[:, links[i].parent], self.rotations[:, i]) for i in self._roles(part)]


def _mean(values: list[float]) -> float:
    return sum(values) / len(values) if values else 0.0


class CapturedPoses:
    """The poses of one body in a captured run at a speed."""

    def __init__(
        self, character: Character, legs: tuple[Leg, Leg], own: Running, captured: Captured, peoples: PeoplesPoses,
    ) -> None:  # fmt: skip
        """peoples: the poses that it has where nothing was captured: at the same speed."""
        self._character, self._legs, self._own, self._peoples = character, legs, own, peoples
        self._people, self._then = peoples.people, People(captured.speed)
        self._near = own.legs * ramp(peoples.people.speed / captured.speed, *_NEAR)
        self._found = CapturedFigures.of(character, captured)
        stance, self._stride = peoples.timing.stance, np.linspace(0.0, 1.0, GRID + 1)
        self._rotations = captured_links(character, captured, _phases(captured, stance, self._stride))

    def rotations(self, more: float) -> Array:
        """Return the links' orientations (GRID + 1, L, 3, 3). more: 0..1, how far arms and chest go beyond that."""
        own, before, found = self._own, self._rotations, self._rotations.copy()
        arms = self._times(own.arms * self._people(ANGLES.arm), self._found.arm)
        arms *= 1.0 + more * (ANGLES.arms_more - 1.0)
        elbows = self._times(math.radians(own.elbows), self._found.elbow)
        twist = self._times(own.twist * (1.0 + ANGLES.chest) * self._people(ANGLES.twist), self._found.twist)
        turning = {"pelvis": twist, "chest": twist * (1.0 + more * (ANGLES.chest_more / ANGLES.chest - 1.0))}
        lean = math.radians(own.lean) * min(self._people.speed / LEANS, 1.0) - self._found.lean
        for i, link in enumerate(self._character.links):
            turns, parent = before[:, i], link.parent
            if link.part in _LEAN:
                facing = faces(turns)
                aside = (turning.get(link.part, 1.0) - 1.0) * (facing - facing[:-1].mean())
                found[:, i] = turned(aside, 0.0, 0.0) @ turned(0.0, _LEAN[link.part] * lean, 0.0) @ turns
            elif link.part == "upper_arm":
                swings = ahead(turns)
                found[:, i] = turned(0.0, -(arms - 1.0) * (swings - swings[:-1].mean()), 0.0) @ turns
            elif parent >= 0:
                much = elbows if link.part == "forearm" else 1.0
                found[:, i] = found[:, parent] @ vector_matrix(much * bent(before[:, parent], turns))
        for side, leg in enumerate(self._legs):
            self._swing(side, leg, found, self._peoples.legs)
        return found

    def _swing(self, side: int, leg: Leg, found: Array, peoples: Array) -> None:
        """Fill in a leg, orientations (T, L, 3, 3): as far ahead, behind and bent as the style says. peoples: likewise.

        Knees are hinges, which they need not be in what was captured.
        """
        before, own = self._rotations, self._own
        on = self._times(own.knees * self._people(ANGLES.thigh), self._found.thigh)
        back = self._people(ANGLES.behind) / self._then(ANGLES.behind)
        heels = self._times(own.heels * self._people(ANGLES.knee), self._found.knee)
        at = ahead(before[:, leg.thigh])
        share = 0.5 + 0.5 * np.tanh(at / _AMID)
        knee = np.linalg.norm(bent(before[:, leg.thigh], before[:, leg.shin]), axis=1)
        ranges = self._character.joint_ranges(leg.shin)
        knee = np.minimum(heels * knee, _MOST * ranges[0][1] if ranges else np.inf)
        thigh = turned(0.0, -(back + (on - back) * share - 1.0) * at, 0.0) @ before[:, leg.thigh]
        shin = thigh @ turned(0.0, knee, 0.0)
        near = self._near * self._in_the_air(side)[:, None]
        for link, goal in ((leg.thigh, thigh), (leg.shin, shin)):
            usual = peoples[:, link]
            found[:, link] = usual @ vector_matrix(near * bent(usual, goal))
        for link in (leg.foot, leg.toes):
            found[:, link] = found[:, leg.shin] @ np.swapaxes(peoples[:, leg.shin], -1, -2) @ peoples[:, link]

    def _in_the_air(self, side: int) -> Array:
        """Return how far (T,), 0..1, a leg is amid its swing."""
        stance = self._peoples.timing.stance
        gone = ((self._stride - 0.5 * side) % 1.0 - stance) / (1.0 - stance)
        rises, falls = (np.clip(share, 0.0, 1.0) for share in (gone / _LEAVES, (1.0 - gone) / _LANDS))
        return np.asarray(eased(rises) * eased(falls))

    def _times(self, wanted: float, captured: float) -> float:
        """Return times that a part goes as far as captured, rad, for it to go as far as wanted."""
        if captured < _LEAST:
            return 1.0
        return min(max(wanted / captured, _SCALED[0]), _SCALED[1])


def _phases(captured: Captured, stance: float, stride: Array) -> Array:
    """Return the phases (T,) of a captured stride at shares of the stride that is run (T,).

    Feet land and leave the ground in both at once. stance: share of the stride for which a foot is down.
    """
    right, (left_lifts, right_lifts) = captured.right, captured.lifts
    first = min(max(left_lifts % 1.0, _APART), right - _APART)
    second = right + min(max((right_lifts - right) % 1.0, _APART), 1.0 - right - _APART)
    then = np.array([0.0, first, right, second])
    now = np.array([0.0, stance, 0.5, 0.5 + stance])
    around = [np.concatenate([values + turn for turn in (-1.0, 0.0, 1.0)] + [[2.0]]) for values in (now, then)]
    return np.asarray(monotone(around[0], around[1], stride))
