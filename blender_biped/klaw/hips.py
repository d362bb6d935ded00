"""Where the hips are in a step: the stance leg carries one, the pelvis turns and lists to the other (section 5.3)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..base.curves import cubic
from ..base.spatial import Array
from .body import Plane
from .stance import Hip

_SAMPLES = 160  # of a step: between them the swing leg's hip moves straight, within 0.05 mm


class Carrier(NamedTuple):
    """The swing leg's hip at one time: place m, acceleration m/s2."""

    x: float
    y: float
    ax: float
    ay: float


def pelvic_turn(begin: Array | float, end: Array | float, share: Array) -> Array:
    """Return the pelvis' turn (K,), rad, at shares (K,) of a step that begins and ends with these."""
    return np.asarray(0.5 * (begin + end) + 0.5 * (begin - end) * np.cos(np.pi * share))


def pelvic_list(t: Array, most: Array | float, end: Array | float) -> Array:
    """Return the course (K,) of pelvic list, 0 at the strikes and 1 at toe-off (section 5.3), smooth.

    t (K,): in the step, most: toe-off, end: of the step, s.
    """
    rise = 0.5 - 0.5 * np.cos(np.pi * np.clip(t / np.maximum(most, 1e-6), 0.0, 1.0))
    fall = 0.5 + 0.5 * np.cos(np.pi * np.clip((t - most) / np.maximum(end - most, 1e-6), 0.0, 1.0))
    return np.asarray(np.where(t < most, rise, fall))


class SwingHip:
    """Where the hip of the swing leg is: the pelvis turns and lists between it and the stance leg's."""

    def __init__(
        self, plane: Plane, hips: Sequence[Hip], turns: tuple[float, float], drop: float, time: float,
        double_support: float,
    ) -> None:  # fmt: skip
        """Take the stance leg's hip, the pelvis' turns at the step's begin and end, rad, its list, m, and times, s."""
        t = np.linspace(0.0, time, _SAMPLES + 1)
        self._table, self._rate = np.array(hips), _SAMPLES / time
        x, y = hermite(self._table, t)
        ax, ay = (np.interp(t, self._table[:, 0], self._table[:, k]) for k in (5, 6))
        turn = pelvic_turn(*turns, t / time)
        bend = -0.5 * (turns[0] - turns[1]) * (math.pi / time) ** 2 * np.cos(math.pi * t / time)
        later = time - double_support
        falling = np.cos(np.pi * np.clip((t - double_support) / later, 0.0, 1.0))
        rows = (
            x - plane.l0 * np.sin(turn),
            y + plane.l9 - drop * pelvic_list(t, double_support, time),
            ax - plane.l0 * np.cos(turn) * bend,
            ay + 0.5 * drop * (np.pi / later) ** 2 * falling,
        )
        self._rows = np.stack(rows, axis=1).tolist()

    def __call__(self, times: Sequence[float]) -> list[Carrier]:
        """Return the hip at ``times``, s: x from the stance foot's ankle, y from the ground."""
        found, rows, rate = [], self._rows, self._rate
        for t in times:
            i = min(max(int(t * rate), 0), _SAMPLES - 1)
            (x, y, ax, ay), (bx, by, cx, cy) = rows[i], rows[i + 1]
            u = t * rate - i
            found.append(Carrier(x + u * (bx - x), y + u * (by - y), ax + u * (cx - ax), ay + u * (cy - ay)))
        return found

    def rates(self, t: float) -> tuple[float, float]:
        """Return the hip's velocity at the end of a step, m/s; turning and list have none there."""
        return float(np.interp(t, self._table[:, 0], self._table[:, 3])), float(
            np.interp(t, self._table[:, 0], self._table[:, 4])
        )


def hermite(table: Array, t: Array) -> tuple[Array, Array]:
    """Return x and y, m, at times (K,), s, of a table of rows like ``Hip``: cubic between them."""
    at = table[:, 0]
    i = np.clip(np.searchsorted(at, t, side="right") - 1, 0, len(at) - 2)
    span = np.maximum(at[i + 1] - at[i], 1e-9)
    u = np.clip((t - at[i]) / span, 0.0, 1.0)
    left, right = table[i], table[i + 1]
    x, y = (cubic(u, span, (left[:, k], right[:, k]), (left[:, k + 2], right[:, k + 2])) for k in (1, 2))
    return x, y
