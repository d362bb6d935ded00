"""The steps of the style that a walk has now: how far up on the toes they are, and those of a change to another one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from ....base.curves import gently, ramp, slopes
from ....base.spatial import Array, nearest_rotations
from ....character.build import toes_bend
from ....character.model import SIDES, Character
from ...shared.legs import Leg
from .captured import CapturedStrides
from .settings import Settings
from .step_table import GRID, StepTable, Tables, evened, lowered, mixed, rates_of
from .strides import Strides

FLAT_SPEED = 0.25  # m/s under which feet on the ground stay flat: a body that is to stand has no use for raised heels


@dataclass(frozen=True)
class TiptoeRules:
    """How far a body that goes on its toes is up on them.

    full: m/s from which it is in full. rising: how much, 0..1, it is more or less so from one step to the next at most.
    down, up: s from the path's end at which it is down on its heels, and up to which it is on its toes.
    """

    full: float = 0.35
    rising: float = 0.5
    down: float = 1.5
    up: float = 2.3


TIPTOE = TiptoeRules()


def goes_on_toes(own: Settings) -> bool:
    """Return whether a style goes on its toes."""
    return not own.captured and own.manner.tiptoe > 0.0 and not own.backs


Shares = tuple[float, float]
"""How much of a style a step has, 0..1, as it begins and as it ends; the rest is of the style before."""
ALL, WITHIN_A_STEP = (1.0, 1.0), (0.0, 1.0)


class StyledSteps:
    """The steps of one body, in one style after the other."""

    def __init__(
        self, character: Character, legs: tuple[Leg, Leg], settings: Settings, gravity: float, level: bool
    ) -> None:  # fmt: skip
        """gravity: m/s2. level: whether the ground is, all over."""
        self._character, self._legs, self._gravity, self._level = character, legs, gravity, level
        # Who has no toes that bend would stand on an edge, and could neither be pressed ahead of it nor behind.
        self.toes = all(toes_bend(character, side) for side in SIDES)
        """Whether a body whose style does so may go on its toes."""
        self.up = 0.0
        """How far, 0..1, the step under way is up on its toes."""
        self.comes_down = False
        """Whether a body that goes on its toes comes down from them, for it is to go over to another style."""
        self._shares, self._tiptoes = ALL, False
        self.strides = self._made(settings)
        """Those of the style, as it has them at any speed."""
        self._low = self._flat(settings)
        """The same with the heels down, where the style goes on its toes."""
        self._before = self.strides
        """Of the style that it comes from."""

    @property
    def on_toes(self) -> bool:
        """Whether the step under way is up on its toes, be it a little."""
        return self._tiptoes and self.toes and self.up > 0.0

    def adopt(self, settings: Settings, goes_over: bool) -> None:
        """Take the steps of other settings from the step on that begins.

        goes_over: whether to another style, and not to one whose numbers have changed.
        """
        tiptoes = self._tiptoes
        if goes_over:  # a mix goes on where its numbers are keyed
            self._before = self.strides if self.on_toes else self._low
        self.strides, self._low = self._made(settings), self._flat(settings)
        self._shares = WITHIN_A_STEP if goes_over else ALL
        if not (tiptoes and self._tiptoes):
            self.up = 0.0

    def mix(self, shares: Shares) -> None:
        """Have so much of the style as the step begins that is planned next, and as it ends; the rest of the last."""
        self._shares = shares

    def tables(self, speed: float, turn: float = 0.0, up: float = 0.0) -> Tables:
        """Return the steps at a speed, m/s, in a bend, rad/s, as they are once the one that begins has ended.

        up: how far, 0..1, those of a body that goes on its toes are up on them.
        """
        own, share = self._own(speed, turn, up), self._shares[1]
        if share >= 1.0:
            return own
        before = self._before.tables(speed, turn)
        return _between(before[0], own[0], share), _between(before[1], own[1], share)

    def _own(self, speed: float, turn: float, up: float) -> Tables:
        if not self._tiptoes:
            return self.strides.tables(speed, turn)
        if not self.toes:
            return self._low.tables(speed, turn)
        own = self.strides.tables(speed, turn)
        if up >= 1.0:
            return own
        both = zip(self._low.tables(speed, turn), own, strict=True)
        left, right = (lowered(low, high, up, side, self._legs) for side, (low, high) in enumerate(both))
        return left, right

    def beginning(self, tables: Tables, side: int, speed: float, turn: float, up: float) -> Tables:
        """Return the steps of which the one on a foot, ``side``, begins now.

        That one comes from the style before, where the style changes. tables: as they are once it has ended.
        """
        begins, ends = self._shares
        if begins == ends:
            return tables
        before = self._before.tables(speed, turn)[side]
        own = self._gone_over(_between(before, self._own(speed, turn, up)[side], begins), tables[side])
        return (tables[0], own) if side else (own, tables[1])

    def risen(self, speed: float, ends: float) -> float:
        """Return how far, 0..1, a body that goes on its toes is up on them in the step after this one.

        speed: of that step, m/s. ends: in how many s it would be at its end. It comes down before it slows down: who is
        on toes is held by nothing behind them. No step begins far from where the last one has ended.
        """
        coming_down = (ends - TIPTOE.down) / (TIPTOE.up - TIPTOE.down)
        if self.comes_down:
            speed = 0.0
        up = min(ramp(speed, FLAT_SPEED, TIPTOE.full), max(coming_down, 0.0))
        return min(max(up, self.up - TIPTOE.rising), self.up + TIPTOE.rising)

    def _gone_over(self, first: StepTable, second: StepTable) -> StepTable:
        if first.length * second.length < 0.0:  # legs that go back do nothing as those that go ahead
            legs = {link for leg in self._legs for link in leg.links}
            return carried_over(first, second, [i for i in range(len(self._character.links)) if i not in legs])
        return gone_over(first, second)

    def _made(self, own: Settings) -> Strides | CapturedStrides:
        self._tiptoes = goes_on_toes(own)
        if own.captured:
            return CapturedStrides(self._character, own.captured, self._legs)
        return Strides(self._character, own.style, self._gravity, own.backs, self._level)

    def _flat(self, own: Settings) -> Strides | CapturedStrides:
        """Return a style's steps with the heels down; of one that does not go on its toes its own."""
        if not self._tiptoes:
            return self.strides
        manner, attributes, constants = own.style
        return Strides(
            self._character, (replace(manner, tiptoe=0.0), attributes, constants), self._gravity, level=self._level
        )


