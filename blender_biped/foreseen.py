"""How long a walk will take, before it is walked: a point goes along the path as steering leads the body.

What a body takes beside that, to set off, to come to rest, for what its hands do and over edges, each controller says
of itself (``Pauses``).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .base.limits import MAX_DURATION
from .control.kind import Kind, Pauses
from .control.registry import kind_in, stops_of, treads_in
from .control.shared.across import across_way
from .control.shared.steering import Steering, SteeringSettings
from .job import Job
from .motion.similarity import similarity
from .preset.cue import Cue
from .preset.preset import speeds_of
from .world.path_points import PathPoint

_STEP = 0.05  # s between two commands
_SLOWED = 0.1  # m/s above the speed at which a body turns to face elsewhere: then it does
_STANDS = 0.1  # m before where it is to stand: nearer, it stands


def seconds_of(job: Job) -> float | None:
    """Return how long a job's walk takes, s; None where its controller does not say what it takes beside its way.

    Raises DataError for what cannot be walked.
    """
    kind = kind_in(job)
    if kind.pauses is None or not hasattr(kind.read(job.preset.values), "steering"):
        return None
    if job.duration:
        return job.duration
    scale = similarity(job)
    walk, slow = kind.prepared(scale.job(job)), _slow_parts(job, kind.pauses, scale.length)
    return scale.time * PacedPoint(walk, kind, kind.pauses, _standing(job, walk, scale.length), slow).time()


@dataclass(frozen=True)
class SlowPart:
    """A part of a path that is walked slowly: from and to, m, and the speed, m/s."""

    begin: float
    end: float
    speed: float


def _standing(job: Job, walk: Job, length: float) -> tuple[PathPoint, ...]:
    """Return the points of a walk's way at reference size, with one where it stands for what its hands do.

    walk: the job at that size, as it is walked.
    """
    own = [PathPoint(stop.place / length, wait=stop.takes) for stop in stops_of(job)]
    return tuple(sorted((*walk.along, *own), key=lambda point: point.place))


def _slow_parts(job: Job, pauses: Pauses, length: float) -> list[SlowPart]:
    """Return where a walk is slow, at reference size: over edges and obstacles, and with what is moved."""
    kind, found = kind_in(job), list[SlowPart]()
    treads = treads_in(job)
    over = [] if kind.passing is None else across_way(job, length, bool(job.world.targets)).hurdles
    for edge in treads.edges if treads else ():
        at = edge / length
        found.append(SlowPart(at - pauses.edges, at + pauses.edges, pauses.crossing))
    for hurdle in over:
        near, far = hurdle.near / length, hurdle.far / length
        found.append(SlowPart(near - pauses.obstacles, far + pauses.obstacles, pauses.crossing))
    stops = stops_of(job)
    for stop, end in zip(stops, (*(other.place for other in stops), math.inf)[1:], strict=True):
        if stop.moves:
            found.append(SlowPart(stop.place / length, end / length, pauses.moving))
    return found


class PacedPoint:
    """A point on its way along a job's path, at reference size."""

    def __init__(
        self, job: Job, kind: Kind, pauses: Pauses, stands: Sequence[PathPoint], slow: Sequence[SlowPart]
    ) -> None:
        self._job, self._kind, self._pauses, self._slow = job, kind, pauses, slow
        settings = kind.read(job.preset.values)
        self._own: SteeringSettings = settings.steering
        self._faces, self._turns = _faces(settings), 0.0  # rad; and rad that it has yet to turn, to face elsewhere
        self._steering = Steering(job.path, self._own, job.speed_at(0.0), job.start, job.stop, stands)
        self._steering.can_wait = True
        self._cues: list[Cue] = sorted(job.cues, key=lambda cue: (cue.place, cue.time))
        self._style, self._base = job.preset, 0.0
        self._arc, self._now = job.start, 0.0

    def time(self) -> float:
        """Return how long it takes to the end, s."""
        off, job, steering = self._pauses.off, self._job, self._steering
        walks, begins = False, off
        while self._now < MAX_DURATION:
            walks = walks or self._now >= begins
            steering.speed = self._desired()
            command = steering.command(*job.path.point(self._arc), self._now, walks)
            self._now += _STEP
            if not walks:
                if math.isinf(begins) and not steering.goes_on:  # it stands on at the path's end
                    break
                begins = self._now + off + self._pauses.stands if command.onward and math.isinf(begins) else begins
                continue
            if command.left <= (_STANDS if command.halts else 0.0):
                if not steering.goes_on:
                    break
                walks, begins = False, math.inf
                continue
            self._arc = min(self._arc + command.speed * _STEP, job.path.length)
            if command.speed <= self._pauses.turning + _SLOWED:
                self._turns = max(self._turns - self._pauses.turns * _STEP, 0.0)
        return self._now + (self._pauses.rest if job.stop else 0.0)

    def _desired(self) -> float:
        """Return the speed, m/s, that is desired where it is now."""
        while self._cues and self._now >= self._cues[0].time and self._arc >= self._cues[0].place:
            cue = self._cues.pop(0)
            self._style, self._base = cue.preset, cue.speed
            settings = self._kind.read(cue.preset.values)
            self._steering.adopt(getattr(settings, "steering", self._own))
            self._turns = abs(math.remainder(_faces(settings) - self._faces, 2.0 * math.pi))
            self._faces = _faces(settings)
        base, speeds = self._base or self._job.speed_at(self._now), speeds_of(self._style)
        slowest, fastest = (speeds.slowest, speeds.fastest) if speeds else (0.0, math.inf)
        desired = self._steering.desired(base, slowest, fastest, self._now)
        if self._turns:
            desired = min(desired, self._pauses.turning)
        braking = 2.0 * self._own.braking
        for part in self._slow:
            if self._arc < part.end:
                desired = min(desired, math.sqrt(part.speed**2 + braking * max(part.begin - self._arc, 0.0)))
        return desired


def _faces(settings: Any) -> float:
    """Return where a style goes, rad to the left of where it faces; 0 for those that do not say."""
    return float(getattr(settings, "direction", 0.0))
