"""Job to Motion: one walk simulated, without Blender. ``python -m blender_biped.simulate job.json motion.npz``."""

from __future__ import annotations

import itertools
import json
import math
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from .base.arithmetic import make_reproducible

if __name__ == "__main__":  # as in the worker; before numpy is loaded
    make_reproducible()

import numpy as np

from .base.errors import BipedError, DataError
from .base.fields import Fields
from .base.garbage import no_garbage_collection
from .base.limits import MAX_DURATION
from .base.spatial import Array, continuous, quaternion_product, yaw_quaternion
from .character.fallen import fallen, grounds
from .character.model import Character
from .control.kind import RATES, Kind
from .control.registry import check_terrain, kind_in, kinds, presets_of, stops_of
from .control.shared.clock import step_policy, steps_per_sample
from .control.shared.controller import Controller, Trial, WhatIf
from .control.shared.limp import Limp
from .control.shared.on_ground import is_level, standing_on
from .control.shared.state import BodyState
from .control.shared.steering import Command, Steering
from .fallback import attempt_of, failure, instead
from .job import MAX_SPEED, Job, read_job
from .motion.motion import RATE, Motion, part_file, write_part, write_portions
from .motion.recorded import Recorded
from .motion.rows import Rows
from .motion.similarity import Similarity, similarity
from .physics.engine import Engine
from .world.path_points import PathPoint

_PROGRESS_STEPS = 36
_SLOWEST = 0.1  # m/s, of walks on the spot
_PART_TIME = 0.1  # s on the clock between two parts that are handed over
_LOST_STEPS = 12  # control steps between looks at whether a trial has left what a body can do
_PATIENCE = (10.0, 3.0)  # s, and times the path's time at the desired speed, before a walk is given up
_REST_TIME = 0.5  # s that a stopped walk stands still before the motion ends
_STANDING = 0.1  # s that a walk waits at least where its hands do something
_HANDLING = 10.0  # s that this may take
_SETTLE_TIME = 4.0  # s that it may take to come to rest after its last step
_STILL = 0.015  # m/s of the centre of mass
_LIES = 0.05  # m/s of the fastest link of a body that lies still
_FALL_TIME = 0.5  # s of a fall that are kept
_HELPLESS = 0.5  # cosine of the pelvis' tilt beyond which the body lets itself fall
_IMPOSSIBLE = 50.0  # m/s
_DRIFT = 0.03  # m/s, of seeded starts
_SEEN = 60 * int(RATE)  # samples: so much of a walk's end shows how it failed, and how it looked


def simulate(
    job: Job, progress: Callable[[float], None] | None = None, parts: Callable[[Motion], None] | None = None
) -> Motion:
    """Return the motion of a job. ``progress`` is called with the share done, 0..1, ten times a second of motion.

    parts: called while it is simulated, about each tenth of a second on the clock, with the motion's samples since the
    last call, and all contacts so far. A walk that is not simulated has none. Where a job falls back on another walk,
    the next part begins at time 0 again.
    Raises DataError when the job's preset does not fit its controller.
    """
    return _made(job, None, progress, parts).since(0)


def simulate_into(
    job: Job,
    file: Path,
    progress: Callable[[float], None] | None = None,
    parts: Callable[[Motion], None] | None = None,
) -> None:
    """Write the motion of a job; see ``simulate``. Its samples are kept beside the file, not in memory.

    Raises DataError as ``simulate`` does, OSError when the disk does not take it.
    """
    write_portions(_made(job, file.parent, progress, parts).portions, file)


def _made(
    job: Job,
    folder: Path | None,
    progress: Callable[[float], None] | None,
    parts: Callable[[Motion], None] | None,
) -> Recorded:
    """Return what comes of a job. folder: that the samples are kept in, None for memory."""
    rising = _Rising(progress or (lambda share: None))

    def attempted(own: Job) -> Recorded:
        rising.again()
        return _attempted(own, folder, rising, parts)

    made = attempted(job)
    if job.fall_back and not (job.ragdoll and made.outcome == "fell"):
        return _in_place_of(_end_of(made), job, attempted) or made
    return made


