"""Which steps a walk has: from rest, faster, evenly, slower in bends, and to rest at the path's end.

Every step's speed, length and frequency are whole for that step (Bruderlin 1988, section 5.2); from one step to the
next they change by no more than v_acc, v_dec and sf_accdec. All at reference size.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..base.curves import smoothed
from ..base.spatial import Array
from ..world.along import Along, Means
from ..world.height_profile import HeightProfile
from ..world.path import LIMITS_GRID, Path
from ..world.path_points import PathPoint, waits_of
from .attributes import Style
from .body import HEIGHT, REFERENCE, Scale
from .manner import PLAIN, uneven
from .parameters import KMH, GaitLimits, Parameters, completed, limits
from .step import Kind, StepGoal

_SIDEWAYS, _SWIVEL = 0.9, 1.2  # m/s2 towards the inside of a bend, rad/s
_ROUNDING = 0.8  # m over which a path's direction is averaged
_TURNED_BACK = 0.17  # m/s: slower than in a corner of 140 degrees
_LAST = 3.5  # steps before the last ones at which their lengths are settled, so that the walk ends at the path's end
_SLOWEST = 0.25  # km/h
_MOST_STEPS = 100000
_AS_DESIRED = 0.005  # of the speed: what differs by less is the desired one
_GRAIN = 0.05  # km/h: speeds in bends and along a path's points, so that alike steps are computed once
_STEP_TIME = 0.55  # s, of usual steps: what changes from one to the next as an acceleration
_QUICKEST = 150.0  # steps/min: a limp makes no step quicker, which would hardly have a double support
_SAME_PLACE = 0.05  # m between waits, or from the start, that are no walk


@dataclass(frozen=True)
class PlacedStep:
    """One step of a walk. goal: what it is. start: when it begins, s. side: of the stance foot, 0 left, 1 right.

    stance: arc length of the flat stance foot's ankle, m. style: how it is walked. speed: desired, m/s.
    """

    goal: StepGoal
    start: float
    side: int
    stance: float
    style: Style
    speed: float


@dataclass(frozen=True)
class DesiredWalk:
    """What is desired from a time on: a style, and a speed, m/s."""

    time: float
    style: Style
    speed: float


@dataclass(frozen=True)
class DesiredPart:
    """What is desired from one cue to the next: from ``time`` s and ``place`` m on, each by its own time.

    fixed: whether its steps set its speed.
    """

    time: float
    place: float
    walks: Sequence[DesiredWalk]
    fixed: bool = False


@dataclass(frozen=True)
class WalkingBout:
    """Part of a walk, from standing on. begin: s. placed: its steps, times from its own begin. rest: s it stands."""

    begin: float
    placed: list[PlacedStep]
    rest: float = 0.0

    @property
    def end(self) -> float:
        """When its last step ends, s from the walk's begin."""
        last = self.placed[-1]
        return self.begin + last.start + last.goal.time


@dataclass(frozen=True)
class Route:
    """Where a walk goes: along a path, m, from ``start``, m along it. stop: whether it comes to rest at its end.

    along: what is desired at places of it. profile: of the ground, flat without one.
    """

    path: Path
    start: float
    stop: bool
    along: Sequence[PathPoint] = ()
    profile: HeightProfile | None = None


