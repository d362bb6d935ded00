# SPDX-License-Identifier: GPL-3.0-or-later
"""Whole shots in one walk (``tools.trials``): styles, a run, hands and stairs one after the other, and pushed runs.

Bodies are the standard adult and rigs that lie beside the project. Lengths and speeds are for a leg of 0.9 m.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path as FilePath
from typing import Any

import numpy as np

from blender_biped.base.errors import DataError
from blender_biped.character.model import Character
from blender_biped.character.reference import REFERENCE_MASS
from blender_biped.job import Job, Push
from blender_biped.motion.motion import Motion
from blender_biped.preset.cue import Cue
from blender_biped.preset.preset import preset
from blender_biped.simulate import simulate
from blender_biped.world.path import Path
from blender_biped.world.path_points import PathPoint
from tools.trials import natural
from tools.trials.loads import LoadedWay, laden_job, left_off
from tools.trials.person import BODIES

Figures = dict[str, Any]
SEEDS = tuple(range(301, 311))
CRATE, MASS = 24.0, 4.0
"""m along the path of the crate, and its mass, kg."""
STEPS = ((1.5, 0.12), (0.35, 0.12), (0.35, 0.12))
"""How far away each of the three steps is from the last one, and how high, m."""
CROSSED = 5
"""Times that a walk speeds up to a run and slows down again."""
PUSH, PUSHED_FOR, PUSHED_AT = 200.0, 0.1, 6.0
"""N, s, and s after the start."""
SIDES = {"from behind": 0.0, "from the right": 90.0, "from ahead": 180.0, "from the left": 270.0}
"""Where a push goes, degrees to the left of ahead."""
_FLIGHT = 0.03  # s without a load, that counts as a flight


@dataclass(frozen=True)
class ShotTrial:
    """A body that walks a shot from a start by its seed. shot: its name. side: of a push, "" for none."""

    shot: str
    body: str
    seed: int
    side: str = ""


def _trials(shots: Sequence[str], sides: Sequence[str] = ("",)) -> list[ShotTrial]:
    known = [body for body in BODIES if natural.known(body)]
    return [ShotTrial(shot, body, seed, side) for shot in shots for body in known for side in sides for seed in SEEDS]


PARTS: Mapping[str, Callable[[], list[ShotTrial]]] = {
    "shots": partial(_trials, ("shot",)), "crossings": partial(_trials, ("crossing", "crossing by speed")),
    "run-pushes": partial(_trials, ("pushed",), tuple(SIDES)),
}  # fmt: skip


def shot_job(trial: ShotTrial) -> Job:
    """Return the walk of a trial."""
    return _MADE[trial.shot](natural.body_of(trial.body), trial)


def _whole_shot(body: Character, trial: ShotTrial) -> Job:
    """Return a walk that is sad, happy, jogs, walks, and carries a crate up three steps."""
    size, fast = body.size, math.sqrt(body.size)
    carried = laden_job(LoadedWay(MASS, STEPS), body, trial.seed, CRATE)
    cues = (
        Cue(0.5, preset("natural", "happy"), place=3.5 * size),
        Cue(1.0, preset("natural", "jog"), place=7.0 * size, speed=2.4 * fast),
        Cue(1.5, preset("natural", "default"), place=17.0 * size, speed=1.2 * fast),
    )
    return replace(carried, preset=preset("natural", "sad"), speed=fast, cues=cues)


def _crossing(body: Character, trial: ShotTrial) -> Job:
    """Return a walk that speeds up to a run, and slows down to a walk, time and again."""
    size, fast = body.size, math.sqrt(body.size)
    walk, jog = preset("natural", "default"), preset("natural", "jog")
    cues = [
        cue
        for k in range(CROSSED)
        for cue in (
            Cue(0.1 * (2 * k + 1), jog, place=(3.0 + 18.0 * k) * size, speed=2.4 * fast),
            Cue(0.1 * (2 * k + 2), walk, place=(13.0 + 18.0 * k) * size, speed=1.2 * fast),
        )
    ]
    return Job(body, _crossed_path(size), walk, 1.2 * fast, seed=trial.seed, cues=tuple(cues))


def _crossing_by_speed(body: Character, trial: ShotTrial) -> Job:
    """Return a walk in one style that is to be as fast as a run, and as slow as a walk, time and again."""
    size, fast = body.size, math.sqrt(body.size)
    along = [
        PathPoint((place + 18.0 * k) * size, speed * fast, ease=size)
        for k in range(CROSSED) for place, speed in ((3.0, 2.4), (13.0, 1.2))
    ]  # fmt: skip
    own = preset("natural", "default")
    return Job(body, _crossed_path(size), own, 1.2 * fast, seed=trial.seed, along=tuple(along))


def _crossed_path(size: float) -> Path:
    return Path([(0.0, 0.0), (18.0 * CROSSED * size + 3.0 * size, 0.0)])


def _pushed(body: Character, trial: ShotTrial) -> Job:
    """Return a jog that is pushed in the chest."""
    size, fast = body.size, math.sqrt(body.size)
    force = cmath.rect(PUSH * body.mass / REFERENCE_MASS, math.radians(SIDES[trial.side]))
    at = (PUSHED_AT + 0.037 * (trial.seed - SEEDS[0])) * fast  # at other phases of its stride
    push = Push("chest", at, PUSHED_FOR * fast, (force.real, force.imag, 0.0))
    path = Path([(0.0, 0.0), (32.0 * size, 0.0)])
    return Job(body, path, preset("natural", "jog"), 2.5 * fast, seed=trial.seed, pushes=(push,))


_MADE: Mapping[str, Callable[[Character, ShotTrial], Job]] = {
    "shot": _whole_shot, "crossing": _crossing, "crossing by speed": _crossing_by_speed, "pushed": _pushed,
}  # fmt: skip


def run(trial: ShotTrial, out: FilePath) -> Figures:
    """Return how a shot ends, how many flights it has, and how far its crate is off at the end, m."""
    known: Figures = {"shot": trial.shot, "body": trial.body, "seed": trial.seed, "side": trial.side}
    job = shot_job(trial)
    try:
        motion = simulate(job)
    except DataError as error:
        return known | {"outcome": "refused", "why": str(error)}
    found = known | {"outcome": motion.outcome, "at_m": float(motion.command[-1, 2]), "flights": flights(motion)}
    if job.world.targets:
        found |= left_off(motion, job)
    return found


def flights(motion: Motion) -> int:
    """Return how often no foot bears."""
    free = motion.loads.sum(axis=1) < 1e-6
    edges = np.flatnonzero(np.diff(np.concatenate(([0], free.astype(int), [0])))).reshape(-1, 2)
    return int(np.sum((edges[:, 1] - edges[:, 0]) * float(motion.times[1] - motion.times[0]) > _FLIGHT))


def report_lines(part: str, found: Sequence[Figures]) -> list[str]:
    """Return lines for people: how many hold, by shot, body, and the side of a push."""
    kinds = dict.fromkeys((one["shot"], one["body"], one["side"]) for one in found)
    return [_line(kind, [one for one in found if (one["shot"], one["body"], one["side"]) == kind]) for kind in kinds]


def _line(kind: tuple[str, str, str], own: Sequence[Figures]) -> str:
    """Return a line on walks of a kind: their shot, their body, and the side of a push."""
    shot, body, side = kind
    bad = [_said(one) for one in own if one["outcome"] != "arrived"]
    flown = [one["flights"] for one in own if "flights" in one]
    line = f"  {side or shot:<18} {body:<24} {len(own) - len(bad)} of {len(own)} arrive"
    line += f", {min(flown)} flights at least" if flown else ""
    off = [one["left_off_m"] for one in own if one["outcome"] == "arrived" and "left_off_m" in one]
    line += f", crate {max(off):.3f} m off at most" if off else ""
    return line + (f" (not: {'; '.join(dict.fromkeys(bad))})" if bad else "")


def _said(one: Figures) -> str:
    if one["outcome"] == "refused":
        return str(one["why"])
    return f"start {one['seed']} {one['outcome']} at {one['at_m']:.1f} m"
