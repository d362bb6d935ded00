"""Which steps to take: their tables and the reference of the centre of mass, for what path following commands."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from ....character.model import Character
from ...shared.legs import LEFT, Leg
from ...shared.steering import Command
from .captured import CapturedStrides
from .com_reference import ComReference, DesiredSteps, Pendulum, com_references, handover, swinging
from .crossing import clear_of_skin
from .settings import Settings
from .step_table import StepTable, Tables
from .strides import Strides
from .styled_steps import ALL, WITHIN_A_STEP, Shares, StyledSteps
from .variation import PLANNED, StepChance, Variation

FIRST_SPEED = 0.6  # m/s that the first step is planned for at least: none would be set down on the spot
LEAST_FIRST = 0.5  # of that, which it is of a body that goes aside or back
SLOWEST = 0.5  # m/s: slower steps are as quick as at that, and shorter
QUICK = 0.62  # s that steps take at most while it starts and stops: longer ones let errors grow
ENDING = 2.0  # m of path left from which it is about to stop
AHEAD = 0.6  # share of a step after which it shall have the speed that it is planned for
_HANDING = 0.15  # s, where the first step's handover is looked for


@dataclass(frozen=True)
class CalmChanges:
    """What a walk that is not calm has: its steps are as quick as at first. gain: of speed, m/s2. turn: rad/s."""

    gain: float = 0.4
    turn: float = 0.6


@dataclass(frozen=True)
class LearningRules:
    """What is learnt from steps that differ from their plans.

    speed: m/s that is learnt at most. cop: m that soles are pressed farther ahead at most. even: m/s gained from one
    step's plan to the next from which nothing is learnt: a body lags behind it then. full: m/s from which what is
    learnt holds in full.
    """

    speed: float = 0.15
    cop: float = 0.03
    even: float = 0.2
    full: float = 0.5


@dataclass(frozen=True)
class GainRules:
    """How the command's acceleration is felt. memory: s in which it is. most: m/s2."""

    memory: float = 0.1
    most: float = 1.5


@dataclass(frozen=True)
class TurnRules:
    """How a turn is expected to go on.

    most: rad/s2 that it changes by at most. ahead: share of the next step whose turn a foothold is planned for.
    """

    most: float = 1.5
    ahead: float = 0.3


@dataclass(frozen=True)
class HaltRules:
    """How a body slows down to stand.

    brakes: times the way of a step that is left after a step at full speed, under which that one is slower. late: s by
    which a body is late to slow down. close: m before its end at which it stands. halted: m/s under which it stands
    with a step, where no more is left than half a step and room, m. creeping: m/s: a body that steps so slowly does not
    get ahead, and near its end stands where it is.
    """

    brakes: float = 2.05
    late: float = 0.07
    close: float = 0.03
    halted: float = 0.05
    room: float = 0.1
    creeping: float = 0.1


@dataclass(slots=True)
class _StepErrors:
    """What is learnt from steps. speed, cop: m/s and m, see ``LearningRules``.

    began: where, m, and when, s, the step under way began, once one has. before: m/s that the last one was planned for.
    """

    speed: float = 0.0
    cop: float = 0.0
    began: tuple[complex, float] = (0j, math.nan)
    before: float = 0.0


CALM, LEARNING = CalmChanges(), LearningRules()
GAIN, TURN, HALT = GainRules(), TurnRules(), HaltRules()


@dataclass(slots=True)
class Plan:
    """One step. frame: heading of the stance foot's frame, rad. next: the reference of the step after it.

    turn: from this step's frame to the next one's, rad. stops: whether it is the last one. speed: m/s. ahead: what of
    it is to where the body faces, m/s.
    """

    tables: Tables
    side: int
    reference: ComReference
    next: ComReference
    frame: float
    turn: float
    stops: bool
    speed: float
    handover: float
    ahead: float

    table: StepTable = field(init=False)
    """The step's table."""

    def __post_init__(self) -> None:
        self.table = self.tables[self.side]

    def take(self, tables: Tables) -> None:
        """Have other tables, of the same steps on other ground."""
        self.tables, self.table = tables, tables[self.side]


