"""Cues: when a walk goes over from one gait to the next."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from ...preset.keyed import at_time
from ...preset.preset import Track

Gait = TypeVar("Gait")


@dataclass(frozen=True)
class GaitCue(Generic[Gait]):
    """From ``time`` s on, go over to ``gait``, and walk it for at least ``steps`` steps before the next cue.

    gait: whatever a controller walks by. speed: desired, m/s; 0 for that of the whole walk. place: arc length, m, that
    the walk must have reached, too. ease, shares: see ``Cue``; of a controller that goes over little by little.
    """

    time: float
    gait: Gait
    steps: int = 0
    speed: float = 0.0
    place: float = 0.0
    ease: float = 0.0
    shares: Track = ()

    def share(self, time: float, arc: float) -> float:
        """Return how much of its gait a walk has at ``time``, s, and ``arc``, m, 0..1, the rest of the one before."""
        if self.shares:
            return at_time(self.shares, time)
        return min(max((arc - self.place) / self.ease, 0.0), 1.0) if self.ease else 1.0


class CueSchedule(Generic[Gait]):
    """Where in its cues a walk is. ``steps``: taken since the present cue; who walks counts them."""

    def __init__(self, cues: Sequence[GaitCue[Gait]]) -> None:
        """cues: in the order of their times, at least one; the first holds from the beginning."""
        self.cues = tuple(cues)
        self.steps = 0
        self._place = 0

    @property
    def now(self) -> GaitCue[Gait]:
        """The present cue."""
        return self.cues[self._place]

    @property
    def following(self) -> GaitCue[Gait] | None:
        """The cue after the present one, None after the last."""
        return self.cues[self._place + 1] if self._place + 1 < len(self.cues) else None

    def due(self, time: float, arc: float = math.inf) -> GaitCue[Gait] | None:
        """Return the next cue if its time and place have come and the present one has had its steps.

        time: s. arc: length reached, m.
        """
        following = self.following
        if following is None or self.steps < self.now.steps:
            return None
        return following if time >= following.time and arc >= following.place else None

    def go_on(self) -> Gait:
        """Go over to the next cue; return its gait."""
        self._place, self.steps = self._place + 1, 0
        return self.now.gait
