"""What hands press against a thing that is pushed over the ground, or pull it with (Coros 2010, section 5.4).

Springs and dampers in the ground's plane keep the thing as far before the body as it shall be, on its way and turned as
it was, beside what the ground's friction takes. What the hands press with, the body has to lean against: its centre of
mass counts as farther back by the moment of that over its weight (``shift``), and its pendulum does the rest. What is
pulled is behind the body, on one hand, and all of that is the same: the ground's friction holds back both.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ....base.curves import softly
from ....base.spatial import Array, quaternion_matrix, yawed
from ....character.reference import GRAVITY
from ...shared.controller import Props


@dataclass(frozen=True)
class Pressing:
    """How what is moved over the ground is held."""

    fastest_pushed: float = 0.5
    """m/s at which something is pushed at most."""
    fastest_pulled: float = 0.35
    """m/s at which something is pulled at most: heels of long steps would hit what is behind."""
    rising: float = 0.8
    """s in which what friction takes comes to be pressed in full."""
    begins: float = 0.2
    """m/s of the command from which it is."""
    ahead_stiff: float = 350.0
    """N/m, by which the thing is brought as far ahead as it shall be."""
    ahead_damped: float = 140.0
    """N s/m, by which it is brought to the commanded speed."""
    aside_stiff: float = 150.0
    """N/m, by which it is brought onto its way."""
    aside_damped: float = 60.0
    """N s/m, by which its speed aside is taken."""
    turn_stiff: float = 6.0
    """1/s2, by which it is turned back."""
    turn_damped: float = 3.0
    """1/s, by which its spin is taken."""
    most: float = 0.42
    """Of the body's weight: what both hands press at most."""
    most_back: float = 0.2
    """Of that: what they hold back with at most."""
    most_aside: float = 0.04
    """Of the body's weight: what they press aside at most."""
    most_aside_pulled: float = 0.02
    """Likewise, of a hand that pulls, to the side of its own shoulder."""
    most_turn: float = 20.0
    """N m that they turn it with at most."""
    at_once: float = 0.15
    """m/s that the body goes faster at most than what it moves."""
    with_body: float = 60.0
    """N s/m: how it goes along with the sway of the body."""
    felt: float = 0.03
    """s in which the thing's speed is felt."""
    apart: float = 0.1
    """m that two hands count as apart at least."""


PRESSING = Pressing()


@dataclass(frozen=True)
class Pushed:
    """What is pushed or pulled. mass: kg. friction: with the ground. inertia: about the vertical, kg m2.

    points: of the hands in its frame (3,), m. ahead: how far before the shoulders they shall be, m; negative behind
    them, for what is pulled.
    """

    mass: float
    friction: float
    inertia: float
    points: tuple[Array, ...]
    ahead: float

    @property
    def pulled(self) -> bool:
        """Whether it is behind the body."""
        return self.ahead < 0.0


class NothingMoved:
    """What hands move that move nothing over the ground: nobody feels it."""

    moves = pulls = False
    fastest = math.inf
    shift = 0j
    strength = 1.0
    forces: Sequence[Array] = ()

    def places(self, props: Props) -> list[Array]:
        """Return where the hands are on it (3,): nowhere."""
        return []

    def press(
        self, props: Props, shoulders: Sequence[Array], moving: complex, heading: float, speed: float, ground: float
    ) -> None:  # fmt: skip
        """Press nothing. shoulders (3,): m."""


