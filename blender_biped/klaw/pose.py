"""From a walk in the plane to a character in the world: the whole body, its feet where they stand (sections 5.3, 5.5).

Everything at the character's own size.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..base.curves import envelope, smoothed
from ..base.spatial import IDENTITY, Array, axis_angle_quaternion, quaternion_matrix, quaternion_product, yaw_quaternion
from ..character.model import SIDES, Character
from ..motion.rows import PORTION
from .attributes import STRAIGHT
from .body import Plane
from .course import Course
from .footing import FootMotion, PathGround, footings
from .joining import taken
from .knees import knees_apart
from .limbs import LegLinks, bent, limb
from .track import StepTrack

_X, _Y, _Z = np.eye(3)
_RISING = 4.0  # how much softer the hips follow the ground than their own path
_ARMS = 0.04  # s, of smoothing the arms' swing
_LOWER = 0.35  # of how far the upper back is bent: how far the lower one is
_LOWERED = (0.1, 0.05)  # s: how early the hips give way where a leg would be too short, and how softly
_BESIDE = 0.2  # s before and after a time, at reference size, that smoothing of limbs looks


@dataclass(frozen=True)
class Styled:
    """What of the attributes changes over a walk, (T,): at each time that of the step's style; see Attributes.

    sway: most lateral displacement, m. arm, shoulder: factors. elbow_least, elbow_most, knee_least: rad.
    """

    sway: Array
    arm: Array
    shoulder: Array
    elbow_least: Array
    elbow_most: Array
    knee_least: Array


@dataclass(frozen=True)
class PoseTrack:
    """Root (T, 3), m, rotations (T, L, 4) and the path's heading (T,), rad."""

    root: Array
    rotations: Array
    heading: Array


@dataclass(frozen=True)
class Carried:
    """Where hips and feet go over T times, from which the limbs follow.

    root (T, 3): m, world. pelvis (T, 4): its rotation. heading (T,): of the path, turn (T,): of the pelvis from there,
    rad. feet: left, right. swings: of both, (T,): how far forward the leg is, rad.
    """

    root: Array
    pelvis: Array
    heading: Array
    turn: Array
    feet: tuple[FootMotion, FootMotion]
    swings: tuple[Array, Array]


def posed(character: Character, track: StepTrack, styled: Styled, own: Carried, since: int = 0) -> PoseTrack:
    """Return a character's poses at all times of what is ``carried``.

    since: the first sample that is looked at: portions before it have all links as they stand.
    """
    rotations = np.tile(IDENTITY, (len(own.root), len(character.links), 1))
    for first in range(0, len(rotations), PORTION):  # the same ones whatever is looked at, and so the same last digits
        end = min(first + PORTION, len(rotations))
        if end <= since:
            continue
        rotations[first:end] = rotations_of(character, track, styled, own, first, end)
    return PoseTrack(own.root, rotations, own.heading)


def carried(
    character: Character, plane: Plane, length: float, track: StepTrack, styled: Styled, course: Course,
    ground: PathGround, smoothing: float,
) -> Carried:  # fmt: skip
    """Return where a character's hips and feet go. length: its scale; the track and the plane are at reference size.

    course: in the character's own size. smoothing: of the hips' path, s at reference size.
    """

    def soft(values: Array, sigma: float = smoothing) -> Array:
        return smoothed(values, track.step_time, sigma)

    legs = [limb(character, side) for side in SIDES]
    standing = character.standing()[0]
    ankles = (standing[legs[0].foot], standing[legs[1].foot])
    feet = footings(plane, length, track, course, ankles, ground)
    x = length * soft(track.x) - 0.5 * float(ankles[0][0] + ankles[1][0])
    heading = course.heading(x)
    root = np.empty((len(x), 3))
    root[:, :2] = course.place(x, soft(length * styled.sway * track.sway + length * track.carriage.aside))
    root[:, 2] = ground.height + length * soft(track.y)
    root[:, 2] += 0.5 * soft(feet[0].support + feet[1].support, _RISING * smoothing)
    turn, roll = soft(-track.turn), track.roll + track.carriage.roll
    pelvis = quaternion_product(yaw_quaternion(heading + turn), axis_angle_quaternion(_X, soft(roll)))
    hips = _turned(pelvis, [leg.hip for leg in legs])
    knees = [np.where(foot.down, styled.knee_least, STRAIGHT) for foot in track.feet]
    root[:, 2] -= _lowered(track.step_time, root, hips, legs, [foot.place for foot in feet], knees)
    swings = []
    for hip, foot in zip(hips, feet, strict=True):
        way = foot.place - root - hip
        swings.append(np.arctan2(way[:, 0] * np.cos(heading) + way[:, 1] * np.sin(heading), -way[:, 2]))
    return Carried(root, pelvis, heading, turn, (feet[0], feet[1]), (swings[0], swings[1]))


