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
from ....character.model import Character
from ....character.reference import GRAVITY
from .posture import leans

LEANS = {"pelvis": 14.0, "abdomen": 26.0, "chest": 36.0, "head": 14.0}
"""Degrees by which a body that pushes or pulls leans forward."""
TURNS = {"abdomen": 35.0, "chest": 70.0, "head": 10.0}
"""Degrees by which a body that pulls turns to the side of the hand behind it, and leans to there as far."""
FASTEST, TOWED = 0.5, 0.35  # m/s at which it is pushed, and pulled: heels of long steps would hit what is behind
RISING = 0.8  # s in which what friction takes comes to be pressed in full
FROM = 0.2  # m/s of the command from which it is
AHEAD, ASIDE, TURN = (350.0, 140.0), (150.0, 60.0), (6.0, 3.0)  # N/m, N s/m twice, 1/s2, 1/s: how it is held
MOST = 0.42  # of the body's weight: what both hands press at most
MOST_ASIDE, MOST_TURN = 0.04, 20.0  # of the weight, N m: likewise
PULLED_ASIDE = 0.02  # of the weight: likewise, to the side of the hand's own shoulder
GOES_ON = (0.08, 0.06)  # m that what is pushed, and what is pulled, goes on as the body stops and comes upright
ELBOWS, TOWING_ELBOW = 0.74, 0.97  # of a stretched arm: how far from the shoulders hands push, and one pulls
AT_ONCE = 0.15  # m/s that the body goes faster at most than what it pushes
WITH_BODY = 60.0  # N s/m: how it goes along with the sway of the body
FELT = 0.03  # s in which the thing's speed is felt


@dataclass(frozen=True)
class Pushed:
    """What is pushed. mass: kg. friction: with the ground. inertia: about the vertical, kg m2.

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


def turned(character: Character, side: int) -> list[tuple[int, float]]:
    """Return the links that turn to the left as a hand pulls, and how far, rad. side: the hand's, 0 left, 1 right."""
    return [(link, (1.0 - 2.0 * side) * angle) for link, angle in leans(character, TURNS)]


class Pushing:
    """Presses against one thing. Call ``press`` once each control step."""

    def __init__(self, thing: Pushed, weight: float, heading: float, row: Array, step: float) -> None:
        """weight: of the body, N. heading: rad. row (7,): where the thing is. step: s."""
        self._thing, self._weight, self._step = thing, weight, step
        self._turned = _yaw(row) - heading
        self._last, self._velocity, self._spin = row, np.zeros(3), 0.0
        self._given = 0.0
        self.strength = 1.0
        """How much of it hands press, 0..1; may be changed."""
        self.speed = 0.0
        """Of the thing along the heading, m/s."""
        self.forces: list[Array] = [np.zeros(3) for _ in thing.points]
        """On the thing, by each hand (3,), N."""
        self.shift = 0j
        """How much farther back the body counts as it leans against it, m."""

    @property
    def pulls(self) -> bool:
        """Whether the thing is behind the body."""
        return self._thing.pulled

    @property
    def fastest(self) -> float:
        """The speed, m/s, at which the body walks with it at most."""
        return min(TOWED if self.pulls else FASTEST, max(self.speed, 0.0) + AT_ONCE)

    @property
    def friction(self) -> float:
        """What the ground's friction takes, N."""
        return self._thing.friction * self._thing.mass * GRAVITY

    def places(self, row: Array) -> list[Array]:
        """Return where the hands are (3,), world, m."""
        turn = quaternion_matrix(row[3:])
        return [row[:3] + turn @ point for point in self._thing.points]

    def press(
        self, row: Array, shoulders: Sequence[Array], moving: complex, heading: float, speed: float, ground: float
    ) -> None:  # fmt: skip
        """Find what hands press now. shoulders: (3,), world, m. moving: the body's velocity, m/s. speed: commanded."""
        self._feel(row)
        facing, places = yawed(heading), self.places(row)
        away = (np.mean(places, axis=0) - np.mean(shoulders, axis=0)) @ facing
        going = (np.array((moving.real, moving.imag, 0.0)) - self._velocity) @ facing
        self.speed = float(self._velocity @ facing[:, 0])
        most = self.friction * softly(speed / FROM)
        change = self.friction / RISING * self._step
        self._given += min(max(most - self._given, -change), change)
        kp, kd = AHEAD
        ahead = self._given + kp * (self._thing.ahead - float(away[0]))
        ahead += kd * (speed - self.speed) + WITH_BODY * float(going[0])
        ahead = self.strength * min(max(ahead, -0.2 * MOST * self._weight), MOST * self._weight)
        kp, kd = ASIDE
        aside = -kp * float(away[1]) + kd * float(going[1])
        most = MOST_ASIDE * self._weight
        if self.pulls:  # along the arm: nothing aside where it does not pull
            most = PULLED_ASIDE * self._weight * softly(speed / FROM)
        aside = min(max(aside, -most), most)
        kp, kd = TURN
        off = math.remainder(heading + self._turned - _yaw(row), 2.0 * math.pi)
        turn = self._thing.inertia * (kp * off - kd * self._spin)
        turn = min(max(turn, -MOST_TURN), MOST_TURN)
        self.forces = _shared(places, facing @ (ahead, self.strength * aside, 0.0), self.strength * turn)
        leaning = sum(complex(f[0], f[1]) * (p[2] - ground) for f, p in zip(self.forces, places, strict=True))
        self.shift = leaning / self._weight

    def _feel(self, row: Array) -> None:
        share = min(self._step / FELT, 1.0)
        self._velocity += share * ((row[:3] - self._last[:3]) / self._step - self._velocity)
        spin = math.remainder(_yaw(row) - _yaw(self._last), 2.0 * math.pi) / self._step
        self._spin += share * (spin - self._spin)
        self._last = row


def _shared(places: Sequence[Array], force: Array, turn: float) -> list[Array]:
    """Return what each hand presses with (3,), N, for a force (3,) in all and a turn about the vertical, N m."""
    found = [force / len(places) for _ in places]
    if len(places) == 2:
        apart = places[0] - places[1]
        apart[2] = 0.0
        pair = turn / max(float(np.linalg.norm(apart)), 0.1) ** 2 * np.cross((0.0, 0.0, 1.0), apart)
        found = [found[0] + pair, found[1] - pair]
    return found


def _yaw(row: Array) -> float:
    turn = quaternion_matrix(row[3:])
    return math.atan2(float(turn[1, 0]), float(turn[0, 0]))
