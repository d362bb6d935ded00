"""The way of a leg over an obstacle: no part of it touches what is below, and none moves in more haste than it must.

High obstacles leave little room. A knee below a thigh that hangs straight down is lower than half of the leg, so the
second leg goes over with its thigh to the back or to the side, the foot folded behind the shin. Which way does so with
the least haste is searched before the swing, all samples of many ways at once.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ....base.curves import cubic
from ....base.search import least
from ....base.spatial import Array
from ....character.model import Character
from ...shared.legs import LEFT, Leg

SAMPLES = 25
"""Of a swing."""
KNOTS = 4  # between its start and its end
CLEARS, ABOVE = 0.035, 0.01  # m between a leg and the obstacle, and between a foot and the ground
SPARE = 0.06  # rad that ankle and knee keep of their ranges
LOWER, WIDEST = 0.1, 0.4  # m that ankles stay below the hips, and that they go aside at most
MOST_YAW = 1.1  # rad that the knee points aside at most
ROUNDS, WAYS = 60, 32  # of the search: how often it looks, and at how many ways at once
SPREAD = (0.06, 0.05, 0.08, 0.15, 0.2)  # m, m, m, rad, rad: of the ways that it looks at first
STRETCHED = 0.9995  # of the leg
KNEES, ANKLES = (0.02, 0.08), (0.01, 0.04)
"""What it costs to throw them, and about which share of the body's mass is there."""
WRINGING = 1000.0  # what it costs to turn the body: one foot holds little of it, and the trunk has to take the rest
FREE = 2  # samples at both ends of the swing that need not clear anything: there the foot stands
LEADING = ((0.2, 0.4, 0.6, 0.8), (0.05, 0.1, 0.1, 0.05), (0.1, 0.12, 0.15, 0.0), (0.05,) * 4, (0.2, 0.0, 0.0, -0.2))
TRAILING = (
    (-0.06, 0.16, 0.42, 0.83), (0.2, 0.3, 0.3, 0.1), (0.05, 0.23, 0.21, -0.1), (0.3, 0.6, 0.6, 0.3),
    (0.25, 0.5, 0.5, 0.15),
)  # fmt: skip
"""Where the ways of the first and of the second leg are looked for: shares of the way ahead, m aside, m above the
obstacle, rad that the knee points outward, rad that the ankle bends."""
_LEAST_HEIGHT = 0.2  # m above the ground of such a guess
_ALONG = np.linspace(0.0, 1.0, 9)[:, None]
_EDGES = slice(FREE, -FREE)


@dataclass(frozen=True)
class Bar:
    """What a leg goes over, across its way. half: of its size along the way, m. top: m above the ground."""

    half: float
    top: float


@dataclass(frozen=True)
class LegShape:
    """What of a leg has to pass. leg: itself. side: 1 for the left one, -1 for the right one.

    thigh, shin: how thick they are, radii, m. knee: that it bends at most, ankle: least and largest bend, rad.
    """

    leg: Leg
    side: float
    thigh: float
    shin: float
    knee: float
    ankle: tuple[float, float]

    @property
    def outline(self) -> Array:
        """Points of the sole and of the toes' upper edge (P, 3), in the foot, m."""
        leg, low = self.leg, -self.leg.ankle_height
        tip = leg.tip
        places = ((leg.heel, low), (0.0, low), (leg.ball, low), (tip, low), (tip, 0.6 * low))
        return np.array([(x, y, z) for x, z in places for y in (-leg.half_width, leg.half_width)])


def leg_shape(character: Character, leg: Leg, side: int) -> LegShape:
    """Return what of a leg has to pass. side: LEFT or RIGHT."""
    knee, ankle = character.joint_ranges(leg.shin), character.joint_ranges(leg.foot)
    thigh, shin = (character.links[link].shape.radius for link in (leg.thigh, leg.shin))
    return LegShape(
        leg, 1.0 if side == LEFT else -1.0, thigh, shin, knee[0][1] if knee else math.pi,
        ankle[0] if ankle else (-math.pi, math.pi),
    )  # fmt: skip


@dataclass(frozen=True)
class FootPose:
    """Where a foot is at an end of its swing. ankle (3,): m. yaw: where it points, pitch: heel up, rad."""

    ankle: Array
    yaw: float
    pitch: float


@dataclass(frozen=True)
class LegWay:
    """A way of a leg at SAMPLES shares of its swing; x ahead from the obstacle's middle, y to the left, z up.

    ankles (K, 3), m. yaws (K,): how far the knee points to the left, ankle_angles (K,): rad that it bends, pitches
    (K,): of the foot, heel up, rad. clear: how near it comes to the obstacle, m.
    """

    ankles: Array
    yaws: Array
    ankle_angles: Array
    pitches: Array
    clear: float

    def at(self, done: float) -> tuple[Array, float, float, float]:
        """Return the ankle (3,), yaw, bend and pitch at a share of the swing."""
        place = min(max(done, 0.0), 1.0) * (SAMPLES - 1)
        i = min(int(place), SAMPLES - 2)
        u = place - i
        ankle = (1.0 - u) * self.ankles[i] + u * self.ankles[i + 1]
        yaw, bend, pitch = (
            float((1.0 - u) * v[i] + u * v[i + 1]) for v in (self.yaws, self.ankle_angles, self.pitches)
        )
        return np.asarray(ankle), yaw, bend, pitch


