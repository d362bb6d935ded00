"""Where a walk that falls is still good: a fall begins well before the body is down."""

from __future__ import annotations

import numpy as np

from ..base.spatial import quaternion_matrix
from ..job import Job
from .measures.motion_view import MotionView
from .motion import Motion

_SUNK = 0.9  # of the usual height of the hips over the ground: below it they sink
_LEAN = np.radians(20.0)  # of the hips, beyond their usual tilt: they tip over


def upright_until(motion: Motion, job: Job) -> float | None:
    """Return when the last whole step before a fall ends, s; None for a walk without a fall, or without such a step.

    It ends with the last foot strike before the hips sink or tip over for good.
    """
    view = MotionView(motion, job)
    if view.fell_at is None:
        return None
    walk = view.walk
    height = walk.root[:, 2] - (job.ground if job.floor.flat else job.floor.heights(walk.root))
    up = quaternion_matrix(walk.rotations[:, 0])[:, 2, 2]
    tilt = np.arccos(np.clip(up, -1.0, 1.0))
    half = max(1, len(height) // 2)  # a fall takes the end of it
    good = (height >= _SUNK * np.median(height[:half])) & (tilt <= np.median(tilt[:half]) + _LEAN)
    if not good.any():
        return None
    last = float(walk.times[np.flatnonzero(good)[-1]])
    strikes = [time for time, _ in view.strikes if time <= last]
    return strikes[-1] if strikes else None
