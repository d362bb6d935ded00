# SPDX-License-Identifier: GPL-3.0-or-later
"""Contact sheets of many rigs: for each its bones and links in rest, and a film strip of its walk.

A strip is drawn by the process that has the rig; sheets are strips below each other. Needs matplotlib.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import matplotlib
import numpy as np

matplotlib.use("Agg")
from matplotlib import image, pyplot
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from blender_biped.base.spatial import Array, matrix_quaternion, quaternion_matrix
from blender_biped.character.armature import Armature
from blender_biped.character.mapping import RigMap
from blender_biped.character.model import Character
from blender_biped.character.reference import GRAVITY
from blender_biped.job import Job
from blender_biped.motion import measures
from blender_biped.motion.motion import Motion
from blender_biped.motion.solids import Canvas, PlacedSolid, extent, rendered, solids_in_view, view_axes
from blender_biped.motion.strip import LEFT, RIGHT, link_colors
from tools.pictures.filmstrip import View, film_strip, typical_stride

WIDTH, HEIGHT = 1980, 330  # pixels of a strip
_DPI = 100
_SIDE_POSES, _FRONT_POSES = 6, 4
TITLE = 24  # pixels
_REST, _SIDE = (0.0, 0.27), (0.275, 0.715)  # left and right of the cells, of the width; the front has what is left
_BONE, _MAPPED = "#8a8a8a", "#111111"
_TAIL = 0.1  # of the rig's size: longer bones at the ends of chains are an importer's invention


def strip(
    rig: Armature, rig_map: RigMap | None, body: Character | None, motion: Motion | None, job: Job | None, file: Path
) -> None:
    """Draw a rig's row: rest pose from the front and side, and its walk as far as there is one.

    Raises OSError when the file cannot be written.
    """
    figure = pyplot.figure(figsize=(WIDTH / _DPI, HEIGHT / _DPI), dpi=_DPI, facecolor="white")
    top = 1.0 - TITLE / HEIGHT
    _draw_rest(figure, top, rig, rig_map, body)
    if motion is not None and job is not None:
        times = moments(motion, job)
        _draw_walk(figure, _SIDE, top, motion, job, times, "side")
        _draw_walk(figure, (_SIDE[1] + 0.005, 1.0), top, motion, job, _thinned(times, _FRONT_POSES), "front")
    figure.savefig(file, dpi=_DPI, format="png")
    pyplot.close(figure)


def _draw_walk(
    figure: Figure, cell: tuple[float, float], top: float, motion: Motion, job: Job, times: Array, view: View
) -> None:
    """Draw a film strip into a cell, its left and right of the figure: fewer poses of a body that is wide."""
    left, width = cell[0], cell[1] - cell[0]
    axes = figure.add_axes((left, 0.0, width, top))
    ratio = width * WIDTH / (top * HEIGHT)
    scale = motion.character.leg_length / measures.LEG
    wide, high = _size(motion.character, front=view == "front")
    tall = 1.12 * high + 0.16 * scale
    times = _thinned(times, int(np.clip(ratio * tall / wide - 0.1, 3, len(times))))
    tall = max(tall, wide * (len(times) + 0.1) / ratio)
    spacing = ratio * tall / (len(times) + 0.1)  # film_strip has this width: the cell is filled
    film_strip(motion, times, view, job.ground, axes, spacing, labels=False, tall=tall)
    for side, color in enumerate((LEFT, RIGHT)):
        for k, time in enumerate(times):
            load = np.interp(time, motion.times, motion.loads[:, side])
            if load > 0.03 * motion.character.mass * GRAVITY:
                at = k * spacing + (0.09 if side else -0.09) * scale
                axes.text(at, -0.15 * scale, "LR"[side], ha="center", va="bottom", fontsize=8, color=color, zorder=5)


def moments(motion: Motion, job: Job) -> Array:
    """Return times (K,), s: a stride in the middle of the walk, or what leads to a fall."""
    fell = measures.fell_at(motion, job)
    if fell is not None:
        return np.linspace(max(0.0, fell - 1.2), min(motion.duration, fell + 0.3), _SIDE_POSES)
    return np.linspace(*typical_stride(motion, job), _SIDE_POSES)


def _thinned(times: Array, count: int) -> Array:
    return times[np.round(np.linspace(0, len(times) - 1, count)).astype(int)]


def _size(body: Character, front: bool) -> tuple[float, float]:
    """Return how wide and high a body is as it stands, m, seen from ahead or from the side with room for a step."""
    origins, rotations = body.standing()
    view = _eye(np.array([1.0, 0.0, 0.0]), front)
    low, high = extent(_solids(body, origins, rotations, view, np.zeros(3)))
    return max(float(high[0] - low[0]), (0.5 if front else 0.95) * body.leg_length), float(high[1])


def _solids(body: Character, origins: Array, rotations: Array, view: Array, center: Array) -> list[PlacedSolid]:
    return solids_in_view([k.shape for k in body.links], origins, rotations, link_colors(body), view, center)


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


def _draw_rest(figure: Figure, top: float, rig: Armature, rig_map: RigMap | None, body: Character | None) -> None:
    """Draw the rig's bones as lines, the links over them, and where it faces: from ahead and from the right."""
    heads = _placed(rig, np.array([bone.head for bone in rig.bones]))
    posed = None if body is None else rest_pose(rig, body)
    forward = np.array([0.0, -1.0, 0.0]) if posed is None else posed[1][0, :, 0] * (1.0, 1.0, 0.0)
    center = 0.5 * (heads.min(axis=0) + heads.max(axis=0))
    width = 0.5 * (_REST[1] - _REST[0])
    ratio = width * WIDTH / (top * HEIGHT)
    views = [_eye(forward, front) for front in (True, False)]
    seen, half = [], 1e-6
    for view in views:
        solids = _solids(body, posed[0], matrix_quaternion(posed[1]), view, center) if body and posed else []
        points = np.concatenate(((heads - center) @ view.T, *(np.stack(extent([s])) for s in solids)))
        half = max(half, float(np.abs(points[:, 1]).max()), float(np.abs(points[:, 0]).max()) / ratio)
        seen.append(solids)
    half *= 1.04  # m, of the height of both pictures
    for k, (view, solids) in enumerate(zip(views, seen, strict=True)):
        axes = figure.add_axes((_REST[0] + k * width, 0.0, width, top))
        axes.set_xlim(-half * ratio, half * ratio)
        axes.set_ylim(-half, half)
        axes.set_aspect("equal")
        axes.axis("off")
        if solids:
            canvas = Canvas(-half * ratio, half * ratio, -half, half, 0.5 * top * HEIGHT / half)
            axes.imshow(rendered(solids, canvas), extent=canvas.extent, alpha=0.65, zorder=1, aspect="equal")
        _draw_bones(axes, rig, rig_map, heads, view, center)
        if posed is not None and k == 1:
            hips = (posed[0][0] - center) @ view.T
            tip = hips + view @ (0.45 * half * forward / np.linalg.norm(forward))
            arrow = {"arrowstyle": "-|>", "color": "#0a8f3c", "lw": 2.0}
            axes.annotate("", tip[:2], hips[:2], zorder=5, arrowprops=arrow)


