"""A walk on its way: what its controller does in each control step, and what is recorded of it."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from .base.errors import DataError
from .base.fields import Fields
from .base.limits import MAX_DURATION
from .base.spatial import Array, Heading, continuous, quaternion_product, yaw_quaternion
from .character.fallen import fallen, grounds, is_upright, trunk_top
from .character.model import Character
from .control.kind import RATES, Kind
from .control.registry import kind_in, presets_of, stops_of
from .control.shared.clock import step_policy, steps_per_sample
from .control.shared.controller import Controller, Trial, WhatIf
from .control.shared.limp import Limp
from .control.shared.on_ground import is_level, standing_on
from .control.shared.state import BodyState
from .control.shared.steering import Command, Steering
from .job import MAX_SPEED, Job
from .motion.motion import RATE, Motion
from .motion.recorded import Recorded
from .motion.rows import Rows
from .motion.similarity import Similarity, similarity
from .physics.body import Body
from .physics.engine import Engine
from .physics.options import EngineOptions
from .physics.sized import SAME, Units
from .physics.stage import Stage
from .world.path_points import FacedPoint, PathPoint

_LOST_STEPS = 12  # control steps between looks at whether a trial has left what a body can do
_PATIENCE = (10.0, 3.0)  # s, and times the path's time at the desired speed, before a walk is given up
_STUCK = (0.3, 3.0)  # m of path that a walk gets ahead at least, while it is to go so many
_REST_TIME = 0.5  # s that a stopped walk stands still before the motion ends
_STANDING = 0.1  # s that a walk waits at least where its hands do something
_HANDLING = 10.0  # s that this may take
_SETTLE_TIME = 4.0  # s that it may take to come to rest after its last step
_STILL = 0.015  # m/s of the centre of mass
_LIES = 0.05  # m/s of the fastest link of a body that lies still
_FALL_TIME = 0.5  # s of a fall that are kept
_HELPLESS = 0.5  # cosine of the pelvis' tilt beyond which the body lets itself fall
_IMPOSSIBLE = 50.0  # m/s
DEEP = 0.01
"""m, at reference size, by which bodies may be in each other, or in things, where they begin."""
_DRIFT = 0.03  # m/s, of seeded starts


def controller_of(job: Job, step: float) -> Controller:
    """Return the controller that a job at reference size names. step: s between control steps.

    Raises DataError when there is no such controller, it needs no physics, or a preset does not fit it.
    """
    kind = kind_in(job)
    if kind.controller is None:
        raise DataError(f"{kind.label} has no torques.")
    return kind.controller(job, step)


class Walking:
    """One body's walk on its way. A control step is ``sense``, ``decide``, ``act``, ``disturb``, and the engine's."""

    def __init__(
        self, job: Job, kind: Kind, folder: Path | None = None, per_sample: int = 0, company: bool = False,
        things: bool = True,
    ) -> None:  # fmt: skip
        """folder: that the samples are kept in, None for memory. per_sample: control steps to one; 0 for its own.

        company: whether it may be bumped into: then its joints have stops from the first time on, and it is limp when
        it falls, whatever the job says, and not only without torques. things: whether the props' motion is recorded.
        Raises DataError where the controller cannot walk the job.
        """
        scales = similarity(job)
        self._per_sample = per_sample or sample_steps(job, kind, scales.time)
        self.step = step = 1.0 / (RATE * scales.time * self._per_sample)
        """s between control steps, of the reference body."""
        self.walk = walk = kind.prepared(scales.job(job))
        """The job at reference size."""
        self.controller = controller = controller_of(walk, step)
        self._command_steps = step_policy(step).command_steps
        self._settings = settings = controller.steering
        self._stops = walk.stop and controller.can_rest
        begun = controller.desired_speed(walk.speed_at(0.0))
        self._steering = Steering(walk.path, settings, begun, walk.start, self._stops, standing_at(walk))
        self._recorder = Recorder(walk, folder, things)
        self.recorded = RecordedWalk(self._recorder, controller, scales, job.character)
        self.longest = walk.duration or min(time_limit(walk), MAX_DURATION / scales.time)
        """s after which it is given up, of the reference body."""
        self._falling = walk.ragdoll or _FALL_TIME
        self.outcome = "time"
        self._ends, self._moved, self._limp = self.longest, 0.0, False
        self._farthest, self._owed = walk.start, 0.0
        self.body = Limp(walk.character, step) if walk.ragdoll or company else None
        """What it is once it has let itself fall, None for nothing but a body without torques."""
        self._grips = controller.grips
        self._top = trunk_top(walk.character)
        self._bumped, self._alone = False, not company
        self.state: BodyState
        self.command: Command
        self._engine: Body
        self._sampled = self._held = False
        self._commanded = self._controlled = -self._command_steps  # physics steps, in which that was done last

    def begin(self, engine: Body) -> None:
        """Put the body at its start, its arms down where what they would be in otherwise leaves no room."""
        self._engine = engine
        _place(engine, self.walk, self._steering, self.controller)
        if not self.controller.arms_down and engine.deep() > DEEP:
            self.lower_arms()
        self.controller.what_if, self.controller.props = _what_if(engine, self.walk), engine.things

    def lower_arms(self) -> None:
        """Put the body at its start with its arms straight down."""
        self.controller.arms_down = True
        _place(self._engine, self.walk, self._steering, self.controller)

    def sense(self, count: int) -> bool:
        """Read the state after so many steps; return whether it is one that a body can have."""
        self._sampled = count % self._per_sample == 0
        self._held = not self._sampled and count - self._controlled == 1 and self._calm
        if self._held:
            return True
        self.state = self._engine.state()
        if self._sampled and _lost(self.state):
            self.outcome = "fell"
            return False
        self._controlled = count
        if count - self._commanded >= self._command_steps:
            self._commanded = count
            self._take_command()
        return True

    @property
    def _calm(self) -> bool:
        """Whether its torques may be held for one more physics step."""
        return self.controller.holds and not (self._limp or self._bumped or self._grips) and self.outcome != "fell"

    def _take_command(self) -> None:
        state, controller, steering = self.state, self.controller, self._steering
        x, y, _ = state.origins[0].tolist()
        if controller.steering is not self._settings:
            self._settings = controller.steering
            steering.adopt(self._settings)
        steering.can_wait, steering.busy = controller.can_wait, controller.busy
        steering.speed = _desired_speed(self.walk, controller, steering, state.time)
        self.command = steering.command(x, y, state.time, controller.walking)

    def decide(self) -> None:
        """Find the torques. Controllers may try some on the engine, which is then as it was."""
        if self._held:
            return
        state, body = self.state, self.body
        slack = body is not None and body.slack
        torques = np.zeros_like(state.origins) if slack else self.controller.torques(state, self.command)
        if not (self._alone or self._limp):
            torques = self._stopped(torques)
        helpless = self.outcome == "fell" or float(state.matrices[0, 2, 2]) < _HELPLESS
        if not self._limp and (helpless or (self._alone and body is not None and body.torn(state))):
            self._limp = True
            self._engine.touch_itself()
        if self._limp:  # it lies down; it does not go on walking in the air
            torques = body.torques(state, torques) if body else np.zeros_like(torques)
        self._torques = torques

    def _stopped(self, torques: Array) -> Array:
        """Return joint torques with those of the stops of joints that a companion turns: walking turns none so far."""
        self._bumped = self._bumped or self._engine.touched()
        stops = self.body.stopping(self.state) if self._bumped and self.body else None
        return torques if stops is None else torques + stops

    def act(self) -> bool:
        """Apply the torques, and record a sample where one is due; return whether the walk is over with that."""
        engine = self._engine
        if self._held:
            engine.again()
            return False
        held = () if self._limp else self.controller.grips  # who falls lets go
        if held != self._grips:
            self._grips = held
            engine.grip(held)
        local = engine.apply(self._torques, self.state.matrices)
        if not self._sampled:
            return False
        if not np.isfinite(local).all():  # so is nothing that follows
            self.outcome = "fell"
            return True
        self._recorder.add(self.state, engine, local, self.command)
        self._judge()
        return self.state.time > self._ends - 0.5 * self.step

    def _judge(self) -> None:
        """Find how the walk goes, and when it ends."""
        state, controller, steering, walk = self.state, self.controller, self._steering, self.walk
        outcome, longest = self.outcome, self.longest
        stuck = self._alone and not walk.duration and self._stuck()
        if outcome != "fell" and _fallen(state, walk, self._top):
            last = longest if walk.duration or not self.body else math.inf
            outcome, self._ends, self._moved = "fell", min(state.time + self._falling, last), state.time
        elif outcome == "time" and controller.resting and not (steering.goes_on or controller.busy):
            outcome, self._ends, self._moved = "arrived", min(state.time + _SETTLE_TIME, longest), state.time
        elif outcome == "arrived" and not controller.resting:  # it had to step again to stay up
            outcome, self._ends = "time", longest
        elif outcome == "time" and not self._stops and self.command.left <= 0.0 and not steering.goes_on:
            outcome, self._ends = "arrived", state.time  # in mid-walk
        elif outcome == "time" and stuck:
            outcome, self._ends = "stuck", state.time
        if outcome == "arrived":
            self._moved = state.time if controller.speed > _STILL else self._moved
            self._ends = self._ends if state.time - self._moved < _REST_TIME else state.time
        elif outcome == "fell" and self.body:
            self._moved = state.time if float(np.abs(state.velocities).max()) > _LIES else self._moved
            self._ends = self._ends if state.time - self._moved < _REST_TIME else state.time
        self.outcome = outcome

    def _stuck(self) -> bool:
        """Return whether it steps on the spot: it was to go far since it last got ahead along the path."""
        if self.command.arc > self._farthest + _STUCK[0]:
            self._farthest, self._owed = self.command.arc, 0.0
        elif self.controller.walking:
            self._owed += self.command.speed * self.step * self._per_sample
        return self._owed > _STUCK[1]

    def disturb(self) -> None:
        """Apply what else acts on the body in the next step."""
        _push(self._engine, self.walk, self.state.time + self._held * self.step)
        if self._grips:
            self._engine.steady()

    @property
    def stays(self) -> bool:
        """Whether it ends in mid-walk once it is over, where the others of a company walk on or stand on."""
        return self.outcome != "fell" and (self.walk.duration > 0.0 or (self.outcome == "arrived" and not self._stops))

    @property
    def done(self) -> float:
        """The share that is done, 0..1."""
        return _share_done(self.walk, self.state.time, self.command.arc)


def engine_of(walking: Walking, kind: Kind, stage: Stage | None = None, units: Units = SAME) -> Engine:
    """Return the engine that a walk needs: its body where it stands, with the ground and all things of its job.

    stage: the world that it shares with others, None for one of its own. units: how much larger than that world's those
    of the walk are.
    """
    walk, u = walking.walk, units
    larger = Similarity(1.0 / u.length, 1.0 / u.time, 1.0 / u.mass)
    options = EngineOptions(
        step=stage.step_time if stage else walking.step,
        iterations=kind.iterations,
        planar=kind.can.plane,
        ragdoll=walking.body is not None,
        fastest={axis: rate / u.time for axis, rate in walking.controller.fastest.items()},
        corners=kind.corners,
    )
    return Engine(
        walk.character if u == SAME else larger.character(walk.character),
        walk.ground * u.length,
        walk.world if u == SAME or walk.world.empty else walk.world.scaled(u.length, u.time, u.mass),
        options,
        stage,
    )


def standing_at(job: Job) -> tuple[PathPoint, ...]:
    """Return the points along a job's path, and those at which it stands for what its hands do. Raises DataError."""
    stops = stops_of(job)
    if not stops:
        return job.along
    own = [FacedPoint(stop.place, wait=_STANDING) for stop in stops]
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
    values, scene = [preset.values for preset in presets_of(job)], not job.floor.flat or job.world.things
    return steps_per_sample(control_step(kind, values, bool(scene or job.world.targets)), time)


