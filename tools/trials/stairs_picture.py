# SPDX-License-Identifier: GPL-3.0-or-later
"""The picture of walks on stairs: poses where they are, from the side.

    python -m tools.trials.stairs_picture docs/stairs.png

A development program: needs matplotlib, not Blender. The walks are those of ``build.py trials --only stairs``.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes

from blender_biped.job import Job
from blender_biped.motion.motion import Motion
from tools.trials.scene_picture import draw_poses, written
from tools.trials.stairs import SCENES, job_of

SHOWN = ("five up of 0.15 m", "five down of 0.15 m")
_APART = 0.43  # m of way between two poses
_TALL, _BELOW = 1.95, 0.12  # m above the highest ground, and below the lowest
_WAY = (0.8, 4.8)  # m that are shown


def draw(motion: Motion, job: Job, axes: Axes) -> None:
    """Draw a walk along x with its ground on axes."""
    at = np.linspace(*_WAY, 800)
    heights = job.floor.heights(np.stack((at, np.zeros_like(at)), axis=1))
    low, high = float(heights.min()) - _BELOW, float(heights.max()) + _TALL
    axes.fill_between(at, heights, low, color="#d9d3c7", zorder=0, linewidth=0.0)
    draw_poses(motion, job, axes, _WAY, (low, high), _APART)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code."""
    return written("tools.trials.stairs_picture", __doc__, tuple(SCENES), SHOWN, job_of, draw, 6.4, arguments)


if __name__ == "__main__":
    sys.exit(main())
