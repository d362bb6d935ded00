"""How the centre of mass of a run goes while a foot is down: up and down by a force that begins and ends at nothing.

A spring-loaded inverted pendulum's stance as a polynomial: the load is t (T - t) (a + b t), the least that goes to
nothing at both ends and brings the body from how it lands to how it takes off. Ahead and aside the body goes as a
pendulum under that load, which is linear in where it is: touchdown places follow from it by two numbers each.
"""

from __future__ import annotations

from dataclasses import dataclass

from ....base.curves import ramp


@dataclass(frozen=True)
class Bounce:
    """A stance. time: s. a, b: of its load. height, rising: of the centre of mass as it begins, m and m/s.

    gravity: m/s2. first: load as it begins, which goes to nothing evenly, of a body that was borne before, m/s2.
    """

    time: float
    a: float
    b: float
    height: float
    rising: float
    gravity: float
    first: float = 0.0

    @classmethod
    def between(
        cls, time: float, lands: tuple[float, float], leaves: tuple[float, float], gravity: float, first: float = 0.0
    ) -> Bounce:  # fmt: skip
        """Return the stance from a height, m, and its rate, m/s, to others. first: load as it begins, m/s2."""
        (height, rising), (end, ends) = lands, leaves
        gains = ends - rising + gravity * time
        rises = end - height - rising * time + 0.5 * gravity * time**2
        # first (1 - t/T)^2: T/3, and T^2/4 about the end.
        gains -= first * time / 3.0
        rises -= first * time**2 / 4.0
        # The load and its moment about the end: a T^3/6 + b T^4/12 and a T^4/12 + b T^5/30.
        p, q, r = time**3 / 6.0, time**4 / 12.0, time**5 / 30.0
        scale = p * r - q * q
        return cls(
            time, (gains * r - rises * q) / scale, (p * rises - q * gains) / scale, height, rising, gravity, first
        )

    def load(self, at: float) -> float:
        """Return the load at a time since it began, s, for each kg, N."""
        at = min(max(at, 0.0), self.time)
        own = self.first * (1.0 - at / self.time) ** 2
        return max(own + at * (self.time - at) * (self.a + self.b * at), 0.0)

    def at(self, at: float) -> tuple[float, float]:
        """Return the height of the centre of mass, m, and its rate, m/s, at a time since it began, s."""
        t, total = min(max(at, 0.0), self.time), self.time
        rate = self.rising - self.gravity * t
        rate += self.a * (total * t**2 / 2.0 - t**3 / 3.0) + self.b * (total * t**3 / 3.0 - t**4 / 4.0)
        gone = 1.0 - t / total
        rate += self.first * total * (1.0 - gone**3) / 3.0
        height = self.height + self.rising * t - 0.5 * self.gravity * t**2
        height += self.a * (total * t**3 / 6.0 - t**4 / 12.0) + self.b * (total * t**4 / 12.0 - t**5 / 20.0)
        height += self.first * (total * t / 3.0 - total**2 * (1.0 - gone**4) / 12.0)
        return height, rate


@dataclass(frozen=True)
class Roll:
    """How the centre of pressure goes on under a foot. first, last: m ahead of the ankle."""

    first: float
    last: float

    def at(self, share: float) -> float:
        """Return where it is, m, at a share of the stance."""
        return self.first + (self.last - self.first) * ramp(share, 0.0, 1.0)


@dataclass(frozen=True)
class StanceMap:
    """What a stance makes of a body: place' = a place + b rate + ahead, rate' = c place + d rate + onward.

    Places in m from the ankle of the stance foot, rates in m/s. ahead, onward: what the roll of the foot does, along
    where the foot points.
    """

    a: float
    b: float
    c: float
    d: float
    ahead: float
    onward: float

    def end(self, place: complex, rate: complex, foot: complex) -> tuple[complex, complex]:
        """Return place and rate as it takes off. foot: where it points, a unit vector."""
        return (
            self.a * place + self.b * rate + self.ahead * foot,
            self.c * place + self.d * rate + self.onward * foot,
        )


PIECES = 24


def stance_map(bounce: Bounce, roll: Roll, begins: float = 0.0) -> StanceMap:
    """Return what is left of a stance from a time since it began, s."""
    left = bounce.time - begins
    if left <= 1e-4:
        return StanceMap(1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
    step = left / PIECES
    (x1, v1), (x2, v2), (x3, v3) = (1.0, 0.0), (0.0, 1.0), (0.0, 0.0)
    for k in range(PIECES):  # by the middle of each piece
        at = begins + (k + 0.5) * step
        pull = bounce.load(at) / max(bounce.at(at)[0], 0.3) * step
        half, p = 0.5 * step, roll.at(at / bounce.time)
        x1, x2, x3 = x1 + half * v1, x2 + half * v2, x3 + half * v3
        v1, v2, v3 = v1 + pull * x1, v2 + pull * x2, v3 + pull * (x3 - p)
        x1, x2, x3 = x1 + half * v1, x2 + half * v2, x3 + half * v3
    return StanceMap(x1, x2, v1, v2, x3, v3)
