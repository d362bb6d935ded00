"""The swing phase: a double pendulum that hangs on the moving hip (Bruderlin 1988, sections 6.2 and C.2, C.3.2).

Coordinates: theta3, the thigh's angle from the vertical, negative forward, and theta4, the knee's, positive bent.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import cos, sin
from typing import NamedTuple

from ..base.curves import eased
from ..character.reference import GRAVITY
from .arc import Arc, ArcEnd, Rise
from .attributes import Attributes, Constants
from .body import Plane
from .dynamics import State, ZeroSearch, runge_kutta
from .foot import Pose, steepest, tip
from .hips import Carrier

_RATE1, _RATE2, _RATE3 = 60.0, 90.0, 60.0  # integration steps a second; at least, in SWING2
_EXACT = 5e-4  # rad, of the end of each phase
_RECOVERIES = 4
_CLEARER = math.radians(1.0)  # by which the thigh is lifted more than the clearance needs

HipAt = Callable[[Sequence[float]], list[Carrier]]
"""Times, s: where the swing leg's hip is then."""


@dataclass(frozen=True)
class SwingGoal:
    """How a swing ends: angles at heel strike, rad; ``reach``: step length over the longest one, for the torques."""

    theta3: float
    theta4: float
    plantar: float
    reach: float


@dataclass(frozen=True)
class SolvedSwing:
    """A solved swing. times: s. feet: the foot's pose at each. rate: of theta3 at its end. exact: all was met."""

    times: list[float]
    feet: list[Pose]
    rate: float
    exact: bool


class DoublePendulum(NamedTuple):
    """What the equations of a leg have in them.

    far, own: inertias of the leg about the hip, without what the knee's angle changes, and of the shin about the knee;
    bent: what the angle changes, kg m2. thigh, shin: first moments, kg m.
    """

    far: float
    own: float
    bent: float
    thigh: float
    shin: float


def pendulum(plane: Plane) -> DoublePendulum:
    """Return a leg as a double pendulum (C.2)."""
    own = plane.i4 + plane.m4 * plane.r4**2
    far = plane.i3 + plane.m3 * plane.r3**2 + plane.m4 * plane.l3**2 + own
    bent = plane.m4 * plane.l3 * plane.r4
    return DoublePendulum(far, own, bent, plane.m3 * plane.r3 + plane.m4 * plane.l3, plane.m4 * plane.r4)


def accelerations(leg: DoublePendulum, f_3: float, f_4: float, hip: Carrier, state: State) -> tuple[float, float]:
    """Return the accelerations of theta3 and theta4 under torques at hip and knee (C.2)."""
    a, k, a_rate, k_rate = state
    far, own, bent, thigh, shin = leg
    _, _, ax, ay = hip
    s, c = sin(k), cos(k)
    down = ay + GRAVITY
    pull = shin * (ax * cos(a + k) - down * sin(a + k))
    coupling = own + bent * c
    b1 = f_3 + thigh * (ax * cos(a) - down * sin(a)) + pull + bent * k_rate * (2.0 * a_rate + k_rate) * s
    b2 = f_4 + pull - bent * a_rate * a_rate * s
    whole = far + 2.0 * bent * c
    det = whole * own - coupling * coupling
    return (own * b1 - coupling * b2) / det, (whole * b2 - coupling * b1) / det


def locked(leg: DoublePendulum, f_3: float, hip: Carrier, a: float, k: float) -> float:
    """Return the acceleration of theta3 while the knee keeps its angle (SWING1 and SWING3)."""
    far, _, bent, thigh, shin = leg
    _, _, ax, ay = hip
    down = ay + GRAVITY
    pull = thigh * (ax * cos(a) - down * sin(a)) + shin * (ax * cos(a + k) - down * sin(a + k))
    return (f_3 + pull) / (far + 2.0 * bent * cos(k))


def locking(leg: DoublePendulum, state: State) -> float:
    """Return the rate of theta3 after the knee has locked: the angular momentum about the hip is kept (C.3.2).

    The thesis's signs of (C.7) are wrong; what the hip's velocity adds is the same on both sides.
    """
    _, k, a_rate, k_rate = state
    bent = leg.bent * cos(k)
    return a_rate + k_rate * (leg.own + bent) / (leg.far + 2.0 * bent)


