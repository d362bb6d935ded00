"""The styles of one walk, one after the other: each step is planned in one, and no step but the next is in two."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from ....job import Job
from ....preset.declared import changed, number_at, sliders
from ....preset.keyed import Keyed
from ....preset.preset import Preset, Speeds, speeds_of
from ...shared.clock import ControlTime
from ...shared.cues import CueSchedule, GaitCue
from ...shared.steering import FollowingHeading, SteeringSettings
from ..steps.settings import Settings, TurningSettings, read_settings
from ..steps.styled_steps import ALL, WITHIN_A_STEP, Shares, goes_on_toes


@dataclass(frozen=True)
class TurningRules:
    """How a body turns that is to face elsewhere than before, while it goes on where it goes.

    ahead: s after a step's begin for which it is planned where it faces. over: m/s that it may be faster than the style
    in which it turns. slow: m/s that it goes at while it is to turn by more than near, rad. braking: m/s2, of a change
    to what goes slower.
    """

    ahead: float = 0.3
    over: float = 0.1
    slow: float = 0.25
    near: float = 0.5
    braking: float = 1.5


TURNING, FOLLOWS = TurningRules(), SteeringSettings(quickness=5.0, turn_limit=1.2, swerve=8.0)
STEP = 0.55  # s that a step takes, about
_BALANCE = tuple(slider.path for slider in sliders(Settings) if slider.path.startswith("gait."))
"""Of the numbers that its steps' tables do not depend on, those that are between two styles' where it has of both."""
_STEERED = tuple(slider.path for slider in sliders(Settings) if slider.path.startswith("steering."))
"""Those that are so, too, where how much it has of each is told: it may stay with the first one for long."""
_THERE = math.radians(0.2)  # rad, and rad/s, within which it faces where it is to


@dataclass(frozen=True)
class WalkedStyle:
    """One style of a walk: its settings over time, and the speeds that it is for, m/s."""

    settings: Keyed[Settings]
    speeds: Speeds | None = None


Styles = Sequence[GaitCue[WalkedStyle]]
"""In the order in which a walk comes to them, at least one."""


def styles_of(job: Job) -> Styles:
    """Return the styles of a job at reference size. Raises DataError naming a wrong field."""
    known: list[tuple[Preset, WalkedStyle]] = []

    def style(own: Preset) -> WalkedStyle:
        for other, one in known:
            if other is own or other == own:
                return one
        known.append((own, WalkedStyle(Keyed(read_settings(own.values), own.keyed), speeds_of(own))))
        return known[-1][1]

    later = (
        GaitCue(cue.time, style(cue.preset), cue.steps, cue.speed, cue.place, cue.ease, cue.shares) for cue in job.cues
    )
    return _toes_last([GaitCue(0.0, style(job.preset)), *later])


def _toes_last(styles: list[GaitCue[WalkedStyle]]) -> Styles:
    """Return styles with each that goes on its toes as the second one of its mix: the first one's heels stay down."""
    for i, (own, mixed) in enumerate(pairwise(styles)):
        first, second = (goes_on_toes(cue.gait.settings.now) for cue in (own, mixed))
        if mixed.shares and first and not second and (own.time, own.place) == (mixed.time, mixed.place):
            shares = tuple((time, 1.0 - share) for time, share in mixed.shares)
            styles[i : i + 2] = replace(own, gait=mixed.gait), replace(mixed, gait=own.gait, shares=shares)
    return tuple(styles)


