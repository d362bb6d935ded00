"""How far along its path a walk is."""

from __future__ import annotations

import numpy as np

from ...base.spatial import Array
from ...job import Job
from ..gait_events import moving_mean
from ..motion import RATE, Motion

_COARSE = 20.0  # Hz; the nearest point is first sought so often, then from there at every sample
_CLOSE = 0.1  # m before and behind in which it is sought then


def progress(motion: Motion, job: Job, stride_times: Array) -> tuple[Array, Array]:
    """Return the mid-hip averaged over a stride (T, 2) and the arc length (T,) of the path's point nearest to it.

    The point moves on with the walker and searches only close ahead, so that a crossing is not a short cut.
    stride_times (T,): how long the stride around each sample is, s.
    """
    times = motion.times
    middle = moving_mean(motion.root[:, :2], times, stride_times)
    step = max(1, round(RATE / _COARSE))
    coarse = np.unique(np.append(np.arange(0, len(times), step), len(times) - 1))
    reach = max(0.5, 3.0 * job.speed / _COARSE)
    along, at = [], job.start
    for place in middle[coarse].tolist():
        at = job.path.nearest(place, max(0.0, at - 0.5 * reach), at + reach)
        along.append(at)
    # Where the path turns back on itself, what is sought next may be on the other side of the turn.
    after = np.searchsorted(coarse, np.arange(len(times)))
    ends = np.array(along)[np.stack((np.maximum(after - 1, 0), after))]
    return middle, job.path.nearest_each(middle, np.maximum(0.0, ends.min(axis=0) - _CLOSE), ends.max(axis=0) + _CLOSE)
