"""One step in the sagittal plane: double and single support of both legs (Bruderlin 1988, sections 5.2-5.4, 6.0)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np

from ..base.curves import eased
from ..base.spatial import Array
from .attributes import STRAIGHT, Attributes, Constants
from .body import HEIGHT, Plane
from .dynamics import Memory
from .foot import Pose, leg_angles, leg_length, on_ground, pointed, reaching, steepest, tip
from .hips import SwingHip
from .stance import Entry, Hip, StanceGoal, StanceModel, impact
from .swing import SwingGoal, SwingModel

Kind = Literal["start", "walk", "stop"]

_LEANING = math.radians(10.0)  # of the stance leg, before which the heel stays down
_ALIKE = (1e-4, 1e-4, 1e-3, 0.01, 0.01, 0.01, 3e-3)  # m, rad, rad, their rates, and the foot behind's pitch
_GRAIN = 0.02  # m and s: rough steps are solved at such distances, and stretched to the goal
_MOST_KEPT = 3000  # steps
_NEAR = 0.2  # m and s: a step that differs by less, stretched, can stand in for another
_FRAMES = 30.0  # 1/s, of the thesis: attributes are given for its frames
_SOONEST = 0.6  # of the double support, before which no foot leaves the ground
_TIME, _X, _VX, _VY, _AX = (Hip._fields.index(name) for name in ("time", "x", "vx", "vy", "ax"))
_LOWERING = 0.5  # of SWING2's and SWING3's time: how long the last step's foot comes down


@dataclass(frozen=True)
class StepGoal:
    """What one step shall be. length: between the ankles of the flat feet, m, now and before; times: s."""

    kind: Kind
    length: float
    before: float
    time: float
    double_support: float


class Strike(NamedTuple):
    """How the body is at heel strike (equations 5.4). w, theta1: of the leg behind; theta3: of the leg in front.

    pitch: of the foot in front, rad. turn: of the pelvis, rad. actual: step length of the hip's own legs, m.
    """

    w: float
    theta1: float
    theta3: float
    pitch: float
    turn: float
    actual: float


@dataclass(frozen=True)
class Step:
    """One solved step, in the frame of its stance foot: x from the ankle of the flat foot, y from the ground.

    hips (N, 10): of the stance leg, rows as ``Hip``. stance (N, 4): pose of its foot at the hips' times, rows as
    ``Pose``. swing_times (M,), s, swing (M, 4): of the other foot, from the step's begin on. turns: of the pelvis, the
    stance side forward, at begin and end, rad. drop: how far the swing hip is lowest, m. strike: how it ends. lift:
    when the foot behind leaves the ground, s. phases: the ends of SWING1 and SWING2, s. exact: whether the dynamics met
    the whole goal.
    """

    goal: StepGoal
    hips: Array
    stance: Array
    swing_times: Array
    swing: Array
    turns: tuple[float, float]
    drop: float
    strike: Strike
    lift: float
    phases: tuple[float, float]
    next_entry: Entry
    exact: bool


class StepMaker:
    """Makes one step after another for a body and a style."""

    def __init__(
        self, plane: Plane, attributes: Attributes, constants: Constants, rough: float = 1.0,
        like: StepMaker | None = None,
    ) -> None:  # fmt: skip
        """Take a body and a style.

        rough: by how much less exact than usual, and so quicker, the dynamics are. like: the walker of a similar style,
        from whose forces the searches begin.
        """
        self.plane, self.attributes, self.constants = plane, attributes, constants
        self._stance = StanceModel(plane, constants, rough)
        self._swing = SwingModel(plane, attributes, constants, rough)
        self._alike = tuple(rough**3 * grain for grain in _ALIKE)
        self._grain = _GRAIN if rough > 1.0 else 0.0
        self._strikes: dict[float, Strike] = {}
        self._made: dict[tuple[object, ...], Step] = {}
        self._latest: dict[StepGoal, Step] = {}
        self._found: dict[StepGoal, list[Memory]] = {}
        self._known = like._found if like else {}

    @property
    def evaluations(self) -> tuple[int, int]:
        """How many simulations were needed so far, of stance and of swing phases."""
        return self._stance.evaluations, self._swing.evaluations

    def strike(self, length: float) -> Strike:
        """Return the body at the end of a step of a length, m, by the symmetry of steps (section 5.2)."""
        if length not in self._strikes:
            self._strikes[length] = self._struck(length)
        return self._strikes[length]

    def _struck(self, length: float) -> Strike:
        plane, own = self.plane, self.attributes
        turn = math.radians(own.pelvic_rot_max) * min(length / (own.sl_max * HEIGHT), 1.0)
        actual = max(length - plane.l0 * math.sin(turn), 0.0)
        if length <= 0.0:
            return Strike(leg_length(plane, STRAIGHT), 0.0, 0.0, 0.0, 0.0, 0.0)
        knee, plantar = math.radians(own.theta4_des), math.radians(90.0 + own.theta5_des)
        # The heel from the hip, with the thigh hanging straight down.
        x = -plane.l4 * math.sin(knee) - plane.l8 * math.cos(knee + plantar) - plane.l9 * math.sin(knee + plantar)
        y = (
            -plane.l3
            - plane.l4 * math.cos(knee)
            + plane.l8 * math.sin(knee + plantar)
            - plane.l9 * math.cos(knee + plantar)
        )
        r = math.hypot(x, y)
        ahead = 0.5 * actual - plane.l8
        theta3 = -math.asin(min(max(ahead / r, -0.9), 0.9)) + math.atan2(x, -y)
        height = math.sqrt(r * r - ahead * ahead)
        w = math.hypot(height - plane.l9, 0.5 * actual)
        pitch = theta3 + knee + plantar
        if pitch > 0.0:  # a step too short for a heel strike: the foot comes down flat
            pitch, w = 0.0, min(w, leg_length(plane, knee))
        return Strike(w, math.asin(min(0.5 * actual / w, 0.9)), theta3, pitch, turn, actual)

    def standing(self) -> Entry:
        """Return the state of standing on straight legs."""
        return Entry(leg_length(self.plane, STRAIGHT), 0.0, math.radians(self.attributes.theta2_des), 0.0, 0.0, 0.0)

    def step(self, goal: StepGoal, before: Step | None) -> Step:
        """Return the step that follows ``before``, or the first one.

        Even steps soon begin alike: one that does so within what nobody sees is not computed again.
        """
        if self._grain:
            rough = _grained(goal, self._grain)
            return _fitted(self._made_or_solved(rough, before), goal)
        return self._made_or_solved(goal, before)

    def knows(self, goal: StepGoal, before: Step | None) -> bool:
        """Whether the step that follows ``before`` needs no solving."""
        return self._key(_grained(goal, self._grain) if self._grain else goal, before) in self._made

    def stand_in(self, goal: StepGoal) -> Step | None:
        """Return the step most like a goal of those made so far, stretched to it; None if none is like it."""

        def apart(other: StepGoal) -> float:
            return max(abs(a - b) for a, b in zip(_sizes(goal), _sizes(other), strict=True))

        near = min((other for other in self._latest if other.kind == goal.kind), key=apart, default=None)
        return _fitted(self._latest[near], goal) if near and apart(near) < _NEAR else None

    def _key(self, goal: StepGoal, before: Step | None) -> tuple[object, ...]:
        begun = before.next_entry if before else self.standing()
        pitch = float(before.stance[-1, 2]) if before else 0.0
        return (goal, *(round(v / g) for v, g in zip((*begun, pitch), self._alike, strict=True)))

    def _made_or_solved(self, goal: StepGoal, before: Step | None) -> Step:
        key = self._key(goal, before)
        if key not in self._made:
            if len(self._made) > _MOST_KEPT:
                self._made.clear()
                self._latest.clear()
            searches = (*self._stance.searches, *self._swing.searches)
            for search, memory in zip(searches, self._known.get(goal, ()), strict=False):
                search.recall(memory)
            self._made[key] = self._latest[goal] = self._solved(goal, before)
            self._found[goal] = [search.memory for search in searches]
        return self._made[key]

    def _solved(self, goal: StepGoal, before: Step | None) -> Step:
        plane, own = self.plane, self.attributes
        now = self.strike(goal.length)
        was = before.strike if before else self.strike(0.0)
        entry = before.next_entry if before else self.standing()
        swing_time = goal.time - goal.double_support
        end1 = goal.double_support + own.end_swing1 * swing_time
        end2 = goal.double_support + own.end_swing2 * swing_time
        if goal.kind == "stop":
            end1 = goal.time - _LOWERING * (1.0 - own.end_swing1) * swing_time
        stops = goal.kind == "stop"
        longer = goal.double_support + self.constants.lengthening * (end1 - goal.double_support)
        stance_goal = StanceGoal(goal.time, now.w, now.theta1, longer, stops, math.radians(own.theta2_des))
        stance = self._stance.solved(entry, stance_goal)
        turns = (was.turn, -now.turn)
        hips = stance.hips
        poses = self._stance_foot(hips, goal, was)
        drop = self._drop(hips, goal)
        carrier = SwingHip(plane, hips, turns, drop, goal.time, goal.double_support)
        if before is None:
            times, feet = [0.0], [on_ground(plane, 0.0, 0.0)]
        else:
            times, feet = self._behind(carrier, goal, before)
        lift = times[-1]
        times, feet, rate, exact = self._swung(carrier, goal, now, (end1, end2), times, feet, hips)
        end = carrier([goal.time])[0]
        x_rate, y_rate = carrier.rates(goal.time)
        length = leg_length(plane, math.radians(own.theta4_des))
        theta3 = math.atan2(end.x - goal.length, end.y - plane.l9)
        foot = (x_rate - length * rate * math.cos(theta3), y_rate + length * rate * math.sin(theta3))
        begin = Entry(now.w, -now.theta1, stance.exit.theta2, 0.0, rate, stance.exit.theta2_rate)
        entered = impact(plane, begin, foot)
        ends = (end1, end2)
        return Step(
            goal, np.array(hips), np.array(poses), np.array(times), np.array(feet), turns, drop, now, lift, ends,
            entered, stance.exact and exact,
        )  # fmt: skip

    def _drop(self, hips: Sequence[Hip], goal: StepGoal) -> float:
        """Return how far the swing hip is below the other when it is lowest, m (section 5.3, pelvic list)."""
        if goal.kind != "walk":
            return 0.0
        at = next(h.y for h in hips if h.time >= goal.double_support)
        natural = max(at - min(h.y for h in hips), 0.0)
        most = 0.35 * self.plane.l0
        return min(self.attributes.pelvic_list_factor * natural, most)

    def _stance_foot(self, hips: Sequence[Hip], goal: StepGoal, was: Strike) -> list[Pose]:
        """Return the pose of the stance foot at each of the hip's times (section 5.4: normal and heel-off period)."""
        plane, constants, own = self.plane, self.constants, self.attributes
        meta_max = math.radians(constants.meta_max)
        flat = max(constants.flat * 2.0 * goal.time, constants.soonest_flat)
        least = leg_length(plane, own.least_knee)
        found, pitch, last = [], 0.0, 0.0
        for hip in hips:
            if hip.time < flat and was.pitch < 0.0:
                pitch = was.pitch * (1.0 - hip.time / flat) ** 2
            else:
                lifted = constants.heel_gain * (hip.theta1 - math.radians(constants.heel_off))
                if pitch > 0.0:
                    lifted = max(lifted, pitch + math.radians(own.meta_incSS) * _FRAMES * (hip.time - last))
                pitch = max(lifted, 0.0)
                if hip.theta1 > _LEANING:
                    pitch = reaching(plane, (hip.x, hip.y + plane.l9), least, pitch, meta_max)
            if goal.kind == "stop":
                pitch = min(pitch, 0.0)
            found.append(on_ground(plane, pitch, meta_max))
            last = hip.time
        return found

    def _behind(self, carrier: SwingHip, goal: StepGoal, before: Step) -> tuple[list[float], list[Pose]]:
        """Return times and poses of the foot behind until toe-off (section 5.4: meta-off period).

        Hip and toes being where they are, knee and ankle cannot both be as prescribed, as the thesis has it: that puts
        the ball of the foot into the ground. The knee is; the ankle goes to stance6_ankle at most. Then the foot leaves
        the ground, sooner than planned where it is short for its leg: with a knee that gave way in its place, the thigh
        would go back as its swing begins.
        """
        plane, own, meta_max = self.plane, self.attributes, math.radians(self.constants.meta_max)
        x, y, pitch, _ = before.stance[-1].tolist()
        hip0 = carrier([0.0])[0]
        offset = goal.before
        _, knee0 = leg_angles(plane, (hip0.x + offset, hip0.y), (x, y))
        flexing = goal.double_support + own.duration_kneeflex * 2.0 * goal.time
        most = math.radians(own.max_knee)
        count = max(2, math.ceil(goal.double_support * 60.0))
        times = [goal.double_support * i / count for i in range(count + 1)]
        feet: list[Pose] = []
        plantar = math.radians(90.0 + own.stance6_ankle)
        for t, hip in zip(times, carrier(times), strict=True):
            knee = knee0 + (most - knee0) * t / flexing
            at = (hip.x + offset, hip.y)
            least, raised = pitch, reaching(plane, at, leg_length(plane, knee), pitch, meta_max)
            pitch = pointed(plane, at, (least, raised), plantar, meta_max)
            if pitch < raised and t > _SOONEST * goal.double_support:
                return times[: len(feet)], feet
            ankle = on_ground(plane, pitch, meta_max)
            feet.append((ankle[0] - offset, *ankle[1:]))
        return times, feet

    def _swung(
        self, carrier: SwingHip, goal: StepGoal, now: Strike, ends: tuple[float, float], times: list[float],
        feet: list[Pose], hips: Sequence[Hip],
    ) -> tuple[list[float], list[Pose], float, bool]:  # fmt: skip
        """Return times and poses of the foot from the step's begin to its end, and theta3's rate at the end."""
        plane, own = self.plane, self.attributes
        lift = times[-1]
        hip = carrier([lift])[0]
        angles = leg_angles(plane, (hip.x, hip.y), feet[-1][:2])
        rates = (0.0, 0.0)
        if len(times) > 1:
            previous = carrier([times[-2]])[0]
            a, k = leg_angles(plane, (previous.x, previous.y), feet[-2][:2])
            h = times[-1] - times[-2]
            rates = ((angles[0] - a) / h, (angles[1] - k) / h)
        swing_goal = SwingGoal(
            now.theta3, math.radians(own.theta4_des), math.radians(90.0 + own.theta5_des),
            max(goal.length, goal.before if goal.kind == "stop" else 0.0) / (own.sl_max * HEIGHT),
        )  # fmt: skip
        shortest = min(h.length for h in hips)
        phases = (lift, ends[0], max(ends[1], ends[0]), goal.time)
        swing = self._swing.solved(carrier, (*angles, *rates), feet[-1], phases, swing_goal, shortest, goal.kind)
        times, feet = times + swing.times[1:], feet + swing.feet[1:]
        if goal.kind == "stop":
            feet_down = _lowered(plane, feet[-1], goal.time - times[-1])
            begin = times[-1]
            times, feet = times + [begin + t for t, _ in feet_down], feet + [pose for _, pose in feet_down]
        return times, feet, swing.rate, swing.exact


