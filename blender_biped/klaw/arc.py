"""How the foot is led in SWING1: the ankle along a curve, in the first step the toes straight up (section 6.2.1)."""

from __future__ import annotations

import math
from dataclasses import dataclass

from .body import Plane
from .foot import Pose, tip
from .hips import Carrier

_SHORTEST, _LONGEST = 0.2, 0.23
"""Of the leg: how long a foot counts at least and at most. Longer ones would be lifted to the other knee."""


@dataclass(frozen=True)
class ArcEnd:
    """The leg at the end of SWING1. theta3, plantar, meta: of thigh, ankle and toes, rad; see ``Pose``.

    clear: how high the toes are over the ground, m.
    """

    theta3: float
    plantar: float
    meta: float
    clear: float


class Arc:
    """The curve that the ankle follows in SWING1 (equation 6.5), and the thigh's angle at its end.

    There the toes are below the knee, and clear the ground: for that the thigh may be lifted more.
    """

    def __init__(self, plane: Plane, pose: Pose, hip: Carrier, end: ArcEnd, percent: float, shortest: float) -> None:
        theta3, plantar = end.theta3, end.plantar
        self._plane, self._x0 = plane, pose[0]
        x, y = tip(plane, end.meta)
        along = x * math.cos(plantar) + y * math.sin(plantar)
        down = plane.l4 + x * math.sin(plantar) - y * math.cos(plantar)
        shin = math.atan2(along, down)
        least = (hip.y - math.hypot(along, down) - end.clear) / plane.l3
        self.theta3 = theta3
        if math.cos(theta3) > least:
            self.theta3 = -math.acos(min(max(least, -1.0), 1.0))
        end_x = hip.x - plane.l3 * math.sin(self.theta3) - plane.l4 * math.sin(shin) - pose[0]
        end_y = hip.y - plane.l3 * math.cos(self.theta3) - plane.l4 * math.cos(shin)
        foot = min(max(plane.l5 + plane.l6, _SHORTEST * plane.l1), _LONGEST * plane.l1)
        high = max(shortest / plane.l1 * foot, pose[1] + 0.01, end_y + 0.01)
        d = max(end_x, 0.05)
        self._rows = _quartic(percent * d, high, d, end_y, pose[1])
        self._d, self._end = d, end_y

    def height(self, x: float) -> tuple[float, float]:
        """Return the curve's height, m, at x, m, and its slope; level beyond its ends' slopes."""
        x = min(max(x - self._x0, 0.0), self._d)
        a, b, c, d, e = self._rows
        return (((a * x + b) * x + c) * x + d) * x + e, ((4.0 * a * x + 3.0 * b) * x + 2.0 * c) * x + d

    def knee(self, hip: Carrier, a: float, guess: float, plantar: float) -> float:
        """Return theta4 that puts the ankle on the curve, near ``guess``, rad; bounded where none does."""
        plane, k = self._plane, guess
        kx, ky = hip.x - plane.l3 * math.sin(a), hip.y - plane.l3 * math.cos(a)
        for _ in range(8):
            s, c = math.sin(a + k), math.cos(a + k)
            height, slope = self.height(kx - plane.l4 * s)
            error = height - (ky - plane.l4 * c)
            rate = -slope * plane.l4 * c - plane.l4 * s
            if abs(rate) < 0.02:
                break
            move = min(max(error / rate, -0.3), 0.3)
            k -= move
            if abs(move) < 1e-6:
                break
        return min(max(k, 0.0, guess - 0.5), 2.4, guess + 0.5)


class Rise(Arc):
    """How the foot rises in the first step: the toes' tip straight up until the knee is above it, then with the knee.

    (Section 6.2.4.)
    """

    def knee(self, hip: Carrier, a: float, guess: float, plantar: float) -> float:
        """Return theta4 that puts the tip where it shall be, rad; plantar: the ankle's angle, rad."""
        plane = self._plane
        x, y = tip(plane, 0.0)
        along = x * math.cos(plantar) + y * math.sin(plantar)
        down = plane.l4 + x * math.sin(plantar) - y * math.cos(plantar)
        ahead = max(self._x0 + x - (hip.x - plane.l3 * math.sin(a)), 0.0)
        reach = math.hypot(along, down)
        shin = math.acos(min(ahead / reach, 1.0)) - math.atan2(down, along)
        return min(max(shin - a, 0.0, guess - 0.5), 2.4, guess + 0.5)


def _quartic(top_x: float, top: float, end_x: float, end: float, begin: float) -> tuple[float, ...]:
    """Return the coefficients, highest power first, of the curve through ``begin`` at 0, level at its top and end."""
    # y = begin + d x + c x2 + b x3 + a x4, with y' = (x - C)(x - D)(p x + q): two conditions are left.
    m, n = top_x, end_x

    def integral(power: int, x: float) -> float:  # of (x - m)(x - n) x^power from 0
        return (
            x ** (power + 3) / (power + 3)
            - (m + n) * x ** (power + 2) / (power + 2)
            + m * n * x ** (power + 1) / (power + 1)
        )

    a11, a12, a21, a22 = integral(1, m), integral(0, m), integral(1, n), integral(0, n)
    det = a11 * a22 - a12 * a21
    r1, r2 = top - begin, end - begin
    p, q = (a22 * r1 - a12 * r2) / det, (a11 * r2 - a21 * r1) / det
    return p / 4.0, (q - p * (m + n)) / 3.0, (p * m * n - q * (m + n)) / 2.0, q * m * n, begin
