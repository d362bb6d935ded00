"""A job of another controller as one of KLAW, which walks in its place: for the preview, and for a walk that fell."""

from __future__ import annotations

from dataclasses import replace

from ..base.errors import DataError
from ..job import Job
from ..preset.preset import Preset
from ..world.passable import profile
from ..world.world import World
from .walk import fastest

_SLOWEST = 0.05  # m/s of a keyed speed: KLAW always walks somewhere


def as_walk(job: Job, style: Preset) -> Job:
    """Return a job of another controller as one of KLAW in a style of its, with the speeds that the job desires.

    They are as fast as people walk at most. It faces where it goes. Raises DataError for a job that stays where it is.
    """
    if job.speed <= 0.0 and not any(cue.speed > 0.0 for cue in job.cues):
        raise DataError("It stays where it is: there is no walk to preview.")
    own = replace(job, preset=style, ending=(), facing=0.0, step_width=0.0, footholds=())
    if not job.world.empty:  # of a world it knows the ground along its path
        ground = job.world.ground
        relief = job.relief if ground is None else profile(ground, job.path, job.ground)
        own = replace(own, world=World(ground), relief=relief)
    most = fastest(own)
    later = (cue for cue in job.cues if cue.speed or not cue.shares)  # a mix goes as fast as what it is mixed into
    cues = tuple(replace(cue, preset=style, speed=min(cue.speed or job.speed, most), shares=()) for cue in later)
    speeds = tuple((time, min(max(speed, _SLOWEST), most)) for time, speed in job.speeds)
    along = tuple(replace(point, speed=min(point.speed, most)) for point in job.along)
    return replace(own, speed=min(job.speed, most), speeds=speeds, cues=cues, along=along)
