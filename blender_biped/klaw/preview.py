"""A walk to be shown while it is being set up: body, footprints and times, of whichever controller will simulate it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..base.spatial import Array, quaternion_matrix
from ..job import Job
from ..motion import gait_events
from ..motion.trail import Trail, second_marks
from ..preset.preset import Preset
from .stand_in import as_walk
from .walk import NAME, Walk, Walkers, walked

RATE = 20.0
"""Poses a second."""

_ROUGH = 2.0  # how much less exact than a walk for good: a few millimetres of the hips


@dataclass(frozen=True, eq=False)
class Preview(Trail):
    """What is shown of a walk, world, m.

    times (T,): s. origins (T, L, 3), turns (T, L, 3, 3): of the links. line (T, 3): at these times.
    steps: how many. speed: that is shown, m/s; it may be less than desired.
    whole: whether all steps are its own; if not, the same job shown again has more of them.
    """

    times: Array
    origins: Array
    turns: Array
    steps: int
    speed: float
    whole: bool

    @property
    def duration(self) -> float:
        """Length, s."""
        return float(self.times[-1])

    def place(self, time: float) -> tuple[Array, Array]:
        """Return joints (L, 3) and orientations (L, 3, 3) of the links at a time, s; before and after, the end's."""
        i = min(max(round((time - float(self.times[0])) * RATE), 0), len(self.times) - 1)
        return self.origins[i], self.turns[i]


class Previewer:
    """Makes previews one after the other, and remembers the steps of those before.

    patience: s for new steps, after which those that are known stand in for them.
    """

    def __init__(self, patience: float = math.inf) -> None:
        self._walkers = Walkers(_ROUGH, patience)

    def preview(self, job: Job, style: Preset) -> Preview:
        """Return the preview of a job, walked in its own style if that is KLAW's, else in ``style``.

        That is not faster than people walk. Raises DataError for what cannot be walked.
        """
        own = job if job.preset.controller == NAME else as_walk(job, style)
        made = walked(own, RATE, walkers=self._walkers)
        origins = own.character.forward_kinematics(made.posed.root, made.posed.rotations)
        return _shown(own, made, origins)


def _shown(job: Job, made: Walk, origins: Array) -> Preview:
    body, times = job.character, made.track.times * made.scale.time
    line = made.posed.root.copy()
    line[:, 2] = job.floor.heights(line)
    heading = made.posed.heading
    seconds = np.arange(0.0, times[-1] + 1e-9, 1.0)
    at = np.stack([np.interp(seconds, times, column) for column in line.T], axis=1)
    facing = np.interp(seconds, times, heading)
    return Preview(
        character=body,
        times=times,
        origins=origins,
        turns=quaternion_matrix(made.posed.rotations),
        line=line,
        prints=_prints(job, made, origins),
        ticks=second_marks(body, at, facing),
        steps=len(made.placed),
        speed=job.speed,
        whole=not made.stood_in,
    )


def _prints(job: Job, made: Walk, origins: Array) -> list[tuple[Array, int]]:
    """Return the outlines of both feet's prints, the first ones where it stood before."""
    body, track = job.character, made.track
    found: list[tuple[float, Array, int]] = []
    for side, name in enumerate(gait_events.SIDES):
        foot = body.index(f"foot.{name}")
        ball = gait_events.ball(body, side)
        for a, b in gait_events.runs(track.feet[side].down):
            i = a + int(np.abs(track.feet[side].pitch[a:b]).argmin())  # where it is flattest
            turn = quaternion_matrix(made.posed.rotations[i, foot])
            place = origins[i, foot] + turn @ ball
            heading = math.atan2(turn[1, 0], turn[0, 0])
            outline = gait_events.sole_outline(
                body, gait_events.Footprint(side, float(track.times[i]), place[:2], heading)
            )
            flat = np.column_stack((outline, job.floor.heights(outline)))
            found.append((float(track.times[a]), flat, side))
    return [(outline, side) for _, outline, side in sorted(found, key=lambda entry: entry[0])]
