"""How trunk and head move as one walks: with the steps they tilt aside and nod, and in bends they lean inwards.

All of it is only desired: torques turn trunk and head, and their mass moves the body, whose balance takes it up. Where
it stands there is none of it, and it comes and goes softly with the speed.
"""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass

import numpy as np

from ....base.curves import eased, ramp
from ....base.spatial import Array
from ....character.model import Character
from ...shared.clock import ControlTime
from ...shared.spans import span_of
from ...shared.steering import Command
from ..steps.settings import Settings
from .step_state import StepState


@dataclass(frozen=True)
class Wave:
    """How an angle goes up and down with the steps.

    times: in a stride. peak: share of a stride after the left foot's strike at which it is largest. size: rad, half of
    its range, of a body that all but stands; by_speed: what a speed adds to that, rad s/m.
    """

    times: int
    peak: float
    size: float
    by_speed: float = 0.0

    def at(
        self, stride: float, turning: float, speed: float, growing: float, begins: float
    ) -> tuple[float, float, float]:  # fmt: skip
        """Return angle, rad, rate and acceleration, of which size.

        stride: how many have gone since a strike of the left foot. turning: how many a second. speed: that the size is
        of, m/s. growing: m/s2, of that. begins: how much of what does not grow with the speed there is, 0..1.
        """
        times = 2.0 * math.pi * self.times
        angle, turned = times * (stride - self.peak), times * turning
        c, s = math.cos(angle), math.sin(angle)
        size = eased(begins) * self.size + self.by_speed * speed
        grows = growing * (6.0 * begins * (1.0 - begins) / _WAY * self.size + self.by_speed)
        return size * c, grows * c - size * turned * s, -turned * (size * turned * c + 2.0 * grows * s)


CHEST_ROLL = Wave(1, 0.10, math.radians(0.6), math.radians(0.9))
HEAD_ROLL, HEAD_PITCH = Wave(1, 0.05, math.radians(0.5), math.radians(0.7)), Wave(2, 0.15, math.radians(2.3))
HEAD_TURN = Wave(1, 0.35, math.radians(2.0))
"""Of chest and head: roll, the side of the left foot down; pitch, the front up; turn, to the right.

Phases and sizes are those of captured walks, by the first two harmonics of their mean strides: five people who just
walk, at 0.6 to 1.4 m/s (``tools.measure.recordings.PLAIN``), and CGM23's mean person (thorax obliquity).
The chest dips towards the foot that has struck at 1 to 18 % of its stride, by a range of 0.8 to 4.8 degrees that grows
with the speed; the head at -10 to 18 %, by less, for it is steadied. The head is tilted back most at 16 to 19 %,
between the lowest and the highest place of the hips, by a range of 3 to 6 degrees at any speed, and turns with the
shoulders, by 2 to 6. The chest's tilt, 2 to 4 degrees, is left out: its mass pushes the body, and knees bend more.
"""
UPRIGHT = (0.5, 0.85)
"""Cosine of a trunk's slope, from which there is some of it, and from which all."""
FULL = (0.1, 0.5)
"""m/s from which there is some of it, and from which all."""


@dataclass(frozen=True)
class BankRules:
    """How a body leans into a bend. quickness: 1/s, of how the lean follows the bend. most: rad.

    Shares of the lean: of abdomen, of chest, which arms go with, and of head, which people keep more upright.
    """

    quickness: float = 8.0
    most: float = math.radians(12.0)
    abdomen: float = 1.0
    chest: float = 1.0
    head: float = 0.6


BANK = BankRules()
_LATE, _SETTLING = 5.0, 0.3  # 1/s: how its own phase follows that of the steps; s: how sizes follow the speed
_WAY = FULL[1] - FULL[0]
_WAVES = (CHEST_ROLL, HEAD_ROLL, HEAD_PITCH, HEAD_TURN)
_STANDS, _STILL = 1e-3, 1e-4  # m/s, and rad and rad/s, of which nothing is seen


