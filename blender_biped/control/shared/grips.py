"""How hands hold things, as it is described to the physics."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Grip:
    """A link that holds a prop. link: of the character. arm: the links that do not push it about meanwhile.

    thing: which of the world's props. point (3,): where it holds it, in the link's frame, m. strength: N that it holds
    at most; 0 for one that only reaches for it. turns: whether it holds the prop's orientation too.
    levels: whether hands that hold it by points keep it level.
    """

    link: int
    arm: tuple[int, ...]
    thing: int
    point: tuple[float, float, float]
    strength: float = 0.0
    turns: bool = False
    levels: bool = True
