"""How head and chest lead into a bend: they face where the path turns the body to a little later.

People who turn look first, then turn the chest, then the pelvis (Grasso and others 1998; Hollands and others 2001). The
path is known ahead, so the heading that the body has in a while is, too: the same spring that the heading follows the
path by is led by the path farther on. What chest and head are ahead of it is only desired; torques turn them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ....base.spatial import Array, yawed
from ....character.model import Character
from ....world.path import Path
from ...shared.clock import ControlTime
from ...shared.steering import Command, FollowingHeading, SteeringSettings

SHARES = {"pelvis": 0.0, "abdomen": 0.5, "chest": 1.0}
"""Of the chest's lead that trunk links have; arms have that of what they hang on, and the head turns on from there."""
_NOTHING = 1e-9  # rad, of rounding along a straight path


@dataclass(frozen=True)
class LeadRule:
    """How a part leads what is below it. sooner: s by which it turns before the pelvis. most: rad that it leads by."""

    sooner: float
    most: float

    def bounded(self, ahead: float, rate: float) -> tuple[float, float]:
        """Return the lead, rad, and how fast it grows, rad/s, of a heading that is ahead, and gains at a rate."""
        if abs(ahead) < _NOTHING:
            return 0.0, 0.0
        share = math.tanh(ahead / self.most)
        return self.most * share, rate * (1.0 - share * share)


CHEST, HEAD = LeadRule(0.25, math.radians(15.0)), LeadRule(0.5, math.radians(25.0))


class BendLeads:
    """Turns chest and head of one body into bends, before its pelvis."""

    def __init__(self, character: Character, path: Path, stop: bool, time: ControlTime) -> None:
        """stop: whether it stops at the path's end. time: of the controller."""
        self._path, self._stop, self._time = path, stop, time
        shares: list[float] = []
        heads: list[float] = []
        for link in character.links:
            above = link.parent if link.parent >= 0 else None
            shares.append(SHARES.get(link.part, 0.0 if above is None else shares[above]))
            heads.append(1.0 if link.part == "head" else 0.0 if above is None else heads[above])
        self._links = [i for i in range(len(shares)) if shares[i] or heads[i]]
        self._shares = np.array([(shares[i], heads[i]) for i in self._links]).reshape(-1, 2)
        self._headings: list[FollowingHeading] = []
        self._desired: list[float] = []
        """Where the path leads pelvis, chest and head, rad, as it was looked at last."""
        self._looked: tuple[float, float, SteeringSettings] | None = None  # from where, how fast and how
        self.leads: tuple[float, float] = (0.0, 0.0)
        """How far the chest leads the pelvis, and the head the chest, rad."""
        self.turning = 0.0
        """How fast the chest's heading turns, rad/s, as the pelvis' will."""
        self._rates: tuple[float, float] = (0.0, 0.0)

    def feel(self, command: Command, own: SteeringSettings) -> None:
        """Look ahead along the path, once each control step."""
        self._look(command, own)
        if not self._headings:
            self._headings = [FollowingHeading(self._desired[0]) for _ in self._desired]
        for heading, angle in zip(self._headings, self._desired, strict=True):
            heading.follow(angle, own, self._time.passed)
        pelvis, chest, head = self._headings
        first = CHEST.bounded(chest.angle - pelvis.angle, chest.turn - pelvis.turn)
        second = HEAD.bounded(head.angle - chest.angle, head.turn - chest.turn)
        self.turning = chest.turn
        self.leads, self._rates = (first[0], second[0]), (first[1], second[1])

    def _look(self, command: Command, own: SteeringSettings) -> None:
        """Find where the path leads; commands come less often than control steps."""
        looks = command.arc, command.speed, own
        if looks == self._looked:
            return
        self._looked = looks
        at = command.arc + (command.speed * own.preview if self._stop else 0.0)
        places = [at + command.speed * sooner for sooner in (0.0, CHEST.sooner, HEAD.sooner)]
        if self._stop:
            places = [min(place, self._path.length) for place in places]
        self._desired = [self._path.direction(place, own.rounding) for place in places]

    def turn(self, rotations: Array, angular_velocities: Array) -> None:
        """Turn the links: orientations (L, 3, 3), world, and rates (L, 3), rad/s, in place."""
        if self.leads == (0.0, 0.0):
            return
        angles, rates = self._shares @ self.leads, self._shares @ self._rates
        for link, angle, rate in zip(self._links, angles.tolist(), rates.tolist(), strict=True):
            turn = yawed(angle)
            rotations[link] = turn @ rotations[link]
            angular_velocities[link] = turn @ angular_velocities[link]
            angular_velocities[link, 2] += rate
