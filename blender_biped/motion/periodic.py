"""A walk or a run as one smooth periodic motion: its period, and Fourier's waves of its joints (Yin 2007, section 5).

Any motion that goes some strides will do: a recorded clip, or an action on an armature. Where it turns least is where
it is read; how it wanders and turns there is taken out, and what repeats is kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from ..base.errors import DataError
from ..base.spatial import (
    Array,
    continuous,
    matrix_quaternion,
    quaternion_matrix,
    rotation_vector,
    vector_matrix,
    yaw_quaternion,
)
from .clip import contacts
from .flights import flight_share, run_contacts, standing_on
from .gait_events import SIDES, ball_track, moving_mean
from .motion import RATE, Motion

MOST_WAVES = 8
"""Multiples of the stride's frequency that are kept at most."""
ACCURACY = np.radians(0.8)
"""Root mean square of what a joint's turn may miss for multiples that are left out, rad."""

_PERIODS = (0.55, 2.6)  # s of a stride of the reference body: a hurried one and a creeping one
_FEWEST, _ENOUGH = 1.9, 4.0  # strides that it must have, and that are read
_SLOWEST = 0.2  # m/s of the reference body; who goes slower does not walk
_STEADY = 0.6  # of the median speed, under which it starts or stops
_COARSE, _FINE = 200, 61  # periods that are tried
_MIDSTANCE = (0.15, 0.35)  # shares of a stride after a foot's strike in which it stands flat
_MIDCONTACT = (0.25, 0.55)  # and of the time that it is down, of one that runs
_LEVEL = np.radians(2.0)
_FEWEST_SAMPLES = 10
_CLOSED = np.radians(6.0)  # that joints may be off at a cycle's end
_ROUNDS, _LONG = 4, 5.0  # times that a cycle is repeated, and s of one at most
_ASTRAY = np.radians(50.0)  # who faces so far from the way goes aside or back
_FLIGHT = 0.04  # of the time, that both soles are over the ground at least in a run
_EVEN = (0.35, 0.65)  # phases of a run's right strike, as it steps from foot to foot
_UNLIKE = 0.7  # share of the hips' swing that repeats, at least, of what is a walk


@dataclass(frozen=True)
class Waves:
    """A turn that repeats. mean: (3,) rotation vector, rad. waves (K, 2, 3): of the turn from it, cosines and sines."""

    mean: Array
    waves: Array

    def at(self, phases: Array) -> Array:
        """Return the rotations (T, 3, 3) at phases (T,) of the stride."""
        return vector_matrix(self.mean) @ vector_matrix(summed(self.waves, phases))


@dataclass(frozen=True)
class Periodic:
    """One stride that repeats, of a walk or run straight ahead; its phase is 0 where the left foot strikes.

    duration: s. travel: m ahead. joints: by role, the turn in the parent's frame; the pelvis' is in the frame that
    looks along the way. sway (K, 2, 2): cosines and sines of where the mid-hip is ahead and to the left of its even
    way, m. right: phase of the right foot's strike. lifts: phases at which the left and the right foot leave the
    ground. strides: that it was made from. missing: root mean square of what the joints differ from it, rad, of the
    worst one. runs: whether no foot is down for a part of it.
    """

    duration: float
    travel: float
    joints: Mapping[str, Waves]
    sway: Array
    right: float
    lifts: tuple[float, float]
    strides: float
    missing: float
    runs: bool = False

    @property
    def speed(self) -> float:
        """Its speed, m/s."""
        return self.travel / self.duration

    @property
    def contacts(self) -> tuple[float, float]:
        """Shares of the stride for which the left and the right foot are down."""
        return self.lifts[0] % 1.0, (self.lifts[1] - self.right) % 1.0