def control_step(kind: Kind, values: Sequence[Mapping[str, Any]], scene: bool = False) -> float:
    """Return about how long a control step at reference size is, s: the shortest that one of the presets sets.

    values: those of all presets of a walk. scene: whether there are things, targets or ground that is not flat. Raises
    DataError.
    """
    rate = kind.scene_rate if scene and kind.scene_rate else kind.rate
    return 1.0 / max(Fields(v, "preset.values").number("rate", *RATES, rate) for v in values)


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


def _place(engine: Body, job: Job, steering: Steering, controller: Controller) -> None:
    """Put the body at the path's start as its controller begins; a seed gives it a slight drift."""
    x, y, heading = steering.start_pose()
    facing = heading + controller.facing
    origins, rotations, (ahead, aside) = controller.start()
    u, v = Heading(facing).along(ahead, aside)
    drift = np.random.default_rng(job.seed).normal(scale=_DRIFT, size=2) if job.seed else np.zeros(2)
    velocity = (u + drift[0], v + drift[1], 0.0)
    if not (job.floor.flat or is_level(job.floor, x, y)):
        placed, turned = standing_on(job.character, job.floor, x, y, facing)
        arms = list(job.character.arm_links)
        turned[arms] = quaternion_product(yaw_quaternion(facing), rotations[arms])
        engine.place(placed, turned, velocity)
        return
    level = 0.0 if job.floor.flat else job.floor.height(x, y)
    moved = origins + np.array((x, y, level)) - (origins[0] * (1.0, 1.0, 0.0))
    engine.place(moved, quaternion_product(yaw_quaternion(facing), rotations), velocity)


