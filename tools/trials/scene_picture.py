# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of walks through scenes of trials: poses where they are, from the side.

Needs matplotlib, not Blender.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path

import matplotlib
import numpy as np

matplotlib.use("Agg")
from matplotlib import pyplot
from matplotlib.axes import Axes

from blender_biped.character.model import Character
from blender_biped.character.standard import standard_character
from blender_biped.job import Job
from blender_biped.motion.motion import Motion
from blender_biped.motion.solids import Canvas
from blender_biped.motion.strip import draw_pose, side_view
from blender_biped.simulate import simulate

Draw = Callable[[Motion, Job, Axes], None]
"""Draws a walk along x with what is round it."""
_SHARP = 220.0  # pixels a metre
_LEFT, _RIGHT = 0.35, 0.3  # m of way without a pose at either end
_WIDTH = 9.0  # inches


def draw_poses(motion: Motion, job: Job, axes: Axes, way: tuple[float, float], heights: tuple[float, float],
               apart: float) -> None:  # fmt: skip
    """Draw a walk along x on axes. way, heights: from where to where is shown, m. apart: m of way between two poses."""
    canvas = Canvas(*way, *heights, _SHARP)
    image = np.zeros((*canvas.size, 4))
    gone = motion.root[:, 0]
    places = np.arange(way[0] + _LEFT, way[1] - _RIGHT, apart)
    times = [float(motion.times[int(np.argmax(gone >= x))]) for x in places if gone.max() >= x]
    poses = motion.sampled(np.array(times))
    for k in range(len(times)):
        draw_pose(image, canvas, poses, k, side_view(0.0), job.ground, float(poses.root[k, 0]))
    axes.imshow(image, extent=canvas.extent, zorder=3, interpolation="antialiased", aspect="equal")
    axes.set_xlim(*way)
    axes.set_ylim(*heights)
    axes.axis("off")


def written(
    program: str, text: str, scenes: Sequence[str], shown: Sequence[str], job_of: Callable[[str, Character], Job],
    draw: Draw, tall: float, arguments: Sequence[str] | None,
) -> int:  # fmt: skip
    """Run a picture's command line; return the exit code. scenes: all, shown: the usual ones. tall: inches of each."""
    parser = argparse.ArgumentParser(prog=program, description=text.splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--scene", action="append", choices=tuple(scenes), help="which ones, in place of the usual")
    given = parser.parse_args(arguments)
    chosen = given.scene or shown
    figure, rows = pyplot.subplots(len(chosen), 1, figsize=(_WIDTH, tall * len(chosen)), squeeze=False)
    for scene, axes in zip(chosen, rows[:, 0], strict=True):
        job = job_of(scene, standard_character())
        draw(simulate(job), job, axes)
        axes.set_title(scene.capitalize(), loc="left", fontsize=10, fontweight="bold", pad=3)
    figure.tight_layout()
    figure.savefig(given.file, dpi=100)
    pyplot.close(figure)
    return 0
