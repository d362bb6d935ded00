"""What stands and lies about: obstacles that stay where they are, and props that can be pushed. numpy only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, get_args

import numpy as np

from ..base.errors import DataError
from ..base.fields import Fields
from ..base.spatial import Array, off_unit

SolidKind = Literal["box", "sphere", "capsule", "hull"]
Triple = tuple[float, float, float]

MOST_THINGS = 1_000
"""Of a world."""

MOST_POINTS = 256
"""Of a hull: more corners than a foot or a hand feels."""

_SMALLEST, _LARGEST = 1e-3, 1e4  # m, of a solid
LIGHTEST = 1e-3
"""kg, of a prop."""
_HEAVIEST = 1e6  # kg, likewise
_MOST_FRICTION = 10.0


@dataclass(frozen=True)
class Solid:
    """A convex solid in its thing's frame, about its origin.

    "box": ``half`` (3,), half extents, m. "sphere": ``radius``, m. "capsule": ``radius``, m, about the z axis from
    -half[2] to half[2]. "hull": of the corners ``points`` (N, 3), m.
    """

    kind: SolidKind
    half: Triple = (0.0, 0.0, 0.0)
    radius: float = 0.0
    points: tuple[Triple, ...] = ()

    @cached_property
    def corners(self) -> Array:
        """Points (N, 3), m, and beyond them ``radius``: the solid is their hull, so much thicker."""
        x, y, z = self.half
        if self.kind == "hull":
            found = np.array(self.points)
        elif self.kind == "box":
            found = np.array([(a, b, c) for a in (-x, x) for b in (-y, y) for c in (-z, z)])
        else:
            found = np.array([(0.0, 0.0, -z), (0.0, 0.0, z)])
        found.flags.writeable = False
        return found

    def scaled(self, factor: float) -> Solid:
        """Return it larger."""
        return replace(
            self, half=_times(self.half, factor), radius=self.radius * factor,
            points=tuple(_times(point, factor) for point in self.points),
        )  # fmt: skip


@dataclass(frozen=True)
class Thing:
    """One thing. name: unique among a world's. mass: kg; 0 for an obstacle, which nothing moves.

    solid: what it is to the physics. place (3,), rotation (4,): of its frame, world, m. friction: as Blender's rigid
    bodies have it; that of two things that touch is the product of theirs. com (3,): its centre of mass, in its frame.
    """

    name: str
    solid: Solid
    place: Triple
    rotation: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0)
    mass: float = 0.0
    friction: float = 0.5
    com: Triple = (0.0, 0.0, 0.0)

    @property
    def loose(self) -> bool:
        """Whether it can be moved: a prop, and no obstacle."""
        return self.mass > 0.0

    def scaled(self, length: float, mass: float) -> Thing:
        """Return it in other units: lengths and masses so many times larger."""
        return replace(
            self, solid=self.solid.scaled(length), place=_times(self.place, length), mass=self.mass * mass,
            com=_times(self.com, length),
        )  # fmt: skip

    def as_json(self) -> dict[str, Any]:
        """Return plain JSON data that ``read_things`` reads back."""
        s = self.solid
        return {
            "name": self.name, "kind": s.kind, "half": list(s.half), "radius": s.radius,
            "points": [list(point) for point in s.points], "place": list(self.place), "rotation": list(self.rotation),
            "mass": self.mass, "friction": self.friction, "com": list(self.com),
        }  # fmt: skip


def read_things(f: Fields, name: str) -> tuple[Thing, ...]:
    """Return the things in JSON data. Raises DataError naming the wrong field, and for two of one name."""
    found = tuple(_thing(own) for own in f.objects(name, (), MOST_THINGS))
    names = [thing.name for thing in found]
    twice = next((own for own in names if names.count(own) > 1), None) if len(set(names)) < len(names) else None
    if twice is not None:
        raise DataError(f"{f.at(name)}: two things are called {twice!r}.")
    return found


def _thing(f: Fields) -> Thing:
    f.only(("name", "kind", "half", "radius", "points", "place", "rotation", "mass", "friction", "com"))
    kind: SolidKind = f.text("kind", choices=get_args(SolidKind))  # type: ignore[assignment]
    half, points = _triple(f.vector("half", 3, (0.0, 0.0, 0.0))), f.rows("points", 3, ())
    radius = f.number("radius", 0.0, _LARGEST, 0.0)
    if kind in ("sphere", "capsule") and radius < _SMALLEST:
        raise DataError(f"{f.at('radius')}: a {kind} needs one of at least {_SMALLEST:g} m.")
    if kind == "box" and not all(_SMALLEST <= size <= _LARGEST for size in half):
        raise DataError(f"{f.at('half')}: a box needs three of {_SMALLEST:g} to {_LARGEST:g} m.")
    if not 0.0 <= half[2] <= _LARGEST:
        raise DataError(f"{f.at('half')}: {half[2]:g} m is out of range (0 to {_LARGEST:g}).")
    if kind == "hull":
        _check_hull(points, f)
    rotation = f.vector("rotation", 4, (1.0, 0.0, 0.0, 0.0))
    if off_unit(np.array(rotation)):
        raise DataError(f"{f.at('rotation')} is no unit quaternion.")
    mass = f.number("mass", 0.0, _HEAVIEST, 0.0)
    if 0.0 < mass < LIGHTEST:
        raise DataError(f"{f.at('mass')}: {mass:g} kg is too light; a prop has at least {LIGHTEST:g}, an obstacle 0.")
    w, x, y, z = rotation
    return Thing(
        name=f.text("name"),
        solid=Solid(kind, half, radius, tuple(_triple(point) for point in points)),
        place=_triple(f.vector("place", 3)),
        rotation=(w, x, y, z),
        mass=mass,
        friction=f.number("friction", 0.0, _MOST_FRICTION, 0.5),
        com=_triple(f.vector("com", 3, (0.0, 0.0, 0.0))),
    )


def _check_hull(points: Sequence[tuple[float, ...]], f: Fields) -> None:
    """Raise DataError for points that have no solid between them, or are too many."""
    if not 4 <= len(points) <= MOST_POINTS:
        raise DataError(f"{f.at('points')}: a hull has 4 to {MOST_POINTS} corners, not {len(points)}.")
    spread = np.linalg.svd(np.array(points) - np.mean(points, axis=0), compute_uv=False)
    if spread[2] < _SMALLEST:
        raise DataError(f"{f.at('points')}: the hull is flat; give it thickness.")


def _triple(values: Sequence[float]) -> Triple:
    x, y, z = values
    return x, y, z


def _times(values: Triple, factor: float) -> Triple:
    x, y, z = values
    return x * factor, y * factor, z * factor
