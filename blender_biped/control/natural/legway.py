"""The way of a leg over an obstacle: hips' course, foothold and joint ranges given, no part of it touches what is below.

High obstacles leave little room: a thigh that is straight down has its knee below their top. So knee and foot go out to the
side, and the foot is folded behind the shin, as hurdlers do. Which way takes the least haste is searched before the
swing, all samples of many ways at once.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from ...base.spatial import Array

SAMPLES = 25  # of a swing
KNOTS = 4  # between its start and its end
CLEARS = 0.035  # m between a leg and the obstacle
SPARE = 0.06  # rad that ankle and knee keep of their ranges
ROUNDS, WAYS, BEST = 60, 32, 10  # of the search: how often, how many ways at once, and how many of them go on
SPREAD = (0.06, 0.05, 0.08, 0.15, 0.2)  # m, m, m, rad, rad: of the ways about the first guess
HIGHEST, WIDEST = 0.1, 0.4  # m that ankles stay below the hips, and that they go aside at most
MOST_YAW = 1.1
STRETCHED = 0.9995  # of the leg
_ALONG = np.linspace(0.0, 1.0, 9)[:, None]
_WEIGHTS = np.array((1.0, 1.0, 1.0, 0.7, 0.5))


@dataclass(frozen=True)
class Bar:
    """An obstacle across the way, from below. half: of its size along the way, m. top: m above the ground."""

    half: float
    top: float


@dataclass(frozen=True)
class Limb:
    """What of a leg has to pass. side: 1 for the left one, -1. thick: radii of thigh and shin, m. knee: that it bends at most, rad.

    ankle: least and largest bend of the ankle, rad.
    """

    thigh: float
    shin: float
    ankle_height: float
    heel: float
    ball: float
    tip: float
    half_width: float
    thick: tuple[float, float]
    knee: float
    ankle: tuple[float, float]
    side: float


@dataclass(frozen=True)
class LegWay:
    """A way of a leg, at SAMPLES shares of its swing, x ahead from the obstacle's middle, y left, z up from the ground.

    ankles (K, 3), m. yaws (K,): how far the knee points to the left, rad. bends (K,): of the ankle, rad. pitches (K,): of the
    foot, heel up, rad. clear: least distance from the obstacle, m.
    """

    ankles: Array
    yaws: Array
    bends: Array
    pitches: Array
    clear: float

    def at(self, done: float) -> tuple[Array, float, float, float]:
        """Return ankle (3,), yaw, bend and pitch at a share of the swing."""
        place = min(max(done, 0.0), 1.0) * (SAMPLES - 1)
        i = min(int(place), SAMPLES - 2)
        u = place - i
        ankle = (1.0 - u) * self.ankles[i] + u * self.ankles[i + 1]
        yaw, bend, pitch = (
            float((1.0 - u) * v[i] + u * v[i + 1]) for v in (self.yaws, self.bends, self.pitches)
        )
        return np.asarray(ankle), yaw, bend, pitch


def _splined(knots: Array) -> Array:
    """Return values (N, SAMPLES) of cubics through knots (N, M + 2), at rest at both ends."""
    count = knots.shape[1]
    slopes = np.gradient(knots, axis=1)
    slopes[:, 0] = slopes[:, -1] = 0.0
    place = np.linspace(0.0, count - 1.0, SAMPLES)
    i = np.minimum(place.astype(int), count - 2)
    u = place - i
    return np.asarray(
        (1 + 2 * u) * (1 - u) ** 2 * knots[:, i] + u * (1 - u) ** 2 * slopes[:, i]
        + u**2 * (3 - 2 * u) * knots[:, i + 1] + u**2 * (u - 1) * slopes[:, i + 1]
    )  # fmt: skip


def _distances(points: Array, thick: float, bar: Bar) -> Array:
    """Return how far (N, K) the nearest of points (N, K, P, 3), m thick, is from a bar, m; below 0 inside it."""
    dx, dz = np.abs(points[..., 0]) - bar.half, points[..., 2] - bar.top
    out = np.hypot(np.maximum(dx, 0.0), np.maximum(dz, 0.0))
    inside = np.maximum(dx, dz)
    return np.asarray((np.where(inside < 0.0, inside, out) - thick).min(axis=-1))


class Search:
    """Looks for the way of one leg over a bar."""

    def __init__(
        self, limb: Limb, bar: Bar, hips: Array, start: tuple[Array, float, float], end: tuple[Array, float, float],
        time: float, apart: Array,
    ) -> None:  # fmt: skip
        """hips (K, 3): of the hip joint over the swing. start, end: ankle (3,), yaw, pitch. time: of the swing, s.

        apart (K,): least y to its side that the ankle keeps, m.
        """
        self._limb, self._bar, self._hips, self._time, self._apart = limb, bar, hips, time, apart
        self._start, self._end = start, end

    def made(self, ways: Array) -> tuple[Array, LegWay]:
        """Return how bad (N,) ways (N, 5, KNOTS) are, and the last one of them."""
        limb, hips = self._limb, self._hips
        (a0, y0, p0), (a1, y1, p1) = self._start, self._end
        count = len(ways)

        def course(k: int, first: float | Array, last: float | Array) -> Array:
            ends = [np.broadcast_to(v, (count,))[:, None] for v in (first, last)]
            return _splined(np.concatenate((ends[0], ways[:, k], ends[1]), axis=1))

        ankles = np.stack([course(k, a0[k], a1[k]) for k in range(3)], axis=-1)
        yaws = course(3, y0, y1)
        away = ankles - hips
        far = np.linalg.norm(away, axis=-1)
        z = -away / far[..., None]
        left = np.stack((-np.sin(yaws), np.cos(yaws), np.zeros_like(yaws)), axis=-1)
        y = left - (left * z).sum(axis=-1)[..., None] * z
        y /= np.linalg.norm(y, axis=-1)[..., None]
        x = np.cross(y, z)
        reach = np.clip(far, 0.02, STRETCHED * (limb.thigh + limb.shin))
        lift = np.arccos(np.clip((limb.thigh**2 + reach**2 - limb.shin**2) / (2 * limb.thigh * reach), -1, 1))
        inner = (limb.thigh**2 + limb.shin**2 - reach**2) / (2 * limb.thigh * limb.shin)
        knee = np.pi - np.arccos(np.clip(inner, -1, 1))

        def turned(angle: Array) -> tuple[Array, Array]:
            c, s = np.cos(angle)[..., None], np.sin(angle)[..., None]
            return c * x - s * z, s * x + c * z

        tx, tz = turned(-lift)
        sx, sz = turned(knee - lift)
        knees = hips - limb.thigh * tz
        lean = np.arctan2(-sx[..., 2], sz[..., 2])
        bends = course(4, p0 - lean[:, 0], p1 - lean[:, -1])
        c, s = np.cos(bends)[..., None], np.sin(bends)[..., None]
        fx, fz = c * sx - s * sz, s * sx + c * sz
        low = -limb.ankle_height
        outline = [
            ankles + ahead * fx + aside * y + up * fz
            for ahead, up in ((limb.heel, low), (0.0, low), (limb.ball, low), (limb.tip, low), (limb.tip, 0.6 * low))
            for aside in (-limb.half_width, limb.half_width)
        ]
        foot = np.stack(outline, axis=2)
        shin = knees[:, :, None] + _ALONG * (ankles - knees)[:, :, None]
        thigh = hips[:, None] + _ALONG * (knees - hips)[:, :, None]
        clear = np.minimum(_distances(foot, 0.0, self._bar), _distances(shin, limb.thick[1], self._bar))
        clear = np.minimum(clear, _distances(thigh, limb.thick[0], self._bar))
        step = self._time / (SAMPLES - 1)
        angles = np.stack(
            (knee, np.arctan2(tx[..., 2] * -1.0, tz[..., 2]), np.arctan2(tz[..., 1], tz[..., 2]), yaws, bends), axis=-1
        )
        haste = ((_WEIGHTS * np.diff(angles, 2, axis=1) / step**2) ** 2).mean(axis=(1, 2))
        low_ankle, high_ankle = limb.ankle
        inner_clear = clear[:, 2:-2]
        whole = limb.thigh + limb.shin
        terms = {
            "haste": haste * 1e-3,
            "thrown": sum(
                share * ((np.diff(joint, 2, axis=1) / step**2) ** 2).sum(axis=-1).mean(axis=-1)
                for joint, share in ((knees, 0.02), (ankles, 0.01))
            ),
            "aside": 10.0 * ((knees[..., 1] - hips[:, 1]) ** 2 + (ankles[..., 1] - a0[1]) ** 2).mean(axis=1),
            "clear": 3e6 * (np.minimum(inner_clear - CLEARS, 0.0) ** 2).mean(axis=1),
            "ground": 1e6 * (np.minimum(foot[:, 2:-2, :, 2].min(axis=2) - 0.01, 0.0) ** 2).mean(axis=1),
            "knee": 1e4 * (np.maximum(knee - limb.knee + SPARE, 0.0) ** 2).mean(axis=1),
            "far": 1e6 * (np.maximum(far - STRETCHED * whole, 0.0) ** 2).mean(axis=1),
            "ankle": 1e4 * (
                np.maximum(bends - high_ankle + SPARE, 0.0) ** 2 + np.minimum(bends - low_ankle - SPARE, 0.0) ** 2
            ).mean(axis=1),
            "apart": 3e5 * (np.minimum(limb.side * ankles[..., 1] - self._apart, 0.0) ** 2).mean(axis=1),
            "high": 1e3 * (np.maximum(ankles[..., 2] - hips[:, 2] + HIGHEST, 0.0) ** 2).mean(axis=1),
            "wide": 1e3 * (np.maximum(limb.side * ankles[..., 1] - WIDEST, 0.0) ** 2).mean(axis=1),
            "yaw": 1e2 * (np.maximum(np.abs(yaws) - MOST_YAW, 0.0) ** 2).mean(axis=1),
        }  # fmt: skip
        bad = sum(terms.values())
        self.terms = {k: round(float(v[-1]), 1) for k, v in terms.items()}
        last = LegWay(ankles[-1], yaws[-1], bends[-1], lean[-1] + bends[-1], float(inner_clear[-1].min()))
        return bad, last

    def best(self, guess: Array) -> tuple[float, LegWay]:
        """Return how bad the best way that is found is, and it. guess (5, KNOTS): where it is looked for."""
        rng = np.random.default_rng(0)
        count = guess.size
        mean, sigma = guess.ravel().copy(), 1.0
        cov = np.diag(np.repeat(SPREAD, KNOTS) ** 2)
        weights = math.log(BEST + 0.5) - np.log(np.arange(1, BEST + 1))
        weights /= weights.sum()
        found, least = mean, math.inf
        much = 1.0 / float((weights**2).sum())
        c1, cm = 2.0 / ((count + 1.3) ** 2 + much), 2.0 * (much - 2.0 + 1.0 / much) / ((count + 2.0) ** 2 + much)
        cc, cs = (4 + much / count) / (count + 4 + 2 * much / count), (much + 2) / (count + much + 5)
        damp = 1.0 + cs
        path_s, path_c = np.zeros(count), np.zeros(count)
        usual = math.sqrt(count) * (1 - 1 / (4 * count) + 1 / (21 * count**2))
        for _ in range(ROUNDS):
            d, b = np.linalg.eigh(cov)
            d = np.sqrt(np.maximum(d, 1e-14))
            ys = (rng.standard_normal((WAYS, count)) * d) @ b.T
            ways = mean + sigma * ys
            bad, _ = self.made(ways.reshape(WAYS, 5, KNOTS))
            order = np.argsort(bad)
            if bad[order[0]] < least:
                least, found = float(bad[order[0]]), ways[order[0]]
            y = weights @ ys[order[:BEST]]
            mean = mean + sigma * y
            path_s = (1 - cs) * path_s + math.sqrt(cs * (2 - cs) * much) * (b @ ((b.T @ y) / d))
            path_c = (1 - cc) * path_c + math.sqrt(cc * (2 - cc) * much) * y
            cov = (1 - c1 - cm) * cov + c1 * np.outer(path_c, path_c) + cm * (ys[order[:BEST]].T * weights) @ ys[order[:BEST]]
            sigma *= math.exp(cs / damp * (float(np.linalg.norm(path_s)) / usual - 1.0))
        bad, way = self.made(found.reshape(1, 5, KNOTS))
        return float(bad[0]), way


def guessed(limb: Limb, bar: Bar, start: Array, end: Array, leads: bool) -> Array:
    """Return the way (5, KNOTS) about which the best one is looked for. leads: whether the leg goes over first."""
    shares = np.linspace(0.0, 1.0, KNOTS + 2)[1:-1]
    x = start[0] + (end[0] - start[0]) * shares
    side = limb.side
    base = side * (0.5 * (start[1] + end[1]))
    if leads:
        y = base + np.array((0.05, 0.1, 0.1, 0.05))
        z = np.array((0.3, bar.top + 0.12, bar.top + 0.15, bar.top * 0.9))
        yaw, bend = np.full(KNOTS, 0.05), np.array((0.2, 0.0, 0.0, -0.2))
    else:
        x = start[0] + (end[0] - start[0]) * np.array((-0.06, 0.16, 0.42, 0.83))
        y = base + np.array((0.2, 0.3, 0.3, 0.1))
        z = np.array((bar.top + 0.05, bar.top + 0.23, bar.top + 0.21, bar.top - 0.1))
        yaw, bend = 0.6 * np.array((0.5, 1.0, 1.0, 0.5)), 0.5 * np.array((0.5, 1.0, 1.0, 0.3))
    return np.stack((x, side * y, np.maximum(z, 0.2), side * yaw, bend))
