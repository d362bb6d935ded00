"""One control step as a walk sees it: the state of the body, what is commanded, and its centre of mass."""

from __future__ import annotations

from dataclasses import dataclass

from .state import BodyState
from .steering import Command

Vector = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Instant:
    """The body and its command at one time. com, velocity (3,): of the body's centre of mass, world, m and m/s."""

    state: BodyState
    command: Command
    com: Vector
    velocity: Vector