def periodic(motion: Motion) -> Periodic:
    """Return what repeats in a motion of a body that walks or runs ahead on level ground.

    A cycle that closes is repeated, and a body that walks on the spot goes over the ground as its feet say. Raises
    DataError where it has too few strides, does not step from foot to foot, or goes backwards or sideways.
    """
    scale = np.sqrt(motion.character.size)  # of times and of speeds, Froude's
    motion = _travelling(_repeated(motion), _SLOWEST * scale)
    walk, start = _walking(motion, _SLOWEST * scale)
    swing = _hip_swing(walk)
    period = _primary(walk.times, swing, scale)
    walk, began = _straightest(walk, _ENOUGH * period)
    turns = _turns(walk)
    vectors = {role: _from_mean(turn)[1] for role, turn in turns.items()}
    period = _refined(walk.times, [vectors[r] for r in vectors if r.startswith(("thigh", "shin"))], period)
    strides = walk.duration / period
    if strides < _FEWEST:
        raise DataError(
            f"It walks {strides:.1f} strides at an even pace, and two whole ones are needed: take a longer motion, or "
            "repeat its cycle."
        )
    runs = flight_share(walk) > _FLIGHT
    steps = (events - (start + began, 0.0) for events in (run_contacts if runs else contacts)(motion))
    strikes, lifts = (_phases(events, walk, period) for events in steps)
    begin = strikes[0]
    right, left_lifts, right_lifts = ((phase - begin) % 1.0 for phase in (strikes[1], *lifts))
    if runs:
        _check_run(right, left_lifts, right_lifts)
    phases = (walk.times / period - begin) % 1.0
    direction = _way(walk, period)
    back = quaternion_matrix(yaw_quaternion(-direction))
    turns["pelvis"] = back @ turns["pelvis"]
    facing = float(np.angle(np.mean(np.exp(1j * _facing(turns["pelvis"])))))
    if abs(facing) > _ASTRAY:
        raise DataError(
            f"It faces {np.degrees(abs(facing)):.0f} degrees away from where it goes: a style can be made of walks "
            "and runs that go ahead."
        )
    joints, missing = {}, 0.0
    for role, turn in turns.items():
        joints[role], error = _waves_of(turn, phases)
        missing = max(missing, error)
    downs = left_lifts, (right_lifts - right) % 1.0
    for side, begins, down in zip(SIDES, (0.0, right), downs, strict=True):
        first, last = (down * share for share in _MIDCONTACT) if runs else _MIDSTANCE
        _set_flat(joints, side, begins + np.linspace(first, last, 21))
    trend = _trend(walk.times)
    harmonic = _harmonics(phases, MOST_WAVES)
    found = np.linalg.lstsq(np.hstack((trend, harmonic)), walk.root[:, :2], rcond=None)[0]
    aside = np.einsum("tij,tj->ti", back[:, :2, :2], harmonic @ found[3:])
    sway = np.linalg.lstsq(np.hstack((np.ones((len(phases), 1)), harmonic)), aside, rcond=None)[0][1:]
    way = np.gradient(trend @ found[:3], walk.times, axis=0)
    speed = float(np.mean(np.linalg.norm(way, axis=1)))
    return Periodic(
        duration=period, travel=speed * period, joints=joints, sway=sway.reshape(-1, 2, 2),
        right=float(right), lifts=(left_lifts, right_lifts), strides=strides, missing=missing, runs=runs,
    )  # fmt: skip


def _check_run(right: float, left_lifts: float, right_lifts: float) -> None:
    """Raise DataError where a motion with flights is no run. All: phases of the stride from the left strike on."""
    if not _EVEN[0] < right < _EVEN[1]:
        raise DataError(
            "It jumps, hops or gallops: its feet land together or one shortly after the other, and a style can be made "
            "of walks and runs, which step from foot to foot."
        )
    if left_lifts > right or right_lifts < right:
        raise DataError(
            "It runs on one foot and walks on the other: with no flight after both of its steps it is no run. Take a "
            "motion with a flight in each step, or in none."
        )


