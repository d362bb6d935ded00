"""The swing of a step whose foot glides in over the ground, thigh and shin turning as evenly as that lets them.

KLAW's own feet come down at last, with its hips: over hips that sink less, its legs would stretch early and be thrown
back and forth. Here the two links' angles are those of least angular acceleration that clear the ground, pass low over
it and end in KLAW's heel strike, as people's swings are near those of least effort (Chow and Jacobson 1971).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from ....base.curves import eased, ramp, slopes
from ....base.least_squares import least_squares
from ....base.spatial import Array
from ....character.model import Character
from ...shared.legs import Leg
from .step_table import GRID, StepTable, Tables, ankle_over, bent_up, evened, momenta_of, rates_of

PLANE = [0, 2]
"""Of the axes: ahead and up."""


@dataclass(frozen=True)
class Gliding:
    """How a swing foot passes over the ground, in shares of its swing.

    middle, late: m over it at least in the middle of the swing and late in it. room: m that it may be higher late.
    rises: share by which it is up; sinks, low: from which, and by which, it is at ``late``; lands: that is left as it
    comes down; straight: by which its toes are straight. level: rad of tilt within which it is higher: its lowest point
    goes from toes to heel there, and not at once. heel, strikes: rad of heel down at the strike from which it glides,
    and does so in full: flat feet are let down. slow, fast: m/s of the step, likewise. lifted, high: m that KLAW's own
    foot passes over the ground from which it glides less, and not at all: a style that lifts its knees shows that.
    """

    middle: float = 0.014
    late: float = 0.005
    room: float = 0.002
    rises: float = 0.25
    sinks: float = 0.5
    low: float = 0.8
    lands: float = 0.1
    straight: float = 0.2
    level: float = 0.03
    heel: float = 0.17
    strikes: float = 0.26
    slow: float = 0.1
    fast: float = 0.4
    lifted: float = 0.12
    high: float = 0.2

    def share(self, pitch: float, speed: float, over: float) -> float:
        """Return how far, 0..1, a foot glides in. pitch: heel up, rad, at its strike. speed: of the step, m/s.

        over: m that KLAW's own foot passes over the ground.
        """
        low = 1.0 - ramp(over, self.lifted, self.high)
        return low * ramp(-pitch, self.heel, self.strikes) * ramp(speed, self.slow, self.fast)


@dataclass(frozen=True)
class SwingEffort:
    """What an even swing costs, in squares. turning: a rad/s2 of the thigh; shin: that much of it one of the shin.

    height: a m that the foot is too low or too high. knee: a rad that the knee is bent less than ``bent``, rad.
    straightens: a rad that it is bent more than ``straight``, rad, between late and ends, shares of the swing, and in
    full from fully on: people's knees are straight before their heels strike; from stops to walks, m/s, of that: feet
    of bodies that stop slid, since they come down on straight legs. end: a m that the foothold is missed by;
    rate: a rad/s that thigh and shin differ by from those of the next stance. rounds: of the search, at most.
    """

    turning: float = 0.01
    shin: float = 0.5
    height: float = 500.0
    knee: float = 30.0
    bent: float = 0.06
    straightens: float = 3.0
    straight: float = 0.1
    late: float = 0.8
    fully: float = 0.88
    ends: float = 0.95
    stops: float = 0.4
    walks: float = 0.58
    end: float = 1000.0
    rate: float = 0.5
    rounds: int = 60


GLIDING, EFFORT = Gliding(), SwingEffort()
REACH = 0.999  # of the leg: where it is stretched farther, its knee is as good as straight


def glided(character: Character, leg: Leg, side: int, tables: Tables, lifts: bool = True) -> StepTable:
    """Return a step whose swing leg, on a side, glides in. tables: the step, and the one after it.

    lifts: whether a foot that KLAW lifts high is lifted.
    """
    table, after = tables
    passes = float((table.ankles[:, side, 2] - ankle_over(leg, table.pitches[:, side])[1]).max()) if lifts else 0.0
    share = GLIDING.share(float(table.pitches[-1, side]), table.length / table.time, passes)
    if share <= 0.0:
        return table
    along, first = np.array((table.length, 0.0)), math.ceil(table.double * GRID)
    ankles, hips = table.ankles[:, side, PLANE], _hips(character, leg, table)
    next_ankle, next_hip = after.ankles[1:2, side, PLANE] + along, _hips(character, leg, after)[1:2] + along
    over = _corridor(leg, table, side, first)
    swing = EvenSwing(
        leg, np.vstack((hips, next_hip))[first - 1 :], np.vstack((ankles, next_ankle))[first - 1 :], over,
        table.time / GRID,
    )  # fmt: skip
    klaw = leg_angles(leg, hips, ankles)
    angles = klaw.copy()
    angles[first + 1 :] += share * (swing.solved() - klaw[first + 1 :])
    moved = ankles_of(leg, hips, angles) - ankles_of(leg, hips, klaw)
    moved[: first + 1] = 0.0
    return _with_leg(character, table, (leg, side), angles, moved, share)


def leg_angles(leg: Leg, hips: Array, ankles: Array) -> Array:
    """Return how far ahead of straight down thigh and shin point (K, 2), rad. hips, ankles (K, 2): ahead and up, m."""
    away, (thigh, shin) = ankles - hips, (leg.thigh_length, leg.shin_length)
    reach = np.minimum(np.hypot(*away.T), REACH * leg.length)
    knee = np.pi - np.arccos(np.clip((thigh**2 + shin**2 - reach**2) / (2.0 * thigh * shin), -1.0, 1.0))
    lifted = np.arctan2(shin * np.sin(knee), thigh + shin * np.cos(knee))
    angle = np.arctan2(away[:, 0], -away[:, 1]) + lifted
    return np.stack((angle, angle - knee), axis=1)


def ankles_of(leg: Leg, hips: Array, angles: Array) -> Array:
    """Return where thigh and shin at angles (K, 2), rad, have the ankle (K, 2), m; see ``leg_angles``."""
    lengths = np.array((leg.thigh_length, leg.shin_length))
    return np.asarray(hips + np.stack((np.sin(angles) @ lengths, -np.cos(angles) @ lengths), axis=1))


class EvenSwing:
    """The angles of a leg's thigh and shin at K samples of its swing, from lift-off to strike."""

    def __init__(self, leg: Leg, hips: Array, ankles: Array, over: tuple[Array, Array], step: float) -> None:
        """Take hips, ankles (K + 2, 2), m, ahead and up: from a sample before lift-off to one after the strike.

        over (K - 1,): how high the ankle is at least and at most behind the lift-off, m. step: s between samples.
        """
        self._leg, self._over = leg, over
        known = leg_angles(leg, hips, ankles)
        self._begun, self.start = known[:2], known[2:-1]
        self._hips, self._end = hips[2:-1], ankles[-2, 0]
        count = len(self.start)
        self._turning = np.zeros((count, count + 2))
        for i in range(count):
            self._turning[i, i : i + 3] = 1.0, -2.0, 1.0
        self._turning *= EFFORT.turning / step**2
        done = np.arange(1.0, count + 1) / count
        late = np.clip((done - EFFORT.late) / (EFFORT.fully - EFFORT.late), 0.0, 1.0)
        speed = float(hips[-1, 0] - hips[0, 0]) / (step * (len(hips) - 1))
        calm = ramp(speed, EFFORT.stops, EFFORT.walks)
        self._straightens = EFFORT.straightens * calm * late * (done < EFFORT.ends)
        self._rate = EFFORT.rate / step
        self._leaves = self._rate * (known[-1] - known[-2])

    def solved(self) -> Array:
        """Return the angles (K - 1, 2) behind the lift-off, rad."""
        return least_squares(self.missing, self.start.T.ravel(), EFFORT.rounds).reshape(2, -1).T

    def missing(self, values: Array) -> tuple[Array, Callable[[], Array]]:
        """Return what is missing at the thighs' and then the shins' angles (2 K - 2,), rad, and its slopes."""
        leg, (low, high) = self._leg, self._over
        thigh, shin = values.reshape(2, -1)
        ankle = ankles_of(leg, self._hips, np.stack((thigh, shin), axis=1))
        off = np.minimum(ankle[:, 1] - low, 0.0) + np.maximum(ankle[:, 1] - high, 0.0)
        knee = thigh - shin
        short, long = np.minimum(knee - EFFORT.bent, 0.0), np.maximum(knee - EFFORT.straight, 0.0)
        turning = [self._turning @ np.concatenate((self._begun[:, k], own)) for k, own in enumerate((thigh, shin))]
        rates = [self._rate * (own[-1] - own[-2]) - self._leaves[k] for k, own in enumerate((thigh, shin))]
        missing = np.concatenate((
            turning[0], EFFORT.shin * turning[1], EFFORT.height * off, EFFORT.knee * short,
            self._straightens * long, [EFFORT.end * (ankle[-1, 0] - self._end), *rates],
        ))  # fmt: skip
        return missing, lambda: self._slopes(thigh, shin, off != 0.0, knee)

    def _slopes(self, thigh: Array, shin: Array, off: Array, knee: Array) -> Array:
        """Return slopes of what is missing. off: where a foot is too low or too high."""
        count, leg, turning = len(thigh), self._leg, self._turning[:, 2:]
        none, last = np.zeros((count, count)), np.eye(count)[-1:]
        rate = self._rate * (last - np.eye(count)[-2:-1])
        short, long = knee < EFFORT.bent, self._straightens * (knee > EFFORT.straight)
        return np.vstack((
            np.hstack((turning, none)),
            np.hstack((none, EFFORT.shin * turning)),
            EFFORT.height * np.hstack((
                np.diag(off * leg.thigh_length * np.sin(thigh)), np.diag(off * leg.shin_length * np.sin(shin)),
            )),
            EFFORT.knee * np.hstack((np.diag(1.0 * short), np.diag(-1.0 * short))),
            np.hstack((np.diag(long), np.diag(-long))),
            EFFORT.end * np.hstack((
                leg.thigh_length * np.cos(thigh[-1]) * last, leg.shin_length * np.cos(shin[-1]) * last,
            )),
            np.hstack((rate, 0.0 * last)),
            np.hstack((0.0 * last, rate)),
        ))  # fmt: skip


