"""Tables of steps that were made before: kept as numbers, from one process to the next.

They depend on a body, a style, a speed and the sources that make them, and on nothing else: all of that is their name.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import fields
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from ....base import disk_cache
from ....base.fingerprint import counting, fingerprint, sources
from ....base.once import once_for_each
from ....base.spatial import Array
from ....character.model import Character
from .step_table import GRID, StepTable, Tables

ROOMS = (
    "base", "character", "control/natural/steps", "control/shared", "job.py", "klaw", "motion", "preset", "world",
)  # fmt: skip
"""Where the sources are that make tables, with all that those import."""
PACKAGE = Path(__file__).resolve().parents[3]
"""The package's folder."""


def kept_tables(character: Character, what: tuple[Any, ...], make: Callable[[], Tables]) -> Tables:
    """Return the tables of a body, made where they are not kept: the same, bit for bit, either way.

    what: all else that they depend on, and which ones they are.
    """
    links = len(character.links)
    count = sum(map(math.prod, shapes(links).values()))
    numbers = _numbers(character, what, 2 * count, lambda: np.concatenate([numbers_of(own) for own in make()]))
    return table_of(numbers[:count], links), table_of(numbers[count:], links)


def kept_number(character: Character, what: tuple[Any, ...], make: Callable[[], float]) -> float:
    """Return a number of a body; otherwise as ``kept_tables``."""
    return float(_numbers(character, what, 1, lambda: np.array([make()]))[0])


def shapes(links: int) -> dict[str, tuple[int, ...]]:
    """Return the shape of each field of a table of a body with so many links; () of a number."""
    at, each = (GRID + 1,), (GRID + 1, links, 3)
    arrays = {
        "pelvis": (*at, 3), "com": (*at, 3), "ankles": (*at, 2, 3), "pitches": (*at, 2), "rotations": (*each, 3),
        "angular_velocities": each, "angular_accelerations": each, "momenta": (*at, 3), "momentum_rates": (*at, 3),
        "lower": at,
    }  # fmt: skip
    return {own.name: arrays.get(own.name, ()) for own in fields(StepTable)}


def numbers_of(table: StepTable) -> Array:
    """Return all numbers (N,) of a table, in the order of its fields."""
    return np.concatenate([np.ravel(getattr(table, own.name)) for own in fields(table)])


def table_of(numbers: Array, links: int) -> StepTable:
    """Return the table with such numbers (N,), see ``numbers_of``, of a body with so many links."""
    parts = shapes(links)
    ends = np.cumsum([0, *map(math.prod, parts.values())]).tolist()
    found: dict[str, Any] = {}
    for (name, shape), (begin, end) in zip(parts.items(), pairwise(ends), strict=True):
        own = numbers[begin:end]
        found[name] = own.reshape(shape).copy() if shape else float(own[0])
    return StepTable(**found)


@cache
def version() -> str:
    """Return what tables depend on beside what they are of: sources, and how this machine counts. Raises OSError."""
    return fingerprint(sources(PACKAGE, ROOMS), counting())


def _numbers(character: Character, what: tuple[Any, ...], count: int, make: Callable[[], Array]) -> Array:
    return disk_cache.cache().numbers(lambda: fingerprint(version(), _body(character), what), count, make)


@once_for_each
def _body(character: Character) -> str:
    return fingerprint(character)
