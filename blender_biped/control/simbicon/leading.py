"""How a walk keeps speed and direction: offsets of the swing hip that answer each stride (Yin 2007, section 7.2)."""

from __future__ import annotations

import math

from ...base.spatial import Heading
from ..shared.steering import Command
from .settings import Leading

Vector = tuple[float, float, float]
Pair = tuple[float, float]

STEADY_SPEED = 0.05  # m/s by which the desired speed may change over a step that is learnt from


class Lead:
    """Offsets of the swing hip, rad, forward and to the left: an integral and a proportional part over strides.

    With e the stride's error of velocity, m/s: offset = l + clip(a e), l <- clip(l + k e), k ``learning``, a ``answer``
    and both clipped to ``most`` (see ``Leading``).
    """

    def __init__(self) -> None:
        self._learnt, self._offset = [0.0, 0.0], [0.0, 0.0]
        self._places: list[Vector] = []  # x, y, time of the last step's beginnings
        self._desired = 0.0

    @property
    def learnt(self) -> Pair:
        """The integral part l, rad, forward and to the left."""
        return self._learnt[0], self._learnt[1]

    @property
    def offset(self) -> Pair:
        """What to add to the swing hip, rad, forward and to the left."""
        return self._offset[0], self._offset[1]

    def forget(self) -> None:
        """Begin anew, as another gait does."""
        self._learnt, self._offset = [0.0, 0.0], [0.0, 0.0]
        self._places.clear()

    def pause(self) -> None:
        """Begin with other strides, as after standing; what is learnt stays."""
        self._places.clear()

    def begin_step(self, time: float, place: Pair, command: Command, travel: float, gait: Leading) -> None:
        """Answer the stride that ended at ``time`` s with the mid-hip at ``place``, world x, y, m.

        travel: where it goes, rad to the left of where it faces.
        """
        self._places.append((*place, time))
        if len(self._places) > 2:
            x, y, began = self._places.pop(0)
            took = max(time - began, 1e-3)
            ahead = command.heading + gait.foresight * command.turn
            c, s = math.cos(ahead), math.sin(ahead)
            u, v = (place[0] - x) / took, (place[1] - y) / took
            steady = abs(command.speed - self._desired) < STEADY_SPEED
            self.answer(command.speed - u * c - v * s, command.drift + u * s - v * c, travel, gait, steady)
        self._desired = command.speed

    def answer(self, slow: float, aside: float, travel: float, gait: Leading, steady: bool) -> None:
        """Answer a stride that was too slow, and went too little to the left (aside), m/s; learn from a steady one."""
        for i, error in enumerate(Heading(travel).along(slow, aside)):
            learnt = self._learnt[i] + gait.learning * error if steady else self._learnt[i]
            self._learnt[i] = min(max(learnt, -gait.most), gait.most)
            self._offset[i] = self._learnt[i] + min(max(gait.answer * error, -gait.most), gait.most)
