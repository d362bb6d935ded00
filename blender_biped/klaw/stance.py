"""The stance phase: a telescopic leg that carries the upper body (Bruderlin 1988, sections 4.2, 4.4, 6.1, C.1, C.3).

Coordinates: w, the length from the ankle to the hip; theta1, the leg's angle from the vertical, and theta2, the upper
body's, positive forward. The origin is the ankle of the flat foot.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from math import cos, sin
from typing import NamedTuple

from ..base.curves import eased, ramp
from ..character.reference import GRAVITY
from .attributes import Constants
from .body import Plane
from .dynamics import State, ZeroSearch, runge_kutta

_RATE = 50.0  # integration steps a second: errors stay below 1e-5 rad
_TORQUE_TIME = 0.4  # of a step: how long the stance leg's torque acts (section 6.1)
_FAR = 0.05  # rad from the goal, from which on a stance is led to it
_BOW = 0.03  # of the leg: how much shorter a led one is in the middle
_ANGLE, _LENGTH, _SPIN = 2e-4, 2e-4, 2e-3  # rad, m, rad/s: how exact the end of a step is met


class Hip(NamedTuple):
    """The stance leg's hip at one time of a step, from the flat foot's ankle: s, m, m/s, m/s2, rad."""

    time: float
    x: float
    y: float
    vx: float
    vy: float
    ax: float
    ay: float
    theta1: float
    theta2: float
    length: float


class Entry(NamedTuple):
    """The state at the begin of a step: w m, theta1, theta2 rad, and their rates."""

    w: float
    theta1: float
    theta2: float
    w_rate: float
    theta1_rate: float
    theta2_rate: float


@dataclass(frozen=True)
class StanceGoal:
    """What a step shall come to: length and angle of the leg after ``time`` s; ``lengthening``: when STANCE3 begins, s.

    stops: whether it comes to rest; then the leg's angle has no rate left at the end.
    lean: theta2 that the upper body is held at, rad.
    """

    time: float
    w: float
    theta1: float
    lengthening: float
    stops: bool = False
    lean: float = 0.0


@dataclass(frozen=True)
class SolvedStance:
    """A solved stance phase. exit: the state at its end. forces: those found. exact: whether its goal is met."""

    hips: list[Hip]
    exit: Entry
    forces: tuple[float, ...]
    exact: bool


def accelerations(plane: Plane, f_w: float, f_1: float, f_2: float, state: State) -> tuple[float, float, float]:
    """Return the accelerations of w, theta1 and theta2 under generalised forces along w, theta1, theta2 (C.1)."""
    w, a, b, w_rate, a_rate, b_rate = state
    m1, m2, r1, r2, i1, i2 = plane.stance
    between = b - a
    s, c = sin(between), cos(between)
    mr, mw = m2 * r2, m2 * w
    inertia = i1 + m1 * r1 * r1 + mw * w
    coupling = mr * w * c
    aa, bb = a_rate * a_rate, b_rate * b_rate
    b1 = f_w + mw * aa + mr * bb * c - m2 * GRAVITY * cos(a)
    b2 = f_1 - 2.0 * mw * w_rate * a_rate + (m1 * r1 + mw) * GRAVITY * sin(a) + mr * w * bb * s
    b3 = f_2 + mr * (GRAVITY * sin(b) - 2.0 * w_rate * a_rate * c - w * aa * s)
    ratio = coupling / inertia
    b_acc = (b3 + r2 * s * b1 - ratio * b2) / (i2 + mr * r2 * (1.0 - s * s) - ratio * coupling)
    return b1 / m2 + r2 * s * b_acc, b2 / inertia - ratio * b_acc, b_acc


def locked(plane: Plane, f_1: float, f_2: float, state: State) -> tuple[float, float, float]:
    """Return the accelerations while the leg keeps its length (STANCE2 and STANCE4): an inverted pendulum."""
    w, a, b, _, a_rate, b_rate = state
    mr = plane.m2 * plane.r2
    s, c = math.sin(b - a), math.cos(b - a)
    inertia = plane.i1 + plane.m1 * plane.r1**2 + plane.m2 * w * w
    coupling = mr * w * c
    b2 = f_1 + (plane.m1 * plane.r1 + plane.m2 * w) * GRAVITY * math.sin(a) + mr * w * b_rate**2 * s
    b3 = f_2 + mr * (GRAVITY * math.sin(b) - w * a_rate**2 * s)
    own = plane.i2 + mr * plane.r2 - coupling * coupling / inertia
    b_acc = (b3 - coupling / inertia * b2) / own
    return 0.0, (b2 - coupling * b_acc) / inertia, b_acc


def impact(plane: Plane, before: Entry, foot: tuple[float, float]) -> Entry:
    """Return the state after heel strike; ``foot``: the velocity of the foot before it, m/s (section 4.4, C.3.1).

    The angular momenta about the hip and the foot are conserved, and the linear one along the leg, which gets no force
    in that instant. before: w_rate does not count, it is zero in the air.
    """
    w, a, b, _, a_rate, b_rate = before
    x, y = foot
    m2, r2 = plane.m2, plane.r2
    s, c = math.sin(b - a), math.cos(b - a)
    own = plane.i2 + m2 * r2 * r2
    inertia = plane.i1 + plane.m1 * plane.r1**2 + m2 * w * w
    coupling = m2 * r2 * w * c
    about_hip = own * b_rate + m2 * r2 * (x * math.cos(b) - y * math.sin(b)) + coupling * a_rate
    about_foot = (
        inertia * a_rate + (plane.m1 * plane.r1 + m2 * w) * (x * math.cos(a) - y * math.sin(a)) + coupling * b_rate
    )
    along = x * math.sin(a) + y * math.cos(a) - r2 * b_rate * s
    # w' = along + r2 s b', a' = (about_foot - coupling b') / inertia, put into the first.
    b_new = (about_hip + m2 * r2 * s * along - coupling * about_foot / inertia) / (
        own - m2 * (r2 * s) ** 2 - coupling**2 / inertia
    )
    return Entry(w, a, b, along + r2 * s * b_new, (about_foot - coupling * b_new) / inertia, b_new)


class StanceModel:
    """Solves stance phases of one body, one after the other; the forces of a step are where the next search begins."""

    def __init__(self, plane: Plane, constants: Constants, rough: float = 1.0) -> None:
        """Take a body and its springs. rough: by how much less exact than usual, and so quicker."""
        self._plane, self._constants, self._rate = plane, constants, _RATE / rough
        self._length = rough**3 * _LENGTH
        self._walking = ZeroSearch((0.0, 0.2), (5.0, 0.02), (rough**3 * _ANGLE, rough**3 * _LENGTH))
        self._stopping = ZeroSearch((0.0, 0.0), (5.0, 5.0), (rough**3 * _ANGLE, rough**3 * _SPIN))

    @property
    def searches(self) -> tuple[ZeroSearch, ...]:
        """The searches for forces of steps that go on, and of the last one."""
        return self._walking, self._stopping

    @property
    def evaluations(self) -> int:
        """How many simulations were needed so far."""
        return sum(search.evaluations for search in self.searches)

    def solved(self, entry: Entry, goal: StanceGoal) -> SolvedStance:
        """Return the stance phase that leads from a state to a goal, by its forces (section 4.5)."""
        search = self._stopping if goal.stops else self._walking

        def missed(*forces: float) -> tuple[float, ...]:
            end, extra = self._run(entry, goal, forces)
            if goal.stops:
                return end.theta1 - goal.theta1, end.theta1_rate
            return end.theta1 - goal.theta1, end.w - goal.w + extra

        exact = search.find(missed)
        if not exact:  # from the last step's forces there is no way: begin anew
            search.forget()
            search.root = (0.0, 0.0) if goal.stops else (0.0, 0.2)
            exact = search.find(missed, 25)
        hips: list[Hip] = []
        end, _ = self._run(entry, goal, search.root, hips)
        if not exact and (hips[-1].time < goal.time - 1e-6 or abs(end.theta1 - goal.theta1) > _FAR):
            search.forget()
            return _led(entry, goal)
        return SolvedStance(hips, end, search.root, exact)

    def _run(
        self, entry: Entry, goal: StanceGoal, forces: tuple[float, ...], hips: list[Hip] | None = None
    ) -> tuple[Entry, float]:
        """Simulate; returns the end and by how much the leg would have become longer had it not been locked, m."""
        plane, constants = self._plane, self._constants
        first, second = forces
        l1 = plane.l1
        short, freed, keeps, rate_kept, extra = entry.w < l1, 0.0, False, 0.0, 0.0
        late = second if goal.stops else 0.0
        switch = _TORQUE_TIME * goal.time
        state: State = entry
        bounds = sorted({0.0, switch, min(goal.lengthening, goal.time), goal.time})

        k_w, v_w, k_2, v_2 = constants.k_w, constants.v_w, constants.k_2, constants.v_2
        rest0, begins, grows = self._rest_length(goal, second)
        lean = goal.lean

        def free(t: float, u: State) -> tuple[float, ...]:
            rest = rest0 + (grows * (t - begins) if t > begins else 0.0)
            torque = first if early else late
            return accelerations(plane, k_w * (rest - u[0]) - v_w * u[3], torque, -k_2 * (u[2] - lean) - v_2 * u[5], u)

        def stiff(t: float, u: State) -> tuple[float, ...]:
            return locked(plane, first if early else late, -k_2 * (u[2] - lean) - v_2 * u[5], u)

        for begin, end in pairwise(bounds):
            early = begin < switch - 1e-9
            count = max(1, math.ceil((end - begin) * self._rate - 1e-9))
            t, h = begin, (end - begin) / count
            while t < end - 1e-9:
                step = min(h, end - t)
                law: Callable[[float, State], tuple[float, ...]] = stiff if keeps else free
                if hips is not None:
                    hips.append(_hip(t, state, law(t, state)))
                new = runge_kutta(law, t, state, step)
                if not -1.5 < new[1] < 1.5 or not 0.1 * l1 < new[0] < 2.0 * l1:
                    return Entry(*new), extra  # the forces are far off: it has fallen
                if not keeps:
                    short = short or new[0] < l1
                    done = t >= goal.lengthening - 1e-9 and not goal.stops and new[0] > goal.w and new[3] > 0.0
                    early_long = t < goal.lengthening and short and new[0] > l1 and new[1] < 0.0
                    if (done and state[0] < goal.w) or early_long:
                        level = goal.w if done else l1
                        part = step * ramp(level - state[0], 0.0, max(new[0] - state[0], 1e-12))
                        new = runge_kutta(law, t, state, part) if part > 1e-9 else state
                        keeps, rate_kept, step = True, new[3], part
                        freed = math.inf if done else 0.0
                        if done:
                            extra = rate_kept * (goal.time - t - part)
                        new = (level, new[1], new[2], 0.0, new[4], new[5])
                elif new[1] >= freed:
                    keeps = False
                    new = (*new[:3], rate_kept, *new[4:])
                t, state = t + step, new
        if keeps and freed and extra <= self._length:  # it is as long as it shall be just now: it has not stopped yet
            keeps, state = False, (*state[:3], rate_kept, *state[4:])
        if hips is not None:
            hips.append(_hip(goal.time, state, (stiff if keeps else free)(goal.time, state)))
        return Entry(*state), extra

    def _rest_length(self, goal: StanceGoal, rate: float) -> tuple[float, float, float]:
        """Return the length that the leg's spring is pulled to, m, and from when on, s, and how fast it grows, m/s.

        (Equations 6.1 and 6.2; in the last step it goes to that of standing.)
        """
        constants = self._constants
        rest = self._plane.l1 + constants.pa1
        if goal.stops:
            standing = goal.w + self._plane.m2 * GRAVITY / constants.k_w
            return rest, 0.0, (standing - rest) / goal.time
        return rest, goal.lengthening, rate


def _led(entry: Entry, goal: StanceGoal) -> SolvedStance:
    """Return a stance that is led from its begin to its goal, even and smooth: where the dynamics find no way."""
    count = 24
    turn, longer = goal.theta1 - entry.theta1, goal.w - entry.w
    hips = []
    for i in range(count + 1):
        share = i / count
        bow = _BOW * goal.w * math.sin(math.pi * share) ** 2
        w, a = entry.w + share * longer - bow, entry.theta1 + share * turn
        w_rate = (longer - _BOW * goal.w * math.pi * math.sin(2.0 * math.pi * share)) / goal.time
        lean = goal.lean + (entry.theta2 - goal.lean) * (1.0 - eased(share))
        state = (w, a, lean, w_rate, turn / goal.time, 0.0)
        hips.append(_hip(share * goal.time, state, (0.0, 0.0, 0.0)))
    end = Entry(goal.w, goal.theta1, goal.lean, longer / goal.time, 0.0 if goal.stops else turn / goal.time, 0.0)
    return SolvedStance(hips, end, (0.0, 0.0), False)


def _hip(t: float, state: State, accelerated: tuple[float, ...]) -> Hip:
    w, a, b, w_rate, a_rate, _ = state
    w_acc, a_acc, _ = accelerated
    s, c = math.sin(a), math.cos(a)
    return Hip(
        t, w * s, w * c, w_rate * s + w * a_rate * c, w_rate * c - w * a_rate * s,
        w_acc * s + 2.0 * w_rate * a_rate * c + w * (a_acc * c - a_rate**2 * s),
        w_acc * c - 2.0 * w_rate * a_rate * s - w * (a_acc * s + a_rate**2 * c),
        a, b, w,
    )  # fmt: skip
