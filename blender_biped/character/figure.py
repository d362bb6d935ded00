"""A character as lines and faces on its rig: what the overlay draws, so that a wrong mapping is seen."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import numpy as np

from ..base.box import unit_box
from ..base.errors import RigError
from ..base.spatial import Array, normalized, quaternion_matrix
from .model import Character, Shape

GROUPS = ("L", "R", "")
"""Left, right and middle: what is drawn in one colour."""

_ROUND = 16  # segments of a circle
_HINGED = ("shin", "foot", "forearm")  # links whose hinge axis is drawn
_AXIS, _ARROW = 0.12, 0.7  # of the leg: half a hinge's axis, the arrow


@dataclass(frozen=True, eq=False)
class Figure:
    """World, m. lines: group -> ends (N, 2, 3). faces: group -> corners (N, 3, 3). hinges, arrow: ends (N, 2, 3)."""

    lines: Mapping[str, Array]
    faces: Mapping[str, Array]
    hinges: Array
    arrow: Array


def link_places(
    character: Character, world: Array, pose: Mapping[str, Array], rest: Mapping[str, Array]
) -> tuple[Array, Array]:
    """Return where a posed rig puts the links: their joints (L, 3), m, and orientations (L, 3, 3), world.

    world (4, 4): armature space to metres. pose: bone -> matrix (4, 4) in armature space, as Blender has it;
    rest: bone -> rest orientation (3, 3). Both have the first bone of each link that has bones; a link without
    bones hangs on its parent. Raises RigError when a bone is missing or a number is not finite.
    """
    origins, turns = np.empty((len(character.links), 3)), np.empty((len(character.links), 3, 3))
    for i, link in enumerate(character.links):
        own = quaternion_matrix(link.rest)
        if not link.bones:
            parent = link.parent
            origins[i] = origins[parent] + turns[parent] @ link.offset
            turns[i] = turns[parent] @ quaternion_matrix(character.links[parent].rest).T @ own
            continue
        name = link.bones[0]
        if name not in pose or name not in rest:
            raise RigError(f"There is no bone {name!r} ({link.role}); map the bones again.")
        matrix = world @ pose[name]
        if not np.isfinite(matrix).all():
            raise RigError(f"The pose of the bone {name!r} is not a finite number; clear its transform.")
        turns[i] = _nearest_rotation(matrix[:3, :3] @ rest[name].T) @ own
        origins[i] = matrix[:3, 3]
        if link.parent < 0:
            origins[i] -= turns[i] @ character.hip_bone_offset
    return origins, turns


def figure(character: Character, origins: Array, turns: Array) -> Figure:
    """Return the lines and faces of a character whose links are placed: joints (L, 3), orientations (L, 3, 3)."""
    lines: dict[str, list[Array]] = {group: [] for group in GROUPS}
    faces: dict[str, list[Array]] = {group: [] for group in GROUPS}
    hinges = []
    reach = _AXIS * character.leg_length * np.array([[0.0, -1.0, 0.0], [0.0, 1.0, 0.0]])
    for link, origin, turn in zip(character.links, origins, turns, strict=True):
        part, side = link.part, link.side
        ends, corners = _outline(link.shape)
        lines[side].append(ends @ turn.T + origin)
        faces[side].append(corners @ turn.T + origin)
        if part in _HINGED:
            hinges.append(reach @ turn.T + origin)
    return Figure(
        lines={group: np.concatenate(parts) if parts else np.zeros((0, 2, 3)) for group, parts in lines.items()},
        faces={group: np.concatenate(parts) if parts else np.zeros((0, 3, 3)) for group, parts in faces.items()},
        hinges=np.array(hinges).reshape(-1, 2, 3),
        arrow=_arrow(character, origins, turns),
    )


def stature(character: Character) -> float:
    """Return the height of the character's highest part above its soles, standing, m."""
    origins, _ = character.standing()
    return max(float(at[2]) + _top(link.shape) for link, at in zip(character.links, origins, strict=True))


