"""Who walks: what the parts of a walk are made for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from ...character.model import Character
from .legs import Leg, legs_of


@dataclass(frozen=True)
class ControlledBody:
    """A character of reference size (see ``similarity``). gravity: m/s2. step: s between control steps."""

    character: Character
    gravity: float
    step: float

    @cached_property
    def legs(self) -> tuple[Leg, Leg]:
        """Left and right. Raises DataError for a body without such legs."""
        return legs_of(self.character)

    @cached_property
    def weight(self) -> float:
        """Of the body, N."""
        return self.character.mass * self.gravity
