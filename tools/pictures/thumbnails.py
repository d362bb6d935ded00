# SPDX-License-Identifier: GPL-3.0-or-later
"""The thumbnails of the shipped styles, each beside its preset: NAME.png for NAME.json; and films. Needs the engine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from blender_biped.base.errors import DataError
from blender_biped.character.standard import standard_character
from blender_biped.control.registry import kinds, preset, presets
from blender_biped.job import Job
from blender_biped.motion.motion import Motion
from blender_biped.motion.strip import png, shown_job, thumbnail
from blender_biped.preset.preset import preset_root
from blender_biped.simulate import simulate
from tools.base.laszlo import laszlo_human, robo_bird
from tools.pictures.film import film

FILMED = 2.4
"""s that a film of a style shows."""

_BODIES = {
    ("limit_cycle", "robo_bird"): robo_bird,
    ("limit_cycle", "thesis"): laszlo_human,
    ("limit_cycle", "bent_knee"): laszlo_human,  # the standard adult can only go over to it
}
"""Who walks a style that the standard adult cannot begin with."""


def chosen(only: Sequence[str]) -> list[tuple[str, str]]:
    """Return controller and name of the shipped styles that are meant; all for none.

    only: "CONTROLLER" or "CONTROLLER/NAME". Raises DataError for one that there is not.
    """
    whole = [(kind.name, style.name) for kind in kinds() for style in presets(kind.name)]
    known = {*(controller for controller, _ in whole), *("/".join(one) for one in whole)}
    for one in only:
        if one not in known:
            raise DataError(f"There is no style {one!r}; there are {', '.join('/'.join(style) for style in whole)}.")
    return [style for style in whole if not only or style[0] in only or "/".join(style) in only]


def draw(controller: str, name: str) -> bytes:
    """Return the thumbnail of a style as a PNG file. Raises DataError for a style that falls: it would show that."""
    motion, job = _walked(controller, name)
    return png(thumbnail(motion, job.ground))


def draw_film(controller: str, name: str, folder: Path) -> Path:
    """Write the end of such a walk to ``folder``, as CONTROLLER/NAME.webp; return the file.

    Raises DataError as ``draw`` does, OSError for a file that cannot be written.
    """
    motion, job = _walked(controller, name)
    file = folder / controller / f"{name}.webp"
    file.parent.mkdir(parents=True, exist_ok=True)
    film(motion, job, file, max(motion.duration - FILMED, 0.0))
    return file


def filmed(styles: Sequence[tuple[str, str]], folder: Path, jobs: int) -> Iterator[Path]:
    """Write the films of styles to ``folder``; yield each file. Raises as ``draw_film`` does."""
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(draw_film, *zip(*styles, strict=True), [folder] * len(styles))


def _walked(controller: str, name: str) -> tuple[Motion, Job]:
    """Return a walk that shows a style, and its job. Raises DataError for a style that falls."""
    job = shown_job(preset(controller, name), _BODIES.get((controller, name), standard_character)())
    motion = simulate(job)
    if motion.outcome == "fell":
        raise DataError(f"{controller}/{name} fell after {motion.duration:.1f} s: there is nothing to draw.")
    return motion, job


def drawn(styles: Sequence[tuple[str, str]], jobs: int) -> Iterator[tuple[Path, int]]:
    """Draw the thumbnails of styles beside their presets; yield each file and its size, bytes.

    Raises DataError as ``draw`` does, OSError for a file that cannot be written.
    """
    with ProcessPoolExecutor(jobs) as pool:
        for (controller, name), picture in zip(styles, pool.map(draw, *zip(*styles, strict=True)), strict=True):
            file = preset_root() / controller / f"{name}.png"
            file.write_bytes(picture)
            yield file, len(picture)
