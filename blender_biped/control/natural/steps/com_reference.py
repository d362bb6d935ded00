"""The reference of the centre of mass, which a walk's steps and pressure points belong to: a pendulum's periodic orbit.

The inverted pendulum model of generalized walking (Coros 2010, section 3.2), solved for whole steps at once: the one
course that comes back after two steps, turned by them in a bend, while the centre of pressure goes from heel to toes
and over to the next foot. What makes it fall is one number for each direction of the ground, the capture point (Hof
2008; the divergent component of motion of Englsberger, Ott and Albu-Schaeffer 2015), which soles and footholds steer.

Places of the ground are complex numbers here, x ahead + i y to the left, in the frame of the stance foot.
"""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ....base.curves import eased, slopes
from ....base.spatial import Array
from ...shared.legs import Leg
from .step_table import GRID, TILTED, StepTable, Tables, sampled

Plane = NDArray[np.complex128]
"""Places or velocities of the ground's plane."""

ROLL = ((0.0, -0.75), (0.25, 0.1), (0.5, 0.42), (0.8, 0.92), (1.0, 1.05), (1.3, 1.2))
"""Where a foot is pressed over a step's phase: below 0 in shares of its heel, above 0 in shares of its ball."""
_ROLL = np.array(ROLL).T
FLAT = 0.3  # of the ball: where a foot is pressed that does not roll
ROLLING = 0.8  # m/s from which feet roll in full
SHARES = (0.3, 1.2)
"""Of the double support, over which the weight may go to the foot in front.

A foot that has lifted bears nothing: who hands over later is thrown ahead, and cannot be pressed far enough behind.
"""
LIGHT, HEAVY = 0.4, 1.8  # of the weight: what a leg is pressed by at least and at most
_STEP = 0.1  # m: shorter steps count as that long
_SHORTEST = 0.02  # s that are left of a step that is as good as over
_APART, _GUESSES, _LEVEL = 0.05, 3, 1e-9  # how a handover is looked for: shares, tries, m
PHASES = np.linspace(0.0, 1.0, GRID + 1)
"""Of a step, at its samples."""
_SMOOTHING = 4  # times that the vertical acceleration follows its neighbours


@dataclass(frozen=True)
class Pendulum:
    """The world that the reference is computed in. gravity: m/s2. mass: of the body, kg."""

    legs: tuple[Leg, Leg]
    gravity: float
    mass: float


@dataclass(frozen=True)
class DesiredSteps:
    """Where the body goes. speed: m/s ahead, below 0 back. drift: to the left, m/s. turn: rad/s.

    width: between the feet, m.
    """

    speed: float
    drift: float
    turn: float
    width: float


@dataclass(frozen=True)
class ComReference:
    """One step's reference; G + 1 samples over its phase, in the frame of its stance foot.

    place, m, and velocity, m/s, of the centre of mass; pressure: centre of pressure, m. turn: from this foot's frame to
    the next one's, rad. frequency: of the pendulum, 1/s. share: of the table's step that this one goes, 0..1, and so of
    what its swinging legs do to the body.
    """

    place: Plane
    velocity: Plane
    pressure: Plane
    turn: float
    frequency: float
    share: float

    @cached_property
    def capture(self) -> Plane:
        """The capture point (G + 1,), m."""
        return self.place + self.velocity / self.frequency

    @cached_property
    def _numbers(self) -> list[tuple[complex, ...]]:
        """Place, velocity, pressure and capture point as single numbers: each control step looks one of each up."""
        ways = self.place, self.velocity, self.pressure, self.capture
        return list(zip(*(way.tolist() for way in ways), strict=True))

    def at(self, phase: float) -> tuple[complex, complex, complex, complex]:
        """Return place, m, velocity, m/s, pressure, m, and capture point, m, at a phase, held to 0..1."""
        i, share = sampled(phase)
        (place, velocity, pressure, capture), (x, v, p, c) = self._numbers[i : i + 2]
        return (
            place + share * (x - place), velocity + share * (v - velocity), pressure + share * (p - pressure),
            capture + share * (c - capture),
        )  # fmt: skip

    def capture_ahead(self, phase: float, planned: float, error: complex, left: float) -> complex:
        """Return where the capture point is as the step ends, m, in the frame of its stance foot.

        planned: s from ``phase`` to the end as the reference has it. error: the capture error now, m. left: s that the
        step really takes until then. What is off grows, and a step that is hurried ends the reference early.
        """
        own, end = self.at(phase)[3], self._numbers[-1][3]
        if planned < _SHORTEST:
            return end + error
        grows = math.exp(self.frequency * planned)
        pressed = (end - own * grows) / (1.0 - grows)  # where a foot that is pressed at one place would bring it there
        return pressed + (own + error - pressed) * math.exp(self.frequency * left)


