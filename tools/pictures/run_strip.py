# SPDX-License-Identifier: GPL-3.0-or-later
"""One stride of a captured run and one of a style at the same speed, from the side and from ahead, drawn alike.

A development program: needs matplotlib and Pillow, not Blender. Clips are those that ``tools.base.clips`` reads.

    python -m tools.pictures.run_strip ../shared/mocap/deepmimic_humanoid3d_run.txt docs/run-strip.png
"""

from __future__ import annotations

import argparse
import io
import math
import sys
from collections.abc import Sequence
from pathlib import Path as FilePath

import numpy as np
from matplotlib import pyplot
from PIL import Image

from blender_biped.base.errors import BipedError
from blender_biped.base.spatial import Array
from blender_biped.character.standard import standard_character
from blender_biped.control.registry import own_style
from blender_biped.job import Job
from blender_biped.motion import gait_events
from blender_biped.motion.motion import Motion
from blender_biped.preset.preset import Preset, preset
from blender_biped.simulate import simulate
from blender_biped.world.path import Path
from tools.base import clips
from tools.pictures.filmstrip import View, film_strip

_POSES = 9
_SIZE, _DPI = (11.0, 8.6), 60  # inches, and pixels an inch
_COLORS = 96
_LONG = 12.0  # s that it runs


def picture(clip: FilePath, style: Preset, file: FilePath) -> None:
    """Write the picture. Raises BipedError where the style falls, OSError where the picture cannot be written."""
    captured, job = clips.captured_run(clip)
    speed = job.speed / math.sqrt(captured.character.size)
    ours = _run(style, speed)
    figure = pyplot.figure(figsize=_SIZE, dpi=_DPI, facecolor="white")
    views: tuple[tuple[View, str], ...] = (("side", "from the right"), ("front", "from ahead"))
    runs = ((f"Captured, {speed:.2f} m/s", captured), (f"{style.label}, as fast", ours))
    rows = [(f"{who}, {side}", motion, view) for view, side in views for who, motion in runs]
    for k, (title, motion, view) in enumerate(rows):
        axes = figure.add_axes((0.0, 1.0 - (k + 1) / len(rows), 1.0, 0.91 / len(rows)))
        size = motion.character.size
        film_strip(motion, _stride(motion), view, axes=axes, spacing=1.15 * size, title=title)
    drawn = io.BytesIO()
    figure.savefig(drawn, format="png")
    pyplot.close(figure)
    Image.open(drawn).convert("RGB").quantize(_COLORS).save(file, format="PNG", optimize=True)


def _run(style: Preset, speed: float) -> Motion:
    """Return the standard adult's run at a speed, m/s with a leg of 0.9 m. Raises BipedError where it falls."""
    body = standard_character()
    own = speed * math.sqrt(body.size)
    motion = simulate(Job(body, Path([(0.0, 0.0), (_LONG * own, 0.0)]), style, own))
    if motion.outcome != "arrived":
        raise BipedError(f"{style.label} {motion.outcome} at {own:.2f} m/s: choose another style, or clip.")
    return motion


def _stride(motion: Motion) -> Array:
    """Return the times (_POSES,), s, of the stride that begins nearest to the middle of a motion."""
    strides = [stride for side in (0, 1) for stride in gait_events.strides(motion, side)]
    middle = 0.5 * motion.duration
    one = min(strides, key=lambda stride: (stride.side, abs(0.5 * (stride.start + stride.end) - middle)))
    return np.linspace(one.start, one.end, _POSES)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.pictures.run_strip", description="Draw a captured run beside a style's."
    )
    parser.add_argument("clip", type=FilePath, help=f"a captured run: one of {', '.join(clips.RUNS)}")
    parser.add_argument("picture", type=FilePath, help="the picture to write, .png")
    parser.add_argument("--style", default="run", help="a style of Natural Walking, or a file of one's own, .json")
    given = parser.parse_args(arguments)
    try:
        own = given.style.endswith(".json")
        style = own_style(FilePath(given.style)) if own else preset("natural", given.style)
        picture(given.clip, style, given.picture)
    except (BipedError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    print(f"Wrote {given.picture}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
