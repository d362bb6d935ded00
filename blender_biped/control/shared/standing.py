"""Standing on two feet, for every controller: where the feet are, whether a body would stop over them, swaying.

Starting and stopping follow Coros 2010, section 5.1. All planes and places are of the ground: world x, y, m.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from ...base.spatial import Array, Heading
from ...character.build import build_of
from ...character.model import Character
from .clock import ControlTime
from .legs import LEFT, RIGHT, Leg
from .state import BodyState

Vector = tuple[float, float, float]
Pair = tuple[float, float]
Mode = Literal["stand", "shift", "walk"]

LOAD_MEMORY = 0.02  # s, smooths contact forces before they bound torques
CAPTURE_REACH = 0.3  # share of the foot's length before and behind its middle that can catch a stop
CAPTURE_SPEED = 0.25  # m/s from which that holds in full
OVER_ONE_FOOT = 0.3  # share of a sole's half width beside its middle within which a body may come to rest on one foot
TOPPLING_REACH = 0.45  # share of the foot's length beyond which a standing body needs a step to stay up
LEAST_SHARE = 0.05  # of the weight that a standing leg keeps
STANDING_ROLL = 0.1  # share of the pelvis' roll torque that a standing body keeps
STANDING_RELEASE = 4.0  # a standing leg that bears less than one of so many parts of the weight is held by its hip
TRAPEZOID = (1.25, 1.75)  # times as far apart as the feet: up to there hips push as people's, from there as they need
MOST_TRAPEZOID = 3.0  # that they count at most
SWAY = 0.6  # share of the moment at which a standing foot would lift that the hips may use


class Feet:
    """Two feet on the ground: how they are loaded, and how a body stands over them."""

    def __init__(
        self, character: Character, legs: tuple[Leg, Leg], gravity: float, time: ControlTime, ground: float
    ) -> None:
        """gravity: m/s2. time: of who calls it. ground: height of the floor, m."""
        self.loads = [0.0, 0.0]
        """Vertical force under each foot, N, smoothed, at most the body's weight."""
        self.now = [0.0, 0.0]
        """The same, not smoothed."""
        self.ground = ground
        """Height of the ground under the body, m; may be changed."""
        self._legs, self._gravity, self._time = legs, gravity, time
        self.weight = character.mass * gravity
        """Of the body, N."""
        self._tall = build_of(character).tall  # the higher its mass, the more of that moment the same push takes

    def feel(self, state: BodyState) -> None:
        """Follow the feet's loads; call it once each control step."""
        loads = state.loads.tolist()
        for side, leg in enumerate(self._legs):
            # An impact's peak is gone before a torque could lean on it.
            self.now[side] = load = min(loads[leg.foot] + loads[leg.toes], self.weight)
            self.loads[side] += (load - self.loads[side]) * min(self._time.passed / LOAD_MEMORY, 1.0)

    def middle(self, state: BodyState, side: int) -> Pair:
        """Return the middle of a sole."""
        leg = self._legs[side]
        reach = 0.5 * (leg.heel + leg.toe)
        m, o = state.matrices[leg.foot], state.origins[leg.foot]
        return float(o[0] + m[0, 0] * reach), float(o[1] + m[1, 0] * reach)

    def captured(self, state: BodyState, heading: float, com: Vector, velocity: Vector, margin: float) -> bool:
        """Return whether the body would stop over both feet: its capture point is between them.

        margin: share of the distance between the feet that it is inside of either.
        """
        ahead, aside = self.stopping_place(state, heading, com, velocity)
        reach = CAPTURE_REACH * (self._legs[LEFT].toe - self._legs[LEFT].heel)
        # A body that hardly moves stands even over one foot; to step on would only tip it.
        hurry = min(math.hypot(velocity[0], velocity[1]) / CAPTURE_SPEED, 1.0)
        inside = margin * hurry * (aside[RIGHT] - aside[LEFT])
        return min(ahead) < reach and max(ahead) > -reach and aside[LEFT] < -inside and aside[RIGHT] > inside

    def over(self, state: BodyState, side: int, heading: float, com: Vector, velocity: Vector) -> bool:
        """Return whether the body would come to rest over one foot alone: its capture point is well on that sole."""
        ahead, aside = self.stopping_place(state, heading, com, velocity)
        leg = self._legs[side]
        reach = CAPTURE_REACH * (leg.toe - leg.heel)
        return abs(ahead[side]) < reach and abs(aside[side]) < OVER_ONE_FOOT * leg.half_width

    def saving_stance(self, state: BodyState, heading: float, com: Vector, velocity: Vector) -> int | None:
        """Return the leg to stand on for the step that saves a standing body from toppling; None when it need not.

        It steps to where it topples sideways, else with the leg that bears less.
        """
        ahead, aside = self.stopping_place(state, heading, com, velocity)
        if aside[LEFT] > 0.0:
            return RIGHT
        if aside[RIGHT] < 0.0:
            return LEFT
        reach = TOPPLING_REACH * (self._legs[LEFT].toe - self._legs[LEFT].heel)
        if min(ahead) < reach and max(ahead) > -reach:
            return None
        return LEFT if self.loads[LEFT] > self.loads[RIGHT] else RIGHT

    def stopping_place(
        self, state: BodyState, heading: float, com: Vector, velocity: Vector
    ) -> tuple[list[float], list[float]]:
        """Return how far ahead and to the left of each foot's middle the capture point is, m.

        xi = c + v sqrt(h / g), the linear pendulum's: a body whose feet stand there comes to rest.
        heading: rad. com: c, m, h its height above the floor. velocity: v, m/s.
        """
        lever = math.sqrt(max(com[2] - self.ground, 0.1) / self._gravity)
        facing = Heading(heading)
        x, y = com[0] + lever * velocity[0], com[1] + lever * velocity[1]
        feet = [self.middle(state, side) for side in (LEFT, RIGHT)]
        ways = [facing.seen(x - fx, y - fy) for fx, fy in feet]
        return [ahead for ahead, _ in ways], [aside for _, aside in ways]

    def sway(
        self, torque: Array, state: BodyState, heading: float, aside: float, weights: Pair, lean: float | None = None
    ) -> None:  # fmt: skip
        """Let both hips push the body sideways with a force ``aside``, N: standing ankles are too weak to.

        Legs, pelvis and ground are a parallelogram; the feet's loads answer the torque. Under hips that are wider apart
        than the feet they are a trapezoid: the pelvis rolls with the legs, about where their lines meet below the
        ground, so that the hips turn less for the same sway by the share of both breadths, and push the harder for it.
        Of a body that sways farther than people hips that are nearer than its feet push the softer, likewise: their
        lines meet above. lean: of the centre of mass to the left of the ankles' middle, m: what holds it there comes on
        top of what hips push back with at most. None for a body that sways as people do. torque (L, 3): N m, in place.
        """
        c, sn = math.cos(heading), math.sin(heading)
        apart = self._apart(state)
        most = SWAY * 0.5 * apart * self.weight / self._tall
        if lean is not None:
            held = min(abs(lean), 0.5 * apart) if lean * aside < 0.0 else 0.0
            most = self.weight * (held + SWAY * (0.5 * apart - held) / self._tall)
        wide = self.trapezoid(state)
        harder = _harder(wide) if lean is None or wide > 1.0 else wide
        for leg, share in zip(self._legs, self._pushing(weights, min(harder - 1.0, 1.0)), strict=True):
            lever = float(state.origins[leg.thigh, 2] - state.origins[leg.foot, 2])
            push = harder * share * min(max(aside * lever, -most), most)
            torque[leg.thigh] -= (push * c, push * sn, 0.0)

    def trapezoid(self, state: BodyState) -> float:
        """Return how far apart the hips are beside the feet; 1: both legs, pelvis and ground are a parallelogram."""
        hips = state.origins[self._legs[LEFT].thigh] - state.origins[self._legs[RIGHT].thigh]
        return math.hypot(hips[0], hips[1]) / max(self._apart(state), 1e-3)

    def _apart(self, state: BodyState) -> float:
        (lx, ly), (rx, ry) = self.middle(state, LEFT), self.middle(state, RIGHT)
        return math.hypot(lx - rx, ly - ry)

    def lean(self, state: BodyState, heading: float, com: Vector, side: int | None = None) -> Pair:
        """Return how far ahead and to the left of the middle of both ankles the centre of mass is, m. heading: rad.

        side: whose ankle alone is meant; None for both.
        """
        ankles = [leg.foot for leg in (self._legs if side is None else (self._legs[side],))]
        x, y, _ = state.origins[ankles].mean(axis=0).tolist()
        return Heading(heading).seen(com[0] - x, com[1] - y)

    def _pushing(self, weights: Pair, loaded: float) -> Pair:
        """Return how both legs share the push. loaded: 0..1, how far by the feet's loads: hips push off no light foot.

        What pushes a body aside first unloads the foot on that side; where hips push harder than people's it slips.
        """
        total = sum(self.loads)
        if loaded <= 0.0 or total <= 0.0:
            return weights
        left = weights[LEFT] + loaded * (self.loads[LEFT] / total - weights[LEFT])
        return left, 1.0 - left

    def acceleration(
        self, state: BodyState, onto: int | None, kp: float, kd: float, com: Vector, velocity: Vector
    ) -> Pair:
        """Return the acceleration, world x, y, m/s2, that brings the centre of mass to where it should stand.

        onto: the foot to stand over; None for between them. kp, 1/s2, kd, 1/s.
        """
        (lx, ly), (rx, ry) = self.middle(state, LEFT), self.middle(state, RIGHT)
        x, y = 0.5 * (lx + rx), 0.5 * (ly + ry)
        if onto is not None:
            x, y = (lx, ly) if onto == LEFT else (rx, ry)
        return kp * (x - com[0]) - kd * velocity[0], kp * (y - com[1]) - kd * velocity[1]

    def shifted(self, state: BodyState, com: Vector, side: int) -> float:
        """Return how far the centre of mass is from between the feet (0) to the foot of ``side`` (1)."""
        share = 2.0 * self.left_share(state, com) - 1.0
        return share if side == LEFT else -share

    def shares(self, state: BodyState, com: Vector) -> Pair:
        """Return how both legs (left, right) share the body's weight where it stands over them, sum 1."""
        left = min(max(self.left_share(state, com), LEAST_SHARE), 1.0 - LEAST_SHARE)
        return left, 1.0 - left

    def left_share(self, state: BodyState, com: Vector) -> float:
        """Return how far the centre of mass is from the right foot (0) to the left one (1)."""
        (lx, ly), (rx, ry) = self.middle(state, LEFT), self.middle(state, RIGHT)
        dx, dy, x, y = lx - rx, ly - ry, com[0] - rx, com[1] - ry
        return (x * dx + y * dy) / max(dx * dx + dy * dy, 1e-6)


