"""Feet on slopes and stairs: where they stand, and how a swinging one clears the edges (Bruderlin 1988, chapter 8)."""

from __future__ import annotations

import numpy as np

from ..base.curves import envelope
from ..base.spatial import Array, forward_of
from ..world.height_profile import HeightProfile
from .body import Plane
from .track import FootTrack

_POINTS = 8  # of a sole's two parts that must not be in the ground
_EARLY, _SOFT = 0.05, 0.03  # s: how early a foot rises before an edge, and how softly


def on_profile(
    plane: Plane, foot: FootTrack, length: float, profile: HeightProfile, place: Array, yaw: Array, step: float
) -> tuple[Array, Array]:
    """Move a foot's ankle (T, 3), m, in place from flat ground onto a height profile.

    length: the body's scale. yaw (T,): the foot's heading, rad. step: between samples, s. Returns the
    slope below the foot (T,), rad, toes above heel positive, and how high the ground is where it stands, or between
    where it stood and will stand (T,), m.
    """
    share = foot.share
    flat = np.stack((length * foot.x, length * foot.y), axis=1)
    ends = []
    for arc in (length * foot.before, length * foot.after):
        slope = np.arctan(profile.slope(arc))
        s, c = np.sin(slope), np.cos(slope)
        along = flat[:, 0] - arc
        rise = profile.height(arc)
        ends.append((c * along - s * flat[:, 1] - along, rise + s * along + c * flat[:, 1] - flat[:, 1], slope, rise))
    (x0, z0, slope0, rise0), (x1, z1, slope1, rise1) = ends
    forward, up = x0 + share * (x1 - x0), z0 + share * (z1 - z0)
    slope = slope0 + share * (slope1 - slope0)
    up += _lift(plane, foot, length, profile, flat + np.stack((forward, up), axis=1), slope, step)
    place[:, :2] += forward[:, None] * forward_of(yaw)
    place[:, 2] += up
    return slope, rise0 + share * (rise1 - rise0)


def _lift(
    plane: Plane, foot: FootTrack, length: float, profile: HeightProfile, ankle: Array, slope: Array, step: float
) -> Array:
    """Return how much higher (T,), m, a swinging foot must be to clear the ground. ankle (T, 2): arc length, height."""
    pitch = foot.pitch - slope
    s, c = np.sin(pitch), np.cos(pitch)
    ts, tc = np.sin(pitch - foot.meta), np.cos(pitch - foot.meta)
    drop = plane.l9 - plane.l7
    sole = [(x * c - plane.l9 * s, x * s + plane.l9 * c) for x in np.linspace(-plane.l8, plane.l5, _POINTS)]
    ball_x, ball_down = plane.l5 * c - plane.l7 * s, plane.l5 * s + plane.l7 * c
    toes = [
        (ball_x + x * tc - drop * ts, ball_down + x * ts + drop * tc) for x in np.linspace(0.0, plane.l6, _POINTS)[1:]
    ]
    lack = np.zeros(len(pitch))
    for ahead, down in (*sole, *toes):
        lack = np.maximum(lack, profile.height(ankle[:, 0] + length * ahead) - ankle[:, 1] + length * down)
    lack[foot.down] = 0.0
    window = np.clip(16.0 * np.minimum(foot.share, 1.0 - foot.share), 0.0, 1.0)
    return np.asarray(np.maximum(lack, window * envelope(lack, step, _EARLY, _SOFT)))
