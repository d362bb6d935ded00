# SPDX-License-Identifier: GPL-3.0-or-later
"""A walk through a scene as a .blend file with what was baked, and a picture of it. Needs bpy and matplotlib."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np

matplotlib.use("Agg")
from matplotlib import pyplot
from matplotlib.patches import Polygon

from blender_biped.base.spatial import quaternion_matrix
from blender_biped.job import Job
from blender_biped.motion.motion import Motion
from blender_biped.motion.solids import Canvas
from blender_biped.motion.strip import draw_pose, side_view
from blender_biped.motion.summary import Summary
from blender_biped.world.blocked import hull
from blender_biped.world.things import Thing
from tools.base.quiet import quiet

_APART = 0.55  # m of way between two poses of a picture
_LYING = 0.45  # s between two poses of a body that goes nowhere any more
_SHARP, _TALL, _BELOW = 110.0, 2.0, -0.12  # pixels a metre; m above and below the lowest ground
_WIDE = 12.0  # inches


def keep(rig: Any, request: Any, motion: Motion, file: Path, title: str) -> Summary | None:
    """Bake a walk onto its rig, and write it as FILE.blend and FILE.png; return what was said of it.

    request: as it was read from the scene that is open. Raises OSError.
    """
    import bpy

    from blender_biped.ui.bake.result import result_of
    from blender_biped.ui.bake.writing import write_steps

    file.parent.mkdir(parents=True, exist_ok=True)
    with quiet():
        for _ in write_steps(bpy.context, rig, request, motion):
            pass
        result = result_of(rig)
        bpy.ops.wm.save_as_mainfile(filepath=str(file.resolve()) + ".blend", compress=True)
    draw(motion, request.job, file.parent / f"{file.name}.png", title)
    return result.summary if result else None


def draw(motion: Motion, job: Job, file: Path, title: str) -> None:
    """Write a picture of a walk along a straight path from its right, with ground and things. Raises OSError."""
    start, heading = job.path.position(0.0), float(job.path.heading(0.0))
    ahead = np.array((math.cos(heading), math.sin(heading)))
    way = (motion.root[:, :2] - start) @ ahead
    arcs = np.linspace(way.min() - 1.0, way.max() + 1.2, 200)
    places = start + arcs[:, None] * ahead
    heights = np.full_like(arcs, job.ground) if job.floor.flat else job.floor.heights(places)
    low, high = float(np.nanmin(heights)) + _BELOW, float(np.nanmax(heights)) + _TALL
    canvas = Canvas(float(arcs[0]), float(arcs[-1]), low, high, _SHARP)
    image = np.zeros((*canvas.size, 4))
    poses = motion.sampled(np.array(_moments(motion, way)))
    for k in range(len(poses.times)):
        draw_pose(image, canvas, poses, k, side_view(heading), 0.0, float((poses.root[k, :2] - start) @ ahead))
    figure, axes = pyplot.subplots(figsize=(_WIDE, _WIDE * (high - low) / float(arcs[-1] - arcs[0]) + 0.4))
    axes.fill_between(arcs, np.nan_to_num(heights, nan=low), low, color="#e9e6df", zorder=0)
    for thing, corners in _shown(motion, job):
        moved = hull(np.stack(((corners[:, :2] - start) @ ahead, corners[:, 2]), axis=1))
        axes.add_patch(Polygon(moved, closed=True, color="#8d8577", alpha=0.35 if thing.loose else 1.0, zorder=2))
    axes.imshow(image, extent=canvas.extent, zorder=3, interpolation="antialiased", aspect="equal")
    axes.set_xlim(canvas.left, canvas.right)
    axes.set_ylim(low, high)
    axes.axis("off")
    axes.set_title(title, loc="left", fontsize=10, fontweight="bold", pad=3)
    figure.tight_layout()
    figure.savefig(file, dpi=100)
    pyplot.close(figure)


def _moments(motion: Motion, way: Any) -> list[float]:
    """Return the times, s, at which a pose is drawn: evenly along the way, and in time where that ends."""
    found = [0.0]
    for time, place in zip(motion.times.tolist(), way.tolist(), strict=True):
        last = found[-1]
        gone = abs(place - float(np.interp(last, motion.times, way)))
        if gone >= _APART or (gone > 0.2 * _APART and time - last > 2.0 * _LYING):
            found.append(time)
    return [*found, float(motion.times[-1])]


def _shown(motion: Motion, job: Job) -> list[tuple[Thing, Any]]:
    """Return the things of a job with their corners (K, 3), m: props both where they begin and end."""
    found, loose = [], 0
    for thing in job.world.things:
        turns = [(np.array(thing.place), np.array(thing.rotation))]
        if thing.loose:
            turns += [(motion.props[-1, loose, :3], motion.props[-1, loose, 3:])]
            loose += 1
        for place, turn in turns:
            found.append((thing, place + thing.solid.corners @ quaternion_matrix(turn).T))
    return found
