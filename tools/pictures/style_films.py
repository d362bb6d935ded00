# SPDX-License-Identifier: GPL-3.0-or-later
"""A film of each style on a sheet: a stride from the side, from ahead and from above, 6 s of it, its footprints.

``python3 build.py thumbnails --films DIR``; with ``--key`` the films have numbers in place of names, for readers who
are to say which style they see. A development program: needs Pillow, which comes with matplotlib, not Blender.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from blender_biped.base.errors import DataError
from blender_biped.base.spatial import Array
from blender_biped.character.model import Character, Shape
from blender_biped.character.standard import standard_character
from blender_biped.control.registry import preset
from blender_biped.motion import gait_events
from blender_biped.motion.motion import Motion
from blender_biped.motion.solids import Canvas, PlacedSolid, solids_in_view, view_axes
from blender_biped.motion.strip import LEFT, RIGHT, SKIN, draw_solids, link_colors, shown_job
from blender_biped.simulate import simulate
from tools.pictures.filmstrip import typical_stride

SEED, DURATION = 41, 13.0
"""Of the start of the walk that is filmed; its length, s."""
MOMENTS = 8
"""Poses in a row."""
_PIXELS = 120.0  # a metre
_APART = 1.2  # m from pose to pose
_TALL, _BELOW, _ROUND = 1.96, 0.06, 1.5  # m: of a row, of that below the ground; of what is seen from above
_LABEL = 20  # pixels of a line of text
_LONG, _STEPS = 6.0, 8  # s of the longer film, and footprints
_FLOOR, _LINE, _TEXT, _TRACE = (236, 233, 226), (150, 144, 134), (40, 40, 40), (20, 120, 60)
_UP = np.array([0.0, 0.0, 1.0])
_VIEWS = {
    "from the side": view_axes(np.array([0.0, -1.0, 0.0]), _UP),
    "from ahead": view_axes(np.array([1.0, 0.0, 0.0]), _UP),
    "from above": view_axes(_UP, np.array([0.0, 1.0, 0.0])),
}
"""World to view, for a walk along x: the eye stays where it is, whatever way the body faces."""


@dataclass(frozen=True)
class Task:
    """A style to film, what the film is called, and its file."""

    controller: str
    style: str
    title: str
    file: Path


def tasks(styles: Sequence[tuple[str, str]], folder: Path, key: Path | None) -> list[Task]:
    """Return what to film to ``folder``: by name, or by numbers in an order by chance that is written to ``key``.

    styles: controller and name of each. Raises DataError for a key that lies among the films, OSError where it
    cannot be written.
    """
    if key is None:
        named = [(*style, preset(*style).label) for style in styles]
        return [Task(c, name, label, folder / c / f"{name}.png") for c, name, label in named]
    if folder.resolve() in key.resolve().parents:
        raise DataError(f"The key {key} would lie among the films: who reads them must not see it.")
    shuffled = random.sample(styles, len(styles))
    key.parent.mkdir(parents=True, exist_ok=True)
    key.write_text(json.dumps({str(i): "/".join(one) for i, one in enumerate(shuffled, 1)}, indent=1), encoding="utf-8")
    return [Task(*one, f"Film {i}", folder / f"{i:02d}.png") for i, one in enumerate(shuffled, 1)]


def filmed(found: Sequence[Task], jobs: int) -> Iterator[Path]:
    """Write films, ``jobs`` at once; yield each file.

    Raises DataError for a style that cannot be walked or falls, OSError for a file that cannot be written.
    """
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(draw, found)


def draw(task: Task) -> Path:
    """Write one film; return its file. Raises as ``filmed`` does."""
    job = replace(shown_job(preset(task.controller, task.style), standard_character()), seed=SEED, duration=DURATION)
    motion = simulate(job)
    if motion.outcome == "fell":
        raise DataError(f"{task.controller}/{task.style} fell after {motion.duration:.1f} s: there is no film.")
    begin, end = typical_stride(motion, job)
    title = f"{task.title}    {job.speed:.3g} m/s, {120.0 / (end - begin):.0f} steps a minute"
    task.file.parent.mkdir(parents=True, exist_ok=True)
    film(motion, (begin, end), title, job.ground).save(task.file, optimize=True)
    return task.file


def film(motion: Motion, stride: tuple[float, float], title: str, ground: float = 0.0) -> Image.Image:
    """Return the sheet of a walk along x, from left to right. stride: begin and end, s. ground: height, m."""
    begin, end = stride
    times = begin + (end - begin) * np.arange(MOMENTS) / MOMENTS
    parts = [_words(title)]
    for name in _VIEWS:
        parts += [_words(f"A stride, {name}: s", times - begin), _row(motion, times, name, ground)]
    first = min(max(0.5 * (begin + end - _LONG), 0.0), max(motion.duration - _LONG, 0.0))
    times = first + _LONG * np.arange(MOMENTS) / (MOMENTS - 1)
    parts += [_words(f"{_LONG:.0f} s, from ahead: s", times - first), _row(motion, times, "from ahead", ground)]
    parts += [_words(f"{_STEPS} steps from above, walked to the right; green: the head. A square is 1 m")]
    parts += [_prints(motion, begin)]
    sheet = Image.new("RGB", (parts[0].width, sum(part.height for part in parts)), "white")
    top = 0
    for part in parts:
        sheet.paste(part, (0, top))
        top += part.height
    return sheet


def _words(text: str, times: Array | None = None) -> Image.Image:
    """Return a line of text, above poses with the time of each, s."""
    line = Image.new("RGB", (round(MOMENTS * _APART * _PIXELS), _LABEL), "white")
    ink, font = ImageDraw.Draw(line), ImageFont.load_default(14)
    ink.text((6, 2), text, fill=_TEXT, font=font)
    for k, time in enumerate(() if times is None else times.tolist()):
        if k > 1:  # before that stands the text
            ink.text(((k + 0.5) * _APART * _PIXELS, 2), f"{time:.2f}", fill=_LINE, font=font, anchor="ma")
    return line


def _row(motion: Motion, times: Array, name: str, ground: float) -> Image.Image:
    """Return the body at times (MOMENTS,), s, in a row, each beside the path as far as it is."""
    above = name == "from above"
    bottom, tall = (-0.5 * _ROUND, _ROUND) if above else (-_BELOW, _TALL)
    canvas = Canvas(0.0, MOMENTS * _APART, bottom, bottom + tall, _PIXELS)
    image, poses = np.zeros((*canvas.size, 4)), motion.sampled(times)
    for k in range(MOMENTS):
        solids = _solids(poses, k, _VIEWS[name], ground)
        draw_solids(image, canvas, solids, (k + 0.5) * _APART)
    rows, columns = canvas.size
    row = Image.new("RGB", (columns, rows), "white")
    floor = round(canvas.top * _PIXELS)
    ImageDraw.Draw(row).rectangle((0, 0 if above else floor, columns, rows), fill=_FLOOR)
    ImageDraw.Draw(row).line((0, floor, columns, floor), fill=_LINE)
    body = Image.fromarray(np.round(255.0 * image).astype(np.uint8), "RGBA")
    row.paste(body, mask=body)
    return row


def _solids(poses: Motion, k: int, view: Array, ground: float) -> list[PlacedSolid]:
    """Return the body with a nose in pose ``k``, in view coordinates about the ground of the path below its hips."""
    body, center = poses.character, np.array([poses.root[k, 0], 0.0, ground])
    head = body.index("head")
    origins = np.append(poses.origins[k], poses.origins[k, head : head + 1], axis=0)
    rotations = np.append(poses.rotations[k], poses.rotations[k, head : head + 1], axis=0)
    shapes = [*(link.shape for link in body.links), _nose(body)]
    return solids_in_view(shapes, origins, rotations, [*link_colors(body), SKIN], view, center)


def _nose(body: Character) -> Shape:
    """Return the shape, in the head's frame, that shows where it looks."""
    head = body.links[body.index("head")].shape
    x, y, z = head.center
    wide = head.radius or head.half[0]
    return Shape("capsule", (x + wide, y, z), (0.22 * wide, 0.0, 0.0), 0.24 * wide)


