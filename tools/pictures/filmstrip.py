"""Pictures of a walk that a person can read: film strips of a solid body, the path from above, joint angles.

A development program: needs matplotlib, not Blender.

    python -m tools.pictures.filmstrip motion.npz job.json out.png
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Sequence
from pathlib import Path as FilePath
from typing import Literal

import matplotlib
import numpy as np

matplotlib.use("Agg")
from matplotlib import pyplot
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon

from blender_biped.base.errors import BipedError
from blender_biped.base.spatial import Array
from blender_biped.character.reference import GRAVITY
from blender_biped.job import Job, read_job
from blender_biped.motion import gait_events, measures
from blender_biped.motion.motion import Motion, read_motion
from blender_biped.motion.norm import JOINTS, adult_norm
from blender_biped.motion.solids import Canvas, view_axes
from blender_biped.motion.strip import LEFT, RIGHT, draw_pose, side_view

View = Literal["side", "front", "top"]
When = Literal["end", "at", "stride", "ahead"]
"""A moment of a walk: its last seconds, around a time, a typical stride from the side or from ahead."""

_WIDTH = 16.0  # inches
_DPI = 130
_PHASES = 10  # poses in a strip
_MOMENT_PHASES = 7  # poses in the picture of a moment
_TALL = 2.02  # m of a strip for a leg of 0.90 m, with room for what stands above heads and below feet
_TURN = 0.1  # rad/s; slower is no turn
_SHARPEST = 220.0  # pixels a metre of a body with a leg of 0.90 m


def film_strip(
    motion: Motion, times: Sequence[float] | Array, view: View = "side", ground: float = 0.0, axes: Axes | None = None,
    spacing: float | None = None, title: str = "", labels: bool = True, tall: float | None = None,
) -> Axes:  # fmt: skip
    """Draw the body at ``times`` (K,), s, next to each other, and return the axes.

    The eye turns with the walker: from its right ("side"), from ahead of it ("front") or from above ("top").
    spacing: between poses, tall: height of the strip, m, None to choose by size. ground: height of the floor, m.
    Left limbs are orange, right ones blue; a letter under each pose shows which feet carry load.
    """
    poses = motion.sampled(np.clip(np.asarray(times, dtype=float), motion.times[0], motion.times[-1]))
    facing = np.interp(poses.times, motion.times, gait_events.heading(motion))
    scale = motion.character.size
    gap = spacing if spacing is not None else {"side": 1.05, "front": 0.85, "top": 1.05}[view] * scale
    height = tall if tall is not None else (_TALL if view != "top" else 1.1) * scale
    bottom = -0.16 * scale if view != "top" else -0.5 * height
    left, right = -0.55 * gap, (len(poses.times) - 0.45) * gap
    if axes is None:
        axes = pyplot.figure(figsize=(_WIDTH, _WIDTH * height / (right - left) + 0.4)).add_axes((0.0, 0.0, 1.0, 0.94))
    sharpness = min(_WIDTH * _DPI / (right - left), _SHARPEST / scale)
    canvas = Canvas(left, right, bottom, bottom + height, sharpness)
    image = np.zeros((*canvas.size, 4))
    for k in range(len(poses.times)):
        draw_pose(image, canvas, poses, k, _eye(view, float(facing[k])), ground, k * gap)
    axes.set_xlim(left, right)
    axes.set_ylim(bottom, bottom + height)
    axes.set_aspect("equal")
    axes.axis("off")
    if view != "top":
        axes.axhspan(bottom, 0.0, color="#e9e6df", zorder=0)
        axes.axhline(0.0, color="#55504a", linewidth=1.0, zorder=1)
    axes.imshow(image, extent=canvas.extent, zorder=3, interpolation="antialiased", aspect="equal")
    if labels:
        _label_poses(axes, poses, gap, bottom, height, scale)
    if title:
        axes.set_title(title, loc="left", fontsize=11, fontweight="bold", pad=4)
    return axes


def path_from_above(motion: Motion, job: Job, axes: Axes, legend: bool = True) -> Axes:
    """Draw the path, the footprints as oriented outlines, and the traces of mid-hip and centre of mass."""
    path = job.path.points
    axes.plot(path[:, 0], path[:, 1], color="#3a9d5d", linewidth=5.0, alpha=0.35, label="path", solid_capstyle="round")
    axes.plot(motion.com[:, 0], motion.com[:, 1], color="#999999", linewidth=0.8, label="centre of mass")
    axes.plot(motion.root[:, 0], motion.root[:, 1], color="#222222", linewidth=1.1, label="mid-hip")
    end = _walked_time(motion, job)
    for mark in [m for m in gait_events.footprints(motion) if m.time <= end]:
        outline = gait_events.sole_outline(motion.character, mark)
        axes.add_patch(Polygon(outline, closed=True, facecolor=(LEFT, RIGHT)[mark.side], alpha=0.8, edgecolor="black",
                               linewidth=0.5, zorder=4))  # fmt: skip
    axes.plot(*path[0], "o", color="#2b7a46", markersize=7, zorder=5)
    axes.plot(*path[-1], "s", color="#2b7a46", markersize=7, zorder=5)
    every = 2.0 * math.ceil(motion.duration / 24.0)  # s; more would not be legible
    for second in np.arange(0.0, motion.duration, every):
        x, y = (float(np.interp(second, motion.times, motion.root[:, k])) for k in (0, 1))
        axes.annotate(f"{second:.0f} s", (x, y), textcoords="offset points", xytext=(0, 16), fontsize=7, ha="center")
    axes.set_aspect("equal")
    axes.margins(0.03)
    axes.set_xlabel("x, m", fontsize=8)
    axes.set_ylabel("y, m", fontsize=8)
    axes.tick_params(labelsize=8)
    axes.grid(color="#dddddd", linewidth=0.5)
    axes.set_axisbelow(True)
    if legend:
        axes.legend(loc="best", fontsize=8, frameon=False)
    return axes


def walk_picture(motion: Motion, job: Job, file: FilePath, title: str = "") -> None:
    """Write a picture of the whole walk: strips from the side and front, and the path from above.

    Raises OSError when the file cannot be written.
    """
    strips = _strips(motion, job)
    scale = motion.character.size
    strip_height = _WIDTH * _TALL * scale / ((_PHASES + 0.1) * 1.05 * scale) + 0.42
    low, high = _ground_extent(motion, job)
    path_height = float(np.clip(0.9 * _WIDTH * (high[1] - low[1]) / (high[0] - low[0]), 3.0, 9.0))
    heights = [strip_height] * len(strips) + [path_height + 0.9]
    figure = pyplot.figure(figsize=(_WIDTH, sum(heights) + 0.62), dpi=_DPI, facecolor="white")
    whole = figure.get_figheight()
    figure.text(0.01, 1.0 - 0.22 / whole, title or walk_title(motion, job), fontsize=13, va="center", fontweight="bold")
    figure.text(0.01, 1.0 - 0.47 / whole, _figures(motion, job), fontsize=10, va="center", color="#444444")
    top = whole - 0.62
    for (name, view, times), height in zip(strips, heights, strict=False):
        axes = _row(figure, top, height, 0.36)
        spacing = 1.05 * scale
        film_strip(motion, times, view, job.ground, axes, spacing, name)
        top -= height
    axes = path_from_above(motion, job, _row(figure, top, heights[-1], 0.35, footer=0.5, margin=0.05))
    axes.set_title("The path and the footprints, from above", loc="left", fontsize=11, fontweight="bold", pad=4)
    axes.set_xlim(low[0], high[0])
    axes.set_ylim(low[1], high[1])
    figure.savefig(file, dpi=_DPI)
    pyplot.close(figure)


def angles_picture(motion: Motion, job: Job, file: FilePath) -> None:
    """Write hip, knee and ankle flexion over the gait cycle: each steady stride, their mean, and adults' band.

    Raises OSError when the file cannot be written.
    """
    figure, columns = pyplot.subplots(1, 3, figsize=(_WIDTH, 4.6), dpi=_DPI, layout="constrained")
    percent = np.arange(101)
    for axes, joint in zip(columns, JOINTS, strict=True):
        band, usual = draw_norm(axes, joint)
        strides = measures.cycles(motion, job, joint)
        sides = [stride.side for stride in measures.steady_strides(motion, job)]
        for curve, side in zip(strides, sides, strict=True):
            axes.plot(percent, curve, color=(LEFT, RIGHT)[side], linewidth=0.7, alpha=0.5)
        if len(strides):
            axes.plot(percent, strides.mean(axis=0), color="black", linewidth=1.8)
        r, rms, offset = measures.against_norm(motion, job, joint)
        figures = "no steady stride" if rms is None else f"r {r or 0.0:.2f}, rms {rms:.1f}, without offset {offset:.1f}"
        axes.set_title(f"{angle_name(joint)}: {figures}", fontsize=10)
    columns[0].set_ylabel("degrees")
    columns[0].legend(
        [band, usual, *(Line2D([], [], color=c) for c in (LEFT, RIGHT, "black"))],
        ["adults, mean and spread", "adults, mean", "left strides", "right strides", "their mean"], fontsize=8,
    )  # fmt: skip
    figure.suptitle(walk_title(motion, job), fontsize=11, fontweight="bold")
    figure.savefig(file)
    pyplot.close(figure)


def angle_name(joint: str) -> str:
    """Return what the angle of a joint of JOINTS is called."""
    return "ankle dorsiflexion" if joint == "ankle" else f"{joint} flexion"


def draw_norm(axes: Axes, joint: str) -> tuple[PolyCollection, Line2D]:
    """Draw adults' band (mean and spread) and mean of a joint over the gait cycle, and return the two."""
    norm, percent = adult_norm()[joint], np.arange(101)
    band = axes.fill_between(percent, norm.mean - norm.spread, norm.mean + norm.spread, color="#cfd8cf")
    (usual,) = axes.plot(percent, norm.mean, color="#6b8f6b", linewidth=1.5)
    axes.set_xlabel("% of the gait cycle, 0 and 100: foot strike")
    axes.set_xlim(0, 100)
    axes.grid(color="#eeeeee")
    axes.set_axisbelow(True)
    return band, usual


