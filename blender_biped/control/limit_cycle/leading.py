"""What leads a limit-cycle walk over its steps: its speed (Laszlo 1996, section 5.1) and its heading (5.3)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ...base.spatial import Array
from ..shared.legs import LEFT
from ..shared.spline import Knots
from ..shared.steering import Command
from .motion_sequence import MotionSequence
from .settings import Dimension

STEADY_SPEED = 0.01  # m/s by which the desired speed may change over a step that is learnt from
MOST_ASIDE = 1.2  # rad from where it faces that a body which does not turn goes
LEARNT = 0.15  # of Q, at most, that is learnt for the desired speed

Pair = tuple[float, float]


@dataclass(frozen=True)
class Taken:
    """A step as it was taken. time: s of its beginning. stance: leg. scalings (N,): K, the step's perturbations.

    target, reached (N,): of the regulation variables; reached is None for a step that has not ended. turn: scale of the
    turning graph. trials, falls: how many were simulated, and how many of them fell. advance: m/s of the step, ahead
    and to the left.
    """

    time: float
    stance: int
    scalings: Array
    target: Array
    turn: float
    trials: int
    falls: int
    reached: Array | None = None
    advance: Pair = (0.0, 0.0)


class SpeedLead:
    """Targets of the regulation variables that bring the walk to its desired speed."""

    def __init__(self, motions: MotionSequence) -> None:
        self._motions = motions
        self._desired = 0.0  # m/s, when the last step began
        self._learnt = [0.0] * max(len(motion.dimensions) for motion in motions.all)

    def target(self, command: Command, way: float, stance: int, last: Taken | None) -> Array:
        """Return what the variables (N,) shall be at the step's end (Laszlo 1996, equation 5.1).

        Q_d = Q_bias(v_d) + clip(g (v_d - v), most) + l, by dimension: Q_bias its ``target`` at the desired speed v_d,
        m/s, g its ``gain``, v the speed of the last step, and l what is learnt of it from steady steps.
        way: of travel from its facing, rad. stance: leg of the step that begins. last: the step that has ended.
        """
        speed, hand = command.speed, 1.0 if stance == LEFT else -1.0
        desired = speed * math.cos(way), speed * math.sin(way)
        u, v = last.advance if last is not None else desired
        had = u, hand * v
        steady = last is not None and abs(speed - self._desired) < STEADY_SPEED
        self._desired = speed
        found = []
        for i, d in enumerate(self._motions.motion.dimensions):
            reference = d.desired if d.desired is not None else (desired[0], hand * desired[1])[d.variable.axis]
            late = reference - had[d.variable.axis]
            sense = hand if d.variable.axis == 1 and d.desired is None else 1.0  # learnt sideways: to the left
            if steady:
                self._learnt[i] = min(max(self._learnt[i] + sense * d.learning * late, -LEARNT), LEARNT)
            bias = self._bias(i, desired, hand) + sense * self._learnt[i]
            found.append(bias + min(max(d.gain * late, -d.most), d.most))
        return np.array(found)

    def _bias(self, i: int, desired: Pair, hand: float) -> float:
        """Return Q_bias of a dimension at a desired speed, m/s, between those of two motions where one is entered."""
        share, before = self._motions.share, self._motions.before.dimensions
        bias = _bias_of(self._motions.motion.dimensions[i], desired, hand)
        if share == 1.0 or i >= len(before):
            return bias
        return (1.0 - share) * _bias_of(before[i], desired, hand) + share * bias


class TurnLead:
    """Scales of the turning graph that bring the walk to its desired heading."""

    def __init__(self, motions: MotionSequence) -> None:
        self._motions = motions
        self._heading = 0.0  # rad, of the hips when the last step began

    def turn(self, command: Command, now: float, count: int, last: Taken | None) -> float:
        """Return the scale of the turning graph: positive to the left.

        now: heading of the hips, rad. count: of the steps so far. last: the last of them.
        """
        motion = self._motions.motion
        turning = motion.turning
        sway = 0.5 * math.remainder(self._heading - now, 2.0 * math.pi) if last is not None else 0.0
        self._heading = now
        if turning is None or count < turning.after:
            return 0.0
        desired = command.heading - motion.direction
        off = math.remainder(desired - now - sway, 2.0 * math.pi)  # the hips turn to and fro with each step
        scale = turning.gain * off + turning.lead * command.turn
        before = last.turn if last is not None else 0.0
        scale = min(max(scale, before - turning.change), before + turning.change)
        return min(max(scale, -turning.most), turning.most)

    def way(self, command: Command) -> float:
        """Return where it shall go from where it faces, rad; a body that does not turn goes aside."""
        motion = self._motions.motion
        if motion.turning is not None:
            return motion.direction
        off = math.remainder(command.heading - self._heading, 2.0 * math.pi)
        return min(max(off, -MOST_ASIDE), MOST_ASIDE)


def _bias_of(dimension: Dimension, desired: Pair, hand: float) -> float:
    """Return Q_bias at a speed ahead and to the left, m/s. hand: 1 on a left stance, -1 on a right one."""
    return _at(dimension.target, desired[0]) + hand * _at(dimension.shift, desired[1])


def _at(knots: Knots, x: float) -> float:
    """Return the value at x of straight lines through the knots."""
    return float(np.interp(x, [k[0] for k in knots], [k[1] for k in knots]))
