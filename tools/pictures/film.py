"""A walk as a small film: the body as it walks over a floor with its path, its footprints as they are made.

A development program: needs Pillow, which comes with matplotlib, not Blender.

    python -m tools.pictures.film motion.npz job.json walk.webp
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from blender_biped.base.errors import BipedError
from blender_biped.base.spatial import Array
from blender_biped.job import Job, read_job
from blender_biped.motion import gait_events
from blender_biped.motion.motion import Motion, read_motion
from blender_biped.motion.solids import Canvas, view_axes
from blender_biped.motion.strip import LEFT, RIGHT, draw_pose
from tools.pictures.filming import followed, write_webp

RATE = 20.0
"""Pictures a second."""
_SIZE = (420, 320)  # pixels wide and tall
_TALL, _BELOW = 2.6, 0.45  # m of a picture for a leg of 0.90 m, and of that below the feet
_LONGEST = 30.0  # s that are shown
_ROUND, _ABOVE = math.radians(-50.0), math.radians(16.0)  # where the eye is, from where the path leads, and how high
_SOFT = 1.2  # s over which the eye follows the walker
_FLOOR, _LINES, _PATH = (244, 242, 237), (221, 217, 208), (150, 201, 166)
_QUALITY = 45


@dataclass(frozen=True)
class _Camera:
    """An eye that looks along one direction. view (3, 3): world to picture. centers (T, 2): where it looks, m."""

    view: Array
    centers: Array
    canvas: Canvas

    def pixels(self, points: Array, k: int, ground: float) -> list[tuple[float, float]]:
        """Return where points of the ground (N, 2), m, are in picture ``k``."""
        away = np.column_stack((points - self.centers[k], np.zeros(len(points)))) @ self.view.T
        c = self.canvas
        across, up = (away[:, 0] - c.left) * c.pixels_per_metre, (c.top - away[:, 1]) * c.pixels_per_metre
        return list(zip(across.tolist(), up.tolist(), strict=True))


def pictures(motion: Motion, job: Job, since: float = 0.0) -> Iterator[Image.Image]:
    """Give the pictures of a film, RATE a second, of half a minute of a walk. since: s after its beginning."""
    first = float(motion.times[0]) + since
    poses = motion.sampled(np.arange(first, min(float(motion.times[-1]), first + _LONGEST), 1.0 / RATE))
    camera = _camera(poses, job)
    prints = gait_events.footprints(motion)
    outlines = [gait_events.sole_outline(motion.character, mark) for mark in prints]
    for k, time in enumerate(poses.times.tolist()):
        floor = Image.new("RGB", _SIZE, _FLOOR)
        draw = ImageDraw.Draw(floor)
        for line in _grid(camera.centers[k]):
            draw.line(camera.pixels(line, k, job.ground), fill=_LINES, width=1)
        draw.line(camera.pixels(job.path.points, k, job.ground), fill=_PATH, width=4, joint="curve")
        for mark, outline in zip(prints, outlines, strict=True):
            if mark.time <= time:
                color = LEFT if mark.side == 0 else RIGHT
                draw.polygon(camera.pixels(np.asarray(outline), k, job.ground), fill=_pale(color))
        yield _with_body(floor, poses, k, camera, job.ground)


def film(motion: Motion, job: Job, file: Path, since: float = 0.0) -> None:
    """Write a walk as an animated WebP that goes on for ever. Raises OSError when it cannot be written.

    since: s after the walk's beginning at which the film begins.
    """
    write_webp(file, pictures(motion, job, since), RATE, _QUALITY)


def _camera(poses: Motion, job: Job) -> _Camera:
    """Return an eye beside the path's chord that follows the walker softly."""
    scale = poses.character.size
    way = poses.root[-1, :2] - poses.root[0, :2]
    where = math.atan2(way[1], way[0]) + _ROUND
    flat = math.cos(_ABOVE)
    eye = np.array([flat * math.cos(where), flat * math.sin(where), math.sin(_ABOVE)])
    pixels = _SIZE[1] / (_TALL * scale)
    wide = _SIZE[0] / pixels
    canvas = Canvas(-0.5 * wide, 0.5 * wide, -_BELOW * scale, (_TALL - _BELOW) * scale, pixels)
    return _Camera(view_axes(eye, np.array([0.0, 0.0, 1.0])), followed(poses.root[:, :2], RATE, _SOFT), canvas)


def _grid(center: Array) -> Iterator[Array]:
    """Give the lines of a grid of whole metres around a place, each of two points (2, 2), m."""
    x, y = np.round(center)
    for d in range(-6, 7):
        yield np.array([[x + d, y - 6.0], [x + d, y + 6.0]])
        yield np.array([[x - 6.0, y + d], [x + 6.0, y + d]])


def _pale(color: tuple[float, float, float]) -> tuple[int, int, int]:
    r, g, b = (round(255 * (0.45 + 0.55 * part)) for part in color)
    return r, g, b


def _with_body(floor: Image.Image, poses: Motion, k: int, camera: _Camera, ground: float) -> Image.Image:
    """Return a picture of the floor with the body on it."""
    canvas, away = camera.canvas, np.append(poses.root[k, :2] - camera.centers[k], 0.0)
    u, v, _ = (camera.view @ away).tolist()  # the body is drawn about its own place
    moved = Canvas(canvas.left, canvas.right, canvas.bottom - v, canvas.top - v, canvas.pixels_per_metre)
    image = np.zeros((*moved.size, 4))
    draw_pose(image, moved, poses, k, camera.view, ground, u)
    pixels = np.round(255.0 * np.clip(image[: _SIZE[1], : _SIZE[0]], 0.0, 1.0)).astype(np.uint8)
    body = Image.fromarray(pixels, "RGBA")
    found = floor.convert("RGBA")
    found.alpha_composite(body)
    return found.convert("RGB")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tools.pictures.film", description="Make a film of a walk.")
    parser.add_argument("motion", type=Path, help="what was simulated, .npz")
    parser.add_argument("job", type=Path, help="its job, .json")
    parser.add_argument("film", type=Path, help="the film to write, .webp")
    given = parser.parse_args(arguments)
    try:
        film(read_motion(given.motion), read_job(given.job), given.film)
    except (BipedError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    print(f"Wrote {given.film}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
