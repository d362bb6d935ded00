"""A motion as measures see it: what several of them need is found once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.spatial import Array, quaternion_matrix
from ...character.reference import REFERENCE_LEG
from ...job import Job
from .. import gait_events
from ..motion import Motion
from .falling import down_samples
from .joint_angles import bend, part_of
from .path_progress import progress

LEG = REFERENCE_LEG  # m; the leg that lengths are scaled to
STANDING_SPEED = 0.02  # m/s; a centre of mass slower than this stands


class MotionView:
    """A Motion and the Job that it was made from, with what measures share of them; each thing is found when needed.

    ``motion`` is the whole of it, ``walk`` what comes before a fall: all but ``down`` and ``fell_at`` is of the walk,
    and T is the number of its samples. The arrays of the motion must stay as they are while the view is used. It
    keeps 72 bytes a sample for each link whose rotations were asked for.
    """

    def __init__(self, motion: Motion, job: Job) -> None:
        self.motion = motion
        self.job = job
        self._kept: dict[tuple[Any, ...], Array] = {}

    # -- falling

    @cached_property
    def down(self) -> NDArray[np.bool_]:
        """At which samples of the whole motion the body has fallen."""
        return down_samples(self.motion, self.job)

    @cached_property
    def fell_at(self) -> float | None:
        """When it fell, s: see ``character.fallen``."""
        if self.down.any():
            return float(self.motion.times[int(self.down.argmax())])
        return self.motion.duration if self.motion.outcome == "fell" else None

    @cached_property
    def walk(self) -> Motion:
        """What comes before a fall, at least one sample; the same motion when there is none."""
        down = self.down
        end = max(1, int(down.argmax())) if down.any() else len(down)
        if end == len(down):
            return self.motion
        return replace(self.motion.part(0, end), outcome="fell")

    # -- the body

    @property
    def scale(self) -> float:
        """What lengths are multiplied by to be those of a leg of LEG."""
        return LEG / self.motion.character.leg_length

    def rotation(self, link: int) -> Array:
        """Return a link's orientation (T, 3, 3) in the world."""
        return self._once(lambda: quaternion_matrix(self.walk.rotations[:, link]), "rotation", link)

    def in_parent(self, role: str) -> Array:
        """Return a link's orientation (T, 3, 3) in its parent's frame."""
        i = self.walk.character.index(role)
        parent = self.rotation(self.walk.character.parents[i])
        return np.asarray(parent.transpose(0, 2, 1) @ self.rotation(i))

    def flexion(self, joint: str, side: int) -> Array:
        """Return the flexion (T,), degrees, of a joint of one side (0 left, 1 right): see ``joint_angles.flexion``."""
        return self._once(lambda: bend(joint, self.in_parent(part_of(joint, side))), joint, side)

    def arm_flexion(self, side: int) -> Array:
        """Return how far an upper arm is forward of the chest's vertical (T,), degrees."""

        def found() -> Array:
            down = -self.in_parent(f"upper_arm.{gait_events.SIDES[side]}")[:, :, 2]
            return np.asarray(np.degrees(np.unwrap(np.arctan2(down[:, 0], -down[:, 2]))))

        return self._once(found, "arm", side)

    def has_arm(self, side: int) -> bool:
        """Return whether the body has an upper arm on one side (0 left, 1 right)."""
        return self.walk.character.has(f"upper_arm.{gait_events.SIDES[side]}")

    # -- the feet

    def ball_track(self, side: int) -> Array:
        """Return where the point of the sole below the ball of a foot is (T, 3), world, m."""
        return self._once(lambda: gait_events.ball_track(self.walk, side), "ball", side)

    def sole_tilt(self, side: int) -> Array:
        """Return how far a foot's sole is turned up ahead from the ground below its ball, rad, (T,)."""

        def found() -> Array:
            ahead = self.rotation(self.walk.character.index(f"foot.{gait_events.SIDES[side]}"))[:, :, 0]
            pitch: Array = np.arcsin(np.clip(ahead[:, 2], -1.0, 1.0))
            return pitch - _inclines(self.job, self.ball_track(side)[:, :2], ahead)

        return self._once(found, "tilt", side)

    @cached_property
    def stances(self) -> tuple[list[gait_events.Stance], ...]:
        """The stances of the left and of the right foot."""
        return tuple(gait_events.stances(self.walk, side) for side in range(len(gait_events.SIDES)))

    @cached_property
    def strikes(self) -> list[tuple[float, int]]:
        """All foot strikes, bounces merged, as (time s, foot), in order."""
        return gait_events.strikes_of(self.stances)

    @cached_property
    def strides(self) -> list[gait_events.Stride]:
        """The strides of the left foot, then those of the right one."""
        return [stride for stances in self.stances for stride in gait_events.strides_of(stances)]

    @cached_property
    def stride_times(self) -> Array:
        """How long the stride around each sample (T,) is, s; 0 where there are no strides."""
        strides = sorted((0.5 * (s.start + s.end), s.end - s.start) for s in self.strides)
        if not strides:
            return np.zeros(len(self.walk.times))
        middle, length = np.array(strides).T
        return np.asarray(np.interp(self.walk.times, middle, length))

    # -- steady walking

    @cached_property
    def steady_spans(self) -> list[tuple[float, float]]:
        """Begin and end, s, of each time of steady walking; see ``gait_events.steady_spans``."""
        return gait_events.spans_between(self.strikes, self.walk, self.job)

    @cached_property
    def steady_span(self) -> tuple[float, float] | None:
        """The longest of ``steady_spans``, the first of equals, or None when there is none."""
        return gait_events.longest(self.steady_spans)

    @cached_property
    def steady_strides(self) -> list[gait_events.Stride]:
        """The strides of both feet that lie within steady walking."""
        span = self.steady_span
        return [s for s in self.strides if s.start >= span[0] and s.end <= span[1]] if span else []

    # -- the path

    @cached_property
    def progress(self) -> tuple[Array, Array]:
        """The mid-hip averaged over a stride (T, 2), and where on the path (T,) it is; see ``path_progress``."""
        return progress(self.walk, self.job, self.stride_times)

    @cached_property
    def standing_since(self) -> float | None:
        """From when on, s, the centre of mass stays under STANDING_SPEED; None when it does not end so."""
        times = self.walk.times
        if len(times) < 3 or self.fell_at is not None:
            return None
        fast = np.linalg.norm(np.gradient(self.walk.com, times, axis=0), axis=1) >= STANDING_SPEED
        if fast[-1]:
            return None
        return float(times[int(np.flatnonzero(fast)[-1]) + 1]) if fast.any() else float(times[0])

    def _once(self, make: Callable[[], Array], *key: Any) -> Array:
        if key not in self._kept:
            self._kept[key] = make()
        return self._kept[key]


def _inclines(job: Job, places: Array, ahead: Array) -> Any:
    """Return how steeply the ground rises, rad, (T,) at places (T, 2) along directions (T, 3); of a flat one 0."""
    if job.floor.flat:
        return 0.0
    slopes = np.array([job.floor.slope(x, y) for x, y in places.tolist()])
    level = ahead[:, :2] / np.maximum(np.linalg.norm(ahead[:, :2], axis=1), 1e-9)[:, None]
    return np.arctan((slopes * level).sum(axis=1))
