"""Job to Motion: one walk simulated, without Blender. ``python -m blender_biped.simulate job.json motion.npz``."""

from __future__ import annotations

import itertools
import json
import math
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from .base.arithmetic import make_reproducible

if __name__ == "__main__":  # as in the worker; before numpy is loaded
    make_reproducible()

import numpy as np

from .base.errors import BipedError, DataError
from .base.fields import Fields
from .base.garbage import no_garbage_collection
from .base.spatial import Array, continuous, quaternion_product, yaw_quaternion
from .character.planar import planar
from .control.generalized.walk import GeneralizedWalk
from .control.limit_cycle.settings import read_limit_cycle
from .control.limit_cycle.walk import LimitCycleWalk, MotionCue
from .control.shared.controller import Controller, Trial, WhatIf
from .control.shared.stable_pd import COARSE
from .control.shared.state import BodyState
from .control.shared.steering import Command, Steering
from .control.simbicon.settings import Gait, read_gait
from .control.simbicon.walk import GaitCue, Simbicon
from .job import GRAVITY, Job, read_job
from .klaw.walk import NAME as KLAW
from .klaw.walk import walk
from .motion.motion import RATE, Motion, write_motion
from .motion.similarity import similarity
from .physics.engine import CONTROL_STEP, Engine
from .preset.preset import Preset

_COMMAND_STEPS = 3  # control steps for which a command holds
_PROGRESS_STEPS = 36
_LOST_STEPS = 12  # control steps between looks at whether a trial has left what a body can do
_PATIENCE = (10.0, 3.0)  # s, and times the path's time at the wished speed, before a walk is given up
_REST_TIME = 0.5  # s that a stopped walk stands still before the motion ends
_SETTLE_TIME = 4.0  # s that it may take to come to rest after its last step
_STILL = 0.015  # m/s of the centre of mass
_FALL_TIME = 0.5  # s of a fall that are kept
_HELPLESS = 0.5  # cosine of the pelvis' tilt beyond which the body lets itself fall
_IMPOSSIBLE = 50.0  # m/s
_DRIFT = 0.03  # m/s, of seeded starts
SIMBICON = "simbicon"
PLANAR = "planar"  # the controller whose bodies move in the sagittal plane
RATES = {"limit_cycle": 480.0, SIMBICON: 240.0}  # of control and of physics, Hz, if neither preset nor engine tells it
_LONGER = 0.1  # of a coarse control step by which a motion sample may be longer than whole ones
STRAIGHT = 0.02  # m that a path for those may leave the line of its start, at reference size


def simulate(job: Job, progress: Callable[[float], None] | None = None) -> Motion:
    """Return the motion of a job. ``progress`` is called with the share done, 0..1, ten times a second of motion.

    Raises DataError when the job's preset does not fit its controller.
    """
    began = time.process_time()
    with no_garbage_collection():
        if job.preset.controller == KLAW:
            return walk(job, progress)
        if job.relief:
            raise DataError("job.relief: only KLAW walks on slopes and stairs; the others need flat ground.")
        return _simulated(job, progress or (lambda share: None), began)


def controller_of(job: Job, step: float) -> Controller:
    """Return the controller that a job at reference size names. step: s between control steps.

    Raises DataError when there is no such controller, or a preset does not fit it.
    """
    name = job.preset.controller
    if name == "generalized":
        return GeneralizedWalk(job.character, job.preset.values, GRAVITY, step, job.ground)
    if name in (SIMBICON, PLANAR):
        first, *others = _gaits(job)
        cues = [GaitCue(0.0, first)]
        cues += [GaitCue(cue.time, gait, cue.steps, cue.speed) for cue, gait in zip(job.cues, others, strict=False)]
        ending = others[len(job.cues) :]
        return Simbicon(job.character, cues, ending, GRAVITY, step, job.ground, job.facing, job.step_width)
    if name == "limit_cycle":
        return LimitCycleWalk(job.character, _motion_cues(job), GRAVITY, step, job.perturbations)
    known = f"known are generalized, {KLAW}, limit_cycle, simbicon and {PLANAR}"
    raise DataError(f"job.preset.controller: there is no controller {name!r}; {known}.")


def _gaits(job: Job) -> list[Gait]:
    """Return the gaits of a job: of its preset, its cues, its ending; the same one for equal presets.

    To go on in the same gait is no change. Raises DataError for a preset of another controller than the first.
    """
    known: list[tuple[Preset, Gait]] = []
    gaits = []
    for preset in _check_controllers(job):
        gait = next((gait for other, gait in known if other == preset), None)
        if gait is None:
            gait = read_gait(preset.values)
            known.append((preset, gait))
        gaits.append(gait)
    return gaits


def _check_controllers(job: Job) -> list[Preset]:
    """Return all presets of a job. Raises DataError for one of another controller than the first."""
    found = [job.preset, *(cue.preset for cue in job.cues), *job.ending]
    for preset in found:
        if preset.controller != job.preset.controller:
            raise DataError(
                f"The gait {preset.label!r} is of {preset.controller}, the first one of {job.preset.controller}: "
                "choose gaits of one controller."
            )
    return found


