"""How deep boxes and capsules overlap."""

from __future__ import annotations

from functools import lru_cache
from itertools import product

import numpy as np

from ..base.spatial import Array, quaternion_matrix
from ..character.model import Shape

_ROUNDING = 1e-9  # m, by which a bound of a depth may be wrong


def overlap(
    a: Shape, b: Shape, at_a: Array, turn_a: Array, at_b: Array, turn_b: Array, beyond: float = -np.inf
) -> Array:
    """Return how deep two shapes overlap (T,), m; negative: how far apart they are.

    Points all over each are tested against the exact distance to the other; frames: origins (T, 3), rotations (T, 4).
    beyond: smaller depths, m, do not matter: where it cannot be more, -inf may be returned, which is found sooner.
    """
    m_a, m_b = quaternion_matrix(turn_a), quaternion_matrix(turn_b)
    relative = m_b.transpose(0, 2, 1) @ m_a
    offset = ((at_a - at_b)[:, None] @ m_b)[:, 0]
    found = np.full(len(offset), -np.inf)
    deeper = _most(a, b, relative, offset) > beyond - _ROUNDING
    if deeper.any():
        found[deeper] = _depth(a, b, relative[deeper], offset[deeper])
    return found


def _depth(a: Shape, b: Shape, relative: Array, offset: Array) -> Array:
    """Return how deep two shapes overlap (T,), m: rotations (T, 3, 3) and origin (T, 3) of the first in the second."""
    a_in_b = _points(a) @ relative.transpose(0, 2, 1) + offset[:, None]
    b_in_a = (_points(b) - offset[:, None]) @ relative
    depth_a = a.radius - _distance(b, a_in_b).min(axis=1)
    depth_b = b.radius - _distance(a, b_in_a).min(axis=1)
    return np.asarray(np.maximum(depth_a, depth_b))


def _most(a: Shape, b: Shape, relative: Array, offset: Array) -> Array:
    """Return what the depth of ``_depth`` cannot be more than (T,), m: the overlap along each axis of both frames.

    A point's distance to a convex shape is no less than its distance along any direction.
    """
    half_a, half_b = np.abs(a.half), np.abs(b.half)
    center_a, center_b = np.array(a.center), np.array(b.center)
    apart = offset + relative @ center_a - center_b
    along_b = half_b + np.abs(relative) @ half_a - np.abs(apart)
    back = relative.transpose(0, 2, 1)
    along_a = half_a + np.abs(back) @ half_b - np.abs((back @ apart[..., None])[..., 0])
    return np.asarray(np.minimum(along_a.min(axis=1), along_b.min(axis=1)) + a.radius + b.radius)


@lru_cache(maxsize=64)
def _points(shape: Shape) -> Array:
    """Return points (P, 3) that stand for a shape: along a capsule's axis, over a box."""
    center, half = np.array(shape.center), np.array(shape.half)
    if shape.kind == "capsule":
        return np.asarray(center + np.linspace(-1.0, 1.0, 33)[:, None] * half)
    grid = np.array(list(product(np.linspace(-1.0, 1.0, 9), np.linspace(-1.0, 1.0, 5), (-1.0, 0.0, 1.0))))
    return np.asarray(center + grid * half)


def _distance(shape: Shape, points: Array) -> Array:
    """Return the distance (...), m, of points (..., 3) in a shape's frame to its surface, negative inside."""
    p = points - np.array(shape.center)
    half = np.array(shape.half)
    if shape.kind == "capsule":
        square = float(half @ half)
        share = np.clip((p @ half) / square, -1.0, 1.0) if square > 0.0 else np.zeros(p.shape[:-1])
        return np.asarray(np.linalg.norm(p - share[..., None] * half, axis=-1) - shape.radius)
    out = np.abs(p) - half
    return np.asarray(np.linalg.norm(np.maximum(out, 0.0), axis=-1) + np.minimum(out.max(axis=-1), 0.0))
