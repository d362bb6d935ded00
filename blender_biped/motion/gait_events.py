"""Events of walking: when each foot is down, steps, strides, footprints, and which part of a walk is steady."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from ..base.spatial import Array, rotate, yaw
from ..character.model import Character
from ..character.segments import BALL_IN_FOOT
from ..job import Job
from .motion import Motion

SIDES = ("L", "R")
BOUNCE = 0.06
"""Contacts and gaps shorter than this, s, are bounces of one foot strike, not steps."""


# A right foot's sole from the heel on, counter-clockwise: along, -1 the heel, 0 the ball, 1 the toes' tip, and across,
# 1 to the inner side.
_SOLE = np.array([
    (-1.0, -0.12), (-0.98, -0.36), (-0.92, -0.55), (-0.8, -0.66), (-0.6, -0.7), (-0.38, -0.76), (-0.18, -0.9),
    (0.0, -1.0), (0.3, -0.97), (0.6, -0.78), (0.85, -0.42), (0.97, 0.05), (1.0, 0.35), (0.95, 0.64), (0.8, 0.84),
    (0.5, 0.97), (0.2, 1.0), (-0.03, 0.96), (-0.2, 0.78), (-0.38, 0.56), (-0.6, 0.48), (-0.8, 0.56), (-0.92, 0.5),
    (-0.98, 0.32), (-1.0, 0.12),
])  # fmt: skip


@dataclass(frozen=True)
class Stance:
    """One time on the ground: foot (0 left, 1 right), from ``start`` to ``end``, s.

    opened, closed: whether the motion shows its foot strike and its toe-off, or begins and ends within it.
    """

    side: int
    start: float
    end: float
    opened: bool
    closed: bool


@dataclass(frozen=True)
class Stride:
    """One gait cycle of a foot (0 left, 1 right): strike at ``start``, toe-off, next strike at ``end``, s."""

    side: int
    start: float
    toe_off: float
    end: float


@dataclass(frozen=True)
class Footprint:
    """Where a foot stood: foot (0 left, 1 right), ball (2,) m world, heading rad, at ``time`` s (mid-stance)."""

    side: int
    time: float
    place: Array
    heading: float


def stances(motion: Motion, side: int) -> list[Stance]:
    """Return the stances of one foot (0 left, 1 right) in order, bounces merged."""
    begins = [t for t, foot in motion.strikes if int(foot) == side]
    ends = [t for t, foot in motion.lifts if int(foot) == side]
    opened = [True] * len(begins)
    first_is_lift = bool(ends) and (not begins or ends[0] < begins[0])
    always_down = not begins and not ends and motion.loads[0, side] > 0.0
    if first_is_lift or always_down:
        begins, opened = [float(motion.times[0]), *begins], [False, *opened]
    found: list[Stance] = []
    for begin, seen in zip(begins, opened, strict=True):
        end = next((e for e in ends if e > begin), None)
        stance = Stance(side, float(begin), motion.duration if end is None else float(end), seen, end is not None)
        last = found[-1] if found else None
        if last is not None and stance.start - last.end < BOUNCE:
            found[-1] = Stance(side, last.start, stance.end, last.opened, stance.closed)
        else:
            found.append(stance)
    return [s for s in found if s.end - s.start >= BOUNCE or not s.closed]


def strides(motion: Motion, side: int) -> list[Stride]:
    """Return the gait cycles of one foot (0 left, 1 right): strike to next strike."""
    return strides_of(stances(motion, side))


def strides_of(stances: Iterable[Stance]) -> list[Stride]:
    """Return the gait cycles between the stances of one foot: strike to next strike."""
    own = [s for s in stances if s.opened]
    return [Stride(a.side, a.start, a.end, b.start) for a, b in pairwise(own) if a.closed]


def strikes(motion: Motion) -> list[tuple[float, int]]:
    """Return all foot strikes, bounces merged, as (time s, foot), in order."""
    return strikes_of([stances(motion, side) for side in (0, 1)])


def strikes_of(stances: Iterable[Iterable[Stance]]) -> list[tuple[float, int]]:
    """Return the foot strikes of the stances of both feet, as (time s, foot), in order."""
    return sorted((s.start, s.side) for own in stances for s in own if s.opened)


def footprints(motion: Motion) -> list[Footprint]:
    """Return where each foot stood, in the order of time."""
    body, prints = motion.character, []
    for side, name in enumerate(SIDES):
        track = ball_track(motion, side)[:, :2]
        heading = np.unwrap(yaw(motion.rotations[:, body.index(f"foot.{name}")]))
        for stance in stances(motion, side):
            i = int(np.searchsorted(motion.times, 0.5 * (stance.start + stance.end)))
            i = min(i, len(motion.times) - 1)
            prints.append(Footprint(side, float(motion.times[i]), track[i], float(heading[i])))
    return sorted(prints, key=lambda p: p.time)


def sole_outline(character: Character, mark: Footprint) -> Array:
    """Return the outline (N, 2) of a footprint, m, world, counter-clockwise: as long and wide as foot and toes are."""
    name = SIDES[mark.side]
    at = float(ball(character, mark.side)[0])
    parts = [(character.links[character.index(f"foot.{name}")].shape, 0.0)]
    if character.has(f"toes.{name}"):
        parts.append((character.links[character.index(f"toes.{name}")].shape, at))
    back = at - min(x + shape.center[0] - shape.half[0] for shape, x in parts)
    front = max(x + shape.center[0] + shape.half[0] for shape, x in parts) - at
    wide = max(shape.half[1] for shape, _ in parts)
    along, across = _SOLE.T
    outline = np.column_stack((np.where(along < 0.0, back, front) * along, wide * across))
    if mark.side == 0:  # mirrored, it would run the other way round
        outline = outline[::-1] * (1.0, -1.0)
    c, s = np.cos(mark.heading), np.sin(mark.heading)
    return np.asarray(outline @ np.array([[c, s], [-s, c]]) + mark.place)


def ball(character: Character, side: int) -> Array:
    """Return the point of the sole below the ball of a foot (0 left, 1 right), (3,), in the foot's frame, m.

    Where a character has no toes, the ball is as far along its foot as people's is.
    """
    name = SIDES[side]
    foot = character.index(f"foot.{name}")
    drop = -float(character.standing()[0][foot, 2])
    if character.has(f"toes.{name}"):
        x, y, _ = character.links[character.index(f"toes.{name}")].offset
    else:
        shape = character.links[foot].shape
        x, y = shape.center[0] + (2.0 * BALL_IN_FOOT - 1.0) * shape.half[0], shape.center[1]
    return np.array([x, y, drop])


def ball_track(motion: Motion, side: int) -> Array:
    """Return where the point of the sole below the ball of a foot is (T, 3), world, m."""
    i = motion.character.index(f"foot.{SIDES[side]}")
    return motion.origins[:, i] + rotate(motion.rotations[:, i], ball(motion.character, side))


def heading(motion: Motion, window: float = 1.1) -> Array:
    """Return where the walker faces (T,), rad, unwrapped: the pelvis' heading averaged over ``window`` s."""
    facing = np.unwrap(yaw(motion.rotations[:, 0]))
    return moving_mean(facing, motion.times, window)


