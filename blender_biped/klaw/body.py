"""A character in the sagittal plane: lengths, masses and inertias of the dynamic models (Bruderlin 1988, appendix B).

All at reference size: a body of 1.8 m and 75 kg, for which the constants of the models are made.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..base.errors import DataError
from ..base.spatial import Array
from ..character.build import toes_bend
from ..character.model import SIDES, Character
from ..character.reference import GRAVITY

HEIGHT, MASS = 1.8, 75.0
LEG_SHARE = 0.53
"""Leg length over body height (Drillis and Contini 1966), as for measures."""

_PARTS = ("thigh", "shin", "foot", "toes")
_TRUNK_RANGE = (0.25, 1.5)  # of the thesis's upper body: r2 and gyration beyond make no balance


class Plane(NamedTuple):
    """Lengths m, masses kg, inertias kg m2 in the thesis's numbering (table B-1): 1 leg, 2 upper body, 3 thigh, 4 shin.

    l0: between the hips. l3, l4: thigh, shin. l5: ankle to ball, l6: ball to tip, level; l8: heel behind the ankle;
    l9: ankle above the sole; l7: ball below the ankle; breadth: of a sole; apart: between the ankles as it stands.
    r1 from the distal, the others from the proximal end.
    """

    l0: float
    l1: float
    l3: float
    l4: float
    l5: float
    l6: float
    l7: float
    l8: float
    l9: float
    m1: float
    m2: float
    m3: float
    m4: float
    r1: float
    r2: float
    r3: float
    r4: float
    i1: float
    i2: float
    i3: float
    i4: float
    breadth: float
    apart: float

    @property
    def stance(self) -> tuple[float, float, float, float, float, float]:
        """m1, m2, r1, r2, I1, I2."""
        return self[9], self[10], self[13], self[14], self[17], self[18]


@dataclass(frozen=True)
class Scale:
    """How much larger a character's lengths, m, and times, s, are than those at reference size."""

    length: float
    time: float

    @property
    def speed(self) -> float:
        """Of speeds."""
        return self.length / self.time


REFERENCE = Scale(1.0, 1.0)
"""That of the body that the models are made for."""


def scale_of(character: Character, gravity: float) -> Scale:
    """Return a character's size: walks of one shape are alike when times go with the root of length over gravity."""
    length = character.leg_length / (LEG_SHARE * HEIGHT)
    return Scale(length, math.sqrt(length * GRAVITY / gravity))


def plane_of(character: Character, length: float) -> Plane:
    """Return the body in the plane at reference size; length: the character's scale. Its legs are taken as their mean.

    Raises DataError when a link of the legs is missing.
    """
    absent = [role for part in _PARTS for side in SIDES if not character.has(role := f"{part}.{side}")]
    if absent:
        raise DataError(f"The character {character.name!r} cannot walk without {', '.join(absent)}.")
    unit = MASS / character.mass
    both = [_leg(character, side, length, unit) for side in SIDES]
    leg = {name: 0.5 * (both[0][name] + both[1][name]) for name in both[0]}
    l1, m1 = leg["l3"] + leg["l4"], leg["m3"] + leg["m4"]
    r34 = (leg["m3"] * leg["r3"] + leg["m4"] * (leg["l3"] + leg["r4"])) / m1
    i1 = leg["i3"] + leg["i4"] + leg["m3"] * (r34 - leg["r3"]) ** 2 + leg["m4"] * (leg["l3"] + leg["r4"] - r34) ** 2
    m2, r2, i2 = _upper(character, length, unit)
    hips = [character.offsets[character.index(f"thigh.{side}")][1] for side in SIDES]
    l0 = max(float(hips[0] - hips[1]) / length, 0.01)
    ankles = [character.standing()[0][character.index(f"foot.{side}"), 1] for side in SIDES]
    apart = float(ankles[0] - ankles[1]) / length
    return Plane(l0=l0, apart=apart, l1=l1, m1=m1, m2=m2, r1=l1 - r34, r2=r2, i1=i1, i2=i2, **leg)


def _leg(character: Character, side: str, length: float, unit: float) -> dict[str, float]:
    thigh, shin, foot, toes = (character.index(f"{part}.{side}") for part in _PARTS)
    offsets = character.offsets / length
    sole, tip = (character.links[i].shape for i in (foot, toes))
    ball = float(offsets[toes][0])
    ankle = float(character.standing()[0][foot, 2]) / length
    joint = float(character.standing()[0][toes, 2]) / length
    front = ball + (tip.center[0] + tip.half[0]) / length
    if not toes_bend(character, side):  # the foot is one piece and rolls over its tip
        ball, joint = front, 0.0
    # The shin's own properties include the foot, as the thesis has it.
    masses = unit * character.masses[[shin, foot, toes]]
    hang = np.array([character.coms[shin], *(character.coms[i] for i in (foot, toes))]) / length
    hang[1:] += offsets[foot]
    hang[2] += offsets[toes]
    down = -hang[:, 2]
    r4 = float(masses @ down / masses.sum())
    inertias = np.array([character.links[i].inertia[1] for i in (shin, foot, toes)]) * unit / length**2
    i4 = float(inertias.sum() + masses @ ((down - r4) ** 2 + hang[:, 0] ** 2))
    return {
        "l3": float(np.linalg.norm(offsets[shin][[0, 2]])), "l4": float(np.linalg.norm(offsets[foot][[0, 2]])),
        "l5": ball, "l6": max(front - ball, 0.0), "l7": ankle - joint,
        "l8": -(sole.center[0] - sole.half[0]) / length, "l9": ankle, "breadth": 2.0 * sole.half[1] / length,
        "m3": unit * float(character.masses[thigh]), "m4": float(masses.sum()),
        "r3": -float(character.coms[thigh][2]) / length, "r4": r4,
        "i3": unit / length**2 * character.links[thigh].inertia[1], "i4": i4,
    }  # fmt: skip


def _upper(character: Character, length: float, unit: float) -> tuple[float, float, float]:
    """Return mass, height of its centre above the hips, and inertia about that, of all that the legs carry."""
    legs = {character.index(f"{part}.{side}") for part in _PARTS for side in SIDES}
    own = [i for i in range(len(character.links)) if i not in legs]
    coms: Array = character.com_positions(*character.standing())[own] / length
    coms[:, 2] -= character.stand_height / length
    masses = unit * character.masses[own]
    mass = float(masses.sum())
    middle = masses @ coms / mass
    around = masses @ ((coms - middle)[:, [0, 2]] ** 2).sum(axis=1)
    around += sum(unit / length**2 * character.links[i].inertia[1] for i in own)
    usual = 0.235 * HEIGHT
    r2 = min(max(float(middle[2]), _TRUNK_RANGE[0] * usual), _TRUNK_RANGE[1] * usual)
    gyration = min(max(math.sqrt(float(around) / mass), _TRUNK_RANGE[0] * usual), _TRUNK_RANGE[1] * usual)
    return mass, r2, mass * gyration**2
