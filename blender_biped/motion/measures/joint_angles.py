"""Angles of the legs' joints, and curves over a stride."""

from __future__ import annotations

import numpy as np

from ...base.spatial import Array, quaternion_matrix
from ..gait_events import SIDES, Stride
from ..motion import Motion

_PARTS = {"hip": "thigh", "knee": "shin", "ankle": "foot"}


def flexion(motion: Motion, joint: str, side: int) -> Array:
    """Return the flexion (T,), degrees, of "hip", "knee" or "ankle" (dorsiflexion) of one side (0 left, 1 right).

    In the parent's sagittal plane: hip, thigh forward of the pelvis' vertical; knee, shank behind the thigh's line;
    ankle, foot up from square to the shank.
    """
    body = motion.character
    i = body.index(part_of(joint, side))
    turns, parents = (quaternion_matrix(motion.rotations[:, k]) for k in (i, body.parents[i]))
    return bend(joint, np.asarray(parents.transpose(0, 2, 1) @ turns))


def part_of(joint: str, side: int) -> str:
    """Return the role of the link below "hip", "knee" or "ankle" of one side (0 left, 1 right)."""
    return f"{_PARTS[joint]}.{SIDES[side]}"


def bend(joint: str, turns: Array) -> Array:
    """Return the flexion (T,), degrees, of a joint (see ``flexion``) whose link has turns (T, 3, 3) in its parent."""
    if joint == "ankle":
        return np.asarray(np.degrees(np.unwrap(np.arctan2(turns[:, 2, 0], turns[:, 0, 0]))))
    ahead, down = -turns[:, 0, 2], turns[:, 2, 2]
    return np.asarray(np.degrees(np.unwrap(np.arctan2(ahead if joint == "hip" else -ahead, down))))


def cycle(motion: Motion, values: Array, stride: Stride) -> Array:
    """Return values (T,) over one stride (101,), at 0..100 % of it."""
    return np.asarray(np.interp(np.linspace(stride.start, stride.end, 101), motion.times, values))
