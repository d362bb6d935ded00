# SPDX-License-Identifier: GPL-3.0-or-later
"""The picture of walks over and under what is across their way: poses where they are, from the side.

    python -m tools.trials.obstacles_picture docs/obstacles.png

A development program: needs matplotlib, not Blender. The walks are those of ``build.py trials --only obstacles``.
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
from matplotlib.patches import Rectangle

from blender_biped.character.standard import standard_character
from blender_biped.job import Job
from blender_biped.motion.motion import Motion
from blender_biped.motion.solids import Canvas
from blender_biped.motion.strip import draw_pose, side_view
from blender_biped.simulate import simulate
from tools.trials.obstacles import job_of

SHOWN = ("over 0.35 m", "over a row", "under 70 %")
_APART = 0.42  # m of way between two poses
_SHARP = 220.0  # pixels a metre
_TALL, _BELOW = 1.95, -0.1  # m
_BEFORE, _BEHIND = 1.3, 1.5  # m of way shown before the first thing and behind the last


def draw(motion: Motion, job: Job, axes: Axes, title: str) -> None:
    """Draw a walk along x with its things on axes."""
    spans = [(thing.place, thing.solid.half) for thing in job.world.things]
    left = min(place[0] - half[0] for place, half in spans) - _BEFORE
    right = max(place[0] + half[0] for place, half in spans) + _BEHIND
    canvas = Canvas(left, right, _BELOW, _TALL, _SHARP)
    image = np.zeros((*canvas.size, 4))
    way = motion.root[:, 0]
    places = np.arange(left + 0.35, right - 0.3, _APART)
    times = [float(motion.times[int(np.argmax(way >= x))]) for x in places if way.max() >= x]
    poses = motion.sampled(np.array(times))
    for k in range(len(times)):
        draw_pose(image, canvas, poses, k, side_view(0.0), job.ground, float(poses.root[k, 0]))
    axes.axhspan(_BELOW, 0.0, color="#e9e6df", zorder=0)
    for (x, _, z), (dx, _, dz) in spans:
        axes.add_patch(Rectangle((x - dx, z - dz), 2.0 * dx, 2.0 * dz, color="#8d8577", zorder=2))
    axes.imshow(image, extent=canvas.extent, zorder=3, interpolation="antialiased", aspect="equal")
    axes.set_xlim(left, right)
    axes.set_ylim(_BELOW, _TALL)
    axes.axis("off")
    axes.set_title(title, loc="left", fontsize=10, fontweight="bold", pad=3)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code."""
    parser = argparse.ArgumentParser(prog="tools.trials.obstacles_picture", description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path)
    given = parser.parse_args(arguments)
    figure, rows = pyplot.subplots(len(SHOWN), 1, figsize=(9.0, 3.9 * len(SHOWN)))
    for scene, axes in zip(SHOWN, rows, strict=True):
        job = job_of(scene, standard_character())
        draw(simulate(job), job, axes, scene.capitalize())
    figure.tight_layout()
    figure.savefig(given.file, dpi=100)
    pyplot.close(figure)
    return 0


if __name__ == "__main__":
    sys.exit(main())
