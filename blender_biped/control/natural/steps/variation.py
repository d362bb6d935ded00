"""How steps differ by chance: correlated from one to the next, lopsided, and otherwise for each seed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class PeoplesVariation:
    """Standard deviations of people's steps, as shares of their mean: what a walk of *Variation* 1 has.

    time, length: 2 to 3 % and 2 to 4 % of young adults (Hausdorff 2005). width: 15 to 25 % (Owings, Grabiner 2004).
    lopsided: by how much time and length of left and right steps differ. memory: correlation of one step's chance with
    that of the step before, 0..1: people's steps drift around their mean.
    """

    time: float = 0.022
    length: float = 0.026
    width: float = 0.28
    lopsided: float = 0.025
    memory: float = 0.4
    most: float = 2.5  # standard deviations


PEOPLE = PeoplesVariation()


@dataclass(frozen=True)
class StepChance:
    """What a step has in place of 1: its time, its length and its width, as shares of those that are planned."""

    time: float = 1.0
    length: float = 1.0
    width: float = 1.0


PLANNED = StepChance()


class Variation:
    """The chances of one walk's steps."""

    def __init__(self, seed: int) -> None:
        """Walks of one seed have the same chances, whoever walks."""
        self._rng = np.random.default_rng(seed)
        self._lopsided = self._rng.uniform(-0.5, 0.5, size=2) * PEOPLE.lopsided
        self._known = [self._rng.standard_normal(3)]

    def of(self, step: int, side: int, amount: float) -> StepChance:
        """Return the chance of a step. step: its number, from 0. side: its stance foot. amount: 1 for people's."""
        if not amount:
            return PLANNED
        while len(self._known) <= step:
            fresh = np.sqrt(1.0 - PEOPLE.memory**2) * self._rng.standard_normal(3)
            self._known.append(PEOPLE.memory * self._known[-1] + fresh)
        time, length, width = np.clip(self._known[step], -PEOPLE.most, PEOPLE.most).tolist()
        later, longer = ((1.0 if side else -1.0) * self._lopsided).tolist()
        return StepChance(
            1.0 + amount * (PEOPLE.time * time + later),
            1.0 + amount * (PEOPLE.length * length + longer),
            max(1.0 + amount * PEOPLE.width * width, 0.0),
        )
