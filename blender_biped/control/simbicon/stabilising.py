"""A style made of poses: which numbers of balance let it walk is found by walks that are tried.

Laszlo 1996 tries regulation variables and their targets by hand until a pose control graph walks. Here the poses become
SIMBICON's states (``posed``), and a search tries feedback gains, stiffness, tempo and how high the hips are carried:
first those that a posed body needs most often, then numbers beside the best so far. What stays nearest to the poses is
preferred, and a style is one that stands from several starts, straight and along an S.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from ...character.model import Character
from ...character.reference import GRAVITY
from ...job import Job
from ...motion.measures import fell_at, foot_slip, path_deviation, speed_error
from ...motion.motion import Motion
from ...preset.own import MAX_DESCRIPTION
from ...preset.preset import Preset, preset
from ...preset.transitions import RESTS
from ..shared.trying import Numbers, Tries, Try, bent_walk, from_starts, shares_of, straight_walk
from .posed import PosedBalance, posed_cycle, posed_values

SCREENED, SECONDS = 8.0, 20.0
"""Of the straight walks that a try is screened and then judged by, of the reference body."""
STARTS = (0, 1, 2)
"""Seeds of the starts that each style is walked from, straight and along an S, before it is taken."""
_TEMPOS, _RISES = (1.0, 0.75), (0.0, 0.025, 0.05)  # of the first tries
_SCREENS = 4  # rounds of screening
_BESIDE = 4  # tries beside the best one, of each of these
_BENT = 3  # tries that stand and are walked along an S, the best first
_CALMER: tuple[Numbers, ...] = (
    {"stiffness": 1.0}, {"tempo": 0.75, "stiffness": 1.0}, {"tempo": 0.75, "stiffness": 1.0, "rise": 0.025},
    {"tempo": 0.75, "stiffness": 1.0, "rise": 0.025, "slower": 0.75},
)  # fmt: skip
"""What is changed of the best one for others that are walked so."""
_SPREADS = 3  # of these, that are walked from several starts, the best first
_MORE = 3  # tries beside the best one where none of them stands
_SLOWER = 0.9  # times the speed of the one before, each
_PAIRS, _SINGLE = ("hip", "aside", "ankle"), ("tempo", "rise", "stiffness", "trunk", "reach")  # fields of PosedBalance
_SPREAD = {
    "tempo": 0.07, "rise": 0.01, "stiffness": 0.4, "trunk": 0.3, "reach": 1.5, "hip.d": 0.1, "hip.v": 0.06,
    "aside.d": 0.1, "aside.v": 0.08, "ankle.d": 0.12, "ankle.v": 0.05,
}  # fmt: skip
"""How far, by its standard deviation, a try is from the one that it is beside."""
_RANGES = {"tempo": (0.5, 1.2), "rise": (0.0, 0.1), "stiffness": (0.7, 5.0), "trunk": (0.5, 4.0), "reach": (-6.0, 6.0)}
_LEAST, _MOST = 0.0, 1.5  # of the feedback's gains
_SEEN = 0.005  # of the leg: how much higher hips are that are said to be so
_FALL, _ASTRAY, _SLIP, _LATE = 10.0, 2.0, 0.02, 0.01  # costs: a fall at most, a metre off the path, a mm, a per cent
_HURRY, _RISE, _REACH = 2.0, 15.0, 0.05  # of what is not as posed: tempo, a leg's length of height, a degree


def _numbers(balance: PosedBalance) -> dict[str, float]:
    """Return what a try has of each number: "hip.d" is c_d of its ``hip``; slower: share of the posed speed."""
    pairs = {name: getattr(balance, name) for name in _PAIRS}
    found = {f"{name}.{kind}": pair[i] for name, pair in pairs.items() for i, kind in enumerate("dv")}
    return {**found, **{name: getattr(balance, name) for name in _SINGLE}, "slower": 1.0}


def _balance(numbers: Numbers) -> PosedBalance:
    fields: dict[str, Any] = {name: (numbers[f"{name}.d"], numbers[f"{name}.v"]) for name in _PAIRS}
    return PosedBalance(**(fields | {name: numbers[name] for name in _SINGLE}))


class Stabilising(Tries):
    """Makes a style of poses.

    Rounds of short straight walks screen tries, and one along an S those that stand, with calmer ones; the best are
    then walked from several starts, one try after the other, until one stands in all of them.
    """

    def __init__(
        self, motion: Motion, label: str, source: str, character: Character | None = None, gravity: float = GRAVITY
    ) -> None:
        """motion: the poses, at their times alone. label: the style's. source: what they are called.

        character: who tries the walks, by default the motion's own. gravity: m/s2. Raises DataError where the poses
        are no cycle that a style can be made from.
        """
        self._cycle = posed_cycle(motion, gravity)
        self._character = character or motion.character
        self._label, self._source, self._gravity = label, source, gravity
        self._walk = preset("simbicon", RESTS).values
        self._stage: Literal["straight", "bent", "whole"] = "straight"
        self._screened = 0  # tries before those along an S
        self._bent: list[Try] = []  # what stood along an S, the best first
        self._judged_whole = 0
        usual = _numbers(PosedBalance())
        super().__init__([{**usual, "tempo": tempo, "rise": rise} for rise in _RISES for tempo in _TEMPOS])

    def style(self) -> Preset:
        """Return the style with the best numbers; it says what is not as posed."""
        best = self.best
        numbers, fell = best.numbers, best.walks - best.stood
        hurry = round(100.0 * (1.0 - numbers["tempo"]))
        changes = []
        if hurry:
            changes.append(f"steps {hurry} % quicker" if hurry > 0 else f"steps {-hurry} % slower")
        if numbers["rise"] >= _SEEN:
            changes.append(f"hips {100.0 * numbers['rise']:.0f} % of the leg higher")
        style = self._style(numbers)
        text = f"Made from {self._cycle.count} poses of {self._source}, at {style.values['usual']:.2f} m/s."
        said = ", ".join(changes)
        text += f" Other than posed: {said}." if said else ""
        text += f" It fell in {fell} of {best.walks} walks." if fell else ""
        return replace(style, description=text[:MAX_DESCRIPTION])

    def _shares(self) -> list[tuple[float, float]]:
        first, whole = len(_TEMPOS) * len(_RISES) * SCREENED, len(STARTS) * 3.0 * SECONDS
        more = self._round - (self._stage != "straight") - self._judged_whole  # rounds beside the best of the first
        bent = (_BENT + len(_CALMER)) * 2.0 * SECONDS
        return shares_of([first, *[_BESIDE * SCREENED] * more, bent, *[whole] * (_SPREADS + _MORE)])

    def _said(self, one: Try) -> str:
        return f"{one.stood} of {one.walks} walks" if one.whole and one.stood else f"{one.steps} steps"

    def _next(self) -> Sequence[Numbers]:
        if self._stage == "straight":
            screened = sorted(self.tries, key=lambda one: (one.fell, one.cost))
            best = screened[0].numbers
            if screened[0].fell and self._round < _SCREENS:
                return [self._beside(best, 100 * self._round + i) for i in range(_BESIDE)]
            self._stage, self._screened = "bent", len(self.tries)
            return [*(one.numbers for one in screened[:_BENT]), *({**best, **calmer} for calmer in _CALMER)]
        if self._stage == "bent":
            self._stage = "whole"
            bent = sorted(self.tries[self._screened :], key=lambda one: (one.fell, one.cost))
            self._bent = [one for one in bent if not one.fell][:_SPREADS] or bent[:1]
        elif not self.tries[-1].fell or self._judged_whole == len(self._bent) + _MORE:
            return ()
        self._judged_whole += 1
        if self._judged_whole <= len(self._bent):
            return (self._bent[self._judged_whole - 1].numbers,)
        near = self._beside(self.best.numbers, self._round)
        return ({**near, "slower": _SLOWER * near["slower"]},)

    def _beside(self, numbers: Numbers, seed: int) -> Numbers:
        """Return numbers near others, the same for the same seed."""
        by = np.random.default_rng(seed).normal(size=len(_SPREAD))
        found = dict(numbers)
        for (name, spread), share in zip(_SPREAD.items(), by.tolist(), strict=True):
            low, high = _RANGES.get(name, (_LEAST, _MOST))
            found[name] = round(min(max(numbers[name] + spread * share, low), high), 4)
        return found

    def _style(self, numbers: Numbers) -> Preset:
        cycle = replace(self._cycle, speed=numbers["slower"] * self._cycle.speed)
        return Preset("posed", "simbicon", self._label, "", posed_values(cycle, _balance(numbers), self._walk))

    def _jobs(self, numbers: Numbers) -> Sequence[Job]:
        style = self._style(numbers)
        bent = bent_walk(self._character, style, self._gravity)
        if self._stage == "bent":
            return (bent,)
        seconds = SCREENED if self._stage == "straight" else SECONDS
        straight = straight_walk(self._character, style, self._gravity, seconds)
        return (straight,) if self._stage == "straight" else from_starts((straight, bent), STARTS)

    def _judged(self, numbers: Numbers, walks: Sequence[tuple[Motion | None, Job]]) -> Try:
        cost, stood, steps = 0.0, 0, []
        for motion, job in walks:
            fell = fell_at(motion, job) if motion is not None else 0.0
            steps.append(len(motion.strikes) if motion is not None else 0)
            if motion is None or fell is not None or (job.stop and motion.outcome != "arrived"):
                lasted = (fell or 0.0) / self._lasts(job)
                cost += _FALL * (1.0 - 0.5 * min(lasted, 1.0)) / len(walks)
                continue
            stood += 1
            cost += _ASTRAY * (path_deviation(motion, job)[0] or 0.0) / len(walks)
            cost += _SLIP * min(foot_slip(motion, job)[0] or 0.0, 50.0) / len(walks)
            if not job.stop:
                cost += _LATE * min(abs(speed_error(motion, job) or 0.0), 50.0) / len(walks)
        cost += _HURRY * abs(math.log(numbers["tempo"])) + _RISE * numbers["rise"] + _REACH * abs(numbers["reach"])
        cost += _HURRY * (1.0 - numbers["slower"])
        return Try(numbers, cost, len(walks), stood, {}, self._stage == "whole", min(steps))

    def _lasts(self, job: Job) -> float:
        """Return how long, s, a walk is about."""
        return job.duration or 2.0 * SECONDS * math.sqrt(self._character.size)
