"""Two-link inverse kinematics of a leg: hip and knee for a desired ankle place (Coros 2010, section 3.5)."""

from __future__ import annotations

import math

Vector = tuple[float, float, float]
Rows = tuple[float, ...]  # a 3 x 3 matrix, row by row

REACH = 0.995  # share of the straight leg: a straighter knee has no defined plane and jerks


def leg_orientations(
    hip: Vector,
    ankle: Vector,
    thigh: float,
    shin: float,
    left: Vector,
    aside: float = 0.0,
    straight: float = REACH,
) -> tuple[Rows, Rows, float]:
    """Return world orientations of thigh and shin (nine numbers each, row by row), and the knee angle, rad.

    hip, ankle: joint places, world, m. thigh, shin: lengths across the knee's axis, m. left: unit vector that
    this axis should follow; the knee bends forward, square to it. aside: how far the ankle is from the hip along
    the axis, m, whatever the knee does. straight: share of the whole leg to which it is stretched at most. A place out
    of reach is approached as far as it goes.
    """
    dx, dy, dz = ankle[0] - hip[0], ankle[1] - hip[1], ankle[2] - hip[2]
    distance = math.sqrt(dx * dx + dy * dy + dz * dz)
    inverse = 1.0 / max(distance, 1e-9)
    zx, zy, zz = -dx * inverse, -dy * inverse, -dz * inverse  # up along the leg
    dot = left[0] * zx + left[1] * zy + left[2] * zz
    yx, yy, yz = left[0] - dot * zx, left[1] - dot * zy, left[2] - dot * zz
    inverse = 1.0 / max(math.sqrt(yx * yx + yy * yy + yz * yz), 1e-9)
    yx, yy, yz = yx * inverse, yy * inverse, yz * inverse
    if aside:  # the axis leans so that the ankle is that far along it
        sine = min(max(-aside / max(distance, 1e-9), -0.9), 0.9)
        cosine = math.sqrt(1.0 - sine * sine)
        yx, yy, yz, zx, zy, zz = (
            cosine * yx + sine * zx, cosine * yy + sine * zy, cosine * yz + sine * zz,
            cosine * zx - sine * yx, cosine * zy - sine * yy, cosine * zz - sine * yz,
        )  # fmt: skip
        distance *= cosine
    xx, xy, xz = yy * zz - yz * zy, yz * zx - yx * zz, yx * zy - yy * zx  # y cross z: forward
    reach = min(max(distance, abs(thigh - shin) + 1e-3), straight * (thigh + shin))
    lift = math.acos(_unit((thigh * thigh + reach * reach - shin * shin) / (2.0 * thigh * reach)))
    knee = math.pi - math.acos(_unit((thigh * thigh + shin * shin - reach * reach) / (2.0 * thigh * shin)))
    axes = (xx, xy, xz), (yx, yy, yz), (zx, zy, zz)
    return _turned(axes, -lift), _turned(axes, knee - lift), knee


def _turned(axes: tuple[Vector, Vector, Vector], angle: float) -> Rows:
    """Return the frame with these axes as columns, turned about its own y."""
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = axes
    c, s = math.cos(angle), math.sin(angle)
    return (
        c * xx - s * zx, yx, s * xx + c * zx,
        c * xy - s * zy, yy, s * xy + c * zy,
        c * xz - s * zz, yz, s * xz + c * zz,
    )  # fmt: skip


def _unit(value: float) -> float:
    return min(max(value, -1.0), 1.0)
