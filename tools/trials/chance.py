# SPDX-License-Identifier: GPL-3.0-or-later
"""Natural's chance at full *Variation* (``tools.trials``): whether walks of two minutes last, and how steps spread.

A figure is the spread of 40 steps of one walk, straight ahead or round an oval; people's bands stand beside it. Bodies
are those of the person's table: the standard adult and rigs, which lie beside the project and are left out where they
are missing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path as FilePath
from statistics import median
from typing import Any

from blender_biped.job import Job
from blender_biped.simulate import simulate
from tools.measure import people, person
from tools.trials import hours, natural
from tools.trials.person import BODIES, straight, varied_job

Figures = dict[str, Any]
SECONDS, SPEED, SEEDS = 120.0, 1.1, 5
"""s and m/s of a walk, with a leg of 0.9 m; starts of each body on each way."""
STEPS = 40
"""Of a walk straight ahead, whose spreads are told."""
WAYS = {"straight": straight, "oval": hours.oval}
SPREADS = ("step_time_cv_percent", "step_length_cv_percent", "step_width_cv_percent")


@dataclass(frozen=True)
class ChanceTrial:
    """A body's walk on one of WAYS from a start."""

    who: str
    way: str
    seed: int


def chance_trials() -> list[ChanceTrial]:
    """Return every walk."""
    who = [body for body in BODIES if natural.known(body)]
    return [ChanceTrial(body, way, 1 + seed) for body in who for way in WAYS for seed in range(SEEDS)]


def chance_job(trial: ChanceTrial, seconds: float = SECONDS) -> Job:
    """Return one walk, of ``seconds`` with a leg of 0.9 m."""
    return varied_job(natural.body_of(trial.who), WAYS[trial.way], SPEED, seconds, trial.seed)


def run(trial: ChanceTrial, out: FilePath, seconds: float = SECONDS) -> Figures:
    """Return how long a walk lasted, s, and how its steps spread, %: None in bends, where paths change them."""
    job = chance_job(trial, seconds)
    motion = simulate(job)
    view = person.view_of(motion, job)
    figures = dict.fromkeys(SPREADS)
    strikes = [time for time, _ in view.strikes]
    if trial.way == "straight" and view.fell_at is None:
        last = strikes[min(STEPS + 4, len(strikes) - 1)]  # behind the first ones
        part = person.view_of(motion.part(0, int((view.motion.times <= last).sum())), job)
        figures = {name: person.ROWS[name].measure(part) for name in SPREADS}
    return {
        "who": trial.who, "way": trial.way, "seed": trial.seed, "seconds": float(motion.times[-1]),
        "fell": view.fell_at is not None, "figures": figures,
    }  # fmt: skip


PARTS: Mapping[str, Callable[[], list[ChanceTrial]]] = {"chance": chance_trials}


def report_lines(part: str, found: Sequence[Figures]) -> list[str]:
    """Return lines for people: falls of each body, and each spread beside people's."""
    lines = []
    for who in dict.fromkeys(one["who"] for one in found):
        own = [one for one in found if one["who"] == who]
        fell = [f"{one['way']} from start {one['seed']}" for one in own if one["fell"]]
        lines.append(f"  {who:<28} {len(fell)} of {len(own)} walks fell{': ' if fell else ''}{', '.join(fell)}")
    for name in SPREADS:
        values = sorted(one["figures"][name] for one in found if one["figures"][name] is not None)
        if values:
            band = people.bands()[name]
            good = sum(map(band.has, values))
            low, high = band.ends
            lines.append(
                f"  {person.ROWS[name].words:<24} {median(values):4.1f} % ({values[0]:.1f} to {values[-1]:.1f});"
                f" people {low:.1f} to {high:.1f}, {good} of {len(values)} walks within"
            )
    return lines
