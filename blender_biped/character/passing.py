"""How far apart ankles must be for legs to pass each other, and to stand beside each other, by the skin on both."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..base.spatial import Array, rotate
from .armature import Armature
from .conflicts import moved_with
from .mapping import RigMap
from .model import SIDES, Character
from .posture import StandingRig
from .skin import Numbers, Skin

_PARTS = ("shin", "foot", "toes")
_MARGIN = 0.01  # of the leg: feet that point outwards bring their heels nearer
_HEIGHTS = 0.02  # of the leg: of the slices that legs are cut into
_PASSING = 0.25  # of the leg: above it a leg that swings is bent, and ahead of the other one or behind
_STANDING = 0.5  # of the leg: above it thighs press each other


def passing(character: Character, armature: Armature, rig_map: RigMap, pose: StandingRig) -> tuple[float, float]:
    """Return how far apart ankles are at least, m, as a foot passes the other leg, and as both legs stand.

    pose: the character's. 0 where a leg has no skin. Legs go straight to their hips. As far as legs are in each other
    in rest they are meant to be; what is one skin with the other leg is cloth, and so is all above.
    """
    skin = armature.skin
    if skin is None:
        return 0.0, 0.0
    origins, leg = character.standing()[0], character.leg_length
    hips = abs(float(np.subtract(*(origins[character.index(f"thigh.{side}")][1] for side in SIDES))))
    both = [_points(character, armature, skin, rig_map, pose, side) for side in SIDES]
    cloth = _joined(skin.edges, both)
    (left, left_rests), (right, right_rests) = (
        _inwards(character, *points, side, cloth) for points, side in zip(both, SIDES, strict=True)
    )
    meant = np.maximum(left_rests + right_rests, 0.0)
    share = (np.arange(len(meant)) + 0.5) * _HEIGHTS  # of the way from the sole to the hip
    needed = (left + right - meant + _MARGIN * leg - share * hips) / (1.0 - share)
    low, whole = (float(needed[: round(part / _HEIGHTS)].max()) for part in (_PASSING, _STANDING))
    return max(low, 0.0), max(whole, 0.0)


def _points(
    character: Character, armature: Armature, skin: Skin, rig_map: RigMap, pose: StandingRig, side: str
) -> tuple[Array, Array]:  # fmt: skip
    """Return where the points of the skin are, m, of a leg below its knee: standing (V, 3), and how far left in rest.

    NaN for points of anything else.
    """
    roles = [role for part in _PARTS if (role := f"{part}.{side}") in rig_map.bones]
    origins = character.standing()[0]
    shares = skin.shares([moved_with(rig_map.bones, armature, role) for role in roles])
    rest = armature.scale * (skin.points @ pose.axes)
    carrier = np.where(shares.sum(axis=1) > 0.5, shares.argmax(axis=1), -1)
    found = np.full(rest.shape, np.nan)
    for k, role in enumerate(roles):
        own = carrier == k
        found[own] = origins[character.index(role)] + rotate(pose.turns[role], rest[own] - pose.heads[role])
    return found, np.where(carrier >= 0, rest[:, 1], np.nan)


def _joined(edges: Numbers, both: Sequence[tuple[Array, Array]]) -> float:
    """Return the height, m, of the lowest edge (E, 2) from one leg's skin to the other's, inf without one."""
    left, right = (np.isfinite(rest) for _, rest in both)
    crosses = (left[edges] & right[edges[:, ::-1]]).any(axis=1)
    heights = np.where(left, both[0][0][:, 2], both[1][0][:, 2])[edges[crosses]]
    return float(heights.min(initial=np.inf))


def _inwards(character: Character, points: Array, rest: Array, side: str, cloth: float) -> tuple[Array, Array]:
    """Return how far a leg's skin reaches towards the other one (H,), m, slice by slice from the sole up.

    Standing, points (V, 3), from the line from ankle to hip; and in rest, where it is so far left of the armature's
    origin, rest (V,), from there. -inf where there is none. cloth: the height, m, of what is none of the leg.
    """
    origins, sign = character.standing()[0], 1.0 if side == SIDES[0] else -1.0
    hip, ankle = (origins[character.index(f"{part}.{side}")] for part in ("thigh", "foot"))
    stands, rests = (np.full(round(_STANDING / _HEIGHTS), -np.inf) for _ in range(2))
    slices = points[:, 2] / (_HEIGHTS * character.leg_length)
    own = np.flatnonzero((points[:, 2] < cloth) & (slices < len(stands)))
    place = np.maximum(slices[own].astype(int), 0)
    up = np.clip((points[own, 2] - ankle[2]) / (hip[2] - ankle[2]), 0.0, 1.0)
    np.maximum.at(stands, place, sign * (ankle[1] + up * (hip[1] - ankle[1]) - points[own, 1]))
    np.maximum.at(rests, place, -sign * rest[own])
    return stands, rests
