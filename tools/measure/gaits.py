# SPDX-License-Identifier: GPL-3.0-or-later
"""``python3 build.py measure --gaits CONTROLLER``: every gait for a minute, on every body, and a sheet of pictures.

Straight ahead at the gait's usual speed: a minute on the standard body, 20 s on the others of the grid; of a planar
controller on the seven-link biped instead of those. Written are ``gaits.json`` and ``gaits.png``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path as FilePath
from typing import Any

import numpy as np

from blender_biped.base.errors import DataError
from blender_biped.base.spatial import Array
from blender_biped.character.model import Character
from blender_biped.control.registry import preset, presets
from blender_biped.job import Job
from blender_biped.motion.gait_events import moving_mean
from blender_biped.motion.measures import report
from blender_biped.motion.motion import Motion
from blender_biped.preset.preset import Preset
from blender_biped.simulate import simulate
from blender_biped.world.path import Path
from tools.base.controllers import in_plane
from tools.base.yin import planar_biped
from tools.measure.grid import DEFAULT_CHARACTER, characters, usual_speed

LONG, SHORT = 60.0, 20.0  # s, on the standard body and on the others
BEGINNING = 1.0 / 3.0  # share of a walk that is not measured
PATH = 400.0  # m, longer than any of them
POSES = 11  # of a stride on the sheet
NAMES = ("speed_mps", "step_s", "flight_percent", "foot_slip_median_mm", "cpu_s_per_s")


def bodies(controller: str) -> dict[str, Character]:
    """Return the bodies that a controller's gaits are tried on, the standard one first."""
    found = characters()
    if in_plane(controller):
        return {DEFAULT_CHARACTER: found[DEFAULT_CHARACTER], "seven-link": planar_biped()}
    return found


def walk(style: Preset, body: Character, seconds: float) -> tuple[Motion, Job]:
    """Return a gait's motion straight ahead at its usual speed, and its job.

    Raises DataError for a style without speeds.
    """
    speed = usual_speed(style, body)
    if speed is None:
        raise DataError(f"The preset {style.label!r} has no speeds: it is no gait.")
    job = Job(body, Path([[0.0, 0.0], [PATH, 0.0]]), style, speed, duration=seconds, stop=False)
    return simulate(job), job


def mean_speed(motion: Motion) -> float:
    """Return how far a walk straight ahead came, by the time that it took, m/s, without its beginning."""
    k = int(BEGINNING * len(motion.times))
    way = motion.root[-1, :2] - motion.root[k, :2]
    return float(np.hypot(*way)) / max(float(motion.times[-1] - motion.times[k]), 1e-6)


def running_speeds(motion: Motion, over: float) -> Array:
    """Return the speed of the centre of mass over the ground (F,), m/s, averaged over some seconds, at each frame."""
    along = np.linalg.norm(np.gradient(motion.com[:, :2], motion.times, axis=0), axis=1)
    return moving_mean(along, motion.times, over)


def figures(motion: Motion, job: Job) -> dict[str, Any]:
    """Return what a long walk is judged by: ``fell_at_s`` and NAMES."""
    found = report(motion, replace(job, speed=max(job.speed, 1e-6)))
    k = int(BEGINNING * len(motion.times))
    strikes = motion.strikes[motion.strikes[:, 0] > motion.times[k], 0]
    return {
        "fell_at_s": found["fell_at_s"],
        "speed_mps": mean_speed(motion),
        "step_s": float(np.diff(strikes).mean()) if len(strikes) > 1 else None,
        "flight_percent": found["flight_percent"],
        "foot_slip_median_mm": found["foot_slip_median_mm"],
        "cpu_s_per_s": motion.cpu / float(motion.times[-1]),
    }


def _figures(controller: str, name: str, who: str) -> dict[str, Any]:
    seconds = LONG if who == DEFAULT_CHARACTER or in_plane(controller) else SHORT
    motion, job = walk(preset(controller, name), bodies(controller)[who], seconds)
    return {"controller": controller, "preset": name, "character": who, "speed": job.speed, **figures(motion, job)}


def measured(controller: str, jobs: int) -> list[dict[str, Any]]:
    """Return the figures of every gait of a controller on every body. Raises DataError for an unknown one."""
    names = [style.name for style in presets(controller)]
    cases = [(controller, name, who) for name in names for who in bodies(controller)]
    with ProcessPoolExecutor(jobs) as pool:
        return list(pool.map(_figures, *zip(*cases, strict=True)))


def table(cases: Sequence[Mapping[str, Any]]) -> str:
    """Return a table: a gait's figures on the standard body, and who else falls when."""
    lines = [f"{'gait':14}{'desired':>8}{'m/s':>7}{'step s':>8}{'flight %':>10}{'slip mm':>9}{'CPU':>7}  falls"]
    for name in dict.fromkeys(case["preset"] for case in cases):
        own = [case for case in cases if case["preset"] == name]
        first = next(case for case in own if case["character"] == DEFAULT_CHARACTER)
        values = [first["speed"], *(first[key] for key in NAMES)]
        texts = (
            "-" if value is None else f"{value:.{digits}f}"
            for value, digits in zip(values, (2, 2, 2, 0, 1, 3), strict=True)
        )  # fmt: skip
        cells = "".join(text.rjust(width) for text, width in zip(texts, (8, 7, 8, 10, 9, 7), strict=True))
        falls = ", ".join(f"{c['character']} {c['fell_at_s']:.0f} s" for c in own if c["fell_at_s"] is not None)
        lines.append(f"{name:14}{cells}  {falls or 'none'}")
    return "\n".join(lines)


def sheet(controller: str, file: FilePath) -> None:
    """Draw a stride of every gait from the side and from the front into one picture."""
    from matplotlib import pyplot

    from tools.pictures.filmstrip import View, film_strip

    views: tuple[View, View] = ("side", "front")

    styles = presets(controller)
    figure, axes = pyplot.subplots(len(styles), 2, figsize=(22.0, 2.3 * len(styles)), squeeze=False)
    for row, style in zip(axes, styles, strict=True):
        motion, _ = walk(style, characters()[DEFAULT_CHARACTER], 10.0)
        left = [time for time, side in motion.strikes if side == 0 and time > 6.0]
        first, last = (left[0], left[1]) if len(left) > 1 else (8.0, 9.0)
        for place, view in zip(row, views, strict=True):
            film_strip(motion, np.linspace(first, last, POSES), view, axes=place, title=style.label, labels=False)
    figure.tight_layout()
    file.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(file, dpi=60)
    pyplot.close(figure)


def run(controller: str, out: FilePath, jobs: int, say: Callable[[str], None] = print) -> None:
    """Measure the gaits of a controller and write what was found."""
    cases = measured(controller, jobs)
    say(table(cases))
    out.mkdir(parents=True, exist_ok=True)
    (out / "gaits.json").write_text(json.dumps({"version": 1, "cases": cases}, indent=1) + "\n", encoding="utf-8")
    sheet(controller, out / "gaits.png")
    say(f"  {out / 'gaits.json'}, {out / 'gaits.png'}")
