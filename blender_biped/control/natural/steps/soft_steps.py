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
    """How much of the waves in which KLAW's hips rise and sink a simulated body's have.

    step: of the one that comes back with each step, as a share; highest: m, half of its range at most, or legs that
    bear lock in quick walks; bouncing: m more for a style with a bounce of 1. faster: m/s2 by which any faster one
    accelerates the hips at most: KLAW's turn round within a tenth of a step, and legs would have to push with half as
    much again as the weight. Slow steps have more of them: bodies rise over straight legs as these strike.
    """

    step: float = 0.85
    highest: float = 0.023
    bouncing: float = 0.03
    faster: float = 0.55


@dataclass(frozen=True)
class HeelStrike:
    """How feet come down from their heels. pace: how fast, as a share of KLAW's.

    level: rad of tilt under which a foot is flat.
    """

    pace: float = 0.7
    level: float = 0.005


WAVES, STRIKE = HipWaves(), HeelStrike()


def soft_steps(character: Character, tables: Tables, lifts: bool = True, bounce: float = 0.0) -> Tables:
    """Return KLAW's steps as a simulated body takes them on level ground.

    lifts: whether feet are lifted high. bounce: of the style, see ``Manner``.
    """
    left, right = _with_soft_hips(tables, bounce)
    left, right = _with_slow_sole(left, LEFT), _with_slow_sole(right, RIGHT)
    legs = legs_of(character)
    return (
        glided(character, legs[RIGHT], RIGHT, (left, right), lifts),
        glided(character, legs[LEFT], LEFT, (right, left), lifts),
    )


def _with_soft_hips(tables: Tables, bounce: float) -> Tables:
    """Return steps, one after the other, whose hips rise and sink as people's do."""
    heights = np.concatenate([table.pelvis[:-1, 2] for table in tables])
    waves = np.fft.rfft(heights)
    sizes = np.maximum(2.0 / len(heights) * np.abs(waves), 1e-9)
    turning = 2.0 * np.pi * np.arange(len(waves)) / sum(table.time for table in tables)
    shares = np.ones(len(waves))
    shares[2] = min(WAVES.step, (WAVES.highest + max(bounce, 0.0) * WAVES.bouncing) / sizes[2])  # of two steps
    shares[3:] = np.minimum(WAVES.faster / (sizes * turning**2)[3:], 1.0)
    change = np.fft.irfft(shares * waves, len(heights)) - heights
    change -= max(0.5 * float(change[0] + change[GRID]), 0.0)  # legs reach no farther as they strike
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
