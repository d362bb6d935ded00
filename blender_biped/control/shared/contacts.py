"""Foot contact events: when feet strike the ground and when they leave it."""

from __future__ import annotations

from collections.abc import Sequence

BORNE = 0.02
"""Share of the body's weight under which a foot bears nothing."""

STRUCK = 2.0 * BORNE
"""Share of the body's weight over which a foot that was off the ground has struck: twice BORNE, against chatter."""


class ContactLog:
    """Foot strikes and toe-offs of one walk, as (time, s, side)."""

    def __init__(self, weight: float, bounce: float = 0.0) -> None:
        """weight: of the body, N. bounce: s for which a foot may be off the ground without having left it."""
        self.strikes: list[tuple[float, int]] = []
        self.lifts: list[tuple[float, int]] = []
        self._weight, self._bounce = weight, bounce
        self._down = [True, True]

    @property
    def last_strike(self) -> float:
        """Time of the last foot strike, s; 0 before the first."""
        return self.strikes[-1][0] if self.strikes else 0.0

    def strike(self, time: float, side: int) -> None:
        """Note a foot strike that the controller itself has found."""
        self.strikes.append((time, side))

    def lift(self, time: float, side: int) -> None:
        """Note a toe-off that the controller itself has found."""
        self.lifts.append((time, side))

    def feel(self, time: float, loads: Sequence[float]) -> None:
        """Find events in the feet's loads (left, right), N, with a hysteresis; call it once each control step."""
        for side, load in enumerate(loads):
            share = load / self._weight
            if self._down[side] and share < BORNE:
                self._down[side] = False
                self.lift(time, side)
            elif not self._down[side] and share > STRUCK:
                self._down[side] = True
                if self._bounced(time, side):
                    self.lifts.pop()  # it has not left the ground
                else:
                    self.strike(time, side)

    def _bounced(self, time: float, side: int) -> bool:
        return bool(self.lifts) and self.lifts[-1][1] == side and time - self.lifts[-1][0] < self._bounce
