"""Limit-cycle control (Laszlo 1996): an open-loop cycle of poses made stable, one step at a time.

When a step begins, trials of it with some perturbations show how those move the regulation variables at its end; the
perturbation that brings them to their target is added to the step's poses (``sampling``). Over steps, targets are led
by the speed (5.1), turns by the heading (5.3), and one motion goes over into the next (5.2).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...base.errors import DataError
from ...base.spatial import Array, Heading, matrix_quaternion
from ...character.model import Character
from ..shared.contacts import ContactLog
from ..shared.controller import Controller
from ..shared.cues import CueSchedule, GaitCue
from ..shared.legs import LEFT, RIGHT
from ..shared.pose_graph import Machine, Part, part_of, pose_table
from ..shared.spline import Knots
from ..shared.state import BodyState
from ..shared.steering import Command, SteeringSettings
from .posed import Fitted, Posed
from .regulation import Observer
from .rest import Rest
from .sampling import Sampler
from .settings import Dimension, LimitCycle, Sides, between, perturbed, start_state

SAME_TURN, SAME_TARGET = 2.0, 0.02  # scale of the turning graph, of Q: changes for which a model is kept
STEADY_SPEED = 0.01  # m/s by which the desired speed may change over a step that is learnt from
MOST_ASIDE = 1.2  # rad from where it faces that a body which does not turn goes
LEARNT = 0.15  # of Q, at most, that is learnt for the desired speed
BOUNCE = 0.15  # s for which a foot may be off the ground without a step


@dataclass(frozen=True)
class Taken:
    """A step as it was taken. time: s of its beginning. stance: leg. scalings (N,): K, the step's perturbations.

    target, reached (N,): of the regulation variables; reached is None for a step that has not ended. turn: scale of the
    turning graph. trials, falls: how many were simulated, and how many of them fell. advance: m/s of the step, ahead
    and to the left.
    """

    time: float
    stance: int
    scalings: Array
    target: Array
    turn: float
    trials: int
    falls: int
    reached: Array | None = None
    advance: tuple[float, float] = (0.0, 0.0)


class LimitCycleWalk(Controller):
    """One character's walk. Call ``torques`` once each control step; ``what_if`` must be there before the first."""

    def __init__(
        self, character: Character, cues: Sequence[GaitCue[LimitCycle]], gravity: float, step: float,
        recorded: Sequence[Sequence[float]] = (), ground: float = 0.0,
    ) -> None:  # fmt: skip
        """cues: motions in the order of their times, at least one. gravity: m/s2. step: s between calls.

        recorded: the K of the first steps, for which nothing is tried. ground: height of the floor, m. Raises DataError
        for an unknown angle.
        """
        self.character = character
        self._contacts = ContactLog(character.mass * gravity, BOUNCE)
        self.strikes, self.lifts = self._contacts.strikes, self._contacts.lifts
        self.steps: list[Taken] = []
        self._state: BodyState | None = None
        self._observer = Observer(character)
        fitted: dict[int, Fitted] = {}
        for cue in cues:
            if id(cue.gait) not in fitted:
                fitted[id(cue.gait)] = Fitted(cue.gait, character, step)
        self._cues = CueSchedule(
            [GaitCue(cue.time, fitted[id(cue.gait)], cue.steps, cue.speed, cue.place) for cue in cues]
        )
        self._fit = self._before = self._cues.now.gait
        self._entered = 0  # steps since the present motion was gone over to
        start = self._motion.start
        self._body = Posed(character, self._observer, gravity, step, start.stance if start else LEFT)
        stands = any(cue.gait.motion.start is None for cue in self._cues.cues)
        self._rest = Rest(character, gravity, step, ground, start is not None) if stands else None
        self._recorded = [np.array(row, dtype=float) for row in recorded]
        self._sampler = Sampler(self._motion.sampling)
        self._place: tuple[float, float, float] | None = None
        self._first = True
        self._desired = 0.0  # m/s, when the last step began
        self._heading = 0.0  # rad, of the hips when the last step began
        self._learnt = [0.0] * max(len(cue.gait.motion.dimensions) for cue in self._cues.cues)

    @property
    def _motion(self) -> LimitCycle:
        return self._fit.motion

    @property
    def perturbations(self) -> list[Array]:
        """The scalings K (N,) of each step so far; 0 for those that its style has not and another one's step has."""
        most = max((len(taken.scalings) for taken in self.steps), default=0)
        return [np.pad(taken.scalings, (0, most - len(taken.scalings))) for taken in self.steps]

    @property
    def walking(self) -> bool:
        """Whether it steps."""
        return self._rest is None or self._rest.walking

    @property
    def resting(self) -> bool:
        """Whether it has walked and stands again."""
        return self._body.holds or (self._rest is not None and self._rest.stands and bool(self.steps))

    @property
    def can_rest(self) -> bool:
        """Whether it can slow down and stand at a path's end: a motion that begins in mid-step ends so."""
        last = self._cues.cues[-1].gait.motion
        return last.start is None and last.slowest <= 0.0

    @property
    def can_wait(self) -> bool:
        """Whether it can stand now and walk on afterwards: never."""
        return False

    @property
    def speed(self) -> float:
        """The speed of the centre of mass, m/s."""
        return self._observer.speed(self._state) if self._state is not None else 0.0

    @property
    def facing(self) -> float:
        """Where it faces, rad to the left of where it travels."""
        return -self._motion.direction

    @property
    def steering(self) -> SteeringSettings:
        """The settings of its steering now."""
        return self._motion.steering

    def desired_speed(self, speed: float) -> float:
        """Return the speed, m/s, to walk at for a commanded one: what its motion can do, or its cue says."""
        return min(max(self._cues.now.speed or speed, self._motion.slowest), self._motion.fastest)

    def start(self) -> tuple[Array, Array, tuple[float, float]]:
        """Return how it begins, facing x: link origins (L, 3), rotations (L, 4), velocity ahead and to the left, m/s.

        The lowest sole is on the ground at z = 0.
        """
        start, character = self._cues.cues[0].gait.motion.start, self.character
        if start is None:
            return super().start()
        rows = pose_table(character, start_state(start), start.stance).at(0.0)[:, :, :3]
        matrices = np.empty_like(rows)
        for i, parent in enumerate(character.parents):
            matrices[i] = matrices[parent] @ rows[i] if parent >= 0 else rows[i]
        rotations = matrix_quaternion(matrices)
        origins = character.forward_kinematics(np.zeros(3), rotations)
        low = min(
            float(origins[i, 2]) + float(character.links[i].shape.lowest(matrices[i].T[:, 2])) for i in character.soles
        )
        origins[:, 2] -= low
        return origins, rotations, start.velocity

    def torques(self, state: BodyState, command: Command) -> Array:
        """Return the torque of each link's joint on it (L, 3), world axes, N m."""
        self._state = state
        if self._rest is not None:
            stance = self._rests(self._rest, state, command)
            if not self._rest.walking:
                return self._rest.torques(state, self._fit, command.heading - self._motion.direction)
            if stance is not None:
                self._body.machine, self._first = Machine((), stance), True
        self._contacts.feel(state.time, self._body.loads(state))
        if self._first:
            self._first = False
            self._begin_step(state, command)
        elif self._body.advance(state):
            self._end_step(state)
            self._begin_step(state, command)
        return self._body.torques(state)

    def _rests(self, rest: Rest, state: BodyState, command: Command) -> int | None:
        """Go over between standing and walking; return the stance leg of the first step, None where none begins."""
        rest.feel(state)
        if rest.walking:
            if self.can_rest:
                rest.comes_to_rest(state, command, self._observer.heading(state))
            return None
        return rest.set_off(state, command, command.heading - self._motion.direction, self.resting)

    # -- steps

    def _end_step(self, state: BodyState) -> None:
        """Note what the step that ends has reached, and how fast it went."""
        last = self.steps[-1]
        reached = self._variables(state, last.stance)
        self._sampler.learn(reached, last.target)
        heading = self._observer.heading(state)
        x, y, began = self._place or (0.0, 0.0, 0.0)
        took = max(state.time - began, 1e-3)
        u, v = (float(state.origins[0, 0]) - x) / took, (float(state.origins[0, 1]) - y) / took
        advance = Heading(heading).seen(u, v)
        self.steps[-1] = replace(last, reached=reached, advance=advance)

    def _begin_step(self, state: BodyState, command: Command) -> None:
        self._change_motion(state, command)
        self._fit.follow(state.time)
        body = self._body
        part = part_of(self._motion.parts, self._entered)
        if part is None:  # a graph that ends keeps its last pose
            body.machine.index, body.holds = len(body.machine.graph) - 1, True
            body.machine.stance = LEFT + RIGHT - body.machine.stance
            return
        self._place = (float(state.origins[0, 0]), float(state.origins[0, 1]), state.time)
        turn = self._turn(state, command)
        graphs = self._graphs(part, turn)
        target = self._target(command, self._way(command))
        scalings, trials, falls = self._scalings(state, part, graphs, target, turn)
        self._begin(body, graphs, scalings)
        self.steps.append(Taken(state.time, body.machine.stance, scalings, target, turn, trials, falls))
        self._entered += 1
        self._cues.steps += 1

    def _change_motion(self, state: BodyState, command: Command) -> None:
        if self._cues.due(state.time, command.arc) is not None:
            fit = self._cues.go_on()
            if fit is not self._fit:
                self._before, self._fit, self._entered = self._fit, fit, 0
                self._sampler = Sampler(self._motion.sampling)

    @property
    def _share(self) -> float:
        """How far it has gone over to its present motion, 0..1."""
        entering = self._motion.entering
        return 1.0 if self._before is self._fit else min((self._entered + 1) / (entering + 1), 1.0)

    def _graphs(self, part: Part, turn: float) -> Sides:
        """Return the graphs of the step that begins, not balanced yet."""
        graphs, share = part.graphs, self._share
        if share < 1.0:
            graphs = between(self._before.motion.parts[-1].graphs, graphs, share)
        turning = self._motion.turning
        return perturbed(graphs, turning.relative, turn) if turning else graphs

    def _begin(self, body: Posed, graphs: Sides, scalings: Array) -> None:
        """Let a body begin the step with its perturbations."""
        for dimension, scaling in zip(self._motion.dimensions, scalings.tolist(), strict=True):
            graphs = perturbed(graphs, dimension.relative, scaling)
        body.begin(self._fit, graphs[body.machine.stance])

    # -- balance

    def _scalings(
        self, state: BodyState, part: Part, graphs: Sides, target: Array, turn: float
    ) -> tuple[Array, int, int]:
        """Return the K (N,) of the step that begins, how many trials were made for it, and how many of them fell."""
        number = len(self.steps)
        if number < len(self._recorded):
            own, count = self._recorded[number], len(self._motion.dimensions)
            if len(own) < count or np.any(own[count:]):
                raise DataError(
                    f"job.perturbations[{number}]: expected {count} numbers, "
                    f"found {len(own)}: they were recorded with another preset."
                )
            return own[:count], 0, 0
        if not part.balanced or not self._motion.dimensions:
            return np.zeros(len(self._motion.dimensions)), 0, 0

        def response(scalings: Array) -> Array | None:
            return self._tried(state, graphs, scalings)

        unchanged = False
        if self._entered > 1 and self._share == 1.0:  # of this motion
            before = self.steps[-2]  # this leg's last one
            near = float(np.abs(before.target - target).max()) < SAME_TARGET
            unchanged = near and abs(before.turn - turn) < SAME_TURN
        answer = self._sampler.answer(response, target, unchanged)
        return answer.scalings, answer.trials, answer.falls

    def _tried(self, state: BodyState, graphs: Sides, scalings: Array) -> Array | None:
        """Return the regulation variables (N,) at the end of the step with K ``scalings``; None when it falls."""
        body = self._body.copied()
        stance = body.machine.stance
        self._begin(body, graphs, scalings)
        ended: list[Array] = []

        def trial(now: BodyState) -> Array | None:
            if now is not state and body.advance(now):
                ended.append(self._variables(now, stance))
                return None
            return None if body.fallen(now) else body.torques(now)

        self.what_if(trial)
        return ended[0] if ended else None

    def _variables(self, state: BodyState, stance: int) -> Array:
        return np.array([self._observer.value(d.variable, state, stance) for d in self._motion.dimensions])

    def _target(self, command: Command, way: float) -> Array:
        """Return what the variables shall be at the step's end (Laszlo 1996, equation 5.1).

        Q_d = Q_bias(v_d) + clip(g (v_d - v), most) + l, by dimension: Q_bias its ``target`` at the desired speed v_d,
        m/s, g its ``gain``, v the speed of the last step, and l what is learnt of it from steady steps.
        way: of travel from its facing, rad.
        """
        speed, hand = command.speed, 1.0 if self._body.machine.stance == LEFT else -1.0
        desired = speed * math.cos(way), speed * math.sin(way)
        u, v = self.steps[-1].advance if self.steps else desired
        had = u, hand * v
        steady = bool(self.steps) and abs(speed - self._desired) < STEADY_SPEED
        self._desired = speed
        found = []
        for i, d in enumerate(self._motion.dimensions):
            reference = d.desired if d.desired is not None else (desired[0], hand * desired[1])[d.variable.axis]
            late = reference - had[d.variable.axis]
            sense = hand if d.variable.axis == 1 and d.desired is None else 1.0  # learnt sideways: to the left
            if steady:
                self._learnt[i] = min(max(self._learnt[i] + sense * d.learning * late, -LEARNT), LEARNT)
            bias = self._bias(i, desired, hand) + sense * self._learnt[i]
            found.append(bias + min(max(d.gain * late, -d.most), d.most))
        return np.array(found)

    def _bias(self, i: int, desired: tuple[float, float], hand: float) -> float:
        """Return Q_bias of a dimension at a desired speed, m/s, between those of two motions where one is entered."""
        bias = _bias_of(self._motion.dimensions[i], desired, hand)
        before = self._before.motion.dimensions
        if self._share == 1.0 or i >= len(before):
            return bias
        return (1.0 - self._share) * _bias_of(before[i], desired, hand) + self._share * bias

    def _way(self, command: Command) -> float:
        """Return where it shall go from where it faces, rad; a body that does not turn goes aside."""
        if self._motion.turning is not None:
            return self._motion.direction
        off = math.remainder(command.heading - self._heading, 2.0 * math.pi)
        return min(max(off, -MOST_ASIDE), MOST_ASIDE)

    def _turn(self, state: BodyState, command: Command) -> float:
        """Return the scale of the turning graph: positive to the left."""
        turning, now = self._motion.turning, self._observer.heading(state)
        sway = 0.5 * math.remainder(self._heading - now, 2.0 * math.pi) if self.steps else 0.0
        self._heading = now
        if turning is None or len(self.steps) < turning.after:
            return 0.0
        desired = command.heading - self._motion.direction
        off = math.remainder(desired - now - sway, 2.0 * math.pi)  # the hips turn to and fro with each step
        scale = turning.gain * off + turning.lead * command.turn
        last = self.steps[-1].turn if self.steps else 0.0
        scale = min(max(scale, last - turning.change), last + turning.change)
        return min(max(scale, -turning.most), turning.most)


def _bias_of(dimension: Dimension, desired: tuple[float, float], hand: float) -> float:
    """Return Q_bias at a speed ahead and to the left, m/s. hand: 1 on a left stance, -1 on a right one."""
    return _at(dimension.target, desired[0]) + hand * _at(dimension.shift, desired[1])


def _at(knots: Knots, x: float) -> float:
    """Return the value at x of straight lines through the knots."""
    return float(np.interp(x, [k[0] for k in knots], [k[1] for k in knots]))
