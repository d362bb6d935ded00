# SPDX-License-Identifier: GPL-3.0-or-later
"""Contact sheets of many rigs: for each its bones and links in rest, and a film strip of its walk.

A strip is drawn by the process that has the rig; sheets are strips below each other. Needs matplotlib.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from matplotlib import image, pyplot
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from blender_biped.character.armature import Armature
from blender_biped.character.mapping import RigMap
from blender_biped.character.model import Character
from blender_biped.job import Job
from blender_biped.motion import measures
from blender_biped.motion.motion import Motion
from blender_biped.spatial import Array, matrix_quaternion, quaternion_matrix
from tools.filmstrip import LEFT, RIGHT, View, film_strip, link_colors, typical_stride
from tools.solids import Canvas, rendered, solids_in_view, view_axes

WIDTH, HEIGHT = 1980, 330  # pixels of a strip
_DPI = 100
_SIDE_POSES, _FRONT_POSES = 6, 4
_TITLE = 24  # pixels
_REST, _SIDE = (0.0, 0.24), (0.245, 0.695)  # left and right of the cells, of the width; the front has what is left
_BONE, _MAPPED = "#8a8a8a", "#111111"
_TAIL = 0.1  # of the rig's size: longer bones at the ends of chains are an importer's invention


def strip(
    rig: Armature, rig_map: RigMap | None, body: Character | None, motion: Motion | None, job: Job | None, file: Path
) -> None:
    """Draw a rig's row: rest pose from the front and side, and its walk as far as there is one.

    Raises OSError when the file cannot be written.
    """
    figure = pyplot.figure(figsize=(WIDTH / _DPI, HEIGHT / _DPI), dpi=_DPI, facecolor="white")
    top = 1.0 - _TITLE / HEIGHT
    half = 0.5 * (_REST[1] - _REST[0])
    for k, view in enumerate(("front", "side")):
        axes = figure.add_axes((_REST[0] + k * half, 0.0, half, top))
        _draw_rest(axes, rig, rig_map, body, view == "front")
    if motion is not None and job is not None:
        times, front = _moments(motion, job), (_SIDE[1] + 0.005, 1.0)
        height = 1.12 * _tallest(motion.character)
        _draw_walk(figure, _SIDE, top, motion, job, times, "side", height)
        _draw_walk(figure, front, top, motion, job, _thinned(times, _FRONT_POSES), "front", height)
    figure.savefig(file, dpi=_DPI, format="png")
    pyplot.close(figure)


def _draw_walk(
    figure: Figure, cell: tuple[float, float], top: float, motion: Motion, job: Job, times: Array, view: View,
    height: float,
) -> None:  # fmt: skip
    """Draw a film strip into a cell: its left and right, of the figure. height: of the body, with room, m."""
    left, width = cell[0], cell[1] - cell[0]
    axes = figure.add_axes((left, 0.0, width, top))
    ratio = width * WIDTH / (top * HEIGHT)
    scale = motion.character.leg_length / measures.LEG
    tall = height + 0.16 * scale
    spacing = ratio * tall / (len(times) + 0.1)  # film_strip has this width: the cell is filled
    film_strip(motion, times, view, job.ground, axes, spacing, labels=False, tall=tall)
    for side, color in enumerate((LEFT, RIGHT)):
        for k, time in enumerate(times):
            load = np.interp(time, motion.times, motion.loads[:, side])
            if load > 0.03 * motion.character.mass * 9.81:
                at = k * spacing + (0.09 if side else -0.09) * scale
                axes.text(at, -0.15 * scale, "LR"[side], ha="center", va="bottom", fontsize=8, color=color, zorder=5)


def _moments(motion: Motion, job: Job) -> Array:
    """Return times (K,), s: a stride in the middle of the walk, or what leads to a fall."""
    fell = measures.fell_at(motion, job)
    if fell is not None:
        return np.linspace(max(0.0, fell - 1.2), min(motion.duration, fell + 0.3), _SIDE_POSES)
    return np.linspace(*typical_stride(motion, job), _SIDE_POSES)


def _thinned(times: Array, count: int) -> Array:
    return times[np.round(np.linspace(0, len(times) - 1, count)).astype(int)]


def _tallest(body: Character) -> float:
    """Return how high a body is as it stands, m."""
    origins, rotations = body.standing()
    solids = solids_in_view([k.shape for k in body.links], origins, rotations, link_colors(body),
                            _eye(np.array([1.0, 0.0, 0.0]), False), np.zeros(3))  # fmt: skip
    return max(float(s.origin[1] + _up(s.axes @ np.array(s.shape.center), s.axes, np.array(s.shape.half),
                                       s.shape.radius)) for s in solids)  # fmt: skip


def _up(center: Array, axes: Array, half: Array, radius: float) -> float:
    return float(center[1] + np.abs(axes[1]) @ half + radius)


# --- the rest pose -----------------------------------------------------------------------------------------------


def rest_pose(rig: Armature, body: Character) -> tuple[Array, Array]:
    """Return link origins (L, 3), m, and rotations (L, 3, 3) where the rig's bones have them in rest, world.

    A link without bones is where its parent's turn puts it.
    """
    turn = rig.world[:3, :3] / rig.scale
    origins, rotations = np.empty((len(body.links), 3)), np.empty((len(body.links), 3, 3))
    for i, link in enumerate(body.links):
        rotations[i] = turn @ quaternion_matrix(np.array(link.rest))
        if link.bones:
            head = rig.bones[rig.index[link.bones[0]]].head
            origins[i] = rig.world[:3, :3] @ head + rig.world[:3, 3]
        else:
            origins[i] = origins[link.parent] + rotations[link.parent] @ np.array(link.offset)
        if i == 0:
            origins[i] -= rotations[i] @ np.array(body.hip_bone_offset)
    return origins, rotations


def _draw_rest(axes: Axes, rig: Armature, rig_map: RigMap | None, body: Character | None, front: bool) -> None:
    """Draw the rig's bones as lines, the links over them, and where it faces. The axes' own size is filled."""
    heads = _placed(rig, np.array([bone.head for bone in rig.bones]))
    forward = np.array([0.0, -1.0, 0.0])
    if body is not None:
        origins, rotations = rest_pose(rig, body)
        forward = rotations[0, :, 0] * (1.0, 1.0, 0.0)
    view = _eye(forward, front)
    center = 0.5 * (heads.min(axis=0) + heads.max(axis=0))
    flat = (heads - center) @ view.T
    ratio = 0.5 * (_REST[1] - _REST[0]) * WIDTH / (HEIGHT - _TITLE)
    wide, high = np.ptp(flat, axis=0)[:2]
    half = 0.58 * max(float(high), float(wide) / ratio, 1e-6)  # m, of the height
    axes.set_xlim(-half * ratio, half * ratio)
    axes.set_ylim(-half, half)
    axes.set_aspect("equal")
    axes.axis("off")
    if body is not None:
        canvas = Canvas(-half * ratio, half * ratio, -half, half, 0.5 * (HEIGHT - _TITLE) / half)
        solids = solids_in_view([k.shape for k in body.links], origins, matrix_quaternion(rotations),
                                link_colors(body), view, center)  # fmt: skip
        axes.imshow(rendered(solids, canvas), extent=canvas.extent, alpha=0.65, zorder=1, aspect="equal")
    mapped = {name for names in rig_map.bones.values() for name in names} if rig_map else set()
    for bone, a, b in _lines(rig, heads):
        known = rig.bones[bone].name in mapped
        ends = (np.stack((a, b)) - center) @ view.T
        axes.plot(ends[:, 0], ends[:, 1], color=_MAPPED if known else _BONE, linewidth=1.4 if known else 0.7,
                  zorder=3 if known else 2)  # fmt: skip
    known_bones = np.array([bone.name in mapped for bone in rig.bones])
    for which, size, color in ((~known_bones, 1.5, _BONE), (known_bones, 5.0, _MAPPED)):
        axes.scatter(flat[which, 0], flat[which, 1], s=size, color=color, zorder=4, linewidths=0.0)
    if body is not None and not front:
        hips = (origins[0] - center) @ view.T
        tip = hips + view @ (0.5 * half * forward / np.linalg.norm(forward))
        axes.annotate("", tip[:2], hips[:2], zorder=5, arrowprops={"arrowstyle": "-|>", "color": "#0a8f3c", "lw": 2.0})


def _placed(rig: Armature, points: Array) -> Array:
    """Return points (N, 3) of the armature in the world, m."""
    return np.asarray(points @ rig.world[:3, :3].T + rig.world[:3, 3])


def _lines(rig: Armature, heads: Array) -> list[tuple[int, Array, Array]]:
    """Return (bone, begin, end) of the lines that show the bones: from heads to children's heads, m, world.

    Tails count at the ends of chains only, and only near: importers invent them, some tens of metres away.
    """
    found = []
    near = _TAIL * float(np.ptp(heads, axis=0).max())
    tails = _placed(rig, np.array([bone.tail for bone in rig.bones]))
    for i, kids in enumerate(rig.children):
        found += [(i, heads[i], heads[k]) for k in kids]
        if not kids and float(np.linalg.norm(tails[i] - heads[i])) < near:
            found.append((i, heads[i], tails[i]))
    return found


def _eye(forward: Array, front: bool) -> Array:
    """Return the rotation (3, 3) from world to view: from ahead, or from the walker's right."""
    forward = forward / np.linalg.norm(forward)
    up = np.array([0.0, 0.0, 1.0])
    return view_axes(forward if front else np.cross(forward, up), up)