def fallen_back(job: Job, motion: Motion) -> Motion | None:
    """Return the motion that a job falls back on whose own has failed, as ``simulate`` does where the job says so.

    None where the job's own has not failed, or nothing else walks either. Raises DataError as ``simulate`` does.
    """
    made = _in_place_of(motion, job, lambda own: _attempted(own, None, lambda share: None, None))
    return made.since(0) if made else None


def _in_place_of(seen: Motion, job: Job, attempted: Callable[[Job], Recorded]) -> Recorded | None:
    """Return the first attempt that does not fail in place of a job's own walk; None where that has not, or all do.

    seen: the end of that walk. Of KLAW's styles, those that this body cannot walk in are passed over.
    """
    failed = failure(seen, job, job)
    if failed is None:
        return None
    before, began = [failed], time.process_time() - seen.cpu
    for own in instead(job, seen):
        try:
            other = attempted(replace(own, ragdoll=0.0))
        except DataError:
            continue
        failed = failure(_end_of(other), own, job)
        if failed is None:
            other.attempt, other.cpu = attempt_of(own, job, tuple(before)), time.process_time() - began
            return other
        before.append(failed)
    return None


def _end_of(made: Recorded) -> Motion:
    """Return the end of what is recorded of a walk."""
    return made.since(max(0, made.count - _SEEN))


def _attempted(
    job: Job,
    folder: Path | None,
    progress: Callable[[float], None],
    parts: Callable[[Motion], None] | None,
) -> Recorded:
    """Return what comes of a job itself; see ``_made``."""
    began = time.process_time()
    with no_garbage_collection():
        kind = kind_in(job)
        if job.relief and not kind.can.slopes:
            able = ", ".join(other.label for other in kinds() if other.can.slopes)
            raise DataError(f"job.relief: {kind.label} needs flat ground; on slopes and stairs walks {able}.")
        check_terrain(job)
        _check_waits(job, kind)
        _check_length(job)
        if kind.walk is not None:
            return kind.walk(job, progress, folder)
        stops_of(job)
        return _simulated(job, kind, progress, parts, began, folder)


def _check_waits(job: Job, kind: Kind) -> None:
    """Raise DataError for waits where none of a walk's styles can stand in the midst of a path."""
    styles = presets_of(job)
    if any(point.wait for point in job.along) and not any(kind.can_wait(style) for style in styles):
        raise DataError(
            f"job.along: {styles[0].label} cannot stand in the midst of a path and walk on; take the waits away, or "
            "choose a style whose speeds go down to none."
        )


def _check_length(job: Job) -> None:
    """Raise DataError for a path that takes longer than is walked at a time, even at the highest desired speed."""
    later = (*(speed for _, speed in job.speeds), *(cue.speed for cue in job.cues), *(p.speed for p in job.along))
    fastest = max(job.speed, *later, _SLOWEST)
    least = (job.path.length - job.start) / fastest
    if not job.duration and least > MAX_DURATION:
        raise DataError(
            f"The path takes {least / 3600.0:.1f} hours at {fastest:.2f} m/s, and an hour is walked at a time: "
            "take fewer laps, or a shorter path."
        )


def controller_of(job: Job, step: float) -> Controller:
    """Return the controller that a job at reference size names. step: s between control steps.

    Raises DataError when there is no such controller, it needs no physics, or a preset does not fit it.
    """
    kind = kind_in(job)
    if kind.controller is None:
        raise DataError(f"{kind.label} has no torques.")
    return kind.controller(job, step)


