"""Job to Motion by KLAW: complete, exact in speed, step length and cadence, in a blink. Kinematic as a whole.

A small dynamic model gives the course of hips and legs (``step``), knowledge of gait the rest; the result is posed so
that feet stand where they stand (``pose``). Nothing simulates the whole body: torques are not known and zero, and the
loads under the feet are what the weight and the centre of mass' acceleration need.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.curves import eased
from ..base.errors import DataError
from ..base.limits import MAX_DURATION
from ..base.spatial import Array, continuous
from ..character.model import Character
from ..job import Job
from ..motion.motion import RATE, Motion
from ..motion.recorded import Recorded
from ..motion.rows import PORTION, Rows
from ..motion.watch import UNWATCHED, Progress, Watch
from ..preset.keyed import Keyed, at_time
from ..preset.preset import Preset
from ..world.height_profile import HeightProfile
from ..world.path import Path
from .attributes import Attributes, Constants, Style, read_style
from .body import HEIGHT, Plane, Scale, plane_of, scale_of
from .carriage import softly
from .course import Course
from .footing import PathGround
from .joining import joined, taken
from .parameters import completed, limits
from .plan import DesiredPart, DesiredWalk, PlacedStep, Route, StepPlan, WalkingBout
from .pose import Carried, PoseTrack, Styled, carried, posed, rotations_of
from .step import Step, StepGoal, StepMaker
from .track import StepTrack, Stood, track_of

NAME = "klaw"
"""The controller that presets name."""

MOST_WALKERS = 64  # that are kept, or as many as two walks have steps
_BEFORE_RISER = 0.02  # m, of a body of 1.8 m, that toes keep from a riser
_APART = 0.25  # s between the times at which what is keyed is looked at: about half a step
_REST = 0.5  # s that it stands at the end
_SOLVING = 0.5  # share of a walk's progress at which its steps are solved


@dataclass(frozen=True)
class Walk:
    """A walk of KLAW: its steps and its course in the plane at reference size, and its poses.

    stood_in: how many steps are not its own, but others' that are like them.
    """

    placed: list[PlacedStep]
    steps: list[Step]
    scale: Scale
    plane: Plane
    track: StepTrack
    posed: PoseTrack
    arrived: bool
    stood_in: int


def walk(job: Job, watch: Watch = UNWATCHED) -> Motion:
    """Return the motion of a job. watch: who follows it.

    Raises DataError for settings that are unknown or out of range, or parameters that are no walk.
    """
    return recorded(job, watch).since(0)


def recorded(job: Job, watch: Watch = UNWATCHED) -> Recorded:
    """Return what ``walk`` does as samples, of which those that take most are kept in the folder of ``watch``.

    Raises DataError as ``walk`` does, and OSError when the disk does not take it.
    """
    began = time.process_time()
    plan = _planned(job, RATE, lambda share: watch.progress(_SOLVING * share))
    made = _Recorded(job.character, Rows(watch.folder), _strikes(plan), _lifts(plan))
    made.outcome = "arrived" if plan.arrived else "time"
    roots, headings, loads, speeds, arcs = ([] for _ in range(5))
    for part in _parts(job, plan):
        track, at = part.track, part.at
        for first in range(0, len(at), PORTION):
            made.add(part.rotations(job.character, at[first : first + PORTION]))
            watch.progress(_SOLVING + (1.0 - _SOLVING) * made.count / plan.count)
        roots.append(part.carried.root[at])
        headings.append(part.carried.heading[at])
        loads.append(track.load[at])
        speeds.append(track.speed[at])
        arcs.append(track.x[at])
    made.root = np.concatenate(roots)
    speed, arc = plan.scale.speed * np.concatenate(speeds), plan.scale.length * np.concatenate(arcs)
    made.command = np.stack((speed, np.unwrap(np.concatenate(headings)), np.clip(arc, 0.0, None)), axis=1)
    made.loads = np.zeros((made.count, 2))
    left = np.concatenate(loads)
    made.loads = _weight(job, plan, made)[:, None] * np.stack((left, 1.0 - left), axis=1)
    made.cpu = time.process_time() - began
    return made


@dataclass
class _Recorded(Recorded):
    """A walk of KLAW: its rotations in rows, continuous, which is most of it; the rest in memory."""

    character: Character
    rotations: Rows
    strikes: Array
    lifts: Array
    root: Array = field(init=False)
    loads: Array = field(init=False)
    command: Array = field(init=False)
    last: list[Array] = field(init=False, default_factory=list)  # of the rotations, (1, L, 4)

    @property
    def count(self) -> int:
        """How many samples there are."""
        return len(self.rotations)

    def add(self, rotations: Array) -> None:
        """Add rotations (K, L, 4) of the next samples. Raises OSError when the disk does not take it."""
        own = continuous(np.concatenate([*self.last, rotations]))[len(self.last) :]
        self.rotations.extend(own)
        self.last = [own[-1:]]

    def between(self, first: int, end: int) -> Motion:
        """Return some samples; see ``Recorded``."""
        rotations = self.rotations.between(first, end)
        return Motion(
            character=self.character,
            times=np.arange(first, end) / RATE,
            root=self.root[first:end],
            rotations=rotations,
            loads=self.loads[first:end],
            torques=np.zeros((*rotations.shape[:2], 3)),
            strikes=self.strikes,
            lifts=self.lifts,
            command=self.command[first:end],
            cpu=self.cpu,
            outcome=self.outcome,
            attempt=self.attempt,
        )


class Walkers:
    """The walkers of bodies and styles, which remember the steps that they made.

    A walk for itself has its own, so that nothing before it matters; who shows many that are alike keeps them.
    rough: by how much less exact than usual, and so quicker, the dynamics are. patience: s of a walk, after which known
    steps stand in for those that need solving, as far as there are any that are like them; one is always solved, so
    that the same walk, made again, is whole in the end.
    """

    def __init__(self, rough: float = 1.0, patience: float = math.inf) -> None:
        self._rough, self._patience, self._most = rough, patience, MOST_WALKERS
        self._known: dict[tuple[Plane, Attributes, Constants], StepMaker] = {}

    def steps(
        self, plane: Plane, placed: Sequence[PlacedStep], progress: Progress | None = None
    ) -> tuple[list[Step], int]:
        """Return the steps of a walk, and how many of them others stand in for."""
        until = time.perf_counter() + self._patience
        self._most = max(MOST_WALKERS, 2 * len(placed))  # each step may have a style of its own
        steps: list[Step] = []
        solved = stood_in = 0
        for i, p in enumerate(placed):
            walker, before = self.of(plane, p.style), steps[-1] if steps and p.goal.kind != "start" else None
            new = not walker.knows(p.goal, before)
            other = self._stand_in(plane, walker, p.goal) if new and solved and time.perf_counter() > until else None
            steps.append(other or walker.step(p.goal, before))
            stood_in += other is not None
            solved += new and other is None
            if progress:
                progress((i + 1) / len(placed))
        return steps, stood_in

    def _stand_in(self, plane: Plane, walker: StepMaker, goal: StepGoal) -> Step | None:
        others = (w for key, w in reversed(self._known.items()) if key[0] == plane)
        return next(filter(None, (w.stand_in(goal) for w in (walker, *others))), None)

    def of(self, plane: Plane, style: Style) -> StepMaker:
        """Return the walker of a body with a style."""
        key = (plane, style.attributes, style.constants)
        if key not in self._known:
            while len(self._known) >= self._most:
                del self._known[next(iter(self._known))]
            like = next((w for k, w in reversed(self._known.items()) if k[0] == plane), None)
            self._known[key] = StepMaker(*key, self._rough, like)
        return self._known[key]


def walked(
    job: Job, rate: float, progress: Progress | None = None, walkers: Walkers | None = None, last: int | None = None
) -> Walk:  # fmt: skip
    """Return the walk of a job with ``rate`` samples a second. Raises DataError as ``walk`` does.

    last: of how many steps at the end of each bout the rotations are looked at, None for all: ``posed`` has no others.
    """
    plan = _planned(job, rate, progress, walkers)
    tracks: list[StepTrack] = []
    poses: list[PoseTrack] = []
    placed: list[PlacedStep] = []
    for part in _parts(job, plan):
        moved = replace(part.track, times=part.track.times + part.begin, step=part.track.step + len(placed))
        pose = posed(job.character, part.track, part.styled, part.carried, part.since(last))
        tracks.append(moved if part.whole else taken(moved, part.at, -1))
        poses.append(pose if part.whole else taken(pose, part.at, 0))
        placed += part.placed
    track = replace(joined(tracks, -1), times=plan.times)
    steps = plan.steps[: len(placed)]
    return Walk(placed, steps, plan.scale, plan.plane, track, joined(poses, 0), plan.arrived, plan.stood_in)


@dataclass(frozen=True)
class _WalkPlan:
    """What a walk is to be: its bouts with their steps, and its samples, ``rate`` a second. stood_in: see ``Walk``."""

    bouts: list[WalkingBout]
    steps: list[Step]
    scale: Scale
    plane: Plane
    rate: float
    count: int
    arrived: bool
    stood_in: int

    @property
    def times(self) -> Array:
        """When the samples are, s, at reference size."""
        return np.arange(self.count) / self.rate / self.scale.time

    @property
    def begun(self) -> list[WalkingBout]:
        """The bouts that begin before its last sample."""
        return [bout for i, bout in enumerate(self.bouts) if not i or self.sample(bout.begin) < self.count]

    def sample(self, begin: float) -> int:
        """Return the first sample at or after a time, s, at reference size."""
        return math.ceil(self.scale.time * begin * self.rate - 1e-6)


@dataclass(frozen=True)
class _Part:
    """A bout of a walk. track, styled, carried: at its own times. at (N,): which of these are the walk's samples.

    begin: s from the walk's begin, at reference size. placed: its steps, by the walk's times. whole: whether its
    samples are all of its own times, each once.
    """

    begin: float
    placed: list[PlacedStep]
    track: StepTrack
    styled: Styled
    carried: Carried
    at: NDArray[np.intp]
    whole: bool

    def since(self, last: int | None) -> int:
        """Return the sample before its last steps begin, by its own times; the first one for None or too many."""
        if last == 0:
            return len(self.track.times)
        if last is None or last > len(self.placed):
            return 0
        begins = self.placed[-last].start - self.begin
        return max(int(np.searchsorted(self.track.times, begins)) - 2, 0)

    def rotations(self, character: Character, at: NDArray[np.intp]) -> Array:
        """Return the rotations (K, L, 4) of all links at consecutive ones (K,) of its samples."""
        first, end = int(at[0]), int(at[-1]) + 1
        return rotations_of(character, self.track, self.styled, self.carried, first, end)[at - first]


def _planned(job: Job, rate: float, progress: Progress | None = None, walkers: Walkers | None = None) -> _WalkPlan:
    """Return the plan of a job's walk. Raises DataError as ``walk`` does."""
    scale = scale_of(job.character, job.gravity)
    plane = plane_of(job.character, scale.length)
    bouts = _bouts(job, scale, plane)
    steps, stood_in = (walkers or Walkers()).steps(plane, [p for bout in bouts for p in bout.placed], progress)
    stops = bouts[-1].placed[-1].goal.kind == "stop"
    whole = scale.time * (bouts[-1].end + bouts[-1].rest) + (_REST if stops else 0.0)
    arrived = (stops and not bouts[-1].rest) or not job.stop
    if job.duration and whole > job.duration:
        whole, arrived = job.duration, False
    count = max(2, math.floor(whole * rate + 1e-6) + 1)
    return _WalkPlan(bouts, steps, scale, plane, rate, count, arrived, stood_in)


