"""What KLAW's steps are for a body, a style and a speed: tables over a step's phase that a simulated walk follows.

The motion generator of generalized walking (Coros 2010, section 3.1), with the steps of Bruderlin 1988 in place of
trajectories that were drawn by hand.
"""

from __future__ import annotations

from dataclasses import asdict, replace
from functools import cached_property, lru_cache

import numpy as np

from ....base.curves import ramp
from ....base.spatial import Array, nearest_rotations
from ....character.model import Character
from ....job import Job
from ....klaw.attributes import Attributes, Constants
from ....klaw.manner import Manner
from ....klaw.walk import NAME, Walk, walked
from ....preset.preset import Preset
from ....world.path import Path
from ...shared.legs import Leg, legs_of
from .kept_tables import kept_number, kept_tables
from .soft_steps import soft_steps
from .step_table import GRID, StepKind, StepTable, Tables, mixed_pair, step_table

_RATE = 240.0  # Hz, of the walks that the tables are taken from
_LENGTH = (2.0, 5.0)  # m, and s of walking, of such a walk: at its end it is even
_KEPT = 32  # pairs of tables that are kept for the next walk: a few styles, each at its speeds
_SPACING = 0.2  # m/s between tables
_SLOWEST = 0.2  # m/s, of the slowest table
LOW_HEELS = 0.4
"""How much of what a heel rises as it leaves the ground it is up as it comes back down: feet land less tilted."""
_USUAL = 0.5  # m/s, of the walk that says how a body stands

QUICK, BENDS = (1.1, 1.4), (0.1, 0.3)
"""m/s and rad/s from which bends are quick, and from which in full."""
LOWER = 0.6
"""How far, 0..1, feet that the style lifts high glide in bends: lifted knees threw a toy on long feet there."""

Style = tuple[Manner, Attributes, Constants]
"""How KLAW walks."""


class Strides:
    """The steps of one body in one style, at any speed."""

    def __init__(
        self, character: Character, style: Style, gravity: float, backs: bool = False, level: bool = True
    ) -> None:  # fmt: skip
        """character: of reference size. gravity: m/s2. backs: whether they go back. level: whether the ground is."""
        manner, attributes, constants = style
        # Chance is for a whole walk: a table that held one stagger or glance would repeat it at each stride.
        self._style = replace(manner, stagger=0.0, look_about=0.0), attributes, constants
        self._character, self._gravity = character, gravity
        self._backs, self._level = backs, level
        self._known: dict[int, Tables] = {}

    def tables(self, speed: float, turn: float = 0.0) -> Tables:
        """Return the steps at a speed, m/s, in a bend, rad/s. Raises DataError for a speed that the style cannot have.

        In quick bends they are KLAW's own: legs that are straight as they strike do not take a body round there. Knees
        that the style lifts come up less high in bends.
        """
        place = max(speed, _SLOWEST) / _SPACING
        i = int(place)
        soft = mixed_pair(self._at(i), self._at(i + 1), place - i)
        bend = ramp(abs(turn), *BENDS)
        if bend > 0.0 and self._softens and self._style[0].knee_lift > 0.0:
            slower, faster = (self._softened(k * _SPACING, lifts=False) for k in (i, i + 1))
            soft = mixed_pair(soft, mixed_pair(slower, faster, place - i), LOWER * bend)
        share = ramp(speed, *QUICK) * bend
        if share <= 0.0 or not self._softens:
            return soft
        slower, faster = (_plain(self._character, self._style, self._gravity, k * _SPACING, False) for k in (i, i + 1))
        return mixed_pair(soft, mixed_pair(slower, faster, place - i), share)

    @property
    def _softens(self) -> bool:
        """Whether its steps are softened: feet that look for the ground leave no time for that."""
        toes_first = self._backs or self._style[0].tiptoe > 0.0
        return self._level and not toes_first

    @cached_property
    def standing(self) -> float:
        """How high the mid-hip is above the ground while it stands, m."""
        return _standing(self._character, self._style, self._gravity)

    @cached_property
    def posture(self) -> Array:
        """How the links are turned on average in a slow walk (L, 3, 3): how the style carries itself."""
        rotations = np.concatenate([table.rotations[:-1] for table in self.tables(_USUAL)])
        return nearest_rotations(rotations.mean(axis=0))

    def _at(self, i: int) -> Tables:
        if i not in self._known:
            speed = i * _SPACING
            self._known[i] = (
                self._softened(speed)
                if self._softens
                else _plain(self._character, self._style, self._gravity, speed, self._backs)
            )
        return self._known[i]

    def _softened(self, speed: float, lifts: bool = True) -> Tables:
        return _softened(self._character, self._style, self._gravity, speed, self._backs, lifts)


