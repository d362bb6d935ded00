"""What a walk does with its hands on the way: what it reaches, picks up, pushes, pulls, and sets down. numpy only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from ..base.errors import DataError
from ..base.fields import Fields
from .things import Thing, Triple

Act = Literal["reach", "pick_up", "push", "pull", "set_down"]
TAKING: tuple[Act, ...] = ("pick_up", "push", "pull")
"""What takes hold of a prop."""

Hands = Literal["auto", "left", "right", "both"]

MOST_TARGETS = 30
"""Of a world: where a body stands for each is looked for before the walk."""

_FARTHEST = 1e6  # m, a bound for typing mistakes


@dataclass(frozen=True)
class Target:
    """One target. name: for people.

    act: "reach" touches ``place``; "pick_up" takes hold of the prop called ``thing``, where that is, and carries it on;
    "push" moves it over the ground before the body, "pull" behind it; "set_down" puts what is held there, so that
    the middle of its underside is at ``place``. place (3,): world, m. hands: with which;
    "auto" for as the prop needs.
    """

    name: str
    act: Act
    place: Triple = (0.0, 0.0, 0.0)
    thing: str = ""
    hands: Hands = "auto"

    def scaled(self, length: float) -> Target:
        """Return it in other units: lengths so many times larger."""
        x, y, z = self.place
        return replace(self, place=(x * length, y * length, z * length))

    def as_json(self) -> dict[str, Any]:
        """Return plain JSON data that ``read_targets`` reads back."""
        return {
            "name": self.name, "act": self.act, "place": list(self.place), "thing": self.thing, "hands": self.hands,
        }  # fmt: skip


def read_targets(f: Fields, name: str, things: Sequence[Thing]) -> tuple[Target, ...]:
    """Return the targets in JSON data. things: of the world.

    Raises DataError naming the wrong field, and for what is to be picked up and is no prop, or twice.
    """
    loose = [thing.name for thing in things if thing.loose]
    found: list[Target] = []
    for own in f.objects(name, (), MOST_TARGETS):
        target = _target(own, loose)
        if target.act in TAKING and any(target.thing == other.thing for other in found):
            raise DataError(f"{own.at('thing')}: {target.thing!r} is taken already.")
        found.append(target)
    return tuple(found)


def _target(f: Fields, loose: Sequence[str]) -> Target:
    f.only(("name", "act", "place", "thing", "hands"))
    act: Act = f.text("act", choices=get_args(Act))  # type: ignore[assignment]
    hands: Hands = f.text("hands", "auto", choices=get_args(Hands))  # type: ignore[assignment]
    x, y, z = f.vector("place", 3, (0.0, 0.0, 0.0))
    if max(abs(x), abs(y), abs(z)) > _FARTHEST:
        raise DataError(f"{f.at('place')}: it is farther than {_FARTHEST:g} m away.")
    thing = f.text("thing", "")
    if act in TAKING and thing not in loose:
        raise DataError(f"{f.at('thing')}: there is no prop {thing!r} to take.")
    return Target(f.text("name"), act, (x, y, z), thing if act in TAKING else "", hands)
