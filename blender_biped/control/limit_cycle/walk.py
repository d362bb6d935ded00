"""Limit-cycle control (Laszlo 1996): an open-loop cycle of poses made stable, one step at a time.

When a step begins, trials of it with some perturbations show how those move the regulation variables at its end; the
perturbation that brings them to their target is added to the step's poses (``sampling``). Over steps, targets are led
by the speed (5.1), turns by the heading (5.3), and one motion goes over into the next (5.2).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ...base.errors import DataError
from ...base.spatial import Array, Heading, matrix_quaternion
from ...character.model import Character
from ..shared.contacts import ContactLog
from ..shared.controller import Controller
from ..shared.cues import GaitCue
from ..shared.legs import LEFT, RIGHT
from ..shared.pose_graph import GraphPart, Machine, pose_table
from ..shared.state import BodyState
from ..shared.steering import Command, SteeringSettings
from .leading import SpeedLead, Taken, TurnLead
from .motion_sequence import MotionSequence
from .posed import Posed
from .regulation import Observer
from .rest import Rest
from .sampling import Sampler
from .settings import LimitCycle, Sides, start_state

SAME_TURN, SAME_TARGET = 2.0, 0.02  # scale of the turning graph, of Q: changes for which a model is kept
BOUNCE = 0.15  # s for which a foot may be off the ground without a step


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
        self._motions = MotionSequence(character, cues, step)
        self._speed_lead, self._turn_lead = SpeedLead(self._motions), TurnLead(self._motions)
        start = self._motions.motion.start
        self._body = Posed(character, self._observer, gravity, step, start.stance if start else LEFT)
        stands = any(motion.start is None for motion in self._motions.all)
        self._rest = Rest(character, gravity, step, ground, start is not None) if stands else None
        self._recorded = [np.array(row, dtype=float) for row in recorded]
        self._sampler = Sampler(self._motions.motion.sampling)
        self._place: tuple[float, float, float] | None = None
        self._first = True

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
        return self._motions.can_rest

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
        return -self._motions.motion.direction

    @property
    def steering(self) -> SteeringSettings:
        """The settings of its steering now."""
        return self._motions.motion.steering

    def desired_speed(self, speed: float) -> float:
        """Return the speed, m/s, to walk at for a commanded one: what its motion can do, or its cue says."""
        return self._motions.desired_speed(speed)

    def start(self) -> tuple[Array, Array, tuple[float, float]]:
        """Return how it begins, facing x: link origins (L, 3), rotations (L, 4), velocity ahead and to the left, m/s.

        The lowest sole is on the ground at z = 0.
        """
        start, character = self._motions.all[0].start, self.character
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
                return self._rest.torques(state, self._motions.fit, self._facing(command))
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
        return rest.set_off(state, command, self._facing(command), self.resting)

    def _facing(self, command: Command) -> float:
        """Return where it shall face, rad."""
        return command.heading - self._motions.motion.direction

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
        motions, body = self._motions, self._body
        if motions.change(state.time, command.arc):
            self._sampler = Sampler(motions.motion.sampling)
        motions.fit.follow(state.time)
        part = motions.part()
        if part is None:  # a graph that ends keeps its last pose
            body.machine.index, body.holds = len(body.machine.graph) - 1, True
            body.machine.stance = LEFT + RIGHT - body.machine.stance
            return
        self._place = (float(state.origins[0, 0]), float(state.origins[0, 1]), state.time)
        last = self.steps[-1] if self.steps else None
        turn = self._turn_lead.turn(command, self._observer.heading(state), len(self.steps), last)
        graphs = motions.graphs(part, turn)
        target = self._speed_lead.target(command, self._turn_lead.way(command), body.machine.stance, last)
        scalings, trials, falls = self._scalings(state, part, graphs, target, turn)
        motions.begin(body, graphs, scalings)
        self.steps.append(Taken(state.time, body.machine.stance, scalings, target, turn, trials, falls))
        motions.stepped()

    # -- balance

    def _scalings(
        self, state: BodyState, part: GraphPart, graphs: Sides, target: Array, turn: float
    ) -> tuple[Array, int, int]:
        """Return the K (N,) of the step that begins, how many trials were made for it, and how many of them fell."""
        number = len(self.steps)
        if number < len(self._recorded):
            own, count = self._recorded[number], len(self._motions.motion.dimensions)
            if len(own) < count or np.any(own[count:]):
                raise DataError(
                    f"job.perturbations[{number}]: expected {count} numbers, "
                    f"found {len(own)}: they were recorded with another preset."
                )
            return own[:count], 0, 0
        if not part.balanced or not self._motions.motion.dimensions:
            return np.zeros(len(self._motions.motion.dimensions)), 0, 0

        def response(scalings: Array) -> Array | None:
            return self._tried(state, graphs, scalings)

        unchanged = False
        if self._motions.entered > 1 and self._motions.share == 1.0:  # of this motion
            before = self.steps[-2]  # this leg's last one
            near = float(np.abs(before.target - target).max()) < SAME_TARGET
            unchanged = near and abs(before.turn - turn) < SAME_TURN
        answer = self._sampler.answer(response, target, unchanged)
        return answer.scalings, answer.trials, answer.falls

    def _tried(self, state: BodyState, graphs: Sides, scalings: Array) -> Array | None:
        """Return the regulation variables (N,) at the end of the step with K ``scalings``; None when it falls."""
        body = self._body.copied()
        stance = body.machine.stance
        self._motions.begin(body, graphs, scalings)
        ended: list[Array] = []

        def trial(now: BodyState) -> Array | None:
            if now is not state and body.advance(now):
                ended.append(self._variables(now, stance))
                return None
            return None if body.fallen(now) else body.torques(now)

        self.what_if(trial)
        return ended[0] if ended else None

    def _variables(self, state: BodyState, stance: int) -> Array:
        return np.array([self._observer.value(d.variable, state, stance) for d in self._motions.motion.dimensions])