def _turned(rotations: Array, points: list[Array]) -> list[Array]:
    """Return points (3,) as they are turned by rotations (T, 4), each (T, 3); in portions, for matrices are large."""
    found = [np.empty((len(rotations), 3)) for _ in points]
    for first in range(0, len(rotations), PORTION):
        at = slice(first, first + PORTION)
        matrix = quaternion_matrix(rotations[at])
        for turned, point in zip(found, points, strict=True):
            turned[at] = matrix @ point
    return found


def rotations_of(character: Character, track: StepTrack, styled: Styled, own: Carried, first: int, end: int) -> Array:
    """Return the rotations (end - first, L, 4) of all links in a portion of the times of what is ``carried``.

    They are those of the whole: what is before and after is taken as far as smoothing and lags look.
    """
    step = track.step_time
    beside = math.ceil((_BESIDE + 2.0 * float(track.carriage.lag.max())) / step)
    at = np.arange(max(first - beside, 0), min(end + beside, len(own.root)))
    track, styled, own = taken(track, at, -1), taken(styled, at, 0), taken(own, at, 0)
    rotations = np.tile(IDENTITY, (len(at), len(character.links), 1))
    rotations[:, 0] = own.pelvis
    _legs(character, track, own, rotations, step)
    _upper(character, rotations, track, styled, own, step)
    return rotations[first - at[0] : end - at[0]]


def _legs(character: Character, track: StepTrack, own: Carried, rotations: Array, step: float) -> None:
    """Fill in feet, toes, and the legs to them, whose knees pass each other. step: between samples, s.

    A knee points between foot and pelvis; that of a swinging leg, bent far, more where the pelvis does.
    """
    legs, facing = [limb(character, side) for side in SIDES], own.heading + 0.5 * own.turn
    matrix = quaternion_matrix(own.pelvis)
    hips = [own.root + matrix @ leg.hip for leg in legs]
    knees = []
    for leg, foot, at in zip(legs, track.feet, own.feet, strict=True):
        orientation = quaternion_product(yaw_quaternion(at.yaw), axis_angle_quaternion(_Y, at.pitch))
        rotations[:, leg.foot] = orientation
        bend = -foot.meta if character.links[leg.toes].joint != "fixed" else 0.0 * foot.meta
        rotations[:, leg.toes] = quaternion_product(orientation, axis_angle_quaternion(_Y, bend))
        most = 0.5 + 0.4 * np.sin(np.pi * np.clip(foot.share, 0.0, 1.0))
        knees.append(at.yaw + most * (facing - at.yaw))
    left, right = track.feet
    yielding = [np.where(one.down, one.pitch > other.pitch, True) for one, other in ((left, right), (right, left))]
    turned = knees_apart(character, legs, hips, [at.place for at in own.feet], knees, yielding, step)
    for leg, hip, at, knee in zip(legs, hips, own.feet, turned, strict=True):
        rotations[:, leg.thigh], rotations[:, leg.shin] = bent(leg, hip, at.place, knee)


