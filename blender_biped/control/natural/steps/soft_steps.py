"""KLAW's steps as a simulated body takes them on level ground: softer hips, slower soles, feet that glide in."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from ....base.spatial import Array
from ....character.model import Character
from ...shared.legs import LEFT, RIGHT, legs_of
from .gliding import glided
from .step_table import GRID, StepTable, Tables


@dataclass(frozen=True)
class HipWaves:
    """How much of the waves in which KLAW's hips rise and sink a simulated body's have, 1 as KLAW has them.

    step: of the one that comes back with each step. faster: of faster ones: KLAW's hips turn round within a tenth of a
    step, and legs would have to push with half as much again as the weight.
    """

    step: float = 0.85
    faster: float = 0.2


@dataclass(frozen=True)
class HeelStrike:
    """How feet come down from their heels. pace: how fast, as a share of KLAW's.

    level: rad of tilt under which a foot is flat.
    """

    pace: float = 0.7
    level: float = 0.005


WAVES, STRIKE = HipWaves(), HeelStrike()


def soft_steps(character: Character, tables: Tables, lifts: bool = True) -> Tables:
    """Return KLAW's steps as a simulated body takes them on level ground. lifts: whether feet are lifted high."""
    left, right = _with_soft_hips(tables)
    left, right = _with_slow_sole(left, LEFT), _with_slow_sole(right, RIGHT)
    legs = legs_of(character)
    return (
        glided(character, legs[RIGHT], RIGHT, (left, right), lifts),
        glided(character, legs[LEFT], LEFT, (right, left), lifts),
    )


def _with_soft_hips(tables: Tables) -> Tables:
    """Return steps, one after the other, whose hips rise and sink as people's do."""
    heights = np.concatenate([table.pelvis[:-1, 2] for table in tables])
    waves = np.fft.rfft(heights)
    waves[2] *= WAVES.step  # of two steps
    waves[3:] *= WAVES.faster
    change = np.fft.irfft(waves, len(heights)) - heights
    parts = change[: GRID + 1], np.append(change[GRID:], change[0])
    left, right = (
        replace(table, pelvis=_raised(table.pelvis, part), com=_raised(table.com, part))
        for table, part in zip(tables, parts, strict=True)
    )
    return left, right


def _raised(places: Array, change: Array) -> Array:
    """Return places (G + 1, 3) that are higher by ``change`` (G + 1,), m."""
    return np.asarray(places + change[:, None] * (0.0, 0.0, 1.0))


def _with_slow_sole(table: StepTable, side: int) -> StepTable:
    """Return a step whose foot in front, ``side``, comes down from its heel more slowly: see ``HeelStrike``."""
    pitches, grid = table.pitches.copy(), np.linspace(0.0, 1.0, GRID + 1)
    own = table.pitches[:, side]
    flat = int(np.argmax(own > -STRIKE.level))
    end = min(math.ceil(flat / STRIKE.pace), GRID) + 1
    pitches[:end, side] = np.interp(STRIKE.pace * grid[:end], grid, own)
    return replace(table, pitches=pitches)