def _simulated(
    job: Job,
    kind: Kind,
    progress: Callable[[float], None],
    parts: Callable[[Motion], None] | None,
    began: float,
    folder: Path | None,
) -> _Recorded:
    """Simulate at reference size (see ``similarity``): the motion's samples are whole control steps apart."""
    scales = similarity(job)
    per_sample = sample_steps(job, kind, scales.time)
    step = 1.0 / (RATE * scales.time * per_sample)
    policy = step_policy(step)
    walk = kind.prepared(scales.job(job))
    controller = controller_of(walk, step)
    settings = controller.steering
    stops = walk.stop and controller.can_rest
    begun = controller.desired_speed(walk.speed_at(0.0))
    steering = Steering(walk.path, settings, begun, walk.start, stops, standing_at(walk))
    recorder = _Recorder(walk, folder)
    recorded = _Recorded(recorder, controller, scales, job.character)
    longest = walk.duration or time_limit(walk)
    falling = walk.ragdoll or _FALL_TIME
    outcome, ends, moved, limp = "time", longest, 0.0, False
    body = Limp(walk.character, step) if walk.ragdoll else None
    handed, due = 0, time.perf_counter() + _PART_TIME

    with Engine(walk.character, walk.ground, step=step, planar=kind.can.plane, world=walk.world,
                ragdoll=body is not None) as engine:  # fmt: skip
        _place(engine, walk, steering, controller)
        controller.what_if, controller.props = _what_if(engine, walk), engine.things
        grips = controller.grips
        for count in itertools.count():
            state = engine.state()
            sampled = count % per_sample == 0
            if sampled and _lost(state):
                outcome = "fell"
                break
            if count % policy.command_steps == 0:
                x, y, _ = state.origins[0].tolist()
                if controller.steering is not settings:
                    settings = controller.steering
                    steering.adopt(settings)
                steering.can_wait, steering.busy = controller.can_wait, controller.busy
                steering.speed = _desired_speed(walk, controller, steering, state.time)
                command = steering.command(x, y, state.time, controller.walking)
            torques = np.zeros_like(state.origins) if body and body.slack else controller.torques(state, command)
            helpless = outcome == "fell" or float(state.matrices[0, 2, 2]) < _HELPLESS
            if not limp and (helpless or (body and body.torn(state))):
                limp = True
                engine.touch_itself()
            if limp:  # it lies down; it does not go on walking in the air
                torques = body.torques(state, torques) if body else np.zeros_like(torques)
            held = () if limp else controller.grips  # who falls lets go
            if held != grips:
                grips = held
                engine.grip(grips)
            local = engine.apply(torques, state.matrices)
            if sampled:
                recorder.add(state, engine, local, command)
                if outcome != "fell" and _fallen(state, walk):
                    last = longest if walk.duration or not body else math.inf
                    outcome, ends, moved = "fell", min(state.time + falling, last), state.time
                elif outcome == "time" and controller.resting and not (steering.goes_on or controller.busy):
                    outcome, ends, moved = "arrived", min(state.time + _SETTLE_TIME, longest), state.time
                elif outcome == "arrived" and not controller.resting:  # it had to step again to stay up
                    outcome, ends = "time", longest
                elif outcome == "time" and not stops and command.left <= 0.0 and not steering.goes_on:
                    outcome, ends = "arrived", state.time  # in mid-walk
                if outcome == "arrived":
                    moved = state.time if controller.speed > _STILL else moved
                    ends = ends if state.time - moved < _REST_TIME else state.time
                elif outcome == "fell" and body:
                    moved = state.time if float(np.abs(state.velocities).max()) > _LIES else moved
                    ends = ends if state.time - moved < _REST_TIME else state.time
                if state.time > ends - 0.5 * step:
                    break
                if parts and time.perf_counter() > due:
                    parts(recorded.since(handed))
                    handed, due = recorder.count, time.perf_counter() + _PART_TIME
            if count % _PROGRESS_STEPS == 0:
                progress(_share_done(walk, state.time, command.arc))
            _push(engine, walk, state.time)
            if grips:
                engine.steady()
            engine.step()
    recorded.outcome, recorded.cpu = outcome, time.process_time() - began
    return recorded


def standing_at(job: Job) -> tuple[PathPoint, ...]:
    """Return the points along a job's path, and those at which it stands for what its hands do. Raises DataError."""
    stops = stops_of(job)
    if not stops:
        return job.along
    own = [PathPoint(stop.place, wait=_STANDING) for stop in stops]
    return tuple(sorted((*job.along, *own), key=lambda point: point.place))


def _desired_speed(walk: Job, controller: Controller, steering: Steering, time: float) -> float:
    """Return the speed, m/s, to walk at now: the job's, the one that its points along the path say, or a cue's."""
    base = walk.speed_at(time)
    if walk.along:
        slowest, fastest = (controller.desired_speed(speed) for speed in (0.0, math.inf))
        base = steering.desired(base, slowest, fastest, time)
    return controller.desired_speed(base)


