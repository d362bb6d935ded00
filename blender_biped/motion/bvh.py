"""Motions as BVH files, for other programs.

Y is up and a walk along the world's x goes along the file's Z: world (x, y, z) is written as (y, z, x). Each link is a
joint at its own origin; all rotation channels are zero in the standing pose, ZXY in degrees. Blender's importer with
its usual settings (-Z forward, Y up) turns the walk by -90 degrees about the vertical.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..base.files import written
from ..base.spatial import Array, quaternion_matrix
from ..character.model import Character, Link
from .motion import RATE, Motion

_INTO_FILE = [1, 2, 0]  # the file's X, Y, Z are the world's y, z, x: a cyclic swap keeps handedness


def write_bvh(motion: Motion, path: Path, rate: float = RATE, scale: float = 1.0) -> None:
    """Write a motion as BVH with ``rate`` frames a second. scale: the file's units in a metre (100 for centimetres).

    Raises OSError when the disk does not take it, DataError where something lies there that is not replaced.
    """
    count = int(np.floor(motion.duration * rate + 1e-6)) + 1
    sampled = motion.sampled(np.arange(count) / rate)
    body = motion.character
    matrices = quaternion_matrix(sampled.rotations)[..., _INTO_FILE, :][..., _INTO_FILE]
    order = _depth_first(body)
    columns = [scale * sampled.root[:, _INTO_FILE]]
    for i in order:
        parent = body.parents[i]
        local = matrices[:, i] if parent < 0 else matrices[:, parent].transpose(0, 2, 1) @ matrices[:, i]
        columns.append(_zxy_degrees(local))
    lines = ["HIERARCHY", *_joint_lines(body, 0, scale, 0), "MOTION", f"Frames: {count}"]
    lines.append(f"Frame Time: {1.0 / rate:.9f}")
    with written(path, lasting=False) as file:
        file.write(("\n".join(lines) + "\n").encode("ascii"))
        np.savetxt(file, np.hstack(columns), fmt="%.6f")


def _depth_first(body: Character, start: int = 0) -> list[int]:
    """Return the links' indices in the order in which BVH nests them."""
    children = [i for i, parent in enumerate(body.parents) if parent == start]
    return [start, *(k for child in children for k in _depth_first(body, child))]


def _joint_lines(body: Character, index: int, scale: float, depth: int) -> list[str]:
    link, pad = body.links[index], "\t" * depth
    children = [i for i, parent in enumerate(body.parents) if parent == index]
    offset = np.zeros(3) if link.parent < 0 else scale * np.array(link.offset)
    channels = "Zrotation Xrotation Yrotation"
    if link.parent < 0:
        channels = f"Xposition Yposition Zposition {channels}"
    lines = [
        f"{pad}{'ROOT' if link.parent < 0 else 'JOINT'} {link.role}",
        f"{pad}{{",
        f"{pad}\tOFFSET {_numbers(offset[_INTO_FILE])}",
        f"{pad}\tCHANNELS {len(channels.split())} {channels}",
    ]
    for child in children:
        lines += _joint_lines(body, child, scale, depth + 1)
    if not children:
        end = scale * _far_end(link)
        lines += [f"{pad}\tEnd Site", f"{pad}\t{{", f"{pad}\t\tOFFSET {_numbers(end[_INTO_FILE])}", f"{pad}\t}}"]
    return [*lines, f"{pad}}}"]


def _far_end(link: Link) -> Array:
    """Return the point of a link's shape that is farthest from its joint along its longest direction (3,), m."""
    center, half = np.array(link.shape.center), np.array(link.shape.half)
    reach = np.abs(half) + (link.shape.radius if link.shape.kind == "capsule" else 0.0)
    axis = int(np.abs(center).argmax())
    end = np.zeros(3)
    end[axis] = center[axis] + np.copysign(reach[axis], center[axis])
    return end


def _zxy_degrees(matrices: Array) -> Array:
    """Return angles z, x, y (T, 3), degrees, without jumps, whose Rz Rx Ry are the matrices (T, 3, 3)."""
    x = np.arcsin(np.clip(matrices[:, 2, 1], -1.0, 1.0))
    z = np.arctan2(-matrices[:, 0, 1], matrices[:, 1, 1])
    y = np.arctan2(-matrices[:, 2, 0], matrices[:, 2, 2])
    return np.asarray(np.degrees(np.unwrap(np.stack((z, x, y), axis=1), axis=0)))


def _numbers(values: Array) -> str:
    return " ".join(f"{v:.6f}" for v in values)
