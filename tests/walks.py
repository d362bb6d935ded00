"""Several walks of one job, where the verdict on one hangs on last digits: walking is chaotic."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from typing import Any

from blender_biped.job import Job
from blender_biped.motion.measures import report
from blender_biped.motion.motion import Motion
from blender_biped.simulate import simulate


def seeded(job: Job, count: int) -> list[Job]:
    """Return the job from so many slightly different starts."""
    return [replace(job, seed=seed) for seed in range(1, count + 1)]


def simulated(jobs: Sequence[Job]) -> list[Motion]:
    """Return the motion of each job, simulated in as many processes as there are cores."""
    fresh = multiprocessing.get_context("spawn")  # Blender, loaded by other tests, has threads and cannot be forked
    with ProcessPoolExecutor(min(len(jobs), os.cpu_count() or 1), mp_context=fresh) as pool:
        return list(pool.map(simulate, jobs))


def reports(motions: Sequence[Motion], jobs: Sequence[Job]) -> list[dict[str, Any]]:
    """Return the measures of those walks that arrived."""
    pairs = zip(motions, jobs, strict=True)
    return [report(motion, job) for motion, job in pairs if motion.outcome == "arrived"]


def walks_well(motion: Motion, job: Job, good: Callable[[dict[str, Any]], bool]) -> bool:
    """Return whether a walk arrived with good measures; where it did not, whether two from other starts both did.

    Two of three, that is, but the others cost nothing as long as all is well.
    """

    def well(motions: Sequence[Motion], jobs: Sequence[Job]) -> bool:
        found = reports(motions, jobs)
        return len(found) == len(jobs) and all(good(figures) for figures in found)

    others = [replace(job, seed=job.seed + more) for more in (100, 200)]
    return well([motion], [job]) or well(simulated(others), others)
