"""How far apart ankles must be for legs to pass each other, and to stand beside each other, by the skin on both."""

from __future__ import annotations

import numpy as np

from ..base.spatial import Array
from .armature import Armature
from .hanging import skin_points
from .mapping import RigMap
from .model import SIDES, Character
from .posture import StandingRig

_PARTS = ("shin", "foot", "toes")
_MARGIN = 0.01  # of the leg: feet that point outwards bring their heels nearer
_HEIGHTS = 0.02  # of the leg: of the slices that legs are cut into
_PASSING = 0.25  # of the leg: above it a leg that swings is bent, and ahead of the other one or behind
_STANDING = 0.5  # of the leg: above it thighs press each other


def passing(character: Character, armature: Armature, rig_map: RigMap, pose: StandingRig) -> tuple[float, float]:
    """Return how far apart ankles are at least, m, as a foot passes the other leg, and as both legs stand.

    pose: the character's. 0 where a leg has no skin. Legs go straight to their hips. No more than the character's
    ankles are apart in its standing pose: what reaches farther is cloth, or meant to be in the other leg.
    """
    origins = character.standing()[0]
    apart, hips = (
        abs(float(np.subtract(*(origins[character.index(f"{part}.{side}")][1] for side in SIDES))))
        for part in ("foot", "thigh")
    )
    left, right = (_inwards(character, armature, rig_map, pose, side) for side in SIDES)
    reach = left + right
    share = (np.arange(len(reach)) + 0.5) * _HEIGHTS  # of the way from the sole to the hip
    needed = (reach + _MARGIN * character.leg_length - share * hips) / (1.0 - share)
    low, whole = (float(needed[: round(part / _HEIGHTS)].max()) for part in (_PASSING, _STANDING))
    return min(max(low, 0.0), apart), min(max(whole, 0.0), apart)


def _inwards(character: Character, armature: Armature, rig_map: RigMap, pose: StandingRig, side: str) -> Array:
    """Return how far a leg's skin reaches towards the other one (H,), m, slice by slice from the sole up.

    From the line from ankle to hip; -inf where there is none.
    """
    origins = character.standing()[0]
    hip, ankle = (origins[character.index(f"{part}.{side}")] for part in ("thigh", "foot"))
    found = np.full(round(_STANDING / _HEIGHTS), -np.inf)
    for part in _PARTS:
        points = skin_points(character, armature, rig_map, pose, f"{part}.{side}")
        up = np.clip((points[:, 2] - ankle[2]) / (hip[2] - ankle[2]), 0.0, 1.0)
        inwards = (ankle[1] + up * (hip[1] - ankle[1]) - points[:, 1]) * (1.0 if side == SIDES[0] else -1.0)
        place = np.maximum((points[:, 2] / (_HEIGHTS * character.leg_length)).astype(int), 0)
        low = place < len(found)
        np.maximum.at(found, place[low], inwards[low])
    return found
