"""Footsteps as sound and effects want them: when, which foot, how hard, and where."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..base.spatial import Array
from ..world.floor import Floor
from .gait_events import ball_track, stances
from .motion import Motion

_EARLY = 0.35  # of a stance: in it the foot takes the weight, and its load has the first of its two peaks


@dataclass(frozen=True, eq=False)
class Footstep:
    """A foot that strikes the ground.

    time: s. side: 0 left, 1 right. strength: the largest load on it while it takes the weight, in weights of the body:
    about 1.1 of a walk, 2 to 3 of a run. place (3,): of the ball of the foot, on the ground, world, m.
    """

    time: float
    side: int
    strength: float
    place: Array


def footsteps(motion: Motion, floor: Floor, gravity: float) -> list[Footstep]:
    """Return the footsteps of a motion in the order of time, each as often as ``gait_events.strikes`` has it.

    floor: what it was walked on. gravity: m/s2.
    """
    weight, found = gravity * motion.character.mass, []
    for side in (0, 1):
        track = ball_track(motion, side)[:, :2]
        for stance in (own for own in stances(motion, side) if own.opened):
            early = stance.start + _EARLY * (stance.end - stance.start)
            own = (motion.times >= stance.start) & (motion.times <= early)
            strength = float(motion.loads[own, side].max(initial=0.0)) / weight
            middle = int(np.searchsorted(motion.times, 0.5 * (stance.start + stance.end)))
            at = track[min(middle, len(motion.times) - 1)]
            place = np.array([*at, float(floor.heights(at[None])[0])])
            found.append(Footstep(stance.start, side, strength, place))
    return sorted(found, key=lambda own: own.time)
