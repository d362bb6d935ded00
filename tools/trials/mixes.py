# SPDX-License-Identifier: GPL-3.0-or-later
"""Natural's keyed mix of two styles (``tools.trials``): a walk that goes from one to the other over 6 m of 10.

Speed and share are keyed together, as an animator does it: 2 m in the first style at its usual speed, 6 m on the way,
2 m in the second one. Told are who arrives, how hard the hips are shaken on the way beside walks in either style
alone, and whether trunk, steps and arms go from one to the other without turning back. Lengths are for a leg of 0.9 m.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from pathlib import Path as FilePath
from statistics import median
from typing import Any

import matplotlib
import numpy as np

matplotlib.use("Agg")
from matplotlib import pyplot

from blender_biped.base.curves import smoothed
from blender_biped.base.spatial import Array, quaternion_matrix
from blender_biped.control.registry import preset
from blender_biped.job import Job
from blender_biped.motion.motion import Motion
from blender_biped.preset.cue import Cue
from blender_biped.preset.keyed import at_time
from blender_biped.preset.preset import Preset, Track, usual_speed
from blender_biped.simulate import simulate
from blender_biped.world.path import Path
from tools.pictures.filmstrip import View, film_strip
from tools.trials import natural

Figures = dict[str, Any]
BODIES, SEEDS, ROUTES = natural.BODIES[:2], (301, 302, 303), ("straight", "s")
BEFORE, ON_THE_WAY, AFTER = 2.0, 6.0, 2.0
"""m of path, with a leg of 0.9 m."""
SHAKEN = 1.3
"""Times the hips' largest acceleration in either style alone that the way from one to the other has at most."""
BACK = 0.25
"""Share of the whole change that a figure turns back by at most: steps differ by that."""
LOOKS = ("lean", "step", "arms")
_FIRST = 2  # steps that it sets off with
_SETS_OFF = 0.9  # s that standing and the first step take beyond even walking
_SWAY = 0.5  # m that the S goes to either side: in sharper bends walks slow down
_STOPS = 1.2  # m before the end from which it slows down
_SMOOTH = 0.025  # s that the hips' places are smoothed by before they are differentiated
_SPREAD = 3.0  # standard deviations of a style's steps
_POSES = 13
_VIEWS: tuple[View, View] = ("side", "front")


@dataclass(frozen=True)
class MixTrial:
    """A body that goes from one style to another along a route. seed: of its start."""

    before: str
    after: str
    body: str
    route: str
    seed: int


def _trials(pairs: Sequence[tuple[str, str]], bodies: Sequence[str]) -> list[MixTrial]:
    who = [body for body in bodies if natural.known(body)]
    return [MixTrial(a, b, body, route, seed) for a, b in pairs for body in who for route in ROUTES for seed in SEEDS]


_OTHERS = (
    ("default", "zombie"), ("proud", "shy"), ("march", "drunk"), ("sneak", "default"), ("default", "tiptoe"),
    ("tiptoe", "brisk"), ("old", "toddler"),
)  # fmt: skip
PARTS: Mapping[str, Callable[[], list[MixTrial]]] = {
    "mixes": partial(_trials, [("sad", "happy")], BODIES),
    "other-mixes": partial(_trials, _OTHERS, BODIES[:1]),
}


def mix_job(trial: MixTrial) -> tuple[Job, tuple[float, float]]:
    """Return the walk of a trial, and when it is on the way from one style to the other, s."""
    body = natural.body_of(trial.body)
    first, second = preset("natural", trial.before), preset("natural", trial.after)
    unit = math.sqrt(body.size)
    slow, fast = (usual_speed(own) or natural.PUSHED_AT for own in (first, second))
    begins = _SETS_OFF + BEFORE / slow
    ends = begins + ON_THE_WAY / (0.5 * (slow + fast))
    span = unit * begins, unit * ends
    shares = tuple(zip(span, (0.0, 1.0), strict=True))
    speeds = tuple(zip(span, (unit * slow, unit * fast), strict=True))
    way = route(trial.route, body.size)
    return Job(body, way, first, unit * slow, speeds=speeds, cues=(Cue(0.0, second, shares=shares),),
               seed=trial.seed), span  # fmt: skip


def route(name: str, size: float) -> Path:
    """Return the route of a name, for a body of a size: 10 m, straight or in an S."""
    length = BEFORE + ON_THE_WAY + AFTER
    if name == "straight":
        return Path([[0.0, 0.0], [length * size, 0.0]])
    x = np.linspace(0.0, 1.0, 200)
    across = _SWAY * np.sin(2.0 * math.pi * x)

    def long(wide: float) -> float:
        return float(np.hypot(np.diff(wide * x), np.diff(across)).sum())

    wide = next(w for w in np.arange(length, 0.0, -0.01) if long(w) <= length)
    return Path(size * np.stack((wide * x, across), axis=1))


def run(trial: MixTrial, out: FilePath) -> Figures:
    """Return how a walk ends and its figures, and draw the first start's poses on the way."""
    job, span = mix_job(trial)
    motion = simulate(job)
    named = {"before": trial.before, "after": trial.after, "body": trial.body, "route": trial.route, "seed": trial.seed}
    found: Figures = {**named, "outcome": motion.outcome}
    if motion.outcome != "arrived":
        return found
    alone = [_alone(job, style) for style in (job.preset, job.cues[0].preset)]
    found["shaken"] = _hardest(motion, *span) / max(_hardest(own, *_steady(own)) for own in alone)
    shares = job.cues[0].shares
    found |= {f"back_{name}": back for name, back in turned_back(motion, shares, alone).items()}
    if trial.seed == SEEDS[0]:
        name = "-".join((trial.before, trial.after, trial.body.partition(":")[0], trial.route))
        _picture(motion, span, out / f"{name}.png")
    return found