class StyleSequence:
    """Where in its styles a walk is, and where it faces."""

    def __init__(self, styles: Styles, time: ControlTime) -> None:
        """time: of who calls ``go_on``."""
        self._cues, self._time = CueSchedule(styles), time
        self._limit = math.inf  # m/s, of what it changes to
        self._slows = False  # whether it slows down to what the next style can do, before it turns to that
        self.settings = self._cues.now.gait.settings.at(0.0)
        """Those of the step under way. Their direction is where it goes from where it faces, as that step has it."""
        self._way = FollowingHeading(self.settings.direction)
        self.shares: Shares = ALL
        """How much of its style the step under way has, the rest of the one before."""
        self._before = self._cues.now.gait
        self.expected = 0.0
        """How fast it changes in the step that begins, on average, rad/s."""

    @property
    def look_about(self) -> float:
        """How far the head of the step under way looks to either side, degrees."""
        own = self.settings.manner.look_about
        if not self._cues.now.shares:
            return own
        before = self._before.settings.now.manner.look_about
        return before + self.shares[1] * (own - before)

    @property
    def direction(self) -> float:
        """Where it goes, rad to the left of where it faces now."""
        return self._way.angle

    @property
    def turning(self) -> float:
        """How fast that changes, rad/s."""
        return self._way.turn

    @property
    def following(self) -> Settings:
        """The settings of the style after the present one, as they begin; of the last one its own."""
        after = self._cues.following or self._cues.now
        return after.gait.settings.at(after.time)

    def begin(self) -> bool:
        """Be in the mix that it begins with; return whether there is one: else it stands in its first style."""
        following = self._cues.due(0.0, 0.0)
        if not (following and following.shares):
            return False
        self._before = self._cues.now.gait
        self._cues.go_on()
        share = following.share(0.0, 0.0)
        self.shares = share, share
        self.settings = self._between(0.0, following.gait.settings.at(0.0))
        return True

    def due(self, time: float, arc: float, speed: float) -> bool:
        """Return whether the step that begins at ``time``, s, is the one in which it goes over to the next style.

        It slows down before it faces elsewhere. arc: m along the path. speed: of the last step, m/s.
        """
        following = self._cues.due(time, arc)
        if not following:
            return False
        turns = following.gait.settings.at(time).direction != self._aim
        slow = min(self._style_speed(following, speed), TURNING.slow)
        self._slows = turns and speed > slow + TURNING.over
        return not self._slows

    def begin_step(self, time: float, arc: float, speed: float, goes_over: bool) -> Settings:
        """Return the settings of a step that begins at ``time``, s, in the next style if it ``goes_over`` to it.

        arc: m along the path. speed: of the last step, m/s.
        """
        if goes_over:
            self._before = self._cues.now.gait
            self._cues.go_on()
            self._slows = False
        self._cues.steps += 1
        self.shares = self._shared(time, arc, speed, goes_over)
        own = self._between(time, self._cues.now.gait.settings.at(time))
        direction, self.expected = self._expected(own.direction)
        if direction != own.direction:
            own = TurningSettings.of(own, direction)
        self.settings = own
        return own

    def go_on(self, walks: bool, speed: float) -> None:
        """Turn on towards where the style faces, and slow down to what it can do, by a control step.

        walks: whether feet step, and so can turn. speed: that is commanded, m/s.
        """
        aim, way = self._aim, self._way
        most = self._most(aim)
        self._limit = (
            most if most >= speed else max(most, min(self._limit, speed) - TURNING.braking * self._time.passed)
        )
        if way.rests(aim):
            return
        if not walks:
            way.turn = 0.0
        elif max(abs(way.off(aim)), abs(way.turn)) < _THERE:
            way.angle, way.turn = aim, 0.0
        else:
            way.follow(aim, FOLLOWS, self._time.passed)

    def desired_speed(self, speed: float) -> float:
        """Return the speed, m/s, to walk at where the job desires ``speed``: what its style can do, or its cue says.

        The first style's is the job's own, and so is that of a mix: it may have next to nothing of its second style.
        """
        now = self._cues.now
        own = (now.speed or speed) if self._free else self._style_speed(now, speed)
        return min(own, self._limit)

    @property
    def _free(self) -> bool:
        """Whether the style goes as fast as the job says, whatever its own speeds are."""
        now = self._cues.now
        return now is self._cues.cues[0] or bool(now.shares)

    def _most(self, aim: float) -> float:
        """Return the speed, m/s, that it slows down to for what it changes to; infinite for none.

        aim: where it is to go, rad to the left of where it faces.
        """
        following = self._cues.following if self._slows else None
        if following:
            return min(self._style_speed(following, math.inf), TURNING.slow)
        if abs(self._way.off(aim)) > TURNING.near:
            return TURNING.slow
        return math.inf if self._free else self._style_speed(self._cues.now, math.inf)

    def _style_speed(self, cue: GaitCue[WalkedStyle], speed: float) -> float:
        speed = cue.speed or speed
        return cue.gait.speeds.held(speed) if cue.gait.speeds else speed

    def _shared(self, time: float, arc: float, speed: float, goes_over: bool) -> Shares:
        """Return how much of the style the step that begins has; all of it once it has come so far."""
        now = self._cues.now
        if not (now.ease or now.shares):
            return WITHIN_A_STEP if goes_over else ALL
        begins = 0.0 if goes_over else self.shares[1]
        return begins, now.share(time + STEP, arc + STEP * speed)

    def _between(self, time: float, own: Settings) -> Settings:
        """Return the settings of a style as the step that begins at ``time``, s, has them beside the one before."""
        if self.shares[1] >= 1.0:
            return own
        before = self._before.settings.at(time)
        if not self._cues.now.shares:
            return _mixed(before, own, self.shares[1], _BALANCE)
        mixed = _mixed(before, own, self.shares[1], (*_BALANCE, *_STEERED))
        return mixed if before.running else replace(mixed, running=None)  # a mix runs as far as both do

    @property
    def _aim(self) -> float:
        return self._cues.now.gait.settings.now.direction

    def _expected(self, aim: float) -> tuple[float, float]:
        """Return where it will go, seen from where it faces, amid a step that begins, rad, and how fast that changes.

        That is in rad/s, on average.
        """
        if self._way.rests(aim):
            return aim, 0.0
        way, step = replace(self._way), 4.0 * self._time.step
        half = round(TURNING.ahead / step)
        for _ in range(half):
            way.follow(aim, FOLLOWS, step)
        amid = way.angle
        for _ in range(half):
            way.follow(aim, FOLLOWS, step)
        return math.remainder(amid, 2.0 * math.pi), (way.angle - self.direction) / (2 * half * step)


def _mixed(first: Settings, second: Settings, share: float, paths: Sequence[str]) -> Settings:
    """Return the second style's settings with the numbers of some paths of both, ``share`` of the second."""
    numbers = {path: (number_at(first, path), number_at(second, path)) for path in paths}
    return changed(second, {path: a + share * (b - a) for path, (a, b) in numbers.items() if a != b})