def _parts(job: Job, plan: _WalkPlan) -> Iterator[_Part]:
    """Yield the bouts of a walk as far as it has samples, each as it begins where the one before has ended."""
    scale, plane, rate, count, bouts = plan.scale, plan.plane, plan.rate, plan.count, plan.bouts
    stride = 2.0 * scale.length * max(p.goal.length for bout in bouts for p in bout.placed)
    course = Course(job.path, stride)
    ground = PathGround(job.ground, HeightProfile(job.relief) if job.relief else None)
    before: list[PlacedStep] = []
    stood: Stood | None = None
    first = done = 0
    for i, bout in enumerate(plan.begun):
        begin = plan.sample(bout.begin)
        last = count if i + 1 == len(bouts) else plan.sample(bouts[i + 1].begin)
        times = np.arange(max(2, min(last, count) - begin)) / rate / scale.time
        own = plan.steps[done : done + len(bout.placed)]
        track = track_of(plane, bout.placed, own, times, stood)
        styled = _styled(bout.placed, plane, track.step, track.times, before[-1].style.attributes if before else None)
        smoothing = bout.placed[0].style.constants.smoothing
        place = carried(job.character, plane, scale.length, track, styled, course, ground, smoothing)
        left, right = track.feet
        stood = Stood(
            (float(left.beside_after[-1]), float(right.beside_after[-1])),
            (float(left.out_after[-1]), float(right.out_after[-1])), float(track.lean[-1]),
            bout.placed[-1].style.manner,
        )  # fmt: skip
        at = np.maximum(np.arange(first, min(last, count)) - begin, 0)  # before the first bout it stands
        whole = len(at) == len(times) and first == begin  # no copy of a long walk
        moment = begin / rate / scale.time
        placed = [replace(p, start=p.start + moment) for p in bout.placed]
        yield _Part(moment, placed, track, styled, place, at, whole)
        before, first, done = bout.placed, min(last, count), done + len(bout.placed)