def rolled(leg: Leg, phase: Array, speed: float, double: float) -> Array:
    """Return where a foot is pressed at phases (K,) since its strike, m ahead of its ankle.

    speed: of the walk ahead, m/s; below 0 the foot rolls from its toes to its heel. double: phase at which the foot
    behind leaves the ground.
    """
    if speed < 0.0:
        return rolled(leg, 1.0 + double - phase, -speed, double)
    shares = np.interp(phase, *_ROLL)
    ahead = np.where(shares < 0.0, -shares * leg.heel, shares * leg.ball)
    much = min(speed / ROLLING, 1.0)
    return np.asarray(FLAT * leg.ball + much * (ahead - FLAT * leg.ball))


def rolled_at(leg: Leg, phase: float, speed: float, double: float) -> float:
    """Return ``rolled`` of one phase as a plain number: many times faster."""
    if speed < 0.0:
        return rolled_at(leg, 1.0 + double - phase, -speed, double)
    share = _rolled_share(phase)
    ahead = -share * leg.heel if share < 0.0 else share * leg.ball
    return FLAT * leg.ball + min(speed / ROLLING, 1.0) * (ahead - FLAT * leg.ball)


def _rolled_share(phase: float) -> float:
    """Return where a foot is pressed at a phase as ``ROLL`` has it."""
    before, share = ROLL[0]
    if phase <= before:
        return share
    for at, after in ROLL[1:]:
        if phase < at:
            return (after - share) / (at - before) * (phase - before) + share
        before, share = at, after
    return share


def gone(length: float, way: float) -> float:
    """Return the share of a style's step, 0..1, that a step goes. length: of the style's, m. way: that it goes, m."""
    if length < 0.0:
        return gone(-length, -way)
    return min(max(way, 0.0) / max(length, _STEP), 1.0)


def com_references(
    pendulum: Pendulum, tables: Tables, way: DesiredSteps, handover: float,
    swings: tuple[Swinging, Swinging] | None = None,
) -> tuple[ComReference, ComReference]:  # fmt: skip
    """Return the courses of steps on the left and the right foot, one after the other without an end.

    handover: share of the double support over which the weight goes to the foot in front. swings: what ``swinging``
    has of these tables, where that is known.
    """
    return _Courses(pendulum, tables, way, swings or swinging(pendulum, tables)).references(handover)


def handover(
    pendulum: Pendulum, tables: Tables, way: DesiredSteps, guess: float, swings: tuple[Swinging, Swinging] | None = None
) -> float:  # fmt: skip
    """Return the share of the double support over which the weight goes to the foot in front.

    It is that with which the centre of mass is, on average, where the steps' own bodies have it: feet of other lengths
    would carry it elsewhere, and so bend knees that are to be straight. guess: where it is looked for. swings: see
    ``com_references``.
    """
    low, high = SHARES
    ahead = _Courses(pendulum, tables, way, swings or swinging(pendulum, tables)).ahead
    before = min(max(guess, low), high - _APART)
    share, was = before + _APART, ahead(before)
    if abs(was) < _LEVEL:
        return before
    for _ in range(_GUESSES):  # the later it goes, the farther behind: all but a straight line
        now = ahead(share)
        if abs(now - was) < _LEVEL:
            break
        before, was, share = share, now, min(max(share - now * (share - before) / (now - was), low), high)
    return share


