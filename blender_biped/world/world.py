"""The world of a walk beside its path: ground, things and winds. Plain data: no Blender, no physics engine."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..base.fields import Fields
from .blocked import distances, outline_above
from .crowded import check_crowd
from .targets import Target, read_targets
from .terrain import Terrain
from .things import Thing, read_things
from .winds import Wind, read_winds

FEET_AHEAD = 0.15
"""Room before the feet, m, for a body with legs of 0.9 m: what bears a target may stand as near."""


@dataclass(frozen=True)
class World:
    """What a walk is in. The empty one, a flat floor without anything, is what a job has by itself.

    ground: None for the flat floor at the job's own height. friction: of the ground, flat or not. things: obstacles and
    props. winds: what blows. targets: what hands reach for, pick up and set down on the way.
    """

    ground: Terrain | None = None
    friction: float = 1.0
    things: tuple[Thing, ...] = ()
    winds: tuple[Wind, ...] = ()
    targets: tuple[Target, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether it is the flat floor alone."""
        return self == EMPTY

    @property
    def loose(self) -> tuple[Thing, ...]:
        """The things that can be moved, in their order."""
        return tuple(thing for thing in self.things if thing.loose)

    def bears_target(self, thing: Thing, size: float) -> bool:
        """Return whether the place of a target is over or under a thing, or nearly. size: 1 for legs of 0.9 m."""
        if not self.targets:
            return False
        places = {own.name: own.place for own in self.things}
        targets = np.array([places.get(own.thing, own.place) for own in self.targets])
        away = distances(targets[:, :2], outline_above(thing))
        return bool((away < FEET_AHEAD * size + thing.solid.radius).any())

    def passable(self, size: float) -> tuple[Thing, ...]:
        """Return the things that stay where they are and bear no target. size: of the body, 1 for legs of 0.9 m."""
        return tuple(thing for thing in self.things if not thing.loose and not self.bears_target(thing, size))

    def scaled(self, length: float, time: float, mass: float) -> World:
        """Return it in other units: lengths, times and masses so many times larger."""
        force = mass * length / time**2
        return replace(
            self,
            ground=self.ground.scaled(length) if self.ground else None,
            things=tuple(thing.scaled(length, mass) for thing in self.things),
            winds=tuple(wind.scaled(length, time, force) for wind in self.winds),
            targets=tuple(target.scaled(length) for target in self.targets),
        )

    def as_json(self) -> dict[str, Any]:
        """Return plain JSON data that ``world_from_json`` reads back."""
        plain: dict[str, Any] = {
            "ground": self.ground.as_json() if self.ground else None, "friction": self.friction,
            "things": [thing.as_json() for thing in self.things], "winds": [wind.as_json() for wind in self.winds],
        }  # fmt: skip
        return {**plain, "targets": [target.as_json() for target in self.targets]} if self.targets else plain


EMPTY = World()
"""The flat floor alone."""


def world_from_json(data: Any, where: str) -> World:
    """Return the world in JSON data. Raises DataError naming the wrong or unknown field."""
    f = Fields(data, where)
    f.only(("ground", "friction", "things", "winds", "targets"))
    ground, things = f.data.get("ground"), read_things(f, "things")
    check_crowd(things)
    return World(
        ground=None if ground is None else Terrain.from_json(ground, f"{where}.ground"),
        friction=f.number("friction", 0.0, 10.0, 1.0),
        things=things,
        winds=read_winds(f, "winds"),
        targets=read_targets(f, "targets", things),
    )
