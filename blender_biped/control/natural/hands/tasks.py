"""Hand tasks: what hands do at one place of the path, and where on it the walk stands for that."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ....base.spatial import Array, quaternion_matrix, yawed
from ....world.things import Triple
from ...shared.controller import Props
from .pressing import Pushed


@dataclass(frozen=True)
class HandTask(ABC):
    """One task. arc: where along the path the walk stands for it, m. sides: of its hands, 0 left, 1 right.

    name: of its target, for people; "" where it has none.
    """

    arc: float
    sides: tuple[int, ...]
    name: str

    takes: ClassVar[float] = 2.6
    """s that a body with legs of 0.9 m stands for it, about: for estimates."""

    @property
    @abstractmethod
    def text(self) -> str:
        """What hands do, for people."""

    @property
    def holds(self) -> str:
        """The name of the prop that hands hold from there on; "" for none."""
        return ""

    @property
    def moves(self) -> bool:
        """Whether it is about something that is moved over the ground."""
        return False

    @property
    def lets_go(self) -> bool:
        """Whether it ends that hands hold something, and is left out where they do not."""
        return False

    def goals(self, props: Props, heading: float) -> list[Array]:
        """Return where the hands go (3,), world, m. heading: of the body, rad."""
        return []

    @property
    def _how(self) -> str:
        return "with both hands" if len(self.sides) > 1 else "with one hand"


@dataclass(frozen=True)
class Reach(HandTask):
    """Hands touch a place (3,), world, m."""

    place: Triple

    @property
    def text(self) -> str:
        """What hands do, for people."""
        how = self._how
        return f"Reaches {self.name!r} {how}, {self.arc:.1f} m along the path."

    def goals(self, props: Props, heading: float) -> list[Array]:
        """Return that place (3,) for each hand, m."""
        return [np.array(self.place) for _ in self.sides]


@dataclass(frozen=True)
class Taking(HandTask):
    """Hands take hold of a prop. thing: its name. prop: which of the props it is.

    points: where each hand holds it (3,), in its frame, m. deep: half of its depth, m, along the heading.
    """

    thing: str
    prop: int
    points: tuple[Triple, ...]
    deep: float

    @property
    def holds(self) -> str:
        """The name of the prop."""
        return self.thing

    def goals(self, props: Props, heading: float) -> list[Array]:
        """Return where the points are now (3,), world, m."""
        row = props()[self.prop]
        turn = quaternion_matrix(row[3:])
        return [row[:3] + turn @ np.array(point) for point in self.points]


@dataclass(frozen=True)
class PickUp(Taking):
    """Hands take a prop up, to carry it on. load: its mass, kg. under: how far it reaches below the hands, m."""

    load: float
    under: float

    takes: ClassVar[float] = 5.2

    @property
    def text(self) -> str:
        """What hands do, for people."""
        how = self._how
        return f"Picks up {self.thing!r} {how}, {self.arc:.1f} m along the path."


@dataclass(frozen=True)
class Move(Taking):
    """Hands take hold of a prop to move it over the ground. pushed: how."""

    pushed: Pushed

    @property
    def moves(self) -> bool:
        """Whether it is moved over the ground: it is."""
        return True


@dataclass(frozen=True)
class PushTask(Move):
    """Both hands push a prop that is before the body."""

    @property
    def text(self) -> str:
        """What hands do, for people."""
        return f"Pushes {self.thing!r} over the ground, from {self.arc:.1f} m along the path."


@dataclass(frozen=True)
class PullTask(Move):
    """One hand pulls a prop that is behind the body."""

    @property
    def text(self) -> str:
        """What hands do, for people."""
        return f"Pulls {self.thing!r} over the ground, from {self.arc:.1f} m along the path."


@dataclass(frozen=True)
class SetDown(HandTask):
    """Hands set down what they carry: the middle of its underside at a place (3,), world, m.

    points: of each hand from there (3,), m, ahead, to the left and up. load: its mass, kg.
    """

    place: Triple
    points: tuple[Triple, ...]
    load: float

    takes: ClassVar[float] = 3.6

    @property
    def text(self) -> str:
        """What hands do, for people."""
        return f"Sets down what it carries at {self.name!r}, {self.arc:.1f} m along the path."

    @property
    def lets_go(self) -> bool:
        """Whether hands hold nothing afterwards: they do not."""
        return True

    def goals(self, props: Props, heading: float) -> list[Array]:
        """Return where the hands are as it lies there (3,), world, m."""
        return [np.array(self.place) + yawed(heading) @ np.array(point) for point in self.points]


@dataclass(frozen=True)
class Leave(HandTask):
    """Hands leave what they have moved over the ground at a target."""

    pulled: bool

    @property
    def text(self) -> str:
        """What hands do, for people."""
        if self.pulled:
            return f"Leaves what it pulls at {self.name!r}, {self.arc:.1f} m along the path."
        return f"Leaves what it pushes at {self.name!r}, {self.arc:.1f} m along the path."

    @property
    def moves(self) -> bool:
        """Whether it is about something that is moved over the ground: it is."""
        return True

    @property
    def lets_go(self) -> bool:
        """Whether hands hold nothing afterwards: they do not."""
        return True


@dataclass(frozen=True)
class LeaveAtEnd(Leave):
    """A hand leaves what it pulls where the path ends: no body stands on with what it leans against."""

    @property
    def text(self) -> str:
        """What hands do, for people."""
        return "Leaves what it pulls where the path ends."
