# SPDX-License-Identifier: GPL-3.0-or-later
"""Styles of captured runs (``tools.trials``): who arrives, and how near to the capture they are.

Beside them run the styles that are no capture, at the same speed.

A style is made of each clip on one body, as *Make Style from Action* does, and run by others. Clips and rigs lie beside
the project.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path as FilePath
from statistics import median
from typing import Any

from blender_biped.control.natural.making import making_of
from blender_biped.control.registry import own_style, write_own_style
from blender_biped.job import Job
from blender_biped.preset.preset import Preset, preset
from blender_biped.simulate import simulate
from tools.base import clips
from tools.trials import natural
from tools.trials.runs import PEOPLE, WAYS, Figures, run_figures

SEEDS = (301, 302, 303)
MAKER = "mpfb_mixamo_adult"
BODIES = (MAKER, natural.STANDARD)
"""The body that styles are made on, and another one."""
_NOT_CAPTURED = ("peak_load",)  # nobody weighed it
_SIMPLE: Mapping[bool, str] = {False: "jog", True: "run"}
_FAST = 2.8  # m/s from which a run is compared with *Run*, else with *Jog*


@dataclass(frozen=True)
class CapturedRunTrial:
    """A style made of a clip, by its file's name."""

    clip: str


def _trials() -> list[CapturedRunTrial]:
    return [CapturedRunTrial(clip) for clip in clips.RUNS if (natural.SHARED / "mocap" / clip).is_file()]


PARTS = {"captured-runs": _trials}


def made(clip: str) -> Preset:
    """Return the style that is made of a clip, on MAKER."""
    motion, _ = clips.captured_run(natural.SHARED / "mocap" / clip)
    making = making_of(motion, FilePath(clip).stem, FilePath(clip).stem, natural.body_of(MAKER))
    while not making.done:
        making.tell([simulate(job) for job in making.ask()])
    return making.style()


def run(trial: CapturedRunTrial, out: FilePath) -> Figures:
    """Return what became of a style, and its figures beside those of the clip; the style is kept beside them."""
    style = _kept(trial.clip, out)
    motion, job = clips.captured_run(natural.SHARED / "mocap" / trial.clip)
    captured = run_figures(motion, job.speed / math.sqrt(motion.character.size))
    usual = float(style.values["usual"])
    simple = preset("natural", _SIMPLE[usual > _FAST])
    ends = [
        {"body": body, "way": way, "seed": seed, "style": name, **_ran(body, way, seed, own, usual)}
        for body in BODIES if natural.known(body)
        for name, own in (("made", style), ("plain", simple))
        for way in WAYS if way != "circle" and (name == "made" or way == "straight")
        for seed in SEEDS
    ]  # fmt: skip
    return {"clip": trial.clip, "speed_mps": usual, "said": style.description, "captured": captured, "runs": ends}


def _kept(clip: str, out: FilePath) -> Preset:
    """Return the style of a clip, made where it is not there yet."""
    file = out / f"{FilePath(clip).stem}.json"
    if not file.is_file():
        file.parent.mkdir(parents=True, exist_ok=True)
        write_own_style(file, replace(made(clip), name=file.stem))
    return own_style(file)


def _ran(body: str, way: str, seed: int, style: Preset, speed: float) -> dict[str, Any]:
    character = natural.body_of(body)
    path = WAYS[way](character.size, speed)
    motion = simulate(Job(character, path, style, speed * math.sqrt(character.size), seed=seed))
    return {"outcome": motion.outcome, "figures": run_figures(motion, speed) if way == "straight" else None}


def report_lines(part: str, found: Sequence[Figures]) -> list[str]:
    """Return lines for people: who arrives, and each figure of the capture, of the style and of the plain one."""
    lines = []
    for one in found:
        lines += [f"  {one['said']}"]
        for body in dict.fromkeys(run["body"] for run in one["runs"]):
            for way in ("straight", "S"):
                own = [r for r in one["runs"] if (r["body"], r["way"], r["style"]) == (body, way, "made")]
                lines.append(
                    f"  {body:<24} {way:<9} {sum(r['outcome'] == 'arrived' for r in own)} of {len(own)} arrive"
                )
            lines += _table(one, body)
    return lines


def _table(one: Figures, body: str) -> list[str]:
    """Return the figures of a body's straight runs, in the median, and how many are nearer to the capture."""
    lines, nearer, cells = [], 0, 0
    for name, (text, _) in PEOPLE.items():
        if name in _NOT_CAPTURED or not one["captured"]:
            continue
        values = []
        for style in ("made", "plain"):
            own = [
                r["figures"][name] for r in one["runs"] if r["body"] == body and r["style"] == style and r["figures"]
            ]
            values.append(median(own) if own else math.nan)
        captured = one["captured"][name]
        better = abs(values[0] - captured) < abs(values[1] - captured)
        cells, nearer = cells + 1, nearer + better
        row = f"    {text:<34} captured {captured:7.3g}, made {values[0]:7.3g}{'' if better else '*'}"
        lines.append(f"{row}, plain {values[1]:7.3g}")
    return [*lines, f"    {nearer} of {cells} are nearer to the capture than the plain style's; * marks the others"]
