"""When a walk goes over to another style."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .preset import Preset


@dataclass(frozen=True)
class Cue:
    """From ``time`` s on the walk has the style of ``preset``, for at least ``steps`` steps before the next cue.

    speed: m/s; 0 for that of the job. place: m along the path that it must have reached, too.
    """

    time: float
    preset: Preset
    steps: int = 0
    speed: float = 0.0
    place: float = 0.0

    def as_json(self) -> dict[str, Any]:
        """Return plain JSON data."""
        return {
            "time": self.time, "preset": self.preset.as_json(), "steps": self.steps, "speed": self.speed,
            "place": self.place,
        }  # fmt: skip