class StepPlan:
    """The steps along a path, made one by one."""

    def __init__(
        self, route: Route, schedule: Sequence[DesiredPart], longest: float, sole: tuple[float, float] = (0.0, 0.0),
        scale: Scale = REFERENCE,
    ) -> None:  # fmt: skip
        """Take where a walk goes, and what is desired along it, the first at 0 s and the start.

        longest: s, 0 for as long as the path takes. sole: how far a foot reaches behind and before its ankle, m. scale:
        the character's, for what messages say.

        Raises DataError for parameters that are no walk.
        """
        path, start, along = route.path, route.start, route.along
        self._path, self._start, self._stop = path, start, route.stop
        self._schedule, self._longest = schedule, longest
        self._part = 0
        self._along, self._waits = Along(along) if along else None, waits_of(along, start)
        self._bends = _bends(path) if _bent(path) else None
        self._profile, self._sole, self._scale = route.profile, sole, scale
        self._memo: dict[tuple[int, float, float], Parameters] = {}
        for part in schedule:
            for desired in part.walks:
                self._parameters(desired, desired.speed * 60.0)
        for point in along:
            if point.speed:
                self._parameters(replace(schedule[0].walks[0], speed=point.speed), point.speed * 60.0)

    def bouts(self) -> list[WalkingBout]:
        """Return the walk from wait to wait; the last bout goes to the path's end. At least one."""
        bouts: list[WalkingBout] = []
        begin, foot = 0.0, self._start
        for point in self._waits:
            if point.place - foot < _SAME_PLACE:
                begin += point.wait
                continue
            if point.place > self._path.length - _SAME_PLACE or self._over(begin):
                break
            bouts.append(WalkingBout(begin, self._steps(begin, foot, point.place, True), point.wait))
            begin, foot = bouts[-1].end + point.wait, point.place
        if not bouts or not self._over(begin):
            bouts.append(WalkingBout(begin, self._steps(begin, foot, self._path.length, self._stop)))
        return bouts

    def _over(self, time: float) -> bool:
        return bool(self._longest) and time > self._longest

    def _steps(self, begin: float, start: float, end: float, stop: bool) -> list[PlacedStep]:
        """Return the steps of a bout, the first from standing; the last one to standing if it stops.

        begin: s. start, end: arc lengths, m.
        """
        found: list[PlacedStep] = []
        time, foot, before = 0.0, start, 0.0
        last: Parameters | None = None
        ending: list[tuple[float, Parameters]] | None = None
        for count in range(_MOST_STEPS):
            desired = self._desired(begin + time, foot - 0.5 * before, last)
            if ending is None:
                now = self._next(desired, last, foot)
                length = now.length
                if stop:
                    ending = self._ending(desired, now, end - foot) or None
            if ending is not None:
                length, now = ending.pop(0) if ending else (0.0, last or now)
            varied, longer = now, 1.0
            if desired.style.manner != PLAIN and count:
                varied = _varied(desired.style, now, count)
                longer = varied.length / now.length if ending is None else 1.0
            length *= longer
            if self._profile is not None and length:
                length = self._profile.landing(foot, foot + length, *self._sole) - foot
            goal = _step_goal(varied, length, before, first=not count)
            speed = length / longer * now.frequency / 60.0
            if abs(speed / desired.speed - 1.0) < _AS_DESIRED:
                speed = desired.speed
            found.append(PlacedStep(goal, time, count % 2, foot, desired.style, speed))
            time, before, last, foot = time + goal.time, length, now, foot + length
            passed = not stop and foot - 0.5 * length >= end
            if length == 0.0 or passed or self._over(begin + time):
                break
        return found

    def _desired(self, time: float, arc: float, last: Parameters | None) -> DesiredWalk:
        """Return what is desired at a time, s, and an arc length of the hips, m. last: of the step before."""
        for later in self._schedule[self._part + 1 :]:
            if later.time > time + 1e-9 or later.place > arc + 1e-9:
                break
            self._part += 1
        part = self._schedule[self._part]
        found = [d for d in part.walks if d.time <= time + 1e-9][-1]
        if self._along is None or part.fixed:
            return found
        own = found.style.attributes
        fastest = limits(own, HEIGHT, self._scale).speed / 60.0
        gain, loss = (KMH / 60.0 / _STEP_TIME * most for most in (own.v_acc, own.v_dec))
        means = Means(_SLOWEST * KMH / 60.0, fastest, gain, loss, self._bends)
        speed = self._along.speed(arc, time, found.speed, last.speed / 60.0 if last else 0.0, means)
        grain = _GRAIN * KMH / 60.0
        return replace(found, speed=min(round(speed / grain) * grain, fastest) if speed != found.speed else speed)

    def _next(self, desired: DesiredWalk, last: Parameters | None, foot: float) -> Parameters:
        """Return the parameters of the next step, within what may change from one to the next (attributes' v_acc)."""
        own = desired.style.attributes
        was = last.speed if last else 0.0
        speed = desired.speed * 60.0
        if self._bends is not None:
            reach = desired.speed * 60.0 / max(last.frequency if last else 60.0, 1.0)
            bent = self._slowest(foot, foot + 1.5 * reach)
            if bent < desired.speed:
                speed = max(math.floor(bent * 60.0 / (KMH * _GRAIN)) * _GRAIN, _SLOWEST) * KMH
        speed = min(max(speed, was - own.v_dec * KMH), was + own.v_acc * KMH)
        found = self._parameters(desired, max(speed, _SLOWEST * KMH))
        if last:
            frequency = min(max(found.frequency, last.frequency - own.sf_accdec), last.frequency + own.sf_accdec)
            if frequency != found.frequency:
                length = min(found.speed / frequency, own.sl_max * HEIGHT)
                found = Parameters(length * frequency, length, frequency)
        return found

    def _slowest(self, begin: float, end: float) -> float:
        assert self._bends is not None
        a = min(max(int(begin / LIMITS_GRID), 0), len(self._bends) - 1)
        b = min(max(math.ceil(end / LIMITS_GRID), a), len(self._bends) - 1)
        return float(self._bends[a : b + 1].min())

    def _parameters(self, desired: DesiredWalk, speed: float) -> Parameters:
        """Return the parameters of a style at a speed, m/min: on the way to the desired one, its steps are alike.

        Raises DataError for parameters that are no walk.
        """
        key = (id(desired.style), desired.speed, speed)
        if key not in self._memo:
            style = desired.style
            bounds = limits(style.attributes, HEIGHT, self._scale)
            full = completed(bounds, desired.speed * 60.0, style.step_length, style.step_frequency)
            if style.manner.tempo != 1.0 and not style.step_length and not style.step_frequency:
                full = _quickened(full, style.manner.tempo, bounds)
            if abs(speed - full.speed) < 1e-9:
                self._memo[key] = full
            else:
                usual, own = completed(bounds, full.speed), completed(bounds, min(speed, bounds.speed))
                length = min(own.length * full.length / usual.length, bounds.length)
                frequency = min(own.speed / length, bounds.frequency)
                self._memo[key] = Parameters(length * frequency, length, frequency)
        return self._memo[key]

    def _ending(self, desired: DesiredWalk, now: Parameters, left: float) -> list[tuple[float, Parameters]]:
        """Return length and parameters of the last steps, when they begin here; [] while the end is far.

        left: from the stance foot to the path's end, m. They slow down so that the stop is within v_dec, and share out
        what is too much or too little to the end.
        """
        slowing: list[Parameters] = []
        speed = desired.style.attributes.v_dec * KMH
        while speed < now.speed - 1e-9:
            slowing.insert(0, self._parameters(desired, speed))
            speed += desired.style.attributes.v_dec * KMH
        rest = sum(p.length for p in slowing)
        even = (left - rest) / now.length
        if even > _LAST:
            return []
        count = max(round(even), 0 if slowing else 1)
        steps = [now] * count + slowing
        scale = left / sum(p.length for p in steps)
        while scale > 1.25 or max(p.length for p in steps) * scale > desired.style.attributes.sl_max * HEIGHT:
            steps.insert(0, now)
            scale = left / sum(p.length for p in steps)
        if abs(scale - 1.0) < 1e-6:
            scale = 1.0
        return [(p.length * scale, p) for p in steps]


