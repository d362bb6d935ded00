"""When a walk goes over to another style."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from .preset import Preset, Track


@dataclass(frozen=True)
class Cue:
    """From ``time`` s on the walk has the style of ``preset``, for at least ``steps`` steps before the next cue.

    speed: m/s; 0 for that of the job. place: m along the path that it must have reached, too. ease: m of path over
    which it goes over to the style little by little; 0 for with the next step. shares: over time, s, how much of the
    style it has, 0..1, the rest of the one before; in full without any.
    """

    time: float
    preset: Preset
    steps: int = 0
    speed: float = 0.0
    place: float = 0.0
    ease: float = 0.0
    shares: Track = ()

    def as_json(self) -> dict[str, Any]:
        """Return plain JSON data."""
        plain: dict[str, Any] = {
            "time": self.time, "preset": self.preset.as_json(), "steps": self.steps, "speed": self.speed,
            "place": self.place,
        }  # fmt: skip
        slowly: dict[str, Any] = {"ease": self.ease} if self.ease else {}
        return plain | slowly | ({"shares": [list(point) for point in self.shares]} if self.shares else {})

    def scaled(self, length: float, time: float) -> Cue:
        """Return the cue for a walk whose lengths and times are so many times smaller, in the same style."""
        return replace(
            self, time=self.time / time, speed=self.speed * time / length, place=self.place / length,
            ease=self.ease / length, shares=tuple((at / time, share) for at, share in self.shares),
        )  # fmt: skip
