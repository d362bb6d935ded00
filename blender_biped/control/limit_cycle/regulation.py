"""Regulation variables: what of a body's state a step is balanced by (Laszlo 1996, section 3.5).

Each is a component of a unit vector's projection on the ground: the up vector of a link, or the vector from the swing
or the stance foot to the centre of mass. Forward is across the line that joins the hips. Beyond the thesis: the vector
from the swing foot to the capture point (Hof 2008), which knows how fast the body moves.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from ...base.errors import DataError
from ...character.model import SIDES, Character
from ...character.reference import GRAVITY
from ..shared.legs import LEFT, RIGHT
from ..shared.state import BodyState

VECTORS = ("up", "swing", "stance", "capture")
AXES = ("forward", "aside")


@dataclass(frozen=True)
class Variable:
    """One regulation variable: a weighted sum of vectors' components; one of weight 1 in the thesis.

    weights: of each of VECTORS. axis: 0 forward, 1 aside, to the swing leg's other side. link: whose up vector.
    """

    weights: tuple[float, ...]
    axis: int
    link: str


def variable(weights: Mapping[str, float], axis: str, link: str) -> Variable:
    """Return the variable of some weights of VECTORS, one of AXES, and a link. Raises DataError for no weights."""
    if not weights:
        raise DataError(f"preset.values.balance: a regulation variable needs weights of {', '.join(VECTORS)}.")
    return Variable(tuple(weights.get(name, 0.0) for name in VECTORS), AXES.index(axis), link)


class Observer:
    """Reads the variables of one character."""

    def __init__(self, character: Character) -> None:
        """Raises DataError for a body without thighs or feet."""
        for part in ("thigh", "foot"):
            for side in SIDES:
                if not character.has(f"{part}.{side}"):
                    raise DataError(f"The character {character.name!r} cannot walk without {part}.{side}.")
        self._character = character
        self._shares = character.masses / character.mass
        self._thighs = [character.index(f"thigh.{side}") for side in SIDES]
        self._feet = [character.index(f"foot.{side}") for side in SIDES]
        self._vectors = (self._up, self._swing, self._stance, self._capture)
        self._drops = [_sole_below(character, foot) for foot in self._feet]

    def heading(self, state: BodyState) -> float:
        """Return where the hips face, rad."""
        left, right = state.origins[self._thighs[LEFT]].tolist(), state.origins[self._thighs[RIGHT]].tolist()
        return math.atan2(right[0] - left[0], left[1] - right[1])

    def com(self, state: BodyState) -> list[float]:
        """Return the centre of mass (3,), m."""
        found: list[float] = (self._shares @ state.coms).tolist()
        return found

    def speed(self, state: BodyState) -> float:
        """Return the speed of the centre of mass, m/s."""
        x, y, z = (self._shares @ state.velocities).tolist()
        return math.sqrt(x * x + y * y + z * z)

    def value(self, variable: Variable, state: BodyState, stance: int) -> float:
        """Return a variable now. stance: the leg of the step that ends; aside is to the left of a left one."""
        total = 0.0
        for weight, vector in zip(variable.weights, self._vectors, strict=True):
            if weight:
                total += weight * self._component(vector(variable, state, stance), variable, state, stance)
        return total

    def _component(self, vector: list[float], variable: Variable, state: BodyState, stance: int) -> float:
        x, y, z = vector
        length = math.sqrt(x * x + y * y + z * z) or 1.0
        angle = self.heading(state)
        c, s = math.cos(angle), math.sin(angle)
        if variable.axis == 0:
            return (x * c + y * s) / length
        return (-x * s + y * c) / length * (1.0 if stance == LEFT else -1.0)

    def _up(self, variable: Variable, state: BodyState, stance: int) -> list[float]:
        role = variable.link if self._character.has(variable.link) else "pelvis"
        found: list[float] = state.matrices[self._character.index(role), :, 2].tolist()
        return found

    def _swing(self, variable: Variable, state: BodyState, stance: int) -> list[float]:
        return self._from_foot(state, LEFT + RIGHT - stance)

    def _stance(self, variable: Variable, state: BodyState, stance: int) -> list[float]:
        return self._from_foot(state, stance)

    def _capture(self, variable: Variable, state: BodyState, stance: int) -> list[float]:
        """Return the vector (3,) from the swing foot to where the body, falling over it, would come to rest, m."""
        x, y, z = self._from_foot(state, LEFT + RIGHT - stance)
        u, v, _ = (self._shares @ state.velocities).tolist()
        time = math.sqrt(max(z, 0.0) / GRAVITY)
        return [x + u * time, y + v * time, z]

    def _from_foot(self, state: BodyState, side: int) -> list[float]:
        """Return the vector (3,) from a foot's point below its ankle to the centre of mass, m."""
        foot = self._feet[side]
        sole = (state.origins[foot] - self._drops[side] * state.matrices[foot][:, 2]).tolist()
        return [a - b for a, b in zip(self.com(state), sole, strict=True)]


def _sole_below(character: Character, foot: int) -> float:
    """Return how far the sole is below a foot's joint in the standing pose, m."""
    return float(character.standing()[0][foot, 2])
