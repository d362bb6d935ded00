"""A character's legs as controllers need them: where their links are, and their lengths."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...base.errors import DataError
from ...character.build import sole_of, toes_bend
from ...character.model import SIDES, Character
from .spans import Span, span_of

LEFT, RIGHT = 0, 1
_SAME = 1e-6  # m: a sole ends at the toes' joint, but for rounding
_PARTS = ("thigh", "shin", "foot", "toes")


@dataclass(frozen=True)
class Leg:
    """One leg: places of its links in the character; lengths, m, of the standing pose.

    thigh_length, shin_length: across the knee's axis; aside: how far the ankle is to the left of the hip, along it.
    ankle_height: of the ankle above the sole. heel (negative), toe: how far the sole that can bear weight
    reaches behind and before the ankle. half_width: of the sole. ball: how far before the ankle is what the foot rolls
    over: the toes' joint, or the tip of toes that do not bend, or the end of a sole that goes on ``beyond`` the joint.
    toe_length: from the joint to their tip. mass: of the whole leg, kg. apart: how far apart ankles are at least, by
    the skin: as feet pass, as legs stand.
    """

    thigh: int
    shin: int
    foot: int
    toes: int
    thigh_length: float
    shin_length: float
    aside: float
    ankle_height: float
    heel: float
    toe: float
    half_width: float
    ball: float
    toe_length: float
    mass: float
    apart: tuple[float, float] = (0.0, 0.0)
    beyond: float = 0.0

    @cached_property
    def span(self) -> Span:
        """What indexes all links of the leg."""
        return span_of(self.links)

    @cached_property
    def bones(self) -> Span:
        """What indexes thigh and shin."""
        return span_of((self.thigh, self.shin))

    @property
    def links(self) -> list[int]:
        """Places of all links of the leg."""
        return [self.thigh, self.shin, self.foot, self.toes]

    @property
    def length(self) -> float:
        """Hip to ankle, straight, m."""
        return self.thigh_length + self.shin_length

    @property
    def before_ball(self) -> float:
        """How far before what the foot rolls over the toes' tip is, m."""
        return self.toe_length - self.beyond

    @property
    def tip(self) -> float:
        """How far before the ankle the toes' tip is, m."""
        return self.ball + self.before_ball

    @property
    def middle(self) -> float:
        """How far halfway between heel and ball is before the ankle, m."""
        return 0.5 * (self.heel + self.ball)


def legs_of(character: Character) -> tuple[Leg, Leg]:
    """Return the left and the right leg. Raises DataError when a link of them is missing."""
    absent = [role for part in _PARTS for side in SIDES if not character.has(role := f"{part}.{side}")]
    if absent:
        raise DataError(f"The character {character.name!r} cannot walk without {', '.join(absent)}.")
    left, right = (_leg(character, side) for side in SIDES)
    return left, right


def _leg(character: Character, side: str) -> Leg:
    thigh, shin, foot, toes = (character.index(f"{part}.{side}") for part in _PARTS)
    toe, sole = character.links[toes].shape, sole_of(character, side)
    bends, joint = toes_bend(character, side), float(character.offsets[toes][0])
    ball = _ball(character, foot, joint) if bends else sole.toe
    return Leg(
        thigh, shin, foot, toes,
        thigh_length=float(np.linalg.norm(character.offsets[shin][[0, 2]])),
        shin_length=float(np.linalg.norm(character.offsets[foot][[0, 2]])),
        aside=float(character.offsets[shin][1] + character.offsets[foot][1]),
        ankle_height=character.stand_height + sum(float(character.offsets[i][2]) for i in (thigh, shin, foot)),
        heel=sole.heel,
        toe=sole.toe,
        half_width=sole.half_width,
        ball=ball,
        toe_length=toe.center[0] + toe.half[0] if bends else 0.0,
        mass=float(character.masses[[thigh, shin, foot, toes]].sum()),
        apart=(character.feet_apart, character.legs_apart),
        beyond=ball - joint if bends else 0.0,
    )  # fmt: skip


def _ball(character: Character, foot: int, joint: float) -> float:
    """Return how far before the ankle a foot rolls over its toes, m: at their joint, or at its sole's end beyond it.

    joint: how far before the ankle, m.
    """
    sole = character.links[foot].shape
    front = sole.center[0] + sole.half[0]
    return front if front - joint > _SAME else joint