def _quickened(usual: Parameters, tempo: float, bounds: GaitLimits) -> Parameters:
    """Return steps of the same speed that are quicker and shorter by a factor, as far as may be."""
    quicker = max(min(tempo, bounds.frequency / usual.frequency), usual.length / bounds.length)
    return Parameters(usual.speed, usual.length / quicker, usual.frequency * quicker)


def _varied(style: Style, now: Parameters, step: int) -> Parameters:
    """Return the parameters of an uneven walk's step, from those of an even one; within what a style can walk."""
    own = style.attributes
    longer, slower = uneven(style.manner, step, step % 2)
    length = min(longer * now.length, own.sl_max * HEIGHT)
    frequency = min(now.frequency / slower, max(now.frequency, min(_QUICKEST, own.sf_max)))
    return Parameters(length * frequency, length, frequency)


def _step_goal(now: Parameters, length: float, before: float, first: bool) -> StepGoal:
    """Return what a step is: its parameters, its length and that of the one before, m. The first one has no support."""
    kind: Kind = "start" if first else "stop" if length == 0.0 else "walk"
    double = 0.0 if first else now.double_support
    return StepGoal(kind, length, before, now.time if not first else now.time - now.double_support, double)


def _bends(path: Path) -> Array:
    """Return the highest speed, m/s, in bends, at every LIMITS_GRID m of a path, to beyond its end.

    Where a path turns back, the direction over _ROUNDING m turns in no length at all, and the way before and after it
    would be straight: there the directions themselves are averaged.
    """
    usual = path.speed_limits(_SIDEWAYS, _SWIVEL, _ROUNDING)
    if usual.min() > _TURNED_BACK:
        return usual
    arcs = LIMITS_GRID * np.arange(len(usual))
    turned = smoothed(np.unwrap(path.heading(arcs)), LIMITS_GRID, 0.5 * _ROUNDING)
    bend = np.maximum(np.abs(np.gradient(turned, LIMITS_GRID)), 1e-6)
    averaged = np.minimum(np.sqrt(_SIDEWAYS / bend), _SWIVEL / bend)
    return np.asarray(np.where(usual > _TURNED_BACK, np.minimum(usual, averaged), averaged))


def _bent(path: Path) -> bool:
    along = path.points[-1] - path.points[0]
    beside = (path.points - path.points[0]) @ np.array([-along[1], along[0]])
    back = path.length > (1.0 + 1e-6) * float(np.linalg.norm(along))
    return path.closed or back or bool(np.abs(beside).max() > 1e-6 * max(float(along @ along), 1e-9))
