"""The motion generator's trajectories as tables: joint rotations over the phase of a step (section 3.1)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..character.model import ROLES, Character
from ..errors import DataError
from ..spatial import Array, axis_angle_quaternion, quaternion_matrix, quaternion_product
from .settings import Knots
from .spline import catmull_rom

_STEPS = 200
_AXES = {"roll": (1.0, 0.0, 0.0), "pitch": (0.0, 1.0, 0.0), "yaw": (0.0, 0.0, 1.0)}


class StyleTable:
    """Rotations of each link relative to its base (parent or heading frame) while one leg is the stance leg.

    Trajectories are named "<part>_<axis>", part one of pelvis, abdomen, chest, head, or "stance_" /
    "swing_" and a limb's part (upper_arm, forearm, hand, shin, foot, toes). Knots are in degrees about the link's
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
        mirror = 1.0 if stance == "L" else -1.0
        swing = "R" if stance == "L" else "L"
        for name, knots in style.items():
            part, _, axis = name.rpartition("_")
            if axis not in _AXES:
                raise DataError(f"preset.style.{name}: the name must end in _roll, _pitch or _yaw.")
            if not _known(part):
                raise DataError(f"preset.style.{name}: {part!r} is not a part of the body that can be told to turn.")
            column = list(_AXES).index(axis)
            sign = 1.0 if axis == "pitch" else mirror
            for phase_kind, side in (("stance", stance), ("swing", swing)):
                if part.startswith(phase_kind + "_"):
                    role = f"{part.removeprefix(phase_kind + '_')}.{side}"
                    if character.has(role):
                        angles[:, character.index(role), column] = sign * np.radians(catmull_rom(knots, phases))
            if part.startswith("trail_"):
                role = f"{part.removeprefix('trail_')}.{swing}"
                if character.has(role):
                    trail[:, character.index(role), column] = sign * np.radians(catmull_rom(knots, phases))
            elif part.startswith("stand_"):
                for side, handed in (("L", 1.0), ("R", 1.0 if axis == "pitch" else -1.0)):
                    role = f"{part.removeprefix('stand_')}.{side}"
                    if character.has(role):
                        stand[character.index(role), column] = handed * np.radians(knots[0][1])
            elif character.has(part):
                angles[:, character.index(part), column] = sign * np.radians(catmull_rom(knots, phases))
        trailing = amplitude * np.where(np.isnan(trail), angles, trail)
        angles *= amplitude
        # Small-angle rates about the base's axes are enough to follow; the error term does the rest.
        self._tables = [
            np.concatenate((_matrices(a), np.gradient(a, phases, axis=0)[..., None]), axis=3)
            for a in (angles, trailing)
        ]
        self._stand = np.concatenate((_matrices(stand[None])[0], np.zeros((count, 3, 1))), axis=2)
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


def _known(part: str) -> bool:
    kind, _, limb = part.partition("_")
    return part in ROLES if kind not in ("stance", "swing", "trail", "stand") else f"{limb}.L" in ROLES


def _matrices(angles: Array) -> Array:
    """Return Rz(yaw) Ry(pitch) Rx(roll) (K, L, 3, 3) of angles (K, L, 3): roll, pitch, yaw, rad."""
    turns = np.zeros((*angles.shape, 3))
    turns[:] = np.eye(3)
    moving = angles.any(axis=(0, 2))  # most links never do
    q = [axis_angle_quaternion(np.array(axis), angles[:, moving, i]) for i, axis in enumerate(_AXES.values())]
    turns[:, moving] = quaternion_matrix(quaternion_product(q[2], quaternion_product(q[1], q[0])))
    return turns
