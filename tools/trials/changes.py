# SPDX-License-Identifier: GPL-3.0-or-later
"""Natural's changes of style on the way (``tools.trials``): every ordered pair of styles, straight ahead and in bends.

A walk goes over to the second style at a place of its path. Told are falls, how hard the hips are shaken by the change
beside the styles themselves, and after how many steps the walk is the new style's: its joints turn as in that style's
own steps, within their spread. Bodies are the standard adult and Rigify's human, which lies beside the project.
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

from blender_biped.base.curves import smoothed
from blender_biped.base.spatial import (
    Array,
    nearest_rotations,
    quaternion_matrix,
    quaternion_product,
    yaw,
    yaw_quaternion,
)
from blender_biped.control.registry import presets
from blender_biped.job import Job
from blender_biped.motion.motion import Motion
from blender_biped.preset.cue import Cue
from blender_biped.preset.preset import preset, usual_speed
from blender_biped.simulate import simulate
from blender_biped.world.path import Path
from tools.trials import natural

Figures = dict[str, Any]
BODIES = natural.BODIES[:2]
SECONDS = (7.0, 9.0)
"""s of walking in the first style, and in the second one, about, of a body of reference size."""
LEAST = 2.5  # m of path in each at least
RADIUS = 4.0
"""m, of the bend, with a leg of 0.9 m."""
SHAKEN, STEPS = 1.3, 2
"""Times the hips' largest acceleration in either style that a change has at most; steps after which it is made."""
DIFFERS = 2.0
"""Degrees that joints turn otherwise, on average, in a step that is still the style's: as people's steps differ."""
_STOPS = 0.9  # m before the end, with a leg of 0.9 m, from which it slows down to stop
_STEADY = 4  # steps of each style that it is judged by
_SAMPLES = 20  # of a step, at which joints are compared
_SMOOTH = 0.025  # s that the hips' places are smoothed by before they are differentiated
_SOME = ("default", "happy", "tiptoe", "side_step", "backward")


@dataclass(frozen=True)
class ChangeTrial:
    """A body that goes over from one style to another. bends: whether in a bend, to the left. seed: of its start."""

    before: str
    after: str
    body: str
    bends: bool
    seed: int


def _trials(styles: Sequence[str] | None, bodies: Sequence[str]) -> list[ChangeTrial]:
    """Return every ordered pair on every body, straight and bent in turn. styles: None for all."""
    names = styles or [own.name for own in presets("natural")]
    pairs = [(a, b) for a in names for b in names if a != b]
    who = [body for body in bodies if natural.known(body)]
    return [
        ChangeTrial(a, b, body, bool((i + k) % 2), 1 + i)
        for k, body in enumerate(who) for i, (a, b) in enumerate(pairs)
    ]  # fmt: skip


PARTS: Mapping[str, Callable[[], list[ChangeTrial]]] = {
    "changes": partial(_trials, None, BODIES), "some-changes": partial(_trials, _SOME, BODIES[:1]),
}  # fmt: skip


def change_job(trial: ChangeTrial) -> tuple[Job, float]:
    """Return the walk of a trial, and the place of its path, m, from which on it is to be in the second style."""
    body = natural.body_of(trial.body)
    first, second = preset("natural", trial.before), preset("natural", trial.after)
    size = body.size
    speeds = [(usual_speed(own) or natural.PUSHED_AT) * math.sqrt(size) for own in (first, second)]
    ways = [max(s * math.sqrt(size) * speed, LEAST * size) for s, speed in zip(SECONDS, speeds, strict=True)]
    path = _bend(sum(ways), RADIUS * size) if trial.bends else Path([[0.0, 0.0], [sum(ways), 0.0]])
    cue = Cue(0.0, second, speed=speeds[1], place=ways[0])
    return Job(body, path, first, speeds[0], cues=(cue,), seed=trial.seed), ways[0]


def _bend(length: float, radius: float) -> Path:
    angles = np.linspace(0.0, length / radius, 200)
    return Path(radius * np.stack((np.sin(angles), 1.0 - np.cos(angles)), axis=1))


def run(trial: ChangeTrial, out: FilePath) -> Figures:
    """Return how a walk ends, and the figures of its change; None where it did not come so far."""
    job, place = change_job(trial)
    motion = simulate(job)
    known = change_figures(motion, place) if motion.outcome == "arrived" else None
    return {
        "before": trial.before, "after": trial.after, "body": trial.body, "bends": trial.bends, "seed": trial.seed,
        "outcome": motion.outcome, "fell_after_m": _fell(motion, place), **(known or {}),
    }  # fmt: skip


def _fell(motion: Motion, place: float) -> float | None:
    """Return how far beyond the change it fell, m."""
    return None if motion.outcome == "arrived" else float(motion.command[-1, 2]) - place


