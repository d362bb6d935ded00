# SPDX-License-Identifier: GPL-3.0-or-later
"""Styles made of captured walks (Yin 2007, section 5): each is found, walks on, follows an S, and is like its clip.

The clips are those of ``../shared/mocap`` beside the project. What is made of them is not kept: their licences are
not the project's.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path as FilePath
from typing import Any

import matplotlib
import numpy as np

matplotlib.use("Agg")
from matplotlib import pyplot

from blender_biped.character.standard import standard_character
from blender_biped.control.registry import CAPTURING
from blender_biped.job import Job
from blender_biped.motion.likeness import likeness, stride_curves
from blender_biped.motion.measures import report
from blender_biped.motion.motion import Motion
from blender_biped.simulate import simulate
from blender_biped.world.path import Path
from tools.base import clips
from tools.base.paths import paths
from tools.pictures.filmstrip import film_strip, typical_stride

Figures = dict[str, Any]
FOLDER = FilePath(__file__).resolve().parents[3] / "shared" / "mocap"
LIKE = 0.9
"""Correlation of hip and knee with the clip that is asked for."""
_SECONDS = 30.0
STARTS = (3, 4, 5)
"""Seeds of the starts that a style is judged from: others than those that it was made with."""
_POSES = 9
_STYLES = ("masculinity", "feminine", "tired", "childish")
_LOADERS: Mapping[str, tuple[str, Callable[[FilePath], tuple[Motion, Job]]]] = {
    "cmu_02_01": ("cmu_02_01.bvh", clips.cmu_02_01),
    "cmu_12_01": ("cmu_12_01_walk.bvh", clips.cmu_12_01),
    "humanoid": ("deepmimic_humanoid3d_walk.txt", clips.humanoid_walk),
    **{name: (f"styles/bandai1_walk_{name}_001.bvh", clips.styled) for name in _STYLES},
}


@dataclass(frozen=True)
class CapturedTrial:
    """A style made of a clip. name: of it in ``_LOADERS``."""

    name: str


def _trials() -> list[CapturedTrial]:
    return [CapturedTrial(name) for name, (file, _) in _LOADERS.items() if (FOLDER / file).exists()]


PARTS: dict[str, Callable[[], list[CapturedTrial]]] = {"authoring": _trials}


def run(trial: CapturedTrial, out: FilePath) -> Figures:
    """Return the figures of a style, the worst of its starts: straight and along an S; draw it beside its clip."""
    file, load = _LOADERS[trial.name]
    clip, recorded = load(FOLDER / file)
    body = standard_character()
    began, cpu = time.monotonic(), time.process_time()
    assert CAPTURING.making is not None
    making = CAPTURING.making(clip, trial.name, trial.name, body, recorded.gravity)
    while not making.done:
        making.tell([simulate(job) for job in making.ask()])
    style = making.style()
    took, used = time.monotonic() - began, time.process_time() - cpu
    speed = float(style.values["usual"]) * float(np.sqrt(body.size))
    away = Job(body, Path([[0.0, 0.0], [2.0 * _SECONDS * speed, 0.0]]), style, speed, stop=False, duration=_SECONDS)
    curve = Job(body, paths()["s-curve"], style, speed)
    theirs = stride_curves(clip, recorded)
    straight: list[Figures] = []
    bent: list[Figures] = []
    for seed in STARTS:
        ahead, turning = replace(away, seed=seed), replace(curve, seed=seed)
        motion = simulate(ahead)
        straight.append({**report(motion, ahead), **_likeness(motion, ahead, theirs)})
        if seed == STARTS[0]:
            _draw(trial.name, (clip, recorded), (motion, ahead), out)
        motion = simulate(turning)
        bent.append({**report(motion, turning), "outcome": motion.outcome})
    fell = [one["fell"] for one in straight] + [one["outcome"] != "arrived" for one in bent]

    def least(name: str) -> float | None:
        known = [one[name] for one in straight]
        return None if None in known else min(known)

    return {
        "name": trial.name, "fell": any(fell), "walks": len(fell), "falls": sum(fell),
        "straight_falls": sum(fell[: len(straight)]), "s_curve_falls": sum(fell[len(straight) :]),
        "fell_at_s": [one["fell_at_s"] for one in (*straight, *bent)],
        "s_curve_outcomes": [one["outcome"] for one in bent],
        "s_curve_deviation_mean_m": max(one["path_deviation_mean_m"] or 0.0 for one in bent),
        "s_curve_deviation_worst_m": max(one["path_deviation_worst_m"] or 0.0 for one in bent),
        "hip_r": least("hip_like"), "knee_r": least("knee_like"), "ankle_r": least("ankle_like"), "speed_mps": speed,
        "speed_error_percent": max(one["speed_error_percent"] or 0.0 for one in straight),
        "cadence_steps_per_min": straight[0]["cadence_steps_per_min"],
        "foot_slip_median_mm": straight[0]["foot_slip_median_mm"], "making_s": took, "making_cpu_s": used,
        "description": style.description, "gait": style.values["gait"],
    }  # fmt: skip


def _likeness(motion: Motion, job: Job, theirs: Mapping[str, Any]) -> Figures:
    return {f"{joint}_like": r for joint, r in likeness(stride_curves(motion, job), dict(theirs)).items()}


def _draw(name: str, clip: tuple[Motion, Job], walk: tuple[Motion, Job], out: FilePath) -> None:
    """Draw a stride of the clip above one of the walk: ``authoring-NAME.png``."""
    figure, rows = pyplot.subplots(2, 1, figsize=(12.0, 6.0))
    for axes, (motion, job), said in zip(rows, (clip, walk), ("clip", "walk by physics"), strict=True):
        try:
            begin, end = typical_stride(motion, job)
        except ValueError:  # it fell before a whole stride
            begin, end = 0.0, motion.duration
        film_strip(motion, np.linspace(begin, end, _POSES), "side", job.ground, axes, title=f"{name}: {said}")
    figure.savefig(out / f"authoring-{name}.png", dpi=80)
    pyplot.close(figure)


def finish(found: Sequence[Figures], out: FilePath) -> None:
    """Write ``authoring.json``: a case for each style."""
    data: dict[str, Any] = {"version": 1, "cases": list(found)}
    if not found:
        data["skipped"] = f"There is no {FOLDER}: the clips are not the project's to hand on."
    (out / "authoring.json").write_text(json.dumps(data, indent=1), encoding="utf-8")


def report_lines(part: str, found: Sequence[Figures]) -> list[str]:
    """Return the lines for people. part: of PARTS."""
    if not found:
        return [f"  skipped: there is no {FOLDER} with captured walks"]
    lines = []
    for one in found:
        r = {joint: one[f"{joint}_r"] for joint in ("hip", "knee", "ankle")}
        like = ", ".join(f"{joint} {value:.2f}" if value is not None else f"{joint} -" for joint, value in r.items())
        near = all(r[joint] is not None and r[joint] >= LIKE for joint in ("hip", "knee"))
        how = (
            f"falls in {one['falls']} of {one['walks']} walks"
            if one["fell"]
            else f"walks {one['walks']} of {one['walks']}"
        )
        how += "" if near else f" (hip or knee under {LIKE})"
        lines.append(
            f"  {one['name']:<12} {how}; r {like}; {one['speed_mps']:.2f} m/s; "
            f"S within {one['s_curve_deviation_mean_m']:.2f} m; "
            f"made in {one['making_s']:.0f} s ({one['making_cpu_s']:.0f} s of CPU)"
        )
    return lines
