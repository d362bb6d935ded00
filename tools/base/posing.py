# SPDX-License-Identifier: GPL-3.0-or-later
"""Poses as an animator sets them, for any body: feet where they shall be, knees by inverse kinematics."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from blender_biped.base.spatial import Array, matrix_quaternion
from blender_biped.character.model import Character
from blender_biped.control.shared.inverse_kinematics import leg_orientations
from blender_biped.control.shared.legs import Leg, legs_of
from blender_biped.motion.motion import Motion


@dataclass(frozen=True)
class Foot:
    """Where a foot is: ahead of its hip and above the ground, shares of the leg. pitch: toes down, rad."""

    ahead: float
    lift: float = 0.0
    pitch: float = 0.0


@dataclass(frozen=True)
class Set:
    """A pose. time: s, of the reference body. left, right: feet. height: of the hips, share of the standing one.

    lean: of the trunk, rad, forward.
    """

    time: float
    left: Foot
    right: Foot
    height: float = 0.97
    lean: float = 0.0


STEP = (
    Set(0.0, Foot(0.2), Foot(-0.2, 0.0, 0.35)),
    Set(0.2, Foot(0.0), Foot(-0.05, 0.12, 0.2)),
    Set(0.36, Foot(-0.1, 0.0, 0.1), Foot(0.18, 0.06, -0.1)),
)
"""Half a cycle of a walk: contact, passing, reaching."""
LIMP = (
    Set(0.0, Foot(0.18), Foot(-0.18, 0.0, 0.3), 0.97, 0.05),
    Set(0.28, Foot(0.0), Foot(-0.05, 0.12, 0.2), 0.97, 0.05),
    Set(0.55, Foot(-0.12, 0.0, 0.2), Foot(0.12), 0.95, 0.15),
    Set(0.72, Foot(0.02, 0.1, 0.2), Foot(0.0), 0.95, 0.15),
)
"""A cycle of a limp: a long step on the left leg, a short and quick one on the right, which the trunk leans over."""


def posed(character: Character, poses: Sequence[Set]) -> Motion:
    """Return the poses of a body as a motion that has these samples alone; in place, as animators pose cycles."""
    legs = legs_of(character)
    size = character.size
    turns = np.stack([_turns(character, legs, one) for one in poses])
    count, links = turns.shape[:2]
    root = np.array([(0.0, 0.0, one.height * character.stand_height) for one in poses])
    return Motion(
        character=character, times=math.sqrt(size) * np.array([one.time for one in poses]), root=root,
        rotations=matrix_quaternion(turns), loads=np.zeros((count, 2)), torques=np.zeros((count, links, 3)),
        strikes=np.empty((0, 2)), lifts=np.empty((0, 2)), command=np.zeros((count, 3)), cpu=0.0, outcome="time",
    )  # fmt: skip


def _turns(character: Character, legs: Sequence[Leg], one: Set) -> Array:
    """Return the world orientation of each link (L, 3, 3)."""
    found = np.tile(np.eye(3), (len(character.links), 1, 1))
    own: dict[int, Array] = {}
    for leg, foot in zip(legs, (one.left, one.right), strict=True):
        pitched = _pitched(foot.pitch)
        toes = np.eye(3) if foot.lift == 0.0 else pitched
        x, y, _ = character.offsets[leg.thigh].tolist()
        up = character.leg_length * foot.lift - _lowest(character, leg, pitched, toes)
        ankle = (x + character.leg_length * foot.ahead, y + leg.aside, up - one.height * character.stand_height)
        hip = tuple(character.offsets[leg.thigh].tolist())
        thigh, shin, _ = leg_orientations(
            (hip[0], hip[1], hip[2]), ankle, leg.thigh_length, leg.shin_length, (0.0, 1.0, 0.0), leg.aside
        )
        own |= {leg.thigh: np.reshape(thigh, (3, 3)), leg.shin: np.reshape(shin, (3, 3)), leg.foot: pitched}
        own[leg.toes] = toes
    for i, link in enumerate(character.links):
        if i in own:
            found[i] = own[i]
        elif link.role == "abdomen":
            found[i] = _pitched(one.lean)
        elif link.parent >= 0:
            found[i] = found[link.parent]
    return found


def _lowest(character: Character, leg: Leg, foot: Array, toes: Array) -> float:
    """Return how high the lowest point of foot and toes is above the ankle, m, negative below it."""
    tip = float((foot @ character.offsets[leg.toes])[2])
    shapes = [character.links[i].shape for i in (leg.foot, leg.toes)]
    return min(float(shapes[0].lowest(foot[2])), tip + float(shapes[1].lowest(toes[2])))


def _pitched(angle: float) -> Array:
    c, s = math.cos(angle), math.sin(angle)
    return np.array(((c, 0.0, s), (0.0, 1.0, 0.0), (-s, 0.0, c)))