def _harder(wide: float) -> float:
    """Return how much harder than people's standing hips push that are ``wide`` times as far apart as the feet."""
    low, high = TRAPEZOID
    return min(max(min(wide, 1.0 + (high - 1.0) * (wide - low) / (high - low)), 1.0), MOST_TRAPEZOID)


def tracked_shares(weights: Pair, slope: float = STANDING_RELEASE) -> Pair:
    """Return how much of each thigh's own tracking stays while its hip makes up ``weights`` of the root torque."""
    return max(1.0 - slope * weights[0], 0.0), max(1.0 - slope * weights[1], 0.0)


def release_roll(tracking: Array, heading: float, firm: float = 1.0, kept: float = STANDING_ROLL) -> None:
    """Take most of the pelvis' roll out of tracking torques (L, 3), in place.

    Both feet down, the hips' roll moves load from foot to foot: that is left to the sway alone. firm: 0..1, how much.
    kept: share that stays.
    """
    c, s = math.cos(heading), math.sin(heading)
    roll = (1.0 - kept) * firm * (float(tracking[0, 0]) * c + float(tracking[0, 1]) * s)
    tracking[0] -= (roll * c, roll * s, 0.0)


@dataclass(frozen=True)
class Transitions:
    """When a body goes over from standing to walking, and back.

    settle_time: s that it stands before it shifts its weight. shift_share: of the way from the middle to the first
    stance foot at which the first step begins; longest_shift: s after which it begins anyway. stop_distance: m of path
    left under which it shall stand. It can once it is slower than stop_speed, m/s, both feet bear at least stop_load of
    its weight, and the capture point is inside of either by stop_margin of the distance between the feet.
    """

    settle_time: float
    shift_share: float
    longest_shift: float
    stop_distance: float
    stop_speed: float
    stop_load: float
    stop_margin: float