def change_figures(motion: Motion, place: float) -> Figures | None:
    """Return how hard a change shakes the hips, and after how many steps it is made; None of too short a walk.

    place: m along the path, from which on the steps are to be in the second style.
    """
    strikes = motion.strikes[:, 0]
    arcs = np.interp(strikes, motion.times, motion.command[:, 2])
    at = int(np.searchsorted(arcs, place))
    ends = int(np.searchsorted(arcs, arcs[-1] - _STOPS * motion.character.size))
    if at < _STEADY + 2 or ends - at < _STEADY + STEPS + 2:
        return None
    steps = [
        _Step(motion, a, b, int(side)) for (a, b), side in zip(pairwise(strikes), motion.strikes[:-1, 1], strict=True)
    ]
    made, ratio = _made(steps[at:ends]), _shaken(motion, strikes, at, ends)
    return {"steps": made, "shaken": ratio}


class _Step:
    """One step: how its joints turn, at some of its moments (S, L, 3, 3), and how the pelvis is tilted."""

    def __init__(self, motion: Motion, begins: float, ends: float, side: int) -> None:
        self.side = side
        times = np.linspace(begins, ends, _SAMPLES, endpoint=False)
        part = motion.part(*(int(np.searchsorted(motion.times, t)) for t in (begins - 0.02, ends + 0.02)))
        rotations = part.sampled(times).rotations
        turned, pelvis = quaternion_matrix(rotations), rotations[:, 0]
        above = [max(link.parent, 0) for link in motion.character.links]
        self.joints = np.swapaxes(turned[:, above], -1, -2) @ turned
        self.joints[:, 0] = quaternion_matrix(quaternion_product(yaw_quaternion(-yaw(pelvis)), pelvis))

    def off(self, mean: Array) -> float:
        """Return how far its joints are turned from others (S, L, 3, 3), rad, on average."""
        cosines = 0.5 * (np.einsum("sjab,sjab->sj", self.joints, mean) - 1.0)
        return float(np.arccos(np.clip(cosines, -1.0, 1.0)).mean())


def _made(steps: Sequence[_Step]) -> int:
    """Return how many steps of the second style go by before one is within the spread of its last ones.

    That is their mean distance from each other, and twice its standard deviation, or DIFFERS.
    """
    last = steps[-2 * _STEADY :]
    means = {
        side: nearest_rotations(np.mean([step.joints for step in last if step.side == side], axis=0))
        for side in (0, 1) if any(step.side == side for step in last)
    }  # fmt: skip
    spread = np.array([step.off(means[step.side]) for step in last])
    most = max(float(spread.mean() + 2.0 * spread.std()), math.radians(DIFFERS))
    return next((k for k, step in enumerate(steps) if step.off(means[step.side]) <= most), len(steps))


def _shaken(motion: Motion, strikes: Array, at: int, ends: int) -> float:
    """Return the hips' largest acceleration in the change, as a multiple of the largest one in either style."""
    step = float(motion.times[1] - motion.times[0])
    root = smoothed(motion.root, step, _SMOOTH)
    size = np.linalg.norm(np.gradient(np.gradient(root, step, axis=0), step, axis=0), axis=1)

    def most(first: int, last: int) -> float:
        return float(size[(motion.times >= strikes[first]) & (motion.times < strikes[last])].max())

    return most(at, at + STEPS + 1) / max(most(at - _STEADY - 1, at), most(ends - _STEADY, ends))


def report_lines(part: str, found: Sequence[Figures]) -> list[str]:
    """Return lines for people: falls, and of the walks that arrived the changes' figures."""
    lines = []
    for body in dict.fromkeys(one["body"] for one in found):
        own = [one for one in found if one["body"] == body]
        bad = [one for one in own if one["outcome"] != "arrived"]
        lines.append(f"  {body:<24} {len(own) - len(bad)} of {len(own)} arrive")
        lines += [
            f"    {one['before']} to {one['after']}{', in a bend' if one['bends'] else ''}, start {one['seed']}: "
            f"{one['outcome']} {one['fell_after_m']:.1f} m behind it"
            for one in bad
        ]
    known = [one for one in found if "shaken" in one]
    if known:
        shaken, steps = [one["shaken"] for one in known], [one["steps"] for one in known]
        worst = max(known, key=lambda one: float(one["shaken"]))
        lines.append(
            f"  hips shaken {median(shaken):.2f} times as hard as in either style in the median, {max(shaken):.2f} at "
            f"most ({worst['before']} to {worst['after']}); {sum(s <= SHAKEN for s in shaken)} of {len(known)} within "
            f"{SHAKEN:g}"
        )
        lines.append(
            f"  the new style's steps after {median(steps):g} in the median, {max(steps)} at most; "
            f"{sum(s <= STEPS for s in steps)} of {len(known)} within {STEPS}"
        )
    return lines
