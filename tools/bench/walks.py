# SPDX-License-Identifier: GPL-3.0-or-later
"""Walks to measure the cost of, and what they cost one after another in one process."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from blender_biped import simulate as simulation
from blender_biped.control.registry import presets
from blender_biped.job import Job
from blender_biped.world.path import Path as WalkPath
from tools.base.controllers import USUAL
from tools.base.memory import peak_memory
from tools.measure.grid import DEFAULT_CHARACTER, Case, characters, job_of

SPEED = 1.2  # m/s
REPEATS = 3  # of what is short; the one that was disturbed least counts


@dataclass(frozen=True)
class Walks:
    """What walks cost, one after another in one process. memory_mb: its peak; None where it is not known."""

    cpu_s: float
    simulated_s: float
    outcomes: tuple[str, ...]
    memory_mb: float | None


def walks_of(jobs: Sequence[Job]) -> Walks:
    """Return what it costs to simulate some jobs one after another, and the memory of this process then."""
    cpu = simulated = 0.0
    outcomes = []
    for job in jobs:
        motion = simulation.simulate(job)
        cpu += motion.cpu
        simulated += motion.duration
        outcomes.append(motion.outcome)
    return Walks(cpu, simulated, tuple(outcomes), peak_memory())


def straight_job(length: float, controller: str = USUAL) -> Job:
    """Return a walk of ``length`` s, from rest, on a straight way that does not end before."""
    style = presets(controller)[0]
    case = Case(controller, style.name, DEFAULT_CHARACTER, "straight", SPEED)
    way = WalkPath([[0.0, 0.0], [SPEED * length + 10.0, 0.0]])
    job = job_of(case, characters()[DEFAULT_CHARACTER], way, style)
    return replace(job, stop=False, duration=length)
