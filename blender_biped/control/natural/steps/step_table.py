"""What a step is: a table over its phase that a simulated walk follows."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....base.curves import ramp, slopes
from ....base.spatial import Array, quaternion_matrix, yawed
from ....character.model import Character
from ...shared.legs import Leg

GRID = 48
"""Pieces of a step between the samples of its tables."""
TILTED = 0.15  # rad of heel up for which a foot has to be pressed at its ball
PADS = 0.4  # of the toes' length before the ball: where a foot that stands on its toes is pressed

Tables = tuple["StepTable", "StepTable"]
"""The steps on the left and on the right foot."""


@dataclass(frozen=True)
class StepTable:
    """One step over its phase, 0 when its stance foot strikes, 1 when the other one does; G + 1 samples.

    In the frame of the stance foot: origin on the ground below its ankle where it stands flat, x ahead, y to the left,
    z up. time: of the step, s. double: phase at which the foot behind leaves the ground. length: of the step, m, below
    0 of one that goes back; width: how far the next foot is set down to the left of this one, m. pelvis (G + 1, 3):
    mid-hip, m. com (G + 1, 3): centre of mass, m. ankles (G + 1, 2, 3): left, right, m. pitches (G + 1, 2): of the
    feet, heel up, rad. rotations (G + 1, L, 3, 3): orientations of the links; angular_velocities,
    angular_accelerations (G + 1, L, 3): theirs, for a phase of 1 a second. momenta (G + 1, 3): angular momentum about
    the centre of mass, for a phase of 1 a second; momentum_rates (G + 1, 3): its rate, likewise.
    yaw: where the stance foot points, to the left, rad.
    rolls: how much, 0..1, the foot is pressed where its tilt has it, and not as people's feet usually are; trails: the
    same of the foot behind. onto: how far ahead of its ball, m, a foot is pressed that stands on its toes throughout.
    glides: how far, 0..1, the swing foot glides in over the ground; lower (G + 1,): how much lower it is for that, m.
    """

    time: float
    double: float
    length: float
    width: float
    pelvis: Array
    com: Array
    ankles: Array
    pitches: Array
    rotations: Array
    angular_velocities: Array
    angular_accelerations: Array
    momenta: Array
    momentum_rates: Array
    yaw: float = 0.0
    rolls: float = 0.0
    trails: float = 0.0
    onto: float = 0.0
    lower: Array = field(default_factory=lambda: np.zeros(GRID + 1))
    glides: float = 0.0

    @property
    def on_toes(self) -> bool:
        """Whether feet stand on their toes throughout."""
        return self.onto > 0.0

    @cached_property
    def rows(self) -> Array:
        """All that is looked up in each control step (G + 1, N), see ``Moment``."""
        count = len(self.pelvis)
        rise = slopes(self.pelvis[:, 2], 1.0 / GRID)
        parts = (
            np.stack((self.pelvis[:, 2], rise, slopes(rise, 1.0 / GRID)), axis=1), self.ankles, self.pitches,
            slopes(self.pitches, 1.0 / GRID), self.momenta, self.rotations, self.angular_velocities,
            self.angular_accelerations, self.lower,
        )  # fmt: skip
        return np.concatenate([part.reshape(count, -1) for part in parts], axis=1)

    @cached_property
    def mean_height(self) -> float:
        """The height of the mid-hip on average over the step, m."""
        return float(self.pelvis[:, 2].mean())

    def at(self, phase: float) -> Moment:
        """Return what the step is at a phase."""
        return Moment(between(self.rows, phase), self.rotations.shape[1])


class Moment:
    """A step at one phase. height, rise, rising: of the mid-hip above the ground, m, and its derivatives to the phase.

    ankles (2, 3), pitches (2,), pitch_rates (2,), momentum (3,), rotations (L, 3, 3), lower: see ``StepTable``. motion
    (2, L, 3): its angular velocities and accelerations.
    """

    __slots__ = (
        "ankles", "height", "lower", "momentum", "motion", "pitch_rates", "pitches", "rise", "rising", "rotations",
    )  # fmt: skip

    def __init__(self, row: Array, links: int) -> None:
        """Take a row (N,) of a table's ``rows``. links: how many the body has."""
        numbers: list[float] = row[:16].tolist()
        self.height, self.rise, self.rising = numbers[:3]
        self.ankles = numbers[3:6], numbers[6:9]
        self.pitches, self.pitch_rates, self.momentum = numbers[9:11], numbers[11:13], numbers[13:]
        end = 16 + 9 * links
        self.rotations = row[16:end].reshape(links, 3, 3)
        self.motion = row[end:-1].reshape(2, links, 3)
        self.lower = float(row[-1])


