# SPDX-License-Identifier: GPL-3.0-or-later
"""Natural's runs beside people's (``tools.trials``): a table of figures at some speeds, and who falls on which way.

People's ranges are those of textbooks and reviews (Cavanagh 1990; Mann and Hagy 1980; Nilsson and Thorstensson 1985;
Novacheck 1998). Bodies are the standard adult and rigs that lie beside the project. Lengths are for a leg of 0.9 m.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path as FilePath
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blender_biped.base.curves import smoothed
from blender_biped.base.spatial import Array, quaternion_matrix
from blender_biped.job import Job
from blender_biped.motion import measures
from blender_biped.motion.motion import Motion
from blender_biped.preset.preset import preset
from blender_biped.simulate import simulate
from blender_biped.world.path import Path
from tools.trials import natural
from tools.trials.person import BODIES

Figures = dict[str, Any]
STYLES: Mapping[float, str] = {2.5: "jog", 3.0: "run", 4.0: "run"}
"""The styles that run at speeds, m/s."""
SEEDS = tuple(range(201, 211))
LENGTH, RADIUS = 32.0, 4.0
"""m of path with a leg of 0.9 m, and of the circle."""
EVEN_FOR = 12.0
"""s that a straight run takes at least, at its speed: it is to be even for some strides."""
SWAY = (1.5, 14.0)
"""m that an S goes to either side, and in which it does so."""
_EVEN = 0.92  # of the speed, from which a step is of the run
_LED = 0.99  # of the speed, that it is led to have in such a step
_LOADS = 0.01  # s that loads are smoothed by: plates and their filters hide what is shorter
_DOWN = 0.02  # of the weight

_ALSO = (
    ("slip_mm", "mm of slip, median"), ("penetration_mm", "mm in the ground"), ("cpu_s_per_s", "CPU s a second"),
)  # fmt: skip

PEOPLE: Mapping[str, tuple[str, Sequence[tuple[float, float, float]]]] = {
    "cadence": ("steps a minute", ((2.5, 155.0, 165.0), (3.5, 160.0, 178.0), (6.0, 190.0, 230.0))),
    "step_m": ("step length, m", ((2.5, 0.9, 1.0), (3.5, 1.2, 1.35), (6.0, 1.7, 2.0))),
    "contact_s": ("contact of a foot, s", ((2.5, 0.27, 0.32), (3.5, 0.21, 0.27), (6.0, 0.12, 0.17))),
    "stance_percent": ("stance, % of the stride", ((2.5, 40.0, 45.0), (3.5, 34.0, 39.0), (6.0, 22.0, 28.0))),
    "flight_percent": ("no foot down, %", ((2.5, 10.0, 20.0), (3.5, 22.0, 32.0), (6.0, 44.0, 56.0))),
    "knee_lands": ("knee at contact", ((2.5, 12.0, 20.0), (3.5, 12.0, 20.0), (6.0, 15.0, 25.0))),
    "knee_stance": ("knee, most in stance", ((2.5, 38.0, 45.0), (3.5, 40.0, 46.0), (6.0, 35.0, 45.0))),
    "knee_swing": ("knee, most in swing", ((2.5, 75.0, 95.0), (3.5, 90.0, 110.0), (6.0, 110.0, 135.0))),
    "thigh_lands": ("thigh ahead at contact", ((2.5, 25.0, 30.0), (3.5, 30.0, 40.0), (6.0, 40.0, 50.0))),
    "thigh_behind": ("thigh behind at toe-off", ((2.5, 10.0, 20.0), (3.5, 18.0, 28.0), (6.0, 22.0, 32.0))),
    "trunk": ("trunk ahead", ((2.5, 3.0, 8.0), (3.5, 5.0, 12.0), (6.0, 5.0, 10.0))),
    "list_range": ("pelvis list, range", ((2.5, 8.0, 12.0), (3.5, 9.0, 13.0))),
    "turn_range": ("pelvis rotation, range", ((2.5, 10.0, 16.0), (3.5, 12.0, 18.0))),
    "shoulders": ("shoulders against pelvis, range", ((2.5, 20.0, 35.0), (6.0, 20.0, 35.0))),
    "elbow": ("elbow", ((2.5, 80.0, 100.0), (3.5, 80.0, 100.0), (6.0, 70.0, 110.0))),
    "bob_mm": ("centre of mass up and down, mm", ((2.5, 80.0, 110.0), (3.5, 70.0, 100.0), (6.0, 45.0, 75.0))),
    "peak_load": ("peak load, of the weight", ((2.5, 2.0, 2.4), (3.5, 2.3, 2.8), (6.0, 3.0, 4.0))),
    "width_cm": ("step width, cm", ((2.5, 2.0, 6.0), (3.5, 0.0, 5.0), (6.0, 0.0, 4.0))),
}
"""What each figure is, and its least and most value at speeds, m/s; between these they are interpolated."""


@dataclass(frozen=True)
class RunTrial:
    """A body that runs at a speed, m/s, along a way from a start by its seed."""

    body: str
    speed: float
    way: str
    seed: int


def _trials(bodies: Sequence[str], seeds: Sequence[int]) -> list[RunTrial]:
    return [
        RunTrial(body, speed, way, seed)
        for body in bodies if natural.known(body) for speed in STYLES for way in WAYS for seed in seeds
    ]  # fmt: skip


def _straight(size: float, speed: float) -> Path:
    return Path([(0.0, 0.0), (max(LENGTH, EVEN_FOR * speed) * size, 0.0)])


def _sway(size: float, speed: float) -> Path:
    x = np.linspace(0.0, LENGTH * size, 160)
    return Path(np.stack((x, SWAY[0] * size * np.sin(2.0 * math.pi * x / (SWAY[1] * size))), axis=1))


def _circle(size: float, speed: float) -> Path:
    radius = RADIUS * size
    angles = np.linspace(0.0, LENGTH / RADIUS, 160)
    return Path(radius * np.stack((np.sin(angles), 1.0 - np.cos(angles)), axis=1))


WAYS: Mapping[str, Callable[[float, float], Path]] = {"straight": _straight, "S": _sway, "circle": _circle}
PARTS: Mapping[str, Callable[[], list[RunTrial]]] = {
    "runs": partial(_trials, BODIES, SEEDS), "some-runs": partial(_trials, BODIES[:1], SEEDS[:2]),
}  # fmt: skip


def band(name: str, speed: float) -> tuple[float, float]:
    """Return people's least and most value of a figure at a speed, m/s."""
    speeds, low, high = zip(*PEOPLE[name][1], strict=True)
    return float(np.interp(speed, speeds, low)), float(np.interp(speed, speeds, high))


