"""What a natural-walking preset says: a style of KLAW, and how the walk keeps its balance."""

from __future__ import annotations

import cmath
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from ....base.fields import Fields
from ....klaw.attributes import Attributes, Constants
from ....klaw.manner import Manner
from ....preset.declared import Advanced, angle, inside, integer, number, part, read
from ....preset.preset import COMMON
from ...shared.steering import SteeringSettings
from .captured import Captured
from .run_settings import NEVER, Running

_FEET = "Feet"
_STEPS, _BALANCE, _PATH = Advanced("Feet"), Advanced("Balance"), Advanced("Steering")


STEERING = {
    "acceleration": 0.9, "turn_limit": 2.3, "braking": 0.5, "preview": 0.5, "pull": 1.0, "regain": 0.96, "drift": 0.5,
    "memory": 0.4, "quickness": 4.5, "rounding": 1.1, "sideways": 0.45, "swivel": 0.6,
}  # fmt: skip
"""How styles follow their paths that do not say otherwise. Tried on circles, corners and turns from 0.4 to 1.4 m/s."""
BACK = 0.5
"""How much of its way is behind it, as a share, from which a body walks backwards."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """A style in KLAW's own words, and the balance of the reference body (leg 0.9 m) that walks in it."""

    manner: Manner = part(Manner, "Manner", "How the body is held and moves, in an animator's words")
    attributes: Attributes = part(Attributes, "Attributes", "What gives the walk its style")
    constants: Constants = part(Constants, "Constants", "Springs and dampers of the model")
    wider: float = inside("gait", number(
        0.0, -0.1, 0.4, "m", "Wider Steps", "How much farther apart the feet are set down than the style has them",
        _FEET, keyed=True,
    ))  # fmt: skip
    clearance: float = inside("gait", number(
        0.02, 0.0, 0.2, "m", "Foot Clearance", "How high the swing foot's sole passes over the ground at least", _STEPS,
        keyed=True,
    ))  # fmt: skip
    apart: float = inside("gait", number(
        0.06, -0.1, 0.3, "m", "Feet Apart", "How near the swing foot may come to the line of the stance foot", _STEPS,
        keyed=True,
    ))  # fmt: skip
    crossing: float = inside("gait", number(
        0.16, 0.0, 0.4, "m", "Crossing Over", "How much nearer than that it may come, and beyond, far ahead or behind",
        _STEPS, keyed=True,
    ))  # fmt: skip
    variation: float = inside("gait", number(
        0.0, 0.0, 2.0, "", "Variation", "How much steps differ by chance in time, length and width: 1 as people's do",
        _FEET, keyed=True,
    ))  # fmt: skip
    take: int = inside("gait", integer(
        0, 0, 999, "", "Take", "Each number is another walk of the same style, different by chance", _FEET,
    ))  # fmt: skip
    sink: float = inside("gait", number(
        0.0108, -0.05, 0.2, "m", "Soft Knees", "How much lower the hips are carried than the style has them", _BALANCE,
        keyed=True,
    ))  # fmt: skip
    sole_ahead: float = inside("gait", number(
        1.2, 0.0, 5.0, "", "Balance by the Sole", "How hard toes and heels push back a body that is ahead or behind",
        _BALANCE, keyed=True,
    ))  # fmt: skip
    sole_aside: float = inside("gait", number(
        0.8, 0.0, 5.0, "", "Sway by the Sole", "How hard the soles' edges push back a body that sways too far",
        _BALANCE, keyed=True,
    ))  # fmt: skip
    step_ahead: float = inside("gait", number(
        1.0, 0.0, 1.5, "", "Balance by Steps", "Share of what a body is ahead or behind that the next step catches",
        _BALANCE, keyed=True,
    ))  # fmt: skip
    step_aside: float = inside("gait", number(
        1.0, 0.0, 1.5, "", "Sway by Steps", "Share of what a body sways too far that the next step catches", _BALANCE,
        keyed=True,
    ))  # fmt: skip
    pull: float = inside("gait", number(
        0.9, 0.0, 5.0, "", "Pace by the Body", "How much a step is hurried or held back by a body ahead or behind",
        _BALANCE, keyed=True,
    ))  # fmt: skip
    learning: float = inside("gait", number(
        0.3, 0.0, 2.0, "", "Speed Learning", "Share of what each step errs by, in speed and place, that is learnt",
        _BALANCE, keyed=True,
    ))  # fmt: skip
    steering: SteeringSettings = part(SteeringSettings, "Steering", "How it follows its path", usual=STEERING)
    direction: float = angle(0.0, -180.0, 180.0, "Direction", "Where it goes, to the left of where it faces", _PATH)
    captured: Captured | None = part(
        Captured, "Captured", "The stride of a clip or an action, walked in place of KLAW's steps", optional=True
    )

    running: Running | None = part(Running, "Run", "How it runs", optional=True)

    @property
    def is_captured(self) -> bool:
        """Whether its steps are a captured walk's."""
        return bool(self.captured)

    @property
    def run(self) -> Running:
        """How it runs; of a style that does not, one that never begins."""
        return self.running or NEVER

    @property
    def way(self) -> complex:
        """Where it goes, seen from where it faces: ahead + i to the left, of length 1."""
        return cmath.exp(1j * self.direction) if self.direction else 1.0 + 0.0j

    @property
    def backs(self) -> bool:
        """Whether it goes back more than aside: its steps are those of a walk that is played backwards."""
        return self.way.real < -BACK

    @property
    def style(self) -> tuple[Manner, Attributes, Constants]:
        """What its steps' tables depend on."""
        return self.manner, self.attributes, self.constants


class TurningSettings(Settings):
    """Settings of a step in which a body comes to face elsewhere than before."""

    @classmethod
    def of(cls, own: Settings, direction: float) -> TurningSettings:
        """Return settings as they are but for the direction, rad."""
        return cls(**{f.name: getattr(own, f.name) for f in fields(own)} | {"direction": direction})

    @property
    def backs(self) -> bool:
        """Never: steps that are as good as on the spot are those of a walk ahead, wherever they go."""
        return False


def read_settings(values: Mapping[str, Any]) -> Settings:
    """Return the settings in a preset's values. Raises DataError naming the wrong field."""
    return read(Settings, Fields(values, "preset.values"), COMMON)