@dataclass(frozen=True)
class _Poses:
    """N ways at K samples. thigh, shin: their x and z axes (N, K, 3). foot (N, K, P, 3): its outline, m.

    ankles, knees (N, K, 3), far (N, K): from hip to ankle, m. yaws, bent (of the knee), ankle_angles, leans (of the
    shin) (N, K): rad.
    """

    ankles: Array
    knees: Array
    far: Array
    thigh: tuple[Array, Array]
    foot: Array
    yaws: Array
    bent: Array
    ankle_angles: Array
    leans: Array


class LegWaySearch:
    """Looks for the way of one leg over a bar."""

    def __init__(
        self, shape: LegShape, bar: Bar, hips: Array, start: FootPose, end: FootPose, time: float, aside: float,
        leads: bool,
    ) -> None:  # fmt: skip
        """Take where the hip joint is over the swing, hips (SAMPLES, 3), m, and how its foot stands at both ends.

        time: of the swing, s. aside: how far to its side the ankle is at least, m. leads: whether it is the first leg
        over.
        """
        self._shape, self._bar, self._hips, self._aside = shape, bar, hips, aside
        self._start, self._end, self._step, self._leads = start, end, time / (SAMPLES - 1), leads

    def best(self) -> LegWay:
        """Return the best way that is found."""
        guess = self._guess()
        spread = np.repeat(SPREAD, KNOTS)
        found = least(lambda points: self._costs(points.reshape(-1, 5, KNOTS)), guess.ravel(), spread, ROUNDS, WAYS)
        poses = self._posed(found.reshape(1, 5, KNOTS))
        return LegWay(
            poses.ankles[0], poses.yaws[0], poses.ankle_angles[0], poses.leans[0] + poses.ankle_angles[0],
            float(self._clear(poses)[0, _EDGES].min()),
        )  # fmt: skip

    def _guess(self) -> Array:
        """Return the way (5, KNOTS) about which it is looked for."""
        ahead, aside, above, yaw, bend = (np.array(row) for row in (LEADING if self._leads else TRAILING))
        first, last, side = self._start.ankle, self._end.ankle, self._shape.side
        return np.stack((
            first[0] + (last[0] - first[0]) * ahead,
            0.5 * (first[1] + last[1]) + side * aside,
            np.maximum(self._bar.top + above, _LEAST_HEIGHT),
            side * yaw,
            bend,
        ))  # fmt: skip

    def _posed(self, ways: Array) -> _Poses:
        """Return the legs of ways (N, 5, KNOTS): ankles' places, yaws and ankles' bends at their knots."""
        leg, start, end = self._shape.leg, self._start, self._end
        ankles = np.stack([_through(start.ankle[k], ways[:, k], end.ankle[k]) for k in range(3)], axis=-1)
        yaws = _through(start.yaw, ways[:, 3], end.yaw)
        away = ankles - self._hips
        far = np.linalg.norm(away, axis=-1)
        up = -away / far[..., None]
        left = np.stack((-np.sin(yaws), np.cos(yaws), np.zeros_like(yaws)), axis=-1)
        left -= (left * up).sum(axis=-1)[..., None] * up
        left /= np.linalg.norm(left, axis=-1)[..., None]
        ahead = np.cross(left, up)
        thigh, shin = leg.thigh_length, leg.shin_length
        reach = np.clip(far, abs(thigh - shin) + 1e-3, STRETCHED * leg.length)
        lift = np.arccos(np.clip((thigh**2 + reach**2 - shin**2) / (2.0 * thigh * reach), -1.0, 1.0))
        bent = np.pi - np.arccos(np.clip((thigh**2 + shin**2 - reach**2) / (2.0 * thigh * shin), -1.0, 1.0))
        thigh_axes, shin_axes = _pitched(ahead, up, -lift), _pitched(ahead, up, bent - lift)
        leans = np.arctan2(-shin_axes[0][..., 2], shin_axes[1][..., 2])
        ankle_angles = _through(start.pitch - leans[:, 0], ways[:, 4], end.pitch - leans[:, -1])
        foot_axes = np.stack((*_pitched(*shin_axes, ankle_angles), left), axis=-2)
        foot = ankles[:, :, None] + self._shape.outline[:, (0, 2, 1)] @ foot_axes
        return _Poses(
            ankles, self._hips - thigh * thigh_axes[1], far, thigh_axes, foot, yaws, bent, ankle_angles, leans
        )  # fmt: skip

    def _clear(self, poses: _Poses) -> Array:
        """Return how far (N, K) legs are from the bar, m; below 0 within it."""
        shin = poses.knees[:, :, None] + _ALONG * (poses.ankles - poses.knees)[:, :, None]
        thigh = self._hips[:, None] + _ALONG * (poses.knees - self._hips)[:, :, None]
        parts = ((poses.foot, 0.0), (shin, self._shape.shin), (thigh, self._shape.thigh))
        return np.asarray(np.min([_away(points, thick, self._bar) for points, thick in parts], axis=0))

    def _costs(self, ways: Array) -> Array:
        """Return how bad (N,) ways (N, 5, KNOTS) are: their haste, and much more for what cannot be."""
        shape, poses, step = self._shape, self._posed(ways), self._step
        (tx, tz), ankles = poses.thigh, poses.ankles
        angles = np.stack((
            poses.bent, np.arctan2(-tx[..., 2], tz[..., 2]), np.arctan2(tz[..., 1], tz[..., 2]), 0.7 * poses.yaws,
            0.5 * poses.ankle_angles,
        ), axis=-1)  # fmt: skip
        cost = 1e-3 * _square(np.diff(angles, 2, axis=1) / step**2).mean(axis=1) / angles.shape[-1]
        wrung: Array = np.zeros(1)
        for joint, share, mass in (
            (poses.knees, *KNEES),
            (ankles, *ANKLES),
        ):  # what is thrown pushes and turns the body
            thrown, arm = np.diff(joint, 2, axis=1) / step**2, (joint - self._hips)[:, 1:-1]
            cost += share * _square(thrown).mean(axis=1)
            wrung = wrung + mass * (arm[..., 0] * thrown[..., 1] - arm[..., 1] * thrown[..., 0])
        cost += WRINGING * (wrung**2).mean(axis=1)
        away = (poses.knees[..., 1] - self._hips[:, 1], ankles[..., 1] - self._start.ankle[1])
        cost += 10.0 * sum((y**2).mean(axis=1) for y in away)
        low, high = shape.ankle
        beyond = (  # how far, and how much that costs
            (CLEARS - self._clear(poses)[:, _EDGES], 3e6),
            (ABOVE - poses.foot[:, _EDGES, :, 2].min(axis=2), 1e6),
            (poses.far - STRETCHED * shape.leg.length, 1e6),
            (self._aside - shape.side * ankles[..., 1], 3e5),
            (poses.bent - shape.knee + SPARE, 1e4),
            (poses.ankle_angles - high + SPARE, 1e4),
            (low + SPARE - poses.ankle_angles, 1e4),
            (ankles[..., 2] - self._hips[:, 2] + LOWER, 1e3),
            (shape.side * ankles[..., 1] - WIDEST, 1e3),
            (np.abs(poses.yaws) - MOST_YAW, 1e2),
        )
        return np.asarray(cost + sum(much * (np.maximum(far, 0.0) ** 2).mean(axis=1) for far, much in beyond))


