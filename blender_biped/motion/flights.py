"""When feet are down in a motion with flights, found from their soles alone: by how high they are, and how fast.

Walks are told by where feet are ahead and behind (``clip.contacts``): in a run a foot comes back before it lands, and
goes on behind after it has left.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..base.spatial import Array, rotate
from .gait_events import BOUNCE, SIDES, ball, ball_track, moving_mean, runs
from .motion import Motion

_STANDING = 10.0  # percentile of a sole's height at which it is on the ground: a foot is so for longer in any gait
_ALOFT, _NEAR = 0.02, 0.03  # of the leg, from which a sole is over the ground, and up to which it may be down
_SLOW = 0.4  # of the body's speed, that a sole has at most then
_SPEED_OVER = 0.6  # s over which the body's speed is taken


def flight_share(motion: Motion) -> float:
    """Return the share of the time, 0..1, in which both soles are over the ground."""
    heights, _ = _soles(motion)
    return float(_over(motion, heights, _ALOFT).all(axis=1).mean())


def standing_on(motion: Motion) -> NDArray[np.intp]:
    """Return in which samples (N,) one sole at least is near the ground."""
    heights, _ = _soles(motion)
    return np.flatnonzero(~_over(motion, heights, _ALOFT).all(axis=1))


def run_contacts(motion: Motion) -> tuple[Array, Array]:
    """Return foot strikes and toe-offs (K, 2), s and side, of a motion that goes over level ground."""
    heights, speeds = _soles(motion)
    times = motion.times
    way = np.gradient(moving_mean(motion.root[:, :2], times, _SPEED_OVER), times, axis=0)
    slow = speeds < _SLOW * np.linalg.norm(way, axis=1)[:, None]
    down = slow & ~_over(motion, heights, _NEAR)
    strikes: list[tuple[float, int]] = []
    lifts: list[tuple[float, int]] = []
    for side in (0, 1):
        for begin, end in _merged(down[:, side], times):
            if begin > 0:
                strikes.append((float(times[begin]), side))
            if end < len(times):
                lifts.append((float(times[end]), side))
    return np.array(sorted(strikes)).reshape(-1, 2), np.array(sorted(lifts)).reshape(-1, 2)


def _soles(motion: Motion) -> tuple[Array, Array]:
    """Return how high the lowest point of each sole is (T, 2), m, and how fast it moves (T, 2), m/s."""
    body, found = motion.character, []
    for side, name in enumerate(SIDES):
        foot, below = body.index(f"foot.{name}"), ball(body, side) * (0.0, 0.0, 1.0)  # the sole below the ankle
        heel = motion.origins[:, foot] + rotate(motion.rotations[:, foot], below)
        points = np.stack((heel, ball_track(motion, side)), axis=1)
        speeds = np.linalg.norm(np.gradient(points, motion.times, axis=0), axis=2)
        lower = np.argmin(points[:, :, 2], axis=1)
        at = np.arange(len(lower))
        found.append((points[at, lower, 2], speeds[at, lower]))
    heights, fast = zip(*found, strict=True)
    return np.stack(heights, axis=1), np.stack(fast, axis=1)


def _over(motion: Motion, heights: Array, by: float) -> NDArray[np.bool_]:
    """Return whether soles (T, 2) are farther over the ground, each told by how high it is as it stands.

    by: share of the leg.
    """
    ground = np.percentile(heights, _STANDING, axis=0)
    return np.asarray(heights - ground > by * motion.character.leg_length)


def _merged(down: NDArray[np.bool_], times: Array) -> list[tuple[int, int]]:
    """Return begin and end, past the last, of each time that a foot is down, without bounces."""
    found: list[tuple[int, int]] = []
    for begin, end in runs(down):
        if found and times[begin] - times[found[-1][1] - 1] < BOUNCE:
            found[-1] = found[-1][0], end
        else:
            found.append((begin, end))
    return [(begin, end) for begin, end in found if times[end - 1] - times[begin] >= BOUNCE]
