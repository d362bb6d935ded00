"""What every controller is to the simulation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from ...base.spatial import Array
from .state import BodyState
from .steering import Command

Trial = Callable[[BodyState], Array | None]
"""Joint torques (L, 3) for a state of the body, as a controller's; None ends the trial."""
WhatIf = Callable[[Trial], None]
"""Runs the physics on from now with a trial's torques until it ends, then puts everything back as it was.

The first state that the trial is given is the present one.
"""


class Controller(Protocol):
    """One character's walk. ``torques`` is called once each control step."""

    strikes: list[tuple[float, int]]
    """Foot strikes: time, s, and side."""
    lifts: list[tuple[float, int]]
    """Toe-offs: time, s, and side."""

    @property
    def speed(self) -> float:
        """The speed of the centre of mass, m/s."""

    @property
    def walking(self) -> bool:
        """Whether it steps."""

    @property
    def resting(self) -> bool:
        """Whether it has walked and stands again."""

    @property
    def can_rest(self) -> bool:
        """Whether it can slow down and stand at a path's end."""

    @property
    def facing(self) -> float:
        """Where it faces, rad to the left of where it travels."""

    @property
    def steering(self) -> Mapping[str, Any]:
        """The settings of its steering now."""

    def desired_speed(self, speed: float) -> float:
        """Return the speed, m/s, to walk at for a commanded one."""

    def torques(self, state: BodyState, command: Command) -> Array:
        """Return the torque of each link's joint on it (L, 3), world axes, N m."""
