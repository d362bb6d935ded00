"""A style that is found by walks that are tried: ask which to simulate, tell what became of them, until it is done.

What a style is made of, a captured walk or poses, and which numbers are searched, is for each controller to say. Walks
are chaotic: a style is one that stands from several starts, straight and in bends.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...base.errors import DataError
from ...character.model import Character
from ...character.reference import GRAVITY
from ...job import Job
from ...motion.motion import Motion
from ...preset.preset import Preset
from ...world.path import Path

Numbers = Mapping[str, float]
_CURVE = 11.0, 1.25  # m along and aside: an S of one period


@dataclass(frozen=True)
class Try:
    """One set of numbers that was walked. cost: the lower the better. walks, stood: how many, and how many of them did.

    like: correlation of hip, knee and ankle with the captured walk on a straight path, None where it fell too soon;
    empty where nothing was captured. whole: whether it was walked from all starts, straight and along an S. steps: that
    it took in the worst of its walks, until it fell or the walk ended.
    """

    numbers: Numbers
    cost: float
    walks: int
    stood: int
    like: Mapping[str, float | None]
    whole: bool
    steps: int = 0

    @property
    def fell(self) -> bool:
        """Whether it fell in one of them."""
        return self.stood < self.walks


class Tries(ABC):
    """What has been tried, and what is next. ``_jobs``, ``_judged`` and ``_next`` are a controller's own."""

    def __init__(self, asked: Sequence[Numbers]) -> None:
        """asked: the sets of numbers that are tried first."""
        self._round = 0
        self._asked = tuple(asked)
        self.tries: list[Try] = []

    @property
    def done(self) -> bool:
        """Whether there is nothing more to try."""
        return not self._asked

    @property
    def progress(self) -> float:
        """The share of the walks that is done, 0..1; as if all were needed."""
        return 1.0 if self.done else self._span[0]

    @property
    def part(self) -> float:
        """The share of the walks that those are which are asked for now."""
        begin, end = self._span
        return 0.0 if self.done else end - begin

    @property
    def _span(self) -> tuple[float, float]:
        """Where this round begins and ends, 0..1. After the last one, which another thread may ask for, both are 1."""
        shares = self._shares()
        return shares[self._round] if self._round < len(shares) else (1.0, 1.0)

    @property
    def best(self) -> Try:
        """The best of what was tried, of those from all starts where there are any. Raises DataError before."""
        if not self.tries:
            raise DataError("No walk of the style has been tried yet.")
        return min(self.tries, key=lambda one: (not one.whole, one.walks - one.stood, one.cost))

    @property
    def found(self) -> str:
        """How good the best one is so far, for people; "" before anything was tried."""
        return self._said(self.best) if self.tries else ""

    def ask(self) -> list[Job]:
        """Return the walks to simulate now: of each try those that it is screened or judged by."""
        return [job for numbers in self._asked for job in self._jobs(numbers)]

    def tell(self, motions: Sequence[Motion | None]) -> None:
        """Take the motions of the walks that were asked for, in their order; None for one that could not be walked."""
        jobs = self.ask()
        if len(motions) != len(jobs):
            raise ValueError(f"There are {len(motions)} motions of {len(jobs)} walks.")
        each = len(jobs) // len(self._asked)
        for i, numbers in enumerate(self._asked):
            own = slice(each * i, each * (i + 1))
            self.tries.append(self._judged(numbers, list(zip(motions[own], jobs[own], strict=True))))
        self._round += 1
        self._asked = tuple(self._next())

    @abstractmethod
    def style(self) -> Preset:
        """Return the style with the best numbers so far. Raises DataError before anything was tried."""

    @abstractmethod
    def _jobs(self, numbers: Numbers) -> Sequence[Job]:
        """Return the walks of one try, as many for each of a round."""

    @abstractmethod
    def _judged(self, numbers: Numbers, walks: Sequence[tuple[Motion | None, Job]]) -> Try:
        """Return what became of a try."""

    @abstractmethod
    def _next(self) -> Sequence[Numbers]:
        """Return what is tried in this round; nothing where it is done."""

    @abstractmethod
    def _shares(self) -> list[tuple[float, float]]:
        """Return where each round begins and ends, 0..1, by how long its walks are."""

    @abstractmethod
    def _said(self, one: Try) -> str:
        """Return how good a try is, for people."""


def straight_walk(character: Character, style: Preset, gravity: float, seconds: float) -> Job:
    """Return a straight walk at a style's usual speed. gravity: m/s2. seconds: of the reference body."""
    size, quicker = _scales(character, gravity)
    length = 1.5 * seconds * style.values["usual"] * size
    return Job(
        character, Path([[0.0, 0.0], [length, 0.0]]), style, style.values["usual"] * quicker, stop=False,
        gravity=gravity, duration=seconds * size / quicker,
    )  # fmt: skip


def bent_walk(character: Character, style: Preset, gravity: float) -> Job:
    """Return a walk along an S, from a stand to a stand, at a style's usual speed. gravity: m/s2."""
    size, quicker = _scales(character, gravity)
    along = np.linspace(0.0, _CURVE[0], 89)
    share = np.pi * along / _CURVE[0]
    curve = np.stack((along, _CURVE[1] * np.sin(2.0 * share) * np.sin(share)), axis=1)
    return Job(character, Path(size * curve), style, style.values["usual"] * quicker, gravity=gravity)


def from_starts(jobs: Sequence[Job], seeds: Sequence[int]) -> tuple[Job, ...]:
    """Return each job from all starts."""
    return tuple(replace(job, seed=seed) for job in jobs for seed in seeds)


def shares_of(sizes: Sequence[float]) -> list[tuple[float, float]]:
    """Return where each of several rounds begins and ends, 0..1, by their sizes."""
    ends = [sum(sizes[: i + 1]) / sum(sizes) for i in range(len(sizes))]
    return list(zip([0.0, *ends[:-1]], ends, strict=True))


def said_of(like: Mapping[str, float | None]) -> str:
    """Return correlations by joint for people; nothing of a joint that has none."""
    return ", ".join(f"{joint} {r:.2f}" for joint, r in like.items() if r is not None)


def least(values: Iterable[float | None]) -> float | None:
    """Return the least of some values, None where one of them or all are missing."""
    found = list(values)
    known = [value for value in found if value is not None]
    return min(known) if known and len(known) == len(found) else None


def _scales(character: Character, gravity: float) -> tuple[float, float]:
    """Return by how much a body is larger than the reference one, and by how much faster."""
    size = character.size
    return size, math.sqrt(size * gravity / GRAVITY)
