"""Which bodies Natural walking may fall on by itself, by what is measured of them before the walk."""

from __future__ import annotations

from ...character.build import build_of, sole_of
from ...character.model import SIDES, Character
from ..shared.whole_body import held_turn, turning_back

LONG_SOLE, HIGH = 0.48, 1.05
"""Of the leg, and of people's centre of mass: longer soles below a higher body do not leave the next foot enough of a
step. Of bodies whose walks were measured, all with soles of 0.51 and more fell within 7 s, from 1.1 times people's
height on; none fell for soles of up to 0.45, and a low raptor with soles of 0.57 arrived."""

SWINGS = 20.0
"""How many times its own turn the upper body has to answer that of a leg as it swings: people's 2 to 7, as of trunks
that are as broad as their hips, however wide; one that is all hips has nothing but a head to turn, and fell."""

_TRY = "Try Three Strides before the bake, or choose Generalized Walking."


def doubt(character: Character) -> str:
    """Return why Natural walking may fall on a body by itself, and what to do; "" for one that it walks."""
    if not all(character.has(f"{part}.{side}") for part in ("thigh", "shin", "foot", "toes") for side in SIDES):
        return ""
    long = longest_sole(character)
    if long > LONG_SOLE and build_of(character).tall > HIGH:
        share = 100.0 * long
        return " ".join(
            (f"Natural Walking may fall: its feet are {share:.0f} % as long as its legs, below a high body.", _TRY)
        )
    if swing_turn(character) > SWINGS:
        return " ".join(("Natural Walking may fall: its hips are too wide for so light an upper body.", _TRY))
    return ""


def longest_sole(character: Character) -> float:
    """Return the length of the longer sole that can bear weight, in legs."""
    soles = [sole_of(character, side) for side in SIDES]
    return max(sole.toe - sole.heel for sole in soles) / character.leg_length


def swing_turn(character: Character) -> float:
    """Return what a leg that swings beside the middle turns the body with, beside what its upper body resists."""
    origins, _ = character.standing()
    legs = 0.0
    for side in SIDES:
        links = [character.index(f"{part}.{side}") for part in ("thigh", "shin", "foot", "toes")]
        aside = abs(float(origins[links[0]][1]))
        legs += 0.5 * float(character.masses[links].sum()) * aside * character.leg_length
    return legs / max(held_turn(character, turning_back(character))[0], 1e-9)