class SwingModel:
    """Solves swings of one body, one after the other; torques of a step are where the next search begins."""

    def __init__(self, plane: Plane, attributes: Attributes, constants: Constants, rough: float = 1.0) -> None:
        """Take a body and a style. rough: by how much less exact than usual, and so quicker."""
        self._plane, self._attributes, self._constants = plane, attributes, constants
        exact = rough**3 * _EXACT
        self._rate1, self._rate3 = _RATE1 / rough, _RATE3 / rough
        self._leg = pendulum(plane)
        self._rate2 = _stiff_rate(self._leg, constants, rough)
        self._first = ZeroSearch((-60.0,), (5.0,), (exact,))
        self._second = ZeroSearch((-20.0,), (2.0,), (4.0 * exact,))
        self._third = ZeroSearch((-30.0,), (5.0,), (exact,))

    @property
    def searches(self) -> tuple[ZeroSearch, ...]:
        """The searches for the torques of SWING1 to SWING3."""
        return self._first, self._second, self._third

    @property
    def evaluations(self) -> int:
        """How many simulations were needed so far."""
        return sum(search.evaluations for search in self.searches)

    def solved(
        self, hip_at: HipAt, start: State, pose: Pose, times: tuple[float, float, float, float], goal: SwingGoal,
        shortest: float, kind: str = "walk",
    ) -> SolvedSwing:  # fmt: skip
        """Return the swing that leads from toe-off to heel strike; in the stopping step, to where the foot is lowered.

        start: theta3, theta4 and their rates at toe-off, pose: the foot's then. times: toe-off, the ends of SWING1 and
        SWING2, heel strike, s. shortest: length of the stance leg in this step at its shortest, m.
        """
        plane, own = self._plane, self._attributes
        lift, end1, end2, strike = times
        swung = _Swung(plane, [lift], [pose])
        plantar = pose[2] - start[0] - start[1]
        plantar1, meta1 = math.radians(90.0 + own.swing1_ankle), math.radians(own.swing1_meta)
        clear = own.toe_clear + 0.002
        hip1 = hip_at((end1,))[0]
        theta3 = goal.theta3
        if kind == "stop":  # the knee above the tip of the other foot
            theta3 = -math.asin(min(max((plane.l5 + plane.l6 - hip1.x) / plane.l3, -0.9), 0.9))
        curve = Rise if kind == "start" else Arc
        arc = curve(plane, pose, hip1, ArcEnd(theta3, plantar1, meta1, clear), own.percent_D, shortest)
        state, exact1 = self._swing1(
            hip_at, start, (lift, end1), goal, arc, swung, (plantar, plantar1), (pose[3], meta1)
        )
        if kind == "stop":
            return SolvedSwing(swung.times, swung.feet, 0.0, exact1)
        hips2, hips3 = _halves(hip_at, end1, end2, self._rate2), _halves(hip_at, end2, strike, self._rate3)
        feet = _FootBends(plane, (plantar1, goal.plantar), (meta1, 0.0), (end1, strike), clear)
        state, exact2 = self._swing2(hips2, state, (end1, end2), goal, arc.theta3, swung, feet)
        state = (state[0], state[1], locking(self._leg, state), 0.0)
        rate, exact3 = self._swing3(hips3, state, (end2, strike), goal, swung, feet)
        return SolvedSwing(swung.times, swung.feet, rate, exact1 and exact2 and exact3)

    def _dying(self, goal: SwingGoal, halves: int) -> list[float]:
        """Return what is left of a torque of SWING1 or SWING2 at each half of its integration steps (equation 6.3).

        It dies away sooner for shorter steps.
        """
        width = math.sqrt(2.0) * max(goal.reach, 0.05) * 0.5 * halves
        return [math.exp(-((i / width) ** 2)) for i in range(halves + 1)]

    def _swing1(
        self, hip_at: HipAt, start: State, span: tuple[float, float], goal: SwingGoal, arc: Arc, swung: _Swung,
        plantars: tuple[float, float], metas: tuple[float, float],
    ) -> tuple[State, bool]:  # fmt: skip
        """The thigh swings forward while the ankle follows its curve (section 6.2.1)."""
        leg, (begin, end) = self._leg, span
        hips = _halves(hip_at, begin, end, self._rate1)
        count = (len(hips) - 1) // 2
        h, rate2 = (end - begin) / count, 2.0 * count / (end - begin)
        left = self._dying(goal, 2 * count)

        def run(torque: float, record: bool = False) -> tuple[float, ...]:
            state: State = (start[0], start[2])
            knee, rate = start[1], start[3]

            def law(t: float, u: State) -> tuple[float, ...]:
                i = int(t * rate2 + 0.5)
                return (locked(leg, torque * left[i], hips[i], u[0], knee),)

            for i in range(count):
                state = runge_kutta(law, i * h, state, h)
                if not -2.5 < state[0] < 1.5:
                    break
                before = knee
                share = (i + 1) / count
                plantar = plantars[0] + share * (plantars[1] - plantars[0])
                knee = arc.knee(hips[2 * i + 2], state[0], knee, plantar)
                rate = (knee - before) / h
                if record:
                    pitch = state[0] + knee + plantar
                    meta = metas[0] + share * (metas[1] - metas[0])
                    swung.add(begin + (i + 1) * h, hips[2 * i + 2], state[0], knee, pitch, meta,
                              self._attributes.toe_clear * min(3.0 * share, 1.0))  # fmt: skip
            return state[0] - arc.theta3, state[0], knee, state[1], rate

        exact = self._first.find(lambda torque: run(torque)[:1])
        _, a, k, a_rate, k_rate = run(self._first.root[0], record=True)
        return (a, k, a_rate, k_rate), exact

    def _swing2(
        self, hips: list[Carrier], start: State, span: tuple[float, float], goal: SwingGoal, theta3: float,
        swung: _Swung, feet: _FootBends,
    ) -> tuple[State, bool]:  # fmt: skip
        """The shin swings forward below a thigh that is held (section 6.2.2)."""
        plane, leg, constants, (begin, end) = self._plane, self._leg, self._constants, span
        count = (len(hips) - 1) // 2
        h, rate2 = (end - begin) / count, 2.0 * count / (end - begin)
        left = self._dying(goal, 2 * count)

        def run(torque: float, held: list[float], record: bool = False) -> tuple[State, float]:
            state, worst, k_3, v_3 = start, 0.0, constants.k_3, constants.v_3

            def law(t: float, u: State) -> tuple[float, ...]:
                i = int(t * rate2 + 0.5)
                return accelerations(leg, k_3 * (held[i >> 1] - u[0]) - v_3 * u[2], torque * left[i], hips[i], u)

            for i in range(count):
                state = runge_kutta(law, i * h, state, h)
                if not -3.0 < state[0] < 2.0 or not -3.0 < state[1] < 4.0:
                    break
                if record:
                    t = begin + (i + 1) * h
                    pitch, meta = feet.at(t, state[0] + state[1])
                    worst = max(worst, feet.lacks(hips[2 * i + 2], state[0], state[1], pitch, meta))
                    if i % every == every - 1 or i == count - 1:
                        swung.add(t, hips[2 * i + 2], state[0], state[1], pitch, meta, 0.0)
            return state, worst

        length, every = len(swung.times), max(1, round(self._rate2 / 80.0))
        lifted, exact, lift, lacked, gain = theta3, False, 0.0, 0.0, 0.0
        state = start
        for _ in range(_RECOVERIES):
            # Back to the desired angle once the ankle has passed the vertical, where the foot is lowest.
            held = [lifted + (goal.theta3 - lifted) * eased(max(2.0 * i / count - 1.0, 0.0)) for i in range(count + 1)]

            def missed(torque: float, held: list[float] = held) -> tuple[float, ...]:
                return (run(torque, held)[0][1] - goal.theta4,)

            exact = self._second.find(missed)
            swung.cut(length)
            state, worst = run(self._second.root[0], held, record=True)
            if worst <= 0.0:
                break
            if lift:
                gain = min(max((lacked - worst) / lift, 0.2 * gain), gain)
            else:
                gain = plane.l3 * max(-math.sin(lifted), 0.3)
            lacked, lift = worst, worst / gain + _CLEARER
            lifted -= lift
        return state, exact

    def _swing3(
        self,
        hips: list[Carrier],
        start: State,
        span: tuple[float, float],
        goal: SwingGoal,
        swung: _Swung,
        feet: _FootBends,
    ) -> tuple[float, bool]:
        """The leg, its knee locked, comes down (section 6.2.3)."""
        leg, (begin, end) = self._leg, span
        count = (len(hips) - 1) // 2
        h, rate2 = (end - begin) / count, 2.0 * count / (end - begin)
        knee = start[1]

        def run(torque: float, record: bool = False) -> State:
            state: State = (start[0], start[2])

            def law(t: float, u: State) -> tuple[float, ...]:
                return (locked(leg, torque, hips[int(t * rate2 + 0.5)], u[0], knee),)

            for i in range(count):
                state = runge_kutta(law, i * h, state, h)
                if record:
                    t = begin + (i + 1) * h
                    swung.add(t, hips[2 * i + 2], state[0], knee, *feet.at(t, state[0] + knee), 0.0)
            return state

        exact = self._third.find(lambda torque: (run(torque)[0] - goal.theta3,))
        return run(self._third.root[0], record=True)[1], exact


