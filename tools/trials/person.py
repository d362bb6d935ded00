# SPDX-License-Identifier: GPL-3.0-or-later
"""Natural's default walk beside people (``tools.trials``): a table of what an animator sees, each figure in its band.

A cell is a figure of one body at one speed, the mean of its starts; it is within where that is within two standard
deviations of people's. Captured walks stand beside it, judged the same way. Bodies are the standard adult and rigs,
clips lie beside the project: what is missing is left out. Needs bpy for the rigs. ``person.html`` has the whole table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path as FilePath
from typing import Any

import numpy as np

from blender_biped.character.model import Character
from blender_biped.character.natural_speed import natural_speed
from blender_biped.job import Job
from blender_biped.preset.declared import with_values
from blender_biped.preset.preset import preset
from blender_biped.simulate import simulate
from blender_biped.world.path import Path
from tools.base import processes
from tools.measure import people, person, recordings
from tools.trials import natural, person_page

Figures = dict[str, Any]
BODIES = (natural.STANDARD, natural.RIGIFY, "mpfb_mixamo_adult", "mpfb_gameengine_female", "q_Male_Casual")
"""The standard adult, Rigify's human, a body with Mixamo's names, one with Unreal's, and a toon."""
SPEEDS = (0.6, 1.0, 1.3, 1.6)
"""m/s, with a leg of 0.9 m: other bodies walk as fast for their build."""
SEEDS = (101, 102, 103, 104, 105)
SOME_BODIES, SOME_SPEEDS, SOME_SEEDS = BODIES[:1], (1.0, 1.3), SEEDS[:1]
SECONDS = 15.0
"""s of a walk, with a leg of 0.9 m."""
VARIATION = 1.0
"""Of its steps; 0 is each like the last one, which no person does."""


@dataclass(frozen=True)
class PersonTrial:
    """Walks of a body at a speed, m/s, from some starts; without a speed a captured walk, by its file.

    group: "natural", "plain" or "played".
    """

    group: str
    who: str
    speed: float = 0.0
    seeds: tuple[int, ...] = ()


def _trials(bodies: Sequence[str], speeds: Sequence[float], seeds: tuple[int, ...]) -> list[PersonTrial]:
    walked = [
        PersonTrial("natural", body, speed, seeds) for body in bodies if natural.known(body) for speed in speeds
    ]  # fmt: skip
    captured = [
        PersonTrial(group, file)
        for group, files in (("plain", recordings.PLAIN), ("played", recordings.PLAYED)) for file in files
        if (recordings.FOLDER / file).exists()
    ]  # fmt: skip
    return walked + captured


PARTS: dict[str, Callable[[], list[PersonTrial]]] = {
    "person": partial(_trials, BODIES, SPEEDS, SEEDS),
    "some-person": partial(_trials, SOME_BODIES, SOME_SPEEDS, SOME_SEEDS),
}


def run(trial: PersonTrial, out: FilePath) -> Figures:
    """Return the figures of one column of the table: the mean of its walks, and how many of them there are and fell."""
    if trial.group != "natural":
        recording = {**recordings.PLAIN, **recordings.PLAYED}[trial.who]
        view = person.view_of(*recording.load(recordings.FOLDER / trial.who))
        found = [person.figures(view, recording.lacks)]
        return {"group": trial.group, "who": trial.who, "speed_mps": view.job.speed, "walks": 1, "fell": 0,
                "figures": mean_of(found)}  # fmt: skip
    views = [person.view_of(simulate(job), job) for job in (job_of(trial, seed) for seed in trial.seeds)]
    return {
        "group": trial.group, "who": trial.who, "speed_mps": trial.speed, "walks": len(views),
        "fell": sum(view.fell_at is not None for view in views),
        "figures": mean_of([person.figures(view) for view in views]),
    }  # fmt: skip