def _set_flat(joints: dict[str, Waves], side: str, phases: Array) -> None:
    """Turn a foot that stands on its heel alone for a whole stance so that it stands flat: nobody can.

    Where its rest pose has not the sole level, it is off by as much all the time. side: of SIDES. phases (N,): at which
    it stands. A foot with its heel up is left as it is: it may stand on tiptoe.
    """
    name = f"foot.{side}"
    chain = ["pelvis", f"thigh.{side}", f"shin.{side}", name]
    if not all(role in joints for role in chain):
        return
    turns = joints["pelvis"].at(phases)
    for role in chain[1:]:
        turns = turns @ joints[role].at(phases)
    pitch = float(np.median(np.arctan2(-turns[:, 2, 0], turns[:, 2, 2])))
    if pitch > -_LEVEL:
        return
    level = vector_matrix(np.array([0.0, -pitch, 0.0]))
    own = joints[name]
    mean = rotation_vector(matrix_quaternion(vector_matrix(own.mean) @ level))
    joints[name] = Waves(mean, own.waves @ level)


def summed(waves: Array, phases: Array) -> Array:
    """Return the sums (T, N) of waves (K, 2, N), cosines and sines, at phases (T,)."""
    count = len(waves)
    return np.asarray(_harmonics(phases, count) @ waves.reshape(2 * count, -1))


def _repeated(motion: Motion) -> Motion:
    """Return a motion that ends as it began several times, one after the other; another one as it is."""
    turns = _turns(motion)
    closes = max(float(np.linalg.norm(_between(t[0], t[-1]))) for role, t in turns.items() if role != "pelvis")
    closes = max(closes, float(np.linalg.norm(_between(turns["pelvis"][0], turns["pelvis"][-1]))))
    moves = max(float(np.ptp(t[:, 2, 0])) for role, t in turns.items() if role.startswith("thigh"))
    if closes > _CLOSED or moves < _CLOSED or len(motion.times) < _FEWEST_SAMPLES or motion.duration > _LONG:
        return motion
    count, length = len(motion.times) - 1, motion.duration
    travel = (motion.root[-1] - motion.root[0]) * (1.0, 1.0, 0.0)
    rounds = np.repeat(np.arange(_ROUNDS), count)
    samples = np.tile(np.arange(count), _ROUNDS)
    still = np.zeros((len(samples), *motion.torques.shape[1:]))
    return replace(
        motion, times=motion.times[samples] + rounds * length, root=motion.root[samples] + np.outer(rounds, travel),
        rotations=continuous(motion.rotations[samples]), loads=motion.loads[samples], torques=still,
        command=motion.command[samples],
    )  # fmt: skip


def _travelling(motion: Motion, slowest: float) -> Motion:
    """Return a motion that goes over the ground: of one on the spot the feet on the ground say how fast."""
    span = float(np.linalg.norm(motion.root[-1, :2] - motion.root[0, :2])) / max(motion.duration, 1e-9)
    if span > slowest or len(motion.times) < _FEWEST_SAMPLES:
        return motion
    balls = np.stack([ball_track(motion, side) for side in (0, 1)], axis=1)
    lower = np.argmin(balls[:, :, 2], axis=1)
    speeds = np.gradient(balls[:, :, :2], motion.times, axis=0)
    at = standing_on(motion) if flight_share(motion) > _FLIGHT else np.arange(len(lower))
    back = np.median(speeds[at, lower[at]], axis=0)
    if np.linalg.norm(back) < slowest:
        return motion
    root = motion.root.copy()
    root[:, :2] -= np.outer(motion.times - motion.times[0], back)
    return replace(motion, root=root)


def _between(one: Array, other: Array) -> Array:
    """Return how a rotation (3, 3) is turned to another one (3,), rad."""
    return rotation_vector(matrix_quaternion(one.T @ other))


