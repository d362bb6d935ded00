"""Draws boxes and capsules as shaded solids: orthographic, exact depth, anti-aliased. numpy only.

View coordinates: u right, v up, w towards the eye, m.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..base.spatial import Array, quaternion_matrix
from ..character.model import Shape

_SAMPLES = 2  # per pixel and axis
_LIGHT = np.array([-0.35, 0.65, 0.67])  # towards the light, view coordinates
_AMBIENT = 0.62
_EDGE_DEPTH = 0.018  # m; a step in depth that gets an outline
_OUTLINE = np.array([0.12, 0.13, 0.16])


@dataclass(frozen=True)
class PlacedSolid:
    """One shape placed in view coordinates.

    shape: in its own frame. origin (3,), axes (3, 3): of that frame, view coordinates. color (3,): 0..1.
    """

    shape: Shape
    origin: Array
    axes: Array
    color: tuple[float, float, float]


@dataclass(frozen=True)
class Canvas:
    """A grid of pixels that covers u in ``left..right`` and v in ``bottom..top``, m."""

    left: float
    right: float
    bottom: float
    top: float
    pixels_per_metre: float

    @property
    def size(self) -> tuple[int, int]:
        """Rows and columns, pixels."""
        return (
            max(1, round((self.top - self.bottom) * self.pixels_per_metre)),
            max(1, round((self.right - self.left) * self.pixels_per_metre)),
        )

    @property
    def extent(self) -> tuple[float, float, float, float]:
        """Left, right, bottom, top, m: what imshow wants."""
        return (self.left, self.right, self.bottom, self.top)


def view_axes(eye: Array, up: Array) -> Array:
    """Return the rotation (3, 3) from world to view coordinates for an eye in direction ``eye`` (3,)."""
    w = eye / np.linalg.norm(eye)
    u = np.cross(up, w)
    u /= np.linalg.norm(u)
    return np.stack((u, np.cross(w, u), w))


def solids_in_view(
    shapes: Sequence[Shape], origins: Array, rotations: Array, colors: Sequence[tuple[float, float, float]],
    view: Array, center: Array,
) -> list[PlacedSolid]:  # fmt: skip
    """Return shapes as solids in view coordinates about ``center`` (3,).

    origins (L, 3), rotations (L, 4): of the shapes' frames, world. view (3, 3): world to view.
    """
    frames = view @ quaternion_matrix(rotations)
    places = (origins - center) @ view.T
    return [PlacedSolid(s, o, a, c) for s, o, a, c in zip(shapes, places, frames, colors, strict=True)]


def span(solids: Sequence[PlacedSolid]) -> tuple[float, float]:
    """Return the least and the greatest u that solids reach, m."""
    low, high = extent(solids)
    return float(low[0]), float(high[0])


def extent(solids: Sequence[PlacedSolid]) -> tuple[Array, Array]:
    """Return the least and the greatest (u, v, w) that solids reach, m."""
    bounds = [_bounds(solid) for solid in solids]
    return np.min([low for low, _ in bounds], axis=0), np.max([high for _, high in bounds], axis=0)


def rendered(solids: Sequence[PlacedSolid], canvas: Canvas) -> Array:
    """Return the solids as an image (rows, columns, 4), red green blue alpha, 0..1, top row first."""
    rows, columns = (n * _SAMPLES for n in canvas.size)
    pitch_u, pitch_v = (canvas.right - canvas.left) / columns, (canvas.top - canvas.bottom) / rows
    u = canvas.left + (np.arange(columns) + 0.5) * pitch_u
    v = canvas.top - (np.arange(rows) + 0.5) * pitch_v
    depth = np.full((rows, columns), -np.inf)
    color = np.zeros((rows, columns, 3))
    owner = np.full((rows, columns), -1)
    for number, solid in enumerate(solids):
        low, high = _bounds(solid)
        i = slice(*np.searchsorted(-v, (-high[1], -low[1])))
        j = slice(*np.searchsorted(u, (low[0], high[0])))
        if i.start == i.stop or j.start == j.stop:
            continue
        surface, normal = _surface(solid, u[j][None, :], v[i][:, None])
        nearer = surface > depth[i, j]
        shade = _AMBIENT + (1.0 - _AMBIENT) * np.clip(normal @ (_LIGHT / np.linalg.norm(_LIGHT)), -0.4, 1.0)
        depth[i, j] = np.where(nearer, surface, depth[i, j])
        owner[i, j] = np.where(nearer, number, owner[i, j])
        color[i, j] = np.where(nearer[..., None], shade[..., None] * np.array(solid.color), color[i, j])
    covered = np.isfinite(depth)
    color[_edges(depth, owner)] = _OUTLINE
    image = np.concatenate((color * covered[..., None], covered[..., None]), axis=-1)
    blocks = image.reshape(rows // _SAMPLES, _SAMPLES, columns // _SAMPLES, _SAMPLES, 4).mean(axis=(1, 3))
    alpha = blocks[..., 3:]
    blocks[..., :3] = np.divide(blocks[..., :3], alpha, out=np.zeros_like(blocks[..., :3]), where=alpha > 0.0)
    return np.asarray(np.clip(blocks, 0.0, 1.0))


def _bounds(solid: PlacedSolid) -> tuple[Array, Array]:
    center = solid.origin + solid.axes @ np.array(solid.shape.center)
    half = np.array(solid.shape.half)
    reach = np.abs(solid.axes) @ half if solid.shape.kind == "box" else np.abs(solid.axes @ half) + solid.shape.radius
    return center - reach, center + reach


def _surface(solid: PlacedSolid, u: Array, v: Array) -> tuple[Array, Array]:
    """Return depth (rows, columns), -inf where missed, and normals (rows, columns, 3) of the nearest surface."""
    center = solid.origin + solid.axes @ np.array(solid.shape.center)
    if solid.shape.kind == "box":
        return _box_surface(center, solid.axes, np.array(solid.shape.half), u, v)
    half = solid.axes @ np.array(solid.shape.half)
    return _capsule_surface(center - half, center + half, solid.shape.radius, u, v)


def _box_surface(center: Array, axes: Array, half: Array, u: Array, v: Array) -> tuple[Array, Array]:
    du, dv = np.broadcast_arrays(u - center[0], v - center[1])
    leave = np.full(du.shape, np.inf)
    enter = np.full(du.shape, -np.inf)
    face = np.zeros((*du.shape, 3))
    for k in range(3):
        axis = axes[:, k]
        offset = du * axis[0] + dv * axis[1]
        slope = axis[2]
        if abs(slope) < 1e-9:
            leave = np.where(np.abs(offset) > half[k], -np.inf, leave)
            continue
        far = (np.sign(slope) * half[k] - offset) / slope
        near = (-np.sign(slope) * half[k] - offset) / slope
        face = np.where((far < leave)[..., None], np.sign(slope) * axis, face)
        leave, enter = np.minimum(leave, far), np.maximum(enter, near)
    return np.where(leave >= enter, center[2] + leave, -np.inf), face


def _capsule_surface(a: Array, b: Array, radius: float, u: Array, v: Array) -> tuple[Array, Array]:
    u, v = np.broadcast_arrays(u, v)
    depth = np.full(u.shape, -np.inf)
    normal = np.zeros((*u.shape, 3))

    def put(found: Array, axis_point: Array) -> None:
        nonlocal depth, normal
        nearer = found > depth
        out = (np.stack((u, v, np.where(nearer, found, 0.0)), axis=-1) - axis_point) / radius
        normal = np.where(nearer[..., None], out, normal)
        depth = np.where(nearer, found, depth)

    for end in (a, b):
        square = radius**2 - (u - end[0]) ** 2 - (v - end[1]) ** 2
        put(np.where(square >= 0.0, end[2] + np.sqrt(np.maximum(square, 0.0)), -np.inf), end)
    length = float(np.linalg.norm(b - a))
    if length > 1e-9:
        n = (b - a) / length
        rise = 1.0 - n[2] ** 2
        if rise > 1e-9:
            du, dv = u - a[0], v - a[1]
            along = du * n[0] + dv * n[1]
            half_b = -along * n[2]
            root = half_b**2 - rise * (du**2 + dv**2 - along**2 - radius**2)
            w = (-half_b + np.sqrt(np.maximum(root, 0.0))) / rise
            place = along + w * n[2]
            hit = (root >= 0.0) & (place >= 0.0) & (place <= length)
            put(np.where(hit, a[2] + w, -np.inf), a + np.clip(place, 0.0, length)[..., None] * n)
    return depth, normal


def _edges(depth: Array, owner: Array) -> Array:
    """Return where (rows, columns) a solid ends before another one well behind it, or before nothing.

    depth: -inf where nothing is. owner: number of the solid, -1 where nothing is.
    """
    edge = np.zeros(depth.shape, dtype=bool)
    behind = np.where(owner < 0, -1e9, depth)
    for axis in (0, 1):
        for shift in (1, -1):
            other = np.roll(owner, shift, axis) != owner
            edge |= (owner >= 0) & other & (behind - np.roll(behind, shift, axis) > _EDGE_DEPTH)
    return edge