def sampled(phase: float) -> tuple[int, float]:
    """Return the sample before a phase, held to 0..1, and how far, 0..1, it is on the way to the one after it."""
    place = min(max(phase, 0.0), 1.0) * GRID
    i = min(int(place), GRID - 1)
    return i, place - i


def between(values: NDArray[Any], phase: float) -> NDArray[Any]:
    """Return the value of a table (G + 1, ...) at a phase, held to 0..1."""
    i, share = sampled(phase)
    return np.asarray(values[i] + share * (values[i + 1] - values[i]))


def mixed(first: StepTable, second: StepTable, share: float) -> StepTable:
    """Return the table between two, ``share`` of the second."""
    if share <= 0.0:
        return first
    found = {f.name: (1.0 - share) * getattr(first, f.name) + share * getattr(second, f.name) for f in fields(first)}
    return StepTable(**found)


def mixed_pair(first: Tables, second: Tables, share: float) -> Tables:
    """Return the steps between two pairs of them, ``share`` of the second."""
    return mixed(first[0], second[0], share), mixed(first[1], second[1], share)


def bent_up(foot: Array, toes: Array) -> float:
    """Return how far the toes (3, 3) of a foot (3, 3) are bent up, rad."""
    ahead = toes[:, 0] @ foot
    return math.atan2(ahead[2], ahead[0])


def on_ball(pitch: float) -> float:
    """Return how much, 0..1, a foot is pressed at its ball alone. pitch: heel up, rad."""
    return ramp(pitch, 0.0, TILTED)


def lowered(flat: StepTable, up: StepTable, share: float, side: int, legs: tuple[Leg, Leg]) -> StepTable:
    """Return the table of a step on a foot, ``side``, that is up on its toes by a share of how far ``up`` is.

    flat: the same step with the heels down. A foot is pressed at its ball long before it is all up, and as far from the
    ground as both steps have it: ankles between theirs would be too high, for a foot that lands between toes and heel
    is nearly flat.
    """
    if share <= 0.0:
        return flat
    found = mixed(flat, up, share)
    ankles = found.ankles.copy()
    for k, leg in enumerate(legs):
        own, *both = (ankle_over(leg, table.pitches[:, k]) for table in (found, flat, up))
        for axis, at, (low, high) in zip((0, 2), own, zip(*both, strict=True), strict=True):
            ankles[:, k, axis] += at - (1.0 - share) * low - share * high
    pitch = float(up.pitches[:, side].min())
    pressed = on_ball(share * pitch) / max(on_ball(pitch), 1e-9)
    com = found.com.copy()
    com[:, 0] = flat.com[:, 0] + pressed * (up.com - flat.com)[:, 0]
    return replace(found, ankles=ankles, com=com, rolls=up.rolls, trails=up.trails, onto=up.onto)


def ankle_over(leg: Leg, pitch: Array) -> tuple[Array, Array]:
    """Return how far ahead (T,) and above (T,) of where a flat foot has it on the ground its ankle is, m.

    pitch (T,): heel up, rad. The foot stands on the lowest point of its sole.
    """
    c, s, point = np.cos(pitch), np.sin(pitch), np.where(pitch > 0.0, leg.ball, leg.heel)
    return point * (1.0 - c) + leg.ankle_height * s, point * s + leg.ankle_height * c


@dataclass(frozen=True)
class StepKind:
    """What a step is. side: of its stance foot. time: s. double: phase at which the foot behind leaves the ground.

    backs: whether it goes back. on_toes: whether feet stand on their toes.
    """

    side: int
    time: float
    double: float
    backs: bool = False
    on_toes: bool = False