def _hips(character: Character, leg: Leg, table: StepTable) -> Array:
    """Return where a leg's hip is (G + 1, 2), m, ahead and up."""
    return np.asarray((table.pelvis + table.rotations[:, 0] @ character.offsets[leg.thigh])[:, PLANE])


def _corridor(leg: Leg, table: StepTable, side: int, first: int) -> tuple[Array, Array]:
    """Return how high the ankle is at least and at most, m, at each sample behind the one at lift-off, ``first``."""
    done, rules = np.arange(1.0, GRID + 1 - first) / (GRID - first), GLIDING
    pitch, middle = table.pitches[first + 1 :, side], (first + GRID) // 2
    rest = bent_up(table.rotations[middle, leg.foot], table.rotations[middle, leg.toes])
    stands = ankle_over(leg, pitch)[1]
    stands += 0.5 * (leg.ball - leg.heel) * (np.hypot(pitch, rules.level) - np.abs(pitch))
    tip = np.maximum((pitch - rest) * np.minimum(done / rules.straight, 1.0), 0.0)
    stands += np.where(pitch > 0.0, leg.toe_length * np.sin(tip), 0.0)
    late = eased(np.clip((done - rules.sinks) / (rules.low - rules.sinks), 0.0, 1.0))
    left = np.minimum((1.0 - done) / rules.lands, 1.0)
    over = rules.middle * np.minimum(done / rules.rises, 1.0) + (rules.late - rules.middle) * late
    low = stands + eased(left) * over
    return low, np.where(done > rules.low, low + left * rules.room, np.inf)


