"""The step with which a body that has stopped sets its feet down side by side."""

from __future__ import annotations

import cmath
from dataclasses import dataclass

from ...shared.legs import LEFT, RIGHT
from ...shared.state import BodyState
from ...shared.steering import Command
from .beginning import begin_first
from .phase import phase
from .standing import Shifting
from .walker import Walker


@dataclass(frozen=True)
class ClosingRules:
    """When feet are closed. apart: m that one is ahead of the other, from which they are. stands: s before that.

    calm: m/s of the body, under which it is.
    """

    apart: float = 0.03
    stands: float = 0.1
    calm: float = 0.15


CLOSING = ClosingRules()


@phase
class Closing(Shifting):
    """Shifting the weight onto the foot in front, to bring the other one beside it: once for each stop."""

    name, mode, after = "closing", "shift", ("standing",)

    leaning = 0.0  # m: it stays over that foot

    def __init__(self, walker: Walker) -> None:
        super().__init__(walker)
        self._stopped, self._strikes = 0.0, 0  # s, when, and how many strikes there were then
        self._done = 0  # likewise, as it closed its feet last

    def due(self, state: BodyState, command: Command) -> bool:
        """Return whether it stands on staggered feet, with nothing else to do."""
        w, strikes = self.walker, len(self.walker.log.strikes)
        if strikes != self._strikes:
            self._stopped, self._strikes = state.time, strikes
        if not strikes or strikes == self._done or command.onward or not w.around.clear:
            return False
        if state.time < self._stopped + CLOSING.stands or w.felt.speed > CLOSING.calm:
            return False
        return abs(self._ahead(command)) > CLOSING.apart

    def begin(self, state: BodyState, command: Command) -> None:
        """Plan the step; the strike with which it ends is no new stop."""
        self._done = len(self.walker.log.strikes) + 1
        super().begin(state, command)

    def _ahead(self, command: Command) -> float:
        """Return how far the left foot is ahead of the right one, m."""
        left, right = (sole.anchor for sole in self.walker.felt.soles)
        return ((left - right) / cmath.exp(1j * command.heading)).real

    def _begin_step(self, state: BodyState, command: Command) -> None:
        begin_first(self.walker, state, command, LEFT if self._ahead(command) > 0.0 else RIGHT, saves=True)
