"""Ground that is not flat, as generalized walking feels it: slopes under its feet, and how it climbs."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ...base.curves import softly
from ...base.spatial import Array
from ...world.floor import Floor
from ..shared.instant import Instant
from ..shared.legs import Leg
from ..shared.slope import UP, Normal, Slope, normal, tilt
from ..shared.state import BodyState

_GRADE = 0.35  # m before and behind the body between which it looks how the ground rises

DOWNHILL, QUICKEST = 2.5, 0.6  # of a grade: how much quicker steps are; least share of their usual time
RISEN = 0.6  # phase of a step up at which the leg that climbs is as straight as on level ground
HANDED = 0.4  # phase of a step down until which the leg behind, which stands above, is less and less bent
SINKS = (0.0, 0.7)  # phases of a step down between which the leg that stands above bends
KNEE = math.radians(15.0)  # about what the style bends it by
MOST_BENT = math.radians(85.0)


class LevelGround:
    """What the ground is like under one body. ``feel`` looks, once each control step.

    Where it is level it bends no leg, turns no foot, and never rises.
    """

    def __init__(self, floor: Floor) -> None:
        self._floor = floor

    @property
    def normals(self) -> Sequence[Normal] | None:
        """Of the ground under each foot; None for the vertical."""
        return None

    @property
    def climb(self) -> float:
        """How fast the ground rises under the body as it moves, m/s."""
        return 0.0

    @property
    def quick(self) -> float:
        """Share of its usual time that a step takes."""
        return 1.0

    def feel(self, now: Instant) -> float:
        """Look at the ground; return its height under the body, m."""
        return self._floor.level

    def begin_step(self, state: BodyState, stance: int) -> None:
        """A step begins on a stance leg."""

    def bend(self, reference: Array, stance: int, phase: float, landing: float, trailing: bool) -> None:
        """Bend the legs' references (L, 3, 4), in place, by how much lower the hips must be.

        landing: height of the ground where the leg that swings lands, m. trailing: whether it still bears.
        """

    def stand(self, reference: Array, state: BodyState) -> None:
        """Bend the leg that stands higher, and turn both feet to the ground; as ``bend`` does."""

    def follow(self, reference: Array, sides: Sequence[int]) -> None:
        """Turn the references of feet on the ground to it: rows of ``reference`` (L, 3, 4), in place."""


class UnevenGround(LevelGround):
    """Ground with slopes, and with steps up and down."""

    def __init__(self, floor: Floor, legs: tuple[Leg, Leg]) -> None:
        """Floor: the ground. legs: left and right."""
        super().__init__(floor)
        self._legs = legs
        self._slopes: list[Slope] = [(0.0, 0.0), (0.0, 0.0)]
        self._normals: list[Normal] = [UP, UP]
        self._stands = self._rise = self._grade = 0.0
        self._climb = 0.0

    @property
    def normals(self) -> Sequence[Normal]:
        """Of the ground under each foot."""
        return self._normals

    @property
    def climb(self) -> float:
        """How fast the ground rises under the body as it moves, m/s."""
        return self._climb

    @property
    def quick(self) -> float:
        """Share of its usual time that a step takes: downhill people step shorter and quicker."""
        return max(1.0 + DOWNHILL * min(self._grade, 0.0), QUICKEST)

    def feel(self, now: Instant) -> float:
        """Look at the ground; return its height under the body, m."""
        state, heading, com, velocity = now.state, now.command.heading, now.com, now.velocity
        for side, leg in enumerate(self._legs):
            x, y, _ = state.origins[leg.foot].tolist()
            middle = 0.5 * (leg.heel + leg.toe)
            ahead, aside = state.matrices[leg.foot, :2, 0].tolist()
            self._slopes[side] = self._floor.slope(x + middle * ahead, y + middle * aside)
            self._normals[side] = normal(self._slopes[side])
        c, s = math.cos(heading), math.sin(heading)
        before = self._floor.height(com[0] + _GRADE * c, com[1] + _GRADE * s)
        behind = self._floor.height(com[0] - _GRADE * c, com[1] - _GRADE * s)
        self._grade = (before - behind) / (2.0 * _GRADE)
        self._climb = self._grade * (velocity[0] * c + velocity[1] * s)
        return 0.5 * (before + behind)

    def begin_step(self, state: BodyState, stance: int) -> None:
        """A step begins on a stance leg: how far it stands above the other one is what the body has to climb."""
        own, other = (self._under(state, side) for side in (stance, 1 - stance))
        self._stands, self._rise = own, own - other

    def bend(self, reference: Array, stance: int, phase: float, landing: float, trailing: bool) -> None:
        """Bend the legs' references (L, 3, 4), in place, by how much lower the hips must be.

        As a step begins they are as low as they were over the other leg, and at its end as low as the leg that lands
        needs them. landing: height of the ground where that is, m. trailing: whether the other leg still bears.
        """
        sinks = softly(phase, *SINKS)
        drop = max(self._rise, 0.0) * (1.0 - softly(phase / RISEN)) + max(self._stands - landing, 0.0) * sinks
        bend_leg(reference, self._legs[stance], drop)
        if trailing:
            bend_leg(reference, self._legs[1 - stance], max(-self._rise, 0.0) * (1.0 - softly(phase / HANDED)))

    def stand(self, reference: Array, state: BodyState) -> None:
        """Bend the leg that stands higher, and turn both feet to the ground; as ``bend`` does."""
        heights = [self._under(state, side) for side in (0, 1)]
        for side, height in enumerate(heights):
            bend_leg(reference, self._legs[side], height - min(heights))
        self.follow(reference, (0, 1))

    def _under(self, state: BodyState, side: int) -> float:
        x, y, _ = state.origins[self._legs[side].foot].tolist()
        return self._floor.height(x, y)

    def follow(self, reference: Array, sides: Sequence[int]) -> None:
        """Turn the references of feet on the ground to it: rows of ``reference`` (L, 3, 4), in place."""
        for side in sides:
            tilt(reference[self._legs[side].foot], self._slopes[side])


def bend_leg(reference: Array, leg: Leg, drop: float) -> None:
    """Bend a leg's references (L, 3, 4), in place, so that the hip over it is lower by ``drop`` m; by none below 0."""
    if drop <= 0.0:
        return
    cosine = math.cos(0.5 * KNEE) - drop / leg.length
    more = 2.0 * math.acos(min(max(cosine, math.cos(0.5 * MOST_BENT)), 1.0)) - KNEE
    pitch(reference[leg.shin], more)
    pitch(reference[leg.foot], -0.5 * more)  # thigh and shin lean by half of it each, the foot stays flat


def pitch(reference: Array, angle: float) -> None:
    """Turn a link's reference (3, 4) about its own y axis, in place."""
    c, s = math.cos(angle), math.sin(angle)
    x, z = reference[:, 0].copy(), reference[:, 2].copy()
    reference[:, 0], reference[:, 2] = c * x - s * z, s * x + c * z
