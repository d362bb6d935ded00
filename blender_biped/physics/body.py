"""A body in the engine as a walk has it, in whatever units."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from ..base.spatial import Array
from ..control.shared.grips import Grip
from ..control.shared.state import BodyState


class Body(Protocol):
    """A body in the engine, in its own units. See ``Engine`` for what each method does."""

    @property
    def time(self) -> float:
        """S since it began."""

    @property
    def last(self) -> BodyState:
        """What ``state`` has returned last."""

    def state(self) -> BodyState:
        """Return the body's state now."""

    def pose(self) -> tuple[Array, Array]:
        """Return the mid-hip (3,) and the orientation of each link (L, 4) in the last state."""

    def place(self, origins: Array, rotations: Array, velocity: Sequence[float] = (0.0, 0.0, 0.0)) -> None:
        """Put the body in a pose."""

    def apply(self, torques: Array, matrices: Array) -> Array:
        """Set each joint's torque (L, 3); return what its axes let through."""

    def again(self) -> None:
        """Apply the last torques for the next physics step, too."""

    def push(self, link: int, force: Sequence[float], point: Sequence[float] | None = None) -> None:
        """Apply a force on a link for the next physics step."""

    def touched(self) -> bool:
        """Return whether a companion has pushed the body."""

    def touch_itself(self) -> None:
        """Let links touch each other from now on."""

    def deep(self) -> float:
        """Return how deep it is in any thing or companion."""

    def things(self) -> Array:
        """Return place and orientation of each prop's frame now: (P, 7)."""

    def grip(self, grips: Sequence[Grip]) -> None:
        """Let links hold props from now on."""

    def steady(self) -> None:
        """Apply what hands twist a prop with."""

    def blow(self, time: float) -> None:
        """Apply what winds do."""

    def step(self) -> None:
        """Advance by one control step."""

    def tried(self, run: Callable[[], None]) -> None:
        """Call ``run``, and put the world back as it was."""
