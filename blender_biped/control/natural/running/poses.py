"""How a body is held in each moment of a running stride: people's angles by speed, as an animator's words have them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ....base.curves import ramp
from ....base.spatial import Array
from ....character.model import ARM, Character
from ...shared.legs import Leg
from ..steps.run_settings import Running
from ..steps.step_table import rates_of
from .balance import countering, turning_of
from .timing import RunTiming

GRID = 96
"""Pieces of a stride between the samples of its table."""
LEANS = 2.5  # m/s from which it leans as much as its style says
TOES = 0.35  # of a foot's tilt, by which its toes are bent up in the air: they would stub
FOLDS = 0.3  # of an arm's swing, by which its elbow bends more ahead
SOFTENED = 3  # times that accelerations follow their neighbours
_SPEEDS = (1.0, 2.5, 3.5, 6.0)
Angles = tuple[float, float, float, float]
"""Degrees at those speeds, m/s."""


@dataclass(frozen=True)
class RunAngles:
    """How people's limbs go in a run, degrees (Novacheck 1998; Mann and Hagy 1980).

    thigh: ahead of the vertical at most in a swing; behind: behind it at most; lands: ahead as it lands. knee: at most
    in a swing; in_stance: at most in a stance; takes_off, straight: as it takes off, and least before it lands.
    arm: of arms each way; arm_behind: that they hang behind on average; arms_more: times that, at most, where it takes
    as much to hold against the legs; before: how much sooner than the legs' own turn. list: of the pelvis, up on the
    side of the foot that is down; twist: of the pelvis each way; chest: times that, of the chest against it;
    chest_more: at most, likewise. elbow: that elbows are bent already as a body stands.
    """

    thigh: Angles = (24.0, 36.0, 44.0, 66.0)
    behind: Angles = (14.0, 23.0, 27.0, 34.0)
    lands: Angles = (16.0, 23.0, 28.0, 36.0)
    knee: Angles = (90.0, 92.0, 101.0, 124.0)
    knee_lands: float = 20.0
    in_stance: float = 44.0
    takes_off: float = 20.0
    straight: float = 12.0
    arm: Angles = (18.0, 27.0, 33.0, 45.0)
    arm_behind: float = 12.0
    arms_more: float = 1.5
    before: float = 12.0
    list: Angles = (1.0, 2.5, 2.0, 1.0)
    twist: Angles = (4.0, 5.5, 5.0, 4.5)
    chest: float = 1.1
    chest_more: float = 2.4
    elbow: float = 22.0


ANGLES = RunAngles()


@dataclass(frozen=True)
class RunTable:
    """A stride over its share, 0 as the left foot lands; GRID + 1 samples; see ``StepTable`` for what they are.

    Seen from where the body faces. For a stride a second.
    """

    rotations: Array
    angular_velocities: Array
    angular_accelerations: Array

    def at(self, stride: float) -> tuple[Array, Array, Array]:
        """Return rotations (L, 3, 3), rates and accelerations (L, 3) at a share of a stride."""
        place = (stride % 1.0) * GRID
        i = min(int(place), GRID - 1)
        share = place - i
        turned, fast, faster = (
            values[i] + share * (values[i + 1] - values[i])
            for values in (self.rotations, self.angular_velocities, self.angular_accelerations)
        )
        return turned, fast, faster


class _At:
    """People's angles at a speed, m/s."""

    def __init__(self, speed: float) -> None:
        self._speed = speed

    def __call__(self, degrees: Angles) -> float:
        """Return an angle, rad."""
        return math.radians(float(np.interp(self._speed, _SPEEDS, degrees)))


def run_table(
    character: Character, legs: tuple[Leg, Leg], own: Running, speed: float, timing: RunTiming, posture: Array
) -> RunTable:  # fmt: skip
    """Return the table of a stride at a speed, m/s. posture (L, 3, 3): of the body as it stands."""
    people = _At(speed)
    lean = math.radians(own.lean) * ramp(speed, 0.0, LEANS)
    rotations = np.tile(posture, (GRID + 1, 1, 1, 1))
    stride = np.linspace(0.0, 1.0, GRID + 1)
    for side, leg in enumerate(legs):
        thigh, knee, foot = _leg(own, people, timing.stance, (stride - 0.5 * side) % 1.0)
        toes = foot - TOES * np.clip(foot, 0.0, 1.0)
        for of, pitch in ((leg.thigh, -thigh), (leg.shin, knee - thigh), (leg.foot, foot), (leg.toes, toes)):
            rotations[:, of] = _turned(0.0, pitch, 0.0)
    turnings = []
    for more in (0.0, 1.0):
        _upper(character, own, people, timing, lean, more, posture, rotations)
        turnings.append(turning_of(character, rotations, rates_of(rotations, 1.0 / GRID)))
    _upper(character, own, people, timing, lean, countering(*turnings), posture, rotations)
    velocities = rates_of(rotations, 1.0 / GRID)
    velocities[0] = velocities[-1] = 0.5 * (velocities[0] + velocities[-1])
    accelerations = np.gradient(_around(velocities), 1.0 / GRID, axis=0)[1:-1]
    for _ in range(SOFTENED):
        around = _around(accelerations)
        accelerations = 0.25 * (around[:-2] + around[2:]) + 0.5 * around[1:-1]
    return RunTable(rotations, velocities, accelerations)


