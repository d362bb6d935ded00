"""How fast a body of a certain size and build walks by itself."""

from __future__ import annotations

import math

from .model import SIDES, Character
from .reference import REFERENCE_LEG

_WIDE = 0.15  # of the leg: half the breadth of hips from which a body walks slower
_SLOWEST = 0.7
_HEAVY = 0.15  # of the body's mass: a pelvis that carries more is swung with every step
_HEAVY_SLOPE = 3.2
_HEAVIEST = 0.55


def natural_speed(character: Character, adult: float) -> float:
    """Return the speed, m/s, at which a character walks as an adult does at ``adult`` m/s.

    Speeds grow with the square root of the leg: Froude's number v^2 / (g l) stays the same.
    """
    return adult * math.sqrt(character.leg_length / REFERENCE_LEG) * ease(character)


def ease(character: Character) -> float:
    """Return by what factor a character's build makes it slower, 1 for people.

    Hips that are wider than people's do: swinging the legs so far beside the middle turns the whole body. So does a
    pelvis that carries a tail, or all of the body.
    """
    left, right = (float(character.offsets[character.index(f"thigh.{side}")][1]) for side in SIDES)
    hips = 0.5 * abs(left - right) / character.leg_length
    wide = max(1.0 - max(hips - _WIDE, 0.0), _SLOWEST)
    carried = character.links[character.index("pelvis")].mass / character.mass
    return wide * max(1.0 - _HEAVY_SLOPE * max(carried - _HEAVY, 0.0), _HEAVIEST)