def _walking(motion: Motion, slowest: float) -> tuple[Motion, float]:
    """Return the longest part of a motion in which it goes on at an even pace, and its begin, s. Raises DataError."""
    times = motion.times
    if len(times) < _FEWEST_SAMPLES or motion.duration < 1.0:
        raise DataError("It is shorter than a second: take a motion of at least two strides.")
    middle = moving_mean(motion.root[:, :2], times, min(1.0, 0.5 * motion.duration))
    speed = moving_mean(np.linalg.norm(np.gradient(middle, times, axis=0), axis=1), times, 0.6)
    going = speed > slowest
    if not going.any():
        raise DataError("It does not walk anywhere: the hips have to travel over the ground.")
    going &= speed > _STEADY * float(np.median(speed[going]))
    edges = np.flatnonzero(np.diff(np.concatenate(([0], going.astype(np.int8), [0]))))
    first, end = max(zip(edges[::2], edges[1::2], strict=True), key=lambda run: run[1] - run[0])
    return _cut(motion, float(times[first]), float(times[end - 1]))


def _cut(motion: Motion, begin: float, end: float) -> tuple[Motion, float]:
    """Return a part of a motion, its times from 0 on, and its begin, s."""
    part = motion.sampled(np.arange(np.ceil(begin * RATE - 1e-6), np.floor(end * RATE + 1e-6) + 1) / RATE)
    return replace(part, times=part.times - part.times[0]), float(part.times[0])


def _hip_swing(motion: Motion) -> Array:
    """Return how far the left foot is ahead of the right one (T,), m, along where the pelvis faces."""
    body = motion.character
    apart = motion.origins[:, body.index("foot.L"), :2] - motion.origins[:, body.index("foot.R"), :2]
    facing = _facing(quaternion_matrix(motion.rotations[:, 0]))
    return np.asarray(apart[:, 0] * np.cos(facing) + apart[:, 1] * np.sin(facing))


def _primary(times: Array, values: Array, scale: float) -> float:
    """Return the period, s, of the strongest frequency of values (T,). Raises DataError where nothing repeats."""
    low, high = (scale * p for p in _PERIODS)
    high = min(high, (times[-1] - times[0]) / 1.2)
    if high <= low:
        raise DataError("It has less than two strides: take a longer motion, or repeat its cycle.")
    tried = 1.0 / np.linspace(1.0 / high, 1.0 / low, _COARSE)
    shares = [_explained(times, values[:, None], period, 1) for period in tried]
    if max(shares) < _UNLIKE:
        raise DataError("Its legs do not swing in an even rhythm: a style can be made of walks and runs.")
    return float(tried[int(np.argmax(shares))])


def _refined(times: Array, signals: list[Array], period: float) -> float:
    """Return the period near one with which the most of signals, (T, 3) each, repeats."""
    values = np.hstack(signals)
    for reach in (0.12, 0.01):
        tried = period * np.linspace(1.0 - reach, 1.0 + reach, _FINE)
        period = float(tried[int(np.argmax([_explained(times, values, p, 5) for p in tried]))])
    return period


def _explained(times: Array, values: Array, period: float, count: int) -> float:
    """Return the share, 0..1, of the variance of values (T, N) that repeats with a period, in ``count`` waves."""
    basis = np.hstack((np.ones((len(times), 1)), _harmonics(times / period, count)))
    left = values - basis @ np.linalg.lstsq(basis, values, rcond=None)[0]
    return 1.0 - float((left**2).sum() / max(((values - values.mean(axis=0)) ** 2).sum(), 1e-12))


def _straightest(motion: Motion, length: float) -> tuple[Motion, float]:
    """Return the part of a motion, ``length`` s long, over which it turns least, and its begin, s."""
    if motion.duration <= length:
        return motion, 0.0
    way = np.gradient(moving_mean(motion.root[:, :2], motion.times, 0.5 * length), motion.times, axis=0)
    course = np.unwrap(np.arctan2(way[:, 1], way[:, 0]))
    count = round(length * RATE)
    windows = np.lib.stride_tricks.sliding_window_view(course, count)
    first = int(np.argmin(np.ptp(windows, axis=1)))
    return _cut(motion, float(motion.times[first]), float(motion.times[first + count - 1]))


def _turns(motion: Motion) -> dict[str, Array]:
    """Return each link's rotations (T, 3, 3) in its parent's frame, by role; the pelvis' are the world's."""
    turns, body = quaternion_matrix(motion.rotations), motion.character
    return {
        link.role: turns[:, i] if link.parent < 0 else np.swapaxes(turns[:, link.parent], -1, -2) @ turns[:, i]
        for i, link in enumerate(body.links)
    }