def _upper(
    character: Character, own: Running, people: _At, timing: RunTiming, lean: float, more: float, posture: Array,
    rotations: Array,
) -> None:  # fmt: skip
    """Fill in trunk, head and arms of a stride (T, L, 3, 3). lean: rad. more: 0..1, how far they go beyond people's."""
    wave = 2.0 * math.pi * np.linspace(0.0, 1.0, GRID + 1) - math.pi * timing.stance
    turns = _trunk(own, people, wave, lean, ANGLES.chest + more * (ANGLES.chest_more - ANGLES.chest))
    swings = own.arms * (1.0 + more * (ANGLES.arms_more - 1.0)) * people(ANGLES.arm)
    swung = swings * np.sin(wave + math.radians(ANGLES.before))
    for i, link in enumerate(character.links):
        if link.part in turns:
            rotations[:, i] = turns[link.part] @ posture[i]
        elif link.part in ARM:
            rotations[:, i] = _arm(own, link.part, swung if link.role.endswith("L") else -swung) @ posture[i]


def _around(values: Array) -> Array:
    """Return the values of a whole turn, whose first is its last, with their neighbours before and after."""
    return np.concatenate((values[-2:-1], values, values[1:2]))


def _trunk(own: Running, people: _At, wave: Array, lean: float, against: float) -> dict[str, Array]:
    """Return how trunk and head are turned, by part. wave: 0 amid the left foot's stance, rad. lean: rad.

    against: times the pelvis' turn, of the chest against it.
    """
    twist = own.twist * people(ANGLES.twist) * np.sin(wave + 0.15)
    lists, none = people(ANGLES.list) * np.cos(wave), np.zeros_like(wave)
    return {
        "pelvis": _turned(twist, 0.6 * lean, lists),
        "abdomen": _turned(-0.2 * twist, lean, none),
        "chest": _turned(-against * twist, lean, none),
        "head": _turned(none, 0.2 * lean, none),
    }


def _arm(own: Running, part: str, swings: Array) -> Array:
    """Return how an arm's part is turned (T, 3, 3). swings (T,): of the arm, ahead, rad."""
    raised = _turned(0.0, math.radians(ANGLES.arm_behind) - swings, 0.0)
    if part == "upper_arm":
        return raised
    bent = math.radians(own.elbows - ANGLES.elbow) + FOLDS * swings
    return np.asarray(raised @ _turned(0.0, -bent, 0.0))


def _leg(own: Running, people: _At, stance: float, stride: Array) -> tuple[Array, Array, Array]:
    """Return thigh (ahead), knee and foot (heel up) over a leg's own stride, rad. stance: share of it on the ground."""

    def swing(share: float) -> float:
        return stance + share * (1.0 - stance)

    rad, ahead, behind = math.radians, own.knees * people(ANGLES.thigh), people(ANGLES.behind)
    thighs = [
        (0.0, people(ANGLES.lands)), (0.5 * stance, 0.35 * people(ANGLES.lands)), (swing(0.0), -0.93 * behind),
        (swing(0.08), -behind), (swing(0.40), 0.5 * ahead), (swing(0.70), ahead),
    ]  # fmt: skip
    knees = [
        (0.0, rad(ANGLES.knee_lands)), (0.45 * stance, rad(ANGLES.in_stance)), (swing(0.0), rad(ANGLES.takes_off)),
        (swing(0.44), own.heels * people(ANGLES.knee)), (swing(0.90), rad(ANGLES.straight)),
    ]  # fmt: skip
    ankles = [
        (0.0, rad(-4.0)), (0.5 * stance, rad(-20.0)), (swing(0.0), rad(20.0)), (swing(0.3), rad(-10.0)),
        (swing(0.7), rad(-12.0)),
    ]  # fmt: skip
    thigh, knee = _periodic(thighs, stride), _periodic(knees, stride)
    return thigh, knee, knee - thigh + _periodic(ankles, stride)


def _periodic(knots: list[tuple[float, float]], at: Array) -> Array:
    """Return the values of the periodic cubic spline through knots (share, value) at shares, twice differentiable."""
    x = np.array([k[0] for k in knots])
    y = np.array([k[1] for k in knots])
    n = len(x)
    h = np.diff(np.append(x, x[0] + 1.0))
    slope = np.diff(np.append(y, y[0])) / h
    matrix, right = np.zeros((n, n)), np.zeros(n)
    for i in range(n):
        before = (i - 1) % n
        matrix[i, before] += h[before]
        matrix[i, i] += 2.0 * (h[before] + h[i])
        matrix[i, (i + 1) % n] += h[i]
        right[i] = 6.0 * (slope[i] - slope[before])
    m = np.linalg.solve(matrix, right)
    piece = (np.searchsorted(x, at, side="right") - 1) % n
    u = (at - x[piece]) % 1.0
    bends, after = m[piece], m[(piece + 1) % n]
    return (
        y[piece]
        + u * (slope[piece] - h[piece] * (2.0 * bends + after) / 6.0)
        + u**2 * bends / 2.0
        + u**3 * (after - bends) / (6.0 * h[piece])
    )


def _turned(yaw: Array | float, pitch: Array | float, roll: Array | float) -> Array:
    """Return rotations (T, 3, 3): roll about ahead first, then pitch, then yaw, rad (T,) or one for all."""
    y, p, r = np.broadcast_arrays(*(np.atleast_1d(np.asarray(angle, dtype=float)) for angle in (yaw, pitch, roll)))
    cy, sy, cp, sp, cr, sr = np.cos(y), np.sin(y), np.cos(p), np.sin(p), np.cos(r), np.sin(r)
    rows = (
        (cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr),
        (sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr),
        (-sp, cp * sr, cp * cr),
    )
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)
