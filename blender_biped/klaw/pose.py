"""From a walk in the plane to a character in the world: the whole body, its feet where they stand (sections 5.3, 5.5).

Everything at the character's own size.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..character.model import SIDES, Character
from ..spatial import IDENTITY, Array, axis_angle_quaternion, quaternion_matrix, quaternion_product, yaw_quaternion
from ..world.relief import Relief
from .attributes import Attributes
from .body import Plane
from .course import Course
from .limbs import Limb, bent, limb
from .slope import on_relief
from .track import Foot, Track, smoothed

_Y, _X = np.array([0.0, 1.0, 0.0]), np.array([1.0, 0.0, 0.0])
_STRAIGHT = math.radians(4.0)  # a knee is not straighter than this
_RISING = 4.0  # how much softer the hips follow the ground than their own path
_ROOM = 1.15  # of the feet's half widths: how far apart they pass each other
_LOWERED = (0.1, 0.05)  # s: how early the hips give way where a leg would be too short, and how softly


@dataclass(frozen=True)
class Styled:
    """What of the attributes changes over a walk, (T,): at each time that of the step's style; see Attributes.

    sway: most lateral displacement, m. arm, shoulder: factors. elbow_least,
    elbow_most: rad. smoothing: s.
    """

    sway: Array
    arm: Array
    shoulder: Array
    elbow_least: Array
    elbow_most: Array
    knee_least: Array


@dataclass(frozen=True)
class Posed:
    """Root (T, 3), m, rotations (T, L, 4) and the path's heading (T,), rad."""

    root: Array
    rotations: Array
    heading: Array


def posed(
    character: Character, plane: Plane, length: float, track: Track, styled: Styled, course: Course, ground: float,
    smoothing: float, relief: Relief | None = None,
) -> Posed:  # fmt: skip
    """Return a character's poses. length: its scale; the track and the plane are at reference size.

    course: in the character's own size. ground: its height, m. smoothing: of the hips' path, in samples.
    relief: how high the ground is above that along the path; flat without one.
    """
    count = len(track.times)
    step = 1.0
    x = length * smoothed(track.x, step, smoothing)
    y = length * smoothed(track.y, step, smoothing)
    legs = [limb(character, side) for side in SIDES]
    ankles = [_standing(character, leg) for leg in legs]
    forward = 0.5 * float(ankles[0][0] + ankles[1][0])
    x = x - forward
    sway = smoothed(length * styled.sway * track.sway, step, smoothing)
    heading = course.heading(x)
    root = np.empty((count, 3))
    root[:, :2] = course.place(x, sway)
    root[:, 2] = ground + y
    rotations = np.tile(IDENTITY, (count, len(character.links), 1))
    turn = smoothed(-track.turn, step, smoothing)
    roll = smoothed(track.roll, step, smoothing)
    upright = yaw_quaternion(heading)
    pelvis = quaternion_product(yaw_quaternion(heading + turn), axis_angle_quaternion(_X, roll))
    rotations[:, 0] = pelvis
    matrix = quaternion_matrix(pelvis)
    places, lefts = [], []
    stood, pitches = [], []
    for foot, standing in zip(track.feet, ankles, strict=True):
        place, yaw = _foot_place(course, foot, length, forward)
        slope, support = np.zeros(count), np.zeros(count)
        if relief is not None:
            slope, support = on_relief(plane, foot, length, relief, place, yaw)
        pitches.append(foot.pitch - slope)
        root[:, 2] += 0.5 * smoothed(support, step, _RISING * smoothing)
        place[:, 2] += ground + float(standing[2]) - length * plane.l9
        stood.append((place, yaw))
    passed = [_passing(character, legs, side, track.feet[side], stood) for side in (0, 1)]
    for side, (leg, foot) in enumerate(zip(legs, track.feet, strict=True)):
        place, yaw = stood[side]
        place[:, :2] += passed[side]
        orientation = quaternion_product(yaw_quaternion(yaw), axis_angle_quaternion(_Y, pitches[side]))
        rotations[:, leg.foot] = orientation
        bend = -foot.meta if character.links[leg.toes].joint != "fixed" else 0.0 * foot.meta
        rotations[:, leg.toes] = quaternion_product(orientation, axis_angle_quaternion(_Y, bend))
        places.append(place)
        # The knee points between foot and pelvis; that of a swinging leg, bent far, more where the pelvis does.
        most = 0.5 + 0.4 * np.sin(np.pi * np.clip(foot.share, 0.0, 1.0))
        knee = yaw + most * (heading + 0.5 * turn - yaw)
        lefts.append(np.stack((-np.sin(knee), np.cos(knee), np.zeros(count)), axis=1))
    knees = [np.where(foot.down, styled.knee_least, _STRAIGHT) for foot in track.feet]
    root[:, 2] -= _lowered(track.times, root, matrix, legs, places, knees)
    swings = []
    for leg, place, left in zip(legs, places, lefts, strict=True):
        hip = root + matrix @ leg.hip
        rotations[:, leg.thigh], rotations[:, leg.shin] = bent(leg, hip, place, left)
        way = place - hip
        swings.append(np.arctan2(way[:, 0] * np.cos(heading) + way[:, 1] * np.sin(heading), -way[:, 2]))
    _upper(character, rotations, upright, turn, track, styled, swings)
    return Posed(root, rotations, heading)


def _standing(character: Character, leg: Limb) -> Array:
    """Return where an ankle is when standing, from below the mid-hip at the ground, (3,), m."""
    return np.asarray(character.standing()[0][leg.foot])


