"""A style made from a captured walk: which numbers of balance suit it is found by walks that are tried.

Yin, Loken and van de Panne 2007, section 5, tune the feedback of each captured style by hand. Here natural walking
keeps the balance, and a few of its numbers are searched: how high the hips are carried, since knees of another body are
bent otherwise by a centimetre of it, how far apart the feet are, and how fast it goes.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...base.errors import DataError
from ...character.model import Character
from ...character.reference import GRAVITY, REFERENCE_LEG
from ...job import Job
from ...motion.likeness import captured_curves, likeness, stride_curves
from ...motion.measures import report
from ...motion.motion import Motion
from ...motion.norm import JOINTS
from ...motion.periodic import periodic
from ...preset.declared import with_values
from ...preset.own import MAX_DESCRIPTION
from ...preset.preset import Preset, preset
from ...world.path import Path
from .captured import captured_values

SECONDS = 14.0
"""Of the straight walk that each try is judged by, of the reference body."""
_CAREFUL = {"swivel": 0.6}  # rad/s above which it slows down in bends: a captured step is for straight ahead
_FASTER = 1.1  # times the captured speed that the style may go
_SINKS = (0.011, 0.0, -0.011)  # m, of the first tries
_BESIDE = 0.0055  # m, between a good try and those beside it
_CALMER = ({"gait.wider": 0.04}, {"slower": 0.85}, {"gait.wider": 0.04, "slower": 0.7})  # where all fall
_FALL, _ASTRAY = 10.0, 0.5  # what a fall costs at most, and a metre off the path
_WEIGHTS = {"hip": 1.0, "knee": 1.0, "ankle": 0.3}
_CURVE = 11.0, 1.25  # m along and aside: an S of one period


@dataclass(frozen=True)
class Try:
    """One set of numbers that was walked. cost: the lower the better. fell: whether one of its walks did.

    like: correlation of hip, knee and ankle with the captured walk on a straight path, None where it fell too soon.
    """

    numbers: Mapping[str, float]
    cost: float
    fell: bool
    like: Mapping[str, float | None]


class Making:
    """Makes a style of a captured walk: ask which walks to simulate, tell what became of them, until it is done."""

    def __init__(
        self, motion: Motion, label: str, source: str, character: Character | None = None, gravity: float = GRAVITY
    ) -> None:
        """motion: the walk. label: the style's. source: what the motion is called.

        character: who tries the walks, by default the motion's own. gravity: m/s2. Raises DataError where the motion
        is no walk that a style can be made from.
        """
        self._found = periodic(motion)
        self._character = character or motion.character
        self._label, self._source, self._gravity = label, source, gravity
        own = motion.character.leg_length
        self._speed = self._found.speed * math.sqrt(REFERENCE_LEG / own * GRAVITY / gravity)
        self._captured = captured_values(self._found, own, source)
        self._curves = captured_curves(self._found)
        self._steering = preset("natural", "default").values["steering"] | _CAREFUL
        self._round = 0
        self._asked: tuple[Mapping[str, float], ...] = tuple({"gait.sink": sink} for sink in _SINKS)
        self.tries: list[Try] = []

    @property
    def done(self) -> bool:
        """Whether there is nothing more to try."""
        return not self._asked

    @property
    def progress(self) -> float:
        """The share of the walks that is done, 0..1."""
        return 1.0 if self.done else self._round / 2.0

    @property
    def best(self) -> Try:
        """The best of what was tried. Raises DataError before anything was."""
        if not self.tries:
            raise DataError("No walk of the style has been tried yet.")
        return min(self.tries, key=lambda one: one.cost)

    def ask(self) -> list[Job]:
        """Return the walks to simulate now: of each try a straight one and one along an S."""
        return [job for numbers in self._asked for job in self._jobs(numbers)]

    def tell(self, motions: Sequence[Motion | None]) -> None:
        """Take the motions of the walks that were asked for, in their order; None for one that could not be walked."""
        jobs = self.ask()
        if len(motions) != len(jobs):
            raise ValueError(f"There are {len(motions)} motions of {len(jobs)} walks.")
        for i, numbers in enumerate(self._asked):
            pair = list(zip(motions[2 * i : 2 * i + 2], jobs[2 * i : 2 * i + 2], strict=True))
            self.tries.append(self._judged(numbers, pair))
        self._round += 1
        self._asked = self._next() if self._round == 1 else ()

    def style(self) -> Preset:
        """Return the style with the best numbers; it says how near to the captured walk it stays."""
        best = self.best
        style = self._style(best.numbers)
        like = [best.like.get(joint) for joint in JOINTS]
        captured = {**style.values["captured"], "likeness": [round(r or 0.0, 3) for r in like]}
        said = ", ".join(f"{joint} {r:.2f}" for joint, r in zip(JOINTS, like, strict=True) if r is not None)
        text = f"Made from {self._source}, {self._found.strides:.1f} strides at {self._speed:.2f} m/s."
        text += f" Correlation with it: {said}." if said else ""
        text += " It fell where it was tried." if best.fell else ""
        return replace(style, description=text[:MAX_DESCRIPTION], values={**style.values, "captured": captured})

    def _next(self) -> tuple[Mapping[str, float], ...]:
        """Return what is tried in the second round: what is beside the best, or calmer where all fell."""
        best = self.best
        if best.fell:
            return tuple({**best.numbers, **calmer} for calmer in _CALMER)
        sink = best.numbers["gait.sink"]
        return tuple({**best.numbers, "gait.sink": sink + beside} for beside in (-_BESIDE, _BESIDE))

    def _style(self, numbers: Mapping[str, float]) -> Preset:
        """Return the style with other numbers, by their paths; "slower" is a share of the captured speed."""
        usual = round(numbers.get("slower", 1.0) * self._speed, 3)
        gait = {path: value for path, value in numbers.items() if path != "slower"}
        values: dict[str, Any] = {
            "speeds": [0.0, round(_FASTER * usual, 3)], "usual": usual, "steering": dict(self._steering),
            "gait": {"clearance": 0.0},  # the captured swing has its own
            "captured": dict(self._captured),
        }  # fmt: skip
        return Preset("captured", "natural", self._label, "", with_values(values, gait))

    def _jobs(self, numbers: Mapping[str, float]) -> tuple[Job, Job]:
        style = self._style(numbers)
        size = self._character.leg_length / REFERENCE_LEG
        quicker = math.sqrt(size * self._gravity / GRAVITY)
        speed = style.values["usual"] * quicker
        length = 1.5 * SECONDS * style.values["usual"] * size
        along = np.linspace(0.0, _CURVE[0], 89)
        share = np.pi * along / _CURVE[0]
        curve = np.stack((along, _CURVE[1] * np.sin(2.0 * share) * np.sin(share)), axis=1)
        straight = Job(
            self._character, Path([[0.0, 0.0], [length, 0.0]]), style, speed, stop=False, gravity=self._gravity,
            duration=SECONDS * size / quicker,
        )  # fmt: skip
        return straight, Job(self._character, Path(size * curve), style, speed, gravity=self._gravity)

    def _judged(self, numbers: Mapping[str, float], walks: Sequence[tuple[Motion | None, Job]]) -> Try:
        cost, fell, like = 0.0, False, dict.fromkeys(JOINTS, None)
        for i, (motion, job) in enumerate(walks):
            figures = report(motion, job) if motion is not None else {"fell": True, "fell_at_s": 0.0}
            if figures["fell"] or (job.stop and motion is not None and motion.outcome != "arrived"):
                fell = True
                lasted = (figures["fell_at_s"] or 0.0) / max(job.duration, SECONDS)
                cost += _FALL * (1.0 - 0.5 * min(lasted, 1.0))
            else:
                cost += _ASTRAY * figures["path_deviation_mean_m"] if figures["path_deviation_mean_m"] else 0.0
            if i == 0 and motion is not None:
                like = likeness(stride_curves(motion, job), self._curves)
        cost += sum(weight * (1.0 - (like[joint] or 0.0)) for joint, weight in _WEIGHTS.items())
        return Try(numbers, cost, fell, like)