def _bouts(job: Job, scale: Scale, plane: Plane) -> list[WalkingBout]:
    job.path.check_length(scale.length)
    if job.pushes:
        raise DataError("job.pushes: KLAW is no simulation of the body, and pushes do nothing to it; leave them out.")
    if job.speed <= 0.0:
        raise DataError("job.speed: KLAW cannot walk on the spot; choose a speed above 0.")
    path = Path(job.path.source / scale.length, job.path.closed, job.path.laps)
    schedule = _schedule(job, scale)
    profile = HeightProfile(job.relief, scale.length) if job.relief else None
    sole = (plane.l8, plane.l5 + plane.l6 + _BEFORE_RISER)
    duration = job.duration / scale.time
    along = [point.scaled(scale.length, scale.time) for point in job.along]
    start = job.start / scale.length
    return StepPlan(Route(path, start, job.stop, along, profile), schedule, duration, sole, scale).bouts()


def _schedule(job: Job, scale: Scale) -> list[DesiredPart]:
    """Return what the job desires from which time and place on, all at reference size."""
    styles: list[tuple[Preset, Keyed[Style]]] = []

    def style(preset: Preset, where: str) -> Keyed[Style]:
        if preset.controller != NAME:
            raise DataError(f"{where}: {preset.label!r} is of {preset.controller}: choose one of KLAW.")
        found = next((keyed for other, keyed in styles if other is preset or other == preset), None)
        if found is None:
            found = Keyed(read_style(preset.values, f"{where}.values"), preset.keyed)
            styles.append((preset, found))
        return found

    parts = [(0.0, 0.0, style(job.preset, "job.preset"), job.speeds or ((0.0, job.speed),))]
    for i, cue in enumerate(job.cues):
        speeds = ((0.0, cue.speed),) if cue.speed else parts[0][3] if job.along or cue.place else ((0.0, job.speed),)
        parts.append((cue.time, cue.place, style(cue.preset, f"job.cues[{i}].preset"), speeds))
    schedule: list[DesiredPart] = []
    before: DesiredWalk | None = None
    for i, (begin, place, keyed, speeds) in enumerate(parts):
        walks: list[DesiredWalk] = []
        until = parts[i + 1][0] if i + 1 < len(parts) and not parts[i + 1][1] else math.inf
        last = min(until, MAX_DURATION, max(keyed.last, speeds[-1][0]) + _APART)
        for now in (begin, *np.arange(begin + _APART, last, _APART).tolist()):
            own = _at_reference(keyed.at(now), scale)
            speed = _speed_of_steps(own, scale) if own.steps_alone else at_time(speeds, now) / scale.speed
            if now == begin or before is None or (own, speed) != (before.style, before.speed):
                same = before is not None and own == before.style  # the same one is not computed twice
                before = DesiredWalk(now / scale.time, before.style if same and before else own, speed)
                walks.append(before)
        schedule.append(DesiredPart(begin / scale.time, place / scale.length, walks, walks[0].style.steps_alone))
    return schedule