def moment_picture(motion: Motion, job: Job, when: When, at: float, file: FilePath) -> None:
    """Write a small picture of one moment of a walk: some poses, and the path from above. at: s, for "at".

    Raises OSError when the file cannot be written.
    """
    figure = pyplot.figure(figsize=(14.0, 2.75), dpi=110, facecolor="white")
    view: View = "front" if when == "ahead" else "side"
    times = moment_times(motion, job, when, at)
    film_strip(motion, times, view, job.ground, figure.add_axes((0.0, 0.0, 0.7, 1.0)))
    axes = path_from_above(motion, job, figure.add_axes((0.745, 0.17, 0.25, 0.8)), legend=False)
    low, high = _ground_extent(motion, job)
    axes.set_xlim(low[0], high[0])
    axes.set_ylim(low[1], high[1])
    figure.savefig(file)
    pyplot.close(figure)


def moment_times(motion: Motion, job: Job, when: When, at: float) -> Array:
    """Return the times (K,), s, of the poses that show a moment. at: s, for "at"."""
    if when == "end":
        begin, end = motion.duration - 2.1, motion.duration
    elif when == "at":
        late = min(at + 0.55, motion.duration)
        begin, end = late - 1.1, late
    else:
        begin, end = typical_stride(motion, job)
    return np.linspace(max(0.0, begin), min(motion.duration, end), _MOMENT_PHASES)


