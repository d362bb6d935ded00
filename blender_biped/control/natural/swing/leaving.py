"""How a foot goes over from how it left the ground to how its step leads it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..steps.step_table import GRID
from .swing_step import LiftOff, SwingStep

FADE = 0.35  # share of the swing in which it does


@dataclass(slots=True)  # made in each control step
class Offset:
    """How a foot differs from how it is led. moved: m; up: m; pitch: rad heel up. Or its rate, a second."""

    moved: complex
    up: float
    pitch: float


class Leaving:
    """How one foot differs from how its step leads it, from its lift-off on."""

    def __init__(self, lift: LiftOff) -> None:
        self._side, self._begin = lift.side, lift.phase
        self._moves, self._turns = lift.moves.tolist(), lift.turns
        self._pitch = lift.sole.pitch - lift.now.pitches[lift.side]
        self._seen = False
        self._faster = Offset(0j, 0.0, 0.0)

    def left(self, step: SwingStep, up: float, led: Callable[[SwingStep], complex]) -> Offset:
        """Return what is left of it. up: m that it was higher as it left the ground. led: where a step leads it, m.

        A foot that glides in goes on as fast as it went then; others turn to their way at once.
        """
        done = min(min((step.phase - self._begin) / max(1.0 - self._begin, 0.05), 1.0) / FADE, 1.0)
        if step.plan.table.glides <= 0.0:
            fade = (1.0 - done) ** 2
            return Offset(0j, fade * up, fade * self._pitch)
        if not self._seen:
            self._seen, self._faster = True, self._beyond(step, led)
        stays, faster = (1.0 + 2.0 * done) * (1.0 - done) ** 2, self._faster
        goes = done * (1.0 - done) ** 2 * FADE * (1.0 - self._begin) / step.rate
        return Offset(goes * faster.moved, stays * up + goes * faster.up, stays * self._pitch + goes * faster.pitch)

    def _beyond(self, step: SwingStep, led: Callable[[SwingStep], complex]) -> Offset:
        """Return how much faster the foot goes than it is led, a second."""
        phase, side = step.phase + 1.0 / GRID, self._side
        soon = step.at(phase)
        rate, (x, y, z) = GRID * step.rate, self._moves
        rises = rate * (soon.now.ankles[side][2] - step.now.ankles[side][2])
        turns = step.rate * step.now.pitch_rates[side]
        return Offset(complex(x, y) - rate * (led(soon) - led(step)), z - rises, self._turns - turns)
