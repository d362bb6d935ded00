"""A sheet of all styles of a controller: each at its usual speed, from the side, from ahead, and its footprints.

A development program: needs matplotlib, not Blender.

    python -m tools.pictures.styles docs/klaw-styles.png
"""

from __future__ import annotations

import argparse
import math
import random
import sys
from collections.abc import Sequence
from pathlib import Path

import matplotlib
import numpy as np

matplotlib.use("Agg")
from matplotlib import pyplot
from matplotlib.axes import Axes
from matplotlib.patches import Polygon

from blender_biped.base.errors import BipedError
from blender_biped.base.spatial import Array
from blender_biped.character.standard import standard_character
from blender_biped.control.registry import kinds, presets
from blender_biped.motion import gait_events
from blender_biped.motion.motion import Motion
from blender_biped.motion.solids import Canvas, view_axes
from blender_biped.motion.strip import LEFT, RIGHT, draw_pose, shown_job, side_view
from blender_biped.preset.preset import RESEARCH
from blender_biped.simulate import simulate
from tools.pictures.filmstrip import typical_stride

_COLUMNS = 3
_PIXELS = 84.0  # a metre
_DPI = 100
_SIDE = (0.0, 0.25, 0.375, 0.5)  # of a stride: both strikes, and between them the legs passing and the knee up
_AHEAD = (0.16, 0.66)  # amid which either foot stands
_APART, _GAP = (0.95, 1.25), 0.2  # m: from pose to pose in either view, and between them
_TALL, _BELOW = 1.94, 0.04  # m of a picture, and of that below the ground
_PRINTS, _LABEL = 0.66, 0.24  # m of the ground from above, below the picture, and of the line above it
_FLOOR = (0.91, 0.90, 0.87, 1.0)


def picture(motion: Motion, ground: float, stride: tuple[float, float]) -> Array:
    """Return a stride from the side, then from ahead, as a picture (rows, columns, 4), top row first.

    stride: begin and end, s. ground: height of the floor, m.
    """
    wide = len(_SIDE) * _APART[0] + _GAP + len(_AHEAD) * _APART[1]
    canvas = Canvas(0.0, wide, -_BELOW, _TALL - _BELOW, _PIXELS)
    image = np.zeros((*canvas.size, 4))
    begin, end = stride
    ahead = len(_SIDE) * _APART[0] + _GAP
    for eye, shares, first, apart in ((side_view, _SIDE, 0.0, _APART[0]), (_from_ahead, _AHEAD, ahead, _APART[1])):
        poses = motion.sampled(begin + (end - begin) * np.array(shares))
        facing = np.interp(poses.times, motion.times, gait_events.heading(motion))
        for k, angle in enumerate(facing.tolist()):
            draw_pose(image, canvas, poses, k, eye(angle), ground, first + (k + 0.5) * apart)
    return image


def sheet(controller: str, file: Path, labels: bool = True, seed: int = 0) -> None:
    """Write the sheet of a controller's styles. labels: else they are numbered, in an order by chance from ``seed``.

    Raises DataError for a style that cannot be walked, OSError for a file that cannot be written.
    """
    styles = [style for style in presets(controller) if style.shelf != RESEARCH]
    if not labels:
        random.Random(seed).shuffle(styles)
    rows = math.ceil(len(styles) / _COLUMNS)
    figure = None
    for i, style in enumerate(styles):
        job = shown_job(style, standard_character())
        motion = simulate(job)
        image = picture(motion, job.ground, typical_stride(motion, job))
        tall = image.shape[0] + round((_PRINTS + _LABEL) * _PIXELS)
        if figure is None:
            size = (_COLUMNS * image.shape[1] / _DPI, rows * tall / _DPI)
            figure = pyplot.figure(figsize=size, dpi=_DPI, facecolor="white")
        row, column = divmod(i, _COLUMNS)
        left, low, whole = column / _COLUMNS, 1.0 - (row + 1) / rows, float(rows * tall)
        above = low + round(_PRINTS * _PIXELS) / whole
        axes = figure.add_axes((left, above, 1.0 / _COLUMNS, image.shape[0] / whole))
        axes.imshow(image, interpolation="nearest", aspect="auto")
        axes.axis("off")
        ground = figure.add_axes((left, low, 1.0 / _COLUMNS, above - low))
        _draw_prints(ground, motion, image.shape[1] / _PIXELS)
        text = f"{style.label}  {job.speed:.3g} m/s" if labels else str(i + 1)
        figure.text(left + 0.005, above + (image.shape[0] + 1) / whole, text, fontsize=10)
    assert figure is not None
    figure.savefig(file, dpi=_DPI, pil_kwargs={"optimize": True})
    pyplot.close(figure)
    if not labels:
        print(", ".join(f"{i + 1} {style.label}" for i, style in enumerate(styles)))


def _draw_prints(axes: Axes, motion: Motion, wide: float) -> None:
    """Draw the last footprints of a walk along x, as far as there is room, m."""
    first = max(float(motion.root[-1, 0]) - wide, -0.2 * wide)
    axes.set_facecolor(_FLOOR)
    for mark in gait_events.footprints(motion):
        outline = gait_events.sole_outline(motion.character, mark)
        axes.add_patch(Polygon(outline, closed=True, facecolor=(LEFT, RIGHT)[mark.side]))
    axes.set_xlim(first, first + wide)
    axes.set_ylim(-0.5 * _PRINTS, 0.5 * _PRINTS)
    axes.set_xticks(())
    axes.set_yticks(())
    for edge in axes.spines.values():
        edge.set_edgecolor("white")
        edge.set_linewidth(4.0)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tools.pictures.styles", description="Draw a sheet of styles.")
    parser.add_argument("picture", type=Path, help="the picture to write, .png")
    parser.add_argument("--controller", default="klaw", choices=[kind.name for kind in kinds()], help="whose styles")
    parser.add_argument("--numbered", type=int, metavar="SEED", help="numbers in place of names, in an order by chance")
    given = parser.parse_args(arguments)
    try:
        sheet(given.controller, given.picture, given.numbered is None, given.numbered or 0)
    except (BipedError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    print(f"Wrote {given.picture}.")
    return 0


def _from_ahead(facing: float) -> Array:
    return view_axes(np.array([np.cos(facing), np.sin(facing), 0.0]), np.array([0.0, 0.0, 1.0]))


if __name__ == "__main__":
    sys.exit(main())
