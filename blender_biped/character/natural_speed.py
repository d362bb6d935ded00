"""How fast a body of a certain size and build walks by itself."""

from __future__ import annotations

import math

from .build import build_of
from .model import SIDES, Character

_WIDE = 0.15  # of the leg: half the breadth of hips from which a body walks slower
_WIDE_SLOPE = 0.75  # exponent, as that of the soles: searched on random builds (``tools.trials.builds``)
_HEAVY = 0.15  # of the body's mass: a pelvis that carries more is swung with every step
_HEAVY_SLOPE = 3.2
_HEAVIEST = 0.55
_SHORT_SOLES = 1.0  # exponent


def natural_speed(character: Character, adult: float) -> float:
    """Return the speed, m/s, at which a character walks as an adult does at ``adult`` m/s.

    Speeds grow with the square root of the leg: Froude's number v^2 / (g l) stays the same.
    """
    return adult * math.sqrt(character.size) * ease(character)


def ease(character: Character) -> float:
    """Return by what factor a character's build makes it slower, 1 for people.

    Hips that are wider than people's do: swinging the legs so far beside the middle turns the whole body. So does a
    pelvis that carries a tail, or all of the body. Soles that are shorter than people's catch less of a step. A
    pendulum that is higher than people's over legs of the same length takes longer for the same step, by its square
    root.
    """
    build = build_of(character)
    left, right = (float(character.offsets[character.index(f"thigh.{side}")][1]) for side in SIDES)
    hips = 0.5 * abs(left - right) / character.leg_length
    wide = max(hips / _WIDE, 1.0) ** -_WIDE_SLOPE
    carried = character.links[character.index("pelvis")].mass / character.mass
    heavy = max(1.0 - _HEAVY_SLOPE * max(carried - _HEAVY, 0.0), _HEAVIEST)
    return wide * heavy * build.short**_SHORT_SOLES / math.sqrt(build.tall)