def sample_steps(job: Job, kind: Kind, time: float) -> int:
    """Return how many control steps there are to a motion sample of a job. time: its scale. Raises DataError."""
    return steps_per_sample(control_step(kind, [preset.values for preset in presets_of(job)]), time)


def control_step(kind: Kind, values: Sequence[Mapping[str, Any]]) -> float:
    """Return about how long a control step at reference size is, s: the shortest that one of the presets sets.

    values: those of all presets of a walk. Raises DataError.
    """
    return 1.0 / max(Fields(v, "preset.values").number("rate", *RATES, kind.rate) for v in values)


def time_limit(job: Job) -> float:
    """Return the time, s, after which a walk that has not come to its end is given up."""
    last = job.cues[-1] if job.cues else None
    # Nothing is known of how far it gets before the last change.
    waiting = max(last.time if last else 0.0, job.speeds[-1][0] if job.speeds else 0.0)
    waiting = max(waiting, *(point.time for point in job.along), 0.0)
    waiting += sum(point.wait + _SETTLE_TIME for point in job.along if point.wait)
    waiting += len(job.world.targets) * (_HANDLING + _SETTLE_TIME)
    speed = (last.speed if last else 0.0) or job.speed_at(math.inf)
    speed = min(speed, *(point.speed for point in job.along if point.speed), MAX_SPEED)
    return _PATIENCE[0] + waiting + _PATIENCE[1] * (job.path.length - job.start) / max(speed, 0.1)


def _place(engine: Engine, job: Job, steering: Steering, controller: Controller) -> None:
    """Put the body at the path's start as its controller begins; a seed gives it a slight drift."""
    x, y, heading = steering.start_pose()
    facing = heading + controller.facing
    origins, rotations, (ahead, aside) = controller.start()
    c, s = math.cos(facing), math.sin(facing)
    drift = np.random.default_rng(job.seed).normal(scale=_DRIFT, size=2) if job.seed else np.zeros(2)
    velocity = (ahead * c - aside * s + drift[0], ahead * s + aside * c + drift[1], 0.0)
    if not (job.floor.flat or is_level(job.floor, x, y)):
        engine.place(*standing_on(job.character, job.floor, x, y, facing), velocity)
        return
    level = 0.0 if job.floor.flat else job.floor.height(x, y)
    moved = origins + np.array((x, y, level)) - (origins[0] * (1.0, 1.0, 0.0))
    engine.place(moved, quaternion_product(yaw_quaternion(facing), rotations), velocity)


def _push(engine: Engine, job: Job, time: float) -> None:
    """Apply the forces that act at ``time``, s."""
    for push in job.pushes:
        if push.time <= time < push.time + push.length:
            engine.push(job.character.index(push.role), push.force, push.point)
    if job.world.winds:
        engine.blow(time)


def _what_if(engine: Engine, job: Job) -> WhatIf:
    """Return the way in which a controller tries what torques would do; forces that act now act on."""

    def what_if(trial: Trial) -> None:
        began = engine.time
        engine.tried(lambda: _try(trial, began))

    def _try(trial: Trial, began: float) -> None:
        state = engine.last
        for count in itertools.count():
            torques = None if count % _LOST_STEPS == 0 and _lost(state) else trial(state)
            if torques is None:
                return
            engine.apply(torques, state.matrices)
            if job.pushes or job.world.winds:
                _push(engine, job, began)
            engine.step()
            state = engine.state()

    return what_if


def _share_done(job: Job, now: float, arc: float) -> float:
    share = now / job.duration if job.duration else (arc - job.start) / max(job.path.length - job.start, 1e-9)
    return min(max(share, 0.0), 1.0)


def _fallen(state: BodyState, job: Job) -> bool:
    """Return whether the body has fallen."""
    flat = job.world.ground is None
    ground = job.ground if flat else grounds(job.character, job.floor.heights(state.origins))
    return bool(fallen(job.character, state.origins[:, 2] - ground, state.matrices[:, 2], job.may_touch))


def _lost(state: BodyState) -> bool:
    """Return whether the physics has left what a body can do, as it may in the tumble of a fall."""
    return not float(np.abs(state.velocities).max()) < _IMPOSSIBLE


