"""Footholds that are desired: where people want a foot to be set down."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from ..base.errors import DataError
from ..base.fields import Fields
from ..base.limits import MAX_EVENTS

HELD = 0.02
"""m, of a body with legs of 0.9 m: a foot that stands nearer to where it is desired is held there."""
_FARTHEST = 1e6  # m


@dataclass(frozen=True)
class DesiredFoothold:
    """Where a foot is desired. side: 0 left, 1 right. place: of its ball, m, world. arc: about there, m along the path.

    arc tells apart where a path crosses itself.
    """

    side: int
    place: tuple[float, float]
    arc: float

    def as_json(self) -> dict[str, Any]:
        """Return plain JSON data."""
        return {"side": self.side, "place": list(self.place), "arc": self.arc}

    def scaled(self, length: float) -> DesiredFoothold:
        """Return the foothold of a walk whose lengths are so many times smaller."""
        x, y = self.place
        return replace(self, place=(x / length, y / length), arc=self.arc / length)


def read_footholds(f: Fields, name: str, length: float) -> tuple[DesiredFoothold, ...]:
    """Return the footholds in JSON data, none by default. length: of the path, m. Raises DataError."""
    return tuple(_foothold(row, length) for row in f.objects(name, (), MAX_EVENTS))


def _foothold(f: Fields, length: float) -> DesiredFoothold:
    f.only(("side", "place", "arc"))
    x, y = f.vector("place", 2)
    if max(abs(x), abs(y)) > _FARTHEST:
        raise DataError(
            f"{f.where}.place: it is farther than {_FARTHEST:g} m away; give places of the world in metres."
        )
    return DesiredFoothold(f.integer("side", 0, 1), (x, y), f.number("arc", 0.0, length))