def forget() -> None:
    """Forget what this process remembers: tables are looked up on the disk again, or made."""
    for remembered in (_softened, _plain, _made, _standing):
        remembered.cache_clear()


@lru_cache(_KEPT)
def _softened(
    character: Character, style: Style, gravity: float, speed: float, backs: bool, lifts: bool
) -> Tables:  # fmt: skip
    what = "softened", style, gravity, speed, backs, lifts
    bounce = style[0].bounce
    return kept_tables(
        character, what, lambda: soft_steps(character, _made(character, style, gravity, speed, backs), lifts, bounce)
    )


@lru_cache(_KEPT)
def _plain(character: Character, style: Style, gravity: float, speed: float, backs: bool) -> Tables:
    what = "plain", style, gravity, speed, backs
    return kept_tables(character, what, lambda: _made(character, style, gravity, speed, backs))


@lru_cache(_KEPT)
def _standing(character: Character, style: Style, gravity: float) -> float:
    what = "standing", style, gravity
    return kept_number(character, what, lambda: float(_walked(character, style, gravity, _USUAL, 0).posed.root[0, 2]))


@lru_cache(_KEPT)
def _made(character: Character, style: Style, gravity: float, speed: float, backs: bool) -> Tables:
    made, on_toes = _walked(character, style, gravity, speed, 3), style[0].tiptoe > 0.0 and not backs
    scale, last = made.scale, len(made.placed) - 2
    times, legs = made.track.times * scale.time, legs_of(character)
    found = {}
    for p, step in zip(made.placed[last - 1 : last + 1], made.steps[last - 1 : last + 1], strict=True):
        time, double = p.goal.time * scale.time, step.lift / p.goal.time
        phases = np.linspace(0.0, 1.0, GRID + 1)
        # People walk backwards all but as in a film of a walk that is played backwards (Thorstensson 1986): a foot is
        # set down where it left the ground, toes first.
        at = p.start * scale.time + (1.0 + double - phases if backs else phases) * time
        root, quaternions = _sampled(times, made.posed.root, at), _sampled(times, made.posed.rotations, at)
        table = step_table(character, legs, StepKind(p.side, time, double, backs, on_toes), root, quaternions)
        found[p.side] = _with_low_heels(table, legs) if backs else table
    return found[0], found[1]


def _walked(character: Character, style: Style, gravity: float, speed: float, last: int) -> Walk:
    """Return KLAW's walk in a style, straight ahead. Raises DataError for a speed that the style cannot have.

    last: how many steps at its end are looked at for how links are turned.
    """
    ahead, time = _LENGTH
    manner, attributes, constants = style
    values = {"manner": asdict(manner), "attributes": asdict(attributes), "constants": asdict(constants)}
    preset = Preset("style", NAME, "Style", "", values)
    path = Path([(0.0, 0.0), (ahead + time * speed, 0.0)])
    return walked(Job(character, path, preset, speed, stop=False, gravity=gravity), _RATE, last=last)


def _with_low_heels(table: StepTable, legs: tuple[Leg, Leg]) -> StepTable:
    """Return a step with heels that are lifted less, about the balls of the feet, which stay where they are."""
    pitches, ankles = table.pitches.copy(), table.ankles.copy()
    for side, leg in enumerate(legs):
        before = table.pitches[:, side]
        after = np.where(before > 0.0, LOW_HEELS * before, before)
        pitches[:, side] = after
        for axis in (0, 2):
            ankles[:, side, axis] += _from_ankle(leg, before)[axis] - _from_ankle(leg, after)[axis]
    return replace(table, pitches=pitches, ankles=ankles)


def _from_ankle(leg: Leg, pitch: Array) -> tuple[Array, Array, Array]:
    """Return how far ahead, to the left and up, m, the ball of a foot is from its ankle at pitches (T,), rad."""
    c, s, down = np.cos(pitch), np.sin(pitch), -leg.ankle_height
    return c * leg.ball + s * down, np.zeros_like(pitch), c * down - s * leg.ball


def _sampled(times: Array, values: Array, at: Array) -> Array:
    """Return values (T, ...) at times (K,), linear between samples; unit where they are rotations (T, L, 4)."""
    place = np.clip((at - times[0]) / (times[1] - times[0]), 0.0, len(times) - 1.001)
    i = place.astype(int)
    share = (place - i).reshape(-1, *(1,) * (values.ndim - 1))
    found = (1.0 - share) * values[i] + share * values[i + 1]
    if values.ndim == 3:
        found = found / np.linalg.norm(found, axis=-1, keepdims=True)
    return np.asarray(found)
