"""The even step of a run at a speed: how the body lands and takes off, and where its feet are set down for that."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ...shared.legs import Leg
from ..steps.run_settings import Running
from .bounce import Bounce, Roll, StanceMap, stance_map
from .timing import RunTiming, timing


@dataclass(frozen=True)
class LandingRules:
    """How a foot lands, and the body on it.

    knee: rad that it is bent. higher: how far the body takes off above where it lands, as a share of how far it would
    fall in its flight from rest. first: where the foot is pressed as it lands, as a share of the way from ankle to
    ball; last: as it takes off, of its toes. slowest: m/s: slower runs are as at that. deepest: share of its leg that a
    body is above its ankle at least as it lands. load: times gravity with which the foot is pressed at once, by the leg
    that hits the ground. takes_off: rad that the knee is bent as the body takes off; straight: likewise, at least:
    a leg that is straighter takes off at once. tilted: rad that the heel is up then, at most.
    """

    knee: float = math.radians(10.0)
    higher: float = 0.15
    first: float = 0.6
    last: float = 0.35
    slowest: float = 0.5
    deepest: float = 0.5
    load: float = 0.5
    takes_off: float = math.radians(17.0)
    straight: float = math.radians(6.0)
    tilted: float = math.radians(65.0)


LANDING = LandingRules()
_HALVINGS = 12  # in which it is found how far a heel is up
_ROUNDS = 4  # in which height and reach of a landing are found, each from the other


@dataclass(frozen=True)
class RunStep:
    """The step of a run at an even speed.

    speed: m/s. bounce: how it goes up and down over its foot; roll: how that is pressed; map: what the stance makes of
    place and rate. sway: m/s aside, towards the foot, as it lands. hips: height, m, as it lands.
    tilted: rad that the heel is up as it takes off.
    """

    speed: float
    timing: RunTiming
    bounce: Bounce
    roll: Roll
    map: StanceMap
    sway: float
    hips: float
    tilted: float

    @property
    def lands(self) -> float:
        """Height of the centre of mass as it lands, m."""
        return self.bounce.height

    @property
    def leaves(self) -> tuple[float, float]:
        """Height of the centre of mass, m, and its rate, m/s, as it takes off."""
        return self.bounce.at(self.bounce.time)

    @property
    def swing(self) -> float:
        """How long a foot is in the air, s."""
        return 2.0 * self.timing.time - self.timing.contact

    def foothold(self, rate: complex, desired: complex, foot: complex) -> complex:
        """Return where a foot is to be set down from the centre of mass, m, for it to take off at a desired rate, m/s.

        rate: as it lands, m/s. foot: where it will point, a unit vector.
        """
        return (self.map.d * rate + self.map.onward * foot - desired) / self.map.c


def run_step(leg: Leg, own: Running, speed: float, over_hips: float, gravity: float, aside: float = 0.0) -> RunStep:
    """Return the even step at a speed, m/s. over_hips: m that the centre of mass is above the hips. gravity: m/s2.

    aside: m that an ankle is set down beside its hip.
    """
    speed = max(speed, LANDING.slowest)
    time = timing(speed, own)
    roll = Roll(LANDING.first * leg.ball, leg.ball + LANDING.last * leg.before_ball)
    reach = math.sqrt(max(leg_length(leg, LANDING.knee) ** 2 - aside**2, 0.0))
    higher = 0.5 * LANDING.higher * gravity * time.flight**2
    falls = higher / time.flight + 0.5 * gravity * time.flight
    ahead = 0.25 * speed * time.contact
    for _ in range(_ROUNDS):
        over = math.sqrt(max(reach**2 - ahead**2, (LANDING.deepest * reach) ** 2))
        hips = leg.ankle_height + over
        lands, leaves = hips + over_hips, gravity * time.flight - falls
        bounce = Bounce.between(
            time.contact, (lands, -falls), (lands + higher, leaves), gravity, LANDING.load * gravity
        )
        found = stance_map(bounce, roll)
        ahead = (found.onward - speed * (1.0 - found.d)) / found.c
    sway = own.width / (2.0 * (1.0 + found.d) / found.c + time.flight)
    ends = found.a * -ahead + found.b * speed + found.ahead
    return RunStep(speed, time, bounce, roll, found, sway, hips, _tilted(leg, ends, hips + higher))


def leg_length(leg: Leg, knee: float) -> float:
    """Return how far an ankle is from its hip, m, where the knee is bent by so much, rad."""
    thigh, shin = leg.thigh_length, leg.shin_length
    return math.sqrt(thigh**2 + shin**2 + 2.0 * thigh * shin * math.cos(knee))


def _tilted(leg: Leg, ahead: float, hips: float) -> float:
    """Return how far a heel is up, rad, for its leg to reach hips: ahead of where its ankle was, and high, m."""
    reach, low, high = leg_length(leg, LANDING.takes_off), 0.0, LANDING.tilted
    for _ in range(_HALVINGS):
        tilted = 0.5 * (low + high)
        s, c = math.sin(tilted), math.cos(tilted)
        ankle = leg.ball * (1.0 - c) + leg.ankle_height * s, leg.ball * s + leg.ankle_height * c
        if math.hypot(ahead - ankle[0], hips - ankle[1]) > reach:
            low = tilted
        else:
            high = tilted
    return high
