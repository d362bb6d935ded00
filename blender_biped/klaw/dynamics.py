"""What the dynamic models need of numerics: a Runge-Kutta step and a root search.

Plain numbers: for a few equations they are ten times faster than arrays.
"""

from __future__ import annotations

from collections.abc import Callable

State = tuple[float, ...]
"""Coordinates, then their velocities."""

Accelerations = Callable[[float, State], tuple[float, ...]]
"""Time s, and state: the accelerations of the coordinates."""


def runge_kutta(accelerations: Accelerations, t: float, state: State, h: float) -> State:
    """Return the state after ``h`` s: the classical method of fourth order, for one to three coordinates.

    Written out for each number of them: that halves the time of a walk.
    """
    half, sixth = 0.5 * h, h / 6.0
    if len(state) == 2:
        x, v = state
        (a1,) = accelerations(t, state)
        v2 = v + half * a1
        (a2,) = accelerations(t + half, (x + half * v, v2))
        v3 = v + half * a2
        (a3,) = accelerations(t + half, (x + half * v2, v3))
        v4 = v + h * a3
        (a4,) = accelerations(t + h, (x + h * v3, v4))
        return x + sixth * (v + 2.0 * (v2 + v3) + v4), v + sixth * (a1 + 2.0 * (a2 + a3) + a4)
    if len(state) == 4:
        x, y, v, w = state
        a1, b1 = accelerations(t, state)
        v2, w2 = v + half * a1, w + half * b1
        a2, b2 = accelerations(t + half, (x + half * v, y + half * w, v2, w2))
        v3, w3 = v + half * a2, w + half * b2
        a3, b3 = accelerations(t + half, (x + half * v2, y + half * w2, v3, w3))
        v4, w4 = v + h * a3, w + h * b3
        a4, b4 = accelerations(t + h, (x + h * v3, y + h * w3, v4, w4))
        return (
            x + sixth * (v + 2.0 * (v2 + v3) + v4), y + sixth * (w + 2.0 * (w2 + w3) + w4),
            v + sixth * (a1 + 2.0 * (a2 + a3) + a4), w + sixth * (b1 + 2.0 * (b2 + b3) + b4),
        )  # fmt: skip
    x, y, z, u, v, w = state
    a1, b1, c1 = accelerations(t, state)
    u2, v2, w2 = u + half * a1, v + half * b1, w + half * c1
    a2, b2, c2 = accelerations(t + half, (x + half * u, y + half * v, z + half * w, u2, v2, w2))
    u3, v3, w3 = u + half * a2, v + half * b2, w + half * c2
    a3, b3, c3 = accelerations(t + half, (x + half * u2, y + half * v2, z + half * w2, u3, v3, w3))
    u4, v4, w4 = u + h * a3, v + h * b3, w + h * c3
    a4, b4, c4 = accelerations(t + h, (x + h * u3, y + h * v3, z + h * w3, u4, v4, w4))
    return (
        x + sixth * (u + 2.0 * (u2 + u3) + u4), y + sixth * (v + 2.0 * (v2 + v3) + v4),
        z + sixth * (w + 2.0 * (w2 + w3) + w4), u + sixth * (a1 + 2.0 * (a2 + a3) + a4),
        v + sixth * (b1 + 2.0 * (b2 + b3) + b4), w + sixth * (c1 + 2.0 * (c2 + c3) + c4),
    )  # fmt: skip


Memory = tuple[tuple[float, ...], list[list[float]] | None]
"""What a search found: the root, and the slopes there."""


class ZeroSearch:
    """Finds where a function of one or two numbers is zero, by Newton's method with Broyden's updates.

    The slopes are kept: a search near an earlier one begins with them and needs few evaluations (section 4.5 carries
    the forces over from step to step for the same reason).
    """

    def __init__(self, start: tuple[float, ...], steps: tuple[float, ...], tolerances: tuple[float, ...]) -> None:
        """Begin at ``start``. steps: by which slopes are tried. tolerances: of the function's values."""
        self.root = start
        self._steps, self._tolerances = steps, tolerances
        self._slopes: list[list[float]] | None = None
        self.evaluations = 0

    def find(self, function: Callable[..., tuple[float, ...]], most: int = 12) -> bool:
        """Look for the root, from the last one on; returns whether it was found. ``root`` is the best point."""
        x, f = self.root, self._call(function, self.root)
        best, error = x, self._error(f)
        fresh = False
        for _ in range(most):
            if error <= 1.0:
                break
            if self._slopes is None:
                self._slopes, fresh = self._tried(function, x, f), True
            move = _solved(self._slopes, f)
            if move is None:
                self._slopes = None
                continue
            longest = max(abs(m) / (40.0 * s) for m, s in zip(move, self._steps, strict=True))
            move = tuple([m / max(longest, 1.0) for m in move])
            at = tuple([a - m for a, m in zip(x, move, strict=True)])
            new = self._call(function, at)
            self._slopes = _updated(self._slopes, [-m for m in move], [b - a for a, b in zip(f, new, strict=True)])
            if self._error(new) < error:
                best, error = at, self._error(new)
            elif not fresh:  # slopes from another step mislead
                self._slopes = None
                continue
            else:
                fresh = False
            x, f = at, new
        self.root = best
        return error <= 1.0

    @property
    def memory(self) -> Memory:
        """Where it stands, for another search of almost the same function."""
        return self.root, self._slopes

    def recall(self, memory: Memory) -> None:
        """Go on from where another search stood."""
        self.root, self._slopes = memory

    def forget(self) -> None:
        """Forget the slopes."""
        self._slopes = None

    def _call(self, function: Callable[..., tuple[float, ...]], x: tuple[float, ...]) -> tuple[float, ...]:
        self.evaluations += 1
        return function(*x)

    def _error(self, f: tuple[float, ...]) -> float:
        return max(abs(a) / b for a, b in zip(f, self._tolerances, strict=True))

    def _tried(
        self, function: Callable[..., tuple[float, ...]], x: tuple[float, ...], f: tuple[float, ...]
    ) -> list[list[float]]:
        """Return the slopes: row by value, column by argument."""
        columns = []
        for k, step in enumerate(self._steps):
            at = tuple([a + step * (i == k) for i, a in enumerate(x)])
            columns.append([(b - a) / step for a, b in zip(f, self._call(function, at), strict=True)])
        return [list(row) for row in zip(*columns, strict=True)]


def _solved(slopes: list[list[float]], f: tuple[float, ...]) -> tuple[float, ...] | None:
    if len(f) == 1:
        return (f[0] / slopes[0][0],) if slopes[0][0] else None
    (a, b), (c, d) = slopes
    det = a * d - b * c
    if not det:
        return None
    return ((d * f[0] - b * f[1]) / det, (a * f[1] - c * f[0]) / det)


def _updated(slopes: list[list[float]], move: list[float], change: list[float]) -> list[list[float]]:
    """Return the slopes after a move that changed the values so (Broyden 1965)."""
    size = sum(m * m for m in move)
    if size == 0.0:
        return slopes
    rows = []
    for row, c in zip(slopes, change, strict=True):
        wrong = (c - sum(r * m for r, m in zip(row, move, strict=True))) / size
        rows.append([r + wrong * m for r, m in zip(row, move, strict=True)])
    return rows
