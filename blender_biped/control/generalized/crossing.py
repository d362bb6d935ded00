"""Stepping over what is across the way (Coros 2010, section 5.2): a foothold before it, and the swing foot's way over.

As in the paper the walk slows down before an obstacle, its last steps are fitted so that a foot stands close to it, and
both feet, one after the other, are led over it and land beyond; their place beside the path stays the pendulum's. The
steps over it are longer in time.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...base.curves import softly
from ...world.course import Crossed
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
OVER = 0.1  # m between a sole and what it goes over
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


class Crossing:
    """What one walk does about obstacles to be stepped over. ``command`` looks, once each control step."""

    def __init__(self, hurdles: Sequence[Crossed], legs: tuple[Leg, Leg]) -> None:
        """hurdles: in the order of the way. legs: left and right."""
        self._left, self._legs = list(hurdles), legs
        leg = legs[0]
        self._front, self._back = max(leg.toe, leg.ball + leg.toe_length), -leg.heel
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
        ahead = max(self._left[0].near - self._front - self._left[0].along(x, y), 0.0)
        return replace(command, speed=min(command.speed, math.sqrt(SPEED**2 + 2.0 * BRAKING * ahead)))

    def begin_step(self, state: BodyState, command: Command, stance: int, step_time: float) -> float:
        """A step begins on a stance leg; return how long it takes, s, of the usual ``step_time``."""
        self._hop = self._target = self._speed = None
        while self._left and min(self._places(state, self._left[0])) > self._left[0].far:
            self._left.pop(0)
        if not self._left:
            return step_time
        over, places = self._left[0], self._places(state, self._left[0])
        own, other = places[stance], places[1 - stance]
        before, after = self._before(over), over.far + self._back + GAP
        leads = own <= over.near
        if not leads or before - own < CLOSE:
            self._target = self._end = after if leads else max(after, own + TRAIL)
            self._hop = Hop(over, other, over.top + OVER, leads)
            step_time *= LONGER[0] + LONGER[1] * over.top
            self._speed = (self._target - own) / step_time if leads else SPEED
            return step_time
        usual = max(command.speed * step_time, SHORTEST_USUAL)
        count = math.ceil((before - own) / (LONGEST * usual))
        if count <= FITTED:
            self._target = own + (before - own) / count
            self._speed = (before - own) / count / step_time
        return step_time

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
            shift = min(self._before(over) - at, 0.0) if at < over.far + self._back + GAP else 0.0
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

    def _before(self, over: Crossed) -> float:
        """Return where an ankle stands close before an obstacle, m along the path."""
        return over.near - self._front - GAP

    def _places(self, state: BodyState, over: Crossed) -> Pair:
        """Return how far along the path both ankles are, m."""
        left, right = (over.along(*state.origins[leg.foot, :2].tolist()) for leg in self._legs)
        return left, right


def _moved(place: Sequence[float], over: Crossed, shift: float) -> Pair:
    """Return a place, world x, y, m, that is ``shift`` m farther along the path at an obstacle."""
    return place[0] + shift * math.cos(over.heading), place[1] + shift * math.sin(over.heading)
