"""How a body is simulated: what may differ from one engine to another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..control.shared.clock import CONTROL_STEP, ITERATIONS

FOOT_FRICTION = 0.9
"""With the ground's 1.0: a rubber sole on a dry floor."""


@dataclass(frozen=True)
class EngineOptions:
    """How a body is simulated.

    step: s between control steps. iterations: of the contact solver in a step, at most. Both are those of a stage of
    its own; a stage that is shared has them already.
    friction: of all links; that of a contact is the product of both bodies'.
    planar: whether the body is kept in the vertical plane that it faces along where it is placed.
    ragdoll: whether its links can be let touch each other, see ``Engine.touch_itself``.
    fastest: of hinges and universal joints, by link and its axis, 0 x, 1 y: how fast a torque turns it at most, rad/s;
    beyond that it gives way, as a muscle does that shortens too fast.
    corners: whether soles touch the ground by their corners alone, all of them at once, where there is nothing but a
    flat ground: of a box and a plane PyBullet finds one more corner in each step, and a foot that comes down flat tips
    about the first one, and sinks in by the last ones. Companions do not meet these corners, between which a leg has
    room, but boxes: massless links, fixed to the soles.
    """

    step: float = CONTROL_STEP
    iterations: int = ITERATIONS
    friction: float = FOOT_FRICTION
    planar: bool = False
    ragdoll: bool = False
    fastest: Mapping[tuple[int, int], float] = field(default_factory=dict)
    corners: bool = False
