"""How near a walk is to its path, its speed and its end."""

from __future__ import annotations

import numpy as np

from ...base.spatial import Array
from .motion_view import MotionView


def path_deviation(view: MotionView) -> tuple[float | None, float | None]:
    """Return mean and worst of ``deviations``, m."""
    _, away = deviations(view)
    return (float(away.mean()), float(away.max())) if len(away) else (None, None)


def deviations(view: MotionView) -> tuple[Array, Array]:
    """Return times (K,), s, and the horizontal distance (K,), m, from the mid-hip, averaged over a stride, to the path.

    From the second foot strike on, which there may be none of. Where a path comes back near itself only the part
    around the distance walked so far counts.
    """
    times, hits = view.walk.times, view.strikes
    if len(hits) < 2 or len(times) < 2:
        return np.empty(0), np.empty(0)
    middle, along = view.progress
    after = times >= hits[1][0]
    away = np.linalg.norm(middle - view.job.path.position(along), axis=1)[after]
    return times[after], view.scale * away


def speed_error(view: MotionView) -> float | None:
    """Return how far the distance along the path per second, over steady walking, is from the job's speed, %."""
    speed, desired = steady_speed(view), view.job.speed
    return None if speed is None or desired <= 0.0 else 100.0 * abs(speed / desired - 1.0)


def steady_speed(view: MotionView) -> float | None:
    """Return the distance along the path per second over steady walking, m/s, not scaled."""
    span = view.steady_span
    if span is None:
        return None
    _, along = view.progress
    begin, finish = np.interp(span, view.walk.times, along)
    return float(finish - begin) / (span[1] - span[0])


def arrival(view: MotionView) -> float | None:
    """Return the distance, m, of the mid-hip from the path's end when standing; None when it never stands."""
    path = view.job.path
    if not view.job.stop or view.standing_since is None:
        return None
    return view.scale * float(np.linalg.norm(view.walk.root[-1, :2] - path.position(path.length)))


def stop_time(view: MotionView) -> float | None:
    """Return the time, s, from the last foot strike until the centre of mass stays under 0.02 m/s."""
    since, hits = view.standing_since, view.strikes
    if since is None or not hits or not view.job.stop:
        return None
    return max(0.0, since - hits[-1][0])
