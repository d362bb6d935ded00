"""Where a path doubles back within a step, a body stands, turns as it sets off, and goes back, as people do.

Without that it is led to turn within a step, and steps on the spot there for seconds.
"""

from __future__ import annotations

from dataclasses import replace

from ...job import Job
from ...preset.preset import speeds_of
from ...world.doubled import doubled_back
from ...world.path_points import TurningPoint

STANDS = 0.3
"""s that a body with legs of 0.9 m stands there: it has come to rest, and sets off anew."""
_NEAR = 0.4  # m, likewise: where it waits so near to the place anyway, it turns there
_MOVING = ("push", "pull")


def turning_points(job: Job) -> tuple[float, ...]:
    """Return the places of a job's path, m along it, at which it stands and turns back; none where it cannot.

    That is on ground that is not level, with what is pushed or pulled, and in styles that cannot stand on their way.
    Raises DataError for an unusable style.
    """
    if job.world.ground or any(target.act in _MOVING for target in job.world.targets):
        return ()
    for style in (job.preset, *(cue.preset for cue in job.cues)):
        speeds = speeds_of(style)
        if speeds is not None and speeds.slowest > 0.0:
            return ()
    return tuple(doubled_back(job.path, job.start, job.character.size))


def turned_back(job: Job) -> Job:
    """Return a job that stands for a moment where its path doubles back within a step."""
    near = _NEAR * job.character.size
    waits = [point.place for point in job.along if point.wait]
    places = [place for place in turning_points(job) if all(abs(place - wait) > near for wait in waits)]
    if not places:
        return job
    own = (TurningPoint(place, wait=STANDS * job.character.size**0.5) for place in places)
    return replace(job, along=tuple(sorted((*job.along, *own), key=lambda point: point.place)))