def _lowered(
    step: float, root: Array, hips: list[Array], legs: list[LegLinks], places: list[Array], knees: list[Array]
) -> Array:
    """Return how much lower the hips go (T,), m, so that legs reach their feet with knees bent by ``knees`` (T,).

    hips (T, 3): of both legs from the root, m, world.
    """
    total = np.zeros(len(root))
    for _ in range(3):
        lack = np.zeros(len(root))
        for leg, hip, place, knee in zip(legs, hips, places, knees, strict=True):
            way = place - root - hip
            way[:, 2] += total
            longest = leg.distance(knee)
            level = np.einsum("ti,ti->t", way[:, :2], way[:, :2])
            reach = np.sqrt(np.maximum(longest * longest - level, (0.3 * longest) ** 2))
            lack = np.maximum(lack, -way[:, 2] - reach)
        if lack.max() < 1e-6:
            break
        total += envelope(lack, step, *_LOWERED)
    return total


def _upper(
    character: Character, rotations: Array, track: StepTrack, styled: Styled, posture: Carried, step: float
) -> None:
    """Fill in trunk, head and arms (section 5.5). step: between samples, s."""
    upright, turn, own = yaw_quaternion(posture.heading), posture.turn, track.carriage
    shoulders = -styled.shoulder * turn
    tilted = _tilted(own.chest_roll + own.trunk_roll, track.lean + own.chest_pitch)
    chest = quaternion_product(upright, quaternion_product(yaw_quaternion(shoulders), tilted))
    half = axis_angle_quaternion(_Y, 0.5 * track.lean + _LOWER * own.chest_pitch)
    roll = axis_angle_quaternion(_X, 0.35 * track.roll + 0.5 * own.chest_roll + own.trunk_roll)
    middle = quaternion_product(
        upright, quaternion_product(yaw_quaternion(0.35 * turn + 0.3 * shoulders), quaternion_product(half, roll))
    )
    head = quaternion_product(upright, _tilted(own.head_roll, 0.3 * track.lean + own.head_pitch))
    if own.head_yaw.any():
        head = quaternion_product(yaw_quaternion(own.head_yaw), head)
    trunk = {"abdomen": middle if character.has("chest") else chest, "chest": chest, "head": head}
    for role, orientation in trunk.items():
        if character.has(role):
            rotations[:, character.index(role)] = orientation
    for i, link in enumerate(character.links):
        part, side = link.part, link.side
        if part == "upper_arm":
            opposite = 1 - SIDES.index(side)
            swing = own.swing * _later(smoothed(posture.swings[opposite], step, _ARMS), own.lag, step)
            forward = own.arms_forward + own.chest_pitch  # they hang straight down
            turned = axis_angle_quaternion(_Y, -styled.arm * swing - forward)
            sign = 1.0 if side == "L" else -1.0
            for axis, angle in ((_X, own.arms_out + character.arms_out), (_Z, -own.arms_in)):
                if angle.any():
                    turned = quaternion_product(turned, axis_angle_quaternion(axis, sign * angle))
            rotations[:, i] = quaternion_product(rotations[:, link.parent], turned)
        elif part == "forearm":
            share = smoothed(track.elbows[1 - SIDES.index(side)], step, _ARMS)
            share = _later(share, 2.0 * own.lag, step)
            bend = styled.elbow_least + share * (styled.elbow_most - styled.elbow_least)
            rotations[:, i] = quaternion_product(rotations[:, link.parent], axis_angle_quaternion(_Y, -bend))
        elif part == "hand":
            rotations[:, i] = rotations[:, link.parent]


def _tilted(roll: Array, pitch: Array) -> Array:
    """Return rotations (T, 4) of a part that leans forward and to its side, rad."""
    leaning = axis_angle_quaternion(_Y, pitch)
    return quaternion_product(leaning, axis_angle_quaternion(_X, roll)) if roll.any() else leaning


def _later(values: Array, lag: Array, step: float) -> Array:
    """Return values (T,), one each ``step`` s, as they were ``lag`` (T,) s before; the first ones before that."""
    if not lag.any():
        return values
    at = np.arange(len(values), dtype=float)
    return np.asarray(np.interp(at - lag / step, at, values))