# --- sheets ------------------------------------------------------------------------------------------------------


def sheets(rows: Sequence[tuple[str, str, Path | None]], folder: Path, name: str, most: int = 6) -> list[Path]:
    """Write rows below each other as pictures NAME-1.png ..., ``most`` in each, and return their files.

    rows: title, its color, and the strip or None where there is none. Raises OSError.
    """
    written = []
    for page, first in enumerate(range(0, len(rows), most), start=1):
        part = rows[first : first + most]
        figure = pyplot.figure(figsize=(WIDTH / _DPI, len(part) * HEIGHT / _DPI), dpi=_DPI, facecolor="white")
        for k, (title, color, file) in enumerate(part):
            top = 1.0 - k / len(part)
            if file is not None and file.is_file():
                pixels = image.imread(file)
                axes = figure.add_axes((0.0, top - 1.0 / len(part), 1.0, 1.0 / len(part)))
                axes.axis("off")
                axes.imshow(pixels, aspect="auto", interpolation="none")
            middle = 1.0 - (k + 0.5 * _TITLE / HEIGHT) / len(part)
            figure.text(0.004, middle, title, fontsize=11, fontweight="bold", color=color, va="center")
        path = folder / f"{name}-{page}.png"
        figure.savefig(path, dpi=_DPI)
        pyplot.close(figure)
        written.append(path)
    return written
