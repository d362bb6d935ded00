"""A style made from a captured run: how much of what was captured a body keeps its balance with is found by trying.

Its stride and its figures are those of the run (``running.captured_run``); natural walking's laws run it. What is
searched is how far it is as captured and how far as people's runs are: its times, its lean, and its legs in the air.
Runs are chaotic: a style is one that stands from several starts, straight and in bends, and the nearest of these.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...character.model import Character
from ...character.reference import GRAVITY, REFERENCE_LEG
from ...job import Job
from ...motion.likeness import captured_curves, likeness, stride_curves
from ...motion.measures import path_deviation
from ...motion.motion import Motion
from ...motion.norm import JOINTS
from ...motion.periodic import Periodic
from ...preset.own import MAX_DESCRIPTION
from ...preset.preset import Preset, preset
from ...world.path import Path
from ..shared.trying import Numbers, Tries, Try, from_starts, least, said_of, shares_of
from .running.captured_run import running_values
from .steps.run_settings import Running

STARTS = (0, 1, 2, 3)
"""Seeds of the starts that each style is run from, straight and along an S, before it is taken."""
SECONDS, SCREENED = 9.0, 6.0
"""At its speed, of the ways that a style is run along, and of those that a try is screened by, s."""
STRAYS = 0.4
"""m beside its path, on average, from which a run does not follow it."""
_TIMES, _LEGS, _LEANS = (1.0, 0.75, 0.5), (1.0, 0.5, 0.0), (1.0, 0.4)  # shares of what was captured, of the first tries
_MUCH = 8.0  # degrees that a lean is from people's, for less of it to be tried
_JUDGED = 6  # tries that are run from all starts, at most, the best first
_CALMER: tuple[Numbers, ...] = (
    {"timing": 0.5, "legs": 0.0, "lean": 0.4, "slower": 0.9},
    {"timing": 0.25, "legs": 0.0, "lean": 0.0, "slower": 0.85},
    {"timing": 0.0, "legs": 0.0, "lean": 0.0, "slower": 0.8},
)  # fmt: skip
"""What is tried where none of those stands."""
_FASTER = 1.1  # times the captured speed that the style may go
_SPEEDING = 6.0  # m of a way, with a leg of 0.9 m, in which it gets up to speed, and stops
_FALL, _ASTRAY = 10.0, 0.5  # what a fall costs at most, and a metre off the path
_LESS = {"timing": 2.0, "legs": 1.0, "lean": 1.0}  # what it costs to be as people's in all of these
_SWAY = 1.5, 14.0  # m that an S goes to either side, and in which it does so, with a leg of 0.9 m
_USUAL = Running()


class CapturedRunMaking(Tries):
    """Makes a style of a captured run."""

    def __init__(
        self, found: Periodic, motion: Motion, label: str, source: str, character: Character | None = None,
        gravity: float = GRAVITY,
    ) -> None:  # fmt: skip
        """found: what repeats in the motion. For the others see ``CapturedMaking``."""
        self._found, self._label, self._source, self._gravity = found, label, source, gravity
        self._character = character or motion.character
        own = motion.character.leg_length
        self._speed = found.speed * math.sqrt(REFERENCE_LEG / own * GRAVITY / gravity)
        self._running = running_values(found, motion.character, source)
        self._curves = captured_curves(found)
        leans = _LEANS if abs(self._running["lean"] - _USUAL.lean) > _MUCH else _LEANS[:1]
        super().__init__([
            {"timing": timing, "legs": legs, "lean": lean} for lean in leans for timing in _TIMES for legs in _LEGS
        ])  # fmt: skip

    def style(self) -> Preset:
        """Return the style with the best numbers; it says how near to the captured run it stays."""
        best = self.best
        text = f"Made from {self._source}, {self._found.strides:.1f} strides at {self._speed:.2f} m/s."
        said = self._said(best)
        text += f" Correlation with it: {said}." if said else ""
        fell, walks = best.walks - best.stood, best.walks
        text += f" It fell or strayed in {fell} of {walks} walks." if fell else ""
        style = self.styled(best.numbers)
        stride = style.values["running"]["stride"] | {"likeness": [round(best.like.get(j) or 0.0, 3) for j in JOINTS]}
        running = style.values["running"] | {"stride": stride}
        return replace(style, description=text[:MAX_DESCRIPTION], values={**style.values, "running": running})

    def _shares(self) -> list[tuple[float, float]]:
        """Return where each round begins and ends, 0..1, by how long its runs are."""
        judged = len(STARTS) * 2.0 * SECONDS
        return shares_of([18.0 * 2.0 * SCREENED, *[judged] * (_JUDGED + len(_CALMER))])

    def _said(self, one: Try) -> str:
        """Return how like the captured run a try is."""
        return said_of(one.like)

    def _next(self) -> Sequence[Numbers]:
        """Return what is tried in this round."""
        screened = sorted((one for one in self.tries if not one.whole), key=lambda one: one.cost)
        judged = self._round - 1
        if judged and not self.tries[-1].fell:
            return ()
        if judged < _JUDGED:
            return (screened[judged].numbers,)
        calmer = judged - _JUDGED
        return (_CALMER[calmer],) if calmer < len(_CALMER) else ()

    def styled(self, numbers: Numbers) -> Preset:
        """Return the style with shares of what was captured; "slower" is a share of the captured speed."""
        walks = preset("natural", "jog").values
        usual = round(numbers.get("slower", 1.0) * self._speed, 3)
        running: dict[str, Any] = dict(self._running)
        for name, share in (("tempo", "timing"), ("flight", "timing"), ("lean", "lean")):
            plain = getattr(_USUAL, name)
            running[name] = round(plain + numbers[share] * (running[name] - plain), 4)
        running["legs"] = numbers["legs"]
        values = {**walks, "speeds": [0.0, round(_FASTER * usual, 3)], "usual": usual, "running": running}
        return Preset("captured", "natural", self._label, "", values)

    def _jobs(self, numbers: Numbers) -> tuple[Job, ...]:
        """Return the runs of one try, straight and along an S: from one start, or from all."""
        style = self.styled(numbers)
        screens = not self._round
        usual = style.values["usual"]
        length = _SPEEDING + (SCREENED if screens else SECONDS) * usual
        along = np.linspace(0.0, length, 120)
        aside = _SWAY[0] * np.sin(2.0 * math.pi * along / _SWAY[1])
        size = self._character.size
        speed = usual * math.sqrt(size * self._gravity / GRAVITY)
        jobs = [
            Job(
                self._character,
                Path(size * np.stack((along, wide * aside), axis=1)),
                style,
                speed,
                gravity=self._gravity,
            )
            for wide in (0.0, 1.0)
        ]
        return from_starts(jobs, STARTS[:1] if screens else STARTS)

    def _judged(self, numbers: Numbers, walks: Sequence[tuple[Motion | None, Job]]) -> Try:
        cost, stood = sum(costs * (1.0 - numbers[name]) for name, costs in _LESS.items()), 0
        curves = []
        for motion, job in walks:
            own, stands = _ran_badly(motion, job)
            cost += own / len(walks)
            stood += stands
            if motion and stands:
                curves.append(likeness(stride_curves(motion, job), self._curves))
        like = {joint: least([one[joint] for one in curves]) for joint in JOINTS}
        return Try(numbers, cost, len(walks), stood, like, len(walks) > 2)


def _ran_badly(motion: Motion | None, job: Job) -> tuple[float, bool]:
    """Return what a run costs a try, and whether it arrives and follows its path; no motion is a fall at once."""
    if not motion or motion.outcome != "arrived":
        gone = float(motion.command[-1, 2]) / job.path.length if motion else 0.0
        return _FALL * (1.0 - 0.5 * min(gone, 1.0)), False
    astray = path_deviation(motion, job)[0] or 0.0
    return _ASTRAY * astray, astray <= STRAYS * job.character.size
