"""When a step ends: its phase, and the haste that brings its foot down early (step timing)."""

from __future__ import annotations

import math

from .pendulum import frequency, width_offset

MOST_HASTE = 1.3  # how much faster than planned a step can be


class StepClock:
    """The phase of a step: 0 when it begins, 1 at the planned foot strike."""

    def __init__(self, step_time: float) -> None:
        """step_time: of the first step, s."""
        self.phase = 0.0
        self.step_time = step_time
        self.haste = 1.0
        """How much faster than planned the step goes on, 1 or more."""

    def begin(self, step_time: float) -> None:
        """Begin a step that is planned to last ``step_time`` s."""
        self.phase, self.step_time, self.haste = 0.0, step_time, 1.0

    def advance(self, step: float) -> None:
        """Move on by a control step of ``step`` s."""
        self.phase += step / self.step_time * self.haste

    @property
    def left(self) -> float:
        """Time to the planned foot strike, s."""
        return (1.0 - min(self.phase, 1.0)) * self.step_time


def haste(
    left: float, step_time: float, out: float, height: float, gravity: float, width: float, sway_limit: float
) -> float:
    """Return how much faster than planned a step must go on, 1 to MOST_HASTE.

    The sideways pendulum runs away from its foot exponentially, xi(t) = xi e^(w t) with w = sqrt(g / h): when its
    extrapolated centre of mass would be too far out at the planned strike, the foot comes down earlier (step timing,
    the strongest means of balance there is).

    left: of the step, s; step_time: of the whole, s. out: how far the extrapolated centre of mass is from the stance
    foot towards the swing leg's side, m. height: of the centre of mass, m. gravity: m/s2. width: of the walk, m.
    sway_limit: times the regular sway's end that is too far.
    """
    if left <= 0.0:
        return 1.0
    w = frequency(height, gravity)
    most = sway_limit * width_offset(width, step_time, height, gravity) * math.exp(w * step_time)
    if out * math.exp(w * left) <= most:
        return 1.0
    desired = math.log(most / out) / w if 0.0 < out < most else 0.0
    return min(left / max(desired, 1e-3), MOST_HASTE)
