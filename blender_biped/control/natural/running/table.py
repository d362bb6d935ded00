"""The table that a body is held by over a running stride: people's poses, or those of a captured run."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ....base.spatial import Array
from ....character.model import Character
from ...shared.legs import Leg
from ..steps.run_settings import Running
from ..steps.step_table import rates_of
from .angles import GRID
from .balance import countering, turning_of
from .captured_poses import CapturedPoses
from .poses import PeoplesPoses
from .timing import RunTiming

SOFTENED = 3  # times that accelerations follow their neighbours


@dataclass(frozen=True)
class RunTable:
    """A stride over its share, 0 as the left foot lands; GRID + 1 samples; see ``StepTable`` for what they are.

    Seen from where the body faces. For a stride a second.
    """

    rotations: Array
    angular_velocities: Array
    angular_accelerations: Array

    def at(self, stride: float) -> tuple[Array, Array, Array]:
        """Return rotations (L, 3, 3), rates and accelerations (L, 3) at a share of a stride."""
        place = (stride % 1.0) * GRID
        i = min(int(place), GRID - 1)
        share = place - i
        turned, fast, faster = (
            values[i] + share * (values[i + 1] - values[i])
            for values in (self.rotations, self.angular_velocities, self.angular_accelerations)
        )
        return turned, fast, faster


def run_table(
    character: Character, legs: tuple[Leg, Leg], own: Running, speed: float, timing: RunTiming, posture: Array
) -> RunTable:  # fmt: skip
    """Return the table of a stride at a speed, m/s. posture (L, 3, 3): of the body as it stands."""
    peoples = PeoplesPoses(character, legs, own, speed, timing, posture)
    poses = CapturedPoses(character, legs, own, own.stride, peoples) if own.stride else peoples
    turnings = [
        turning_of(character, rotations, rates_of(rotations, 1.0 / GRID))
        for rotations in (poses.rotations(0.0), poses.rotations(1.0))
    ]
    rotations = poses.rotations(countering(*turnings))
    velocities = rates_of(rotations, 1.0 / GRID)
    velocities[0] = velocities[-1] = 0.5 * (velocities[0] + velocities[-1])
    accelerations = np.gradient(_around(velocities), 1.0 / GRID, axis=0)[1:-1]
    for _ in range(SOFTENED):
        around = _around(accelerations)
        accelerations = 0.25 * (around[:-2] + around[2:]) + 0.5 * around[1:-1]
    return RunTable(rotations, velocities, accelerations)


def _around(values: Array) -> Array:
    """Return the values of a whole turn, whose first is its last, with their neighbours before and after."""
    return np.concatenate((values[-2:-1], values, values[1:2]))
