"""How the body is carried on what the dynamics give: its manner over time, from step to step softly.

Feet are set down first, hips and trunk carried above them: nothing here moves a foot that stands, but about its ball.
All at reference size.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np

from ..base.curves import eased, monotone
from ..base.spatial import Array
from ..motion.rows import PORTION
from .body import Plane
from .joining import joined
from .manner import PLAIN, Manner, chance, looking
from .plan import PlacedStep

_DIP, _SPRING = 0.045, math.radians(17.0)  # m and rad of the heel: how a bounce of 1 goes down, and up
_GLIDE = 0.05 / 0.77**2  # 1/m: how far hips go up and down by themselves, over the step's length squared
_SINK, _SOON = 0.06, 0.22  # m that a heavy body sinks, and when in a step
_NOD = math.radians(5.0)  # of a heavy body's chest and head
_SPARED, _BEND = 0.06, math.radians(12.0)  # m and rad: how hips sink and the trunk bends over a leg that is spared
_TILT = 1.6  # rad/m: of the pelvis, to its sway
_UPRIGHT = 0.7  # of a trunk's lurch, how much of it the head has
_REEL = math.radians(16.0)  # of trunk and head
_REELING = range(4, 8)  # what is by chance of each step: chest and head, to the side and forward
_DANGLE = math.radians(7.0)  # of a loose head, behind the body by:
_BEHIND = 0.35  # of a step
_LAG = (0.1, 0.06)  # s, of loose and of heavy arms
_HIGHEST = math.radians(55.0)  # of heels
_EVEN = math.radians(12.0)  # of the heels: with less the sole's roll over the heel is still seen


@dataclass(frozen=True)
class Carriage:
    """What is added to the body's course, at T times. Arrays (T,); angles rad, positive left side up and forward.

    lift, aside: of the hips, up and to the left, m. roll: of the pelvis. chest_roll, chest_pitch: of the chest.
    trunk_roll: of all of the trunk besides. head_roll, head_pitch, head_yaw: of the head. arms_forward, arms_out,
    arms_in: of both arms. lag: of the arms' swing, s. swing: factor of that.
    """

    lift: Array
    aside: Array
    roll: Array
    chest_roll: Array
    chest_pitch: Array
    trunk_roll: Array
    head_roll: Array
    head_pitch: Array
    head_yaw: Array
    arms_forward: Array
    arms_out: Array
    arms_in: Array
    lag: Array
    swing: Array


def softly(placed: Sequence[PlacedStep], values: Array, times: Array) -> Array:
    """Return what goes over from one step's to the next one's softly (K, ...), at ``times`` (K,), s.

    values: numbers or rows of them (N + 1, ...): before a walk, and of each of its N steps.
    """
    return _softly(_middles(placed), values, times)


def _softly(middles: Array, values: Array, times: Array) -> Array:
    if (values == values[0]).all():
        return np.repeat(values[:1], len(times), axis=0)
    return monotone(middles, values, np.clip(times, 0.0, middles[-1]))


def _middles(placed: Sequence[PlacedStep]) -> Array:
    """Return when a walk begins, and the middles of its steps (N + 1,), s."""
    return np.array([0.0, *(p.start + 0.5 * p.goal.time for p in placed)])


class Manners:
    """The manner of a walk's steps as a course over time."""

    def __init__(
        self, plane: Plane, placed: Sequence[PlacedStep], besides: Sequence[tuple[float, float]],
        before: Manner | None = None,
    ) -> None:  # fmt: skip
        """Take a body, a walk's steps, and how far left of the middle both feet are at its begin and after each, m.

        before: how it was carried while it stood, where it has walked already.
        """
        self._plane, self._placed = plane, placed
        self._between = np.array([0.5 * (left + right) for left, right in besides])
        own = [p.style.manner for p in placed]
        self.plain = all(manner == PLAIN for manner in (*own, before or PLAIN))
        carried = [before or own[0], *own]
        self._middles = _middles(placed)
        self._values = {f.name: np.array([getattr(manner, f.name) for manner in carried]) for f in fields(Manner)}
        self._lengths = np.array([0.5 * (p.goal.length + p.goal.before) for p in placed])
        chances = [[0.0, *(p.style.manner.stagger * chance(i, k) for i, p in enumerate(placed))] for k in _REELING]
        self._reels = np.array(chances)
        self._end = placed[-1].start + placed[-1].goal.time
        self._changes = np.array(
            [0.0, *(p.start + 0.5 * p.goal.double_support for p in placed[1:]), self._end]
        )  # from one stance leg to the other

    def of(self, name: str, times: Array) -> Array:
        """Return a number of the manner at ``times`` (K,), s, from one step to the next softly."""
        return _softly(self._middles, self._values[name], times)

    def phase(self, times: Array) -> Array:
        """Return how many steps have gone (K,), from the middle of one double support to the next: even on the left."""
        count = np.arange(len(self._changes), dtype=float)
        return monotone(self._changes, count, np.clip(times, 0.0, self._end))

    def walking(self, times: Array) -> Array:
        """Return 0 where it stands and 1 where it walks (K,), soft over the first step and the last one."""
        begin, ending = self._placed[0].goal.time, (self._end - times) / self._placed[0].goal.time
        stops = self._placed[-1].goal.kind == "stop"
        return eased(np.clip(np.minimum(times / begin, ending if stops else np.inf), 0.0, 1.0))

    def raised(self, pitch: Array, times: Array) -> Array:
        """Return the pitch (K,), rad, of a foot on the ground whose heel is held up, from that by itself."""
        if self.plain:
            return pitch
        heel = self._heel(times)
        lack, soft = heel - pitch, 0.3 * heel + 1e-9
        more = np.where(lack > soft, lack, np.maximum(lack + soft, 0.0) ** 2 / (4.0 * soft))
        return np.asarray(pitch + more * np.minimum(heel / _EVEN, 1.0))

    def _heel(self, times: Array) -> Array:
        step = np.mod(self.phase(times), 1.0)
        spring = np.sin(np.pi * np.clip((step - 0.2) / 0.8, 0.0, 1.0)) ** 2
        bounce = np.maximum(self.of("bounce", times), 0.0)
        heel = np.radians(self.of("tiptoe", times)) + _SPRING * bounce * spring
        return np.asarray(self.walking(times) * np.minimum(heel, _HIGHEST))

    def carriage(self, times: Array) -> Carriage:
        """Return what is added at ``times`` (T,), s."""
        if self.plain:
            nothing = np.zeros(len(times))
            return Carriage(**{f.name: nothing if f.name != "swing" else nothing + 1.0 for f in fields(Carriage)})
        firsts = range(0, len(times), PORTION)  # what it takes on the way is three times the outcome
        return joined([self._carriage(times[first : first + PORTION]) for first in firsts], 0)

    def _carriage(self, times: Array) -> Carriage:
        own = {f.name: self.of(f.name, times) for f in fields(Manner)}
        phase, walking = self.phase(times), self.walking(times)
        step, beside = np.mod(phase, 1.0), np.sin(np.pi * phase)  # beside: over the left leg 1, over the right one -1
        spared = np.where(own["limp"] * beside > 0.0, own["limp"] * np.abs(beside) ** 3, 0.0)
        alone = np.where(own["limp"] * beside > 0.0, beside**3, 0.0)
        over = walking * np.radians(own["lurch"]) * np.where(own["limp"] == 0.0, beside, alone)
        loose, heavy = own["looseness"], own["heaviness"]
        late = walking * np.sin(np.pi * (phase - _BEHIND))
        reel = [_REEL * walking * _softly(self._middles, values, times) for values in self._reels]
        lift = self._plane.l5 * np.sin(self._heel(times)) - walking * (
            own["crouch"] * self._plane.l1 + self._bounced(own["bounce"], step, times) + _SINK * heavy * _sunk(phase)
            + _SPARED * np.abs(spared)
        )  # fmt: skip
        nod = _NOD * walking * heavy * _sunk(phase - 0.1)
        return Carriage(
            lift=lift,
            aside=walking * own["hip_sway"] * beside
            + monotone(self._changes, self._between, np.clip(times, 0.0, self._end)),
            roll=_TILT * walking * own["hip_sway"] * beside,
            chest_roll=-walking * (np.radians(own["shoulder_roll"]) * beside + _BEND * spared)
            - 0.5 * _DANGLE * loose * late + reel[0],
            chest_pitch=np.radians(own["slouch"]) + nod + reel[1],
            trunk_roll=-over,
            head_roll=-_DANGLE * loose * late - 0.5 * _BEND * walking * spared + reel[2]
            - np.radians(own["head_tilt"]) - _UPRIGHT * over,
            head_pitch=np.radians(own["head"]) + nod + reel[3]
            + 0.6 * _DANGLE * loose * walking * np.cos(2.0 * np.pi * (phase - _BEHIND)),
            head_yaw=walking * np.radians(own["look_about"]) * looking(times),
            arms_forward=np.radians(own["arms_forward"]),
            arms_out=np.radians(own["arms_out"]),
            arms_in=np.radians(own["arms_in"]),
            lag=_LAG[0] * loose + _LAG[1] * heavy,
            swing=1.0 + 0.4 * loose,
        )  # fmt: skip

    def _bounced(self, bounce: Array, step: Array, times: Array) -> Array:
        """Return how much lower the hips are for a bounce (T,), m: in double support, or for a glide between them."""
        high = 0.5 - 0.5 * np.cos(2.0 * np.pi * step)
        length = np.interp(times, self._middles[1:], self._lengths)
        glide = np.minimum(bounce, 0.0) * _GLIDE * length * length * high
        return np.asarray(_DIP * np.maximum(bounce, 0.0) * (1.0 - high) - glide)


def _sunk(phase: Array) -> Array:
    """Return how far a heavy body has sunk (T,), 0..1, at phases of its steps: quickly, and it rises slowly."""
    angle = 2.0 * np.pi * (phase - _SOON)
    return np.asarray(0.5 + 0.5 * np.cos(angle + 0.5 * np.cos(angle)))
