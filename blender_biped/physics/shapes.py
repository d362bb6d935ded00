"""Collision shapes: numbers of PyBullet's, of links, things and grounds."""

from __future__ import annotations

from itertools import product

import numpy as np
import pybullet

from ..character.model import Link, Shape
from ..world.terrain import Terrain
from ..world.things import Solid
from .bound import Bound

NONE = -1
"""No shape."""
_CORNER = 0.001  # m, radius of a sole's corner, at most


def plane(physics: Bound) -> int:
    """Return a horizontal plane."""
    return int(physics.createCollisionShape(pybullet.GEOM_PLANE))


def mesh(physics: Bound, terrain: Terrain) -> int:
    """Return ground of triangles."""
    return int(
        physics.createCollisionShape(
            pybullet.GEOM_MESH, flags=pybullet.GEOM_FORCE_CONCAVE_TRIMESH,
            vertices=terrain.vertices.tolist(), indices=terrain.faces.ravel().tolist(),
        )
    )  # fmt: skip


def of_solid(physics: Bound, solid: Solid) -> int:
    """Return the shape of a thing."""
    if solid.kind == "box":
        return int(physics.createCollisionShape(pybullet.GEOM_BOX, halfExtents=solid.half))
    if solid.kind == "sphere":
        return int(physics.createCollisionShape(pybullet.GEOM_SPHERE, radius=solid.radius))
    if solid.kind == "capsule":
        return int(physics.createCollisionShape(pybullet.GEOM_CAPSULE, radius=solid.radius, height=2.0 * solid.half[2]))
    return int(physics.createCollisionShape(pybullet.GEOM_MESH, vertices=[list(point) for point in solid.points]))


def of_link(physics: Bound, link: Link) -> int:
    """Return the shape of a link."""
    s = link.shape
    if s.kind == "box":
        return box(physics, s)
    half = np.array(s.half)
    length = float(np.linalg.norm(half)) * 2.0
    if length < 1e-9:
        return int(physics.createCollisionShape(pybullet.GEOM_SPHERE, radius=s.radius, collisionFramePosition=s.center))
    axis = half / (0.5 * length)
    turn = np.array([axis[1] * -1.0, axis[0], 0.0, 1.0 + axis[2]])  # x, y, z, w: z axis to ``axis``
    turn = turn / np.linalg.norm(turn) if turn[3] > 1e-9 else np.array([1.0, 0.0, 0.0, 0.0])
    return int(
        physics.createCollisionShape(
            pybullet.GEOM_CAPSULE, radius=s.radius, height=length,
            collisionFramePosition=s.center, collisionFrameOrientation=turn.tolist(),
        )
    )  # fmt: skip


def box(physics: Bound, shape: Shape) -> int:
    """Return the box that a shape is."""
    return int(
        physics.createCollisionShape(
            pybullet.GEOM_BOX, halfExtents=shape.half, collisionFramePosition=shape.center
        )
    )  # fmt: skip


def corners(physics: Bound, shape: Shape) -> int:
    """Return the corners of the box that a shape is, small spheres inside it."""
    radius = min(_CORNER, *shape.half)
    inside = np.array(shape.half) - radius
    places = [(shape.center + inside * way).tolist() for way in product((-1.0, 1.0), repeat=3)]
    return int(
        physics.createCollisionShapeArray(
            shapeTypes=[pybullet.GEOM_SPHERE] * len(places), radii=[radius] * len(places),
            collisionFramePositions=places,
        )
    )  # fmt: skip