def moving_mean(values: Array, times: Array, window: float | Array) -> Array:
    """Return values (T, ...) averaged over ``window`` s (one for all, or (T,)) around each of ``times`` (T,).

    The average is of the linearly interpolated samples; near the ends the window shrinks evenly on both sides.
    """
    values = np.asarray(values, dtype=float)
    half = 0.5 * np.broadcast_to(np.asarray(window, dtype=float), times.shape)
    half = np.minimum(half, np.minimum(times - times[0], times[-1] - times))
    flat = values.reshape(len(values), -1)
    area = np.concatenate(
        (np.zeros((1, flat.shape[1])), np.cumsum(0.5 * (flat[1:] + flat[:-1]) * np.diff(times)[:, None], axis=0))
    )

    def integral(at: Array) -> Array:
        i = np.clip(np.searchsorted(times, at, side="right") - 1, 0, len(times) - 2)
        x = (at - times[i])[:, None]
        rise = (flat[i + 1] - flat[i]) / (times[i + 1] - times[i])[:, None]
        return np.asarray(area[i] + flat[i] * x + 0.5 * rise * x**2)

    if len(times) < 2:
        return values.copy()
    narrow = half < 1e-9
    width = np.where(narrow, 1.0, 2.0 * half)
    mean = (integral(times + half) - integral(times - half)) / width[:, None]
    return np.where(narrow[:, None], flat, mean).reshape(values.shape)


def steady_spans(motion: Motion, job: Job) -> list[tuple[float, float]]:
    """Return begin and end, s, of each time of steady walking that has a whole stride, in order.

    Steady is: the commanded speed is the job's (no ramp), from a stride after it became steady and after the first
    two strides of the walk, until a stride before a fall. A motion whose command is steady from its first sample on is
    one that begins in mid-walk. Each time begins and ends at strikes of the same foot.
    """
    return spans_between(strikes(motion), motion, job)


def spans_between(hits: Sequence[tuple[float, int]], motion: Motion, job: Job) -> list[tuple[float, float]]:
    """Return ``steady_spans`` of a motion whose foot strikes, see ``strikes``, are known."""
    steady = np.abs(motion.command[:, 0] - job.speed) <= 0.01 * max(job.speed, 0.1)
    spans = [(motion.times[a], motion.times[b - 1]) for a, b in runs(steady)]
    found: list[tuple[float, float]] = []
    for begin, end in spans:
        inside = [k for k, hit in enumerate(hits) if begin <= hit[0] <= end]
        first = max(inside[0] + 2, 4) if inside and begin > motion.times[0] else 0
        last = len(hits) - 2 if motion.outcome == "fell" else len(hits)
        whole = [hits[k] for k in inside if first <= k < last]
        while len(whole) > 2 and whole[-1][1] != whole[0][1]:
            whole.pop()
        if len(whole) > 2:
            found.append((whole[0][0], whole[-1][0]))
    return found


def steady_span(motion: Motion, job: Job) -> tuple[float, float] | None:
    """Return the longest of ``steady_spans``, the first of equals, or None when there is none."""
    return longest(steady_spans(motion, job))


def longest(spans: Iterable[tuple[float, float]]) -> tuple[float, float] | None:
    """Return the longest of times with begin and end, s, the first of equals, or None when there is none."""
    return max(spans, key=lambda span: span[1] - span[0], default=None)


def runs(flags: ArrayLike) -> list[tuple[int, int]]:
    """Return begin and end (past the last) of each unbroken run of true ``flags`` (T,)."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], np.asarray(flags, dtype=np.int8), [0]))))
    return [(int(a), int(b)) for a, b in zip(edges[::2], edges[1::2], strict=True)]
