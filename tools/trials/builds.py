# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies that nothing was tuned on (``tools.trials``): random builds, seeded, walk straight and along an S-curve.

A build goes the way of a rig: an armature, its mapping, the body that a bake makes of it, its own speed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path as FilePath
from typing import Any

import numpy as np
from matplotlib import pyplot

from blender_biped.character.armature import Armature
from blender_biped.character.body import build_character
from blender_biped.character.model import Character
from blender_biped.character.natural_speed import natural_speed
from blender_biped.character.roles import map_bones
from blender_biped.character.standard import standard_armature, with_shorter_leg
from blender_biped.control.generalized.kind import GENERALIZED
from blender_biped.control.registry import presets
from blender_biped.job import Job
from blender_biped.motion import measures
from blender_biped.motion.motion import Motion
from blender_biped.motion.summary import ended
from blender_biped.simulate import fallen_back, simulate
from blender_biped.world.path import Path
from tools.base.columns import ARRIVED
from tools.base.paths import paths

Figures = dict[str, Any]
COUNT, SAMPLE = 300, 40
PATHS = ("straight", "s-curve")
SPEED = 1.2  # m/s, with a leg of measures.LEG
RANGES = {"legs": (0.5, 1.5), "hips": (0.5, 3.0), "head": (1.0, 4.0), "feet": (0.6, 1.8)}
"""Of the standard adult's, each as likely to be halved as to be doubled; legs of what the trunk usually has."""
MOST_UNEQUAL = 0.1  # of a leg
_FIRST_SEED = 1
_DPI = 110
_COLORS = {2: "#33658a", 1: "#e3a018", 0: "#c8553d"}  # by how many of a build's walks arrive


@dataclass(frozen=True)
class Build:
    """How a body differs from the standard adult's: factors of its lengths, and the share that one leg is shorter."""

    legs: float
    hips: float
    head: float
    feet: float
    shorter: float

    def character(self) -> Character:
        """Return the body, as a bake makes it of a rig of this build."""
        armature = self.armature()
        return build_character(armature, map_bones(armature), None)

    def armature(self, arm_angle: float = 0.5 * math.pi) -> Armature:
        """Return the rig. arm_angle: of its arms at rest, below the horizontal, rad."""
        even = standard_armature(
            leg_scale=self.legs, hip_scale=self.hips, head_scale=self.head, foot_scale=self.feet, arm_angle=arm_angle
        )
        return with_shorter_leg(even, self.shorter)


def build_of(seed: int) -> Build:
    """Return the build of a seed; the same one on every machine."""
    random = np.random.default_rng(seed)
    factors = {name: math.exp(random.uniform(math.log(low), math.log(high))) for name, (low, high) in RANGES.items()}
    return Build(**factors, shorter=float(random.uniform(0.0, MOST_UNEQUAL)))


def job_of(body: Character, path: str) -> Job:
    """Return a build's walk as rigs are judged: along a path of the same number of legs' lengths, at its own speed."""
    way = Path(body.leg_length / measures.LEG * paths()[path].source)
    return Job(character=body, path=way, preset=presets(GENERALIZED.name)[0], speed=natural_speed(body, SPEED))


@dataclass(frozen=True)
class BuildTrial:
    """A build's walk along a path. group: the path's name, whose walks share a line."""

    seed: int
    group: str


def _trials(count: int) -> list[BuildTrial]:
    return [BuildTrial(_FIRST_SEED + k, path) for k in range(count) for path in PATHS]


PARTS: dict[str, Callable[[], list[BuildTrial]]] = {
    "builds": partial(_trials, COUNT),
    "some-builds": partial(_trials, SAMPLE),
}


def run(trial: BuildTrial, out: FilePath) -> Figures:
    """Return the figures of a trial: the build, how its walk ended, and how what it falls back on did."""
    build = build_of(trial.seed)
    body = build.character()
    job = job_of(body, trial.group)
    motion = simulate(job)
    other = fallen_back(job, motion)
    return {
        "group": trial.group, "seed": trial.seed, **asdict(build), **shape_of(body),
        "outcome": ended(motion, job), "fell_at_s": measures.fell_at(motion, job), "along": progress(motion, job),
        "fallback": other.attempt.kind if other and other.attempt else None,
        "baked_outcome": ended(other or motion, job),
    }  # fmt: skip


def progress(motion: Motion, job: Job) -> float:
    """Return how far a walk came, as a share of its path."""
    return float(motion.command[-1, 2] / job.path.length)


def shape_of(body: Character) -> Figures:
    """Return what of a build makes it hard to balance, in its legs' lengths."""
    coms = body.com_positions(*body.standing())
    height = float(body.masses @ coms[:, 2]) / body.mass
    hips = abs(float(body.offsets[body.index("thigh.L")][1] - body.offsets[body.index("thigh.R")][1]))
    return {"com_over_hips": (height - body.stand_height) / body.leg_length, "hip_breadth": hips / body.leg_length}


def report_lines(part: str, found: Sequence[Figures]) -> list[str]:
    """Return the lines for people. part: of PARTS."""
    lines = []
    for path in PATHS:
        walks = [one for one in found if one["group"] == path]
        fell = [one for one in walks if one["outcome"] not in ARRIVED]
        seeds = ", ".join(f"{one['seed']} (at {100.0 * one['along']:.0f} %)" for one in fell)
        lines.append(f"  {path:<10} {_share(len(walks) - len(fell), len(walks))}" + (f"; not: {seeds}" if fell else ""))
    good, baked = (sum(one[name] in ARRIVED for one in found) for name in ("outcome", "baked_outcome"))
    lines.append(
        f"  {'both':<10} {_share(good, len(found))}; with what the bake falls back on {_share(baked, len(found))}"
    )
    return lines


def _share(good: int, of: int) -> str:
    return f"{good} of {of}, {100.0 * good / max(of, 1):.0f} %"


def picture(part: str, found: Sequence[Figures], out: FilePath) -> FilePath:
    """Draw which builds fail, and return the file. part: of PARTS; out: the folder. Raises OSError."""
    builds: dict[int, list[Figures]] = {}
    for one in found:
        builds.setdefault(one["seed"], []).append(one)
    figure, columns = pyplot.subplots(1, len(_AXES), figsize=(12.5, 4.2), dpi=_DPI, layout="constrained")
    for axes, (x, x_title, y, y_title) in zip(columns, _AXES, strict=True):
        for arrived, color in _COLORS.items():
            walks = [one[0] for one in builds.values() if sum(w["outcome"] in ARRIVED for w in one) == arrived]
            label = f"{('neither arrives', 'one of both does', 'both arrive')[arrived]}: {len(walks)}"
            axes.scatter([w[x] for w in walks], [w[y] for w in walks], s=16, color=color, label=label)
        axes.set_xlabel(x_title)
        axes.set_ylabel(y_title)
    figure.legend(*columns[0].get_legend_handles_labels(), loc="outside lower center", ncols=3, frameon=False)
    file = out / f"{part}.png"
    figure.savefig(file)
    pyplot.close(figure)
    return file


_AXES = (
    ("legs", "legs, of the trunk's usual share", "hips", "hips, of the usual breadth"),
    ("com_over_hips", "centre of mass over the hips, in legs", "hip_breadth", "hip joints apart, in legs"),
    ("head", "head, of the usual length", "feet", "feet, of the usual length"),
)