def _draw_bones(axes: Axes, rig: Armature, rig_map: RigMap | None, heads: Array, view: Array, center: Array) -> None:
    """Draw the bones as lines, those that are mapped black."""
    mapped = {name for names in rig_map.bones.values() for name in names} if rig_map else set()
    for bone, a, b in _lines(rig, heads):
        known = rig.bones[bone].name in mapped
        ends = (np.stack((a, b)) - center) @ view.T
        axes.plot(ends[:, 0], ends[:, 1], color=_MAPPED if known else _BONE, linewidth=1.4 if known else 0.7,
                  zorder=3 if known else 2)  # fmt: skip
    flat = (heads - center) @ view.T
    known_bones = np.array([bone.name in mapped for bone in rig.bones])
    for which, size, color in ((~known_bones, 2.5, _BONE), (known_bones, 7.0, _MAPPED)):
        axes.scatter(flat[which, 0], flat[which, 1], s=size, color=color, zorder=4, linewidths=0.0)


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
            middle = 1.0 - (k + 0.5 * TITLE / HEIGHT) / len(part)
            figure.text(0.004, middle, title, fontsize=11, fontweight="bold", color=color, va="center")
        path = folder / f"{name}-{page}.png"
        figure.savefig(path, dpi=_DPI)
        pyplot.close(figure)
        written.append(path)
    return written