class Swaying:
    """Moves trunk and head of one body with its steps and in bends."""

    def __init__(self, character: Character, gravity: float, time: ControlTime) -> None:
        """gravity: m/s2. time: of the controller."""
        self._gravity, self._time = gravity, time
        none = (0.0,) * (len(_WAVES) + 1)
        shares: list[tuple[float, ...]] = []  # of chest's and head's waves, and of the lean
        for link in character.links:
            above = shares[link.parent] if link.parent >= 0 else none
            own = {
                "pelvis": none, "abdomen": (0.5, 0.0, 0.0, 0.0, BANK.abdomen),
                "chest": (1.0, 0.0, 0.0, 0.0, BANK.chest), "head": (0.0, 1.0, 1.0, 1.0, BANK.head),
                "upper_arm": none[:-1] + above[-1:],  # it hangs
            }.get(link.part, above)  # fmt: skip
            shares.append(own)
        links = [i for i, own in enumerate(shares) if any(own)]
        self._links = span_of(links)
        self._sways = bool(links)
        alike = list(dict.fromkeys(shares[i] for i in links))  # few: what they turn by is found once
        self._shares = _upright(character) * np.array(alike).reshape(-1, len(none))
        self._which = np.array([alike.index(shares[i]) for i in links], dtype=int)
        self._stride = self._turning = 0.0
        self._speed = self._growing = 0.0
        self._bank = (0.0, 0.0, 0.0)
        """Lean to the left, rad, its rate and its acceleration."""

    @property
    def lean(self) -> float:
        """How far it leans to the left, rad."""
        return self._bank[0]

    @property
    def size(self) -> float:
        """The speed, m/s, that its waves are of: 0 where it stands."""
        return self._speed

    def feel(self, command: Command, turning: float, step: StepState, own: Settings, free: bool) -> None:
        """Move on by a control step. turning: rad/s, of a bend that is near. free: whether hands hold nothing."""
        dt = self._time.passed
        bend = math.atan(command.speed * turning / self._gravity) if free else 0.0
        bend = min(max(bend, -BANK.most), BANK.most)
        lean, leaning, _ = self._bank
        pull = BANK.quickness**2 * (bend - lean) - 2.0 * BANK.quickness * leaning
        leaning += pull * dt
        self._bank = lean + leaning * dt, leaning, pull
        if abs(bend) + abs(lean) + abs(leaning) < _STILL:
            self._bank = (0.0, 0.0, 0.0)
        aim, going = 0.0, 0.0
        if command.speed > 0.0 and step.planned:
            going = 0.5 * step.pace / step.plan.table.time if step.phase < 1.0 else 0.0
            late = 0.5 * (step.stance + min(step.phase, 1.0)) - self._stride
            going += _LATE * math.remainder(late, 1.0)
            calm = 1.0 - max(step.urgency, step.disturbance)
            if free and not own.is_captured and not step.given.constrained:
                aim = command.speed * max(own.way.real, 0.0) * calm
        self._stride += going * dt
        self._turning = going
        self._growing = (aim - self._speed) / _SETTLING
        self._speed += self._growing * dt
        if not aim and self._speed < _STANDS:
            self._speed = self._growing = 0.0

    def turn(
        self, heading: float, ahead: float, rotations: Array, angular_velocities: Array,
        angular_accelerations: Array | None = None,
    ) -> None:  # fmt: skip
        """Turn the links: orientations (L, 3, 3), rates and accelerations (L, 3), world axes, in place.

        heading: where it faces, and ahead: where it goes, rad.
        """
        if not self._sways or not (self._speed or self._bank[0]):
            return
        facing, going = cmath.exp(1j * heading), cmath.exp(1j * ahead)
        left_down, front_up = (-facing.real, -facing.imag, 0.0), (facing.imag, -facing.real, 0.0)
        axes = (left_down, left_down, front_up, _RIGHT, (-going.real, -going.imag, 0.0))
        begins = ramp(self._speed, *FULL)
        now = [wave.at(self._stride, self._turning, self._speed, self._growing, begins) for wave in _WAVES]
        moved: list[float] = []
        for (a, b, c), (x, y, z) in zip((*now, self._bank), axes, strict=True):
            moved += (a * x, a * y, a * z, b * x, b * y, b * z, c * x, c * y, c * z)
        alike = self._shares @ np.array(moved).reshape(-1, 9)
        turned, links = alike.take(self._which, axis=0), self._links
        turns: list[float] = []
        for x, y, z in alike[:, :3].tolist():
            turns += _turn(x, y, z)
        turn = np.array(turns).reshape(-1, 3, 3).take(self._which, axis=0)
        rotations[links] = turn @ rotations[links]
        angular_velocities[links] = (turn @ angular_velocities[links][:, :, None])[:, :, 0] + turned[:, 3:6]
        if angular_accelerations is not None:
            own = (turn @ angular_accelerations[links][:, :, None])[:, :, 0]
            angular_accelerations[links] = own + turned[:, 6:]


_RIGHT = (0.0, 0.0, -1.0)


def _upright(character: Character) -> float:
    """Return how much, 0..1, a trunk stands up as people's do: one that lies ahead turns about other axes."""
    if not character.has("chest"):
        return 1.0
    origins, _ = character.standing()
    along = origins[character.index("chest")] - origins[character.index("pelvis")]
    return ramp(float(along[2] / max(np.linalg.norm(along), 1e-9)), *UPRIGHT)


def _turn(x: float, y: float, z: float) -> tuple[float, ...]:
    """Return the rotation (9,), by rows, about a vector by its length, rad; single numbers, for it is a small one."""
    angle = math.sqrt(x * x + y * y + z * z)
    s = math.sin(angle) / angle if angle > _STILL else 1.0
    c = 2.0 * (math.sin(0.5 * angle) / angle) ** 2 if angle > _STILL else 0.5
    return (1.0 - c * (y * y + z * z), c * x * y - s * z, c * x * z + s * y,
            c * x * y + s * z, 1.0 - c * (x * x + z * z), c * y * z - s * x,
            c * x * z - s * y, c * y * z + s * x, 1.0 - c * (x * x + y * y))  # fmt: skip