def _motion_cues(job: Job) -> list[MotionCue]:
    """Return the motions of a job, of its preset and its cues, with their times."""
    _check_controllers(job)
    first = MotionCue(0.0, read_limit_cycle(job.preset.values))
    return [first, *(MotionCue(c.time, read_limit_cycle(c.preset.values), c.speed, c.steps) for c in job.cues)]


def in_plane(job: Job) -> Job:
    """Return a job at reference size for the planar version of its character.

    Raises DataError when it asks for what leaves the plane: a bent path, or to face otherwise than along it.
    """
    path = job.path
    along = path.heading(job.start, 0.1)
    beside = (path.points - path.position(job.start)) @ (-np.sin(along), np.cos(along))
    if path.closed or float(np.abs(beside).max()) > STRAIGHT:
        raise DataError(
            "A planar gait cannot turn, and the path bends: choose a straight path, or a gait of another controller."
        )
    ways = {math.cos(gait.direction + job.facing) for gait in _gaits(job)}
    if max(ways) - min(ways) > 1e-6 or abs(abs(max(ways)) - 1.0) > 1e-6:
        raise DataError(
            "A planar body cannot turn: choose gaits that all go forward, or all backward, and face along the path."
        )
    return replace(job, character=planar(job.character))


def _simulated(job: Job, progress: Callable[[float], None], began: float) -> Motion:
    """Simulate at reference size (see ``similarity``): the motion's samples are whole control steps apart."""
    scales = similarity(job)
    sample_steps = steps_a_sample(job, scales.time)
    step = 1.0 / (RATE * scales.time * sample_steps)
    flat = job.preset.controller == PLANAR
    walk = in_plane(scales.job(job)) if flat else scales.job(job)
    controller = controller_of(walk, step)
    settings = controller.steering
    stops = walk.stop and controller.can_rest
    steering = Steering(walk.path, settings, controller.wished_speed(walk.speed), walk.start, stops)
    recorder = _Recorder(walk)
    longest = walk.duration or time_limit(walk)
    outcome, ends, moved, limp = "time", longest, 0.0, False
    with Engine(walk.character, walk.ground, step=step, planar=flat) as engine:
        if isinstance(controller, LimitCycleWalk):
            _pose(engine, controller, steering)
            controller.what_if = _what_if(engine, walk)
        else:
            _place(engine, walk, steering, controller.facing)
        for count in itertools.count():
            state = engine.state()
            sampled = count % sample_steps == 0
            if sampled and _lost(state):
                outcome = "fell"
                break
            if count % _COMMAND_STEPS == 0:
                x, y, _ = state.origins[0].tolist()
                if controller.steering is not settings:
                    settings = controller.steering
                    steering.adopt(settings)
                steering.speed = controller.wished_speed(walk.speed)
                command = steering.command(x, y, state.time, controller.walking)
            torques = controller.torques(state, command)
            limp = limp or outcome == "fell" or float(state.matrices[0, 2, 2]) < _HELPLESS
            if limp:  # it lies down; it does not go on walking in the air
                torques[:] = 0.0
            local = engine.apply(torques, state.matrices)
            if sampled:
                recorder.add(state, engine, local, command)
                if outcome != "fell" and _fallen(state, walk):
                    outcome, ends = "fell", min(state.time + _FALL_TIME, longest)
                elif outcome == "time" and controller.resting:
                    outcome, ends = "arrived", min(state.time + _SETTLE_TIME, longest)
                elif outcome == "arrived" and not controller.resting:  # it had to step again to stay up
                    outcome, ends = "time", longest
                elif outcome == "time" and not stops and command.left <= 0.0:
                    outcome, ends = "arrived", state.time  # in mid-walk
                if outcome == "arrived":
                    moved = state.time if controller.speed > _STILL else moved
                    ends = ends if state.time - moved < _REST_TIME else state.time
                if state.time > ends - 0.5 * step:
                    break
            if count % _PROGRESS_STEPS == 0:
                progress(_share_done(walk, state.time, command.arc))
            _push(engine, walk, state.time)
            engine.step()
    motion = recorder.motion(controller, outcome, time.process_time() - began)
    if isinstance(controller, LimitCycleWalk):
        motion = replace(motion, perturbations=np.array([taken.scalings for taken in controller.steps]))
    return replace(scales.motion(motion, job.character), times=np.arange(len(motion.times)) / RATE)


def steps_a_sample(job: Job, time: float) -> int:
    """Return how many control steps there are to a motion sample of a job. time: its scale. Raises DataError."""
    step = control_step(job.preset.controller, [preset.values for preset in _check_controllers(job)])
    count = 1.0 / (RATE * time * step)
    return max(1, math.ceil(count - _LONGER) if step > COARSE else round(count))  # long ones are not made longer


def control_step(controller: str, values: Sequence[Mapping[str, Any]]) -> float:
    """Return about how long a control step at reference size is, s: the shortest that one of the presets asks for.

    values: those of all presets of a walk. Raises DataError.
    """
    usual = RATES.get(controller, 1.0 / CONTROL_STEP)
    return 1.0 / max(Fields(v, "preset.values").number("rate", 120.0, 10_000.0, usual) for v in values)