def step_table(
    character: Character, legs: tuple[Leg, Leg], kind: StepKind, root: Array, quaternions: Array
) -> StepTable:  # fmt: skip
    """Return the table of a step.

    root (G + 1, 3): the mid-hip, m; quaternions (G + 1, L, 4): of the links; both in a frame that looks ahead and
    has the ground at 0.
    """
    c, step, side, backs, on_toes = character, 1.0 / GRID, kind.side, kind.backs, kind.on_toes
    rotations = quaternion_matrix(quaternions)
    origins = c.forward_kinematics(root, quaternions)
    coms = c.com_positions(origins, quaternions)
    centre = np.einsum("l,tlk->tk", c.masses / c.mass, coms)
    feet = [leg.foot for leg in legs]
    pitches = np.stack([np.arctan2(-rotations[:, f, 2, 0], rotations[:, f, 2, 2]) for f in feet], axis=1)
    flat = int(np.argmin(np.abs(pitches[: None if backs else GRID // 2 + 1, side])))
    stance = origins[flat, feet[side]] * (1.0, 1.0, 0.0)
    if on_toes:
        stance[0] += _rolls_on(legs[side], rotations[flat, feet[side]], True)[0]
    com = centre - stance
    ankles = origins[:, feet] - stance
    landed = ankles[-1, 1 - side]
    rolled_on = _rolls_on(legs[1 - side], rotations[-1, feet[1 - side]], backs or on_toes)
    length = float(landed[0]) + rolled_on[0]
    onto = 0.0
    if on_toes:  # the style's hips are over the ankles: a body that stands on its toes has them over these
        onto = PADS * legs[side].toe_length
        under = (
            legs[side].ball + onto - 0.5 * kind.double * length
        )  # on average over a step, which begins farther behind
        com[:, 0] += on_ball(float(pitches[flat, side])) * (under - float(com[:, 0].mean()))
    angular_velocities = rates_of(rotations, step)
    momenta, momentum_rates = momenta_of(c, coms - centre[:, None], rotations, angular_velocities, step)
    return StepTable(
        time=kind.time,
        double=kind.double,
        length=length,
        width=float(landed[1]) + rolled_on[1],
        pelvis=root - stance,
        com=com,
        ankles=ankles,
        pitches=pitches,
        rotations=rotations,
        angular_velocities=angular_velocities,
        angular_accelerations=evened(slopes(angular_velocities, step)),
        momenta=momenta,
        momentum_rates=momentum_rates,
        yaw=_yaw(rotations[flat, feet[side]]),
        rolls=float(on_toes),
        trails=float(on_toes),
        onto=onto,
    )


def rates_of(rotations: Array, step: float) -> Array:
    """Return angular velocities (T, ..., 3) of rotations (T, ..., 3, 3), ``step`` apart."""
    made = rotations[1:] @ np.swapaxes(rotations[:-1], -1, -2)
    sines = (made[..., 2, 1] - made[..., 1, 2], made[..., 0, 2] - made[..., 2, 0], made[..., 1, 0] - made[..., 0, 1])
    spin = 0.5 / step * np.stack(sines, axis=-1)
    return np.concatenate((spin[:1], 0.5 * (spin[1:] + spin[:-1]), spin[-1:]))


def momenta_of(
    character: Character, arms: Array, rotations: Array, angular_velocities: Array, step: float
) -> tuple[Array, Array]:  # fmt: skip
    """Return angular momentum and its rate (T, 3). arms (T, L, 3): from the centre of mass to the links', m."""
    inertia = np.array([link.inertia for link in character.links])
    own = np.einsum("tlij,lj,tlkj,tlk->tli", rotations, inertia, rotations, angular_velocities)
    moving = np.cross(arms, character.masses[:, None] * slopes(arms, step))
    momenta = evened((moving + own).sum(axis=1))
    return momenta, evened(slopes(momenta, step))


def evened(values: Array) -> Array:
    """Return values (T, ...) that follow their neighbours a little."""
    found = values.copy()
    for _ in range(2):
        found[1:-1] = 0.25 * (found[:-2] + found[2:]) + 0.5 * found[1:-1]
    return found


def _rolls_on(leg: Leg, rotation: Array, about_ball: bool) -> tuple[float, float]:
    """Return how far ahead and to the left of a tilted foot's ankle it will be once the foot is flat, m.

    rotation (3, 3): of the foot, which rolls on its heel, or on its ball: where it goes back, or stands on its toes.
    """
    point = np.array([leg.ball if about_ball else leg.heel, 0.0, -leg.ankle_height])
    ahead, left, _ = (rotation @ point - yawed(_yaw(rotation)) @ point).tolist()
    return ahead, left


def _yaw(rotation: Array) -> float:
    """Return where a foot points, to the left, rad: by its y axis, for one on its toes points at the ground."""
    return math.atan2(-float(rotation[0, 1]), float(rotation[1, 1]))