def run_job(trial: RunTrial) -> Job:
    """Return the walk of a trial: it walks up to speed, runs, and walks to stop."""
    body = natural.body_of(trial.body)
    speed = trial.speed * math.sqrt(body.size)
    return Job(
        body, WAYS[trial.way](body.size, trial.speed), preset("natural", STYLES[trial.speed]), speed, seed=trial.seed
    )


def run(trial: RunTrial, out: FilePath) -> Figures:
    """Return how a run ends, and its figures."""
    job = run_job(trial)
    motion = simulate(job)
    slip, worst = measures.foot_slip(motion, job)
    figures = run_figures(motion, trial.speed)
    return {
        "body": trial.body, "speed_mps": trial.speed, "way": trial.way, "seed": trial.seed, "outcome": motion.outcome,
        "at_s": float(motion.times[-1]), "slip_mm": slip, "worst_slip_mm": worst,
        "penetration_mm": measures.penetration(motion, job), "cpu_s_per_s": motion.cpu / float(motion.times[-1]),
        **(figures or {}),
    }  # fmt: skip


def run_figures(motion: Motion, speed: float) -> Figures | None:
    """Return the figures of a run: medians over its strides that are as fast as they are to be; None of none.

    speed: m/s, with a leg of 0.9 m.
    """
    size, times = motion.character.size, motion.times
    step = float(times[1] - times[0])
    rate = np.gradient(motion.com[:, :2], times, axis=0)
    fast = smoothed(np.linalg.norm(rate, axis=1), step, 0.15)
    rows = [
        _stride(motion, side, *found)
        for side in (0, 1)
        for found in _strides(motion, side)
        if _is_even(fast, motion.command[:, 0], (times >= found[0]) & (times < found[2]), speed * math.sqrt(size))
    ]
    if not rows:
        return None
    return {name: median(row[name] for row in rows) for name in rows[0]} | {"strides": len(rows)}


