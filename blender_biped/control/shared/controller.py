"""What every controller is to the simulation."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping

import numpy as np

from ...base.spatial import Array
from ...character.model import Character
from .grips import Grip
from .standing import Mode
from .state import BodyState
from .steering import Command, SteeringSettings

Trial = Callable[[BodyState], Array | None]
"""Joint torques (L, 3) for a state of the body, as a controller's; None ends the trial."""
WhatIf = Callable[[Trial], None]
"""Runs the physics on from now with a trial's torques until it ends, then puts everything back as it was.

The first state that the trial is given is the present one.
"""

Props = Callable[[], Array]
"""Returns place (3,), m, and orientation (4,), w, x, y, z, of each prop's frame now: (P, 7)."""


def no_props() -> Array:
    """Return the props' places where there are none: (0, 7)."""
    return np.zeros((0, 7))


class Controller(ABC):
    """One character's walk. ``torques`` is called once each control step: most physics steps, see ``holds``."""

    character: Character

    strikes: list[tuple[float, int]]
    """Foot strikes: time, s, and side."""
    lifts: list[tuple[float, int]]
    """Toe-offs: time, s, and side."""
    what_if: WhatIf
    """Set before the first call of ``torques``."""
    props: Props = staticmethod(no_props)
    """Likewise, where there are any: where the props are now."""

    arms_down = True
    """Whether it begins with its arms straight down: set for want of room, before ``start`` is asked again."""

    _speed = 0.0  # m/s, of the centre of mass

    def start(self) -> tuple[Array, Array, tuple[float, float]]:
        """Return how it begins, facing x: link origins (L, 3), rotations (L, 4), velocity ahead and to the left, m/s.

        The lowest sole is on the ground at z = 0. Standing still, if it does not say otherwise.
        """
        origins, rotations = self.character.standing()
        return origins, rotations, (0.0, 0.0)

    @property
    def mode(self) -> Mode:
        """Whether it stands, shifts its weight, or walks: from the first moment on, if it does not say otherwise."""
        return "walk"

    @property
    def speed(self) -> float:
        """The speed of the centre of mass, m/s, as it was felt last."""
        return self._speed

    @property
    def walking(self) -> bool:
        """Whether it steps."""
        return self.mode == "walk"

    @property
    def resting(self) -> bool:
        """Whether it has walked and stands again."""
        return self.mode == "stand" and bool(self.strikes)

    @property
    def can_rest(self) -> bool:
        """Whether it can slow down and stand at a path's end. It can, if it does not say otherwise."""
        return True

    @property
    def can_wait(self) -> bool:
        """Whether it can stand now, amid a path, and walk on: who can rest can, if it does not say otherwise."""
        return self.can_rest

    @property
    def busy(self) -> bool:
        """Whether its hands have something to do where it stands, before it walks on or is done."""
        return False

    @property
    def grips(self) -> tuple[Grip, ...]:
        """What its hands hold now; the same object until that changes."""
        return ()

    @property
    def fastest(self) -> Mapping[tuple[int, int], float]:
        """How fast torques turn links at most, rad/s, by link and axis, 0 x, 1 y: of most, nothing."""
        return {}

    @property
    def facing(self) -> float:
        """Where it faces, rad to the left of where it travels."""
        return 0.0

    @property
    def perturbations(self) -> list[Array]:
        """What each step so far was changed by (N,), for a job that shall repeat them; of most, nothing."""
        return []

    @property
    @abstractmethod
    def steering(self) -> SteeringSettings:
        """The settings of its steering now."""

    @property
    def holds(self) -> bool:
        """Whether its torques may be held for one more physics step, in which it is not called..

        Its time goes on by two steps then.
        """
        return False

    def desired_speed(self, speed: float) -> float:
        """Return the speed, m/s, to walk at where the job desires ``speed``."""
        return speed

    @abstractmethod
    def torques(self, state: BodyState, command: Command) -> Array:
        """Return the torque of each link's joint on it (L, 3), world axes, N m."""