def job_of(trial: PersonTrial, seed: int) -> Job:
    """Return one of the walks of a trial: straight ahead."""
    return varied_job(natural.body_of(trial.who), straight, trial.speed, SECONDS, seed)


def straight(length: float, size: float) -> Path:
    """Return a path straight ahead, as long as that, m, or longer."""
    return Path([[0.0, 0.0], [length, 0.0]])


def varied_job(
    body: Character, way: Callable[[float, float], Path], speed: float, seconds: float, seed: int
) -> Job:  # fmt: skip
    """Return a default walk of natural, never to an end that would be prepared for.

    Its steps differ by chance as people's do: ``VARIATION``. way: makes the path, of a length, m, for a size. speed,
    seconds: m/s and s, with a leg of 0.9 m.
    """
    style = preset("natural", "default")
    own, lasts = natural_speed(body, speed), seconds * body.size**0.5
    values = with_values(style.values, {"gait.variation": VARIATION})
    path = way(2.0 * lasts * own, body.size)
    return Job(body, path, replace(style, values=values), own, duration=lasts, stop=False, seed=seed)


def mean_of(found: Sequence[dict[str, float | None]]) -> dict[str, float | None]:
    """Return the mean of each figure over the walks that have it; None where none has."""
    means: dict[str, float | None] = {}
    for name in person.ROWS:
        values = [value for one in found if (value := one[name]) is not None]
        means[name] = float(np.mean(values)) if values else None
    return means


def within(one: Figures, name: str) -> bool | None:
    """Return whether a figure of a column is within people's band; None where it has none."""
    value = one["figures"][name]
    return None if value is None else people.bands()[name].has(value)


def share(columns: Sequence[Figures], names: Sequence[str]) -> tuple[int, int]:
    """Return how many cells of some columns and rows are within people's bands, and of how many."""
    cells = [cell for one in columns for name in names if (cell := within(one, name)) is not None]
    return sum(cells), len(cells)


# -- for people


def finish(found: Sequence[Figures], out: FilePath) -> None:
    """Write the page: ``person.html``."""
    processes.write_text(out / "person.html", person_page.page(found, report_lines("person", found)))


def report_lines(part: str, found: Sequence[Figures]) -> list[str]:
    """Return the lines for people. part: of PARTS."""
    groups = {group: [one for one in found if one["group"] == group] for group in ("natural", "plain", "played")}
    lines = [f"  {'':<30} {'people':>13}  within: natural, plain, played; natural at each speed, * outside"]
    for name, row in person.ROWS.items():
        shares = [f"{good}/{of}" if of else "-" for good, of in (share(own, [name]) for own in groups.values())]
        bodies = dict.fromkeys(one["who"] for one in groups["natural"])
        shown = ["  ".join(_cell(one, name) for one in groups["natural"] if one["who"] == who) for who in bodies]
        low, high = (person_page.number(value, row.digits) for value in people.bands()[name].ends)
        lines.append(
            f"  {row.words:<30} {low + ' to ' + high:>13}  {' '.join(f'{s:>5}' for s in shares)}  {' | '.join(shown)}"
        )
    for group, own in groups.items():
        good, of = share(own, list(person.ROWS))
        if of:
            fell, walks = (sum(one[key] for one in own) for key in ("fell", "walks"))
            lines.append(
                f"  {group:<8} {good} of {of} cells within, {100.0 * good / of:.0f} %; {fell} of {walks} walks fell"
            )
    bad = [person.ROWS[name].words for name in person.ROWS if _outside(groups["natural"], name)]
    return [*lines, f"  natural is outside at some speed in {len(bad)} of {len(person.ROWS)} rows: {', '.join(bad)}"]


def _cell(one: Figures, name: str) -> str:
    value = one["figures"][name]
    mark = "*" if within(one, name) is False else " "
    return f"{person_page.number(value, person.ROWS[name].digits)}{mark}"


def _outside(columns: Sequence[Figures], name: str) -> bool:
    good, of = share(columns, [name])
    return good < of
