"""A run of one body: the step that is under way, the tables it is held by, and the legs that swing."""

from __future__ import annotations

import cmath
import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ....base.curves import eased, ramp
from ....base.spatial import Array, faced, matrix_quaternion, rotation_vector, vector_matrix, yawed
from ....character.model import Character
from ...shared.legs import LEFT, Leg
from ...shared.limb import drop, leg_rotations
from ...shared.state import BodyState
from ...shared.steering import Command, SteeringSettings
from ..running.bounce import Bounce
from ..running.plan import RunStep, run_step
from ..running.table import RunTable, run_table
from ..running.timing import timing
from ..steps.run_settings import NEVER, Running
from .step_state import Felt

GOES_OVER = (0.1, 0.33, 0.5)
"""Share of a stance that counts as gone as a body goes over to a run from a walk: least, over its ankle, most."""
STILL_RUNS = 0.15  # m/s faster than where it goes over to a run, it has to run on, whatever is commanded
TABLES = 0.25  # m/s between the speeds that tables are made for
WALKS_FROM = 0.15  # m/s slower than where it goes over to a run, it walks again


@dataclass(frozen=True)
class AimRules:
    """How a run keeps its speed by where feet are set down.

    gains, brakes: m/s that one step takes on, and off, at most; bent: m/s2 sideways in a bend at which it takes on half
    of that, since a leg that reaches aside below a leaning body reaches less far behind it. learning: share of what a
    step errs by in speed that is learnt; learnt: m/s of that at most. behind: m that an ankle is set down behind the
    body at most; ahead: share of a leg before it, at most. across, aside: m that it is set down beyond the body, and
    beside it, at most.
    """

    gains: float = 0.2
    brakes: float = 0.3
    bent: float = 0.6
    learning: float = 0.4
    learnt: float = 0.25
    behind: float = 0.0
    ahead: float = 0.7
    across: float = 0.12
    aside: float = 0.35


@dataclass(frozen=True)
class FollowingRules:
    """How a run follows its path, at least.

    acceleration, braking: m/s2. sideways: m/s2 in a bend, above which it slows down. lag: s that it keeps for the steps
    that it walks, to stop. lags: s that it goes on as fast as before where the ground says how fast it may go.
    """

    acceleration: float = 1.5
    braking: float = 0.7
    sideways: float = 1.2
    lag: float = 0.5
    lags: float = 1.0


@dataclass(frozen=True)
class RunSwing:
    """How a leg swings. leaves: s in which it comes from how it left the ground to how the stride has it.

    begins, ends: shares of its swing between which it comes to reach its foothold.
    """

    leaves: float = 0.15
    begins: float = 0.3
    ends: float = 0.9


AIM, FOLLOWING, SWING = AimRules(), FollowingRules(), RunSwing()


@dataclass(slots=True)
class RunState:
    """A run that is under way.

    own: how it runs. step: its step, as that began; after: the next one; bounce: of this stance. began, took_off: when
    the stance began and ended, s. lands: where it will be as it lands, m; foothold: of the foot that lands then, m.
    onward: m/s that this stance is to bring it to; goal: that it is led to for that, by what was learnt. skipped: share
    of its stance that had gone as it began to run. learnt: m/s that it is led to be faster. runs: whether it does.
    """

    own: Running = field(default_factory=Running)
    step: RunStep = field(init=False)
    after: RunStep = field(init=False)
    bounce: Bounce = field(init=False)
    began: float = 0.0
    took_off: float = 0.0
    lands: complex = 0j
    foothold: complex = 0j
    learnt: float = 0.0
    onward: float = 0.0
    goal: float = 0.0
    skipped: float = 0.0
    runs: bool = False


