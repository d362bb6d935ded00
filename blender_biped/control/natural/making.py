"""A style made from a captured walk: which numbers of balance suit it is found by walks that are tried.

Yin, Loken and van de Panne 2007, section 5, tune the feedback of each captured style by hand. Here natural walking
keeps the balance, and a few of its numbers are searched: how high the hips are carried, since knees of another body are
bent otherwise by a centimetre of it, how feet roll and how low they swing, how far apart they are set down, and how
fast it goes. Walks are chaotic: a style is one that stands from several starts, straight and in bends.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ...character.model import Character
from ...character.reference import GRAVITY, REFERENCE_LEG
from ...job import Job
from ...motion.likeness import captured_curves, likeness, stride_curves
from ...motion.measures import fell_at, path_deviation
from ...motion.motion import Motion
from ...motion.norm import JOINTS
from ...motion.periodic import Periodic, periodic
from ...preset.declared import with_values
from ...preset.own import MAX_DESCRIPTION
from ...preset.preset import Preset, preset
from ..shared.trying import Tries, Try, bent_walk, from_starts, least, said_of, shares_of, straight_walk
from .run_making import CapturedRunMaking
from .steps.captured import captured_values

SCREENED, SECONDS = 10.0, 30.0
"""Of the straight walks that a try is screened and then judged by, of the reference body."""
STARTS = (0, 1, 2)
"""Seeds of the starts that each style is walked from, straight and along an S, before it is taken."""
BEGINNINGS, BEGUN = (6, 7, 8, 9, 10, 11, 12, 13, 14), 6.0
"""Seeds of more starts, walked straight for so long, s of the reference body: what is fast falls as it begins."""
STRAYS = 0.2
"""m beside its path, on average, from which a walk does not follow it."""
LIKE = 0.9
"""Correlation of hip and knee with the captured walk that is aimed at."""
_CAREFUL = {"swivel": 0.6}  # rad/s above which it slows down in bends: a captured step is for straight ahead
_FASTER = 1.1  # times the captured speed that the style may go
_SINKS = (-0.022, -0.011, 0.0, 0.011)  # m, of the first tries
_ROLLS = (0.0, 1.0)  # how feet are pressed, of the first tries
_BESIDE = 0.0055  # m, between a good try and those beside it
_NEIGHBOURS, _HARDLY = 0.012, 0.02  # m, within which hips are as high as beside; correlation more than LIKE
_CLEAR = 0.01  # m that toes pass over the ground by at least, whatever is captured: they stubbed
_LOWER = 0.015  # m that a swing foot clears the ground by, of a try beside a good one
_SPREADS = 4  # tries that are walked from several starts, at most, the best first
_CALMER: tuple[Mapping[str, float], ...] = (
    {"slower": 0.93}, {"gait.wider": 0.04}, {"slower": 0.85}, {"gait.wider": 0.04, "slower": 0.7},
)  # fmt: skip
"""What is tried where none of those stands."""
_FALL, _ASTRAY, _UNLIKE = 10.0, 0.5, 3.0  # what a fall costs at most, a metre off the path, a correlation short of LIKE
_WEIGHTS = {"hip": 1.0, "knee": 1.0, "ankle": 0.3}


class CapturedMaking(Tries):
    """Makes a style of a captured walk.

    Two rounds screen tries by a straight walk each: how high the hips are carried, how feet roll and how low they swing
    decide how near to the captured walk it is. The best are then walked from several starts, one try after the other,
    until one stands in all of them.
    """

    def __init__(
        self, motion: Motion, label: str, source: str, character: Character | None = None, gravity: float = GRAVITY,
        found: Periodic | None = None,
    ) -> None:  # fmt: skip
        """motion: the walk. label: the style's. source: what the motion is called.

        character: who tries the walks, by default the motion's own. gravity: m/s2. found: what repeats in the motion,
        None to find it. Raises DataError where the motion is no walk that a style can be made from.
        """
        self._found = found or periodic(motion)
        self._character = character or motion.character
        self._label, self._source, self._gravity = label, source, gravity
        own = motion.character.leg_length
        self._speed = self._found.speed * math.sqrt(REFERENCE_LEG / own * GRAVITY / gravity)
        self._captured = captured_values(self._found, own, source)
        self._curves = captured_curves(self._found)
        self._steering = preset("natural", "default").values["steering"] | _CAREFUL
        super().__init__([{"gait.sink": sink, "captured.rolls": rolls} for rolls in _ROLLS for sink in _SINKS])

    def style(self) -> Preset:
        """Return the style with the best numbers; it says how near to the captured walk it stays."""
        best = self.best
        style = self._style(best.numbers)
        like = [best.like.get(joint) for joint in JOINTS]
        captured = {**style.values["captured"], "likeness": [round(r or 0.0, 3) for r in like]}
        said = self._said(best)
        text = f"Made from {self._source}, {self._found.strides:.1f} strides at {self._speed:.2f} m/s."
        text += f" Correlation with it: {said}." if said else ""
        fell, walks = best.walks - best.stood, best.walks
        text += f" It fell or strayed in {fell} of {walks} walks." if fell else ""
        return replace(style, description=text[:MAX_DESCRIPTION], values={**style.values, "captured": captured})

    @property
    def _screens(self) -> bool:
        """Whether tries are screened now."""
        return self._round < 2

    def _shares(self) -> list[tuple[float, float]]:
        """Return where each round begins and ends, 0..1, by how long its walks are."""
        judged = len(STARTS) * 2.0 * SECONDS + len(BEGINNINGS) * BEGUN
        return shares_of([len(_ROLLS) * len(_SINKS) * SCREENED, 4 * SCREENED, *[judged] * (_SPREADS + len(_CALMER))])

    def _said(self, one: Try) -> str:
        """Return how like the captured walk a try is."""
        return said_of(one.like)

    def _next(self) -> tuple[Mapping[str, float], ...]:
        """Return what is tried in this round."""
        screened = sorted((one for one in self.tries if not one.whole), key=lambda one: one.cost)
        if self._screens:
            best = screened[0].numbers
            others = [{**best, "captured.rolls": 0.5}, {**best, "captured.clearance": _LOWER}]
            return (*_beside(best), *others, *self._elsewhere(screened))
        judged = self._round - 2
        if judged and not self.tries[-1].fell:
            return ()
        if judged < _SPREADS:
            return (screened[judged].numbers,)
        calmer = judged - _SPREADS
        return ({**screened[0].numbers, **_CALMER[calmer]},) if calmer < len(_CALMER) else ()

    def _elsewhere(self, screened: Sequence[Try]) -> tuple[Mapping[str, float], ...]:
        """Return tries at another height of the hips, where the best one is hardly as alike as is aimed at."""
        best = screened[0]
        if all((best.like.get(joint) or 0.0) > LIKE + _HARDLY for joint in ("hip", "knee")):
            return ()
        sink = best.numbers["gait.sink"]
        other = next((one.numbers for one in screened if abs(one.numbers["gait.sink"] - sink) > _NEIGHBOURS), None)
        return () if other is None else _beside(other)

    def _style(self, numbers: Mapping[str, float]) -> Preset:
        """Return the style with other numbers, by their paths; "slower" is a share of the captured speed."""
        usual = round(numbers.get("slower", 1.0) * self._speed, 3)
        gait = {path: value for path, value in numbers.items() if path != "slower"}
        values: dict[str, Any] = {
            "speeds": [0.0, round(_FASTER * usual, 3)], "usual": usual, "steering": dict(self._steering),
            "gait": {"clearance": _CLEAR},  # beyond that the captured swing has its own
            "captured": dict(self._captured),
        }  # fmt: skip
        return Preset("captured", "natural", self._label, "", with_values(values, gait))

    def _jobs(self, numbers: Mapping[str, float]) -> tuple[Job, ...]:
        """Return the walks of one try: a short straight one, or long ones, S-curves and short ones from many starts."""
        style = self._style(numbers)
        seconds = SCREENED if self._screens else SECONDS
        straight = straight_walk(self._character, style, self._gravity, seconds)
        if self._screens:
            return (straight,)
        begun = straight_walk(self._character, style, self._gravity, BEGUN)
        bent = bent_walk(self._character, style, self._gravity)
        return (*from_starts((straight, bent), STARTS), *from_starts((begun,), BEGINNINGS))

    def _judged(self, numbers: Mapping[str, float], walks: Sequence[tuple[Motion | None, Job]]) -> Try:
        cost, stood = 0.0, 0
        curves = []
        for motion, job in walks:
            own, stands = _walked_badly(motion, job)
            cost += own / len(walks)
            stood += stands
            if motion and not job.stop and job.seed not in BEGINNINGS:
                curves.append(likeness(stride_curves(motion, job), self._curves))
        like = {joint: least(one[joint] for one in curves) for joint in JOINTS}
        cost += sum(weight * (1.0 - (like[joint] or 0.0)) for joint, weight in _WEIGHTS.items())
        cost += sum(_UNLIKE * max(LIKE - (like[joint] or 0.0), 0.0) for joint in ("hip", "knee"))
        return Try(numbers, cost, len(walks), stood, like, not self._screens)


def making_of(
    motion: Motion, label: str, source: str, character: Character | None = None, gravity: float = GRAVITY
) -> CapturedMaking | CapturedRunMaking:
    """Return what makes a style of a captured walk or run; see ``CapturedMaking``. Raises DataError for neither."""
    found = periodic(motion)
    if found.runs:
        return CapturedRunMaking(found, motion, label, source, character, gravity)
    return CapturedMaking(motion, label, source, character, gravity, found)


def _walked_badly(motion: Motion | None, job: Job) -> tuple[float, bool]:
    """Return what a walk costs a try, and whether it stands and follows its path; no motion is a fall at once."""
    fell = fell_at(motion, job) if motion else 0.0
    if not motion or fell is not None or (job.stop and motion.outcome != "arrived"):
        lasted = (fell or 0.0) / max(job.duration, SCREENED)
        return _FALL * (1.0 - 0.5 * min(lasted, 1.0)), False
    astray = path_deviation(motion, job)[0] or 0.0
    return _ASTRAY * astray, astray <= STRAYS


def _beside(numbers: Mapping[str, float]) -> tuple[Mapping[str, float], ...]:
    """Return tries beside one: hips a little higher, and lower."""
    sink = numbers["gait.sink"]
    return tuple({**numbers, "gait.sink": sink + by} for by in (-_BESIDE, _BESIDE))
