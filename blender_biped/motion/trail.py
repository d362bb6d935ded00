"""What is drawn of a walk: its way and its footprints on the ground, and the body at a time."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..base.spatial import Array, interpolated_rotation, left_of, quaternion_matrix
from ..character.model import Character
from ..world.floor import Floor
from . import gait_events
from .motion import Motion

_TICK = 0.12  # of the leg: half the length of a second's mark
_EVERY = 6  # points of a motion's line to one that is drawn


@dataclass(frozen=True, eq=False)
class Trail:
    """What a walk leaves on the ground, world, m.

    line (T, 3): the mid-hip's way. prints: outline (N, 3) of each footprint and its foot (0 left, 1 right), in the
    order of time. ticks (K, 2, 3): marks across the way, one a second.
    """

    character: Character
    line: Array
    prints: list[tuple[Array, int]]
    ticks: Array


@dataclass(frozen=True, eq=False)
class MotionTrail(Trail):
    """What is drawn of a motion, be it whole or a part from the begin."""

    motion: Motion

    @property
    def duration(self) -> float:
        """Length, s."""
        return self.motion.duration

    def place(self, time: float) -> tuple[Array, Array]:
        """Return joints (L, 3) and orientations (L, 3, 3) of the links at a time, s; before and after, the end's.

        They are those of ``Motion.sampled``.
        """
        motion = self.motion
        right = int(np.clip(np.searchsorted(motion.times, time, side="right"), 1, max(len(motion.times) - 1, 1)))
        near = slice(right - 1, right + 1)
        times = motion.times[near]
        root = np.array([np.interp(time, times, column) for column in motion.root[near].T])
        rotations = interpolated_rotation([time], times, motion.rotations[near])
        return motion.character.forward_kinematics(root[None], rotations)[0], quaternion_matrix(rotations[0])


def trail_of(motion: Motion, floor: Floor, every: int = 1) -> MotionTrail:
    """Return what is drawn of a motion. floor: the ground. every: how many samples to one that is looked at."""
    body, own = motion.character, _thinned(motion, every) if every > 1 else motion
    line = np.column_stack((own.root[:, :2], floor.heights(own.root)))
    seconds = np.arange(0.0, own.duration + 1e-9, 1.0)
    at = np.stack([np.interp(seconds, own.times, column) for column in line.T], axis=1)
    prints = [
        (np.column_stack((outline, floor.heights(outline))), mark.side)
        for mark in gait_events.footprints(own)
        for outline in [gait_events.sole_outline(body, mark)]
    ]
    heading = np.interp(seconds, own.times, gait_events.heading(own))
    return MotionTrail(body, line[_points(len(line), _EVERY)], prints, second_marks(body, at, heading), motion)


def _thinned(motion: Motion, every: int) -> Motion:
    kept = _points(len(motion.times), every)
    sampled = ("times", "root", "rotations", "loads", "torques", "command")
    return replace(motion, **{name: getattr(motion, name)[kept] for name in sampled})


def _points(count: int, every: int) -> NDArray[np.int_]:
    """Return 0, ``every``, twice that and so on below ``count``, and the last below it."""
    return np.union1d(np.arange(0, count, every), [count - 1])


def second_marks(character: Character, places: Array, headings: Array) -> Array:
    """Return marks (K, 2, 3) across the way at places (K, 3), m, for headings (K,), rad."""
    across = np.pad(_TICK * character.leg_length * left_of(headings), ((0, 0), (0, 1)))
    return np.stack((places - across, places + across), axis=1)
