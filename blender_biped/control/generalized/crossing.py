"""Stepping over what is across the way (Coros 2010, section 5.2): a foothold before it, and the swing foot's way over.

As in the paper the walk slows down before an obstacle, its last steps are fitted so that a foot stands close to it, and
both feet, one after the other, are led over it and land beyond; their place beside the path stays the pendulum's. The
steps over it are longer in time.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from ...base.curves import softly
from ...world.obstacles import Crossed
from ..shared.legs import Leg
from ..shared.state import BodyState
from ..shared.steering import Command

Pair = tuple[float, float]
Vector = tuple[float, float, float]

GAP = 0.05  # m between the tip of a foot and what it stands before, and between a heel and what is behind it
CLOSE = 0.12  # m by which a foot that steps over may stand farther before it
SPEED, BRAKING = 0.55, 0.5  # m/s at which it is crossed, and m/s2 with which the walk slows down to that
FITTED = 3  # steps before it that are made to fit
LONGEST = 1.2  # times its usual length that such a step is at most
SHORTEST_USUAL = 0.3  # m that a usual step counts at least
SOLE_OVER = 0.1  # m between a sole and what it goes over
LONGER = (1.2, 0.5)  # times the usual step that it takes to go over: at least, and more for each m of height
TRAIL = 0.3  # m before the other foot at which the second foot over it lands at least
UP, ON, DOWN = (0.0, 0.4), (0.2, 0.88), (0.7, 1.0)  # shares of a swing in which a foot goes up, on, and down


@dataclass(frozen=True)
class Hop:
    """A swing over something. start: of the ankle's way, m along the path. height: of the sole over it, m.

    leads: whether it is the first foot's, which lands right behind it; the second one's lands where the pendulum needs
    it, but not nearer.
    """

    over: Crossed
    start: float
    height: float
    leads: bool


@dataclass(frozen=True)
class FittedStep:
    """One step before or over an obstacle. time: that it takes, s.

    target: where its ankle lands, m along the path; None where the pendulum says. hop: None for a step that goes over
    nothing. speed: that is commanded meanwhile, m/s; None for what is commanded anyhow.
    """

    time: float
    target: float | None = None
    hop: Hop | None = None
    speed: float | None = None


@dataclass(frozen=True)
class PlannedStep:
    """Where a foot (0 left, 1 right) will be set down: arc of its ankle, m along the path. fits: for an obstacle."""

    side: int
    arc: float
    fits: bool


class FootReach:
    """What of two feet counts before obstacles. front, back: from the ankle to their tip and to their heel, m."""

    def __init__(self, legs: tuple[Leg, Leg]) -> None:
        leg = legs[0]
        self.front, self.back = max(leg.toe, leg.tip), -leg.heel

    def before(self, over: Crossed) -> float:
        """Return where an ankle stands close before an obstacle, m along the path."""
        return over.near - self.front - GAP

    def after(self, over: Crossed) -> float:
        """Return where an ankle stands close behind an obstacle, m along the path."""
        return over.far + self.back + GAP

    def fastest(self, over: Crossed, arc: float) -> float:
        """Return how fast the hips may go at a place before an obstacle, m along the path, m/s."""
        ahead = max(over.near - self.front - arc, 0.0)
        return math.sqrt(SPEED**2 + 2.0 * BRAKING * ahead)

    def step(self, over: Crossed, own: float, other: float, speed: float, step_time: float) -> FittedStep:
        """Return the step that begins on a stance foot at ``own``, the other one at ``other``, m along the path.

        speed: commanded, m/s. step_time: of a usual step, s.
        """
        before, after = self.before(over), self.after(over)
        leads = own <= over.near
        if not leads or before - own < CLOSE:
            target = after if leads else max(after, own + TRAIL)
            time = step_time * (LONGER[0] + LONGER[1] * over.top)
            hop = Hop(over, other, over.top + SOLE_OVER, leads)
            return FittedStep(time, target, hop, (target - own) / time if leads else SPEED)
        usual = max(speed * step_time, SHORTEST_USUAL)
        count = math.ceil((before - own) / (LONGEST * usual))
        if count > FITTED:
            return FittedStep(step_time)
        return FittedStep(step_time, own + (before - own) / count, None, (before - own) / count / step_time)

    def usual(self, over: Crossed, arc: float) -> float:
        """Return where an ankle lands that would at a place, m along the path: not on the obstacle."""
        return min(self.before(over), arc) if arc < self.after(over) else arc


def planned_steps(
    hurdles: Sequence[Crossed], legs: tuple[Leg, Leg], start: float, stance: int,
    usual: Callable[[float], float], step_time: Callable[[float], float],
) -> Iterator[PlannedStep]:  # fmt: skip
    """Give the steps of a walk up to behind its last obstacle, if each goes as it is planned.

    start: where both feet stand, m along the path. stance: the foot that stands first. usual: the speed, m/s, that is
    desired at a place of the path, m. step_time: of a usual step, s, at a speed, m/s.
    """
    feet, left, own, other = FootReach(legs), list(hurdles), start, start
    kept: float | None = None
    while True:
        while left and min(own, other) > left[0].far:
            left.pop(0)
        if not left:
            return
        over, arc = left[0], 0.5 * (own + other)
        speed = kept if kept is not None else min(usual(arc), feet.fastest(over, arc))
        step = feet.step(over, own, other, speed, step_time(speed))
        kept = step.speed
        length = (speed if kept is None else kept) * step.time
        if step.target is None:
            lands = feet.usual(over, own + max(length, SHORTEST_USUAL))
        else:
            lands = step.target if step.hop is None or step.hop.leads else max(step.target, own + length)
        stance = 1 - stance
        yield PlannedStep(stance, lands, step.target is not None)
        own, other = lands, own


class Crossing:
    """What one walk does about obstacles to be stepped over. ``command`` looks, once each control step."""

    def __init__(self, hurdles: Sequence[Crossed], legs: tuple[Leg, Leg]) -> None:
        """hurdles: in the order of the way. legs: left and right."""
        self._left, self._legs = list(hurdles), legs
        self._feet = FootReach(legs)
        self._hop: Hop | None = None
        self._target: float | None = None
        self._end = 0.0  # where the swing ends, m along the path
        self._speed: float | None = None

    def command(self, command: Command, state: BodyState) -> Command:
        """Return the command of a walk that slows down before an obstacle, and keeps the speed of a fitted step."""
        if not self._left:
            return command
        if self._speed is not None:
            return replace(command, speed=self._speed)
        x, y, _ = state.origins[0].tolist()
        fastest = self._feet.fastest(self._left[0], self._left[0].along(x, y))
        return replace(command, speed=min(command.speed, fastest))

    def begin_step(self, state: BodyState, command: Command, stance: int, step_time: float) -> float:
        """A step begins on a stance leg; return how long it takes, s, of the usual ``step_time``."""
        self._hop = self._target = self._speed = None
        while self._left and min(self._places(state, self._left[0])) > self._left[0].far:
            self._left.pop(0)
        if not self._left:
            return step_time
        over, places = self._left[0], self._places(state, self._left[0])
        step = self._feet.step(over, places[stance], places[1 - stance], command.speed, step_time)
        self._hop, self._target, self._speed = step.hop, step.target, step.speed
        if step.hop is not None and step.target is not None:
            self._end = step.target
        return step.time

    def is_down(self, state: BodyState, stance: int) -> bool:
        """Return whether what a swing foot touches may be the ground: before it is over it touches the obstacle."""
        return self._hop is None or self._places(state, self._hop.over)[1 - stance] > self._hop.over.far

    def placed(self, place: Pair) -> Pair:
        """Return where the ankle should land in place of a place, world x, y, m."""
        if not self._left:
            return place
        over = self._left[0]
        at = over.along(*place)
        if self._target is not None:
            shift = self._target - at
            if self._hop is not None and not self._hop.leads:
                shift = max(shift, 0.0)
            self._end = at + shift
        else:  # not on it
            shift = self._feet.usual(over, at) - at
        return _moved(place, over, shift)

    def ankle(self, ankle: Vector, done: float, drop: float, ground: float) -> Vector:
        """Return where the ankle should be now, world, m, of where it would be without an obstacle.

        done: how much of the swing's time is over, 0..1. drop: how far the sole is below the ankle now, m. ground: its
        height under the stance foot, m.
        """
        hop = self._hop
        if hop is None:
            return ankle
        along = hop.start + (self._end - hop.start) * softly(done, *ON)
        x, y = _moved(ankle[:2], hop.over, along - hop.over.along(ankle[0], ankle[1]))
        up = softly(done, *UP) * (1.0 - softly(done, *DOWN))
        return x, y, max(ankle[2], ground + drop + up * hop.height)

    def _places(self, state: BodyState, over: Crossed) -> Pair:
        """Return how far along the path both ankles are, m."""
        left, right = (over.along(*state.origins[leg.foot, :2].tolist()) for leg in self._legs)
        return left, right


def _moved(place: Sequence[float], over: Crossed, shift: float) -> Pair:
    """Return a place, world x, y, m, that is ``shift`` m farther along the path at an obstacle."""
    return place[0] + shift * math.cos(over.heading), place[1] + shift * math.sin(over.heading)
