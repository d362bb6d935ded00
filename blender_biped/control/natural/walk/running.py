"""The phases of a run: one foot down, and none.

The body goes up and down over its foot as a spring would have it (``running.bounce``), by torques of the whole body;
in the air it has what it took off with. Where the next foot is set down says how fast it takes off from there, as a
pendulum under that load (Raibert 1986 places feet by a gain on the speed; here the stance itself says by how much).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ....base.curves import ramp
from ....base.spatial import Array, faced, yawed
from ...shared.limb import leg_rates
from ...shared.state import BodyState
from ...shared.steering import Command
from ..running.bounce import stance_map
from ..running.clearance import keep_clear
from ..running.plan import LANDING, leg_length
from ..steps.constrained import FREE
from .beginning import begin_amid
from .phase import Phase, phase
from .step_state import NOWHERE, Desired, LegUse


@dataclass(frozen=True)
class StanceRules:
    """How a body is borne in a stance. stiffness: 1/s2, damping: 1/s, of its height. most: times gravity that lifts it.

    flat: share of the stance by which the foot is flat; heel: from which its heel rises.
    fastest: rad/s that thigh and shin are led to turn by at most. sure: 1/s, of the pendulum, at least. relied: times
    the load that is borne, and of the weight, that torques count on in its second half; first: likewise before, as the
    foot lands. leaves: share of the stance
    from which a foot that bears less than ``gone``, of the weight, has left the ground.
    """

    stiffness: float = 200.0
    damping: float = 28.0
    most: float = 3.0
    flat: float = 0.25
    heel: float = 0.45
    fastest: float = 25.0
    sure: float = 1.0
    first: tuple[float, float] = (1.0, 0.8)
    relied: tuple[float, float] = (1.2, 0.1)
    leaves: float = 0.7
    gone: float = 0.03


@dataclass(frozen=True)
class TouchdownRules:
    """When a foot lands.

    load: share of the weight. near: m of its foothold. late: share of the flight, from which it does so anywhere.
    patience: s in the air after which it counts as landed.
    """

    load: float = 0.03
    near: float = 0.2
    late: float = 1.2
    patience: float = 0.8


STANCE, TOUCHDOWN = StanceRules(), TouchdownRules()


@dataclass(frozen=True)
class EndingRules:
    """How a run ends.

    time: s in which the body is planned to come to the height of a walk, lower than it stands, m, by ``lower``.
    stiffness: 1/s2, with which it is led to that height, damped critically. least: s that it takes; over: m ahead of
    its ankle at which the body is over its foot.
    """

    time: float = 0.45
    lower: float = 0.02
    stiffness: float = 80.0
    least: float = 0.1
    over: float = 0.0


ENDING = EndingRules()
FREELY = 0.92  # of gravity, that a body in a stance falls with at most


class Moving(Phase):
    """A body that runs."""

    mode = "walk"

    def _held(self, state: BodyState, command: Command) -> tuple[Array, Array, Array]:
        """Return what all links do but the legs on the ground: (L, 3, 3), (L, 3), (L, 3), world axes."""
        w = self.walker
        rate = self._rate(state)
        rotations, velocities, accelerations = w.run.held(self._stride, w.planner.strides.posture)
        w.posture.rotations = rotations
        facing = yawed(command.heading)
        rotations, velocities = facing @ rotations, rate * velocities @ facing.T
        accelerations = rate**2 * accelerations @ facing.T
        velocities[:, 2] += command.turn
        w.lean(state, command, rotations, velocities, accelerations)
        return rotations, velocities, accelerations

    def _rate(self, state: BodyState) -> float:
        """Return how fast its stride goes on, 1/s."""
        return 0.5 / self.walker.run.now.step.timing.time

    @property
    def _stride(self) -> float:
        step = self.walker.step
        return 0.5 * (step.stance + step.phase)

    def _swing(
        self, state: BodyState, command: Command, left: float, rotations: Array, velocities: Array
    ) -> None:  # fmt: skip
        w = self.walker
        side = 1 - w.step.stance
        leg = w.legs[side]
        w.run.swing(state, command, side, left, rotations, velocities, w.planner.strides.posture)
        x, y, z = state.origins[leg.thigh].tolist()
        share = 1.0 - left / w.run.now.step.swing
        keep_clear(w.character, leg, (x, y, z - w.around.ground.height), share, command.heading, rotations)

    def _leave(self, state: BodyState, command: Command, side: int, stride: float) -> None:
        w = self.walker
        w.run.leave(state, side, command.heading, stride, w.planner.strides.posture)

    def _height(self, state: BodyState) -> float:
        """Return the height of the centre of mass over the ground, m."""
        return self.walker.senses.height(state) - self.walker.around.ground.height


@phase
class RunningStance(Moving):
    """One foot down in a run. It ends as the body takes off."""

    name = "running_stance"
    after: ClassVar[tuple[str, ...]] = ("single_support",)

    def due(self, state: BodyState, command: Command) -> bool:
        """Return whether a walk goes over to a run now: as the body comes over its foot."""
        w = self.walker
        if not w.runs(command):
            return False
        calm = OVER[0] < w.run.ahead_of(w.step.stance, command) < OVER[1] and w.felt.rising < RISING
        return calm and w.run.speed(command) > w.settings.run.over - EARLIER

    def begin(self, state: BodyState, command: Command) -> None:
        """Land, or go over from a walk."""
        w, step = self.walker, self.walker.step
        height, walks = self._height(state), not w.run.now.runs
        load = w.run.gravity * (min(sum(w.feet.now) / w.feet.weight, 1.0) if walks else LANDING.load)
        w.run.begin(w.settings.run, state.time, command, step.stance, height, load)
        step.given, step.target, step.pace = FREE, NOWHERE, 1.0
        step.phase = w.run.now.skipped * w.run.now.step.timing.contact / w.run.now.step.timing.time
        step.urgency = step.disturbance = 0.0
        step.plan.speed = w.run.now.step.speed
        if walks:
            stride = 0.5 * step.stance + w.run.now.skipped * w.run.now.step.timing.stance
            self._leave(state, command, 1 - step.stance, stride)
        step.down = (step.stance,)

    def advance(self, state: BodyState, command: Command) -> str:
        """Move on; take off when it is time to."""
        w, run = self.walker, self.walker.run.now
        gone = state.time - run.began
        if gone >= run.bounce.time or (gone > STANCE.leaves * run.bounce.time and self._left(state)):
            return Flight.name
        gone = run.skipped + (1.0 - run.skipped) * gone / run.bounce.time
        w.step.phase = gone * run.step.timing.contact / run.step.timing.time
        return self.name

    def _left(self, state: BodyState) -> bool:
        """Return whether its foot has left the ground, or its leg is all but straight.

        That pushes the body on no more, and would stop it with a jerk.
        """
        w = self.walker
        if sum(w.feet.now) < STANCE.gone * w.feet.weight:
            return True
        leg = w.legs[w.step.stance]
        (x, y, z), (u, v, w) = state.origins[leg.thigh].tolist(), state.origins[leg.foot].tolist()
        return math.dist((x, y, z), (u, v, w)) > leg_length(leg, LANDING.straight)

    def desired(self, state: BodyState, command: Command, since: float) -> Desired:
        """Return what the links shall do."""
        w, run, stance = self.walker, self.walker.run.now, self.walker.step.stance
        sole, gone = w.felt.soles[stance], state.time - run.began
        share, left = min(gone / run.bounce.time, 1.0), max(run.bounce.time - gone, 0.0)
        pressure = sole.anchor + run.step.roll.at(share) * sole.ahead + self._aimed(command, gone) * (1.0 - share)
        pitch, pitch_rate = self._tilt(run.skipped + (1.0 - run.skipped) * share)
        contact = w.pressure.foot(state, stance, pressure, 1.0, pitch, pitch_rate)
        rotations, velocities, accelerations = self._held(state, command)
        self._swing(state, command, left + run.step.timing.flight, rotations, velocities)
        self._bear(state, rotations, velocities, accelerations, pitch, pitch_rate)
        legs = (LegUse.ROLLS, LegUse.FREE) if stance == 0 else (LegUse.FREE, LegUse.ROLLS)
        lift = self._lift(state, gone)
        return Desired(rotations, velocities, accelerations, lift, [contact], legs, pitch, pitch_rate, bounces=True)

    def _lift(self, state: BodyState, gone: float) -> float:
        """Return the vertical acceleration, m/s2, that keeps it on its bounce. gone: s, since it landed."""
        w, run = self.walker, self.walker.run.now
        high, rises = run.bounce.at(gone)
        lacks = high - self._height(state)
        lift = run.bounce.load(gone) - w.run.gravity
        lift += STANCE.stiffness * lacks + STANCE.damping * (rises - w.felt.rising)
        return max(min(lift, self._most(gone) * w.run.gravity), -FREELY * w.run.gravity)

    def _most(self, gone: float) -> float:
        """Return times gravity that lifts it at most: what is not borne would turn the pelvis."""
        w = self.walker
        borne = sum(w.feet.now) / w.feet.weight
        if borne >= 1.0:
            return STANCE.most
        times, more = STANCE.first if gone < 0.5 * w.run.now.bounce.time else STANCE.relied
        return min(STANCE.most, times * borne + more - 1.0)

    def _aimed(self, command: Command, gone: float) -> complex:
        """Aim the next foot; return how much farther ahead this one is pressed to take off as it is to, m."""
        w, run, side = self.walker, self.walker.run.now, self.walker.step.stance
        sole, left = w.felt.soles[side], max(run.bounce.time - gone, 0.0)
        rest = stance_map(run.bounce, run.step.roll, gone)
        end, rate = rest.end(w.felt.place - sole.anchor, w.felt.velocity, sole.ahead)
        flight = run.step.timing.flight
        w.run.aim(command, 1 - side, sole.anchor + end + flight * rate, rate, left + flight)
        desired = w.run.takes_off(command, side, left, run.step, run.goal)
        return (rate - desired) / max(rest.c, STANCE.sure)

    def _tilt(self, share: float) -> tuple[float, float]:
        """Return how far its heel is up, rad, and how fast that goes, rad/s, at a share of the stance."""
        run = self.walker.run.now
        if share < STANCE.flat:
            lands = 0.0 if run.skipped else -math.radians(run.own.strike)  # a foot that it walked on is flat
            return lands * (1.0 - share / STANCE.flat), 0.0
        rises = ramp(share, STANCE.heel, 1.0)
        rate = 2.0 * rises / ((1.0 - STANCE.heel) * run.bounce.time)
        return run.step.tilted * rises**2, run.step.tilted * rate

    def _bear(
        self, state: BodyState, rotations: Array, velocities: Array, accelerations: Array, pitch: float, rate: float
    ) -> None:  # fmt: skip
        """Fill in what the leg on the ground does, (L, 3, 3), (L, 3), (L, 3): it goes with hip and foot as they are."""
        w, stance = self.walker, self.walker.step.stance
        leg, sole = w.legs[stance], w.felt.soles[stance]
        accelerations[leg.span] = 0.0
        rotations[leg.foot], rotations[leg.toes] = faced(sole.yaw, pitch), yawed(sole.yaw)
        velocities[leg.foot], velocities[leg.toes] = rotations[leg.foot, :, 1] * rate, 0.0
        edge = leg.heel if pitch < 0.0 else leg.ball
        at = sole.anchor + edge * sole.ahead
        below = np.array((at.real, at.imag, w.around.ground.under[stance]))
        arm = rotations[leg.foot] @ (-edge, 0.0, leg.ankle_height)
        hip, bones = state.origins[leg.thigh], [leg.thigh, leg.shin]
        rotations[bones], velocities[bones] = leg_rates(
            leg, (hip, state.velocity_at(leg.thigh, hip)), (below + arm, np.cross(velocities[leg.foot], arm)),
            sole.yaw, STANCE.fastest,
        )  # fmt: skip


@phase
class EndingRun(RunningStance):
    """The stance in which a run ends: the body is borne on as in a walk. It ends as the body is over its foot."""

    name = "ending_run"
    after: ClassVar[tuple[str, ...]] = ()

    def begin(self, state: BodyState, command: Command) -> None:
        """Land, to walk on."""
        w = self.walker
        super().begin(state, command)
        w.run.end(ENDING.time, self._height(state), self._walks)

    def advance(self, state: BodyState, command: Command) -> str:
        """Move on; walk on when it is time to."""
        w, run = self.walker, self.walker.run.now
        gone = state.time - run.began
        w.step.phase = min(gone / run.step.timing.time, 1.0)
        over = gone > ENDING.least and w.run.ahead_of(w.step.stance, command) > ENDING.over
        if not over and gone < run.bounce.time:
            return self.name
        run.runs = False
        begin_amid(w, state, command)
        return "single_support"

    def _lift(self, state: BodyState, gone: float) -> float:
        """Return the vertical acceleration, m/s2, that brings it to the height that it walks at: no deeper first."""
        w = self.walker
        lacks = self._walks - self._height(state)
        lift = ENDING.stiffness * lacks - 2.0 * math.sqrt(ENDING.stiffness) * w.felt.rising
        return max(min(lift, STANCE.most * w.run.gravity), -FREELY * w.run.gravity)

    @property
    def _walks(self) -> float:
        """The height of the centre of mass, m, at which it walks on."""
        w = self.walker
        return w.planner.strides.standing - ENDING.lower + w.felt.over_hips


@phase
class Flight(Moving):
    """No foot down. It ends as the other one lands."""

    name = "flight"

    def begin(self, state: BodyState, command: Command) -> None:
        """Take off."""
        w, step, run = self.walker, self.walker.step, self.walker.run.now
        run.took_off = state.time
        w.log.lift(state.time, step.stance)
        step.down = ()
        stride = 0.5 * step.stance + run.step.timing.stance
        self._leave(state, command, step.stance, stride)

    def advance(self, state: BodyState, command: Command) -> str:
        """Move on; land when the foot does."""
        w, step, run = self.walker, self.walker.step, self.walker.run.now
        side, gone, timing = 1 - step.stance, state.time - run.took_off, run.step.timing
        step.phase = (timing.contact + min(gone, timing.flight)) / timing.time
        if not self._lands(side, gone):
            return self.name
        w.log.strike(state.time, side)
        w.follow(state.time)
        step.stance, step.phase = side, 0.0
        w.around.ground.step_on(side, w.felt.soles[side])
        w.feet.ground = w.around.ground.height
        return RunningStance.name if w.runs(command) else EndingRun.name

    def _rate(self, state: BodyState) -> float:
        run = self.walker.run.now
        late = state.time - run.took_off > run.step.timing.flight  # as it lands, legs wait
        return 0.0 if late else super()._rate(state)

    def _lands(self, side: int, gone: float) -> bool:
        """Return whether a foot lands now; gone: s since it took off. An earlier touch is a scuff."""
        w, run = self.walker, self.walker.run.now
        if gone > TOUCHDOWN.patience:
            return True
        if w.feet.now[side] <= TOUCHDOWN.load * w.feet.weight:
            return False
        near = abs(w.felt.soles[side].anchor - run.foothold) < TOUCHDOWN.near
        return near or gone > TOUCHDOWN.late * run.step.timing.flight

    def desired(self, state: BodyState, command: Command, since: float) -> Desired:
        """Return what the links shall do."""
        w, run = self.walker, self.walker.run.now
        falls = self._height(state) - run.after.lands
        g, rises = w.run.gravity, w.felt.rising
        left = max((rises + math.sqrt(max(rises**2 + 2.0 * g * falls, 0.0))) / g, 0.0)
        w.run.aim(command, 1 - w.step.stance, w.felt.place + left * w.felt.velocity, w.felt.velocity, left)
        rotations, velocities, accelerations = self._held(state, command)
        self._swing(state, command, left, rotations, velocities)
        return Desired(rotations, velocities, accelerations, -g, [], (LegUse.FREE, LegUse.FREE))


OVER = (-0.15, 0.12)  # m ahead of its ankle between which a body is as it goes over to a run
RISING = 0.1  # m/s that it rises then at most: it would fly off
EARLIER = 0.2  # m/s that a body may be slower than where it is to run, as it begins to