def _top(shape: Shape) -> float:
    return shape.center[2] + abs(shape.half[2]) + shape.radius


def _nearest_rotation(matrix: Array) -> Array:
    """Return the rotation (3, 3) nearest to a matrix that may also scale, shear or mirror."""
    u, _, v = np.linalg.svd(matrix)
    u[:, -1] *= np.linalg.det(u @ v)
    return np.asarray(u @ v)


def outline_points(shape: Shape) -> Array:
    """Return points (N, 3) on a shape, in its link's frame, m."""
    return _outline(shape)[1].reshape(-1, 3)


def _outline(shape: Shape) -> tuple[Array, Array]:
    """Return the lines (N, 2, 3) and faces (N, 3, 3) of a shape in its link's frame."""
    center, half = np.array(shape.center), np.array(shape.half)
    if shape.kind == "box":
        ends, corners = unit_box()
        return center + ends * half, center + corners * half
    length = np.linalg.norm(half)
    along = half / length if length > 0.0 else np.array([0.0, 0.0, 1.0])
    across = normalized(np.cross(along, np.eye(3)[int(np.argmin(np.abs(along)))]))
    axes = np.stack((across, np.cross(along, across), along))
    placed = []
    for unit in _unit_capsule():  # which end (..., 1), and the direction from it (..., 3)
        placed.append(center + unit[..., :1] * half + shape.radius * unit[..., 1:] @ axes)
    return placed[0], placed[1]


@cache
def _unit_capsule() -> tuple[Array, Array]:
    """Return lines (N, 2, 4) and triangles (N, 3, 4) of a capsule: end -1 or 1, and direction (3,) from that end."""
    angles = 2.0 * math.pi * np.arange(_ROUND + 1) / _ROUND
    cosines, sines, level = np.cos(angles), np.sin(angles), np.zeros(_ROUND + 1)

    def row(end: float, lift: float) -> Array:
        flat = math.cos(lift)
        return np.column_stack((level + end, flat * cosines, flat * sines, level + math.sin(lift)))

    loops = [row(end, 0.0) for end in (-1.0, 1.0)]
    half = _ROUND // 2
    for u, v in ((1.0, 0.0), (0.0, 1.0)):  # two outlines along the capsule: over the one end, back under the other
        over = np.column_stack((level + 1.0, u * cosines, v * cosines, sines))[: half + 1]
        under = np.column_stack((level - 1.0, u * cosines, v * cosines, sines))[half:]
        loops.append(np.concatenate((over, under, over[:1])))
    lines = [np.stack(ends) for loop in loops for ends in pairwise(loop)]
    rows = [row(-1.0, lift) for lift in np.linspace(-0.5 * math.pi, 0.0, 4)]
    rows += [row(1.0, lift) for lift in np.linspace(0.0, 0.5 * math.pi, 4)]
    triangles = []
    for low, high in pairwise(rows):
        for i in range(_ROUND):
            triangles += [np.stack((low[i], low[i + 1], high[i + 1])), np.stack((low[i], high[i + 1], high[i]))]
    return np.array(lines), np.array(triangles)


def _arrow(character: Character, origins: Array, turns: Array) -> Array:
    """Return the arrow (3, 2, 3) on the ground below the hips, to where the character faces."""
    lowest = min(float(origins[i][2] + character.links[i].shape.lowest(turns[i][2])) for i in character.soles)
    forward = turns[0][:, 0]
    level = forward * (1.0, 1.0, 0.0)
    if np.linalg.norm(level) > 0.1:  # else it faces the sky or the ground
        forward = normalized(level)
    left = normalized(np.cross((0.0, 0.0, 1.0), forward)) if abs(forward[2]) < 0.99 else turns[0][:, 1]
    leg = character.leg_length
    start = np.array([*origins[0][:2], lowest])
    tip = start + _ARROW * leg * forward
    barbs = [tip - 0.15 * leg * forward + sign * 0.1 * leg * left for sign in (-1.0, 1.0)]
    return np.array([[start, tip], *([barb, tip] for barb in barbs)])