def _push(engine: Body, job: Job, time: float) -> None:
    """Apply the forces that act at ``time``, s."""
    for push in job.pushes:
        if push.time <= time < push.time + push.length:
            engine.push(job.character.index(push.role), push.force, push.point)
    if job.world.winds:
        engine.blow(time)


def _what_if(engine: Body, job: Job) -> WhatIf:
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


def _fallen(state: BodyState, job: Job, top: int) -> bool:
    """Return whether the body has fallen. top: the link whose tilt is the trunk's."""
    flat, height, vertical = job.world.ground is None, float(state.origins[0, 2]), float(state.matrices[top, 2, 2])
    if flat and is_upright(job.character, height - job.ground, vertical):  # as nearly always: no need to look further
        return False
    ground = job.ground if flat else grounds(job.character, job.floor.heights(state.origins))
    return bool(fallen(job.character, state.origins[:, 2] - ground, state.matrices[:, 2], job.may_touch))


def _lost(state: BodyState) -> bool:
    """Return whether the physics has left what a body can do, as it may in the tumble of a fall."""
    return not float(np.abs(state.velocities).max()) < _IMPOSSIBLE


class Recorder:
    """Collects samples of a run. folder: where they are kept, None for memory. things: whether those of props, too."""

    def __init__(self, job: Job, folder: Path | None, things: bool = True) -> None:
        self._job = job
        self._root, self._rotations, self._loads, self._torques, self._command = (Rows(folder) for _ in range(5))
        self._things = Rows(folder) if job.world.loose and things else None
        c = job.character
        self._feet = [[c.index(f"{part}.{s}") for part in ("foot", "toes")] for s in ("L", "R")]

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self._root)

    def add(self, state: BodyState, engine: Body, local: Array, command: Command) -> None:
        """Add a sample. local (L, 3): the joints' torques, in the links' frames."""
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
class RecordedWalk(Recorded):
    """What is recorded of a walk at reference size, as motions of the job's own character."""

    recorder: Recorder
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
