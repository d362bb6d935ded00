# SPDX-License-Identifier: GPL-3.0-or-later
"""Two who bump into each other (``tools.trials``): head-on, brushing past, side by side, overtaking, by their bodies.

Nobody makes way. What is counted is who falls, of some slightly different starts.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path as FilePath
from typing import Any

import numpy as np

from blender_biped.character.model import Character
from blender_biped.character.standard import standard_character
from blender_biped.company import Companion, Company
from blender_biped.control.registry import presets
from blender_biped.job import Job
from blender_biped.motion import measures
from blender_biped.motion.motion import RATE, Motion
from blender_biped.motion.similarity import Similarity
from blender_biped.motion.summary import ended
from blender_biped.together import walked_together
from blender_biped.world.path import Path
from tools.trials.builds import Build

Figures = dict[str, Any]
SEEDS = (0, 1, 2)
CONTROLLERS = ("natural", "generalized")
SPEED = 1.2  # m/s, with a leg of measures.LEG
LENGTH = 4.0  # m of way
RAGDOLL = 6.0  # s in which who falls comes to lie
HEAVIER, CHILD = 1.5, 0.6


def heavier(body: Character) -> Character:
    """Return a body of HEAVIER times the mass."""
    return replace(Similarity(1.0, 1.0, 1.0 / HEAVIER).character(body), name="Heavy")


def smaller(body: Character) -> Character:
    """Return a body of CHILD times the size."""
    return replace(Similarity(1.0 / CHILD, math.sqrt(1.0 / CHILD), CHILD**-3).character(body), name="Child")


OTHERS: dict[str, Callable[[], Character]] = {
    "another adult": standard_character,
    f"one {HEAVIER:g} times as heavy": lambda: heavier(standard_character()),
    f"a child of {100 * CHILD:.0f} % the size": lambda: smaller(standard_character()),
    "long legs, wide hips": Build(1.2, 1.3, 0.9, 1.1, 0.0).character,
}
"""Whom a standard adult meets."""


@dataclass(frozen=True)
class Meeting:
    """How two meet: the second one's way lies ``aside`` m to the left of the first one's.

    back: whether it goes the other way. behind: m by which it begins behind the first. slower: the first one's speed,
    as a share of SPEED.
    """

    aside: float
    back: bool = False
    behind: float = 0.0
    slower: float = 1.0


MEETINGS: dict[str, Meeting] = {
    "head-on": Meeting(0.2, back=True),
    "shoulders brush in passing": Meeting(0.45, back=True),
    "side by side": Meeting(0.55),
    "overtaking": Meeting(0.2, behind=1.2, slower=0.6),
}


@dataclass(frozen=True)
class MeetingTrial:
    """A meeting of a standard adult and another, by a controller."""

    meeting: str
    other: str
    controller: str


PARTS: dict[str, Callable[[], list[MeetingTrial]]] = {
    "companions": lambda: [MeetingTrial(*one) for one in product(MEETINGS, OTHERS, CONTROLLERS)]
}


def company_of(trial: MeetingTrial, seed: int = 0) -> Company:
    """Return the two of a trial, the standard adult first."""
    how, style = MEETINGS[trial.meeting], presets(trial.controller)[0]
    begin, end = (LENGTH, 0.0) if how.back else (-how.behind, LENGTH)
    ways = Path([(0.0, 0.0), (LENGTH, 0.0)]), Path([(begin, how.aside), (end, how.aside)])
    bodies = replace(standard_character(), name="Adult"), OTHERS[trial.other]()
    return Company(
        tuple(
            Companion(Job(body, way, style, share * SPEED * _size(body) ** 0.5, seed=seed, ragdoll=RAGDOLL))
            for body, way, share in zip(bodies, ways, (how.slower, 1.0), strict=True)
        )
    )


def run(trial: MeetingTrial, out: FilePath) -> Figures:
    """Return how both of a meeting ended, from each start."""
    meetings = []
    for seed in SEEDS:
        company = company_of(trial, seed)
        motions = walked_together(company)
        meetings.append([_figures(motion, one.job) for motion, one in zip(motions, company.companions, strict=True)])
    return {"meeting": trial.meeting, "other": trial.other, "controller": trial.controller, "walks": meetings}


def _size(body: Character) -> float:
    return body.leg_length / measures.LEG


def _figures(motion: Motion, job: Job) -> Figures:
    fell = measures.fell_at(motion, job)
    walked = motion.part(0, len(motion.times) if fell is None else max(1, int(fell * RATE)))
    return {
        "fell": fell is not None,
        "outcome": ended(motion, job),
        "aside_m": float(np.abs(walked.root[:, 1] - job.path.points[0][1]).max()),
        "seconds": motion.duration,
        "cpu_s_per_s": motion.cpu / motion.duration,
    }


def report_lines(part: str, found: Sequence[Figures]) -> list[str]:
    """Return the lines for people: of each meeting, how many of the adult and of the other fell. part: of PARTS."""
    lines = []
    for controller in CONTROLLERS:
        lines.append(f"  {controller}:")
        for one in found:
            if one["controller"] == controller:
                fell = [sum(pair[k]["fell"] for pair in one["walks"]) for k in (0, 1)]
                aside = max(walk["aside_m"] for pair in one["walks"] for walk in pair)
                lines.append(
                    f"    {one['meeting']:<27} {one['other']:<26} of {len(one['walks'])}: the adult fell {fell[0]}, "
                    f"the other {fell[1]}; at most {aside:.2f} m aside"
                )
    return lines