def _alone(job: Job, style: Preset) -> Motion:
    """Return the walk of the same way in one style alone, at its usual speed."""
    speed = math.sqrt(job.character.size) * (usual_speed(style) or natural.PUSHED_AT)
    return simulate(replace(job, preset=style, speed=speed, speeds=(), cues=()))


def _steady(motion: Motion) -> tuple[float, float]:
    """Return from when to when a walk neither sets off nor slows down to stop, s."""
    arcs, size = motion.command[:, 2], motion.character.size
    on = motion.times[(arcs > BEFORE * size) & (arcs < arcs[-1] - _STOPS * size)]
    return float(on[0]), float(on[-1])


def _hardest(motion: Motion, begins: float, ends: float) -> float:
    step = float(motion.times[1] - motion.times[0])
    root = smoothed(motion.root, step, _SMOOTH)
    size = np.linalg.norm(np.gradient(np.gradient(root, step, axis=0), step, axis=0), axis=1)
    return float(size[(motion.times >= begins) & (motion.times < ends)].max())


def step_figures(motion: Motion) -> tuple[Array, dict[str, Array]]:
    """Return when each step is half done (K,), s, and what it looks like: (K,) each, by name. Not of those that stop.

    lean: of the chest ahead, degrees, on average; step: its length, m; arms: how far both upper arms swing, degrees.
    """
    strikes = motion.strikes[:, 0]
    arcs = np.interp(strikes, motion.times, motion.command[:, 2])
    last = int(np.searchsorted(arcs, arcs[-1] - _STOPS * motion.character.size))
    chest, arms = motion.character.index("chest"), [motion.character.index(f"upper_arm.{side}") for side in "LR"]
    turned, heading = quaternion_matrix(motion.rotations), motion.command[:, 1]
    ahead = np.stack((np.cos(heading), np.sin(heading), np.zeros(len(heading))), axis=1)

    def pitch(link: int) -> Array:
        up = turned[:, link, :, 2]
        return np.degrees(np.arctan2((up * ahead).sum(axis=1), up[:, 2]))

    lean, swings = pitch(chest), [pitch(arm) for arm in arms]
    rows = []
    for (a, b), (p, q) in zip(pairwise(strikes[_FIRST:last]), pairwise(arcs[_FIRST:last]), strict=True):
        within = (motion.times >= a) & (motion.times < b)
        swing = sum(float(np.ptp(own[within])) for own in swings)
        rows.append((0.5 * (a + b), float(lean[within].mean()), q - p, swing))
    middle, *columns = np.array(rows).T
    return middle, dict(zip(LOOKS, columns, strict=True))


def turned_back(motion: Motion, shares: Track, alone: Sequence[Motion]) -> dict[str, float]:
    """Return by how much each figure turns back at most on its way, as a share of how the two styles alone differ.

    Of both feet's steps on average: left and right ones need not be alike. Styles differ at least by the spread of
    their own steps.
    """
    times, figures = step_figures(motion)
    ends = [step_figures(own)[1] for own in alone]
    on = np.array([0.0 < at_time(shares, 0.5 * (a + b)) < 1.0 for a, b in pairwise(times)])
    known = {}
    for name, own in figures.items():
        whole = float(ends[1][name].mean() - ends[0][name].mean())
        whole = math.copysign(max(abs(whole), *(_SPREAD * float(end[name].std()) for end in ends)), whole)
        way = (0.5 * (own[1:] + own[:-1]))[on] / whole
        known[name] = float((np.maximum.accumulate(way) - way).max())
    return known


def _picture(motion: Motion, span: tuple[float, float], file: FilePath) -> None:
    """Draw poses on the way from the side and from ahead, each in the same moment of a step."""
    strikes = motion.strikes[motion.strikes[:, 1] == 0.0, 0]
    own = strikes[(strikes > span[0] - 1.5) & (strikes < span[1] + 1.2)]
    times = [a + share * (b - a) for a, b in pairwise(own) for share in (0.02, 0.3)]
    some = np.array(times)[np.linspace(0, len(times) - 1, min(_POSES, len(times))).round().astype(int)]
    figure, rows = pyplot.subplots(2, 1, figsize=(20.0, 7.0), dpi=90)
    for axes, view in zip(rows, _VIEWS, strict=True):
        film_strip(motion, some, view, 0.0, axes, title=view)
    figure.tight_layout()
    figure.savefig(file)
    pyplot.close(figure)


def report_lines(part: str, found: Sequence[Figures]) -> list[str]:
    """Return lines for people: who arrives, and the worst figures of those that do."""
    lines = []
    for key in dict.fromkeys((one["before"], one["after"], one["body"], one["route"]) for one in found):
        own = [one for one in found if (one["before"], one["after"], one["body"], one["route"]) == key]
        good = [one for one in own if one["outcome"] == "arrived"]
        text = f"  {key[0]} to {key[1]}, {key[2]}, {key[3]}: {len(good)} of {len(own)} arrive"
        if good:
            backs = [f"{name} {max(one[f'back_{name}'] for one in good):.2f}" for name in LOOKS]
            shaken = [one["shaken"] for one in good]
            text += f"; hips shaken {median(shaken):.2f}, {max(shaken):.2f} at most; turn back by {', '.join(backs)}"
        lines.append(text)
    known = [one for one in found if "shaken" in one]
    if known:
        lines.append(
            f"  {sum(one['shaken'] <= SHAKEN for one in known)} of {len(known)} within {SHAKEN:g} times either style; "
            f"{sum(max(one[f'back_{n}'] for n in ('lean', 'step', 'arms')) <= BACK for one in known)} turn back by "
            f"less than {BACK:g} of the change"
        )
    return lines