class _Recorder:
    """Collects samples of a run. folder: where they are kept, None for memory."""

    def __init__(self, job: Job, folder: Path | None) -> None:
        self._job = job
        self._root, self._rotations, self._loads, self._torques, self._command = (Rows(folder) for _ in range(5))
        self._things = Rows(folder) if job.world.loose else None
        c = job.character
        self._feet = [[c.index(f"{part}.{s}") for part in ("foot", "toes")] for s in ("L", "R")]

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self._root)

    def add(self, state: BodyState, engine: Engine, local: Array, command: Command) -> None:
        root, rotations = engine.pose()
        (left, left_toes), (right, right_toes) = self._feet
        self._root.add(root)
        self._rotations.add(rotations)
        loads = state.loads.tolist()
        self._loads.add((loads[left] + loads[left_toes], loads[right] + loads[right_toes]))
        self._torques.add((state.matrices @ local[:, :, None])[:, :, 0])
        self._command.add((command.speed, command.heading, command.arc))
        if self._things is not None:
            self._things.add(engine.things())

    def motion(self, controller: Controller, first: int, end: int, outcome: str, cpu: float) -> Motion:
        """Return the motion of samples from one to before another."""
        taken = controller.perturbations
        given: dict[str, Any] = {"perturbations": np.array(taken)} if taken else {}
        if self._things is not None:
            given["things"] = self._things.between(first, end).reshape(end - first, -1)
        return Motion(
            character=self._job.character,
            times=np.arange(first, end) / RATE,
            root=self._root.between(first, end),
            rotations=continuous(self._rotations.between(first, end)),
            loads=self._loads.between(first, end),
            torques=self._torques.between(first, end),
            strikes=np.array(controller.strikes, dtype=float).reshape(-1, 2),
            lifts=np.array(controller.lifts, dtype=float).reshape(-1, 2),
            command=self._command.between(first, end),
            cpu=cpu,
            outcome=outcome,
            **given,
        )


@dataclass
class _Recorded(Recorded):
    """What is recorded of a walk at reference size, as motions of the job's own character."""

    recorder: _Recorder
    controller: Controller
    scales: Similarity
    character: Character

    @property
    def count(self) -> int:
        """How many samples there are."""
        return self.recorder.count

    def between(self, first: int, end: int) -> Motion:
        """Return some samples; see ``Recorded``."""
        motion = self.recorder.motion(self.controller, first, end, self.outcome, self.cpu)
        return replace(self.scales.motion(motion, self.character), times=motion.times, attempt=self.attempt)


class _Rising:
    """Tells the share that is done, 0..1, of one attempt after the other: it never goes back."""

    def __init__(self, tell: Callable[[float], None]) -> None:
        self._tell, self._before, self._now = tell, 0.0, 0.0

    def __call__(self, share: float) -> None:
        self._now = max(self._now, self._before + (1.0 - self._before) * share)
        self._tell(self._now)

    def again(self) -> None:
        """Begin another attempt."""
        self._before = self._now


def main(arguments: Sequence[str]) -> int:
    """Simulate the job file and write the motion file, and its parts into a folder; messages go to stdout as JSON."""
    if len(arguments) not in (2, 3):
        _say(type="error", message="Usage: python -m blender_biped.simulate JOB.json MOTION.npz [FOLDER]")
        return 2
    parts = _PartWriter(Path(arguments[2])) if len(arguments) > 2 else None
    try:
        job, file = read_job(Path(arguments[0])), Path(arguments[1])
        simulate_into(job, file, lambda share: _say(type="progress", value=share), parts)
    except BipedError as error:
        _say(type="error", message=str(error))
        return 1
    except OSError as error:
        _say(type="error", message=f"The motion could not be written: {error.strerror or error}.")
        return 1
    _say(type="done")
    return 0


class _PartWriter:
    """Writes the parts of a motion into a folder as they come, and says so."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._count, self._full = folder, 0, False

    def __call__(self, part: Motion) -> None:
        if self._full:
            return
        try:
            write_part(part, part_file(self._folder, self._count))
        except OSError:  # they are to be looked at, no more: the walk is whole without them
            self._full = True
        else:
            _say(type="part", number=self._count)
            self._count += 1


def _say(**message: object) -> None:
    print(json.dumps(message), flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