class Runner:
    """Leads one body's run."""

    def __init__(self, character: Character, legs: tuple[Leg, Leg], felt: Felt, gravity: float) -> None:
        """gravity: m/s2."""
        self.now = RunState()
        self.gravity = gravity
        self._character, self._legs, self._felt = character, legs, felt
        self._tables: dict[tuple[Running, int], RunTable] = {}
        self._lacks: list[tuple[int, Array]] = []
        self._left = -math.inf
        self._steering: list[tuple[SteeringSettings, SteeringSettings]] = []

    def steering(self, own: SteeringSettings) -> SteeringSettings:
        """Return how a body follows its path as it runs. own: as it walks."""
        if not self.now.runs:
            return own
        if not self._steering or self._steering[0][0] is not own:
            faster = {
                name: max(getattr(own, name), getattr(FOLLOWING, name))
                for name in ("acceleration", "braking", "sideways")
            }
            self._steering = [(own, replace(own, lag=own.lag + FOLLOWING.lag, **faster))]
        return self._steering[0][1]

    @property
    def lags(self) -> float:
        """How far it goes on, m, before it slows down as it is to."""
        return FOLLOWING.lags * self._felt.speed if self.now.runs else 0.0

    def speed(self, command: Command) -> float:
        """Return how fast it goes ahead, m/s."""
        return (self._felt.velocity / cmath.exp(1j * command.heading)).real

    def ahead_of(self, side: int, command: Command) -> float:
        """Return how far ahead of a foot's ankle the body is, m."""
        return ((self._felt.place - self._felt.soles[side].anchor) / cmath.exp(1j * command.heading)).real

    def wanted(self, own: Running, command: Command) -> bool:
        """Return whether a body is to run. own: how its style runs."""
        fast = command.speed > own.over - (WALKS_FROM if self.now.runs else 0.0)
        return self._too_fast or (fast and command.desired > own.begins)

    @property
    def _too_fast(self) -> bool:
        """Whether a body runs that is too fast to walk on, whatever its style says now."""
        return self.now.runs and abs(self._felt.velocity) > self.now.own.over + STILL_RUNS

    # -- steps

    def begin(self, own: Running, time: float, command: Command, side: int, height: float, load: float) -> None:
        """Begin a step on a foot that lands. height: of the centre of mass over the ground, m. load: N/kg."""
        run, felt, runs = self.now, self._felt, self.now.runs
        fast = self.speed(command)
        if runs:
            lacks = run.onward - fast
            run.learnt = min(max(run.learnt + AIM.learning * lacks, -AIM.learnt), AIM.learnt)
        else:
            run.learnt = 0.0
        run.own, run.runs = own if own is not NEVER else run.own, True  # one that has to run on does it as before
        run.onward = self.reachable(command, fast)
        run.goal = run.onward + run.learnt
        run.step = self._even(side, 0.5 * (fast + run.onward), command.turn)
        run.after = self._even(1 - side, run.onward, command.turn)
        run.skipped = 0.0 if runs else self._gone(side, command, fast)
        left = (1.0 - run.skipped) * run.step.timing.contact
        run.bounce = Bounce.between(left, (height, felt.rising), run.step.leaves, self.gravity, load)
        run.began = time

    def _gone(self, side: int, command: Command, fast: float) -> float:
        """Return the share of a run's stance that a body has behind it which walks over a foot. fast: m/s."""
        least, over, most = GOES_OVER
        gone = self.ahead_of(side, command) / (max(fast, self.now.own.over) * self.now.step.timing.contact)
        return min(max(over + gone, least), most)

    def end(self, time: float, height: float, walks: float) -> None:
        """Let the stance that has begun bring the body to a height, m, at which it walks. time: s that this takes."""
        self.now.bounce = Bounce.between(time, (height, self._felt.rising), (walks, 0.0), self.gravity)

    def reachable(self, command: Command, now: float) -> float:
        """Return the speed, m/s, that is as near to the command's as one step takes a body that is as fast as now."""
        gains = AIM.gains / (1.0 + abs(now * command.turn) / AIM.bent)
        return min(max(command.speed, now - AIM.brakes), now + gains)

    def _even(self, side: int, speed: float, turn: float) -> RunStep:
        """Return the even step at a speed, m/s, in a bend: turn, rad/s.

        Both legs reach as far aside as the inner one has to.
        """
        leg, over = self._legs[side], self._felt.over_hips
        leans = abs(speed * turn) / self.gravity * (leg.length + leg.ankle_height + over)
        beside = abs(float(self._character.offsets[leg.thigh][1])) - 0.5 * self.now.own.width
        return run_step(leg, self.now.own, speed, over, self.gravity, leans + max(beside, 0.0))

    def takes_off(self, command: Command, side: int, left: float, step: RunStep, speed: float) -> complex:
        """Return how fast it is to take off from a foot, world, m/s. left: s until then. speed: m/s."""
        towards = 1.0 if side == LEFT else -1.0
        way = command.heading + command.turn * (left + 0.5 * step.timing.flight)
        return complex(speed, command.drift - towards * step.sway) * cmath.exp(1j * way)

    def aim(self, command: Command, side: int, place: complex, rate: complex, left: float) -> None:
        """Find where a foot is set down. place, m, and rate, m/s: of the body as it lands; left: s until then."""
        run = self.now
        after, towards = run.after, 1.0 if side == LEFT else -1.0
        amid = cmath.exp(1j * (command.heading + command.turn * (left + 0.5 * after.timing.contact)))
        speed = self.reachable(command, (rate / amid).real) + run.learnt
        desired = self.takes_off(command, side, left + after.timing.contact, after, speed)
        offset = after.foothold(rate, desired, amid) / amid
        ahead = min(max(offset.real, -AIM.behind), AIM.ahead * self._character.leg_length)
        aside = min(max(towards * offset.imag, -AIM.across), AIM.aside)
        run.lands = place
        run.foothold = place + complex(ahead, towards * aside) * amid

    # -- limbs

    def held(self, stride: float, posture: Array) -> tuple[Array, Array, Array]:
        """Return rotations (L, 3, 3), rates and accelerations (L, 3) at a share of a stride, for one a second.

        Seen from where it faces. posture (L, 3, 3): of the body as it stands.
        """
        return self._table(posture).at(stride)

    def _table(self, posture: Array) -> RunTable:
        own = self.now.own
        key = own, round(self.now.step.speed / TABLES)
        if key not in self._tables:
            speed = max(key[1], 1) * TABLES
            self._tables[key] = run_table(self._character, self._legs, own, speed, timing(speed, own), posture)
        return self._tables[key]

    def leave(self, state: BodyState, side: int, heading: float, stride: float, posture: Array) -> None:
        """Let a leg leave the ground. stride: share at which it does. posture: see ``held``."""
        desired, facing = self.held(stride, posture)[0], yawed(heading)
        self._left = state.time
        self._lacks = [
            (link, rotation_vector(matrix_quaternion(state.matrices[link] @ (facing @ desired[link]).T)))
            for link in self._legs[side].links
        ]

    def swing(
        self, state: BodyState, command: Command, side: int, left: float, rotations: Array, velocities: Array,
        posture: Array,
    ) -> None:  # fmt: skip
        """Lead a leg in the air from how it left the ground to its foothold: (L, 3, 3), (L, 3), in place.

        left: s until it lands. posture: see ``held``.
        """
        self._come_on(state.time, rotations, velocities)
        run, leg = self.now, self._legs[side]
        near = float(eased(ramp(1.0 - left / run.step.swing, SWING.begins, SWING.ends)))
        if near <= 0.0:
            return
        pitch = -math.radians(run.own.strike)
        yaw = command.heading + command.turn * (left + 0.5 * run.after.timing.contact)
        x, y, z = state.origins[leg.thigh].tolist()
        hip = run.lands + complex(x, y) - self._felt.place
        high = run.after.hips + z - float(state.origins[0, 2])
        ankle = run.foothold.real, run.foothold.imag, drop(leg, pitch)
        thigh, shin = leg_rotations(leg, (hip.real, hip.imag, high), ankle, yaw)
        foot, lands, facing = faced(yaw, pitch), self.held(0.5 * side, posture)[0], yawed(yaw)
        wanted: Sequence[tuple[int, Array]] = (
            (leg.thigh, thigh), (leg.shin, shin), (leg.foot, foot), (leg.toes, foot),
        )  # fmt: skip
        for link, rotation in wanted:
            lacks = rotation_vector(matrix_quaternion(rotation @ (facing @ lands[link]).T))
            rotations[link] = vector_matrix(near * lacks) @ rotations[link]

    def _come_on(self, time: float, rotations: Array, velocities: Array) -> None:
        gone = (time - self._left) / SWING.leaves
        if gone >= 1.0:
            return
        share, rate = 1.0 - float(eased(gone)), -6.0 * gone * (1.0 - gone) / SWING.leaves
        for link, lacks in self._lacks:
            rotations[link] = vector_matrix(share * lacks) @ rotations[link]
            velocities[link] += rate * lacks