def typical_stride(motion: Motion, job: Job) -> tuple[float, float]:
    """Return begin and end, s, of the stride nearest to the middle of steady walking, or of what there is."""
    middle = 0.5 * motion.duration
    span = measures.steady_span(motion, job)
    strides = [s for side in (0, 1) for s in gait_events.strides(motion, side)]
    if span is not None:
        middle = 0.5 * (span[0] + span[1])
    stride = min(strides, key=lambda s: abs(0.5 * (s.start + s.end) - middle), default=None)
    return (stride.start, stride.end) if stride else (middle - 0.55, middle + 0.55)


def _strips(motion: Motion, job: Job) -> list[tuple[str, View, Array]]:
    """Return name, view and times of each strip: start, one steady stride twice, the sharpest turn, the end."""
    begin, end = typical_stride(motion, job)
    one = np.linspace(begin, end, _PHASES)
    found: list[tuple[str, View, Array]] = [
        ("Start", "side", np.linspace(0.0, min(2.4, motion.duration), _PHASES)),
        ("One stride, from the right", "side", one),
        ("The same stride, from ahead", "front", one),
    ]
    inner = (motion.times > 0.55) & (motion.times < _walked_time(motion, job) - 0.55)
    rate = np.where(inner, np.abs(np.gradient(gait_events.heading(motion), motion.times)), 0.0)
    if rate.max() > _TURN:
        at = float(motion.times[rate.argmax()])
        times = np.linspace(at - 0.5 * (end - begin), at + 0.5 * (end - begin), _PHASES)
        found.append((f"The sharpest turn ({np.degrees(rate.max()):.0f} degrees a second), from ahead", "front", times))
    last = {"arrived": "Stop", "fell": "Fall"}.get(motion.outcome, "End")
    found.append((last, "side", np.linspace(max(0.0, motion.duration - 2.4), motion.duration, _PHASES)))
    return found


