"""Rotations and vectors for every room: quaternions w, x, y, z; arrays batched in front; SI units.

All functions take array-likes, broadcast over leading axes and return float64 arrays; those of a single angle as a
number are for inner loops.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]

IDENTITY: Array = np.array([1.0, 0.0, 0.0, 0.0])

# Rotation matrix entries are linear in the sixteen products q_i q_j: one table turns the outer
# product into the matrix, which is far faster for batches than nine separate expressions.
_FIRST, _SECOND = np.repeat(np.arange(4), 4), np.tile(np.arange(4), 4)  # i and j of the products
_MATRIX_FROM_PRODUCTS = np.zeros((16, 9))
for _entry, _terms in enumerate(
    (
        ((0, 0, 1), (1, 1, 1), (2, 2, -1), (3, 3, -1)),
        ((1, 2, 2), (0, 3, -2)),
        ((1, 3, 2), (0, 2, 2)),
        ((1, 2, 2), (0, 3, 2)),
        ((0, 0, 1), (1, 1, -1), (2, 2, 1), (3, 3, -1)),
        ((2, 3, 2), (0, 1, -2)),
        ((1, 3, 2), (0, 2, -2)),
        ((2, 3, 2), (0, 1, 2)),
        ((0, 0, 1), (1, 1, -1), (2, 2, -1), (3, 3, 1)),
    )
):
    for _i, _j, _factor in _terms:
        _MATRIX_FROM_PRODUCTS[4 * _i + _j, _entry] = _factor


_UNIT = 1e-3  # by which the square of a rotation's length may differ from 1


def normalized(vector: ArrayLike) -> Array:
    """Return vectors (..., k) scaled to unit length; a zero vector stays zero."""
    v = np.asarray(vector, dtype=float)
    length = np.linalg.norm(v, axis=-1, keepdims=True)
    return np.divide(v, length, out=np.zeros_like(v), where=length > 0.0)


def off_unit(q: ArrayLike) -> bool:
    """Return whether any of quaternions (..., 4) is not of length 1, as far as files have it."""
    parts = np.asarray(q, dtype=float)
    return bool((np.abs(np.einsum("...k,...k->...", parts, parts) - 1.0) > _UNIT).any())


def quaternion_product(a: ArrayLike, b: ArrayLike) -> Array:
    """Return the Hamilton product a b (..., 4): the rotation b followed by a."""
    a, b = np.broadcast_arrays(np.asarray(a, dtype=float), np.asarray(b, dtype=float))
    aw, ax, ay, az = np.moveaxis(a, -1, 0)
    bw, bx, by, bz = np.moveaxis(b, -1, 0)
    return np.stack(
        (
            aw * bw - ax * bx - ay * by - az * bz,
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
        ),
        axis=-1,
    )


def quaternion_conjugate(q: ArrayLike) -> Array:
    """Return the inverse of unit quaternions (..., 4)."""
    return np.asarray(q, dtype=float) * np.array([1.0, -1.0, -1.0, -1.0])


def quaternion_matrix(q: ArrayLike) -> Array:
    """Return rotation matrices (..., 3, 3) of unit quaternions (..., 4)."""
    q = np.asarray(q, dtype=float)
    products = q.take(_FIRST, axis=-1) * q.take(_SECOND, axis=-1)
    return (products @ _MATRIX_FROM_PRODUCTS).reshape((*q.shape[:-1], 3, 3))


def matrix_quaternion(matrix: ArrayLike) -> Array:
    """Return unit quaternions (..., 4), w >= 0, of rotation matrices (..., 3, 3) (Shepperd 1978)."""
    m = np.asarray(matrix, dtype=float)
    diagonal = np.stack((m[..., 0, 0], m[..., 1, 1], m[..., 2, 2]), axis=-1)
    trace = diagonal.sum(axis=-1)
    squares = np.concatenate((trace[..., None], diagonal), axis=-1)
    largest = squares.argmax(axis=-1)
    candidates = np.empty((*m.shape[:-2], 4, 4))
    wx, wy, wz = m[..., 2, 1] - m[..., 1, 2], m[..., 0, 2] - m[..., 2, 0], m[..., 1, 0] - m[..., 0, 1]
    xy, xz, yz = m[..., 1, 0] + m[..., 0, 1], m[..., 0, 2] + m[..., 2, 0], m[..., 2, 1] + m[..., 1, 2]
    own = 1.0 - trace[..., None] + 2.0 * diagonal
    candidates[..., 0, :] = np.stack((1.0 + trace, wx, wy, wz), axis=-1)
    candidates[..., 1, :] = np.stack((wx, own[..., 0], xy, xz), axis=-1)
    candidates[..., 2, :] = np.stack((wy, xy, own[..., 1], yz), axis=-1)
    candidates[..., 3, :] = np.stack((wz, xz, yz, own[..., 2]), axis=-1)
    q = normalized(np.take_along_axis(candidates, largest[..., None, None], axis=-2)[..., 0, :])
    return np.where(q[..., :1] < 0.0, -q, q)


def rotate(q: ArrayLike, vector: ArrayLike) -> Array:
    """Return vectors (..., 3) rotated by unit quaternions (..., 4)."""
    return np.einsum("...ij,...j->...i", quaternion_matrix(q), np.asarray(vector, dtype=float))


def axis_angle_quaternion(axis: ArrayLike, angle: ArrayLike) -> Array:
    """Return the unit quaternion (..., 4) of a turn by ``angle`` (...) rad about unit ``axis`` (..., 3)."""
    axis, half = np.asarray(axis, dtype=float), 0.5 * np.asarray(angle, dtype=float)[..., None]
    shape = np.broadcast_shapes(axis.shape[:-1], half.shape[:-1])
    return np.concatenate(
        (np.broadcast_to(np.cos(half), (*shape, 1)), np.broadcast_to(np.sin(half) * axis, (*shape, 3))), axis=-1
    )


def rotation_vector(q: ArrayLike) -> Array:
    """Return rotation vectors (..., 3), rad, length at most pi, of unit quaternions (..., 4)."""
    q = np.asarray(q, dtype=float)
    q = np.where(q[..., :1] < 0.0, -q, q)
    sine = np.linalg.norm(q[..., 1:], axis=-1, keepdims=True)
    angle = 2.0 * np.arctan2(sine, q[..., :1])
    factor = np.divide(angle, sine, out=np.full_like(angle, 2.0), where=sine > 1e-12)
    return factor * q[..., 1:]


def vector_matrix(vectors: ArrayLike) -> Array:
    """Return rotations (..., 3, 3) of rotation vectors (..., 3), rad."""
    vectors = np.asarray(vectors, dtype=float)
    angle = np.linalg.norm(vectors, axis=-1)
    axis = np.where(angle[..., None] > 1e-12, vectors / np.maximum(angle[..., None], 1e-12), (1.0, 0.0, 0.0))
    return quaternion_matrix(axis_angle_quaternion(axis, angle))


def nearest_rotations(matrices: ArrayLike) -> Array:
    """Return the rotations (..., 3, 3) that are nearest to matrices (..., 3, 3): their polar parts.

    All of them are NaN where one has a number that is not finite.
    """
    given = np.asarray(matrices, dtype=float)
    try:
        left, _, right = np.linalg.svd(given)
    except np.linalg.LinAlgError:
        return np.full_like(given, np.nan)
    return np.asarray(left @ right)


def shortest_arc(a: ArrayLike, b: ArrayLike) -> Array:
    """Return the smallest rotation (..., 4) that takes the direction ``a`` (..., 3) to ``b`` (..., 3).

    For opposite directions it turns about a horizontal axis across ``a``.
    """
    a, b = normalized(a), normalized(b)
    w = 1.0 + np.sum(a * b, axis=-1, keepdims=True)
    q = np.concatenate((w, np.cross(a, b)), axis=-1)
    across = np.cross(a, np.where(np.abs(a[..., 2:]) < 0.9, [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]))
    flipped = np.concatenate((np.zeros_like(w), normalized(across)), axis=-1)
    return np.where(w < 1e-9, flipped, normalized(q))


def continuous(q: ArrayLike) -> Array:
    """Return the same rotations (T, ..., 4) with signs chosen so that none flips between samples."""
    q = np.asarray(q, dtype=float)
    if len(q) < 2:
        return q.copy()
    flips = np.sum(q[1:] * q[:-1], axis=-1) < 0.0
    signs = np.concatenate((np.ones_like(q[:1, ..., 0]), np.cumprod(np.where(flips, -1.0, 1.0), axis=0)))
    return q * signs[..., None]


def yaw(q: ArrayLike) -> Array:
    """Return the heading (...) rad of unit quaternions (..., 4): where x points, seen from above."""
    q = np.asarray(q, dtype=float)
    w, x, y, z = np.moveaxis(q, -1, 0)
    return np.arctan2(2.0 * (x * y + w * z), w * w + x * x - y * y - z * z)


def yaw_quaternion(angle: ArrayLike) -> Array:
    """Return the unit quaternion (..., 4) of a turn by ``angle`` (...) rad about the vertical."""
    half = 0.5 * np.asarray(angle, dtype=float)
    zero = np.zeros_like(half)
    return np.stack((np.cos(half), zero, zero, np.sin(half)), axis=-1)


class Heading:
    """A level direction as single numbers, for inner loops: how far ahead and to the left things are along it."""

    __slots__ = ("cosine", "sine")

    def __init__(self, angle: float) -> None:
        """angle: from x towards y, rad."""
        self.cosine, self.sine = math.cos(angle), math.sin(angle)

    def seen(self, x: float, y: float) -> tuple[float, float]:
        """Return how far ahead and to the left a way along x and y goes."""
        c, s = self.cosine, self.sine
        return x * c + y * s, -x * s + y * c

    def along(self, ahead: float, aside: float) -> tuple[float, float]:
        """Return how far along x and y a way ahead and to the left goes."""
        c, s = self.cosine, self.sine
        return ahead * c - aside * s, ahead * s + aside * c


def forward_of(heading: ArrayLike) -> Array:
    """Return the level unit vectors (..., 2) towards headings (...), rad."""
    return np.stack((np.cos(heading), np.sin(heading)), axis=-1)


def left_of(heading: ArrayLike) -> Array:
    """Return the level unit vectors (..., 2) to the left of headings (...), rad."""
    return np.stack((-np.sin(heading), np.cos(heading)), axis=-1)


def yawed(angle: float) -> Array:
    """Return the rotation (3, 3) about z by an angle, rad."""
    c, s = math.cos(angle), math.sin(angle)
    return np.array((c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0)).reshape(3, 3)


def pitched(angle: float) -> Array:
    """Return the rotation (3, 3) about y by an angle, rad."""
    c, s = math.cos(angle), math.sin(angle)
    return np.array((c, 0.0, s, 0.0, 1.0, 0.0, -s, 0.0, c)).reshape(3, 3)


def faced(heading: float, pitch: float) -> Array:
    """Return the rotation (3, 3) about y by one angle, then about z by the other, rad."""
    c, s, a, b = math.cos(heading), math.sin(heading), math.cos(pitch), math.sin(pitch)
    return np.array((c * a, -s, c * b, s * a, c, s * b, -b, 0.0, a)).reshape(3, 3)


def interpolated_rotation(times: ArrayLike, at: ArrayLike, q: ArrayLike) -> Array:
    """Return rotations (K, ..., 4) at ``times`` (K,) from samples ``q`` (T, ..., 4) at ascending ``at`` (T,).

    Spherical linear interpolation; times outside the samples take the nearest one.
    """
    times, at, q = (np.asarray(a, dtype=float) for a in (times, at, q))
    if len(at) == 1:
        return np.repeat(q, len(times), axis=0)
    right = np.clip(np.searchsorted(at, times, side="right"), 1, len(at) - 1)
    left = right - 1
    share = np.clip((times - at[left]) / (at[right] - at[left]), 0.0, 1.0)
    step = rotation_vector(quaternion_product(q[right], quaternion_conjugate(q[left])))
    part = step * share.reshape((-1,) + (1,) * (step.ndim - 1))
    angle = np.linalg.norm(part, axis=-1)
    turn = axis_angle_quaternion(normalized(part), angle)
    return quaternion_product(turn, q[left])