class Planner:
    """Plans one step after the other."""

    def __init__(
        self, character: Character, legs: tuple[Leg, Leg], settings: Settings, gravity: float, level: bool = True
    ) -> None:  # fmt: skip
        """gravity: m/s2. level: whether the ground is, all over."""
        self._character, self._gravity, self._leg = character, gravity, legs[LEFT]
        self.styled = StyledSteps(character, legs, settings, gravity, level)
        """The steps of the style that it has now."""
        self.pendulum = Pendulum(legs, gravity, character.mass)
        self._errors = _StepErrors()
        self._felt, self._gain, self._turned = (0.0, 0.0), 0.0, 0.0
        self.quick = 1.0
        """Share of its usual time that a step takes."""
        self._planned = 0.0
        self._chance, self._count = Variation(settings.take), 0  # of the step under way, how many were before it
        self._settings, self._handing = settings, _HANDING

    @property
    def strides(self) -> Strides | CapturedStrides:
        """The steps of the style that it has now, at any speed."""
        return self.styled.strides

    def follow(self, settings: Settings, goes_over: bool = False, shares: Shares = ALL) -> None:
        """Take settings that may have changed, from the step on that begins.

        goes_over: whether to another style; shares: how much of that the step has.
        """
        before = self._settings
        turns_round = settings.backs != before.backs
        if goes_over or turns_round or settings.captured is not before.captured or settings.style != before.style:
            self.styled.adopt(settings, goes_over or turns_round)
            self._handing = _HANDING
        self._settings = settings
        self.styled.mix(WITHIN_A_STEP if turns_round else shares)

    def feel(self, time: float, command: Command) -> None:
        """Feel how fast the commanded speed changes; call it once each control step. time: s."""
        before, speed = self._felt
        if time > before:
            gain = min(max((command.speed - speed) / (time - before), -GAIN.most), GAIN.most)
            self._gain += min((time - before) / GAIN.memory, 1.0) * (gain - self._gain)
            self._felt = (time, command.speed)

    def forget(self, time: float, place: complex) -> None:
        """Begin to learn anew, with the mid-hip of a body that stands at a place, m."""
        self._errors.began, self._errors.before = (place, time), -math.inf

    def learn(self, time: float, place: complex, ahead: float) -> None:
        """Learn from a step that ends with the mid-hip at a place, m, how it differs from the plan.

        ahead: how much farther ahead than its reference has it soles were pressed in that step, on average, m.
        """
        if not math.isnan(self._errors.began[1]):
            walked = abs(place - self._errors.began[0]) / max(time - self._errors.began[1], 0.1)
            gained = (self._planned - self._errors.before) / LEARNING.even
            share = self._settings.learning
            bias = self._errors.speed + share * min(max(1.0 - gained, 0.0), 1.0) * (self._planned - walked)
            self._errors.speed = min(max(bias, -LEARNING.speed), LEARNING.speed)
            cop_bias = self._errors.cop + share * max(1.0 - abs(gained), 0.0) * ahead
            self._errors.cop = min(max(cop_bias, -LEARNING.cop), LEARNING.cop)
        self._errors.began, self._errors.before = (place, time), self._planned

    def cop_bias(self, speed: float) -> float:
        """Return how much farther ahead than planned soles are to be pressed at a speed, m/s, by what is learnt, m.

        What pushes a body on in each of its steps alike would keep it ahead of its reference: feet would land too near.
        """
        return self._errors.cop * min(speed / LEARNING.full, 1.0)

    def first(self, command: Command, side: int, saving: bool = False) -> Plan:
        """Return the first step of a body that stands, on a foot. saving: it only steps to stand again."""
        self._planned = max(command.speed, 0.0)
        first = FIRST_SPEED * max(self._settings.way.real, LEAST_FIRST)
        found = self._plan(command, side, 0.0 if saving else max(self._planned, first), short=True, up=0.0)
        found.stops = saving
        return found

    def step(self, command: Command, side: int, last: Plan, early: bool) -> Plan:
        """Return the step on a foot that follows the last one. early: whether it is one of the first ones."""
        onward = max(command.speed + self._gain * AHEAD * last.table.time, 0.0)
        self._planned = _halting(command.left, last.speed, onward) if command.halts else onward
        if command.halts and command.left < HALT.room and last.speed < HALT.creeping:
            self._planned = 0.0
        ends = command.left / max(last.speed, HALT.creeping) if command.halts else math.inf
        up = self.styled.risen(self._planned, ends)
        found = self._plan(command, side, self._planned, early or command.left < ENDING, up)
        near = command.left < 0.5 * QUICK * last.speed + HALT.room
        found.stops = command.halts and near and self._planned < HALT.halted
        return found

    def level_length(self, speed: float) -> float:
        """Return how long a step on level ground is at a speed, m/s, near stairs: quick, and so short, m."""
        table = self.styled.tables(max(speed, SLOWEST))[LEFT]
        return max(speed, FIRST_SPEED * 0.5) * min(table.time, QUICK)

    def fitted(
        self, command: Command, side: int, speed: float, handover: float,
        shaped: Callable[[StepTable, int], StepTable],
    ) -> Plan:  # fmt: skip
        """Return a step on a foot at a speed, m/s, with the tables that ``shaped`` makes of the style's.

        handover: share of the double support over which the weight goes to the foot in front.
        """
        self._planned, self._turned = speed, command.turn
        left, right = (shaped(table, k) for k, table in enumerate(self._begun(side, speed)))
        way = DesiredSteps(speed, command.drift, command.turn, self._width(left, speed))
        both = com_references(self.pendulum, (left, right), way, handover)
        frame = command.heading + 0.5 * command.turn * left.time
        turned = both[side].turn
        return Plan((left, right), side, both[side], both[1 - side], frame, turned, False, speed, handover, speed)

    def renew(self, plan: Plan, command: Command, left: float, early: bool) -> None:
        """Plan the next step anew while this one goes on: it turns or hurries otherwise than when it began.

        left: of this step, s.
        """
        time = plan.table.time
        change = (command.turn - self._turned) / max(time - left, 0.1)
        change = min(max(change, -TURN.most), TURN.most)
        turn = command.turn + change * (left + TURN.ahead * time)
        speed = max(command.speed + self._gain * (left + AHEAD * time), 0.0)
        ends = math.inf
        if command.halts:
            way = command.left - left * plan.speed
            speed, ends = _halting(way, plan.speed, speed), way / max(plan.speed, HALT.creeping)
        up = self.styled.risen(speed, ends)
        short = early or command.left < ENDING
        chance = self._differs(self._count + 1, 1 - plan.side, short)
        tables = self.styled.tables(max(speed, SLOWEST), turn, up)
        tables, both, _ = self._courses(tables, command, speed, turn, short, chance)
        plan.next = both[1 - plan.side]
        at_strike = command.heading + 0.5 * (command.turn + turn) * left
        plan.turn = at_strike + 0.5 * turn * tables[LEFT].time - plan.frame

    def _plan(self, command: Command, side: int, speed: float, short: bool, up: float) -> Plan:
        self._turned, self.styled.up = command.turn, up
        self._count += 1
        chance = self._differs(self._count, side, short)
        tables = self._begun(side, speed, command.turn, up)
        tables, both, share = self._courses(tables, command, speed, command.turn, short, chance)
        frame = command.heading + 0.5 * command.turn * tables[side].time
        planned, ahead = self._planned, self._planned * self._settings.way.real
        return Plan(tables, side, both[side], both[1 - side], frame, both[side].turn, False, planned, share, ahead)

    def _begun(self, side: int, speed: float, turn: float = 0.0, up: float = 0.0) -> Tables:
        """Return the steps at a speed, m/s, of which the one on a foot begins now."""
        slow = max(speed, SLOWEST)
        return self.styled.beginning(self.styled.tables(slow, turn, up), side, slow, turn, up)

    def _differs(self, step: int, side: int, short: bool) -> StepChance:
        """Return by what a step differs from its plan; a walk that starts or stops keeps to that."""
        return PLANNED if short else self._chance.of(step, side, self._settings.variation)

    def _courses(
        self, tables: Tables, command: Command, speed: float, turn: float, short: bool, chance: StepChance
    ) -> tuple[Tables, tuple[ComReference, ComReference], float]:  # fmt: skip
        calm = 0.0 if short else max(1.0 - abs(self._gain) / CALM.gain - abs(turn) / CALM.turn, 0.0)
        if calm < 1.0 and max(t.time for t in tables) > QUICK:
            left, right = (replace(t, time=min(t.time, QUICK + calm * max(t.time - QUICK, 0.0))) for t in tables)
            tables = left, right
        if self.quick < 1.0:
            left, right = (replace(t, time=self.quick * t.time) for t in tables)
            tables = left, right
        width = self._width(tables[LEFT], speed)
        if chance is not PLANNED:
            left, right = (replace(t, time=chance.time * t.time) for t in tables)
            tables, width, speed = (left, right), chance.width * width, speed * chance.length / chance.time
        onward = complex(max(speed + self._errors.speed * min(speed / LEARNING.full, 1.0), 0.0), command.drift)
        onward *= self._settings.way
        way = DesiredSteps(onward.real, onward.imag, turn, width)
        time = sum(t.time * t.double for t in tables) / 2.0
        swings = swinging(self.pendulum, tables)
        share = handover(self.pendulum, tables, replace(way, drift=0.0, turn=0.0), self._handing / time, swings)
        self._handing = share * time
        return tables, com_references(self.pendulum, tables, way, share, swings), share

    def _width(self, table: StepTable, speed: float) -> float:
        """Return how far apart feet are set down at a speed, m/s: as the style has it, clear of the legs' skin, m."""
        clear = clear_of_skin(self._leg, speed * table.time, speed, self._settings.crossing)
        return max(abs(table.width) + self._settings.wider, clear, 0.0)

    def frequency(self, height: float) -> float:
        """Return the frequency of a body as a pendulum, 1/s. height: of its centre of mass above the ground, m."""
        return math.sqrt(self._gravity / max(height, 0.3 * self._character.leg_length))


def _halting(left: float, before: float, onward: float) -> float:
    """Return the speed of the next step, m/s: ``onward``, or less for the last steps to end where it is to stand.

    Each step takes it on by half of its own speed and half of the last one's: people slow down evenly, and stand after
    two or three steps. left: m to there from where the step begins. before: the last step's speed, m/s.
    """
    reach = 2.0 * (left - HALT.late * before) / QUICK  # twice the speed that would take it there in one step
    if reach - before - onward >= HALT.brakes * onward:
        return onward
    if reach <= before + 2.0 * HALT.close / QUICK:
        return 0.0
    evenly, in_three = before * (1.0 - before / reach), (reach - before) / 3.0
    return min(max(evenly, in_three), onward)
