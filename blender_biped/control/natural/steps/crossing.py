"""How near to the stance foot's line the other foot may come, by the skin on both legs."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ....base.curves import ramp
from ...shared.legs import Leg


@dataclass(frozen=True)
class CrossingRules:
    """Where feet may cross the stance foot's line.

    begins: m ahead of it or behind from which they may. within: m over which they get to it. urgent: m that they may
    cross farther when urgent. disturbed: m, likewise and besides, where the body is disturbed. stands: m/s, below which
    legs come the nearer to how they stand beside each other. sure: m of capture error up to which skin is kept clear of
    skin, and yields: m that legs come nearer for each one beyond it.
    """

    begins: float = 0.15
    within: float = 0.15
    urgent: float = 0.2
    disturbed: float = 0.15
    stands: float = 0.5
    sure: float = 0.02
    yields: float = 2.0


CROSSING = CrossingRules()


def clear_of_skin(leg: Leg, ahead: float, speed: float, crossing: float) -> float:
    """Return how far apart ankles are at least, m, for the skin of a leg to be clear of the other's; -inf without.

    ahead: m that one is ahead of the other. speed: of the step, m/s. crossing: m that a style lets feet come nearer
    where they are not beside each other.
    """
    passing, standing = leg.apart
    if standing <= 0.0:
        return -math.inf
    beside = max(CROSSING.begins, leg.toe - leg.heel)
    apart = standing + ramp(speed, 0.0, CROSSING.stands) * (passing - standing)
    return apart - crossing * ramp(abs(ahead) - beside, 0.0, CROSSING.within)