def _through(first: Array | float, knots: Array, last: Array | float) -> Array:
    """Return values (N, SAMPLES) of cubics through knots (N, KNOTS) between two values, at rest at both ends."""
    ends = [np.broadcast_to(value, (len(knots),))[:, None] for value in (first, last)]
    values = np.concatenate((ends[0], knots, ends[1]), axis=1)
    slopes = np.gradient(values, axis=1)
    slopes[:, 0] = slopes[:, -1] = 0.0
    place = np.linspace(0.0, values.shape[1] - 1.0, SAMPLES)
    i = np.minimum(place.astype(int), values.shape[1] - 2)
    ends_of = (values[:, i], values[:, i + 1]), (slopes[:, i], slopes[:, i + 1])
    return cubic(place - i, np.ones(SAMPLES), *ends_of)


def _pitched(ahead: Array, up: Array, angle: Array) -> tuple[Array, Array]:
    """Return the axes (N, K, 3) ahead and up of a frame that is turned about the third one, rad."""
    c, s = np.cos(angle)[..., None], np.sin(angle)[..., None]
    return c * ahead - s * up, s * ahead + c * up


def _away(points: Array, thick: float, bar: Bar) -> Array:
    """Return how far (N, K) the nearest of points (N, K, P, 3) with a radius is from a bar, m; below 0 within it."""
    over, above = np.abs(points[..., 0]) - bar.half, points[..., 2] - bar.top
    outside = np.hypot(np.maximum(over, 0.0), np.maximum(above, 0.0))
    inside = np.minimum(np.maximum(over, above), 0.0)
    return np.asarray((outside + inside - thick).min(axis=-1))


def _square(values: Array) -> Array:
    """Return the squared lengths (...,) of rows (..., K)."""
    return np.asarray((values**2).sum(axis=-1))