def _from_mean(turns: Array) -> tuple[Array, Array]:
    """Return the mean (3, 3) of rotations (T, 3, 3), and how they are turned from it (T, 3), rad."""
    u, _, v = np.linalg.svd(turns.mean(axis=0))
    u[:, -1] *= np.sign(np.linalg.det(u @ v))
    mean = u @ v
    return mean, rotation_vector(matrix_quaternion(mean.T @ turns))


def _waves_of(turns: Array, phases: Array) -> tuple[Waves, float]:
    """Return rotations (T, 3, 3) as waves, as few as are accurate, and how far they are from the rotations, rad."""
    mean, vectors = _from_mean(turns)
    whole = _fitted(vectors, phases, MOST_WAVES)
    waves = whole
    for count in range(1, MOST_WAVES):
        less = _fitted(vectors, phases, count)
        if _rms(summed(less[1], phases) + less[0] - summed(whole[1], phases) - whole[0]) < ACCURACY:
            waves = less
            break
    constant, found = waves
    error = _rms(summed(found, phases) + constant - vectors)
    turned = rotation_vector(matrix_quaternion(mean @ vector_matrix(constant)))
    return Waves(turned, found), error


def _fitted(values: Array, phases: Array, count: int) -> tuple[Array, Array]:
    """Return the constant (N,) and the waves (count, 2, N) that are nearest to values (T, N)."""
    basis = np.hstack((np.ones((len(phases), 1)), _harmonics(phases, count)))
    found = np.linalg.lstsq(basis, values, rcond=None)[0]
    return found[0], found[1:].reshape(count, 2, -1)


def _harmonics(phases: Array, count: int) -> Array:
    """Return cosines and sines (T, 2 count) of the multiples of a phase (T,)."""
    angles = 2.0 * np.pi * np.outer(phases, np.arange(1, count + 1))
    return np.stack((np.cos(angles), np.sin(angles)), axis=-1).reshape(len(phases), -1)


def _rms(values: Array) -> float:
    return float(np.sqrt((values**2).sum(axis=-1).mean()))


def _trend(times: Array) -> Array:
    """Return constant, line and parabola (T, 3) over times (T,)."""
    share = (times - times[0]) / (times[-1] - times[0]) - 0.5
    return np.stack((np.ones_like(share), share, share**2), axis=1)


def _way(motion: Motion, period: float) -> Array:
    """Return where it goes (T,), rad, without what repeats in every stride."""
    trend = _trend(motion.times)
    basis = np.hstack((trend, _harmonics(motion.times / period, 2)))
    found = np.linalg.lstsq(basis, motion.root[:, :2], rcond=None)[0][:3]
    way = np.gradient(trend @ found, motion.times, axis=0)
    return np.unwrap(np.arctan2(way[:, 1], way[:, 0]))


def _phases(events: Array, motion: Motion, period: float) -> tuple[float, float]:
    """Return the mean phases, times over the period, of events (K, 2) of both feet within a motion.

    Raises DataError where a foot has none.
    """
    found = []
    for side in (0, 1):
        times = events[(events[:, 1] == side) & (events[:, 0] >= motion.times[0]) & (events[:, 0] <= motion.times[-1])]
        if not len(times):
            raise DataError("Its feet do not step, one after the other: a style can be made of walks and runs.")
        turning = np.exp(2j * np.pi * times[:, 0] / period)
        middle = np.angle(turning.mean())
        # One foot strike that was mistaken must not move the others.
        middle += float(np.median(np.angle(turning * np.exp(-1j * middle))))
        found.append(float(middle / (2.0 * np.pi)))
    return found[0], found[1]


def _facing(turns: Array) -> Array:
    """Return where rotations (T, 3, 3) face, rad."""
    return np.asarray(np.arctan2(turns[:, 1, 0], turns[:, 0, 0]))
