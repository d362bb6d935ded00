"""One stride that repeats: cut from a walk's steady, straight part, on the spot, its ends the same.

No stride ends quite as it began. So two consecutive strides of the left foot are laid over each other, strike on
strike: the cycle begins as the second one and goes over smoothly into the first, which ends where the second one
begins. Through the seam the motion is therefore as it was simulated, the foot strike included; between its ends
the cycle is a blend, and says how far that takes it from the stride that it begins with.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from ..base.curves import gently
from ..base.errors import DataError
from ..base.spatial import (
    Array,
    axis_angle_quaternion,
    continuous,
    normalized,
    quaternion_conjugate,
    quaternion_product,
    rotation_vector,
)
from ..job import Job
from . import gait_events
from .motion import RATE, Motion
from .travel import moved

_PHASES = 24  # samples of a stride at which two are compared
_AS_STRAIGHT = np.radians(2.0)  # a stride that turns by so much more than the straightest may be cut as well
_TOO_BENT = np.radians(10.0)  # a stride; the feet on the ground would visibly turn
_FEWEST_FRAMES = 4
_FIRST = 7  # foot strikes of a walk that has no steady stride, at most, about
_STRIKES = 6  # of both feet, in two strides of the left one, wherever they begin


@dataclass(frozen=True)
class Cycle:
    """One stride that repeats, from a strike of the left foot to its next.

    motion: at the origin, walking along x without leaving it; its last sample is its first, and every frame of the
    rate has a sample. Its command has the way that was taken out. frames: its length. travel: the way of one cycle,
    m. turn: the change of heading in it that was taken out, rad.
    stretch: its duration over that of the simulated stride, which makes it a whole number of frames.
    gap, gap_turn: of the stride's end from its begin: the farthest joint, m, and the link that has turned most, rad.
    blend, blend_turn: likewise, of the cycle from the stride as it was simulated, at worst.
    """

    motion: Motion
    frames: int
    travel: float
    turn: float
    stretch: float
    gap: float
    gap_turn: float
    blend: float
    blend_turn: float

    @property
    def duration(self) -> float:
        """Length, s."""
        return self.motion.duration

    @property
    def speed(self) -> float:
        """Speed at which the ground passes, and a foot that stands slides back, m/s."""
        return self.travel / self.duration


def one_stride(motion: Motion, job: Job, rate: float) -> Cycle:
    """Return the cycle that can be cut best from a walk without a fall, for ``rate`` frames a second.

    Among the strides that turn least, it is the one that is most like the stride before it. Raises DataError when
    there are no two steady strides, none is straight, or a stride has too few frames.
    """
    pairs = [_Pair.of(motion, a, b) for a, b in _steady_pairs(motion, job)]
    if not pairs:
        raise DataError(
            "The walk has no two steady strides to cut one from: walk further, on a path that is longer by "
            f"{_missing(motion, job):.1f} m or more, or untick One Stride."
        )
    least = min(abs(pair.turn) for pair in pairs)
    if least > _TOO_BENT:
        raise DataError(
            f"The walk turns by {np.degrees(least):.0f} degrees or more in each stride: one that repeats needs a "
            "straight stretch of the path."
        )
    best = min((p for p in pairs if abs(p.turn) <= least + _AS_STRAIGHT), key=lambda p: p.difference)
    return best.cycle(rate)


def _missing(motion: Motion, job: Job) -> float:
    """Return how much longer a walk would have to be, m, for two strides of the left foot in steady walking."""
    hits = gait_events.strikes(motion)
    spans = gait_events.steady_spans(motion, job)
    there = max((_within(hits, span) for span in spans), default=min(len(hits), _FIRST) - _FIRST)
    times = np.diff([time for time, _ in hits])
    step = job.speed * float(np.median(times)) if len(times) else job.character.leg_length
    return step * max(_STRIKES - there, 1)


def _within(hits: Sequence[tuple[float, int]], span: tuple[float, float]) -> int:
    return sum(span[0] <= time <= span[1] for time, _ in hits)


def _steady_pairs(motion: Motion, job: Job) -> list[tuple[gait_events.Stride, gait_events.Stride]]:
    """Return all pairs of consecutive strides of the left foot in steady walking, the right foot stepping in each."""
    right = [hit[0] for hit in gait_events.strikes(motion) if hit[1] == 1]

    def walks(stride: gait_events.Stride) -> bool:
        return sum(stride.start < t < stride.end for t in right) == 1

    return [
        (a, b)
        for a, b in pairwise(gait_events.strides(motion, 0))
        if a.end == b.start and walks(a) and walks(b)
        if any(begin <= a.start and b.end <= end for begin, end in gait_events.steady_spans(motion, job))
    ]


@dataclass(frozen=True)
class _Pair:
    """Two consecutive strides, and the even travel that takes the begin of the first to the end of the second.

    turn, way: of the travel in each stride: rad; and m, as a complex number x + iy, of the mid-hip's place at the
    strike between them, which is also where the way is seen from. difference: between the strides without it: root
    mean square of the distance of all links, m.
    """

    motion: Motion
    first: gait_events.Stride
    second: gait_events.Stride
    turn: float
    way: complex
    difference: float

    @classmethod
    def of(cls, motion: Motion, first: gait_events.Stride, second: gait_events.Stride) -> _Pair:
        ends = motion.sampled([first.start, first.end, second.end])
        plane = ends.origins[..., 0] + 1j * ends.origins[..., 1] - (ends.root[1, 0] + 1j * ends.root[1, 1])
        begin, end = plane[0], plane[2]
        turn = float(np.angle(np.sum((end - end.mean()) * (begin - begin.mean()).conj())))
        shift = end.mean() - np.exp(1j * turn) * begin.mean()
        found = cls(motion, first, second, 0.5 * turn, complex(0.5 * shift / _arc(turn)), 0.0)
        one, other = found.laid(_PHASES)
        apart = np.linalg.norm(one.origins - other.origins, axis=-1)
        return replace(found, difference=float(np.sqrt(np.mean(apart**2))))

    def laid(self, count: int) -> tuple[Motion, Motion]:
        """Return both strides on the spot, ``count`` + 1 samples each, as they are over the strike between them."""
        share = np.arange(count + 1) / count
        place = self.motion.sampled([self.second.start]).root[0, :2]
        found = []
        for stride, phase in ((self.first, share - 1.0), (self.second, share)):
            cut = self.motion.sampled(stride.start + share * (stride.end - stride.start))
            back = -phase * self.way * _arc(-phase * self.turn)
            cut = moved(cut, -place, 0.0)
            found.append(moved(cut, np.column_stack((back.real, back.imag)), -phase * self.turn))
        return found[0], found[1]

    def cycle(self, rate: float) -> Cycle:
        """Return the cycle of the two. Raises DataError when it has too few frames."""
        simulated = 0.5 * (self.second.end - self.first.start)
        frames = round(simulated * rate)
        if frames < _FEWEST_FRAMES:
            raise DataError(f"A stride of {simulated:.1f} s has too few frames: choose a higher frame rate.")
        count = frames * int(np.ceil(RATE / rate))
        before, after = self.laid(count)
        share = np.arange(count + 1) / count
        duration, travel = frames / rate, abs(self.way)
        stances = [s for side in (0, 1) for s in gait_events.stances(self.motion, side)]
        blended = replace(
            _blended(after, before, gently(share)),
            times=share * duration,
            strikes=self._events([(s.start, s.side) for s in stances if s.opened], duration),
            lifts=self._events([(s.end, s.side) for s in stances if s.closed], duration),
            command=np.column_stack((np.full_like(share, travel / duration), 0.0 * share, share * travel)),
        )
        apart = np.linalg.norm(blended.origins - after.origins, axis=-1)
        turned = np.linalg.norm(_between(after.rotations, blended.rotations), axis=-1)
        return Cycle(
            motion=_centred(blended, float(np.angle(self.way))),
            frames=frames,
            travel=travel,
            turn=self.turn,
            stretch=duration / simulated,
            gap=float(apart[-1].max()),
            gap_turn=float(turned[-1].max()),
            blend=float(apart.max()),
            blend_turn=float(turned.max()),
        )

    def _events(self, events: list[tuple[float, int]], duration: float) -> Array:
        """Return a cycle's events (K, 2), s and foot: each at the mean of where it is in the two strides."""
        phases: list[dict[int, float]] = []
        for stride in (self.first, self.second):
            inside = [(t, foot) for t, foot in events if stride.start <= t < stride.end]
            phases.append({foot: (t - stride.start) / (stride.end - stride.start) for t, foot in reversed(inside)})
        one, other = phases
        rows = [(0.5 * duration * (one[foot] + other[foot]), float(foot)) for foot in one if foot in other]
        return np.array(sorted(rows), dtype=float).reshape(-1, 2)


