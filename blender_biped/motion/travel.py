"""Where a walker goes, apart from how it moves on the way: its travel, a walk without it, a walk somewhere else."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from ..base.spatial import Array, continuous, quaternion_product, rotate, yaw, yaw_quaternion
from . import gait_events
from .motion import Motion

_STRIDE = 1.0  # s, when a motion has too few steps to tell


def travel(motion: Motion) -> tuple[Array, Array]:
    """Return the mid-hip's place on the ground (T, 2), m, and the pelvis' heading (T,), rad, smoothed over a stride.

    A centred mean that narrows towards both ends, so that it begins and ends where the character does.
    """
    same_foot = [np.diff(motion.strikes[motion.strikes[:, 1] == foot, 0]) for foot in (0.0, 1.0)]
    strides = np.concatenate(same_foot)
    stride = float(np.median(strides)) if len(strides) else _STRIDE
    raw = np.column_stack((motion.root[:, :2], np.unwrap(yaw(motion.rotations[:, 0]))))
    smooth = gait_events.moving_mean(raw, motion.times, stride)
    return smooth[:, :2], smooth[:, 2]


def in_place(motion: Motion) -> Motion:
    """Return the walk on the spot, at the origin and facing x: the hips keep their height, sway and bob."""
    place, heading = travel(motion)
    return moved(motion, *_inverse(place, heading))


def moved(motion: Motion, place: ArrayLike, heading: ArrayLike) -> Motion:
    """Return a motion turned about the origin's vertical by ``heading`` rad, then shifted by ``place`` m.

    place (2,) and heading () for the whole motion, or (T, 2) and (T,) for each of its samples. The command's
    heading turns too.
    """
    count = len(motion.times)
    place = np.broadcast_to(np.asarray(place, dtype=float), (count, 2))
    heading = np.broadcast_to(np.asarray(heading, dtype=float), (count,))
    turn = yaw_quaternion(heading)
    root = rotate(turn, motion.root)
    root[:, :2] += place
    return replace(
        motion,
        root=root,
        rotations=continuous(quaternion_product(turn[:, None], motion.rotations)),
        torques=rotate(turn[:, None], motion.torques),
        command=motion.command + heading[:, None] * (0.0, 1.0, 0.0),
    )


def _inverse(place: Array, heading: Array) -> tuple[Array, Array]:
    """Return what takes the places (T, 2) to the origin and the headings (T,) to zero, for ``moved``."""
    c, s = np.cos(heading), np.sin(heading)
    x, y = place.T
    return np.column_stack((-c * x - s * y, s * x - c * y)), -heading