def _styled(
    placed: Sequence[PlacedStep], plane: Plane, step: Array, times: Array, before: Attributes | None = None
) -> Styled:
    """Return what the attributes say at each time. before: those of the walk before, where it goes on after a stop.

    Trunk and arms go over softly from one step's to the next one's.
    """
    own = [p.style.attributes for p in placed]
    steps = [p.goal.time if p.goal.double_support else p.goal.time * 1.3 for p in placed]
    widths = [attributes.stride_width_factor * plane.l0 for attributes in own]
    sway = np.array([max((7.8 - 60.0 / time) / 5800.0 + w / 6.0, 0.0) for time, w in zip(steps, widths, strict=True)])
    knee = np.array([attributes.least_knee for attributes in own])[step]
    # It straightens up from the crouch of its walk to stand.
    begin, end = placed[0].goal.time, placed[-1].start + placed[-1].goal.time
    stops = placed[-1].goal.kind == "stop"
    bent = np.clip(np.minimum(times / begin, (end - times) / begin if stops else np.inf), 0.0, 1.0)
    knee *= eased(bent) if stops or before else 1.0
    rows = np.array([(
        a.arm_rot_factor, a.shoulder_rot_factor, math.radians(a.elbow_rot_min),
        math.radians(max(a.elbow_rot_max, a.elbow_rot_min)),
    ) for a in (before or own[0], *own)])  # fmt: skip
    soft = softly(placed, rows, times)
    return Styled(sway[step], soft[:, 0], soft[:, 1], soft[:, 2], soft[:, 3], knee)


