"""What keeps the desired speed over many steps: a bias that is learnt from the way that steps have made."""

from __future__ import annotations

import math

from ..shared.steering import Command

STEADY_SPEED = 0.05  # m/s by which the desired speed may change over a step that is learnt from
FULL_SPEED = 0.5  # m/s from which the bias counts in full: a stop needs none

Place = tuple[float, float]


class SpeedBias:
    """An integral over steps: b <- b + k (v_d - v), v the step's speed along the path, |b| at most ``limit``."""

    def __init__(self, gain: float, limit: float) -> None:
        """``gain``: k, 1 for each step. limit: m/s."""
        self.step_speed = 0.0
        """Speed of the hips along the heading over the last step, m/s."""
        self.gain, self.limit = gain, limit
        self._bias = self._desired = self._arc = 0.0
        self._place, self._time = (0.0, 0.0), 0.0

    def begin(self, time: float, place: Place) -> None:
        """A step begins at ``time`` s with the mid-hip at ``place``, world x, y, m."""
        self._place, self._time = place, time

    def end(self, time: float, place: Place, command: Command, learn: bool) -> None:
        """The step ends. learn: whether it counts; in a ramp it does not: it would teach that a body lags behind."""
        took = max(time - self._time, 1e-3)
        dx, dy = place[0] - self._place[0], place[1] - self._place[1]
        self.step_speed = abs((dx * math.cos(command.heading) + dy * math.sin(command.heading)) / took)
        along = (command.arc - self._arc) / took
        steady = abs(command.speed - self._desired) < STEADY_SPEED
        self._desired, self._arc = command.speed, command.arc
        if steady and learn:
            bias = self._bias + self.gain * (command.speed - along)
            self._bias = min(max(bias, -self.limit), self.limit)

    def at(self, speed: float) -> float:
        """Return what to add to a desired speed, m/s."""
        return self._bias * share_of_full(speed)


def share_of_full(speed: float) -> float:
    """Return how much a desired speed, m/s, is a walk's in full, 0..1."""
    return min(speed / FULL_SPEED, 1.0)