def carried_over(first: StepTable, second: StepTable, links: Sequence[int]) -> StepTable:
    """Return the second step, with ``links`` that are turned as in the first one as it begins."""
    names = "rotations", "angular_velocities", "angular_accelerations"
    changed = {name: getattr(second, name).copy() for name in names}
    for name, found in zip(names, _turned(first.rotations[:, links], second.rotations[:, links]), strict=True):
        changed[name][:, links] = found
    return replace(second, **changed)


def gone_over(first: StepTable, second: StepTable) -> StepTable:
    """Return a step that begins as the first one and ends as the second one: without a jump in how links turn."""
    found: dict[str, Any] = {f.name: _over(getattr(first, f.name), getattr(second, f.name)) for f in fields(StepTable)}
    rotations, velocities, accelerations = _turned(first.rotations, second.rotations)
    found["rotations"], found["angular_velocities"] = rotations, velocities
    found["angular_accelerations"] = accelerations
    found["momentum_rates"] = evened(slopes(found["momenta"], 1.0 / GRID))
    found["length"], found["width"] = second.length, second.width  # of where the foot is set down
    return StepTable(**found)


def _turned(first: Array, second: Array) -> tuple[Array, Array, Array]:
    """Return rotations (G + 1, L, 3, 3) that go over from the first ones to the second ones, rates, accelerations."""
    rotations = nearest_rotations(_over(first, second))
    velocities = rates_of(rotations, 1.0 / GRID)
    return rotations, velocities, evened(slopes(velocities, 1.0 / GRID))


def _between(first: StepTable, second: StepTable, share: float) -> StepTable:
    """Return the step between two of different styles, ``share`` of the second."""
    if share in WITHIN_A_STEP:
        return second if share else first
    found = mixed(first, second, share)
    return replace(found, rotations=nearest_rotations(found.rotations))


def _over(first: Array | float, second: Array | float) -> Array | float:
    """Return samples (G + 1, ...) that go over from the first ones to the second ones; numbers that are between."""
    if not isinstance(first, np.ndarray) or not isinstance(second, np.ndarray):
        return 0.5 * (first + second)
    share = gently(np.linspace(0.0, 1.0, GRID + 1)).reshape(-1, *(1,) * (first.ndim - 1))
    return np.asarray((1.0 - share) * first + share * second)