def walk_title(motion: Motion, job: Job) -> str:
    """Return who walks how, and how far: of what walks in place of the job's own walk, that one."""
    travelled, attempt = float(motion.command[-1, 2] - motion.command[0, 2]), motion.attempt
    style = f"{attempt.controller}/{attempt.preset}" if attempt else f"{job.preset.controller}/{job.preset.name}"
    return (
        f"{motion.character.name}: {style}, {job.speed:.3g} m/s desired, "
        f"{travelled:.1f} m in {motion.duration:.1f} s, {motion.outcome}"
    )


def _figures(motion: Motion, job: Job) -> str:
    """Return a line of key figures."""
    f = measures.report(motion, job)

    def text(name: str, unit: str, digits: int = 2) -> str:
        return "-" if f[name] is None else f"{f[name]:.{digits}f}{unit}"

    return (
        f"off the path {text('path_deviation_mean_m', '')} / {text('path_deviation_worst_m', ' m')} (mean / worst), "
        f"speed error {text('speed_error_percent', ' %', 1)}, arrival {text('arrival_m', ' m')}, "
        f"slip {text('foot_slip_median_mm', '', 1)} / {text('foot_slip_worst_mm', ' mm', 1)} (median / worst), "
        f"step {text('step_length_m', ' m')}, {text('cadence_steps_per_min', '', 0)} steps/min, "
        f"r {text('hip_r', '')} {text('knee_r', '')} {text('ankle_r', '')} (hip knee ankle), "
        f"CPU {text('cpu_s_per_s', ' s/s')}"
    )


def _row(figure: Figure, top: float, height: float, header: float, footer: float = 0.0, margin: float = 0.0) -> Axes:
    """Return axes over the figure's width, in a row ``height`` inches high below ``top``, inches from below."""
    whole = figure.get_figheight()
    bottom, inner = (top - height + footer) / whole, (height - header - footer) / whole
    return figure.add_axes((margin, bottom, 1.0 - 1.2 * margin, inner))


def _ground_extent(motion: Motion, job: Job) -> tuple[Array, Array]:
    """Return the low and high corner (2,), m, of the ground that path and walk cover, with a margin."""
    points = np.concatenate((job.path.points, motion.root[:, :2]))
    margin = 0.5 * motion.character.leg_length
    return points.min(axis=0) - margin, points.max(axis=0) + margin


def _walked_time(motion: Motion, job: Job) -> float:
    """Return when the walk ended or fell, s."""
    fell = measures.fell_at(motion, job)
    return motion.duration if fell is None else fell


def _eye(view: View, facing: float) -> Array:
    forward = np.array([np.cos(facing), np.sin(facing), 0.0])
    if view == "side":
        return side_view(facing)
    if view == "front":
        return view_axes(forward, np.array([0.0, 0.0, 1.0]))
    return view_axes(np.array([0.0, 0.0, 1.0]), np.array([-np.sin(facing), np.cos(facing), 0.0]))


def _label_poses(axes: Axes, poses: Motion, gap: float, bottom: float, height: float, scale: float) -> None:
    heavy = 0.03 * poses.character.mass * GRAVITY
    for k, time in enumerate(poses.times):
        axes.text(k * gap, bottom + 0.985 * height, f"{time:.2f} s", ha="center", va="top", fontsize=8, color="#555555")
        for side, (dx, color) in enumerate(((-0.09, LEFT), (0.09, RIGHT))):
            if poses.loads[k, side] > heavy:
                axes.text(k * gap + dx * scale, bottom + 0.02 * height, "LR"[side], ha="center", va="bottom",
                          fontsize=9, fontweight="bold", color=color, zorder=5)  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tools.pictures.filmstrip", description="Draw a walk as a picture.")
    parser.add_argument("motion", type=FilePath, help="the motion, .npz")
    parser.add_argument("job", type=FilePath, help="its job, .json")
    parser.add_argument("picture", type=FilePath, help="the picture to write, .png")
    given = parser.parse_args(arguments)
    try:
        motion, job = read_motion(given.motion), read_job(given.job)
        walk_picture(motion, job, given.picture)
    except (BipedError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    print(f"Wrote {given.picture}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
