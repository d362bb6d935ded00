"""What a SIMBICON preset says: a gait as pose graphs over speed, gains, and how it is led; every field checked."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from ...base.errors import DataError
from ...base.fields import Fields
from ..generalized.settings import read_gain
from ..shared.pose_graph import Graph, mixed, read_state

LEVELS = 16  # graphs that a range of speeds is divided into


@dataclass(frozen=True)
class Standing:
    """How a body stands still on both feet.

    knee, elbow: how they are bent, rad. gain, 1/s2, damping, 1/s: of the centre of mass towards its place over the
    feet. settle: s that it stands before it begins to walk. shift: share of the way from the middle to the first
    stance foot at which the first step begins.
    """

    knee: float
    gain: float
    damping: float
    settle: float
    shift: float
    elbow: float


@dataclass(frozen=True)
class Leading:
    """How speed is led by feedback on the states' angles, and what counts as a contact.

    learning: rad of the swing hip that a m/s of error of a stride's mean velocity adds each step; answer: rad for that
    stride alone; most: rad, at most, of each. foresight: s of a turn by which the velocity is to turn ahead. sharing:
    how much of the share that a loaded swing leg bears its hip takes. earliest: share of a step before which a touch
    is a scuff. contact: share of the weight that is a contact.
    """

    learning: float
    most: float
    answer: float
    foresight: float
    earliest: float
    contact: float
    sharing: float


@dataclass(frozen=True)
class Gait:
    """One gait. keys: speeds, m/s, rising, with the graph at each; between them graphs are mixed.

    slowest, fastest, usual: m/s, of the reference body. direction: of travel from where it faces, rad, to the left.
    level: links whose angles are told in the heading frame, beside pelvis and swing thigh. steering: see ``steering``.
    """

    keys: tuple[tuple[float, Graph], ...]
    slowest: float
    fastest: float
    usual: float
    direction: float
    level: frozenset[str]
    gains: Mapping[str, tuple[float, float, float]]
    standing: Standing
    leading: Leading
    steering: Mapping[str, Any]

    @property
    def on_both_feet(self) -> bool:
        """Whether it begins with both legs bearing the body, as a hop does."""
        return self.keys[0][1][0].support == "both"

    @property
    def levels(self) -> int:
        """How many graphs the range of speeds is divided into."""
        return LEVELS + 1 if len(self.keys) > 1 else 1

    def level_of(self, speed: float) -> int:
        """Return the level of a speed, m/s."""
        low, high = self.keys[0][0], self.keys[-1][0]
        return round((min(max(speed, low), high) - low) / max(high - low, 1e-9) * (self.levels - 1))

    def graph(self, level: int) -> Graph:
        """Return the graph of a level of speed: mixed from those of the nearest keys."""
        speeds = [speed for speed, _ in self.keys]
        at = speeds[0] + level / LEVELS * (speeds[-1] - speeds[0])
        i = min(int(np.searchsorted(speeds, at, side="right")) - 1, len(speeds) - 2)
        if i < 0:
            return self.keys[0][1]
        (a, first), (b, second) = self.keys[i : i + 2]
        return mixed(first, second, (at - a) / (b - a))


def read_gait(values: Mapping[str, Any]) -> Gait:
    """Return the gait in a preset's values. Raises DataError naming the wrong field."""
    f = Fields(values, "preset.values")
    gains, standing, leading = f.child("gains"), f.child("stand", {}), f.child("lead", {})
    keys = []
    for i, item in enumerate(f.items("keys")):
        key = Fields(item, f"preset.values.keys[{i}]")
        states = key.items("states")
        graph = tuple(read_state(Fields(s, f"{key.where}.states[{j}]")) for j, s in enumerate(states))
        if not any(s.until == "contact" or s.dwell > 0.0 for s in graph):
            raise DataError(f"{key.where}.states: a gait needs a state that takes time.")
        keys.append((key.number("speed", -10.0, 10.0), graph))
    if not keys or any(b[0] <= a[0] for a, b in pairwise(keys)):
        raise DataError("preset.values.keys: expected at least one, with rising speeds.")
    slowest, fastest = f.vector("speeds", 2)
    if not 0.0 <= slowest <= fastest <= 10.0:
        raise DataError(f"preset.values.speeds: expected slowest and fastest, m/s, found {slowest}, {fastest}.")
    return Gait(
        keys=tuple(keys),
        slowest=slowest,
        fastest=fastest,
        usual=f.number("usual", slowest, fastest, 0.5 * (slowest + fastest)),
        direction=math.radians(f.number("direction", -180.0, 180.0, 0.0)),
        level=frozenset(_text(f, "level", i) for i in range(len(f.items("level", ())))),
        gains={name: read_gain(gains, name) for name in gains.data},
        standing=Standing(
            knee=math.radians(standing.number("knee", 0.0, 90.0, 5.0)),
            gain=standing.number("gain", 0.0, 500.0, 40.0),
            damping=standing.number("damping", 0.0, 200.0, 14.0),
            settle=standing.number("settle", 0.0, 10.0, 0.5),
            shift=standing.number("shift", 0.0, 1.0, 0.15),
            elbow=math.radians(standing.number("elbow", 0.0, 120.0, 10.0)),
        ),
        leading=Leading(
            learning=leading.number("learning", 0.0, 2.0, 0.05),
            most=leading.number("most", 0.0, 1.0, 0.2),
            answer=leading.number("answer", 0.0, 2.0, 0.1),
            foresight=leading.number("foresight", 0.0, 2.0, 0.3),
            earliest=leading.number("earliest", 0.0, 1.0, 0.5),
            contact=leading.number("contact", 0.0, 1.0, 0.03),
            sharing=leading.number("sharing", 0.0, 1.0, 1.0),
        ),
        steering=f.child("steering", {}).data,
    )


def _text(f: Fields, name: str, i: int) -> str:
    value = f.items(name)[i]
    if not isinstance(value, str):
        raise DataError(f"{f.where}.{name}[{i}]: expected the name of a body part, found {value!r}.")
    return value
