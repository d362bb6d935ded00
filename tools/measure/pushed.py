# SPDX-License-Identifier: GPL-3.0-or-later
"""The push protocol: the largest push on the upper torso that a walk survives at the worst moment of a stride.

    python -m tools.measure.pushed TASK.json RESULT.json

The task: ``{"fingerprint", "direction", "job"}``, the job along x. The result: ``{"version", "fingerprint",
"limit_n"}``, for a body of 70 kg.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path as FilePath
from typing import Any

from blender_biped.character.pushed import torso
from blender_biped.job import Job, Push, job_from_json
from blender_biped.motion import gait_events, measures
from blender_biped.simulate import simulate
from blender_biped.world.path import Path
from tools.base.processes import VERSION, child
from tools.measure.selection import DIRECTIONS

PHASES = 8  # of a stride, at which the push begins
LENGTH = 0.1  # s that the push lasts
WATCHED = 6.0  # s after the push in which it must not fall
MASS = 70.0  # kg of the body that the force is given for
_FIRST, _LEAST, _MOST = 150.0, 5.0, 5000.0  # N: where the search begins, what counts as nothing, where it ends
_GROWTH = 1.5
_FINE = 1.05  # ratio of what it does not survive to what it does at which the search ends
_BEFORE = 12.0  # s of walking in which a steady stride is looked for


def largest(survives: Callable[[int, float], bool], phases: int = PHASES) -> float:
    """Return the largest force that is survived at every phase, N, to 5 %; 0 when none is.

    survives(phase, force): one trial. A phase that survives what the ones before it did costs one trial only.
    Between the trials it is taken that who survives a force survives any smaller one.
    """
    bound = _bracketed(lambda force: survives(0, force), _FIRST)
    for phase in range(1, phases):
        if bound <= 0.0:
            break
        if not survives(phase, bound):
            bound = _below(lambda force, at=phase: survives(at, force), bound)  # type: ignore[misc]
    return bound


def _bracketed(survives: Callable[[float], bool], force: float) -> float:
    if not survives(force):
        return _below(survives, force)
    while force < _MOST:
        if not survives(_GROWTH * force):
            return _between(survives, force, _GROWTH * force)
        force *= _GROWTH
    return force


def _below(survives: Callable[[float], bool], high: float) -> float:
    """Return the largest force survived below ``high``, which is not; 0 for none."""
    while high > _LEAST:
        low = high / _GROWTH
        if survives(low):
            return _between(survives, low, high)
        high = low
    return 0.0


def _between(survives: Callable[[float], bool], low: float, high: float) -> float:
    while high / low > _FINE:
        middle = float((low * high) ** 0.5)
        low, high = (middle, high) if survives(middle) else (low, middle)
    return low


def limit(job: Job, direction: str) -> float | None:
    """Return the largest push in one of DIRECTIONS that a walk along x survives, N for 70 kg.

    0 when it falls without a push; None when it has no steady stride.
    """
    walk = replace(job, duration=_BEFORE, path=_long_enough(job.speed))
    motion = simulate(walk)
    if motion.outcome == "fell":
        return 0.0
    span = measures.steady_span(motion, walk)
    strides = [s for s in gait_events.strides(motion, 0) if span and s.start >= span[0]]
    if not strides:
        return None
    stride, role = strides[0], torso(job.character)
    x, y = DIRECTIONS[direction]

    def survives(phase: int, force: float) -> bool:
        onset = stride.start + phase / PHASES * (stride.end - stride.start)
        real = force * job.character.mass / MASS
        push = Push(role, onset, LENGTH, (real * x, real * y, 0.0))
        return simulate(replace(walk, pushes=(push,), duration=onset + LENGTH + WATCHED)).outcome != "fell"

    return largest(survives)


def _long_enough(speed: float) -> Path:
    """Return a straight path along x whose end is not in sight before the last trial is over."""
    return Path([[0.0, 0.0], [5.0 + 1.5 * speed * (_BEFORE + LENGTH + WATCHED), 0.0]])


def pushed(task: dict[str, Any]) -> dict[str, Any]:
    """Return the result of a task. Raises BipedError when the job cannot be read or simulated."""
    found = limit(job_from_json(task["job"]), task["direction"])
    return {"version": VERSION, "fingerprint": task["fingerprint"], "limit_n": found}


if __name__ == "__main__":
    sys.exit(child([FilePath(a) for a in sys.argv[1:]], pushed))
