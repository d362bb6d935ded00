"""A walk as a small picture: the body at some times next to each other, seen from the side, as pixels and as a file."""

from __future__ import annotations

import math
import struct
import zlib
from collections.abc import Sequence

import numpy as np

from ..base.spatial import Array
from ..character.model import Character
from ..job import Job
from ..preset.preset import Preset, usual_speed
from ..world.path import Path
from . import gait_events
from .motion import Motion
from .solids import Canvas, PlacedSolid, rendered, solids_in_view, span, view_axes

LEFT = (0.85, 0.36, 0.20)
"""Left limbs: orange."""
RIGHT = (0.20, 0.45, 0.75)
"""Right limbs: blue."""
MIDDLE = (0.80, 0.78, 0.74)
SKIN = (0.93, 0.80, 0.68)

THUMBNAIL = (144, 160)
"""Rows and columns of a thumbnail, pixels."""
_POSES = 3
_APART = 0.68  # m, where the outer ones have room for a step
_TALL = 1.98  # m of a thumbnail for a leg of 0.90 m: it has room for what stands above heads
_BELOW = 0.07  # m of that below the ground
_SHOWN = 7.0  # s of a walk that is drawn; then all have found their rhythm
_WAY = 100.0  # m straight ahead, longer than any of them
_USUAL = 1.2  # m/s of a style that does not say
_UNKNOWN = 1.1  # s, where nobody can say how long a stride is
_FALLING = 0.8  # s before it lies that are no walk any more
_LEVELS = 52  # of each color: a smaller file, and nobody sees it


def shown_job(style: Preset, body: Character) -> Job:
    """Return the walk that a style's thumbnail shows: straight ahead at its usual speed.

    Raises DataError for unusable speeds.
    """
    speed, path = usual_speed(style), Path([[0.0, 0.0], [_WAY, 0.0]])
    return Job(body, path, style, _USUAL if speed is None else speed, duration=_SHOWN, stop=False)


def thumbnail(motion: Motion, ground: float = 0.0) -> Array:
    """Return a stride from the side as a picture (rows, columns, 4), red green blue alpha, 0..1, top row first.

    The last whole stride is shown: a walk finds its rhythm only after some steps. ground: height of the floor, m.
    """
    rows, columns = THUMBNAIL
    scale = motion.character.size
    tall, begin = _TALL * scale, -_BELOW * scale
    wide = tall * columns / rows
    canvas = Canvas(0.0, wide, begin, begin + tall, rows / tall)
    image = np.zeros((rows, columns, 4))
    start, end = _stride(motion)
    poses = motion.sampled(start + (end - start) * np.arange(_POSES) / _POSES)
    facing = np.interp(poses.times, motion.times, gait_events.heading(motion))
    views = [side_view(float(angle)) for angle in facing]
    reach = [span(_solids(poses, k, views[k], ground)) for k in range(_POSES)]
    apart = _APART * scale
    ahead = float(np.mean(reach))  # of the hips: who bends forward is in the middle all the same
    for k in range(_POSES):
        draw_pose(image, canvas, poses, k, views[k], ground, 0.5 * wide + (k - 0.5 * (_POSES - 1)) * apart - ahead)
    return image


def _stride(motion: Motion) -> tuple[float, float]:
    """Return begin and end, s, of the last stride of a foot, before a fall; of the end of a motion that has none."""
    until = motion.duration - (_FALLING if motion.outcome == "fell" else 0.0)
    found = [stride for side in (0, 1) for stride in gait_events.strides(motion, side) if stride.end <= until]
    last = max(found, key=lambda stride: stride.end, default=None)
    return (last.start, last.end) if last else (max(0.0, until - _UNKNOWN), max(0.0, until))


def side_view(facing: float) -> Array:
    """Return the rotation (3, 3) from world to view for an eye at the right of who faces ``facing``, rad."""
    return view_axes(np.array([np.sin(facing), -np.cos(facing), 0.0]), np.array([0.0, 0.0, 1.0]))


def link_colors(character: Character) -> list[tuple[float, float, float]]:
    """Return the color of each link (L): left limbs orange, right ones blue."""

    def color(role: str) -> tuple[float, float, float]:
        if role.endswith(".L"):
            return LEFT
        if role.endswith(".R"):
            return RIGHT
        return SKIN if role == "head" else MIDDLE

    return [color(link.role) for link in character.links]


def draw_pose(image: Array, canvas: Canvas, poses: Motion, k: int, view: Array, ground: float, place: float) -> None:
    """Draw pose ``k`` on the image that covers ``canvas``, mid-hip at u = ``place``; view (3, 3): world to view."""
    draw_solids(image, canvas, _solids(poses, k, view, ground), place)


def draw_solids(image: Array, canvas: Canvas, solids: Sequence[PlacedSolid], place: float) -> None:
    """Draw solids on the image (rows, columns, 4) that covers ``canvas``, their u = 0 at u = ``place``, m."""
    low, high = span(solids)
    first = max(0, math.floor((place + low - canvas.left) * canvas.pixels_per_metre) - 1)
    last = min(image.shape[1], math.ceil((place + high - canvas.left) * canvas.pixels_per_metre) + 1)
    if last <= first:
        return
    begin, end = (canvas.left + n / canvas.pixels_per_metre - place for n in (first, last))
    layer = rendered(solids, Canvas(begin, end, canvas.bottom, canvas.top, canvas.pixels_per_metre))
    below = image[:, first:last]
    alpha = layer[..., 3:]
    below[..., :3] = alpha * layer[..., :3] + (1.0 - alpha) * below[..., :3]
    below[..., 3:] = alpha + (1.0 - alpha) * below[..., 3:]


def _solids(poses: Motion, k: int, view: Array, ground: float) -> list[PlacedSolid]:
    """Return the body in pose ``k`` in view coordinates about the ground below the mid-hip."""
    body, center = poses.character, np.array([poses.root[k, 0], poses.root[k, 1], ground])
    shapes = [link.shape for link in body.links]
    return solids_in_view(shapes, poses.origins[k], poses.rotations[k], link_colors(body), view, center)


def png(image: Array) -> bytes:
    """Return a picture (rows, columns, 4), 0..1, as a PNG file, in coarse colors: as small as a thumbnail should be."""
    levels = np.round(np.clip(image, 0.0, 1.0) * (_LEVELS - 1)).astype(np.uint8) * (255 // (_LEVELS - 1))
    levels[levels[..., 3] == 0] = 0  # what is not seen has no color
    rows, columns = levels.shape[:2]
    lines = levels.reshape(rows, columns * 4)
    rise = np.diff(lines, axis=0, prepend=np.zeros((1, columns * 4), np.uint8))  # the filter "up", modulo 256
    data = b"".join(b"\x02" + line.tobytes() for line in rise)
    header = struct.pack(">IIBBBBB", columns, rows, 8, 6, 0, 0, 0)  # 8 bits a channel, with alpha
    parts: Sequence[tuple[bytes, bytes]] = ((b"IHDR", header), (b"IDAT", zlib.compress(data, 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body)) for name, body in parts
    )