def _strikes(plan: _WalkPlan) -> Array:
    """Return the foot strikes (K, 2) of a walk; see ``Motion``."""
    return _contacts(plan, [(plan.scale.time * (p.start + p.goal.time), 1.0 - p.side) for p in _placed(plan)])


def _lifts(plan: _WalkPlan) -> Array:
    """Return the toe-offs (K, 2) of a walk; see ``Motion``. The first sample still stands on both feet."""
    pairs = zip(_placed(plan), plan.steps, strict=False)
    lifts = [(max(plan.scale.time * (p.start + step.lift), 0.5 / RATE), 1.0 - p.side) for p, step in pairs]
    return _contacts(plan, lifts)


def _contacts(plan: _WalkPlan, found: Sequence[tuple[float, float]]) -> Array:
    end = plan.times[-1] * plan.scale.time
    return np.array([contact for contact in found if contact[0] <= end + 1e-6]).reshape(-1, 2)


def _placed(plan: _WalkPlan) -> list[PlacedStep]:
    """Return the steps of the bouts that have samples, by the walk's times."""
    begins = [(bout, plan.sample(bout.begin) / plan.rate / plan.scale.time) for bout in plan.begun]
    return [replace(p, start=p.start + begin) for bout, begin in begins for p in bout.placed]


def _weight(job: Job, plan: _WalkPlan, made: Recorded) -> Array:
    """Return the force, N, (T,), that bears a walk's weight and what its centre of mass is accelerated by upwards."""
    times = plan.times * plan.scale.time
    height = np.concatenate([portion.com[:, 2] for portion in made.portions()])
    acceleration = np.gradient(np.gradient(height, times), times) if len(times) > 2 else np.zeros(len(times))
    return job.character.mass * np.maximum(job.gravity + acceleration, 0.0)


def fastest(job: Job) -> float:
    """Return the highest speed, m/s, at which a job's character walks in the job's style."""
    scale = scale_of(job.character, job.gravity)
    return _in_metres(limits(read_style(job.preset.values).attributes, HEIGHT).speed, scale)


def speed_of_steps(values: Mapping[str, Any], character: Character, gravity: float) -> float:
    """Return the speed, m/s, that a preset's values say by step length, step frequency, or both.

    Raises DataError for steps that are no walk.
    """
    scale = scale_of(character, gravity)
    return scale.speed * _speed_of_steps(_at_reference(read_style(values), scale), scale)


def _speed_of_steps(style: Style, scale: Scale) -> float:
    """Return the speed, m/s, of a style's step length, step frequency, or both; at reference size."""
    bounds = limits(style.attributes, HEIGHT, scale)
    return completed(bounds, 0.0, style.step_length, style.step_frequency).speed / 60.0


def _at_reference(style: Style, scale: Scale) -> Style:
    return replace(
        style, step_length=style.step_length / scale.length, step_frequency=style.step_frequency * scale.time
    )


def _in_metres(speed: float, scale: Scale) -> float:
    """Return a speed, m/s, for one of a body of reference size, m/min."""
    return scale.speed * speed / 60.0
