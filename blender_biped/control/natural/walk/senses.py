"""How one walk feels its body: centre of mass, soles, what toes bear."""

from __future__ import annotations

import math

from ....base.spatial import Array
from ....character.model import Character
from ...shared.clock import ControlTime
from ...shared.legs import Leg
from ...shared.standing import Feet
from ...shared.state import BodyState
from ...shared.steering import Command
from ..ground.ground import Ground
from ..steps.planner import Planner
from .step_state import Felt, StepState

LOADING, UNLOADING = 0.015, 0.004
"""s in which more load on the toes is felt, and less: free toes flick at what would hold a load."""


class Senses:
    """Feels one body, once each control step."""

    def __init__(
        self, character: Character, legs: tuple[Leg, Leg], ground: Ground, feet: Feet, time: ControlTime
    ) -> None:
        """time: of the controller."""
        self.felt = Felt()
        self.legs = legs
        """The left and the right one."""
        self._ground, self._feet, self._time = ground, feet, time
        self._weight = feet.weight
        self._shares = character.masses / character.mass

    def weigh(self, masses: Array) -> None:
        """Let the links have other masses (L,), kg: those of what it holds among them."""
        self._shares = masses / masses.sum()

    def height(self, state: BodyState) -> float:
        """Return the height of the centre of mass, m."""
        return float(self._shares @ state.coms[:, 2])

    def feel(self, state: BodyState, command: Command, planner: Planner, shift: complex, step: StepState) -> None:
        """Take in where the body is, how it moves and how its feet are borne.

        shift: how much farther back it counts, m, as hands press against something.
        """
        felt, ground = self.felt, self._ground
        x, y, z = (self._shares @ state.coms).tolist()
        u, v, w = (self._shares @ state.velocities).tolist()
        felt.place, felt.velocity, felt.rising = complex(x, y) - shift, complex(u, v), w
        felt.speed = math.sqrt(u * u + v * v + w * w)
        ground.feel(state, command.heading)
        self._feet.ground, planner.quick = ground.height, ground.quick
        felt.frequency = planner.frequency(z - ground.height)
        felt.over_hips = z - float(state.origins[0, 2])
        self._feet.feel(state)
        planner.feel(state.time, command)
        loads = state.loads.tolist()
        for side, leg in enumerate(self.legs):
            toes, foot = loads[leg.toes], loads[leg.foot]
            bears = toes / max(toes + foot, 0.05 * self._weight)
            memory = LOADING if bears > felt.on_toes[side] else UNLOADING
            felt.on_toes[side] += (bears - felt.on_toes[side]) * min(self._time.passed / memory, 1.0)
        felt.soles = ground.soles(state, felt.on_toes)
        felt.arc = command.arc
        ground.hold(command.arc, felt.soles, step.down)
