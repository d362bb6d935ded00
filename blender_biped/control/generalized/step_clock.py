"""When a step ends: its phase, and the haste that brings its foot down early (step timing)."""

from __future__ import annotations

import math

from .pendulum import frequency, width_offset

MOST_HASTE = 1.3  # how much faster than planned a step can be
MOST_PATIENCE = 0.6  # and how much slower


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
    capture point would be too far out at the planned strike, the foot comes down earlier (step timing,
    the strongest means of balance there is).

    left: of the step, s; step_time: of the whole, s. out: how far the capture point is from the stance
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


def patience(left: float, rest: float, out: float, height: float, gravity: float, least: float) -> float:
    """Return how fast a step must go on whose foot should land nearer to the stance foot than it can, else 1.

    It waits until the body has swayed far enough, or is over as soon as it can be where that takes too long: over or
    beyond its foot the body will not come back by itself.

    left: of the step, s; rest: until the weight changes feet then, s. out: as in ``haste``, m; least: how far that must
    be at the change for the foot to land where it can. height: m; gravity: m/s2.
    """
    w = frequency(height, gravity)
    if left <= 0.0 or least <= 0.0 or out * math.exp(w * (left + rest)) >= least:
        return 1.0
    desired = math.log(least / out) / w - rest if out > 0.0 else math.inf
    slower = left / desired
    return slower if slower > MOST_PATIENCE else MOST_HASTE
