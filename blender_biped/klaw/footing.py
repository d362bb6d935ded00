"""Where both feet are in the world: they stand where they stand, and swing past each other (sections 5.3, 5.4)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..base.curves import eased, smoothed
from ..base.spatial import Array, forward_of, left_of
from ..world.height_profile import HeightProfile
from .body import Plane
from .course import Course
from .slope import on_profile
from .track import FootTrack, StepTrack

_ROOM = 1.15  # of the feet's half widths: how far apart they pass each other
_NEAR = 0.5  # of the foot's length: from how far before and behind the other foot they begin to give way
_PASSING = 0.025  # s, of smoothing that


@dataclass(frozen=True)
class FootMotion:
    """A foot over T times. place (T, 3): of the ankle, m, world. yaw (T,): heading, rad. pitch (T,): heel up, rad.

    support (T,): how high the ground is under it, or between where it stood and will stand, above that of the walk, m.
    """

    place: Array
    yaw: Array
    pitch: Array
    support: Array


@dataclass(frozen=True)
class PathGround:
    """The ground along a path. height: of the floor, m. profile: how high it is above that; flat without one."""

    height: float
    profile: HeightProfile | None = None


def footings(
    plane: Plane, length: float, track: StepTrack, course: Course, ankles: tuple[Array, Array],
    ground: PathGround,
) -> list[FootMotion]:  # fmt: skip
    """Return where the left and the right foot are.

    length: the character's scale; the track and the plane are at reference size. ankles: where they are when standing,
    from below the mid-hip at the ground, (3,), m.
    """
    forward = 0.5 * float(ankles[0][0] + ankles[1][0])
    found = []
    for foot, standing in zip(track.feet, ankles, strict=True):
        place, yaw = _place(course, foot, length, forward)
        slope, support = np.zeros(len(yaw)), np.zeros(len(yaw))
        if ground.profile is not None:
            slope, support = on_profile(plane, foot, length, ground.profile, place, yaw, track.step_time)
        place[:, 2] += ground.height + float(standing[2]) - length * plane.l9
        found.append(FootMotion(place, yaw, foot.pitch - slope, support))
    aside = [_aside(plane, length, track, found, side) for side in (0, 1)]
    for foot_at, way in zip(found, aside, strict=True):
        foot_at.place[:, :2] += way
    return found


def _place(course: Course, foot: FootTrack, length: float, forward: float) -> tuple[Array, Array]:
    """Return the ankle (T, 3), m, from the ground, and the foot's heading (T,), rad.

    A foot that swings goes over from the direction in which it stood to the one in which it will stand; it turns early.
    """
    ends = []
    for arc, beside, out in (
        (foot.before, foot.beside_before, foot.out_before), (foot.after, foot.beside_after, foot.out_after)
    ):  # fmt: skip
        at = length * arc - forward
        heading = course.heading(at)
        along = length * (foot.x - arc) + forward
        place = course.place(at, length * beside) + along[:, None] * forward_of(heading)
        if out.any():  # it turns about heel and ball the way that it points
            place += length * foot.rolled[:, None] * (forward_of(heading + out) - forward_of(heading))
        ends.append((place, heading + out))
    (a, yaw_a), (b, yaw_b) = ends
    place = np.empty((len(foot.x), 3))
    place[:, :2] = a + foot.share[:, None] * (b - a)
    place[:, 2] = length * foot.y
    early = 1.0 - (1.0 - foot.share) ** 2  # before its toes come to the other foot
    return place, yaw_a + early * (yaw_b - yaw_a)


def _aside(plane: Plane, length: float, track: StepTrack, feet: list[FootMotion], side: int) -> Array:
    """Return how far a swinging foot goes aside (T, 2), m, world, so that it passes the other one and does not hit it.

    Where feet are set down in line, or a bend is tight, the straight way would lead through the other foot.
    """
    own, other, foot = feet[side], feet[1 - side], track.feet[side]
    heel, toes = -length * plane.l8, length * (plane.l5 + plane.l6)
    out = left_of(other.yaw) * (1.0 if side == 0 else -1.0)
    wanted = np.zeros(len(own.yaw))
    for point in (heel, 0.0, toes):
        way = (own.place - other.place)[:, :2] + point * forward_of(own.yaw)
        along = np.einsum("ti,ti->t", way, forward_of(other.yaw))
        beyond = np.maximum(np.maximum(along - toes, heel - along), 0.0)
        near = eased(np.clip(1.0 - beyond / (_NEAR * (toes - heel)), 0.0, 1.0))
        lack = _ROOM * length * plane.breadth - np.einsum("ti,ti->t", way, out)
        wanted = np.maximum(wanted, near * lack)
    wanted[foot.down] = 0.0
    free = np.clip(4.0 * np.minimum(foot.share, 1.0 - foot.share), 0.0, 1.0)
    return np.asarray((free * smoothed(wanted, track.step_time, _PASSING))[:, None] * out)
