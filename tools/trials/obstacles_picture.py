# SPDX-License-Identifier: GPL-3.0-or-later
"""The picture of walks over and under what is across their way: poses where they are, from the side.

    python -m tools.trials.obstacles_picture docs/obstacles.png

A development program: needs matplotlib, not Blender. The walks are those of ``build.py trials --only obstacles``.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from blender_biped.job import Job
from blender_biped.motion.motion import Motion
from tools.trials.obstacles import SCENES, job_of
from tools.trials.scene_picture import draw_poses, written

SHOWN = ("over 0.35 m", "over a row", "under 70 %")
_APART = 0.42  # m of way between two poses
_TALL, _BELOW = 1.95, -0.1  # m
_BEFORE, _BEHIND = 1.3, 1.5  # m of way shown before the first thing and behind the last


def draw(motion: Motion, job: Job, axes: Axes) -> None:
    """Draw a walk along x with its things on axes."""
    spans = [(thing.place, thing.solid.half) for thing in job.world.things]
    left = min(place[0] - half[0] for place, half in spans) - _BEFORE
    right = max(place[0] + half[0] for place, half in spans) + _BEHIND
    axes.axhspan(_BELOW, 0.0, color="#e9e6df", zorder=0)
    for (x, _, z), (dx, _, dz) in spans:
        axes.add_patch(Rectangle((x - dx, z - dz), 2.0 * dx, 2.0 * dz, color="#8d8577", zorder=2))
    draw_poses(motion, job, axes, (left, right), (_BELOW, _TALL), _APART)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code."""
    return written("tools.trials.obstacles_picture", __doc__, tuple(SCENES), SHOWN, job_of, draw, 3.9, arguments)


if __name__ == "__main__":
    sys.exit(main())
