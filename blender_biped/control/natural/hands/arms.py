"""What the arms of a walk do whose hands are at work: desired joint angles by two-link inverse kinematics."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ....base.curves import softly
from ....base.spatial import Array, nearest_rotations, yawed
from ...shared.arms import Arm
from ...shared.limb import angular_velocity
from ...shared.state import BodyState
from .posture import LEFT_AXIS
from .work import WorkingBody


@dataclass(frozen=True)
class Elbows:
    """Where elbows point, and hands that have nothing to do are."""

    out: float = 0.2
    """rad by which elbows point outwards."""
    more_out: float = 1.1
    """rad more of it for hands above the shoulders: there is a shelf."""
    above: float = -0.15
    """Of the arm's length that hands are above the shoulders, from which that is so."""
    above_full: float = 0.25
    """Likewise, at which it is so in full."""
    free: float = 0.3
    """Share of stooping from which a hand with nothing to do is at its knee."""
    before_knee: float = 0.05
    """m that it is before the knee then."""
    over_knee: float = 0.09
    """m that it is over the knee then."""


ELBOWS = Elbows()


@dataclass(frozen=True)
class DesiredLinks:
    """What the links shall do, to be changed in place.

    rotations (L, 3, 3): their orientations, world. angular_velocities (L, 3): rad/s.

    heading: rad. chest: the link that carries the arms.
    """

    state: BodyState
    heading: float
    rotations: Array
    angular_velocities: Array
    chest: int


class ArmControl:
    """Leads the arms of one body. Once each control step one of ``lead``, ``keep`` and ``forget``."""

    def __init__(self, body: WorkingBody) -> None:
        self._body = body
        self._last: dict[int, Array] = {}  # orientations of links, for their rates
        self._carried: list[tuple[Array, Array]] = []  # of each arm, by the chest

    def forget(self) -> None:
        """Let no rate come of what the links were led to last: where hands are to be may jump."""
        self._last.clear()

    def rest(self, at_work: Sequence[Arm], share: float, posed: DesiredLinks) -> None:
        """Lead hands with nothing to do to the knees of a body that stoops, or they would hang down on the ground.

        share: 0..1, that it stoops by.
        """
        share = softly(share / ELBOWS.free)
        facing = yawed(posed.heading)
        sides = [arm.side for arm in at_work]
        for arm in self._body.arms.values():
            if arm.side in sides:
                continue
            knee = posed.state.origins[self._body.legs[arm.side].shin]
            knee = knee + facing @ (ELBOWS.before_knee, 0.0, ELBOWS.over_knee)
            upper, fore = arm.orientations(posed.state.origins[arm.upper], knee, facing @ LEFT_AXIS)
            for link, desired in ((arm.upper, upper), (arm.fore, fore), (arm.hand, fore)):
                posed.rotations[link] = nearest_rotations((1.0 - share) * posed.rotations[link] + share * desired)

    def lead(self, at_work: Sequence[Arm], places: Sequence[Array], share: float, posed: DesiredLinks) -> None:
        """Lead hands to places (3,), world, m. share: 0..1, in which these decide, and not the style."""
        axis = yawed(posed.heading) @ LEFT_AXIS
        rotations, angular_velocities, chest = posed.rotations, posed.angular_velocities, posed.rotations[posed.chest]
        self._carried = []
        for arm, goal in zip(at_work, places, strict=True):
            shoulder = posed.state.origins[arm.upper]
            high = softly(float(goal[2] - shoulder[2]) / arm.length, ELBOWS.above, ELBOWS.above_full)
            out = ELBOWS.out + ELBOWS.more_out * high
            up = math.sin(out) * (1.0 - 2.0 * arm.side)
            upper, fore = arm.orientations(shoulder, goal, math.cos(out) * axis + (0.0, 0.0, up))
            for link, desired in ((arm.upper, upper), (arm.fore, fore), (arm.hand, fore)):
                mixed = (
                    desired if share >= 1.0 else nearest_rotations((1.0 - share) * rotations[link] + share * desired)
                )
                rotations[link] = mixed
                angular_velocities[link] = (
                    angular_velocity(mixed, self._last[link], self._body.step) if link in self._last else 0.0
                )
                self._last[link] = mixed
            self._carried.append((chest.T @ rotations[arm.upper], chest.T @ rotations[arm.fore]))

    def keep(self, at_work: Sequence[Arm], posed: DesiredLinks) -> None:
        """Keep arms as they were led last, by the chest."""
        rotations, chest = posed.rotations, posed.rotations[posed.chest]
        for arm, (upper, fore) in zip(at_work, self._carried, strict=True):
            rotations[arm.upper], rotations[arm.fore] = chest @ upper, chest @ fore
            rotations[arm.hand] = rotations[arm.fore]
            posed.angular_velocities[list(arm.links)] = posed.angular_velocities[posed.chest]
        self._last.clear()
