"""A walk as it was recorded: a motion that need not be in memory as a whole."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from ..base.spatial import Array, continuous
from .motion import Attempt, Motion
from .rows import PORTION


@dataclass(kw_only=True)
class Recorded(ABC):
    """A walk's samples. cpu: s that it took. attempt: what it is of where it is not the job's own walk."""

    cpu: float = 0.0
    outcome: str = "time"
    attempt: Attempt | None = None

    @property
    @abstractmethod
    def count(self) -> int:
        """How many there are."""

    @abstractmethod
    def between(self, first: int, end: int) -> Motion:
        """Return samples from one to before another, with all that are no samples; rotations continuous in them."""

    def since(self, first: int) -> Motion:
        """Return the samples from one on."""
        return self.between(first, self.count)

    def portions(self) -> Iterator[Motion]:
        """Yield all samples in portions, rotations continuous through them."""
        last: Array | None = None
        for first in range(0, self.count, PORTION):
            motion = self.between(first, min(first + PORTION, self.count))
            if last is not None:
                whole = continuous(np.concatenate((last, motion.rotations)))
                motion = replace(motion, rotations=whole[1:])
            last = motion.rotations[-1:]
            yield motion
