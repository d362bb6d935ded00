"""How deep boxes and capsules overlap."""

from __future__ import annotations

from itertools import product

import numpy as np

from ..base.spatial import Array, quaternion_matrix
from ..character.model import Shape


def overlap(a: Shape, b: Shape, at_a: Array, turn_a: Array, at_b: Array, turn_b: Array) -> Array:
    """Return how deep two shapes overlap (T,), m; negative: how far apart they are.

    Points all over each are tested against the exact distance to the other; frames: origins (T, 3), rotations (T, 4).
    """
    m_a, m_b = quaternion_matrix(turn_a), quaternion_matrix(turn_b)
    relative = m_b.transpose(0, 2, 1) @ m_a
    offset = ((at_a - at_b)[:, None] @ m_b)[:, 0]
    a_in_b = _points(a) @ relative.transpose(0, 2, 1) + offset[:, None]
    b_in_a = (_points(b) - offset[:, None]) @ relative
    depth_a = a.radius - _distance(b, a_in_b).min(axis=1)
    depth_b = b.radius - _distance(a, b_in_a).min(axis=1)
    return np.asarray(np.maximum(depth_a, depth_b))


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
