# SPDX-License-Identifier: GPL-3.0-or-later
"""The picture of two who bump into each other: both at some moments next to each other, from the side.

    python -m tools.trials.companions_picture docs/bump.png

A development program: needs matplotlib, not Blender. The walks are those of ``build.py trials --only companions``.
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

from blender_biped.company import Company
from blender_biped.motion.motion import RATE, Motion
from blender_biped.motion.solids import Canvas
from blender_biped.motion.strip import draw_pose, side_view
from blender_biped.together import walked_together
from tools.trials.companions import CONTROLLERS, MEETINGS, OTHERS, MeetingTrial, company_of

_SHOWN = (("head-on", "another adult"), ("head-on", next(name for name in OTHERS if "child" in name)))
_MOMENTS = 5
_BEFORE, _APART = 0.4, 0.35  # s: from the first moment to where they are nearest; between two moments
_WIDE, _TALL, _BELOW = 2.5, 1.95, -0.1  # m of a moment
_SHARP = 110.0  # pixels a metre
_ROW = 2.1  # inches


def draw(motions: Sequence[Motion], company: Company, axes: Axes) -> None:
    """Draw both of a company, whose walks begin together, at moments around when they are nearest."""
    count = min(len(motion.times) for motion in motions)
    one, other = (motion.root[:count, :2] for motion in motions)
    apart = np.linalg.norm(one - other, axis=1)
    meet = float(np.argmax(apart < apart.min() + 0.1)) / RATE
    times = np.clip(meet - _BEFORE + _APART * np.arange(_MOMENTS), 0.0, (count - 1) / RATE)
    middle = 0.5 * (one + other)[int(meet * RATE), 0]
    canvas = Canvas(0.0, _WIDE, _BELOW, _TALL, _SHARP)
    poses = [motion.sampled(times) for motion in motions]
    for k in range(_MOMENTS):
        image = np.zeros((*canvas.size, 4))
        # The farther one first, as seen from the right of who goes along x.
        for own in sorted(poses, key=lambda pose: -float(pose.root[k, 1])):
            place = 0.5 * _WIDE + float(own.root[k, 0]) - middle
            draw_pose(image, canvas, own, k, side_view(0.0), company.companions[0].job.ground, place)
        extent = (k * _WIDE, (k + 1) * _WIDE, _BELOW, _TALL)
        axes.imshow(image, extent=extent, zorder=3, interpolation="antialiased", aspect="equal")
        axes.text((k + 0.5) * _WIDE, _TALL, f"{times[k]:.1f} s", ha="center", va="top", fontsize=8, color="#555555")
    axes.axhspan(_BELOW, 0.0, color="#e9e6df", zorder=0)
    axes.set_xlim(0.0, _WIDE * _MOMENTS)
    axes.set_ylim(_BELOW, _TALL)
    axes.axis("off")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code."""
    parser = argparse.ArgumentParser(prog="tools.trials.companions_picture", description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--meeting", choices=tuple(MEETINGS), help="one, in place of the usual")
    parser.add_argument("--other", choices=tuple(OTHERS), default=next(iter(OTHERS)), help="whom the adult meets then")
    parser.add_argument("--controller", choices=CONTROLLERS, default=CONTROLLERS[0])
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(arguments)
    shown = ((given.meeting, given.other),) if given.meeting else _SHOWN
    figure, rows = pyplot.subplots(len(shown), 1, figsize=(11.0, _ROW * len(shown)), squeeze=False)
    for (meeting, other), axes in zip(shown, rows[:, 0], strict=True):
        company = company_of(MeetingTrial(meeting, other, given.controller), given.seed)
        draw(walked_together(company), company, axes)
        axes.set_title(f"{meeting.capitalize()}, {other}", loc="left", fontsize=10, fontweight="bold", pad=3)
    figure.tight_layout()
    figure.savefig(given.file, dpi=100)
    pyplot.close(figure)
    return 0


if __name__ == "__main__":
    sys.exit(main())