class StandingMachine:
    """The finite state machine around a walk: stand, shift the weight onto the left leg, walk, stand again."""

    def __init__(self, character: Character, feet: Feet, gravity: float) -> None:
        """gravity: m/s2."""
        self.mode: Mode = "stand"
        self.since = 0.0
        """Time, s, of the last change of ``mode``."""
        self._feet, self._weight = feet, character.mass * gravity

    def enter(self, mode: Mode, time: float) -> None:
        """Go over to a mode at ``time``, s."""
        self.mode, self.since = mode, time

    def set_off(
        self, state: BodyState, heading: float, com: Vector, velocity: Vector, left: float, rules: Transitions,
        rests: bool, at_once: bool = False,
    ) -> int | None:  # fmt: skip
        """Return the leg to stand on if a body that does not walk must begin to now; None while it need not.

        left: m of path to walk. rests: whether it has walked and stands for good: only toppling moves it then.
        at_once: whether there is no weight to be shifted before the first step.
        """
        if self.mode == "shift":
            late = at_once or state.time - self.since > rules.longest_shift
            return LEFT if late or self._feet.shifted(state, com, LEFT) > rules.shift_share else None
        if rests:
            return self._feet.saving_stance(state, heading, com, velocity)
        if left > rules.stop_distance and state.time - self.since > rules.settle_time:
            self.enter("shift", state.time)
        return None

    def can_stand(
        self, state: BodyState, heading: float, com: Vector, velocity: Vector, speed: float, rules: Transitions
    ) -> bool:
        """Return whether a walking body that shall stop can stand on both feet now. speed: m/s that it walks at."""
        if speed >= rules.stop_speed or min(self._feet.loads) < rules.stop_load * self._weight:
            return False
        return self._feet.captured(state, heading, com, velocity, rules.stop_margin)

    def onto(self) -> int | None:
        """Return the foot to stand over, None for between both."""
        return LEFT if self.mode == "shift" else None