class _Courses:
    """The courses of steps on both feet, one after the other, for any share over which the weight is handed over."""

    def __init__(
        self, pendulum: Pendulum, tables: Tables, way: DesiredSteps, swings: tuple[Swinging, Swinging]
    ) -> None:  # fmt: skip
        self._swings, self._tables = swings, tables
        self._footholds, self._angles = zip(*(_foothold(tables[side].time, way, side) for side in (0, 1)), strict=True)
        self._gone = [gone(t.length, way.speed * t.time) for t in tables]
        self._feet = [
            _pressed(pendulum.legs, side, tables, way.speed, self._footholds[1 - side], self._angles[1 - side])
            for side in (0, 1)
        ]
        # A state X of place and velocity comes to X' = back (Phi X + b - foothold) in the next foot's frame.
        self._backs = [cmath.exp(-1j * angle) for angle in self._angles]
        matrix = np.eye(2, dtype=complex)
        for swing, back in zip(swings, self._backs, strict=True):
            matrix = back * swing.matrices[-1] @ matrix
        self._lacking = np.eye(2) - matrix

    def _tracks(self, handover: float) -> tuple[list[Plane], list[Plane]]:
        """Return place and velocity (G + 1, 2) of both steps, and their centres of pressure (G + 1,)."""
        pressures, offsets, last = [], [], np.zeros(2, dtype=complex)
        for side, (swing, table) in enumerate(zip(self._swings, self._tables, strict=True)):
            ahead, behind = self._feet[side]
            share = eased(np.minimum(np.maximum(PHASES / max(handover * table.double, 1e-3), 0.0), 1.0))
            pressures.append(share * ahead + (1.0 - share) * behind)
            offsets.append(swing.offsets(pressures[side], self._gone[side]))
            ends = swing.matrices[-1] @ last + offsets[side][-1] - (self._footholds[side], 0.0)
            last = self._backs[side] * ends
        begin, tracks = np.linalg.solve(self._lacking, last), []
        for side, swing in enumerate(self._swings):
            tracks.append(swing.matrices @ begin + offsets[side])
            begin = self._backs[side] * (tracks[side][-1] - (self._footholds[side], 0.0))
        return tracks, pressures

    def references(self, handover: float) -> tuple[ComReference, ComReference]:
        """Return the courses of both steps. handover: see ``com_references``."""
        left, right = (
            ComReference(track[:, 0], track[:, 1], pressure, angle, swing.frequency, share)
            for track, pressure, angle, swing, share in zip(
                *self._tracks(handover), self._angles, self._swings, self._gone, strict=True
            )
        )
        return left, right

    def ahead(self, handover: float) -> float:
        """Return how far ahead of where the steps' own bodies have it the centre of mass is on average, m."""
        tracks, _ = self._tracks(handover)
        means = [
            float((track[:, 0].real - table.com[:, 0]).mean())
            for track, table in zip(tracks, self._tables, strict=True)
        ]
        return (means[0] + means[1]) / 2.0


def begun(
    pendulum: Pendulum, reference: ComReference, tables: Tables, side: int, phase: float,
    state: tuple[complex, complex], room: tuple[complex, complex],
) -> tuple[ComReference, complex]:  # fmt: skip
    """Return the reference of a step that is not one of many: from a state, place and velocity, at ``phase`` on.

    Its pressure is moved so that it ends where the reference's own does, within room, the corners of what the foot can
    press, m. Also returned: by how much farther it would have to be moved, m.
    """
    table, target = tables[side], reference.capture[-1]
    swing = Swinging(pendulum, table)
    i = round(phase * GRID)
    grow = math.exp(reference.frequency * table.time * (1.0 - i / GRID))
    moved = 0j
    for _ in range(2):
        pressure = reference.pressure + moved
        pressure[i:] = _held(pressure[i:], room)
        end = swing.track_through(i, state, pressure, reference.share)[-1]
        moved += (target - (end[0] + end[1] / reference.frequency)) / (1.0 - grow)
    pressure = reference.pressure + moved
    held = _held(pressure, room)
    track = swing.track_through(i, state, held, reference.share)
    lacking = complex((pressure[i:] - held[i:]).mean())
    return replace(reference, place=track[:, 0], velocity=track[:, 1], pressure=held), lacking


def _foothold(time: float, way: DesiredSteps, side: int) -> tuple[complex, float]:
    """Return where the next foot is set down, m, and how far its frame is turned, rad."""
    turn = way.turn * time
    chord = complex(way.speed, way.drift) * time * cmath.exp(0.5j * turn)
    half = 0.5j * way.width if side == 0 else -0.5j * way.width
    return chord - half * (1.0 + cmath.exp(1j * turn)), turn


