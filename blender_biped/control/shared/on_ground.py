"""A standing body on ground that is not level: feet on the slope, the leg on the higher side bent."""

from __future__ import annotations

import math

import numpy as np

from ...base.spatial import Array, matrix_quaternion, quaternion_product, yaw_quaternion, yawed
from ...character.model import Character
from ...world.floor import Floor
from .inverse_kinematics import leg_orientations
from .legs import legs_of
from .slope import normal, tilt

_REACH = 0.3  # m
_LEVEL = 1e-3  # m
_ROUND = tuple(k * math.pi / 4.0 for k in range(8))
_BENT = 0.999  # share of a leg's standing length that the longer one keeps


def is_level(floor: Floor, x: float, y: float) -> bool:
    """Return whether the ground is level about a place, m, as far as a standing body's feet reach."""
    here = floor.height(x, y)
    around = ((x + _REACH * math.cos(turn), y + _REACH * math.sin(turn)) for turn in _ROUND)
    return all(abs(floor.height(*place) - here) < _LEVEL for place in around)


def standing_on(character: Character, floor: Floor, x: float, y: float, heading: float) -> tuple[Array, Array]:
    """Return link origins (L, 3), m, and rotations (L, 4), world, of a body that stands on the ground.

    x, y: of its mid-hip, m. heading: rad. Raises DataError for a body without legs.
    """
    origins, rotations = character.standing()
    c, s = math.cos(heading), math.sin(heading)
    turn = yawed(heading)
    placed = (origins - origins[0]) @ turn.T + (x, y, 0.0)
    rotations = quaternion_product(yaw_quaternion(heading), rotations)
    feet, heights = [], []
    for leg in legs_of(character):
        ax, ay = placed[leg.foot, :2].tolist()
        slope = floor.slope(ax + 0.5 * (leg.heel + leg.toe) * c, ay + 0.5 * (leg.heel + leg.toe) * s)
        up = normal(slope)
        ankle = (ax + leg.ankle_height * up[0], ay + leg.ankle_height * up[1],
                 floor.height(ax, ay) + leg.ankle_height * up[2])  # fmt: skip
        feet.append((leg, ankle, slope))
        below = placed[leg.thigh] - placed[leg.foot]
        aside = np.hypot(*(placed[leg.thigh, :2] - ankle[:2]))
        heights.append(ankle[2] + math.sqrt(max(_BENT * float(below @ below) - aside**2, 0.01)))
    thighs = np.array([placed[leg.thigh, 2] for leg, _, _ in feet])
    root = np.array((x, y, float((np.array(heights) - thighs).min())))
    for leg, ankle, slope in feet:
        hip = root + placed[leg.thigh] - (x, y, 0.0)
        hx, hy, hz = hip.tolist()
        thigh, shin, _ = leg_orientations(
            (hx, hy, hz), ankle, leg.thigh_length, leg.shin_length, (-s, c, 0.0), leg.aside
        )
        foot = np.concatenate((turn, np.zeros((3, 1))), axis=1)
        tilt(foot, slope)
        for link, rows in ((leg.thigh, thigh), (leg.shin, shin)):
            rotations[link] = matrix_quaternion(np.array(rows).reshape(3, 3))
        rotations[leg.foot] = rotations[leg.toes] = matrix_quaternion(foot[:, :3])
    return character.forward_kinematics(root, rotations), rotations
