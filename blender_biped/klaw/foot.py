"""The foot that the thesis adds to the dynamic leg: strike, flat, heel-off and meta-off (Bruderlin 1988, section 5.4).

A foot's pose is a tuple: the ankle's place x, y, m, from where it is above the ground's point below the flat foot's
ankle; its pitch, rad, heel up positive; and how far the toes are bent up from it, rad. On the ground a foot turns about
its heel (pitch below zero), its ball, or the tip of its toes, and nothing of it that is down slides.
"""

from __future__ import annotations

import math

from .body import Plane

Pose = tuple[float, float, float, float]

ROLL = math.radians(5.0)
"""A sole tilted by less lies flat, as the measures have it: its point below the ball keeps its place."""

STEEPEST = math.radians(80.0)
"""A foot on the ground is not turned further over its toes."""

_BISECTIONS, _HALVINGS = 24, 14
_TRIED = 0.1  # rad: nearer than two pitches with one distance


def on_ground(plane: Plane, pitch: float, meta_max: float) -> Pose:
    """Return the pose of a foot on the ground; meta_max: how far its toes bend, rad (what is more turns the tip)."""
    if pitch <= 0.0:
        s, c = math.sin(pitch), math.cos(pitch)
        kept = (plane.l5 + plane.l8) * (1.0 - max(c, math.cos(ROLL)))
        return plane.l8 * (c - 1.0) + plane.l9 * s + kept, plane.l9 * c - plane.l8 * s, pitch, 0.0
    drop = plane.l9 - plane.l7
    meta = min(pitch, meta_max) if plane.l6 > 0.0 else 0.0
    turn = pitch - meta  # of the toes
    s, c = math.sin(turn), math.cos(turn)
    roll = drop * math.sin(min(pitch, ROLL))
    ball_x = plane.l5 + roll + plane.l6 * (1.0 - c) + drop * s
    ball_y = drop * c + plane.l6 * s
    s, c = math.sin(pitch), math.cos(pitch)
    return ball_x - plane.l5 * c + plane.l7 * s, ball_y + plane.l5 * s + plane.l7 * c, pitch, meta


def reaching(plane: Plane, hip: tuple[float, float], length: float, low: float, meta_max: float) -> float:
    """Return the least pitch, rad, from ``low`` on, of a foot on the ground with its ankle within ``length`` of a hip.

    hip: x, y from where the flat foot's ankle is above, m. The higher the heel, the nearer the ankle is to the hip;
    the steepest pitch if none is near enough.
    """
    square = length * length

    def too_far(pitch: float) -> float:
        x, y, _, _ = on_ground(plane, pitch, meta_max)
        return (hip[0] - x) ** 2 + (hip[1] - y) ** 2 - square

    if too_far(low) <= 0.0:
        return low
    a, fa = low, too_far(low)
    b = fb = 0.0
    while True:
        b = min(a + _TRIED, STEEPEST)
        fb = too_far(b)
        if fb <= 0.0:
            break
        if fb >= fa or b >= STEEPEST:  # no nearer than this
            return a if fb >= fa else b
        a, fa = b, fb
    for _ in range(_BISECTIONS):  # the Illinois method
        m = b - fb * (b - a) / (fb - fa) if fb != fa else 0.5 * (a + b)
        f = too_far(m)
        if f * fb < 0.0:
            a, fa = b, fb
        else:
            fa *= 0.5
        b, fb = m, f
        if abs(f) < 1e-9:
            break
    return b


def plantar_flexion(plane: Plane, hip: tuple[float, float], pitch: float, meta_max: float) -> float:
    """Return how far the ankle of a foot on the ground points down from square to the shin, rad."""
    return pitch - sum(leg_angles(plane, hip, on_ground(plane, pitch, meta_max)[:2]))


def pointed(
    plane: Plane, hip: tuple[float, float], pitches: tuple[float, float], most: float, meta_max: float
) -> float:
    """Return the largest pitch, rad, between two whose ankle points down by ``most`` rad at most, or the first."""
    low, high = pitches
    if plantar_flexion(plane, hip, high, meta_max) <= most:
        return high
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        if plantar_flexion(plane, hip, middle, meta_max) > most:
            high = middle
        else:
            low = middle
    return low


def tip(plane: Plane, meta: float) -> tuple[float, float]:
    """Return the sole below the toes' tip, from the ankle, along and up in the foot's frame, m; meta: their bend."""
    drop = plane.l9 - plane.l7
    s, c = math.sin(meta), math.cos(meta)
    return plane.l5 + plane.l6 * c + drop * s, -plane.l7 - drop * c + plane.l6 * s


def steepest(plane: Plane, height: float, meta: float) -> float:
    """Return the largest pitch, rad, at which the toes' tip is not below an ankle by more than ``height``, m.

    Where that cannot be, the one at which the tip is highest.
    """
    x, y = tip(plane, meta)
    reach = math.hypot(x, y)
    if height >= reach:
        return math.inf
    return math.acos(min(-height / reach, 1.0)) - math.atan2(x, y)


def leg_length(plane: Plane, knee: float) -> float:
    """Return hip to ankle, m, of a leg with a knee's angle, rad."""
    return math.sqrt(max(plane.l3**2 + plane.l4**2 + 2.0 * plane.l3 * plane.l4 * math.cos(knee), 0.0))


def leg_angles(plane: Plane, hip: tuple[float, float], ankle: tuple[float, float]) -> tuple[float, float]:
    """Return theta3 and theta4, rad, of a leg between two places; one too long is as long as it can be."""
    x, y = hip[0] - ankle[0], hip[1] - ankle[1]
    distance = min(max(math.hypot(x, y), abs(plane.l3 - plane.l4) + 1e-6), plane.l1 - 1e-9)
    knee = math.pi - math.acos(_unit((plane.l3**2 + plane.l4**2 - distance**2) / (2.0 * plane.l3 * plane.l4)))
    lift = math.acos(_unit((plane.l3**2 + distance**2 - plane.l4**2) / (2.0 * plane.l3 * distance)))
    return math.atan2(x, y) - lift, knee


def _unit(value: float) -> float:
    return min(max(value, -1.0), 1.0)