def time_limit(job: Job) -> float:
    """Return the time, s, after which a walk that has not come to its end is given up."""
    last = job.cues[-1] if job.cues else None
    waiting = last.time if last else 0.0  # nothing is known of how far it gets before
    speed = last.speed or job.speed if last else job.speed
    return _PATIENCE[0] + waiting + _PATIENCE[1] * (job.path.length - job.start) / max(speed, 0.1)


def _place(engine: Engine, job: Job, steering: Steering, facing: float) -> None:
    """Stand the body at the path's start, ``facing`` rad left of its direction; a seed gives it a slight drift."""
    x, y, heading = steering.start_pose()
    origins, rotations = job.character.standing()
    origins[0] += (x, y, 0.0)
    drift = np.random.default_rng(job.seed).normal(scale=_DRIFT, size=2) if job.seed else np.zeros(2)
    engine.place(origins, quaternion_product(yaw_quaternion(heading + facing), rotations), (drift[0], drift[1], 0.0))


def _pose(engine: Engine, controller: LimitCycleWalk, steering: Steering) -> None:
    """Put the body at the path's start as its controller begins, with the velocity that it begins with."""
    x, y, heading = steering.start_pose()
    facing = heading + controller.facing
    origins, rotations, (ahead, aside) = controller.start()
    c, s = math.cos(facing), math.sin(facing)
    velocity = (ahead * c - aside * s, ahead * s + aside * c, 0.0)
    moved = origins + np.array((x, y, 0.0)) - (origins[0] * (1.0, 1.0, 0.0))
    engine.place(moved, quaternion_product(yaw_quaternion(facing), rotations), velocity)


def _push(engine: Engine, job: Job, time: float) -> None:
    """Apply the forces that act at ``time``, s."""
    for push in job.pushes:
        if push.time <= time < push.time + push.length:
            engine.push(job.character.index(push.role), push.force)


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
            if job.pushes:
                _push(engine, job, began)
            engine.step()
            state = engine.state()

    return what_if


def _share_done(job: Job, now: float, arc: float) -> float:
    share = now / job.duration if job.duration else (arc - job.start) / max(job.path.length - job.start, 1e-9)
    return min(max(share, 0.0), 1.0)


def _fallen(state: BodyState, job: Job) -> bool:
    """Return whether the pelvis is low, or a part other than a foot touches the ground."""
    if state.origins[0, 2] - job.ground < 0.5 * job.character.stand_height:
        return True
    return any(load and i not in job.character.soles for i, load in enumerate(state.loads.tolist()))


def _lost(state: BodyState) -> bool:
    """Return whether the physics has left what a body can do, as it may in the tumble of a fall."""
    return not float(np.abs(state.velocities).max()) < _IMPOSSIBLE


class _Recorder:
    """Collects samples of a run."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self.times: list[float] = []
        self._roots: list[Array] = []
        self._rotations: list[Array] = []
        self._loads: list[tuple[float, float]] = []
        self._torques: list[Array] = []
        self._commands: list[tuple[float, float, float]] = []
        c = job.character
        self._feet = [[c.index(f"{part}.{s}") for part in ("foot", "toes")] for s in ("L", "R")]

    def add(self, state: BodyState, engine: Engine, local: Array, command: Command) -> None:
        root, rotations = engine.pose()
        (left, left_toes), (right, right_toes) = self._feet
        self.times.append(state.time)
        self._roots.append(root)
        self._rotations.append(rotations)
        loads = state.loads.tolist()
        self._loads.append((loads[left] + loads[left_toes], loads[right] + loads[right_toes]))
        self._torques.append((state.matrices @ local[:, :, None])[:, :, 0])
        self._commands.append((command.speed, command.heading, command.arc))

    def motion(self, controller: Controller, outcome: str, cpu: float) -> Motion:
        return Motion(
            character=self._job.character,
            times=np.array(self.times),
            root=np.array(self._roots),
            rotations=continuous(np.array(self._rotations)),
            loads=np.array(self._loads),
            torques=np.array(self._torques),
            strikes=np.array(controller.strikes, dtype=float).reshape(-1, 2),
            lifts=np.array(controller.lifts, dtype=float).reshape(-1, 2),
            command=np.array(self._commands),
            cpu=cpu,
            outcome=outcome,
        )


def main(arguments: Sequence[str]) -> int:
    """Simulate the job file and write the motion file; messages go to stdout as JSON lines."""
    if len(arguments) != 2:
        _say(type="error", message="Usage: python -m blender_biped.simulate JOB.json MOTION.npz")
        return 2
    try:
        motion = simulate(read_job(Path(arguments[0])), lambda share: _say(type="progress", value=share))
        write_motion(motion, Path(arguments[1]))
    except BipedError as error:
        _say(type="error", message=str(error))
        return 1
    except OSError as error:
        _say(type="error", message=f"The motion could not be written: {error.strerror or error}.")
        return 1
    _say(type="done")
    return 0


def _say(**message: object) -> None:
    print(json.dumps(message), flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
