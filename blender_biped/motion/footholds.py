"""What became of footholds that were desired: how far from them the feet stood."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..character.model import Character
from ..character.reference import REFERENCE_LEG
from ..world.footholds import HELD, DesiredFoothold
from .gait_events import Footprint, footprints
from .motion import Motion

_NEAR = 0.35  # m, for legs of 0.9 m: a print farther off is of another step


@dataclass(frozen=True)
class MetFoothold:
    """One that was desired. off: m that the foot stood from it; None where no step came near it. held: whether it is.

    A foot within HELD of it, for legs of 0.9 m, is held there.
    """

    desired: DesiredFoothold
    off: float | None
    held: bool


def footholds_met(motion: Motion, desired: Sequence[DesiredFoothold]) -> list[MetFoothold]:
    """Return what became of footholds in a motion, in their order."""
    return met_by(footprints(motion), desired, motion.character) if desired else []


def met_by(prints: Sequence[Footprint], desired: Sequence[DesiredFoothold], character: Character) -> list[MetFoothold]:
    """Return what became of footholds where feet stood at prints."""
    size, found = character.leg_length / REFERENCE_LEG, []
    for own in desired:
        off = min(
            (math.dist(own.place, np.asarray(mark.place).tolist()) for mark in prints if mark.side == own.side),
            default=math.inf,
        )
        near = off <= _NEAR * size
        found.append(MetFoothold(own, off if near else None, off <= HELD * size))
    return found
