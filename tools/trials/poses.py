# SPDX-License-Identifier: GPL-3.0-or-later
"""Styles made of poses (Laszlo 1996, section 2.3): each walks on and follows an S, from starts of its own.

Creatures of ``../shared`` beside the project with half a cycle of three poses, and the standard adult with a limp of
four. What is made of them is not kept: the rigs' licences are not the project's.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path as FilePath
from typing import Any

import matplotlib
import numpy as np

matplotlib.use("Agg")
from matplotlib import pyplot

from blender_biped.base.spatial import quaternion_matrix
from blender_biped.character.model import Character
from blender_biped.character.reference import GRAVITY
from blender_biped.character.standard import standard_character
from blender_biped.control.registry import POSING
from blender_biped.job import Job
from blender_biped.motion.measures import report
from blender_biped.motion.motion import Motion
from blender_biped.simulate import simulate
from blender_biped.world.path import Path
from tools.base.paths import paths
from tools.base.posing import LIMP, STEP, Set, posed
from tools.pictures.filmstrip import film_strip, typical_stride
from tools.scene.characters import own_characters

Figures = dict[str, Any]
FOLDER = FilePath(__file__).resolve().parents[3] / "shared"
SECONDS = 20.0  # of the reference body
STARTS = tuple(range(3, 8))
"""Seeds of the starts that a style is judged from: others than those that it was made with."""
_POSES = 9
_HEADROOM = 1.3  # height of a picture, of the body's


@dataclass(frozen=True)
class PosedTrial:
    """A style made of poses. name: of the body. file: of its rig below ``FOLDER``, "" for the standard adult."""

    name: str
    file: str
    poses: tuple[Set, ...] = STEP

    def body(self) -> Character:
        """Return the character, of the size of its file."""
        if not self.file:
            return standard_character()
        (found,) = own_characters([str(FOLDER / self.file)], (), lambda _text: None).values()
        return found


_ALL = (
    PosedTrial("limping adult", "", LIMP),
    PosedTrial("raptor", "rigs/q_Velociraptor.fbx"),
    PosedTrial("kaiju", "rigs/m2mvar_kaiju-base.glb"),
    PosedTrial("Parasaurolophus", "more-rigs/qs_Parasaurolophus.glb"),
)


def _trials() -> list[PosedTrial]:
    return [trial for trial in _ALL if not trial.file or (FOLDER / trial.file).exists()]


PARTS: dict[str, Callable[[], list[PosedTrial]]] = {"poses": _trials}


def run(trial: PosedTrial, out: FilePath) -> Figures:
    """Return the figures of a style, the worst of its starts: straight and along an S; draw it below its poses."""
    body = trial.body()
    poses = posed(body, trial.poses)
    began, cpu = time.monotonic(), time.process_time()
    assert POSING.stabilising is not None
    making = POSING.stabilising(poses, trial.name, trial.name, body, GRAVITY)
    while not making.done:
        making.tell([simulate(job) for job in making.ask()])
    style = making.style()
    took, used = time.monotonic() - began, time.process_time() - cpu
    size = body.size
    quick = float(np.sqrt(size))
    speed = float(style.values["usual"]) * quick
    line = Path([[0.0, 0.0], [2.0 * SECONDS * quick * speed, 0.0]])
    away = Job(body, line, style, speed, stop=False, duration=SECONDS * quick)
    curve = Job(body, Path(size * paths()["s-curve"].points), style, speed)
    straight, bent = [], []
    for seed in STARTS:
        ahead, turning = replace(away, seed=seed), replace(curve, seed=seed)
        motion = simulate(ahead)
        straight.append(report(motion, ahead))
        if seed == STARTS[0]:
            _draw(trial.name, poses, motion, ahead, out)
        motion = simulate(turning)
        bent.append({**report(motion, turning), "outcome": motion.outcome})
    fell = [one["fell"] for one in straight]
    astray = [one["outcome"] != "arrived" for one in bent]
    return {
        "name": trial.name, "fell": any(fell) or any(astray), "walks": len(fell) + len(astray),
        "falls": sum(fell) + sum(astray), "straight_falls": sum(fell), "s_curve_falls": sum(astray),
        "s_curve_outcomes": [one["outcome"] for one in bent],
        "s_curve_deviation_mean_m": _most(bent, "path_deviation_mean_m"),
        "s_curve_deviation_worst_m": _most(bent, "path_deviation_worst_m"),
        "speed_mps": speed, "leg_m": body.leg_length, "foot_slip_median_mm": _most(straight, "foot_slip_median_mm"),
        "penetration_mm": _most(straight, "penetration_mm"),
        "making_s": took, "making_cpu_s": used, "description": style.description,
    }  # fmt: skip


def _most(reports: Sequence[Figures], name: str) -> float:
    return max(one[name] or 0.0 for one in reports)


def _draw(name: str, poses: Motion, motion: Motion, job: Job, out: FilePath) -> None:
    """Draw the poses above a stride of the walk: ``poses-NAME.png``."""
    figure, rows = pyplot.subplots(2, 1, figsize=(12.0, 6.0))
    tall = _HEADROOM * _height(poses)
    film_strip(poses, poses.times, "side", job.ground, rows[0], title=f"{name}: poses", tall=tall)
    try:
        begin, end = typical_stride(motion, job)
    except ValueError:  # it fell before a whole stride
        begin, end = 0.0, motion.duration
    phases, title = np.linspace(begin, end, _POSES), f"{name}: walk by physics"
    film_strip(motion, phases, "side", job.ground, rows[1], title=title, tall=tall)
    figure.savefig(out / f"poses-{name.replace(' ', '-')}.png", dpi=80)
    pyplot.close(figure)


def _height(motion: Motion) -> float:
    """Return how high a body reaches, m: creatures' heads are higher over their legs than people's."""
    origins = motion.character.forward_kinematics(motion.root, motion.rotations)
    down = -quaternion_matrix(motion.rotations)[:, :, 2]
    links = enumerate(motion.character.links)
    return max(float((origins[:, i, 2] - link.shape.lowest(down[:, i])).max()) for i, link in links)


def finish(found: Sequence[Figures], out: FilePath) -> None:
    """Write ``poses.json``: a case for each style."""
    data = {"version": 1, "cases": list(found)}
    (out / "poses.json").write_text(json.dumps(data, indent=1), encoding="utf-8")


def report_lines(part: str, found: Sequence[Figures]) -> list[str]:
    """Return the lines for people. part: of PARTS."""
    lines = []
    for one in found:
        how = f"falls in {one['falls']}" if one["fell"] else f"walks {one['walks']}"
        lines.append(
            f"  {one['name']:<16} {how} of {one['walks']} walks; {one['speed_mps']:.2f} m/s on legs of "
            f"{one['leg_m']:.2f} m; S within {one['s_curve_deviation_mean_m']:.2f} m; made in "
            f"{one['making_s']:.0f} s ({one['making_cpu_s']:.0f} s of CPU)"
        )
    if len(found) < len(_ALL):
        lines.append(f"  {len(_ALL) - len(found)} left out: their rigs are not in {FOLDER}")
    return lines
