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
    """Return the motion of each job, simulated in as many processes as there are cores.

    One alone is simulated in this process, and so are all where another worker of the tests has the other core.
    """
    if len(jobs) == 1 or "PYTEST_XDIST_WORKER" in os.environ:
        return [simulate(job) for job in jobs]
    fresh = multiprocessing.get_context("spawn")  # Blender, loaded by other tests, has threads and cannot be forked
    with ProcessPoolExecutor(min(len(jobs), os.cpu_count() or 1), mp_context=fresh) as pool:
        return list(pool.map(simulate, jobs))


def arrives(motion: Motion, job: Job) -> bool:
    """Return whether a walk arrives."""
    return motion.outcome == "arrived"


def enough(jobs: Sequence[Job], least: int, good: Callable[[Motion, Job], bool] = arrives) -> list[tuple[Motion, Job]]:
    """Return so many good walks with their jobs; fail where fewer of the jobs have one.

    No job is walked once there are enough, or once there cannot be any more.
    """
    found, left, bad = list[tuple[Motion, Job]](), list(jobs), list[str]()
    while len(found) < least <= len(found) + len(left):
        missing = least - len(found)
        now, left = left[:missing], left[missing:]
        for motion, job in zip(simulated(now), now, strict=True):
            if good(motion, job):
                found.append((motion, job))
            else:
                bad.append(f"{motion.outcome} from start {job.seed}")
    assert len(found) >= least, f"{len(found)} of {len(jobs)} are good, not {least}; not: {', '.join(bad)}"
    return found


def steady(job: Job, good: Callable[[Motion, Job], bool] = arrives) -> Motion:
    """Return a good walk of a job; fail where that from its start is not, unless those from two others both are."""
    motion = simulate(job)
    return motion if good(motion, job) else enough(_others(job), 2, good)[0][0]


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

    others = _others(job)
    return well([motion], [job]) or well(simulated(others), others)


def _others(job: Job) -> list[Job]:
    """Return a job from two other starts."""
    return [replace(job, seed=job.seed + more) for more in (100, 200)]