def _prints(motion: Motion, since: float) -> Image.Image:
    """Return the ground from above with the next footprints, and the head's way over it."""
    columns, rows = round(MOMENTS * _APART * _PIXELS), round(_ROUND * _PIXELS)
    ground = Image.new("RGB", (columns, rows), _FLOOR)
    ink = ImageDraw.Draw(ground)
    marks = gait_events.footprints(motion)
    first = min(sum(mark.time < since for mark in marks), max(len(marks) - _STEPS, 0))
    marks = marks[first : first + _STEPS]
    x, y = float(min(mark.place[0] for mark in marks)) - 0.3, 0.5 * _ROUND

    def pixels(points: Array) -> list[tuple[float, float]]:
        return [(float(p[0] - x) * _PIXELS, float(y - p[1]) * _PIXELS) for p in points]

    for k in range(round(MOMENTS * _APART) + 1):
        ink.line((k * _PIXELS, 0, k * _PIXELS, rows), fill="white", width=2)
    ink.line(pixels(np.array([[x, 0.0], [x + MOMENTS * _APART, 0.0]])), fill=_LINE)
    for mark in marks:
        color = tuple(round(255 * part) for part in (LEFT, RIGHT)[mark.side])
        ink.polygon(pixels(gait_events.sole_outline(motion.character, mark)), fill=color)
    seen = (motion.times >= marks[0].time) & (motion.times <= marks[-1].time)
    head = motion.origins[seen, motion.character.index("head"), :2]
    ink.line(pixels(head), fill=_TRACE, width=2)
    return ground
