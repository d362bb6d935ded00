"""Inverse kinematics of many poses at once: thigh and shin for given hips and ankles, exactly."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..base.spatial import Array, left_of, matrix_quaternion, normalized
from ..character.model import Character


@dataclass(frozen=True)
class LegLinks:
    """A leg of a character: links, and where their joints are: hip in the pelvis' frame, knee and ankle, (3,), m."""

    thigh: int
    shin: int
    foot: int
    toes: int
    hip: Array
    knee: Array
    ankle: Array

    @property
    def longest(self) -> float:
        """Hip to ankle, as far as the knee lets them be apart, m."""
        level, aside = self._plane()
        return float(np.hypot(sum(level), aside))

    def _plane(self) -> tuple[tuple[float, float], float]:
        a, b = (float(np.hypot(v[0], v[2])) for v in (self.knee, self.ankle))
        return (a, b), float(self.knee[1] + self.ankle[1])

    def distance(self, knee: Array) -> Array:
        """Return hip to ankle (T,), m, when the knee is bent by ``knee`` (T,) rad from its straightest."""
        (a, b), aside = self._plane()
        return np.asarray(np.sqrt(a * a + b * b + 2.0 * a * b * np.cos(knee) + aside * aside))


def limb(character: Character, side: str) -> LegLinks:
    """Return a character's leg; side: L or R."""
    thigh, shin, foot, toes = (character.index(f"{part}.{side}") for part in ("thigh", "shin", "foot", "toes"))
    o = character.offsets
    return LegLinks(thigh, shin, foot, toes, o[thigh], o[shin], o[foot])


def bent(leg: LegLinks, hips: Array, ankles: Array, facing: Array) -> tuple[Array, Array]:
    """Return world orientations (T, 4) of thigh and shin for hips and ankles (T, 3), m, world.

    facing (T,): where the knee shall point, rad. Knees bend forward. An ankle out of reach is approached.
    """
    thigh, hinge = _matrices(leg, hips, ankles, facing)
    return matrix_quaternion(thigh), matrix_quaternion(thigh @ hinge)


def knee_places(leg: LegLinks, hips: Array, ankles: Array, facing: Array) -> Array:
    """Return where the knee is (T, 3), m, world, of the leg that ``bent`` makes."""
    return np.asarray(hips + _matrices(leg, hips, ankles, facing)[0] @ leg.knee)


def _matrices(leg: LegLinks, hips: Array, ankles: Array, facing: Array) -> tuple[Array, Array]:
    """Return the thigh's orientation and that of the shin in it, (T, 3, 3)."""
    (a, b), aside = leg._plane()
    d = ankles - hips
    square = np.maximum(np.einsum("ti,ti->t", d, d) - aside * aside, 1e-12)
    cosine = np.clip((square - a * a - b * b) / (2.0 * a * b), -1.0, 1.0)
    # The straightest knee is where both parts are in line in the plane square to its axis.
    tilt = np.arctan2(leg.knee[0], -leg.knee[2]) - np.arctan2(leg.ankle[0], -leg.ankle[2])
    knee = np.arccos(cosine) - tilt
    s, c = np.sin(knee), np.cos(knee)
    x, y, z = leg.ankle
    turned = np.stack((c * x + s * z, np.full_like(c, y), c * z - s * x), axis=1)
    v = leg.knee + turned
    own = _frames(v, np.broadcast_to(np.array([0.0, 1.0, 0.0]), v.shape))
    world = _frames(d, np.pad(left_of(facing), ((0, 0), (0, 1))))
    hinge = np.zeros((len(c), 3, 3))
    hinge[:, 0, 0], hinge[:, 0, 2], hinge[:, 1, 1], hinge[:, 2, 0], hinge[:, 2, 2] = c, s, 1.0, -s, c
    return world @ own.transpose(0, 2, 1), hinge


def _frames(along: Array, across: Array) -> Array:
    """Return frames (T, 3, 3), as columns: along, as near to ``across`` as can be, and square to both."""
    a = normalized(along)
    b = normalized(across - np.einsum("ti,ti->t", across, a)[:, None] * a)
    return np.stack((a, b, np.cross(a, b)), axis=-1)