def _with_leg(
    character: Character, table: StepTable, swings: tuple[Leg, int], angles: Array, moved: Array, share: float
) -> StepTable:  # fmt: skip
    """Return a step whose leg that swings, and its side, has thigh and shin at angles (G + 1, 2), rad.

    moved (G + 1, 2): how far that has its ankle ahead and up, m. share: how far it glides in, 0..1.
    """
    leg, side = swings
    links, step = [leg.thigh, leg.shin], 1.0 / GRID
    rotations, ankles = table.rotations.copy(), table.ankles.copy()
    ankles[:, side, PLANE] += moved
    before = np.arctan2(-rotations[:, links, 0, 2], rotations[:, links, 2, 2])
    rotations[:, links] = rotations[:, links] @ _pitched(before - angles)
    angular_velocities, accelerations = table.angular_velocities.copy(), table.angular_accelerations.copy()
    angular_velocities[:, links] = rates_of(rotations[:, links], step)
    accelerations[:, links] = evened(slopes(angular_velocities[:, links], step))
    coms = character.placed(table.pelvis, rotations) + (rotations @ character.coms[..., None])[..., 0]
    centre = np.einsum("l,tlk->tk", character.masses / character.mass, coms)
    momenta, momentum_rates = momenta_of(character, coms - centre[:, None], rotations, angular_velocities, step)
    return replace(
        table, ankles=ankles, rotations=rotations, angular_velocities=angular_velocities,
        angular_accelerations=accelerations, momenta=momenta, momentum_rates=momentum_rates, lower=-moved[:, 1],
        glides=share,
        length=table.length + float(moved[-1, 0]),
    )  # fmt: skip


def _pitched(angles: Array) -> Array:
    """Return rotations (..., 3, 3) about the axis to the left by angles (...), rad."""
    c, s, none = np.cos(angles), np.sin(angles), np.zeros_like(angles)
    return np.stack((c, none, s, none, none + 1.0, none, -s, none, c), axis=-1).reshape(*angles.shape, 3, 3)