def _foot_place(course: Course, foot: Foot, length: float, forward: float) -> tuple[Array, Array]:
    """Return the ankle (T, 3), m, from the ground, and the foot's heading (T,), rad.

    A foot that swings goes over from the direction in which it stood to the one in which it will stand.
    """
    ends = []
    for arc, beside in ((foot.before, foot.beside_before), (foot.after, foot.beside_after)):
        at = length * arc - forward
        heading = course.heading(at)
        along = length * (foot.x - arc) + forward
        way = np.stack((np.cos(heading), np.sin(heading)), axis=1)
        ends.append((course.place(at, length * beside) + along[:, None] * way, heading))
    (a, yaw_a), (b, yaw_b) = ends
    share = foot.share[:, None]
    place = np.empty((len(foot.x), 3))
    place[:, :2] = a + share * (b - a)
    place[:, 2] = length * foot.y
    return place, yaw_a + foot.share * (yaw_b - yaw_a)


def _passing(character: Character, legs: list[Limb], side: int, foot: Foot, stood: list[tuple[Array, Array]]) -> Array:
    """Return how far a swinging foot goes aside (T, 2), m, world, so that it passes the other one and does not hit it.

    Where feet are set down in line, or a bend is tight, the straight way would lead through the other leg.
    """
    (own, _), (other, yaw) = stood[side], stood[1 - side]
    widths = [float(character.links[leg.foot].shape.half[1]) for leg in legs]
    shoe = character.links[legs[side].foot].shape.half[0]
    need, reach = _ROOM * sum(widths), 2.0 * shoe
    ahead = np.stack((np.cos(yaw), np.sin(yaw)), axis=1)
    outward = np.stack((-np.sin(yaw), np.cos(yaw)), axis=1) * (1.0 if side == 0 else -1.0)
    way = (own - other)[:, :2]
    along, apart = np.einsum("ti,ti->t", way, ahead), np.einsum("ti,ti->t", way, outward)
    near = np.clip(2.0 - np.abs(along) / reach, 0.0, 1.0)
    near = near * near * (3.0 - 2.0 * near)
    wanted = np.where(foot.down, 0.0, near * np.maximum(need - apart, 0.0))
    if not wanted.any():
        return np.zeros_like(way)
    free = np.clip(4.0 * np.minimum(foot.share, 1.0 - foot.share), 0.0, 1.0)
    return np.asarray((free * smoothed(wanted, 1.0, 3.0))[:, None] * outward)


def _lowered(
    times: Array, root: Array, matrix: Array, legs: list[Limb], places: list[Array], knees: list[Array]
) -> Array:
    """Return how much lower the hips go (T,), m, so that legs reach their feet with knees bent by ``knees`` (T,)."""
    step = float(times[1] - times[0]) if len(times) > 1 else 1.0
    total = np.zeros(len(times))
    for _ in range(3):
        lack = np.zeros(len(times))
        for leg, place, knee in zip(legs, places, knees, strict=True):
            way = place - root - matrix @ leg.hip
            way[:, 2] += total
            longest = leg.distance(knee)
            level = np.einsum("ti,ti->t", way[:, :2], way[:, :2])
            reach = np.sqrt(np.maximum(longest * longest - level, (0.3 * longest) ** 2))
            lack = np.maximum(lack, -way[:, 2] - reach)
        if lack.max() < 1e-6:
            break
        total += _envelope(lack, max(1, round(_LOWERED[0] / step)), _LOWERED[1] / step)
    return total


def _envelope(values: Array, early: int, soft: float) -> Array:
    """Return a smooth course (T,) that is nowhere below ``values`` (T,), not negative."""
    padded = np.pad(values, early, mode="edge")
    windows = np.lib.stride_tricks.sliding_window_view(padded, 2 * early + 1)
    return smoothed(windows.max(axis=1), 1.0, soft)


def _upper(
    character: Character, rotations: Array, upright: Array, turn: Array, track: Track, styled: Styled,
    swings: list[Array],
) -> None:  # fmt: skip
    """Fill in trunk, head and arms (section 5.5)."""
    shoulders = -styled.shoulder * turn
    lean = axis_angle_quaternion(_Y, track.lean)
    chest = quaternion_product(upright, quaternion_product(yaw_quaternion(shoulders), lean))
    half = axis_angle_quaternion(_Y, 0.5 * track.lean)
    roll = axis_angle_quaternion(_X, 0.35 * track.roll)
    middle = quaternion_product(
        upright, quaternion_product(yaw_quaternion(0.35 * turn + 0.3 * shoulders), quaternion_product(half, roll))
    )
    trunk = {"abdomen": middle if character.has("chest") else chest, "chest": chest,
             "head": quaternion_product(upright, axis_angle_quaternion(_Y, 0.3 * track.lean))}  # fmt: skip
    for role, orientation in trunk.items():
        if character.has(role):
            rotations[:, character.index(role)] = orientation
    for i, link in enumerate(character.links):
        part, _, side = link.role.partition(".")
        if part == "upper_arm":
            opposite = 1 - SIDES.index(side)
            swing = smoothed(swings[opposite], 1.0, 5.0)
            turned = axis_angle_quaternion(_Y, -styled.arm * swing)
            rotations[:, i] = quaternion_product(rotations[:, link.parent], turned)
        elif part == "forearm":
            share = smoothed(track.elbows[1 - SIDES.index(side)], 1.0, 5.0)
            bend = styled.elbow_least + share * (styled.elbow_most - styled.elbow_least)
            rotations[:, i] = quaternion_product(rotations[:, link.parent], axis_angle_quaternion(_Y, -bend))
        elif part == "hand":
            rotations[:, i] = rotations[:, link.parent]


def least_knee(own: Attributes) -> float:
    """Return how much the stance knee is bent at least, rad."""
    return max(math.radians(own.stance1234_knee), _STRAIGHT)