def _is_even(fast: Array, led: Array, part: NDArray[np.bool_], speed: float) -> bool:
    """Return whether a body is as fast in a part of its samples (T,) as it is to be, and is led to be so, m/s."""
    return bool(fast[part].min() > _EVEN * speed and led[part].min() > _LED * speed)


def _strides(motion: Motion, side: int) -> list[tuple[float, float, float]]:
    """Return when a foot strikes, leaves and strikes again, s."""
    strikes = [float(t) for t, own in motion.strikes if own == side]
    lifts = [float(t) for t, own in motion.lifts if own == side]
    found = []
    for begins, ends in pairwise(strikes):
        left = [t for t in lifts if begins < t < ends]
        if left:
            found.append((begins, left[-1], ends))
    return found


def _stride(motion: Motion, side: int, begins: float, leaves: float, ends: float) -> Figures:
    """Return the figures of one stride."""
    c, size, times = motion.character, motion.character.size, motion.times
    part = (times >= begins) & (times < ends)
    stance = (times >= begins) & (times < leaves)
    swing = (times >= leaves) & (times < ends)
    knee = measures.flexion(motion, "knee", side)
    thigh = _ahead(motion, f"thigh.{'LR'[side]}")
    weight = c.mass * 9.81
    loads = smoothed(motion.loads[part].sum(axis=1) / weight, float(times[1] - times[0]), _LOADS)
    way = np.linalg.norm(motion.com[part][-1, :2] - motion.com[part][0, :2])
    time = (ends - begins) / math.sqrt(size)
    mate = _strike_between(motion, 1 - side, begins, ends)
    return {
        "cadence": 120.0 / time,
        "step_m": 0.5 * float(way) / size,
        "contact_s": (leaves - begins) / math.sqrt(size),
        "stance_percent": 100.0 * (leaves - begins) / (ends - begins),
        "flight_percent": 100.0 * float((motion.loads[part].sum(axis=1) < _DOWN * weight).mean()),
        "knee_lands": float(knee[part][0]),
        "knee_stance": float(knee[stance].max()),
        "knee_swing": float(knee[swing].max()),
        "thigh_lands": float(thigh[part][0]),
        "thigh_behind": -float(thigh[stance][-1]),
        "trunk": -float(_ahead(motion, "chest")[part].mean()),
        "list_range": float(np.ptp(_rolled(motion, "pelvis")[part])),
        "turn_range": float(np.ptp(_turned(motion, "pelvis")[part])),
        "shoulders": float(np.ptp((_turned(motion, "chest") - _turned(motion, "pelvis"))[part])),
        "elbow": float(_elbow(motion, side)[part].mean()),
        "bob_mm": 1000.0 * float(np.ptp(motion.com[part][:, 2])) / size,
        "peak_load": float(loads.max()),
        "width_cm": 100.0 * _apart(motion, side, begins, mate) / size,
    }


def _matrix(motion: Motion, role: str) -> Array:
    return quaternion_matrix(motion.rotations[:, motion.character.index(role)])