class Pushing:
    """Presses against one thing. Call ``press`` once each control step."""

    moves = True

    def __init__(self, thing: Pushed, prop: int, weight: float, heading: float, row: Array, step: float) -> None:
        """prop: which of the props it is. weight: of the body, N. heading: rad. row (7,): where it is. step: s."""
        self._thing, self._prop, self._weight, self._step = thing, prop, weight, step
        self._turned = _yaw(row) - heading
        self._last, self._velocity, self._spin = row, np.zeros(3), 0.0
        self._given = 0.0
        self.strength = 1.0
        """How much of it hands press, 0..1; may be changed."""
        self.speed = 0.0
        """Of the thing along the heading, m/s."""
        self.forces: Sequence[Array] = [np.zeros(3) for _ in thing.points]
        """On the thing, by each hand (3,), world, N."""
        self.shift = 0j
        """How much farther back the body counts as it leans against it, world, m."""

    @property
    def pulls(self) -> bool:
        """Whether the thing is behind the body."""
        return self._thing.pulled

    @property
    def fastest(self) -> float:
        """The speed, m/s, at which the body walks with it at most."""
        most = PRESSING.fastest_pulled if self.pulls else PRESSING.fastest_pushed
        return min(most, max(self.speed, 0.0) + PRESSING.at_once)

    @property
    def friction(self) -> float:
        """What the ground's friction takes, N."""
        return self._thing.friction * self._thing.mass * GRAVITY

    def places(self, props: Props) -> list[Array]:
        """Return where the hands are (3,), world, m."""
        return self._places(props()[self._prop])

    def _places(self, row: Array) -> list[Array]:
        """Return where the hands are (3,), world, m. row (7,): place and quaternion of what they are on."""
        turn = quaternion_matrix(row[3:])
        return [row[:3] + turn @ point for point in self._thing.points]

    def press(
        self, props: Props, shoulders: Sequence[Array], moving: complex, heading: float, speed: float, ground: float
    ) -> None:  # fmt: skip
        """Find what hands press now. shoulders: (3,), world, m. moving: the body's velocity, m/s. speed: commanded.

        ground: the height that the body stands on, m.
        """
        row = props()[self._prop]
        self._feel(row)
        facing, places = yawed(heading), self._places(row)
        away = (np.mean(places, axis=0) - np.mean(shoulders, axis=0)) @ facing
        going = (np.array((moving.real, moving.imag, 0.0)) - self._velocity) @ facing
        self.speed = float(self._velocity @ facing[:, 0])
        ahead = self._ahead(float(away[0]), float(going[0]), speed)
        aside = self._aside(float(away[1]), float(going[1]), speed)
        turn = self._turn(math.remainder(heading + self._turned - _yaw(row), 2.0 * math.pi))
        self.forces = _shared(places, facing @ (ahead, self.strength * aside, 0.0), self.strength * turn)
        leaning = sum(complex(f[0], f[1]) * (p[2] - ground) for f, p in zip(self.forces, places, strict=True))
        self.shift = leaning / self._weight

    def _ahead(self, away: float, going: float, speed: float) -> float:
        """Return the force ahead, N. away: m that the hands are ahead of the shoulders. going: m/s of the body, more.

        speed: commanded, m/s.
        """
        most = self.friction * softly(speed / PRESSING.begins)
        change = self.friction / PRESSING.rising * self._step
        self._given += min(max(most - self._given, -change), change)
        ahead = self._given + PRESSING.ahead_stiff * (self._thing.ahead - away)
        ahead += PRESSING.ahead_damped * (speed - self.speed) + PRESSING.with_body * going
        least = -PRESSING.most_back * PRESSING.most * self._weight
        return self.strength * min(max(ahead, least), PRESSING.most * self._weight)

    def _aside(self, away: float, going: float, speed: float) -> float:
        """Return the force to the left, N; away, going: likewise to the left. speed: commanded, m/s."""
        aside = -PRESSING.aside_stiff * away + PRESSING.aside_damped * going
        most = PRESSING.most_aside * self._weight
        if self.pulls:  # along the arm: nothing aside where it does not pull
            most = PRESSING.most_aside_pulled * self._weight * softly(speed / PRESSING.begins)
        return min(max(aside, -most), most)

    def _turn(self, off: float) -> float:
        """Return the moment about the vertical, N m. off: rad that is missing to the left."""
        turn = self._thing.inertia * (PRESSING.turn_stiff * off - PRESSING.turn_damped * self._spin)
        return min(max(turn, -PRESSING.most_turn), PRESSING.most_turn)

    def _feel(self, row: Array) -> None:
        """Feel how fast what is pushed moves and turns. row (7,): its place and quaternion."""
        share = min(self._step / PRESSING.felt, 1.0)
        self._velocity += share * ((row[:3] - self._last[:3]) / self._step - self._velocity)
        spin = math.remainder(_yaw(row) - _yaw(self._last), 2.0 * math.pi) / self._step
        self._spin += share * (spin - self._spin)
        self._last = row


Moved = Pushing | NothingMoved
"""What hands move over the ground now."""


def _shared(places: Sequence[Array], force: Array, turn: float) -> list[Array]:
    """Return what each hand presses with (3,), N, for a force (3,) in all and a turn about the vertical, N m."""
    found = [force / len(places) for _ in places]
    if len(places) == 2:
        apart = places[0] - places[1]
        apart[2] = 0.0
        pair = turn / max(float(np.linalg.norm(apart)), PRESSING.apart) ** 2 * np.cross((0.0, 0.0, 1.0), apart)
        found = [found[0] + pair, found[1] - pair]
    return found


def _yaw(row: Array) -> float:
    """Return the heading, rad, of place and quaternion (7,)."""
    turn = quaternion_matrix(row[3:])
    return math.atan2(float(turn[1, 0]), float(turn[0, 0]))