def _blended(one: Motion, other: Motion, share: Array) -> Motion:
    """Return the motion that goes from ``one`` to ``other`` by ``share`` (T,), its last sample equal to its first."""
    part = share[:, None]
    root = one.root + part * (other.root - one.root)
    turn = part[..., None] * _between(one.rotations, other.rotations)
    angle = np.linalg.norm(turn, axis=-1)
    rotations = continuous(quaternion_product(axis_angle_quaternion(normalized(turn), angle), one.rotations))
    root[-1], rotations[-1] = root[0], rotations[0]
    return replace(
        one,
        root=root,
        rotations=rotations,
        loads=one.loads + part * (other.loads - one.loads),
        torques=one.torques + part[..., None] * (other.torques - one.torques),
    )


def _centred(motion: Motion, direction: float) -> Motion:
    """Return a cycle turned so that ``direction`` rad becomes x, with the mid-hip at the origin on average."""
    turned = moved(motion, (0.0, 0.0), -direction)
    turned = moved(turned, -turned.root[:-1, :2].mean(axis=0), 0.0)
    return replace(turned, command=motion.command)


def _between(a: Array, b: Array) -> Array:
    """Return the rotation vectors (..., 3) that turn ``a`` (..., 4) into ``b`` (..., 4)."""
    return rotation_vector(quaternion_product(b, quaternion_conjugate(a)))


def _arc(turn: float | Array) -> Array:
    """Return, as a complex number, the mean direction of something that goes evenly and turns by ``turn`` rad."""
    half = 0.5 * np.asarray(turn)
    return np.asarray(np.exp(1j * half) * np.sinc(half / np.pi))