def _facing(motion: Motion) -> Array:
    return np.exp(1j * motion.command[:, 1])


def _ahead(motion: Motion, role: str) -> Array:
    """Return how far a link's lower end is ahead of its upper one, degrees: a trunk that leans ahead is below 0."""
    down = -_matrix(motion, role)[:, :, 2]
    way = _facing(motion)
    return np.degrees(np.arctan2(down[:, 0] * way.real + down[:, 1] * way.imag, -down[:, 2]))


def _rolled(motion: Motion, role: str) -> Array:
    return np.degrees(np.arcsin(np.clip(_matrix(motion, role)[:, 2, 1], -1.0, 1.0)))


def _turned(motion: Motion, role: str) -> Array:
    ahead = _matrix(motion, role)[:, :, 0]
    return np.degrees(np.angle((ahead[:, 0] + 1j * ahead[:, 1]) / _facing(motion)))


def _elbow(motion: Motion, side: int) -> Array:
    upper, fore = (_matrix(motion, f"{part}.{'LR'[side]}") for part in ("upper_arm", "forearm"))
    return np.degrees(np.arccos(np.clip(np.einsum("ti,ti->t", upper[:, :, 2], fore[:, :, 2]), -1.0, 1.0)))


def _strike_between(motion: Motion, side: int, begins: float, ends: float) -> float:
    return next((float(t) for t, own in motion.strikes if own == side and begins < t < ends), 0.5 * (begins + ends))


def _apart(motion: Motion, side: int, begins: float, mate: float) -> float:
    """Return how far aside a foot is set down from the other one, m, each as it bears."""
    places = []
    for at, own in ((begins, side), (mate, 1 - side)):
        i = int(np.searchsorted(motion.times, at + 0.05))
        ankle = motion.character.index(f"foot.{'LR'[own]}")
        places.append(complex(*motion.origins[min(i, len(motion.times) - 1), ankle, :2]))
    i = int(np.searchsorted(motion.times, 0.5 * (begins + mate)))
    return abs(((places[1] - places[0]) / _facing(motion)[i]).imag)


def report_lines(part: str, found: Sequence[Figures]) -> list[str]:
    """Return lines for people: falls by body and way, and each figure beside people's."""
    lines = []
    for body in dict.fromkeys(one["body"] for one in found):
        for way in WAYS:
            own = [one for one in found if one["body"] == body and one["way"] == way]
            bad = [f"{one['speed_mps']:g} m/s, start {one['seed']}" for one in own if one["outcome"] != "arrived"]
            said = f" (not: {'; '.join(bad)})" if bad else ""
            lines.append(f"  {body:<24} {way:<9} {len(own) - len(bad)} of {len(own)} arrive{said}")
    lines += _table([one for one in found if one["way"] == "straight" and "cadence" in one])
    for name, unit in (
        ("slip_mm", "mm of slip, median"),
        ("penetration_mm", "mm in the ground"),
        ("cpu_s_per_s", "CPU s a second"),
    ):
        known = [one[name] for one in found if one.get(name) is not None]
        if known:
            lines.append(f"  {unit}: {median(known):.2f} in the median, {max(known):.2f} at most")
    return lines


def _table(found: Sequence[Figures]) -> list[str]:
    lines, cells, within = [], 0, 0
    for name, (text, _) in PEOPLE.items():
        row = f"  {text:<34}"
        for speed in STYLES:
            low, high = band(name, speed)
            row += f" | {low:g} to {high:g}:"
            for body in dict.fromkeys(one["body"] for one in found):
                own = [one[name] for one in found if one["body"] == body and one["speed_mps"] == speed]
                if own:
                    value = median(own)
                    cells, within = cells + 1, within + (low <= value <= high)
                    row += f" {value:.3g}{'' if low <= value <= high else '*'}"
        lines.append(row)
    lines.append(f"  {within} of {cells} figures are within people's range; * marks those that are not")
    return lines