def _stiff_rate(leg: DoublePendulum, constants: Constants, rough: float) -> float:
    """Return the steps a second that SWING2 needs: the hold of the thigh makes it stiff (section 6.2.2)."""
    coupling = leg.own + leg.bent
    inertia = leg.far + 2.0 * leg.bent - coupling * coupling / leg.own  # of the thigh below a free shin
    return max(_RATE2 / rough, constants.v_3 / inertia / 2.5)


def _halves(hip_at: HipAt, begin: float, end: float, rate: float) -> list[Carrier]:
    """Return the hip at the begin, middle and end of each integration step of a phase."""
    count = max(2, math.ceil((end - begin) * rate))
    return hip_at([begin + 0.5 * i * (end - begin) / count for i in range(2 * count + 1)])


class _FootBends:
    """The foot's pitch and the toes' bend from the end of SWING1 to heel strike: linear against the shin (6.2.2)."""

    def __init__(
        self, plane: Plane, plantars: tuple[float, float], metas: tuple[float, float], span: tuple[float, float],
        clear: float,
    ) -> None:  # fmt: skip
        self._plane, self._plantars, self._metas, self._span, self._clear = plane, plantars, metas, span, clear

    def at(self, t: float, shin: float) -> tuple[float, float]:
        share = (t - self._span[0]) / (self._span[1] - self._span[0])
        plantar = self._plantars[0] + share * (self._plantars[1] - self._plantars[0])
        return shin + plantar, self._metas[0] + share * (self._metas[1] - self._metas[0])

    def lacks(self, hip: Carrier, a: float, k: float, pitch: float, meta: float) -> float:
        """Return by how much, m, toes or heel come nearer to the ground than they may."""
        plane = self._plane
        y = hip.y - plane.l3 * math.cos(a) - plane.l4 * math.cos(a + k)
        x, down = tip(plane, meta)
        toes = y - x * math.sin(pitch) + down * math.cos(pitch)
        heel = y + plane.l8 * math.sin(pitch) - plane.l9 * math.cos(pitch)
        return max(self._clear - toes, 0.3 * self._clear - heel)


class _Swung:
    """What is kept of a swing."""

    def __init__(self, plane: Plane, times: list[float], feet: list[Pose]) -> None:
        self._plane, self.times, self.feet = plane, times, feet

    def add(self, t: float, hip: Carrier, a: float, k: float, pitch: float, meta: float, clear: float) -> None:
        """Keep the pose for joint angles; the toes are lifted where they would be below ``clear``, m."""
        plane = self._plane
        x = hip.x - plane.l3 * math.sin(a) - plane.l4 * math.sin(a + k)
        y = hip.y - plane.l3 * math.cos(a) - plane.l4 * math.cos(a + k)
        self.times.append(t)
        self.feet.append((x, y, min(pitch, steepest(plane, y - clear, meta)), meta))

    def cut(self, length: int) -> None:
        """Forget what was kept after the first ``length``."""
        del self.times[length:], self.feet[length:]
