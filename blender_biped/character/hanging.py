"""How far from straight down arms hang so that forearms and hands pass hips and thighs, by the skin on both."""

from __future__ import annotations

import math

import numpy as np

from ..base.spatial import Array, axis_angle_quaternion, rotate
from .armature import Armature
from .conflicts import moved_with
from .figure import outline_points
from .mapping import RigMap
from .model import ARM, SIDES, Character
from .posture import StandingRig

LEAST = math.radians(8.0)
"""People's arms hang out by that at least, and so do those that are clear of the body anyway (CGM23: 11 +- 6)."""
MOST = math.radians(40.0)
_STEP = math.radians(0.5)
_SWINGS = tuple(math.radians(angle) for angle in (-25.0, -12.5, 0.0, 12.5, 25.0))  # of upper arms in a walk
_ELBOW = math.radians(30.0)  # that elbows are bent by in a walk
_MARGIN = 0.02  # of the leg: hips list, and cloth moves
_HEIGHTS = 0.02  # of the leg: of the slices that hips and thighs are cut into
_MOST_POINTS = 400  # of each side's forearm and hand
_FEWEST_POINTS = 8  # of skin, below which it does not tell
_BODY = ("pelvis", "abdomen", "thigh.L", "thigh.R")
_Y = (0.0, 1.0, 0.0)


def hanging(character: Character, armature: Armature, rig_map: RigMap, pose: StandingRig) -> float:
    """Return the angle from straight down, rad, LEAST to MOST, at which both arms pass hips and thighs as they swing.

    pose: the character's, trunk as in rest. The skin says how wide both are, or the links' shapes where there is none.
    """
    body = np.concatenate([_points(character, armature, rig_map, pose, role) for role in _BODY if role in pose.heads])
    slices = _Slices(body, _HEIGHTS * character.leg_length)
    margin, origins = _MARGIN * character.leg_length, character.standing()[0]
    found = LEAST
    for side, sign in zip(SIDES, (1.0, -1.0), strict=True):
        parts = [part for part in ARM if f"{part}.{side}" in pose.heads]
        if len(parts) < 2 or parts[0] != "upper_arm":
            continue
        shoulder, elbow = (origins[character.index(f"{part}.{side}")] for part in parts[:2])
        skins = [_points(character, armature, rig_map, pose, f"{part}.{side}") for part in parts[1:]]
        if len(parts) > 2:  # what a hand holds may be in the way wherever it hangs
            wrist = origins[character.index(f"hand.{side}")]
            near = np.linalg.norm(skins[1] - wrist, axis=1) < math.dist(elbow, wrist)
            skins[1] = skins[1][near]
        arm = np.concatenate(skins)
        arm = arm[:: len(arm) // _MOST_POINTS + 1]
        found = max(found, _clear(arm, shoulder, elbow, sign, slices, margin))
    return found


class _Slices:
    """How far hips and thighs reach to each side, slice by slice."""

    def __init__(self, points: Array, height: float) -> None:
        """Points (N, 3): standing, m. height: of a slice, m."""
        self._low, self._height = float(points[:, 2].min()), height
        place = ((points[:, 2] - self._low) / height).astype(int)
        self._widths = np.full((2, int(place.max()) + 3), -math.inf)
        for which, sign in enumerate((1.0, -1.0)):
            np.maximum.at(self._widths[which], place + 1, sign * points[:, 1])
            own = self._widths[which]
            self._widths[which] = np.maximum(own, np.maximum(np.roll(own, 1), np.roll(own, -1)))  # neighbours' too

    def reach(self, heights: Array, sign: float) -> Array:
        """Return how far they reach (...), m, to a side at heights (...), m; -inf above and below them."""
        place = np.floor((heights - self._low) / self._height).astype(int) + 1
        inside = (place >= 0) & (place < self._widths.shape[1])
        widths = self._widths[0 if sign > 0.0 else 1]
        return np.where(inside, widths[np.clip(place, 0, len(widths) - 1)], -math.inf)


def _clear(arm: Array, shoulder: Array, elbow: Array, sign: float, body: _Slices, margin: float) -> float:
    """Return the least angle, rad, at which the points (N, 3) of an arm pass a body; else that of the most room.

    shoulder, elbow (3,): m, of the arm that hangs. sign: 1 for the left arm, -1 for the right one.
    """
    bent = elbow + rotate(axis_angle_quaternion(_Y, -_ELBOW), arm - elbow) - shoulder
    angles = np.arange(LEAST, MOST, _STEP)
    sines, cosines = (sign * np.sin(angles))[:, None], np.cos(angles)[:, None]
    x, y, z = bent.T
    aside, up = cosines * y - sines * z, sines * y + cosines * z  # turned out, about x
    room = np.full(len(angles), math.inf)
    for swing in _SWINGS:  # and then ahead, about y
        heights = shoulder[2] + math.cos(swing) * up + math.sin(swing) * x
        own = (sign * (shoulder[1] + aside) - body.reach(heights, sign)).min(axis=1)
        np.minimum(room, own, out=room)
    return float(angles[int((room >= min(margin, float(room.max()) - margin)).argmax())])


def _points(character: Character, armature: Armature, rig_map: RigMap, pose: StandingRig, role: str) -> Array:
    """Return points (N, 3) on the surface of a role as it stands, m: of its skin, or of its shape."""
    skin = skin_points(character, armature, rig_map, pose, role)
    if len(skin) >= _FEWEST_POINTS:
        return skin
    return character.standing()[0][character.index(role)] + outline_points(character.links[character.index(role)].shape)


def skin_points(character: Character, armature: Armature, rig_map: RigMap, pose: StandingRig, role: str) -> Array:
    """Return the points (N, 3) of a role's skin as it stands, m; none where it has none."""
    if armature.skin is None or role not in rig_map.bones:
        return np.zeros((0, 3))
    skin = armature.skin.carried_by(moved_with(rig_map.bones, armature, role))
    placed = armature.scale * (skin @ pose.axes)
    origin = character.standing()[0][character.index(role)]
    return np.asarray(origin + rotate(pose.turns[role], placed - pose.heads[role]))
