"""Winds: forces that fields put on whatever is in them, over time. numpy only."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Literal, get_args

from ..base.errors import DataError
from ..base.fields import Fields
from .things import Triple

WindKind = Literal["wind", "force"]

MOST_WINDS = 100
"""Of a world."""

STRONGEST = 1e5
"""N."""

_NEAREST = 1e-3  # m from its place at which a force has no direction


@dataclass(frozen=True)
class Wind:
    """A field: "wind" blows one way everywhere, "force" away from its place (towards it where negative).

    A body in it feels the field's strength, N, in all, as one of Blender's rigid bodies does. name: for people.
    place (3,): world, m. direction (3,): unit, of a wind. strengths: (time, s, strength, N), rising times.
    It falls off as Blender's fields do, by (1 + d / unit)^-power, with d the distance from the place beyond
    ``near``, m, of a wind that along its direction; unit: m. reach: m, beyond which there is none; 0 for everywhere.
    """

    name: str
    kind: WindKind
    place: Triple
    direction: Triple
    strengths: tuple[tuple[float, float], ...]
    power: float = 0.0
    unit: float = 1.0
    near: float = 0.0
    reach: float = 0.0

    def strength(self, time: float) -> float:
        """Return the strength, N, at ``time``, s."""
        rows = self.strengths
        if time <= rows[0][0]:
            return rows[0][1]
        for (a, low), (b, high) in pairwise(rows):
            if time < b:
                return low + (high - low) * (time - a) / (b - a)
        return rows[-1][1]

    def force(self, place: Sequence[float], time: float) -> Triple:
        """Return the force (3,), N, world, on a body at a place (3,), m, at ``time``, s."""
        strength = self.strength(time)
        if strength == 0.0:
            return 0.0, 0.0, 0.0
        x, y, z = (place[k] - self.place[k] for k in range(3))
        a, b, c = self.direction
        distance = abs(x * a + y * b + z * c) if self.kind == "wind" else math.sqrt(x * x + y * y + z * z)
        if self.reach and distance > self.reach:
            return 0.0, 0.0, 0.0
        if self.kind == "force":
            if distance < _NEAREST:
                return 0.0, 0.0, 0.0
            a, b, c = x / distance, y / distance, z / distance
        strength *= (1.0 + max(distance - self.near, 0.0) / self.unit) ** -self.power
        return strength * a, strength * b, strength * c

    def scaled(self, length: float, time: float, force: float) -> Wind:
        """Return it in other units: lengths, times and forces so many times larger."""
        return replace(
            self, place=(self.place[0] * length, self.place[1] * length, self.place[2] * length),
            strengths=tuple((t * time, s * force) for t, s in self.strengths), unit=self.unit * length,
            near=self.near * length, reach=self.reach * length,
        )  # fmt: skip

    def as_json(self) -> dict[str, Any]:
        """Return plain JSON data that ``read_winds`` reads back."""
        return {
            "name": self.name, "kind": self.kind, "place": list(self.place), "direction": list(self.direction),
            "strengths": [list(row) for row in self.strengths], "power": self.power, "unit": self.unit,
            "near": self.near, "reach": self.reach,
        }  # fmt: skip


def read_winds(f: Fields, name: str) -> tuple[Wind, ...]:
    """Return the winds in JSON data. Raises DataError naming the wrong field."""
    return tuple(_wind(own) for own in f.objects(name, (), MOST_WINDS))


def _wind(f: Fields) -> Wind:
    f.only(("name", "kind", "place", "direction", "strengths", "power", "unit", "near", "reach"))
    kind: WindKind = f.text("kind", choices=get_args(WindKind))  # type: ignore[assignment]
    (x, y, z), (a, b, c) = f.vector("place", 3), f.vector("direction", 3, (0.0, 0.0, 1.0))
    if abs(math.sqrt(a * a + b * b + c * c) - 1.0) > 1e-3:
        raise DataError(f"{f.at('direction')}: expected a direction of length 1.")
    rows = f.rows("strengths", 2)
    if not rows or any(late[0] <= early[0] for early, late in pairwise(rows)):
        raise DataError(f"{f.at('strengths')}: expected points [time, strength] with rising times.")
    if any(abs(strength) > STRONGEST for _, strength in rows):
        raise DataError(f"{f.at('strengths')}: a strength is out of range (at most {STRONGEST:g} N).")
    return Wind(
        name=f.text("name", ""),
        kind=kind,
        place=(x, y, z),
        direction=(a, b, c),
        strengths=tuple((time, strength) for time, strength in rows),
        power=f.number("power", 0.0, 10.0, 0.0),
        unit=f.number("unit", 1e-6, 1e6, 1.0),
        near=f.number("near", 0.0, 1e6, 0.0),
        reach=f.number("reach", 0.0, 1e6, 0.0),
    )
