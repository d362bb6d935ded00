"""The motion generator's trajectories as tables: joint rotations over the phase of a step (section 3.1)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np

from ...base.errors import DataError
from ...base.spatial import Array, axis_angle_quaternion, quaternion_matrix, quaternion_product
from ...character.model import MORE_ROLES, ROLES, Character, role_part
from .spline import Knots, catmull_rom

_STEPS = 200
_KINDS = ("stance", "swing", "trail", "stand", "both")  # whose limb an angle is of
_AXES = {"roll": (1.0, 0.0, 0.0), "pitch": (0.0, 1.0, 0.0), "yaw": (0.0, 0.0, 1.0)}


class StyleTable:
    """Rotations of each link relative to its base (parent or heading frame) while one leg is the stance leg.

    Trajectories are named "<part>_<axis>", part one of pelvis, abdomen, chest, head, or "stance_" / "swing_" /
    "both_" and a limb's part (upper_arm, forearm, hand, shin, foot, toes). Knots are in degrees about the link's
    axes, written for a left stance: roll and yaw change sign for a right one. "trail_" replaces "swing_" for
    the leg behind until it lifts (its thigh is then relative to the heading frame). "stand_" gives the pose
    of a limb, one value, while standing.
    """

    def __init__(self, character: Character, style: Mapping[str, Knots], stance: str, amplitude: float = 1.0) -> None:
        """Take a preset's style; ``stance``: "L" or "R"; amplitude: scales all but standing.

        Raises DataError for an unknown trajectory name.
        """
        phases = np.linspace(0.0, 1.0, _STEPS + 1)
        count = len(character.links)
        angles = np.zeros((_STEPS + 1, count, 3))
        stand = np.zeros((count, 3))
        trail = np.full((_STEPS + 1, count, 3), np.nan)
        swing = "R" if stance == "L" else "L"
        for name, knots in style.items():
            kind = name.partition("_")[0]
            for link, column, sign in angle_places(name, character, stance):
                if kind == "stand":
                    stand[link, column] = sign * np.radians(knots[0][1])
                else:
                    table = trail if kind == "trail" else angles
                    table[:, link, column] = sign * np.radians(catmull_rom(knots, phases))
        trailing = amplitude * np.where(np.isnan(trail), angles, trail)
        angles *= amplitude
        # Small-angle rates about the base's axes are enough to follow; the error term does the rest.
        self._tables = [
            np.concatenate((turn_matrices(a), np.gradient(a, phases, axis=0)[..., None]), axis=3)
            for a in (angles, trailing)
        ]
        self._stand = np.concatenate((turn_matrices(stand[None])[0], np.zeros((count, 3, 1))), axis=2)
        thigh, shin, foot = (f"{part}.{swing}" for part in ("thigh", "shin", "foot"))
        self._swing_angles = [
            angles[:, character.index(role), 1] if character.has(role) else np.zeros(_STEPS + 1)
            for role in (thigh, shin)
        ]
        self._foot_pitch = angles[:, character.index(foot), 1] if character.has(foot) else np.zeros(_STEPS + 1)

    def at(self, phase: float, trailing: bool = False) -> Array:
        """Return (L, 3, 4): rotations and, in the last column, rates, rad per step; standing for a negative phase.

        trailing: whether the other leg still pushes off, or already swings.
        """
        if phase < 0.0:
            return self._stand
        i = min(int(phase * _STEPS + 0.5), _STEPS)
        return np.asarray(self._tables[trailing][i])

    def swing_angles(self, phase: float) -> tuple[float, float]:
        """Return the swing thigh's pitch in the heading frame and the knee's angle, rad."""
        i = min(int(phase * _STEPS + 0.5), _STEPS)
        return float(self._swing_angles[0][i]), float(self._swing_angles[1][i])

    def foot_pitch(self, phase: float) -> float:
        """Return the swing foot's pitch in the heading frame, rad, toes down positive."""
        return float(self._foot_pitch[min(int(phase * _STEPS + 0.5), _STEPS)])


def angle_places(name: str, character: Character, stance: str) -> list[tuple[int, int, float]]:
    """Return which links an angle's name means, with its axis (roll, pitch, yaw: 0, 1, 2) and its sign.

    stance: "L" or "R". None where the character has no such link. Raises DataError for an unknown name.
    """
    part, _, axis = name.rpartition("_")
    if axis not in _AXES:
        raise DataError(f"preset: the angle {name!r} must end in _roll, _pitch or _yaw.")
    column, kind, limb = list(_AXES).index(axis), *part.partition("_")[::2]
    swing = "R" if stance == "L" else "L"
    sides = {"stance": stance, "swing": swing, "trail": swing, "stand": "LR", "both": "LR"}.get(kind)
    known = (*ROLES, *MORE_ROLES)
    if part not in known if sides is None else f"{limb}.L" not in known:
        raise DataError(f"preset: the angle {name!r}: {part!r} is not a part of the body that can turn.")
    roles = (
        [(part, stance)] if sides is None else [(f"{limb}.{side}", side if sides == "LR" else stance) for side in sides]
    )
    return [
        (character.index(role), column, 1.0 if axis == "pitch" or handed == "L" else -1.0)
        for role, handed in roles
        if character.has(role)
    ]


@cache
def angle_names() -> frozenset[str]:
    """Return all names of angles that presets may have; which of them mean something, a body's links say."""
    whole = {role_part(role) for role in (*ROLES, *MORE_ROLES) if "." in role}
    single = [role for role in (*ROLES, *MORE_ROLES) if "." not in role]
    parts = [*single, *(f"{kind}_{limb}" for kind in _KINDS for limb in whole)]
    return frozenset(f"{part}_{axis}" for part in parts for axis in _AXES)


def turn_matrices(angles: Array) -> Array:
    """Return Rz(yaw) Ry(pitch) Rx(roll) (K, L, 3, 3) of angles (K, L, 3): roll, pitch, yaw, rad."""
    turns = np.zeros((*angles.shape, 3))
    turns[:] = np.eye(3)
    moving = angles.any(axis=(0, 2))  # most links never do
    q = [axis_angle_quaternion(np.array(axis), angles[:, moving, i]) for i, axis in enumerate(_AXES.values())]
    turns[:, moving] = quaternion_matrix(quaternion_product(q[2], quaternion_product(q[1], q[0])))
    return turns