def _pressed(
    legs: tuple[Leg, Leg], side: int, tables: Tables, speed: float, before: complex, turn: float
) -> tuple[Plane, Plane]:  # fmt: skip
    """Return where the foot in front, and the one behind, is pressed in a step (G + 1,), m.

    before, turn: foothold and turn of the step before it.
    """
    double = tables[side].double
    along, trailing = cmath.exp(1j * tables[side].yaw), cmath.exp(1j * tables[1 - side].yaw)  # where the feet point
    behind = (rolled(legs[1 - side], 1.0 + PHASES, speed, double) * trailing - before) * cmath.exp(-1j * turn)
    if tables[side].trails:
        at = (_tilted(tables[side], legs, 1 - side) * trailing - before) * cmath.exp(-1j * turn)
        behind = behind + tables[side].trails * np.maximum(at.real - behind.real, 0.0)
    ahead = rolled(legs[side], PHASES, speed, double)
    table = tables[side]
    if table.rolls:
        ahead = ahead + table.rolls * np.maximum(_tilted(table, legs, side) - ahead, 0.0)
    return np.asarray(ahead * along), np.asarray(behind)


def _tilted(table: StepTable, legs: tuple[Leg, Leg], side: int) -> Array:
    """Return how far ahead of its flat ankle's place a foot is pressed (G + 1,), m, as its tilt has it."""
    return np.asarray(np.clip(table.pitches[:, side] / TILTED, 0.0, 1.0) * (legs[side].ball + table.onto))


class Swinging:
    """The pendulum over one step, X = matrices X0 + offsets at each sample, X the place and velocity.

    matrices (G + 1, 2, 2): the same wherever the body is pressed. frequency: 1/s, on average.
    """

    def __init__(self, pendulum: Pendulum, table: StepTable) -> None:
        step = table.time / GRID
        height = table.com[:, 2]
        rising = slopes(slopes(height, step), step)
        for _ in range(_SMOOTHING):
            rising[1:-1] = 0.25 * (rising[:-2] + rising[2:]) + 0.5 * rising[1:-1]
        up = np.minimum(np.maximum(pendulum.gravity + rising, LIGHT * pendulum.gravity), HEAVY * pendulum.gravity)
        momentum_rates = table.momentum_rates / table.time**2  # legs that swing push the body, too
        self._pushed = (momentum_rates[:, 1] - 1j * momentum_rates[:, 0]) / (pendulum.mass * up)
        w = np.sqrt((up[1:] + up[:-1]) / (height[1:] + height[:-1]))
        cosh, sinh = np.cosh(w * step), np.sinh(w * step)
        a, b, c, d = 1.0, 0.0, 0.0, 1.0  # piece after piece
        found = [(a, b, c, d)]
        for stays, goes, gains in zip(cosh.tolist(), (sinh / w).tolist(), (w * sinh).tolist(), strict=True):
            a, b, c, d = stays * a + goes * c, stays * b + goes * d, gains * a + stays * c, gains * b + stays * d
            found.append((a, b, c, d))
        every = np.array(found)
        self.matrices = every.reshape(-1, 2, 2)
        self.frequency = math.sqrt(pendulum.gravity / float(height.mean()))
        a, b, c, d = every[1:].T
        # Of a pivot of 1 over a piece: what it adds, as if it had been so much off at the beginning (det = 1).
        rest, gains = 1.0 - cosh, w * sinh
        self._answers = np.stack((d * rest + b * gains, -c * rest - a * gains), axis=1)

    def offsets(self, pressure: Plane, share: float) -> Plane:
        """Return the offsets (G + 1, 2) for where it is pressed (G + 1,), m. share: of what swinging legs do."""
        pivot = pressure + share * self._pushed
        moved = np.zeros((len(pivot), 2), dtype=complex)
        np.cumsum(0.5 * (pivot[1:] + pivot[:-1])[:, None] * self._answers, axis=0, out=moved[1:])
        return np.asarray((self.matrices @ moved[:, :, None])[:, :, 0])

    def track_through(self, i: int, state: tuple[complex, complex], pressure: Plane, share: float) -> Plane:
        """Return place and velocity (G + 1, 2) that go through a state at sample i; see ``offsets``."""
        offsets = self.offsets(pressure, share)
        return np.asarray(self.matrices @ np.linalg.solve(self.matrices[i], np.array(state) - offsets[i]) + offsets)


def swinging(pendulum: Pendulum, tables: Tables) -> tuple[Swinging, Swinging]:
    """Return the pendulum over the step on each foot."""
    return Swinging(pendulum, tables[0]), Swinging(pendulum, tables[1])


def _held(values: Plane, room: tuple[complex, complex]) -> Plane:
    """Return places (K,) held between two corners."""
    low, high = room
    return np.asarray(
        np.clip(values.real, low.real, high.real) + 1j * np.clip(values.imag, low.imag, high.imag), dtype=complex
    )
