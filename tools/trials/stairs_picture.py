# SPDX-License-Identifier: GPL-3.0-or-later
"""The picture of walks on stairs: poses where they are, from the side.

    python -m tools.trials.stairs_picture docs/stairs.png

A development program: needs matplotlib, not Blender. The walks are those of ``build.py trials --only stairs``.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import matplotlib
import numpy as np

matplotlib.use("Agg")
from matplotlib import pyplot
from matplotlib.axes import Axes

from blender_biped.character.standard import standard_character
from blender_biped.job import Job
from blender_biped.motion.motion import Motion
from blender_biped.motion.solids import Canvas
from blender_biped.motion.strip import draw_pose, side_view
from blender_biped.simulate import simulate
from tools.trials.stairs import SCENES, job_of

SHOWN = ("five up of 0.15 m", "five down of 0.15 m")
_APART = 0.43  # m of way between two poses
_SHARP = 220.0  # pixels a metre
_TALL, _BELOW = 1.95, 0.12  # m above the highest ground, and below the lowest
_LEFT, _RIGHT = 0.8, 4.8  # m of way that is shown


def draw(motion: Motion, job: Job, axes: Axes, title: str) -> None:
    """Draw a walk along x with its ground on axes."""
    at = np.linspace(_LEFT, _RIGHT, 800)
    heights = job.floor.heights(np.stack((at, np.zeros_like(at)), axis=1))
    low, high = float(heights.min()) - _BELOW, float(heights.max()) + _TALL
    canvas = Canvas(_LEFT, _RIGHT, low, high, _SHARP)
    image = np.zeros((*canvas.size, 4))
    way = motion.root[:, 0]
    places = np.arange(_LEFT + 0.35, _RIGHT - 0.3, _APART)
    times = [float(motion.times[int(np.argmax(way >= x))]) for x in places if way.max() >= x]
    poses = motion.sampled(np.array(times))
    for k in range(len(times)):
        draw_pose(image, canvas, poses, k, side_view(0.0), job.ground, float(poses.root[k, 0]))
    axes.fill_between(at, heights, low, color="#d9d3c7", zorder=0, linewidth=0.0)
    axes.imshow(image, extent=canvas.extent, zorder=3, interpolation="antialiased", aspect="equal")
    axes.set_xlim(_LEFT, _RIGHT)
    axes.set_ylim(low, high)
    axes.axis("off")
    axes.set_title(title, loc="left", fontsize=10, fontweight="bold", pad=3)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code."""
    parser = argparse.ArgumentParser(prog="tools.trials.stairs_picture", description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--scene", action="append", choices=tuple(SCENES), help="which ones, in place of the usual")
    given = parser.parse_args(arguments)
    shown = given.scene or SHOWN
    figure, rows = pyplot.subplots(len(shown), 1, figsize=(9.0, 6.4 * len(shown)), squeeze=False)
    for scene, axes in zip(shown, rows[:, 0], strict=True):
        job = job_of(scene, standard_character())
        draw(simulate(job), job, axes, scene.capitalize())
    figure.tight_layout()
    figure.savefig(given.file, dpi=100)
    pyplot.close(figure)
    return 0


if __name__ == "__main__":
    sys.exit(main())
