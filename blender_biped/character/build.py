"""What of a body's build makes it easy or hard to balance, beside the standard adult's."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from .model import SIDES, Character
from .standard import standard_character

_WIDE = 1.25  # times the standard adult's breadth of hips: what people have at most
_SHORT, _LONG = 0.75, 1.25  # of the standard adult's soles: what people, and their rigs, have at least and at most


@dataclass(frozen=True)
class SoleSize:
    """The sole that can bear weight, m: heel (negative) and toe before the ankle, half its breadth."""

    heel: float
    toe: float
    half_width: float


def toes_bend(character: Character, side: str) -> bool:
    """Return whether a foot has toes that bend: else it is one piece, and rolls over its tip. side: of SIDES."""
    role = f"toes.{side}"
    return character.has(role) and character.links[character.index(role)].joint != "fixed"


def sole_of(character: Character, side: str) -> SoleSize:
    """Return the sole of a foot. side: of SIDES."""
    foot, toes = (character.index(f"{part}.{side}") for part in ("foot", "toes"))
    sole, toe = character.links[foot].shape, character.links[toes].shape
    bearing = 0.5 if toes_bend(character, side) else 1.0  # toes that bend give way: half of them bear
    return SoleSize(
        heel=sole.center[0] - sole.half[0],
        toe=float(character.offsets[toes][0]) + bearing * (toe.center[0] + toe.half[0]),
        half_width=sole.half[1] if sole.kind == "box" else sole.half[1] + sole.radius,
    )


@dataclass(frozen=True)
class Build:
    """How a body differs from people in what its balance depends on; 1 for people.

    wide: breadth of the hips beside the widest that people have, 1 or more. tall: height of the standing body's centre
    of mass, in legs, beside the standard adult's, 1 or more. short, narrow: length and breadth of the soles, in legs,
    beside the smallest that people have, 1 or less. long, broad: the same beside the largest, 1 or more.
    """

    wide: float
    tall: float
    short: float
    narrow: float
    long: float
    broad: float


PEOPLE = Build(wide=1.0, tall=1.0, short=1.0, narrow=1.0, long=1.0, broad=1.0)


def build_of(character: Character) -> Build:
    """Return a body's build; one without two feet stands on what people have."""
    hips, height, length, breadth = _shares(character)
    usual_hips, usual_height, usual_length, usual_breadth = _usual()
    return Build(
        wide=max(hips / (_WIDE * usual_hips), 1.0),
        tall=max(height / usual_height, 1.0),
        short=min(length / (_SHORT * usual_length), 1.0),
        narrow=min(breadth / (_SHORT * usual_breadth), 1.0),
        long=max(length / (_LONG * usual_length), 1.0),
        broad=max(breadth / (_LONG * usual_breadth), 1.0),
    )


def _shares(character: Character) -> tuple[float, float, float, float]:
    """Return the hips' breadth, the height of the centre of mass, length and breadth of the soles, of the leg."""
    leg = character.leg_length
    left, right = (float(character.offsets[character.index(f"thigh.{side}")][1]) for side in SIDES)
    coms = character.com_positions(*character.standing())
    height = float(character.masses @ coms[:, 2]) / character.mass
    if not all(character.has(f"{part}.{side}") for part in ("foot", "toes") for side in SIDES):
        return (abs(left - right) / leg, height / leg, *_usual()[2:])
    soles = [sole_of(character, side) for side in SIDES]
    length, breadth = min(s.toe - s.heel for s in soles), min(2.0 * s.half_width for s in soles)
    return abs(left - right) / leg, height / leg, length / leg, breadth / leg


@cache
def _usual() -> tuple[float, float, float, float]:
    return _shares(standard_character())