def _lowered(plane: Plane, pose: Pose, time: float) -> list[tuple[float, Pose]]:
    """Return times, s, and poses of a foot that comes straight down to stand flat at x = 0 (section 6.2.4)."""
    x, y = tip(plane, pose[3])
    tip_x = pose[0] + x * math.cos(pose[2]) + y * math.sin(pose[2])
    tip_y = pose[1] - x * math.sin(pose[2]) + y * math.cos(pose[2])
    end_x = plane.l5 + plane.l6
    count = max(3, math.ceil(time * 60.0))
    found = []
    for i in range(1, count + 1):
        share = i / count
        soft = eased(share)
        pitch, meta = pose[2] * (1.0 - soft), pose[3] * (1.0 - soft)
        x, y = tip(plane, meta)
        at_x = tip_x + soft * (end_x - tip_x) - x * math.cos(pitch) - y * math.sin(pitch)
        at_y = tip_y * (1.0 - soft) + x * math.sin(pitch) - y * math.cos(pitch)
        found.append((share * time, (at_x, at_y, min(pitch, steepest(plane, at_y, meta)), meta)))
    return found


def _sizes(goal: StepGoal) -> tuple[float, float, float, float]:
    return goal.length, goal.before, goal.time, goal.double_support


def _grained(goal: StepGoal, grain: float) -> StepGoal:
    """Return a goal in whole grains, m and s."""
    length, before, time, double = (max(round(v / grain), 1.0) * grain if v else 0.0 for v in _sizes(goal))
    return StepGoal(goal.kind, length, before, max(time, double + 2.0 * grain), double)


def _fitted(step: Step, goal: StepGoal) -> Step:
    """Return a step stretched in time and length to a goal that differs little from its own."""
    was = step.goal
    later = (goal.time - goal.double_support) / (was.time - was.double_support)
    early = goal.double_support / was.double_support if was.double_support else later
    way = (goal.length + goal.before) / max(was.length + was.before, 1e-9)

    def moment(t: Array) -> Array:
        return np.where(t <= was.double_support, t * early, goal.double_support + (t - was.double_support) * later)

    hips, swing = step.hips.copy(), step.swing.copy()
    hips[:, _TIME] = moment(hips[:, _TIME])
    for column, factor in ((_X, way), (_VX, way / later), (_AX, way)):
        hips[:, column] *= factor
    hips[:, _VY] /= later
    swing[:, 0] = (swing[:, 0] + was.before) * way - goal.before
    lift, *phases = moment(np.array([step.lift, *step.phases])).tolist()
    return replace(
        step, goal=goal, hips=hips, swing_times=moment(step.swing_times), swing=swing, lift=lift,
        phases=(phases[0], phases[1]),
    )  # fmt: skip
